import type { Trait, Word } from '../../effect.js';
import { joinPath } from '../../paths.js';
import { setVariable } from '../environmentTraps.js';
import type { Builtin, Frame } from '../frame.js';
import { fileWord } from '../powershell/target.js';
import type { Run } from '../run.js';
import { isSecretName } from '../secretNames.js';
import { dynamicWord, escapeGlob, exactWord, prefixed } from '../word.js';

/** Options that begin with a slash, lower case, and the other words. `/s/q` is two options. */
export interface SlashOptions {
  readonly options: ReadonlySet<string>;
  readonly operands: readonly Word[];
}

/** Sorts words as cmd's own commands do: what begins with a slash is an option, wherever it stands. */
export function slashOptions(words: readonly Word[]): SlashOptions {
  const options = new Set<string>();
  const operands: Word[] = [];
  for (const word of words) {
    if (word.certainty !== 'dynamic' && !word.quoted && word.text.startsWith('/')) {
      for (const option of word.text.split('/').filter(Boolean)) options.add(option.toLowerCase());
    } else operands.push(word);
  }
  return { options, operands };
}

/** A path as the rest of the analysis reads it. Only `*` and `?` are wildcards here. */
export function pathOf(word: Word, run: Run): Word {
  if (word.certainty === 'dynamic') return fileWord(word, true, run.facts);
  const slashed = word.text.replaceAll('\\', '/');
  const literal = fileWord({ ...word, text: word.text }, true, run.facts);
  if (!/[*?]/.test(slashed) || literal.certainty === 'dynamic') return literal;
  const text = slashed
    .split(/([*?])/)
    .map((part) => (/^[*?]$/.test(part) ? part : escapeGlob(part)))
    .join('')
    .replace(/\*\.\*$/, '*');
  return { ...word, text, certainty: 'pattern' };
}

const argumentsOf = (run: Run): readonly Word[] => run.invocation.argv.slice(1);

/** Each operand as a path; without any, nothing. A quote behind a backslash is no escape here, so that the target is another one. */
function eachPath(run: Run, operands: readonly Word[], act: (path: Word) => void): void {
  for (const word of operands) {
    if (word.raw.includes('\\"')) {
      run.unknown(
        `in ${word.raw} the backslash does not escape the quote, so that the path is not the one that is meant`,
      );
      act(dynamicWord('$path'));
    } else act(pathOf(word, run));
  }
}

const deletes: Builtin = (run) => {
  const { options, operands } = slashOptions(argumentsOf(run));
  const traits: Trait[] = options.has('f') ? ['force', 'unprotects'] : [];
  if (operands.length === 0) run.unknown('del without a path');
  eachPath(run, operands, (path) => {
    if (!options.has('s')) run.delete(path, { traits });
    else if (path.certainty === 'pattern') run.delete(below(path), { traits: [...traits, 'mass'] });
    else run.delete(path, { traits: [...traits, 'recursive', 'mass'] });
  });
};

/** `del /s *.log` takes what matches in every folder below. */
function below(path: Word): Word {
  const at = path.text.lastIndexOf('/');
  const name = path.text.slice(at + 1);
  if (/^\*?\*$/.test(name)) return { ...path, text: at < 0 ? '*' : `${path.text.slice(0, at + 1)}*` };
  return { ...path, text: `${path.text.slice(0, at + 1)}**/${name}` };
}

const removesFolder: Builtin = (run) => {
  const { options, operands } = slashOptions(argumentsOf(run));
  const traits: Trait[] = options.has('s') ? ['recursive'] : [];
  if (options.has('q')) traits.push('force');
  eachPath(run, operands, (path) => run.delete(path, { traits }));
};

const makesFolder: Builtin = (run) =>
  eachPath(run, slashOptions(argumentsOf(run)).operands, (path) => run.write(path, { traits: ['create'] }));

const transfers =
  (verb: 'copy' | 'move'): Builtin =>
  (run) => {
    const { operands } = slashOptions(argumentsOf(run));
    const sources = operands.slice(0, Math.max(1, operands.length - 1)).flatMap((word) =>
      word.certainty === 'exact' && word.text.includes('+')
        ? word.text
            .split('+')
            .filter(Boolean)
            .map((text) => ({ ...word, text }))
        : [word],
    );
    const target = operands.length > 1 ? operands.at(-1) : exactWord('.');
    for (const source of sources) {
      if (/^con:?$/i.test(source.text)) {
        run.write(pathOf(target ?? source, run));
        continue;
      }
      if (target) run[verb](pathOf(source, run), pathOf(target, run));
    }
  };

