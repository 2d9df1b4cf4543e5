import type { ParamsOf } from '../../lacuna/kinds.js';
import type { Analysis, Flow } from '../effect.js';
import type { View } from '../view.js';
import { analysisOf, onPath } from './shared.js';

/** Reads a file; what it holds comes back to the agent. A range of lines is still a read of the file. */
export function readFile({ path }: ParamsOf['ReadFile'], view: View): Analysis {
  const effects = onPath('read', path, view);
  const flows = effects.map(({ resource }): Flow => ({ from: resource, to: { type: 'output' }, how: 'verbatim' }));
  return analysisOf(effects, view, flows);
}
