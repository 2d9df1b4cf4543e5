import type { ProgramEntry, Run } from '../../run.js';
import { isSecretName } from '../../secretNames.js';
import { argumentsOf, rows } from '../helpers.js';
import { parseOptions } from '../options.js';

/** All variables of a process, secrets among them. */
const readAll = (run: Run): void =>
  run.emit(
    'read',
    { type: 'environment', name: '*' },
    { traits: ['secret', 'mass'], note: 'all variables, with the secrets among them' },
  );

/** `env` without a command lists what it would pass on; with `-S` a command line follows in one word. */
function env(run: Run): void {
  const parsed = parseOptions(
    {
      flags: '-i|--ignore-environment -0|--null -v|--debug --help --version',
      values: '-u|--unset -C|--chdir -S|--split-string -P',
      stopsAtOperand: true,
    },
    argumentsOf(run.invocation),
  );
  if (parsed.has('--help', '--version')) return;
  const line = parsed.value('-S');
  if (line) {
    const rest = parsed.operands.map(({ text }) => text).join(' ');
    run.code('sh', rest === '' ? line : { ...line, text: `${line.text} ${rest}` });
  } else if (!parsed.has('-i')) readAll(run);
}

/** Shows variables of these names; all where none is named. */
export function readVariables(run: Run, names: readonly string[]): void {
  if (names.length === 0) readAll(run);
  for (const name of names)
    run.emit('read', { type: 'environment', name }, { traits: isSecretName(name) ? ['secret'] : [] });
}

const printenv = (run: Run): void => {
  const names = argumentsOf(run.invocation).filter(({ text }) => !text.startsWith('-'));
  readVariables(
    run,
    names.map(({ text }) => text),
  );
};

/** `ps eww`, `ps auxe`: with `e` among the letters that have no dash (and `-E` on macOS) it shows what each process was started with. */
function ps(run: Run): void {
  const [first] = argumentsOf(run.invocation);
  if (first && /^(?:[a-z]*e[a-z]*|-\w*E\w*)$/.test(first.text)) readAll(run);
}

/** Programs that show variables. */
export const environmental: readonly ProgramEntry[] = [
  ...rows('env|genv', env),
  ...rows('printenv|gprintenv', printenv),
  ...rows('ps', ps),
];
