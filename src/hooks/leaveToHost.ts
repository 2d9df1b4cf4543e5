import type { Approver } from '../core/ports.js';
import { DIALECTS } from './dialects.js';
import type { HookAgent } from './hookEvent.js';

/**
 * Leaves the question to the agent's own dialog, where there is no editor to ask in. The session goes on as if the answer were
 * yes: what it learns from a step that the person then refuses only makes it stricter.
 */
const leaveToHost: Approver = { ask: () => Promise.resolve({ type: 'left-to-host' }) };

/** Where the agent's host cannot ask either: it hears a "no", and the session learns nothing from what is not done. */
const nobody: Approver = { ask: () => Promise.resolve({ type: 'nobody', why: 'headless' }) };

/** Who is asked about an agent's calls without an editor. */
export const hostOf = (agent: HookAgent): Approver => (DIALECTS[agent].asks ? leaveToHost : nobody);
