import type { Shell } from '../../lacuna/kinds/executeShell.js';
import type { ParamsOf } from '../../lacuna/kinds.js';
import type { Analysis } from '../effect.js';
import type { Platform } from '../facts.js';
import { canonicalPath } from '../paths.js';
import type { View } from '../view.js';
import type { Tables } from './frame.js';
import { LANGUAGES } from './languages.js';
import { analyseCode } from './shellFrame.js';
import { PROGRAMS } from './table.js';

/** The programs and languages that every analysis runs on. */
export const TABLES: Tables = { programs: PROGRAMS, languages: LANGUAGES };

/** The shell that a line is for when it does not say so. */
export const defaultShell = (platform: Platform): Shell => {
  if (platform === 'win32') return 'powershell';
  return platform === 'darwin' ? 'zsh' : 'bash';
};

/**
 * From a shell line to its effects, by the shell's own rules. `params.cwd` starts at the first workspace folder; without it the
 * line runs where the terminal is. Total: what cannot be understood is an `unknown` effect. Linear in the line within budgets.
 */
export function analyseShell(params: ParamsOf['ExecuteShell'], view: View): Analysis {
  const { facts, terminal } = view;
  const shell = params.shell ?? defaultShell(facts.platform);
  if (params.cwd === undefined) return analyseCode(shell, params.command, view, TABLES);
  const cwd = canonicalPath(params.cwd, facts.roots[0] ?? '/', facts, 'follow');
  return analyseCode(shell, params.command, { ...view, terminal: { ...terminal, cwd } }, TABLES);
}
