import { listValue, wordValue, type Value } from '../../code/value.js';
import type { Word } from '../../effect.js';
import { NOTHING_KNOWN, type Builtin, type Called, type Code, type Frame, type LanguageEntry } from '../frame.js';
import { parsePowerShell } from './parse.js';
import { changesService, onlyLooks, QUIET } from './cmdlets/system.js';
import { CMDLETS } from './table.js';
import { runCmdlet, Walker, type Session } from './walk.js';

/** Any name of a cmdlet that tells by itself what it does goes to the same place as those in the tables. */
class CmdletNames extends Map<string, Builtin> {
  override get(name: string): Builtin | undefined {
    return super.get(name) ?? (onlyLooks(name) || changesService(name) !== null ? runCmdlet : undefined);
  }
}

const builtins: ReadonlyMap<string, Builtin> = new CmdletNames(
  [...CMDLETS.keys(), ...QUIET.keys()].map((name): [string, Builtin] => [name, runCmdlet]),
);

/** PowerShell, 5.1 and 7. */
export const powershell: LanguageEntry = { languages: ['powershell'], analyse, builtins, foldsCase: true };

/** Words of a script as its parameters take them: `-Name value`, `-Name:value`, and the others in order. */
function argumentsOf(
  words: readonly Word[],
  parameters: ReadonlySet<string>,
): { readonly named: ReadonlyMap<string, Value>; readonly args: readonly Value[] } {
  const named = new Map<string, Value>();
  const args: Value[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] as Word;
    const [, written = '', glued] = /^-([A-Za-z_]\w*)(?::(.*))?$/s.exec(word.text) ?? [];
    const name =
      [...parameters].find((one) => one === written.toLowerCase()) ??
      [...parameters].find((one) => written !== '' && one.startsWith(written.toLowerCase()));
    const next = words[at + 1];
    if (name === undefined) args.push(wordValue(word));
    else if (glued !== undefined) named.set(name, wordValue({ ...word, text: glued }));
    else if (next && !next.text.startsWith('-')) {
      named.set(name, wordValue(next));
      at += 1;
    } else named.set(name, { kind: 'number', value: 1 });
  }
  return { named, args };
}

function analyse(code: Code, frame: Frame): Called {
  const script = parsePowerShell(code.text);
  for (const problem of script.problems) frame.run.unknown(problem);
  const session: Session = {
    variables: new Map(),
    blocks: new WeakMap(),
    classes: new Set(),
    read: new Set(),
    steps: 0,
    depth: 0,
  };
  for (const [name, word] of frame.terminal.variables) {
    if (!frame.terminal.exported.has(name)) session.variables.set(name.toLowerCase(), wordValue(word));
  }
  const { named, args } = argumentsOf(
    code.positional.slice(code.path === null ? 0 : 1),
    new Set(script.block.parameters.map(({ name }) => name)),
  );
  session.variables.set('args', listValue(args, args.length === 0));
  const walker = new Walker(frame, session, code.path);
  const free = [...args];
  script.block.parameters.forEach(({ name, fallback }) => {
    const value = named.get(name) ?? free.shift() ?? (fallback === null ? null : walker.expression(fallback));
    if (value) session.variables.set(name, value);
  });
  walker.statements(script.block.body);
  return NOTHING_KNOWN;
}
