import type { ParamsOf } from '../../lacuna/kinds.js';
import type { Analysis } from '../effect.js';
import type { View } from '../view.js';
import { analysisOf, onPath } from './shared.js';

/** Moves: `from` is gone, `to` is written, and what `from` held goes along. */
export function moveFile({ from, to }: ParamsOf['MoveFile'], view: View): Analysis {
  const left = onPath('move', from, view);
  const reached = onPath('write', to, view);
  const flows = left
    .slice(0, 1)
    .flatMap((a) => reached.slice(0, 1).map((b) => ({ from: a.resource, to: b.resource, how: 'verbatim' as const })));
  return analysisOf([...left, ...reached], view, flows);
}
