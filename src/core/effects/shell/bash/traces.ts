import type { Run } from '../run.js';

/** Variables by which a shell keeps what was typed: the file, and how much of it. */
const KEEPERS = /^(?:HISTFILE|HISTSIZE|HISTFILESIZE|SAVEHIST|HISTIGNORE)$/;

/** Says that what is run from now on, or was run before, is no longer kept. */
export function hidesTraces(run: Run): void {
  run.emit(
    'delete',
    { type: 'environment', name: 'shell history' },
    { traits: ['removes-check'], reversible: 'no', note: 'what was run is no longer kept' },
  );
}

/** Whether a variable is set so that the shell keeps nothing. `null`: it is unset. */
export const keepsNothing = (name: string, value: string | null): boolean =>
  KEEPERS.test(name) &&
  (name === 'HISTIGNORE'
    ? value === '*'
    : name === 'HISTFILE'
      ? value === null || value === '' || value === '/dev/null'
      : value === '0');

/** `history`: shows; `-c` and `-d` take entries away. Source: bash(1), zsh `-p` keeps apart. */
export function history(run: Run): void {
  const words = run.invocation.argv.slice(1);
  if (words.some(({ text }) => /^-\w*[cd]/.test(text))) hidesTraces(run);
}
