import type { ParamsOf } from '../../lacuna/kinds.js';
import type { Analysis } from '../effect.js';
import type { View } from '../view.js';
import { nothingKnown } from './shared.js';

/** Runs SQL. */
export const queryDatabase = ({ database }: ParamsOf['QueryDatabase'], view: View): Analysis =>
  nothingKnown(`SQL on ${database} is not analysed`, view);
