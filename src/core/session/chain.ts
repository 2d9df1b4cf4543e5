import type { Analysis } from '../effects/effect.js';
import { maskSecrets } from '../effects/secrets.js';
import type { Lacuna } from '../lacuna/lacuna.js';
import type { Assessment } from './assess.js';
import { riskAt } from './riskAt.js';
import type { SessionState } from './state.js';

const MOST_STEPS = 8;

/** A line with paths of the workspace as people know them, from its folder on. */
const fromRoots = (text: string, roots: readonly string[]): string =>
  text
    .split(' ')
    .map((word) => {
      const root = roots.find((one) => word.startsWith(`${one}/`));
      return root === undefined ? word : word.slice(root.length + 1);
    })
    .join(' ');

const shortened = (text: string, most: number): string => {
  const line = maskSecrets(text).replace(/\s+/g, ' ').trim();
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
};

/** Whether and how it can be undone, in words. */
export function reversibilityText(analysis: Pick<Analysis, 'effects'>): string {
  const worst = analysis.effects.map(({ reversible }) => reversible);
  if (worst.includes('no')) {
    const what = [...new Set(analysis.effects.filter((e) => e.reversible === 'no').map((e) => e.op))];
    return `cannot be undone (${what.join(', ')})`;
  }
  return worst.includes('checkpoint')
    ? 'can be undone by restoring the checkpoint that is taken first'
    : 'changes nothing that would need undoing';
}

/**
 * What led to this Lacuna, oldest first, for the person who is asked and for the reviewer: request, plan step, what was read and
 * what happened, labels, cumulative risk, and whether this step can be undone. One line each, secrets masked, bounded.
 */
export function chainOf(
  state: SessionState,
  lacuna: Lacuna,
  analysis: Analysis,
  assessment: Assessment,
  nowMs: number,
): readonly string[] {
  const lines: string[] = [];
  const request = lacuna.origin.request || (state.requests.at(-1) ?? '');
  if (request !== '') lines.push(`request: ${shortened(request, 300)}`);
  const planned = state.plan?.steps.find((step) => step.id === assessment.planStep);
  if (state.plan !== null) {
    lines.push(
      planned === undefined
        ? `plan: not a step of it (${assessment.plan})`
        : `plan step ${planned.id}: ${shortened(planned.task, 160)}`,
    );
  }
  if (lacuna.origin.subagent !== null)
    lines.push(`proposed by sub-agent ${lacuna.origin.subagent}, depth ${lacuna.depth}`);
  for (const { step, text } of state.trail.slice(-MOST_STEPS))
    lines.push(`step ${step}: ${shortened(fromRoots(text, state.roots), 160)}`);
  if (assessment.labels.length > 0) lines.push(`the session carries: ${assessment.labels.join(', ')}`);
  for (const { finding, why } of assessment.findings) lines.push(`${finding}: ${why}`);
  const risk = riskAt(state, nowMs);
  if (risk >= 0.05) {
    const reasons = [...new Set(state.risk.reasons)].slice(-4).join(', ');
    lines.push(`risk so far: ${risk.toFixed(1)}${reasons === '' ? '' : ` (${reasons})`}`);
  }
  if (state.irreversible > 0) lines.push(`steps so far that cannot be undone: ${state.irreversible}`);
  lines.push(`this step ${reversibilityText(analysis)}`);
  return lines;
}
