import type { AuditRecord } from '../audit/record.js';
import { compilePolicy, type CompiledPolicy, type PolicyLayers } from './compile.js';
import type { WrittenLayer } from './load.js';
import type { RuleSpec } from './schema.js';
import { changeOf, simulateAudit, type ContextAt, type SimulatedDecision } from './simulate.js';

/** The layers with one more rule at the end of one of them. */
export const withRule = (layers: PolicyLayers, layer: WrittenLayer, rule: RuleSpec): PolicyLayers => ({
  ...layers,
  [layer]: [...layers[layer], { source: 'the new rule', spec: { version: 1 as const, rules: [rule] } }],
});

/**
 * Past decisions that a rule would change if it were added to a layer: each session is judged under the policy as it is and with the
 * rule, so that only what the rule itself does shows. Linear in the sessions' records, twice.
 */
export function wouldChange(
  sessions: readonly (readonly AuditRecord[])[],
  policy: CompiledPolicy,
  added: { readonly layer: WrittenLayer; readonly rule: RuleSpec },
  contextAt: ContextAt,
): readonly SimulatedDecision[] {
  const other = compilePolicy(withRule(policy.layers, added.layer, added.rule));
  return sessions.flatMap((records) => {
    const before = simulateAudit(records, policy, contextAt);
    const after = simulateAudit(records, other, contextAt);
    return after.flatMap((one, index) => {
      const old = before[index];
      return old === undefined || old.after === one.after
        ? []
        : [{ ...one, before: old.after, change: changeOf(old.after, one.after) }];
    });
  });
}
