import type { HookAgent } from './hookEvent.js';

/** Our name for an agent's session. */
export const hookSessionId = (agent: HookAgent, sessionId: string): string =>
  `hook-${agent}-${sessionId === '' ? 'unnamed' : sessionId}`;

/** Whether a session is one of another agent's, whose terminal lasts from line to line. */
export const isHookSession = (sessionId: string): boolean => sessionId.startsWith('hook-');
