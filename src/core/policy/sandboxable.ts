import type { Kind } from '../lacuna/kinds.js';
import type { PolicyContext } from './context.js';

const KINDS: ReadonlySet<Kind> = new Set<Kind>(['ExecuteShell']);

/** Whether a kind can be filled in a sandbox here. Where it cannot, `sandbox` is `ask`. */
export const isSandboxable = (kind: Kind, { hasSandbox }: Pick<PolicyContext, 'hasSandbox'>): boolean =>
  hasSandbox && KINDS.has(kind);
