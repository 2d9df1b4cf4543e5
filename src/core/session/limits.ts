/** What a session may use up for one request before a person is asked. Null: no limit. */
export interface SessionLimits {
  readonly lacunas: number | null;
  readonly depth: number;
  readonly seconds: number | null;
  readonly tokens: number | null;
}

/** Cumulative risk at which the mode steps up. */
export interface RiskThresholds {
  readonly strict: number;
  readonly lockdown: number;
}

/** For agents that keep their own limits: only the depth is bounded here. */
export const DEFAULT_LIMITS: SessionLimits = { lacunas: null, depth: 10, seconds: null, tokens: null };

/** For @lacuna's own loop and for sub-agents of it. Source: mission L7. */
export const OWN_AGENT_LIMITS: SessionLimits = { lacunas: 100, depth: 10, seconds: 600, tokens: null };

export const DEFAULT_THRESHOLDS: RiskThresholds = { strict: 12, lockdown: 30 };
