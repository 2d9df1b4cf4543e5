import { never } from '../bug.js';
import type { Proposal } from '../lacuna/lacuna.js';

/** The one parameter by which a person recognises a proposal. */
export function subjectOf(proposal: Proposal): string {
  switch (proposal.kind) {
    case 'ListFiles':
    case 'ReadFile':
    case 'WriteFile':
    case 'EditFile':
    case 'DeleteFile':
      return proposal.params.path;
    case 'SearchFiles':
      return proposal.params.query;
    case 'MoveFile':
      return `${proposal.params.from} → ${proposal.params.to}`;
    case 'ExecuteShell':
      return proposal.params.command;
    case 'HttpRequest':
      return `${proposal.params.method} ${proposal.params.url}`;
    case 'QueryDatabase':
      return proposal.params.sql;
    case 'CallTool':
      return proposal.params.server === undefined
        ? proposal.params.tool
        : `${proposal.params.server}.${proposal.params.tool}`;
    case 'Delegate':
      return proposal.params.goal;
    default:
      return never(proposal);
  }
}
