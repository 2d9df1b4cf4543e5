import type { ParamsOf } from '../../lacuna/kinds.js';
import type { Analysis } from '../effect.js';
import type { View } from '../view.js';
import { analysisOf, onPath } from './shared.js';

/** Lists names. The pattern narrows what is shown, not what is looked at. */
export const listFiles = ({ path, recursive }: ParamsOf['ListFiles'], view: View): Analysis =>
  analysisOf(onPath('list', path, view, recursive ? ['recursive'] : []), view);
