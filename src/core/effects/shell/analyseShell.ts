import type { Shell } from '../../lacuna/kinds/executeShell.js';
import type { ParamsOf } from '../../lacuna/kinds.js';
import type { Analysis, Effect } from '../effect.js';
import type { Platform } from '../facts.js';
import { describeHidden, findHiddenText } from '../hiddenText.js';
import { canonicalPath } from '../paths.js';
import type { View } from '../view.js';
import { excessEffect } from './collector.js';
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
  const cwd =
    params.cwd === undefined ? terminal.cwd : canonicalPath(params.cwd, facts.roots[0] ?? '/', facts, 'follow');
  const seen = params.cwd === undefined ? view : { ...view, terminal: { ...terminal, cwd } };
  const analysis = analyseCode(shell, params.command, seen, TABLES);
  const more = [hiddenIn(params.command), excessOf(params.command, analysis)].filter((effect) => effect !== null);
  return more.length === 0 ? analysis : { ...analysis, effects: [...more, ...analysis.effects] };
}

/** Longer lines that are not understood to their end are not only long: something is meant to stand where nobody looks. In UTF-16 units. */
const LONG = 32 * 1024;

function excessOf({ length }: string, { effects }: Analysis): Effect | null {
  if (length <= LONG || !effects.some(({ op }) => op === 'unknown')) return null;
  return excessEffect('a line too long to be understood to its end');
}

/** A dash of typography where an option begins: the program takes the word for a name, and a reader for an option. */
const LOOK_ALIKE_DASH = /(?:^|\s)[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]+[A-Za-z][\w-]*/u;
const QUOTED = /'[^']*'|"(?:\\[^]|[^"\\])*"/g;

/** What a reader of the line does not see; null where there is nothing. */
function hiddenIn(command: string): Effect | null {
  if (!/[^\x20-\x7e\n\t\r]/.test(command)) return null;
  const places = describeHidden(findHiddenText(command));
  const dash = command.includes('<<') ? null : LOOK_ALIKE_DASH.exec(command.replace(QUOTED, ''));
  const note = places || (dash ? `"${dash[0].trim()}" is no option, though it looks like one` : '');
  if (note === '') return null;
  return {
    op: 'unknown',
    resource: { type: 'unknown', what: 'a line that reads differently from what it is' },
    certainty: 'dynamic',
    reversible: 'no',
    traits: ['hidden-text'],
    command: null,
    note,
  };
}
