import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import type { TerminalState } from '../../core/effects/effect.js';
import type { Shell } from '../../core/lacuna/kinds/executeShell.js';
import { isSystemError } from '../fill.js';

const isWindows = process.platform === 'win32';

/** Programs that each shell goes by, best first. */
const PROGRAMS: Readonly<Record<Shell, readonly string[]>> = {
  bash: ['bash'],
  sh: ['sh'],
  zsh: ['zsh'],
  powershell: isWindows ? ['pwsh.exe', 'powershell.exe'] : ['pwsh'],
  cmd: ['cmd.exe'],
};

function isProgram(file: string): boolean {
  try {
    accessSync(file, isWindows ? constants.F_OK : constants.X_OK);
    return true;
  } catch (error) {
    if (isSystemError(error)) return false;
    throw error;
  }
}

/** Absolute path of the first of these programs on a PATH; null when there is none. */
export function findProgram(names: readonly string[], pathVariable: string): string | null {
  for (const name of names)
    for (const folder of pathVariable.split(path.delimiter)) {
      const file = path.join(folder, name);
      if (path.isAbsolute(folder) && isProgram(file)) return file;
    }
  return null;
}

/** The shell that a line runs in when it names none: the one the analysis assumes too. */
export const defaultShell: Shell = isWindows ? 'powershell' : 'bash';

/** Words that start a shell for one line, without any start-up file of the person. */
function wordsFor(shell: Shell, program: string, line: string): readonly string[] {
  switch (shell) {
    case 'bash':
      return [program, '--noprofile', '--norc', '-c', line];
    case 'sh':
      return [program, '-c', line];
    case 'zsh':
      return [program, '-f', '-c', line];
    case 'powershell':
      return [program, '-NoLogo', '-NoProfile', '-NonInteractive', '-Command', line];
    case 'cmd':
      return [program, '/d', '/s', '/c', `"${line}"`];
  }
}

/** Argument list that runs a line; null when the shell is not installed. */
export function shellArgv(shell: Shell, line: string, pathVariable: string): readonly string[] | null {
  const program = findProgram(PROGRAMS[shell], pathVariable);
  return program === null ? null : wordsFor(shell, program, line);
}

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
const isName = (name: string): boolean => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);

/**
 * Lines that bring a new POSIX shell to where the terminal was: its variables, functions, aliases and options, as the analysis
 * knows them. Variables with unknown values are left out, as they were unknown when the line was judged.
 */
export function terminalPrelude(terminal: TerminalState, shell: Shell): string {
  if (shell === 'powershell' || shell === 'cmd') return '';
  const lines: string[] = [];
  for (const [name, word] of terminal.variables)
    if (isName(name) && word.certainty === 'exact')
      lines.push(`${terminal.exported.has(name) ? 'export ' : ''}${name}=${quote(word.text)}`);
  for (const [name, body] of terminal.functions) if (isName(name)) lines.push(`${name}() {\n${body}\n}`);
  if (terminal.aliases.size > 0 && shell === 'bash') lines.push('shopt -s expand_aliases');
  for (const [name, text] of terminal.aliases) if (/^[\w.-]+$/.test(name)) lines.push(`alias ${name}=${quote(text)}`);
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}
