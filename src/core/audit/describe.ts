import type { Effect, Resource } from '../effects/effect.js';
import type { Proposal } from '../lacuna/lacuna.js';
import type { Review } from '../review/review.js';
import type { AuditRecord } from './record.js';

const MAX_LENGTH = 160;

/** One line of text for people: line breaks shown, long text cut. */
const short = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH - 1)}…` : line;
};

/** A proposal in one line: what a person would call it. */
export function describeProposal(proposal: Proposal): string {
  switch (proposal.kind) {
    case 'ListFiles':
      return `list ${proposal.params.path}`;
    case 'ReadFile':
      return `read ${proposal.params.path}`;
    case 'SearchFiles':
      return short(
        `search for "${proposal.params.query}"${proposal.params.path === undefined ? '' : ` in ${proposal.params.path}`}`,
      );
    case 'WriteFile':
      return `write ${proposal.params.path}`;
    case 'EditFile':
      return `edit ${proposal.params.path}`;
    case 'DeleteFile':
      return `delete ${proposal.params.path}`;
    case 'MoveFile':
      return `move ${proposal.params.from} to ${proposal.params.to}`;
    case 'ExecuteShell':
      return short(proposal.params.command);
    case 'HttpRequest':
      return short(`${proposal.params.method} ${proposal.params.url}`);
    case 'QueryDatabase':
      return short(`${proposal.params.database}: ${proposal.params.sql}`);
    case 'CallTool':
      return `call ${proposal.params.server === undefined ? '' : `${proposal.params.server}.`}${proposal.params.tool}`;
    case 'Delegate':
      return short(`delegate: ${proposal.params.goal}`);
  }
}

/** What a resource is called in a sentence. */
export function describeResource(resource: Resource): string {
  switch (resource.type) {
    case 'path':
    case 'agent-config':
      return resource.path;
    case 'url':
      return resource.host === '' ? resource.url || 'an unknown host' : resource.host;
    case 'process':
      return resource.process || 'an unknown program';
    case 'package':
      return `${resource.ecosystem}:${resource.name}`;
    case 'table':
      return `${resource.database}.${resource.table}`;
    case 'environment':
      return `$${resource.name}`;
    case 'ref':
      return resource.remote === null ? resource.ref : `${resource.remote}/${resource.ref}`;
    case 'tool':
      return resource.server === null ? resource.tool : `${resource.server}.${resource.tool}`;
    case 'remote':
      return `${resource.service} ${resource.name}`;
    case 'unknown':
      return resource.what;
  }
}

/** An effect in a few words: "delete src/a.ts (certain: exact)". */
export const describeEffect = (effect: Effect): string =>
  short(
    `${effect.op} ${describeResource(effect.resource)}` +
      (effect.certainty === 'exact' ? '' : ` (${effect.certainty})`) +
      (effect.note === '' ? '' : `: ${effect.note}`),
  );

/** One line of the audit as text: time, Lacuna, what happened. */
export function describeRecord(record: AuditRecord): string {
  const time = new Date(record.atMs).toISOString().replace('T', ' ').replace('Z', '');
  return `${time}  ${describeBody(record)}`;
}

/** A line with more lines below it. */
const lines = (head: string, below: readonly string[]): string =>
  [head, ...below.map((line) => `    ${line}`)].join('\n');

function describeBody(record: AuditRecord): string {
  switch (record.type) {
    case 'group':
      return lines(
        `together ${record.groupId}  ${String(record.lacunas.length)} reads`,
        record.lacunas.map((lacuna) => `${lacuna.id}  ${lacuna.kind}: ${describeProposal(lacuna)}`),
      );
    case 'group-decided':
      return lines(
        `decided  ${record.groupId}  ${record.verdict} for ${String(record.members.length)} reads together`,
        record.members.map(
          ({ lacunaId, decision }) =>
            `${lacunaId}  ${decision.verdict} by ${decision.decidedBy}: ${short(decision.reason)}`,
        ),
      );
    case 'proposed':
      return `proposed ${record.lacuna.id}  ${record.lacuna.kind}: ${describeProposal(record.lacuna)}`;
    case 'analysed':
      return `analysed ${record.lacunaId}  ${short(record.effects.map(describeEffect).join('; ')) || 'no effects'}`;
    case 'reviewed':
      return `reviewed ${record.lacunaId}  ${describeReview(record.review)}`;
    case 'asked':
      return `asked    ${record.lacunaId}  ${short(record.question)}`;
    case 'decided':
      return `decided  ${record.lacunaId}  ${record.decision.verdict} by ${record.decision.decidedBy}: ${short(record.decision.reason)}`;
    case 'outcome':
      return `outcome  ${record.lacunaId}  ${record.outcome.type}`;
    case 'checkpoint':
      return `checkpoint ${record.checkpointId}  ${short(record.why)}`;
    case 'restored':
      return `restored ${record.checkpointId}  ${String(record.files.length)} files`;
    case 'alarm':
      return `ALARM    ${short(`${record.what}: ${record.details}`)}`;
    case 'failure':
      return `FAILURE  ${record.lacunaId ?? ''}  ${short(record.what)}`;
    case 'session':
      return `session  ${record.event.type}`;
    case 'feedback':
      return `feedback ${record.lacunaId}  ${record.says}${record.note === '' ? '' : `: ${short(record.note)}`}`;
  }
}

/** What the reviewer said, how sure it was, by which model and how fast; or why it said nothing. */
function describeReview(review: Review): string {
  switch (review.type) {
    case 'answered': {
      const { verdict, confidence, model, durationMs, isCached, reason } = review;
      const how = `${String(Math.round(confidence * 100))}% sure, ${model}, ${isCached ? 'remembered' : `${String(Math.round(durationMs))} ms`}`;
      return `${verdict} (${how}): ${short(reason)}`;
    }
    case 'skipped':
      return `skipped: ${short(review.why)}`;
    case 'none':
      return `no verdict (${review.why}): ${short(review.message)}`;
  }
}
