import type { Analysis, TerminalState } from '../effects/effect.js';
import type { Lacuna } from '../lacuna/lacuna.js';
import type { Finding, PlanFit } from '../policy/context.js';
import type { Baseline } from './baseline.js';
import type { EffectKey, FileImpact } from './impact.js';
import type { Labels } from './labels.js';
import type { SessionLimits } from './limits.js';
import type { LabelSources } from './pathLabels.js';
import type { SessionState } from './state.js';

/** Something that the session has to say about an action, or about one of its effects. */
export interface Found {
  readonly finding: Finding;
  readonly effect: number | null;
  readonly why: string;
}

/** Everything that findings are made from. */
export interface Evidence {
  readonly lacuna: Lacuna;
  readonly analysis: Analysis;
  readonly state: SessionState;
  readonly sources: LabelSources;
  /** Labels of the data that goes into each effect. */
  readonly into: readonly Labels[];
  /** Labels that each effect's resource has by itself. */
  readonly own: readonly Labels[];
  /** Labels of what the action itself takes in. */
  readonly taken: Labels;
  readonly keys: readonly EffectKey[];
  readonly files: readonly FileImpact[];
  readonly fingerprint: { readonly exact: string; readonly near: string };
  readonly fit: PlanFit;
  readonly nowMs: number;
  readonly limits: SessionLimits;
  /** The terminal as it is before the action. */
  readonly terminal: TerminalState;
  /** Labels of what git takes up by this action. */
  readonly git: { readonly staged: Labels | null; readonly committed: Labels | null };
  readonly baseline: Baseline | null;
  readonly behaviour: readonly string[];
  /** The person's words of this turn. */
  readonly request: string;
  /** Whether what an effect makes run later is known and harmless, by index of the effect. */
  readonly isHarmlessLater: (effect: number) => boolean;
  /** Why what an effect makes run later would be stopped now, in words, by index of the effect; null when it would not. */
  readonly harmLater: (effect: number) => string | null;
}
