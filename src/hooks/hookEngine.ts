import type { Cancel } from '../core/cancel.js';
import type { Platform } from '../core/effects/facts.js';
import type { Session } from '../core/gate/openSession.js';
import type { Clock } from '../core/ports.js';
import { DIALECTS } from './dialects.js';
import { GuardedSession, NO_GUARDED_TOOLS, type GuardedTools } from './guardedSession.js';
import type { HookAgent, HookEvent, HookReply, ToolCall } from './hookEvent.js';
import { refusal } from './refusal.js';
import { hookSessionId } from './sessionName.js';

/** What the engine needs from whoever puts it together. */
export interface HookEnginePorts {
  readonly clock: Clock;
  readonly platform: Platform;
  /** Opens the session of an agent, or goes on with it. The same identifier gives the same session. */
  readonly open: (sessionId: string, event: HookEvent) => Promise<Session>;
  /** Tools of VS Code's agent that have a gate of their own. */
  readonly guarded?: GuardedTools; // [none]
  /** Told of each call of a tool that a person was asked about and allowed. */
  readonly approved?: (call: ToolCall) => void; // [nobody listens]
}

/** Most sessions that are kept open; the oldest is opened again from its audit when it comes back. */
const MAX_SESSIONS = 50;

/**
 * VS Code's built-in agent runs the hooks of Copilot's files too, in its own form, besides those of our plugin. It is one session
 * and one call then, and heard in the form that both read.
 */
const callerOf = (agent: HookAgent, input: unknown): HookAgent =>
  agent === 'copilot' && typeof input === 'object' && input !== null && Object.hasOwn(input, 'hook_event_name')
    ? 'vscode'
    : agent;

/** Answers the hooks of all agents: one session of ours for each of theirs. */
export class HookEngine {
  readonly #ports: HookEnginePorts;
  readonly #sessions = new Map<string, Promise<GuardedSession>>();

  constructor(ports: HookEnginePorts) {
    this.#ports = ports;
  }

  /** One hook call: what the agent wrote in, what it shall read out. Never throws: every doubt is that agent's form of "no". */
  async answer(asked: HookAgent, input: unknown, cancel: Cancel): Promise<HookReply> {
    const agent = callerOf(asked, input);
    const dialect = DIALECTS[agent];
    try {
      const parsed = dialect.parse(input);
      if (!parsed.ok) return refusal(agent, `Lacuna cannot read this call: ${parsed.error}.`);
      const session = await this.#session(agent, parsed.value);
      return dialect.reply(parsed.value, await session.answer(parsed.value, cancel));
    } catch (error) {
      return refusal(agent, `Lacuna could not decide: ${error instanceof Error ? error.message : String(error)}.`);
    }
  }

  #session(agent: HookAgent, event: HookEvent): Promise<GuardedSession> {
    const sessionId = hookSessionId(agent, event.sessionId);
    const known = this.#sessions.get(sessionId);
    if (known !== undefined) return known;
    const { clock, platform, guarded = NO_GUARDED_TOOLS, approved = () => undefined, open } = this.#ports;
    const opening = open(sessionId, event).then(
      (session) =>
        new GuardedSession(agent, session, {
          clock,
          platform,
          approved,
          guarded: agent === 'vscode' ? guarded : NO_GUARDED_TOOLS,
        }),
    );
    this.#sessions.set(sessionId, opening);
    // One that could not be opened is tried again at the next call.
    opening.catch(() => this.#sessions.delete(sessionId));
    const oldest = this.#sessions.keys().next().value;
    if (this.#sessions.size > MAX_SESSIONS && oldest !== undefined) this.#sessions.delete(oldest);
    return opening;
  }
}
