import type { Outcome } from '../gate/outcome.js';
import type { Lacuna } from '../lacuna/lacuna.js';
import type { Plan } from '../plan/plan.js';
import type { Decision } from '../policy/decision.js';
import type { Mode } from '../policy/verdict.js';
import { labelWords } from '../session/labels.js';
import { riskAt } from '../session/riskAt.js';
import { initialState, next, type SessionState } from '../session/state.js';
import { bodiesOf } from './bodies.js';
import type { AuditRecord } from './record.js';

/** Something that a person should see when they look back on a session. */
export type Moment = { readonly atMs: number; readonly risk: number } & (
  | { readonly type: 'request'; readonly text: string }
  | { readonly type: 'plan'; readonly plan: Plan }
  /** `outcome` is null while it is not known. */
  | {
      readonly type: 'lacuna';
      readonly lacuna: Lacuna;
      readonly decision: Decision;
      readonly outcome: Outcome | null;
    }
  | { readonly type: 'mode'; readonly mode: Mode; readonly by: 'person' | 'engine'; readonly why: string }
  /** The session has come to carry labels that it did not carry before. */
  | { readonly type: 'labels'; readonly gained: readonly string[] }
  | { readonly type: 'checkpoint'; readonly checkpointId: string; readonly why: string }
  | { readonly type: 'restored'; readonly checkpointId: string; readonly files: readonly string[] }
  | { readonly type: 'alarm'; readonly what: string; readonly details: string }
  | { readonly type: 'failure'; readonly what: string }
);

/**
 * The moments of a session, oldest first, each with the cumulative risk right after it. A fold over the audit: it needs
 * nothing else. Linear in the records.
 */
export function timelineOf(records: readonly AuditRecord[]): readonly Moment[] {
  const [first] = records;
  if (first === undefined) return [];
  const lacunas = new Map<string, Lacuna>();
  const places = new Map<string, number>();
  const moments: Moment[] = [];
  let state = initialState(first.sessionId, [], 'balanced', first.atMs);
  for (const { body: record, atMs } of records.flatMap((line) =>
    bodiesOf(line).map((body) => ({ body, atMs: line.atMs })),
  )) {
    const here = (): { atMs: number; risk: number } => ({ atMs, risk: riskAt(state, atMs) });
    switch (record.type) {
      case 'session': {
        const before = state;
        state = next(state, record.event);
        const gained = gainedLabels(before, state);
        if (gained.length > 0) moments.push({ ...here(), type: 'labels', gained });
        if (record.event.type === 'request') moments.push({ ...here(), type: 'request', text: record.event.text });
        if (record.event.type === 'plan') moments.push({ ...here(), type: 'plan', plan: record.event.plan });
        if (record.event.type === 'mode') {
          const { mode, by, why } = record.event;
          moments.push({ ...here(), type: 'mode', mode, by, why });
        }
        if (record.event.type === 'decided') addRisk(moments, places.get(record.event.lacunaId), here().risk);
        break;
      }
      case 'proposed':
        lacunas.set(record.lacuna.id, record.lacuna);
        break;
      case 'decided': {
        const lacuna = lacunas.get(record.lacunaId);
        if (lacuna === undefined) break;
        places.set(record.lacunaId, moments.length);
        moments.push({ ...here(), type: 'lacuna', lacuna, decision: record.decision, outcome: null });
        break;
      }
      case 'outcome':
        addOutcome(moments, places.get(record.lacunaId), record.outcome);
        break;
      case 'checkpoint':
        moments.push({ ...here(), type: 'checkpoint', checkpointId: record.checkpointId, why: record.why });
        break;
      case 'restored':
        moments.push({ ...here(), type: 'restored', checkpointId: record.checkpointId, files: record.files });
        break;
      case 'alarm':
        moments.push({ ...here(), type: 'alarm', what: record.what, details: record.details });
        break;
      case 'failure':
        moments.push({ ...here(), type: 'failure', what: record.what });
        break;
      case 'group':
      case 'group-decided':
      case 'analysed':
      case 'reviewed':
      case 'asked':
      case 'feedback':
        break; // parts of a Lacuna's own page
    }
  }
  return moments;
}

const gainedLabels = (before: SessionState, after: SessionState): readonly string[] => {
  if (before.context === after.context) return [];
  const had = labelWords(before.context);
  return labelWords(after.context).filter((word) => !had.includes(word));
};

/** The decision is written before the event that says what it means; its moment gets the risk of afterwards. */
function addRisk(moments: Moment[], place: number | undefined, risk: number): void {
  const moment = place === undefined ? undefined : moments[place];
  if (place !== undefined && moment !== undefined) moments[place] = { ...moment, risk };
}

function addOutcome(moments: Moment[], place: number | undefined, outcome: Outcome): void {
  const moment = place === undefined ? undefined : moments[place];
  if (place !== undefined && moment?.type === 'lacuna') moments[place] = { ...moment, outcome };
}
