import type { PolicyLayers } from './compile.js';
import { PROMPT_POLICIES, type PromptPolicy } from './promptWords.js';
import type { Mode } from './verdict.js';

/** The strictest that any file states, whatever its layer: `mask` where none does; in lockdown nothing that holds a secret is sent. */
export function promptPolicyOf(layers: PolicyLayers, mode: Mode): PromptPolicy {
  if (mode === 'lockdown') return 'deny';
  const files = [...layers.organisation, ...layers.user, ...layers.workspace, ...layers.packs];
  const stated = files.map(({ spec }) => PROMPT_POLICIES.indexOf(spec.session?.secretsToModel ?? 'mask'));
  return PROMPT_POLICIES[Math.max(0, ...stated)] ?? 'deny';
}