const renames: Builtin = (run) => {
  const [from, to] = slashOptions(argumentsOf(run)).operands;
  if (!from || !to) return;
  const path = pathOf(from, run);
  const at = path.text.lastIndexOf('/');
  const name = pathOf(to, run);
  run.move(path, at < 0 ? name : prefixed(path.text.slice(0, at + 1), name));
};

const reads: Builtin = (run) => eachPath(run, slashOptions(argumentsOf(run)).operands, (path) => run.read(path));

const lists: Builtin = (run) => {
  const { options, operands } = slashOptions(argumentsOf(run));
  const traits: Trait[] = options.has('s') ? ['recursive'] : [];
  if (operands.length === 0) run.list(exactWord('.'), { traits });
  eachPath(run, operands, (path) => run.list(path, { traits }));
  if (run.invocation.program === 'dir' && options.has('b')) givesNames(run, operands, options.has('s'));
};

/** `dir /b /s x\\*.pem`: names that the next command can take. */
function givesNames(run: Run, operands: readonly Word[], isDeep: boolean): void {
  const [word = exactWord('.')] = operands;
  const path = pathOf(word, run);
  if (operands.length > 1 || path.certainty === 'dynamic') return;
  const at = path.text.lastIndexOf('/');
  const [folder, name] =
    path.certainty === 'pattern'
      ? [at < 0 ? '' : path.text.slice(0, at + 1), path.text.slice(at + 1)]
      : [`${path.text}/`, '*'];
  run.outputs({ ...path, text: isDeep ? `${folder}**/${name}` : name, certainty: 'pattern' });
}

const changesFolder: Builtin = (run) => {
  const { operands } = slashOptions(argumentsOf(run));
  const [word] = operands;
  if (!word) {
    const { cwd } = run.terminal;
    if (cwd !== null) run.outputs(exactWord(cwd));
    return;
  }
  const path = pathOf(operands.length > 1 ? { ...word, text: operands.map(({ text }) => text).join(' ') } : word, run);
  enter(run, path, run.invocation.program === 'pushd');
};

function enter(run: Run, path: Word, isPushed: boolean): void {
  run.changeTerminal((terminal) => {
    const directoryStack =
      isPushed && terminal.cwd !== null ? [...terminal.directoryStack, terminal.cwd] : terminal.directoryStack;
    const cwd =
      path.certainty === 'exact' && terminal.cwd !== null
        ? run.facts.realPath(joinPath(terminal.cwd, path.text, run.facts.platform))
        : null;
    return { ...terminal, cwd, mayBeIn: [], previousCwd: terminal.cwd, directoryStack };
  });
}

const popsFolder: Builtin = (run) =>
  run.changeTerminal((terminal) => ({
    ...terminal,
    cwd: terminal.directoryStack.at(-1) ?? null,
    mayBeIn: [],
    previousCwd: terminal.cwd,
    directoryStack: terminal.directoryStack.slice(0, -1),
  }));

/** `set NAME=value`, `set /p NAME=prompt`, `set /a …`; alone it shows all variables. */
const sets: Builtin = (run) => {
  const words = argumentsOf(run);
  const text = words.map(({ text: word }) => word).join(' ');
  const isDynamic = words.some(({ certainty }) => certainty === 'dynamic');
  if (/^\s*\/a\b/i.test(text)) {
    const name = /^\s*\/a\s+"?(\w+)\s*[-+*/%&|^]?=/i.exec(text)?.[1];
    if (name !== undefined) assign(run, name, dynamicWord(`$${name}`));
    return;
  }
  const asked = /^\s*\/p\s+"?([^=]+)=/i.exec(text);
  if (asked) {
    assign(run, asked[1] ?? '', dynamicWord(`$${asked[1] ?? 'input'}`));
    return;
  }
  const shape = /^"?([^="]+)=(.*?)"?$/s.exec(text.trim());
  if (!shape) {
    const name = text.trim().replace(/^"|"$/g, '');
    const isAll = name === '';
    run.emit(
      'read',
      { type: 'environment', name: isAll ? '*' : `${name.toUpperCase()}*` },
      { traits: isAll ? ['secret', 'mass'] : beginsSecrets(name) ? ['secret'] : [] },
    );
    return;
  }
  assign(
    run,
    shape[1] ?? '',
    isDynamic ? { ...dynamicWord(`$${shape[1] ?? ''}`), text: shape[2] ?? '' } : exactWord(shape[2] ?? ''),
  );
};

/** `set AWS` shows all variables that begin so, those with keys of the service among them. */
const beginsSecrets = (name: string): boolean =>
  isSecretName(name) ||
  /^(?:aws|azure|arm|gcp|google|github|gh|gitlab|npm|node_auth|openai|anthropic|gemini|stripe|slack|twilio|sendgrid|docker|db|database|pg|mysql|mongo|redis|secret|token|api|auth|sentry|vercel|netlify|heroku|cloudflare|cf|digitalocean|do|hf|huggingface)(?:_|$)/i.test(
    name,
  );

