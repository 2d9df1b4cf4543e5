import type { Word } from '../../effect.js';
import { joinPath } from '../../paths.js';
import {
  NO_INPUT,
  NOTHING_KNOWN,
  type Called,
  type Code,
  type Frame,
  type LanguageEntry,
  type Redirect,
} from '../frame.js';
import type { Input } from '../run.js';
import { isSecretName } from '../secretNames.js';
import { windowsVariable } from '../windowsEnvironment.js';
import { exactWord } from '../word.js';
import { cmdBuiltins, pathOf } from './builtins.js';
import { expandArguments, expandDelayed, expandVariables, unknownPart, withLoopValue, wordOfText } from './expand.js';
import { loopedOver, tokensOf, type LoopedOver } from './loop.js';
import { parseCmd, type CmdNode, type CmdRedirect, type CmdWord } from './parse.js';

const MOST_CHARACTERS = 64 * 1024;
const MOST_ROUNDS = 40;
const MOST_CALLS = 8;

/** A line that leaves the place it is at, whatever happens: `exit /b`, `goto x`. */
const LEAVES = /^\s*(?:@\s*)?(?:exit(?:\s+\/b)?(?:\s+\S+)?|goto\s*(?::\s*)?\S+)\s*$/i;

/** The label that a line is, lower case; null for other lines. */
const labelOf = (line: string): string | null => /^\s*:(?!:)\s*([^\s:+&|<>]+)/.exec(line)?.[1]?.toLowerCase() ?? null;

/** Labels that a text jumps to, lower case; null when one of them is chosen when it runs. */
function targetsOf(text: string): ReadonlySet<string> | null {
  const names = [...text.matchAll(/\bgoto\s*(?::\s*)?([^\s&|<>()]+)/gi)].map(([, name = '']) => name.toLowerCase());
  return names.some((name) => /[%!]/.test(name)) ? null : new Set(names);
}

/** cmd.exe, and batch files. */
export const cmd: LanguageEntry = { languages: ['cmd'], analyse, builtins: cmdBuiltins, foldsCase: true };

function analyse(code: Code, frame: Frame): Called {
  if (code.text.length > MOST_CHARACTERS) {
    frame.run.unknown('more than 64 KiB of cmd');
    return NOTHING_KNOWN;
  }
  return new Walker(frame, code).run();
}

/** Walks lines one after the other: each is expanded when its turn comes, as cmd does. */
class Walker {
  constructor(
    readonly frame: Frame,
    readonly code: Code,
  ) {
    this.#source = linesOf(code.text);
    this.#targets = targetsOf(code.text);
  }

  readonly #source: readonly string[];
  /** Labels that the text jumps to; null when one of the jumps is to a label that is chosen when it runs. */
  readonly #targets: ReadonlySet<string> | null;
  /** Arguments of the label that is being called; null outside of one. */
  #arguments: readonly string[] | null = null;
  #depth = 0;

  run(): Called {
    return this.#from(0);
  }

