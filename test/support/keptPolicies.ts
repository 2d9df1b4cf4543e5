import type { KeptPolicies } from '../../src/core/policy/lastGood.js';

/** For tests in which no policy file breaks. */
export const keepsNothing: KeptPolicies = {
  recall: () => null,
  keep: () => undefined,
  forget: () => undefined,
};
