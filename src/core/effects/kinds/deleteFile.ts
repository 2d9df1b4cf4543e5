import type { ParamsOf } from '../../lacuna/kinds.js';
import type { Analysis } from '../effect.js';
import type { View } from '../view.js';
import { analysisOf, fileAt, onPath } from './shared.js';

/** Deletes a file, or a folder with all that lies below when `recursive` says so or nothing is known of what is there. */
export function deleteFile({ path, recursive }: ParamsOf['DeleteFile'], view: View): Analysis {
  const entry = view.facts.entry(fileAt(path, view, 'keep'));
  const reachesBelow = recursive === true && entry !== 'file' && entry !== 'link';
  return analysisOf(onPath('delete', path, view, reachesBelow ? ['recursive'] : []), view);
}
