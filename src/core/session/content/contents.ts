import type { Analysis, Effect } from '../../effects/effect.js';
import type { Proposal } from '../../lacuna/lacuna.js';
import { isOutward } from '../traits.js';

/** A text in the parameters of a Lacuna, and where it would go. */
export interface Content {
  readonly text: string;
  /** Which effects the text goes into. */
  readonly goesInto: (effect: Effect) => boolean;
}

const isWriting = (effect: Effect): boolean => ['write', 'persist', 'move'].includes(effect.op);
const isLeaving = (effect: Effect): boolean => isWriting(effect) || isOutward(effect);

/** Every text that the agent itself puts into an action: what it writes, sends or says in a command line. */
export function contentsOf(proposal: Proposal, analysis: Analysis): readonly Content[] {
  switch (proposal.kind) {
    case 'WriteFile':
      return [{ text: proposal.params.content, goesInto: isWriting }];
    case 'EditFile':
      return [{ text: proposal.params.edits.map((edit) => edit.newText).join('\n'), goesInto: isWriting }];
    case 'ExecuteShell': {
      const literals = analysis.flows.flatMap((flow) => (flow.from.type === 'literal' ? [flow.from.text] : []));
      return [{ text: [proposal.params.command, ...literals].join('\n'), goesInto: isLeaving }];
    }
    case 'HttpRequest': {
      const { url, headers, body } = proposal.params;
      const lines = Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${value}`);
      return [{ text: [url, ...lines, body ?? ''].join('\n'), goesInto: isLeaving }];
    }
    case 'CallTool':
      return [{ text: JSON.stringify(proposal.params.input), goesInto: () => true }];
    case 'QueryDatabase':
      return [
        { text: [proposal.params.sql, ...(proposal.params.params ?? []).map(String)].join('\n'), goesInto: () => true },
      ];
    case 'Delegate':
      return [{ text: proposal.params.goal, goesInto: isLeaving }];
    case 'ListFiles':
    case 'ReadFile':
    case 'SearchFiles':
    case 'DeleteFile':
    case 'MoveFile':
      return [];
  }
}
