import type { Subagents } from '../../core/agent/subagents.js';
import type { Facts } from '../../core/effects/facts.js';
import type { PolicyStore } from '../../core/policy/store.js';
import type { Clock, Ids } from '../../core/ports.js';
import type { Models } from '../models/models.js';
import type { Sessions } from '../sessions.js';
import type { AnnouncedCalls } from '../tools/announcedCalls.js';
import type { InvocationTokens } from '../tools/invocationTokens.js';
import type { WaitingTime } from '../waitingTime.js';

/** What the chat participant and the language-model tools need of the rest of the extension. */
export interface AgentHost {
  readonly sessions: Sessions;
  readonly models: Models;
  readonly clock: Clock;
  readonly ids: Ids;
  /** The same object that the executor of Delegate has. */
  readonly subagents: Subagents;
  /** The same object that the executor of CallTool has. */
  readonly tokens: InvocationTokens;
  /** A fresh look at the world, for checks of plans. */
  readonly look: () => Promise<Facts>;
  /** How long sessions have waited for the person. */
  readonly waiting: WaitingTime;
  /** The policy of this window. */
  readonly policy: () => Promise<PolicyStore>;
  /** Calls of our tools that a hook has told of, each with its session. */
  readonly announced: AnnouncedCalls;
  /** Session of Lacunas that other agents of this window propose through the language-model tools, where no hook tells of them. */
  readonly toolSession: string;
  /** Keeps what a bug has thrown where people look for it. */
  readonly report: (error: unknown) => void;
}
