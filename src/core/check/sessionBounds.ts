import { sessionLimitsOf, type PolicyLayers } from '../policy/compile.js';
import { DEFAULT_LIMITS, DEFAULT_THRESHOLDS, type RiskThresholds, type SessionLimits } from '../session/limits.js';

/** What a session may use up and at which risk it steps up, as policy says; `otherwise` where it says nothing of a limit. */
export function sessionBounds(
  layers: PolicyLayers,
  otherwise: SessionLimits = DEFAULT_LIMITS,
): { readonly limits: SessionLimits; readonly thresholds: RiskThresholds } {
  const said = sessionLimitsOf(layers);
  return {
    limits: {
      lacunas: said.lacunas ?? otherwise.lacunas,
      depth: said.depth ?? otherwise.depth,
      seconds: said.seconds ?? otherwise.seconds,
      tokens: said.tokens ?? otherwise.tokens,
    },
    thresholds: {
      strict: said.strictAtRisk ?? DEFAULT_THRESHOLDS.strict,
      lockdown: said.lockdownAtRisk ?? DEFAULT_THRESHOLDS.lockdown,
    },
  };
}
