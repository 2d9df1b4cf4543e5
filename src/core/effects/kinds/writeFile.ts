import type { ParamsOf } from '../../lacuna/kinds.js';
import type { Analysis } from '../effect.js';
import type { View } from '../view.js';
import { changeOfFile } from './fileChange.js';
import { fileAt } from './shared.js';

/** Creates a file or replaces the whole of one. */
export function writeFile({ path, content }: ParamsOf['WriteFile'], view: View): Analysis {
  const before = view.facts.readText(fileAt(path, view, 'follow'));
  return changeOfFile({ path, before, after: content, added: content, removed: before ?? '' }, [], view);
}
