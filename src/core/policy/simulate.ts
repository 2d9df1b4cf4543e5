import { bodiesOf } from '../audit/bodies.js';
import type { AuditRecord } from '../audit/record.js';
import type { Analysis } from '../effects/effect.js';
import type { Lacuna } from '../lacuna/lacuna.js';
import { initialState, next, type SessionState } from '../session/state.js';
import { freshTerminal } from '../effects/effect.js';
import type { CompiledPolicy } from './compile.js';
import type { PolicyContext } from './context.js';
import { decide } from './decide.js';
import { strictness, type Verdict } from './verdict.js';

/** A decision of a past session, as it was and as another policy would have it. */
export interface SimulatedDecision {
  readonly sessionId: string;
  readonly lacunaId: string;
  readonly lacuna: Lacuna;
  readonly before: Verdict;
  readonly after: Verdict;
  readonly change: 'same' | 'stricter' | 'looser';
  /** Rules that would decide, with why. */
  readonly rules: readonly string[];
  readonly reason: string;
}

/** What a past Lacuna's circumstances were, worked out again from the state that its session had then. */
export type ContextAt = (lacuna: Lacuna, analysis: Analysis, state: SessionState, atMs: number) => PolicyContext;

/**
 * Judges a past session again under another policy, from its audit: the Lacunas and the effects are those that were recorded,
 * the session's state is folded from its own events, so what people answered then stays as it was. What policy said is compared,
 * not what a person made of it.
 */
export function simulateAudit(
  records: readonly AuditRecord[],
  policy: CompiledPolicy,
  contextAt: ContextAt,
): readonly SimulatedDecision[] {
  const lacunas = new Map<string, Lacuna>();
  const analyses = new Map<string, Analysis>();
  const results: SimulatedDecision[] = [];
  let state: SessionState | null = null;
  const lines = records.flatMap((line) => bodiesOf(line).map((record) => ({ record, line })));
  for (const { record, line } of lines) {
    switch (record.type) {
      case 'proposed':
        lacunas.set(record.lacuna.id, record.lacuna);
        break;
      case 'analysed': {
        const { effects, commands, flows } = record;
        analyses.set(record.lacunaId, { effects, commands, flows, terminal: freshTerminal(null) });
        break;
      }
      case 'session': {
        const { event } = record;
        if (event.type === 'started') state = initialState(line.sessionId, event.roots, event.mode, event.atMs);
        else if (state !== null) state = next(state, event);
        break;
      }
      case 'decided': {
        const lacuna = lacunas.get(record.lacunaId);
        const analysis = analyses.get(record.lacunaId);
        if (lacuna === undefined || analysis === undefined || state === null) break;
        const decision = decide(policy, lacuna, analysis, contextAt(lacuna, analysis, state, line.atMs));
        const before = record.decision.policyVerdict;
        const after = decision.policyVerdict;
        results.push({
          sessionId: line.sessionId,
          lacunaId: record.lacunaId,
          lacuna,
          before,
          after,
          change: changeOf(before, after),
          rules: decision.rules.flatMap(({ id, lost }) => (lost === null ? [id] : [])),
          reason: decision.reason,
        });
        break;
      }
      case 'group':
      case 'group-decided':
      case 'reviewed':
      case 'asked':
      case 'outcome':
      case 'checkpoint':
      case 'restored':
      case 'alarm':
      case 'failure':
      case 'feedback':
        break;
    }
  }
  return results;
}

/** How a verdict differs from an earlier one. */
export const changeOf = (before: Verdict, after: Verdict): SimulatedDecision['change'] =>
  before === after ? 'same' : strictness(after) > strictness(before) ? 'stricter' : 'looser';
