import type { Spare, Word } from '../../../effect.js';

/**
 * What options that leave paths out say, as names that are left out at any depth. A pattern that is anchored to a folder, or
 * that cannot be known, is passed over: then it counts as not left out, which errs on the side of reading.
 * `secrets`, `**\/secrets`, `secrets/**` → `secrets`. `anchoring`: how the program reads `a/b`: from the folder that it
 * searches, or wherever it stands.
 */
export function sparesOf(
  patterns: readonly Word[],
  what: Spare['what'],
  anchoring: 'anchored' | 'anywhere',
): readonly Spare[] {
  return patterns.flatMap(({ text, certainty }) => {
    const found = /^(\*\*\/)?(.+?)(\/(?:\*{1,2})?)?$/.exec(certainty === 'dynamic' ? '' : text);
    const [, anywhere, glob, rest] = found ?? [];
    if (glob === undefined || glob.split('/').some((name) => name === '' || /^(\.{1,2}|\*\*)$/.test(name))) return [];
    if (glob.includes('/') && anywhere === undefined && anchoring === 'anchored') return [];
    return [{ glob, what: rest === undefined ? what : 'folders' }];
  });
}
