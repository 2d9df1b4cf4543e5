import type { ParamsOf } from '../../lacuna/kinds.js';
import type { Analysis } from '../effect.js';
import type { View } from '../view.js';
import { changeOfFile } from './fileChange.js';
import { fileAt } from './shared.js';

/** Replaces passages. What the file will be is worked out where the file is known; else only the passages are looked at. */
export function editFile({ path, edits }: ParamsOf['EditFile'], view: View): Analysis {
  const before = view.facts.readText(fileAt(path, view, 'follow'));
  const added = edits.map(({ newText }) => newText).join('\n');
  const removed = edits.map(({ oldText }) => oldText).join('\n');
  return changeOfFile(
    { path, before, after: before === null ? null : applied(before, edits), added, removed },
    ['edit'],
    view,
  );
}

/** The text after all edits, each against the text as it was; null when one does not fit, since then nothing is written. */
function applied(before: string, edits: ParamsOf['EditFile']['edits']): string | null {
  const places = edits
    .map(({ oldText, newText }) => ({ at: before.indexOf(oldText), oldText, newText }))
    .sort((a, b) => a.at - b.at);
  let out = '';
  let from = 0;
  for (const { at, oldText, newText } of places) {
    if (at < from) return null;
    out += before.slice(from, at) + newText;
    from = at + oldText.length;
  }
  return out + before.slice(from);
}
