import type { ParamsOf } from '../../lacuna/kinds.js';
import type { Analysis, Flow } from '../effect.js';
import type { View } from '../view.js';
import { analysisOf, fileAt, onPath } from './shared.js';

/** Searches a file, a folder, or every workspace folder: a read of all that lies below (product.md §5). */
export function searchFiles({ path }: ParamsOf['SearchFiles'], view: View): Analysis {
  const places = path === undefined ? view.facts.roots : [path];
  const effects = places.flatMap((place) => {
    const isFile = view.facts.entry(fileAt(place, view, 'follow')) === 'file';
    return onPath('read', place, view, isFile ? [] : ['recursive']);
  });
  const flows = effects.map(({ resource }): Flow => ({ from: resource, to: { type: 'output' }, how: 'verbatim' }));
  return analysisOf(effects, view, flows);
}
