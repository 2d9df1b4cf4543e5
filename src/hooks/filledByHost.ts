import type { Executor, Executors } from '../core/gate/executor.js';
import { KIND_NAMES, type Kind } from '../core/lacuna/kinds.js';

const byHost: Executor<Kind> = {
  fill: (permit) => {
    permit.revoke();
    return Promise.resolve({ type: 'unavailable', message: "The agent's own host fills this." });
  },
};

/** Executors for a session that only judges: what is permitted is filled by the agent's own host. */
export const filledByHost = Object.fromEntries(KIND_NAMES.map((kind) => [kind, byHost])) as Executors;
