import type { Predicate } from '../subject.js';
import { tri, type Tri } from '../tri.js';
import { commandChain } from './command.js';

/**
 * Patterns over the words of the command joined by single blanks, wrappers peeled: of the command that does the effect or
 * of one that carries it. A word that cannot be known makes the answer `unknown` for a rule that restricts.
 */
export const matchesCommandText =
  (tests: readonly ((text: string) => boolean)[]): Predicate =>
  (subject, reading): Tri => {
    if (tests.length === 0) return 'no';
    let result: Tri = 'no';
    for (const { argv, program } of commandChain(subject)) {
      const words = [program, ...argv.slice(1).map(({ text }) => text)].join(' ');
      const isKnown = program !== '' && argv.every(({ certainty }) => certainty === 'exact');
      const isMatch = tests.some((test) => test(words));
      if (isMatch && (isKnown || !reading.isSure)) return 'yes';
      if (!isMatch && !isKnown && !reading.isSure) result = 'unknown';
    }
    return result === 'unknown' ? result : tri(false);
  };
