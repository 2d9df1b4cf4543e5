import type { ParamsOf } from '../../lacuna/kinds.js';
import type { Analysis } from '../effect.js';
import { describeHidden, findHiddenText } from '../hiddenText.js';
import type { View } from '../view.js';
import { analysisOf } from './shared.js';

/** Starts a sub-agent. By itself it does nothing else: each Lacuna that the sub-agent proposes is judged on its own. */
export function delegate({ goal, kinds }: ParamsOf['Delegate'], view: View): Analysis {
  const hidden = findHiddenText(goal);
  return analysisOf(
    [
      {
        op: 'execute',
        resource: { type: 'tool', server: null, tool: 'delegate' },
        certainty: 'exact',
        reversible: 'yes',
        traits: hidden.length > 0 ? ['hidden-text'] : [],
        note: [`a sub-agent that may propose ${kinds.join(', ')}`, describeHidden(hidden)].filter(Boolean).join('; '),
      },
    ],
    view,
  );
}
