import type { Subagents } from '../core/agent/subagents.js';
import type { Executor } from '../core/gate/executor.js';

/** Lets the loop that proposed a Delegate run its sub-agent. Whoever has no loop (another agent's tool call) gets a plain answer. */
export const delegateExecutor = (subagents: Subagents): Executor<'Delegate'> => ({
  async fill(permit, cancel) {
    const spent = await permit.spend();
    if (!spent.ok) return { type: 'void', why: spent.error, message: `The permit is ${spent.error}.` };
    const { lacuna, params } = spent.value;
    return (
      (await subagents.run(lacuna, params, cancel)) ?? {
        type: 'unavailable',
        message: 'Only the agent of Lacuna itself (@lacuna) can start sub-agents.',
      }
    );
  },
});
