import { err, ok, type Result } from '../result.js';

/** One exact replacement, as an EditFile Lacuna carries it. */
export interface TextEdit {
  readonly oldText: string;
  readonly newText: string;
}

/** A replacement at its place: `text[start, end)` becomes `newText`. Offsets in UTF-16 units of the text before all edits. */
export interface PlacedEdit {
  readonly start: number;
  readonly end: number;
  readonly newText: string;
}

/** Why edits could not be placed. `edit` counts from 0. */
export type EditError =
  | { readonly type: 'not-found'; readonly edit: number }
  | { readonly type: 'ambiguous'; readonly edit: number; readonly count: number }
  | { readonly type: 'overlap'; readonly edit: number; readonly other: number }
  | { readonly type: 'nothing'; readonly edit: number };

/** Line end that most lines of a text have; `\n` when it has none. */
export function lineEndOf(text: string): '\n' | '\r\n' {
  let bare = 0;
  let withReturn = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    if (at > 0 && text[at - 1] === '\r') withReturn += 1;
    else bare += 1;
  }
  return withReturn > bare ? '\r\n' : '\n';
}

/** The text with every line end in the given spelling. A lone `\r` is no line end and stays. */
export const withLineEnds = (text: string, lineEnd: '\n' | '\r\n'): string =>
  text.replaceAll('\r\n', '\n').replaceAll('\n', lineEnd);

/** How often `part` stands in `text`, overlaps counted; stops counting at 100. */
function occurrences(text: string, part: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(part); at >= 0 && found.length < 100; at = text.indexOf(part, at + 1)) found.push(at);
  return found;
}

/**
 * Finds the one place of each edit in the text as it is before all of them. Where the exact bytes are not there, an edit that
 * differs in line ends only is placed too, and its new text takes the file's line end: agents write `\n`.
 * Placed edits come back in the order of the file. Linear in text × edits.
 */
export function placeEdits(text: string, edits: readonly TextEdit[]): Result<readonly PlacedEdit[], EditError> {
  const lineEnd = lineEndOf(text);
  const placed: (PlacedEdit & { readonly edit: number })[] = [];
  for (const [edit, { oldText, newText }] of edits.entries()) {
    if (oldText === newText) return err({ type: 'nothing', edit });
    let wanted = oldText;
    let found = occurrences(text, wanted);
    if (found.length === 0 && oldText.includes('\n')) {
      wanted = withLineEnds(oldText, lineEnd);
      found = occurrences(text, wanted);
    }
    const [start] = found;
    if (start === undefined) return err({ type: 'not-found', edit });
    if (found.length > 1) return err({ type: 'ambiguous', edit, count: found.length });
    placed.push({ start, end: start + wanted.length, newText: withLineEnds(newText, lineEnd), edit });
  }
  placed.sort((a, b) => a.start - b.start);
  for (const [index, next] of placed.entries()) {
    const before = placed[index - 1];
    if (before && next.start < before.end) return err({ type: 'overlap', edit: next.edit, other: before.edit });
  }
  return ok(placed.map(({ start, end, newText }) => ({ start, end, newText })));
}

/** The text after placed edits, which must be in order and apart, as {@link placeEdits} gives them. */
export function applyPlaced(text: string, placed: readonly PlacedEdit[]): string {
  let result = '';
  let from = 0;
  for (const { start, end, newText } of placed) {
    result += text.slice(from, start) + newText;
    from = end;
  }
  return result + text.slice(from);
}

/** The text after all edits, each placed against the text before them. */
export function applyEdits(text: string, edits: readonly TextEdit[]): Result<string, EditError> {
  const placed = placeEdits(text, edits);
  return placed.ok ? ok(applyPlaced(text, placed.value)) : placed;
}

/** An edit error in words for an agent: what is wrong and what to do about it. Edits are counted from 1 there. */
export function explainEditError(error: EditError): string {
  const which = `Edit ${String(error.edit + 1)}`;
  switch (error.type) {
    case 'not-found':
      return `${which}: the old text is not in the file. Read the file again and copy the passage exactly.`;
    case 'ambiguous':
      return `${which}: the old text occurs ${String(error.count)} times. Add lines around it until it is unique.`;
    case 'overlap':
      return `${which}: it overlaps with edit ${String(error.other + 1)}. Join the two into one.`;
    case 'nothing':
      return `${which}: old and new text are the same.`;
  }
}