  /** Lines from one on, to the end of the text or of what a label stands for. */
  #from(start: number): Called {
    let called: Called = NOTHING_KNOWN;
    let isLeft = false;
    for (const line of this.#source.slice(start)) {
      if (!this.frame.step()) return NOTHING_KNOWN;
      const label = labelOf(line);
      if (label !== null && (this.#targets?.has(label) ?? true)) isLeft = false;
      if (isLeft) continue;
      called = this.#text(line);
      isLeft = LEAVES.test(line);
      if (isLeft && this.#arguments !== null && !/goto\s+:?(?!eof)/i.test(line)) return called;
    }
    return called;
  }

  /** `call :label words`: what stands behind the label, with its own arguments. */
  #callLabel(node: Extract<CmdNode, { kind: 'command' }>): Called {
    const [, label, ...words] = node.words;
    const start = this.#source.findIndex((line) => labelOf(line) === label?.text.slice(1).toLowerCase());
    if (start < 0) return NOTHING_KNOWN;
    if (this.#depth >= MOST_CALLS) {
      this.frame.run.unknown('labels call each other too deeply to be followed');
      return NOTHING_KNOWN;
    }
    const before = this.#arguments;
    this.#arguments = [label?.text ?? '', ...words.map(({ raw }) => raw)];
    this.#depth += 1;
    const called = this.#from(start + 1);
    this.#depth -= 1;
    this.#arguments = before;
    return called;
  }

  /** An argument of the label or the batch file; a line that is neither has none. */
  #argument(name: string): string | null {
    const { path, positional } = this.code;
    if (name === '0' && path !== null) return path;
    const words =
      this.#arguments ??
      positional.map(({ text, certainty }) => (certainty === 'dynamic' ? unknownPart('argument') : text));
    if (name === '*') return words.slice(1).join(' ');
    return words[Number(name)] ?? (this.#arguments !== null || path !== null ? '' : null);
  }

  #text(written: string): Called {
    const isBatch = this.#arguments !== null || this.code.path !== null || this.code.positional.length > 0;
    const line = isBatch ? expandArguments(written, (name) => this.#argument(name)) : written;
    const compared = comparisonsOf(line);
    return this.#nodes(
      expandVariables(line, (name, at) =>
        this.#lookUp(
          name,
          this.frame,
          compared.some(([from, to]) => at >= from && at < to),
        ),
      ),
      this.frame,
      NO_INPUT,
      this.frame.newPipeline(),
      0,
      true,
    );
  }

  #nodes(text: string, frame: Frame, input: Input, pipeline: number, stage: number, isLast: boolean): Called {
    const { nodes, problems } = parseCmd(text);
    for (const problem of problems) frame.run.unknown(problem);
    let called: Called = NOTHING_KNOWN;
    for (const node of nodes) {
      called = this.#node(node, frame, input, nodes.length === 1 ? pipeline : frame.newPipeline(), stage, isLast);
    }
    return called;
  }

  /** A variable as the commands so far have left it; null when it is not known. `isTesting`: it is only compared. */
  #lookUp(name: string, frame: Frame, isTesting = false): string | null {
    const { terminal, facts } = frame;
    const key = name.toUpperCase();
    if (key === 'CD') return terminal.cwd;
    const own = [...terminal.variables].find(([known]) => known.toUpperCase() === key)?.[1];
    if (own) return own.certainty === 'exact' ? own.text : null;
    if (isSecretName(name) && facts.environment(key) !== null)
      frame.run.emit('read', { type: 'environment', name: key }, { traits: isTesting ? [] : ['secret'] });
    return windowsVariable(name, facts);
  }

  #node(node: CmdNode, frame: Frame, input: Input, pipeline: number, stage: number, isLast: boolean): Called {
    if (!frame.step()) return NOTHING_KNOWN;
    switch (node.kind) {
      case 'command':
        return this.#command(node, frame, input, pipeline, stage, isLast);
      case 'pipe':
        return this.#pipe(node.parts, frame);
      case 'list': {
        const inner = node.redirects.length > 0 ? frame.redirected({ output: 'file' }) : frame;
        let called: Called = NOTHING_KNOWN;
        const said: Called['output'][] = [];
        for (const part of node.parts) {
          called = this.#node(part, inner, input, frame.newPipeline(), 0, isLast);
          said.push(called.output);
        }
        for (const redirect of this.#redirects(node.redirects)) {
          frame.redirect(redirect, called.inflows, called.index);
          this.#remember(redirect, said, frame);
        }
        return called;
      }
      case 'if':
        this.#node(node.then, frame, input, pipeline, stage, isLast);
        return node.otherwise === null
          ? NOTHING_KNOWN
          : this.#node(node.otherwise, frame, input, pipeline, stage, isLast);
      case 'for':
        return this.#for(node, frame);
    }
  }

  /** What a group writes into one file, where each part of it is known to say something. */
  #remember({ kind, target }: Redirect, said: readonly Called['output'][], frame: Frame): void {
    const { cwd } = frame.terminal;
    const texts = said.map((word) => (word?.certainty === 'exact' ? word.text : null));
    if (kind !== 'replace' || target.certainty !== 'exact' || cwd === null || texts.includes(null)) return;
    frame.remember(joinPath(cwd, target.text, frame.facts.platform), exactWord(texts.join('\n')), []);
  }

  #pipe(parts: readonly CmdNode[], frame: Frame): Called {
    const pipeline = frame.newPipeline();
    let called: Called = NOTHING_KNOWN;
    parts.forEach((part, at) => {
      const input: Input =
        at === 0
          ? NO_INPUT
          : called.output?.certainty === 'exact'
            ? { type: 'text', text: called.output.text, certainty: 'exact' }
            : { type: 'pipe', from: called.index, inflows: called.inflows };
      // Each part of a pipe runs in a shell of its own.
      const isLast = at === parts.length - 1;
      called = this.#node(part, frame.subshell(isLast ? {} : { output: 'pipe' }), input, pipeline, at, isLast);
    });
    return called;
  }

  /** The body is walked once for each value that is known, as text: `%x` is replaced before words are cut. */
  #for(node: Extract<CmdNode, { kind: 'for' }>, frame: Frame): Called {
    const rounds = this.#rounds(node, frame).slice(0, MOST_ROUNDS);
    let called: Called = NOTHING_KNOWN;
    for (const values of rounds) {
      if (!frame.step()) return NOTHING_KNOWN;
      const first = node.variable.charCodeAt(0);
      const body = values.reduce((one, value, at) => replaced(one, String.fromCharCode(first + at), value), node.body);
      called = this.#node(body, frame, NO_INPUT, frame.newPipeline(), 0, true);
    }
    return called;
  }

  /** What the variables of a loop hold in each round: `%a`, and those that come after it in the alphabet. */
  #rounds(node: Extract<CmdNode, { kind: 'for' }>, frame: Frame): readonly (readonly string[])[] {
    const { option, set, detail } = node;
    if (option === 'l') return [[unknownPart('number')]];
    if (option === 'f') return this.#lines(loopedOver(set, detail), detail, frame);
    const items = (set.match(/"[^"]*"|[^\s,;]+/g) ?? []).map((item) => item.replaceAll('"', ''));
    if (option === 'r') {
      const root = detail
        .replaceAll('"', '')
        .trim()
        .replace(/[\\/]$/, '');
      frame.run.list(pathOf(exactWord(root || '.'), frame.run), { traits: ['recursive'] });
      return items.map((item) => [`${root === '' ? '' : `${root}\\`}**\\${item}`]);
    }
    return items.length > 0 ? items.map((item) => [item]) : [[unknownPart('item')]];
  }

  /** Lines of what a command says, of a text, or of files, each cut into tokens. */
  #lines({ kind, text }: LoopedOver, detail: string, frame: Frame): readonly (readonly string[])[] {
    if (kind === 'text') return tokensOf(text, detail);
    if (kind === 'files') {
      for (const file of text) frame.run.read(pathOf(wordOfText(file, file, false), frame.run));
      return [[unknownPart('line')]];
    }
    const { output } = frame
      .subshell({ output: 'pipe' })
      .include({ language: 'cmd', text: text[0] ?? '', positional: [], environment: new Map(), path: null }, []);
    if (output === null || output.certainty === 'dynamic') return [[unknownPart('line')]];
    // What a listing gives is no text that could be cut.
    return output.certainty === 'pattern' ? [[output.text]] : tokensOf(output.text.split('\n'), detail);
  }

  #redirects(redirects: readonly CmdRedirect[]): readonly Redirect[] {
    return redirects.flatMap(({ kind, target, descriptor }): Redirect[] => {
      if (/^nul:?$/i.test(target.text)) return [];
      return [
        { kind, target: pathOf(wordOfText(target.text, target.raw, target.isQuoted), this.frame.run), descriptor },
      ];
    });
  }

  /** The line of a command with `!NAME!` put in, to be read once more; null where there is none that is known. */
  #delayed(node: Extract<CmdNode, { kind: 'command' }>, frame: Frame): string | null {
    const line = (node.words[0]?.raw ?? '') + node.rest;
    if (!line.includes('!')) return null;
    const text = expandDelayed(line, (name) =>
      [...frame.terminal.variables.keys()].some((known) => known.toUpperCase() === name.toUpperCase()) || this.#delays
        ? this.#lookUp(name, frame)
        : null,
    );
    return text === line ? null : text;
  }

  get #delays(): boolean {
    return /enabledelayedexpansion/i.test(this.code.text);
  }

  #command(
    node: Extract<CmdNode, { kind: 'command' }>,
    frame: Frame,
    input: Input,
    pipeline: number,
    stage: number,
    isLast: boolean,
  ): Called {
    const delayed = this.#delayed(node, frame);
    if (delayed !== null) return this.#nodes(delayed, frame, input, pipeline, stage, isLast);
    const [name] = node.words;
    if (/^call$/i.test(name?.text ?? '') && node.words[1]?.text.startsWith(':')) return this.#callLabel(node);
    const redirects = this.#redirects(node.redirects);
    if (!name) {
      for (const redirect of redirects) frame.redirect(redirect, [], null);
      return NOTHING_KNOWN;
    }
    const argv = wordsOf(node, name);
    return frame.call({
      argv,
      assignments: new Map(),
      redirects,
      input,
      output: redirects.some(({ descriptor, kind }) => descriptor === 1 && kind !== 'read')
        ? 'file'
        : isLast
          ? frame.output
          : 'pipe',
      pipeline,
      stage,
      inflows: [],
    });
  }
}