const assign = (run: Run, name: string, value: Word): void => setVariable(run, name.trim().toUpperCase(), value);

/** `start "title" /wait program words`, `start https://…`. */
const starts: Builtin = (run, frame) => {
  const words = [...argumentsOf(run)];
  const isTitled = words[0]?.quoted === true && (words.length > 1 || words[0].text === '');
  if (isTitled) words.shift();
  let cwd: Word | null = null;
  while (words[0] && !words[0].quoted && /^\/[a-z]/i.test(words[0].text)) {
    const option = words.shift()?.text.toLowerCase() ?? '';
    if (option === '/d') cwd = words.shift() ?? null;
    else if (/^\/d.+/.test(option)) cwd = exactWord(option.slice(2));
    else if (option === '/affinity' || option === '/node' || option === '/machine') words.shift();
  }
  const [program] = words;
  if (!program) return;
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(program.text)) {
    run.network(program, { method: 'GET' });
    return;
  }
  if (/^mailto:/i.test(program.text)) return;
  carry(run, frame, words, cwd);
};

/** Another command in this shell's own way: its own commands count too. */
function carry(run: Run, frame: Frame, words: readonly Word[], cwd: Word | null): void {
  void frame;
  run.carry(words, cwd === null ? {} : { cwd: pathOf(cwd, run) });
}

/** `call file words`; `call :label` stays in the file, whose lines are all looked at anyway. */
const calls: Builtin = (run, frame) => {
  const words = argumentsOf(run);
  if (words.length === 0 || words[0]?.text.startsWith(':')) return;
  // `call` puts in values once more: `set X=rd& call %X% …` is a way to name a command that the line does not show.
  if (words.some(({ certainty }) => certainty === 'dynamic'))
    frame.include(
      {
        language: 'cmd',
        text: words.map(({ raw }) => raw).join(' '),
        positional: [],
        environment: new Map(),
        path: null,
      },
      [],
    );
  else carry(run, frame, words, null);
};

const links: Builtin = (run) => {
  const [link, target] = slashOptions(argumentsOf(run)).operands;
  if (link) run.write(pathOf(link, run), { traits: ['create'] });
  if (target) run.list(pathOf(target, run), { note: 'is linked to' });
};

/** `assoc .x=type`, `ftype type=command`: what opens a file from now on. */
const associates: Builtin = (run) => {
  // cmd parts words at `=` too.
  const [kind, command] = argumentsOf(run).flatMap(({ text }) => text.split('='));
  if (kind !== undefined && command !== undefined)
    run.emit('persist', { type: 'process', process: kind }, { note: 'what opens a kind of file' });
};

const says: Builtin = (run) => {
  const words = argumentsOf(run);
  const certainty = words.some((word) => word.certainty === 'dynamic') ? 'dynamic' : 'exact';
  run.outputs({ text: words.map(({ raw }) => raw).join(' '), raw: '', certainty, quoted: true });
};

const searches: Builtin = (run) => {
  const { operands } = slashOptions(argumentsOf(run));
  const files = run.invocation.program === 'find' ? operands.slice(1) : operands;
  eachPath(run, files, (path) => run.read(path));
};

const waits: Builtin = () => undefined;

const rows: readonly (readonly [string, Builtin])[] = [
  ['del erase', deletes],
  ['rd rmdir', removesFolder],
  ['md mkdir', makesFolder],
  ['copy', transfers('copy')],
  ['move', transfers('move')],
  ['ren rename', renames],
  ['type more print', reads],
  ['dir tree', lists],
  ['cd chdir pushd', changesFolder],
  ['popd', popsFolder],
  ['set', sets],
  ['start', starts],
  ['call', calls],
  ['mklink', links],
  ['assoc ftype', associates],
  ['echo', says],
  ['find sort', searches],
  [
    'path',
    (run) => (argumentsOf(run).length > 0 ? assign(run, 'PATH', argumentsOf(run)[0] ?? exactWord('')) : undefined),
  ],
  [
    'break cls color date echo. endlocal exit goto pause prompt rem setlocal shift time title ver verify vol timeout',
    waits,
  ],
];

/** cmd's own commands, and those of Windows that mean something else on other systems. Source: help of cmd.exe, Windows 11. */
export const cmdBuiltins: ReadonlyMap<string, Builtin> = new Map(
  rows.flatMap(([names, builtin]) => names.split(' ').map((name): [string, Builtin] => [name, builtin])),
);
