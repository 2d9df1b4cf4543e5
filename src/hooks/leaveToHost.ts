import type { Approver } from '../core/ports.js';

/**
 * Leaves the question to the agent's own dialog, where there is no editor to ask in. The session goes on as if the answer were
 * yes: what it learns from a step that the person then refuses only makes it stricter.
 */
export const leaveToHost: Approver = { ask: () => Promise.resolve({ type: 'left-to-host' }) };
