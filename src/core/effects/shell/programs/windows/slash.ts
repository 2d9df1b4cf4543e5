import type { Word } from '../../../effect.js';

/** Words of a program of Windows, sorted: `/name`, `/name:value`, `/name value`, also with a dash. */
export interface SlashWords {
  readonly options: ReadonlyMap<string, Word | null>;
  readonly operands: readonly Word[];
  /** Options that the program is not known to have. */
  readonly unknown: readonly string[];
}

/**
 * Sorts the words of a program. `known` lists options, `withValue` those of them whose value is the next word. Names compare
 * without case. A word such as `/home/x` that is no known option is an operand where `known` is not empty.
 */
export function slashOptions(words: readonly Word[], known: string, withValue: string): SlashWords {
  const names = new Set(known.split(' ').filter(Boolean));
  const taking = new Set(withValue.split(' ').filter(Boolean));
  const options = new Map<string, Word | null>();
  const operands: Word[] = [];
  const unknown: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] as Word;
    const shape = /^[/-]([^\s/:=]+)(?:[:=](.*))?$/s.exec(word.text);
    const whole = word.text.slice(1).toLowerCase();
    const name = shape ? (names.has(whole) ? whole : (shape[1] ?? '').toLowerCase()) : '';
    if (!shape || word.certainty === 'dynamic') operands.push(word);
    else if (!names.has(name)) {
      if (/^\/[^/]*\//.test(word.text)) operands.push(word);
      else unknown.push(word.text);
      options.set(name, null);
    } else if (shape[2] !== undefined && whole !== name) options.set(name, { ...word, text: shape[2] });
    else if (taking.has(name)) {
      options.set(name, words[at + 1] ?? null);
      at += 1;
    } else options.set(name, null);
  }
  return { options, operands, unknown };
}
