import { listValue, wordValue } from '../../code/value.js';
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
  const args = code.positional.slice(code.path === null ? 0 : 1).map(wordValue);
  session.variables.set('args', listValue(args, args.length === 0));
  const walker = new Walker(frame, session, code.path);
  script.block.parameters.forEach(({ name, fallback }, at) => {
    const value = args[at] ?? (fallback === null ? null : walker.expression(fallback));
    if (value) session.variables.set(name, value);
  });
  walker.statements(script.block.body);
  return NOTHING_KNOWN;
}
