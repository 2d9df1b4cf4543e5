import type { PolicyLayers } from './compile.js';
import type { Mode } from './verdict.js';

/** What policies may say of secrets in a prompt to a model on another machine, mildest first. */
export const PROMPT_POLICIES = ['mask', 'ask', 'deny'] as const;
export type PromptPolicy = (typeof PROMPT_POLICIES)[number];

/** The strictest that any file states, whatever its layer: `mask` where none does; in lockdown nothing that holds a secret is sent. */
export function promptPolicyOf(layers: PolicyLayers, mode: Mode): PromptPolicy {
  if (mode === 'lockdown') return 'deny';
  const files = [...layers.organisation, ...layers.user, ...layers.workspace, ...layers.packs];
  const stated = files.map(({ spec }) => PROMPT_POLICIES.indexOf(spec.session?.secretsToModel ?? 'mask'));
  return PROMPT_POLICIES[Math.max(0, ...stated)] ?? 'deny';
}
