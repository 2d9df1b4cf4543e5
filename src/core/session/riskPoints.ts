import type { Analysis, Effect } from '../effects/effect.js';
import { isAtLeast, type Labels } from './labels.js';
import { isBeyondWorkspace, isDestroying, isSending } from './traits.js';

/** Risk that one action adds to the session, with the reasons that count most. */
export interface RiskPoints {
  readonly points: number;
  readonly reasons: readonly string[];
}

function pointsOf(effect: Effect): readonly [points: number, reason: string] {
  if (effect.traits.includes('dry-run')) return [0, ''];
  if (effect.traits.includes('catastrophic')) return [10, 'catastrophic effect'];
  if (effect.traits.includes('remote-code')) return [5, 'runs code from elsewhere'];
  if (effect.op === 'privilege') return [3, 'more rights'];
  if (isSending(effect)) return [2, 'sends data out'];
  if (isDestroying(effect) && effect.reversible === 'no') return [1.5, 'destroys what cannot be brought back'];
  if (effect.op === 'persist') return [1, 'makes something run later'];
  if (effect.op === 'install') return [0.5, 'installs packages'];
  if (effect.traits.includes('removes-check')) return [1, 'takes a check away'];
  if (isBeyondWorkspace(effect)) return [1, 'changes something outside the workspace'];
  if (effect.traits.includes('fewer-checks')) return [0.2, 'leaves out tests or checks'];
  if (effect.traits.includes('adds-process') || effect.traits.includes('adds-network'))
    return [0.1, 'puts new calls into code'];
  return effect.op === 'unknown' ? [0.2, 'not fully understood'] : [0, ''];
}

/** What an action adds: its worst effect, and what marked data it takes in. Bounded, so that a long line counts once. */
export function riskPoints(analysis: Analysis, taken: Labels): RiskPoints {
  let worst: readonly [number, string] = [0, ''];
  for (const effect of analysis.effects) {
    const found = pointsOf(effect);
    if (found[0] > worst[0]) worst = found;
  }
  const reasons = worst[0] > 0 ? [worst[1]] : [];
  let points = worst[0];
  if (taken.confidentiality === 'secret') {
    points += 2;
    reasons.push('reads a secret');
  } else if (isAtLeast(taken.confidentiality, 'sensitive')) {
    points += 1;
    reasons.push('reads sensitive data');
  }
  return { points, reasons };
}