/** Parts of a line that stand before or behind the sign of an `if`. */
const comparisonsOf = (line: string): readonly (readonly [number, number])[] =>
  [
    ...line.matchAll(
      /\bif\s+(?:(?:\/i|not)\s+)*(?:"[^"\n]*"|[^\s="]+)\s*(?:==|\s(?:equ|neq|lss|leq|gtr|geq)\s)\s*(?:"[^"\n]*"|[^\s"&|]*)/gi,
    ),
  ].map((match): readonly [number, number] => [match.index, match.index + match[0].length]);

/** Programs that take the rest of the line as it was written: what they run is a line of its own. */
const TAKES_LINE = /^(?:cmd|cmd\.exe)$/i;

function wordsOf(node: Extract<CmdNode, { kind: 'command' }>, name: CmdWord): readonly Word[] {
  const first = wordOfText(name.isQuoted ? name.text : name.text.replace(/^@+/, ''), name.raw, name.isQuoted);
  const program: Word = { ...first, text: first.text.replaceAll('\\', '/') };
  const lower = name.text.toLowerCase();
  if (TAKES_LINE.test(lower.replace(/^.*[\\/]/, ''))) {
    const shape = /^([\s\S]*?\/[ck])([\s\S]*)$/i.exec(node.rest);
    const options = (shape?.[1] ?? node.rest).trim().split(/\s+/).filter(Boolean);
    const line = shape?.[2]?.trim();
    const all = line ? [...options, unquoted(line)] : options;
    return [program, ...all.map((text) => wordOfText(text, text, false))];
  }
  const isOwn = cmdBuiltins.has(lower);
  const words = node.words.slice(1).flatMap((word): readonly CmdWord[] => {
    if (!isOwn || word.isQuoted || lower === 'echo' || lower === 'set') return [word];
    return word.text
      .split(/[,;=]+/)
      .filter(Boolean)
      .flatMap(gluedOptions)
      .map((text) => ({ text, raw: text, isQuoted: false }));
  });
  return [program, ...words.map((word) => wordOfText(isOwn ? word.text : programText(word), word.raw, word.isQuoted))];
}

