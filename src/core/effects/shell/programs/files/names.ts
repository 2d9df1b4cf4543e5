import type { Word } from '../../../effect.js';
import { withHidden } from '../../glob.js';
import { escapeGlob, patternWord } from '../../word.js';

/**
 * The names of files that a search finds below a folder, as a pattern: of one kind, where it looks only for that. `hidden`: whether
 * names that start with a dot are among them.
 */
export function namesBelow(folder: Word, kinds: readonly Word[], hidden: 'takes-hidden' | 'passes-hidden'): Word {
  if (folder.certainty === 'dynamic') return { ...folder, text: `${folder.text}/*`, quoted: true };
  const base = (folder.certainty === 'exact' ? escapeGlob(folder.text) : folder.text).replace(/(?<=.)\/+$/, '');
  const [kind, ...others] = kinds;
  const ofKind = kind?.certainty === 'exact' && others.length === 0 ? kind.text : '*';
  const name = hidden === 'takes-hidden' ? withHidden(ofKind) : ofKind;
  return { ...patternWord(`${base === '/' ? '' : base}/**/${name}`, folder.raw), quoted: true };
}
