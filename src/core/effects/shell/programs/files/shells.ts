import type { Word } from '../../../effect.js';
import type { Language, ProgramEntry, Run } from '../../run.js';
import { exactWord } from '../../word.js';
import { argumentsOf, rows } from '../helpers.js';

const LONG_WITH_VALUE = new Set(['--rcfile', '--init-file', '-o', '+o', '-O', '+O']);

/** A shell as a program: `bash -c code`, `bash script`, `bash < script`, `… | sh`. Source: bash(1), POSIX sh. */
function shell(run: Run): void {
  const language: Language = run.invocation.program === 'zsh' ? 'zsh' : 'bash';
  const words = argumentsOf(run.invocation);
  let isCode = false;
  let isInput = false;
  let at = 0;
  for (; at < words.length; at += 1) {
    const { text, certainty } = words[at] as Word;
    if (certainty === 'dynamic' || !/^[-+]./.test(text)) break;
    if (/^--(version|help|dump-strings|dump-po-strings)$/.test(text)) return;
    if (text === '--') {
      at += 1;
      break;
    }
    if (LONG_WITH_VALUE.has(text)) {
      const value = words[at + 1];
      if (value && /file$/.test(text)) run.script(language, value);
      at += 1;
    } else if (text === '--command') isCode = true;
    else if (!text.startsWith('--')) {
      if (text.includes('n') && text.startsWith('-')) return checkOnly(run, words.slice(at + 1));
      if (text.includes('c')) isCode = true;
      if (text.includes('s')) isInput = true;
      // `-eo pipefail`: the o in a cluster takes the next word.
      if (/[oO]$/.test(text)) at += 1;
    }
  }
  const rest = words.slice(at);
  const [first, ...positional] = rest;
  if (isCode) {
    if (first) run.code(language, first, { positional });
  } else if (isInput || !first) run.standardInput(language, rest);
  else if (first.text === '-' && first.certainty === 'exact')
    run.standardInput(language, [exactWord('bash'), ...positional]);
  else run.script(language, first, { positional });
}

/** `bash -n` reads a script and runs nothing of it. */
function checkOnly(run: Run, words: readonly Word[]): void {
  const path = words.find(({ text }) => !text.startsWith('-'));
  if (path) run.read(path);
}

/** Shells of the Bourne family; what fish, csh and nushell have of their own will not parse and is unknown then. */
export const shells: readonly ProgramEntry[] = rows(
  'bash|rbash sh zsh dash ksh|mksh|pdksh ash fish csh|tcsh nu|nushell xonsh elvish',
  shell,
);