/** `/s/q` and `file/f`: each slash begins an option for cmd's own commands. */
const gluedOptions = (text: string): readonly string[] =>
  /^\/\w(?:\/\w)+$/.test(text) ? text.split(/(?=\/)/) : [text];

/** A program splits its own line by the rules of C: a backslash before a quote makes it a character. */
const programText = ({ raw, text }: CmdWord): string =>
  raw.includes('\\"') ? raw.replace(/\\"/g, '\u0001').replaceAll('"', '').replaceAll('\u0001', '"') : text;

/** `cmd /c "…"` takes off the first and the last quote, unless there are just two around a file's name. */
const unquoted = (line: string): string =>
  /^".*"$/s.test(line) ? line.slice(1, -1) : line.startsWith('"') ? line : line;

function replaced(node: CmdNode, variable: string, value: string): CmdNode {
  const text = (one: string): string => withLoopValue(one, variable, value);
  const word = (one: CmdWord): CmdWord => ({ ...one, text: text(one.text), raw: text(one.raw) });
  switch (node.kind) {
    case 'command': {
      // Its own commands cut their words anew: a value may bring several.
      const { nodes } = parseCmd(text((node.words[0]?.raw ?? '') + node.rest));
      const [again] = nodes;
      if (nodes.length === 1 && again?.kind === 'command') return again;
      return {
        ...node,
        words: node.words.map(word),
        rest: text(node.rest),
        redirects: node.redirects.map((one) => ({ ...one, target: word(one.target) })),
      };
    }
    case 'pipe':
      return { ...node, parts: node.parts.map((part) => replaced(part, variable, value)) };
    case 'list':
      return {
        ...node,
        parts: node.parts.map((part) => replaced(part, variable, value)),
        redirects: node.redirects.map((one) => ({ ...one, target: word(one.target) })),
      };
    case 'if':
      return {
        ...node,
        condition: node.condition.map(word),
        then: replaced(node.then, variable, value),
        otherwise: node.otherwise === null ? null : replaced(node.otherwise, variable, value),
      };
    case 'for':
      return { ...node, set: text(node.set), detail: text(node.detail), body: replaced(node.body, variable, value) };
  }
}

/** Lines, with carets that continue one and brackets that stay open over several. */
function linesOf(text: string): readonly string[] {
  const lines: string[] = [];
  let pending = '';
  let depth = 0;
  for (const line of text.replace(/\r\n?/g, '\n').replace(/\^\n/g, '').split('\n')) {
    pending = pending === '' ? line : `${pending}\n${line}`;
    depth += bracketsOf(line);
    if (depth > 0) continue;
    lines.push(pending);
    pending = '';
    depth = 0;
  }
  return pending === '' ? lines : [...lines, pending];
}

/** How many more brackets a line opens than it closes, quotes, carets and comments left out. */
function bracketsOf(line: string): number {
  if (/^\s*(?:rem\b|::)/i.test(line)) return 0;
  let depth = 0;
  let inQuotes = false;
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at];
    if (character === '^' && !inQuotes) at += 1;
    else if (character === '"') inQuotes = !inQuotes;
    else if (!inQuotes && character === '(') depth += 1;
    else if (!inQuotes && character === ')') depth -= 1;
  }
  return depth;
}
