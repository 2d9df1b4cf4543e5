import { diffArrays } from 'diff';

/** A run of lines that a change replaces. Lines carry their own line ends, so that putting them together gives exact text. */
export interface Hunk {
  /** First line of the old text that goes, from 0. Where nothing goes: the line before which the new ones come. */
  readonly oldStart: number;
  readonly oldLines: readonly string[];
  /** First line of the new text that comes, from 0. Where nothing comes: the line before which the old ones stood. */
  readonly newStart: number;
  readonly newLines: readonly string[];
}

/** Lines of a text in which a hunk stands; `count` is 0 where it only takes away. */
export interface LineRange {
  readonly start: number;
  readonly count: number;
}

/** How many lines may differ before a change counts as one hunk: the diff would cost more than it tells. */
const MAX_DIFFERENCE = 2_000;

/** Lines of a text, each with its line end; the last may have none. Empty text has no lines. */
export const linesOf = (text: string): readonly string[] => text.match(/[^\n]*\n|[^\n]+/g) ?? [];

/**
 * The places where two texts differ, in order. Lines must be equal to the byte: a changed line end is a difference.
 * Two texts that differ in more than 2,000 lines give one hunk from the first difference to the last.
 */
export function hunksOf(before: string, after: string): readonly Hunk[] {
  const oldLines = linesOf(before);
  const newLines = linesOf(after);
  const same = commonStart(oldLines, newLines);
  const sameEnd = commonEnd(oldLines, newLines, same);
  const oldMiddle = oldLines.slice(same, oldLines.length - sameEnd);
  const newMiddle = newLines.slice(same, newLines.length - sameEnd);
  if (oldMiddle.length === 0 && newMiddle.length === 0) return [];

  const changes = diffArrays(oldMiddle, newMiddle, { maxEditLength: MAX_DIFFERENCE });
  if (changes === undefined) return [{ oldStart: same, oldLines: oldMiddle, newStart: same, newLines: newMiddle }];
  const hunks: Hunk[] = [];
  let oldAt = same;
  let newAt = same;
  let open: { oldStart: number; oldLines: string[]; newStart: number; newLines: string[] } | null = null;
  for (const { value, added, removed } of changes) {
    if (!added && !removed) {
      if (open !== null) hunks.push(open);
      open = null;
      oldAt += value.length;
      newAt += value.length;
      continue;
    }
    open ??= { oldStart: oldAt, oldLines: [], newStart: newAt, newLines: [] };
    if (removed) {
      open.oldLines.push(...value);
      oldAt += value.length;
    } else {
      open.newLines.push(...value);
      newAt += value.length;
    }
  }
  if (open !== null) hunks.push(open);
  return hunks;
}

/** The old text with those hunks in it that are taken; the others leave it as it was. */
export function textWith(before: string, hunks: readonly Hunk[], isTaken: (index: number) => boolean): string {
  const oldLines = linesOf(before);
  let text = '';
  let at = 0;
  for (const [index, hunk] of hunks.entries()) {
    text += oldLines.slice(at, hunk.oldStart).join('');
    text += (isTaken(index) ? hunk.newLines : hunk.oldLines).join('');
    at = hunk.oldStart + hunk.oldLines.length;
  }
  return text + oldLines.slice(at).join('');
}

/** Where each hunk stands in the text that {@link textWith} gives for the same choice. */
export function placesIn(hunks: readonly Hunk[], isTaken: (index: number) => boolean): readonly LineRange[] {
  let shift = 0;
  return hunks.map((hunk, index) => {
    const count = isTaken(index) ? hunk.newLines.length : hunk.oldLines.length;
    const start = hunk.oldStart + shift;
    shift += count - hunk.oldLines.length;
    return { start, count };
  });
}

function commonStart(a: readonly string[], b: readonly string[]): number {
  let count = 0;
  while (count < a.length && count < b.length && a[count] === b[count]) count += 1;
  return count;
}

/** How many lines are the same at the end, not counting those that are the same at the start already. */
function commonEnd(a: readonly string[], b: readonly string[], start: number): number {
  let count = 0;
  while (count < a.length - start && count < b.length - start && a.at(-1 - count) === b.at(-1 - count)) count += 1;
  return count;
}
