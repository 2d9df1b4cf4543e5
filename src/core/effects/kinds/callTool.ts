import type { ParamsOf } from '../../lacuna/kinds.js';
import type { Analysis } from '../effect.js';
import type { View } from '../view.js';
import { marksOf } from './content.js';
import { analysisOf } from './shared.js';

/** Calls a tool of which only name, input and hints are known. */
export function callTool({ tool, server, input }: ParamsOf['CallTool'], view: View): Analysis {
  const marks = marksOf(JSON.stringify(input));
  return analysisOf(
    [
      {
        op: 'execute',
        resource: { type: 'tool', server: server ?? null, tool },
        certainty: 'exact',
        reversible: 'no',
        traits: marks.traits,
        note: marks.note,
      },
    ],
    view,
  );
}
