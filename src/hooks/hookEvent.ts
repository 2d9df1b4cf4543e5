import type { Proposal } from '../core/lacuna/lacuna.js';

/** Agents whose hooks Lacuna answers. */
export const HOOK_AGENTS = ['vscode', 'claude', 'codex', 'copilot', 'gemini', 'cursor'] as const;
export type HookAgent = (typeof HOOK_AGENTS)[number];

/** What every hook call tells of where it comes from. */
export interface HookOrigin {
  /** Session of the agent, in its own numbering. */
  readonly sessionId: string;
  /** Folder the agent works in; null when the agent does not say. */
  readonly cwd: string | null;
  /** Workspace folders, when the agent names them; else empty. */
  readonly roots: readonly string[];
  /** Sub-agent that makes the call; null for the main agent, and where the agent does not tell them apart. */
  readonly subagent: string | null;
  /** Identifier of the tool call, for matching a result to its call; null when the agent has none. */
  readonly callId: string | null;
}

/** A call of an agent's tool, as one or several Lacunas: a patch of three files is three. */
export interface ToolCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly proposals: readonly Proposal[];
}

/** What an agent's hook tells us, whatever its dialect. */
export type HookEvent = HookOrigin &
  (
    | { readonly type: 'before-tool'; readonly call: ToolCall }
    /** `output` is text as the agent will see it; empty when the agent does not pass it on. */
    | { readonly type: 'after-tool'; readonly call: ToolCall; readonly output: string; readonly hasFailed: boolean }
    | { readonly type: 'prompt'; readonly text: string }
    | { readonly type: 'session-start' }
    | { readonly type: 'session-end' }
    | { readonly type: 'subagent-start'; readonly name: string }
    | { readonly type: 'subagent-stop'; readonly name: string }
    /** An event that needs no answer from us: `name` as the agent calls it. */
    | { readonly type: 'other'; readonly name: string }
  );

/** What the gate says of a call. `none`: no objection, the host decides by its own rules. */
export interface HookAnswer {
  readonly verdict: 'allow' | 'ask' | 'deny' | 'none';
  /** For the person and the agent. */
  readonly reason: string;
  /** Repaired input of the tool; null when it stays as it is. */
  readonly updatedInput: Readonly<Record<string, unknown>> | null;
}

/** What a hook process prints and how it ends. */
export interface HookReply {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/** The dialect of one agent: its JSON in, our answer in its JSON out. Pure. */
export interface HookDialect {
  /** Whether the host puts an "ask" to a person; where it does not, it hears a "no". */
  readonly asks: boolean;
  /** Reads what the agent wrote to standard input; a sentence when it cannot be understood. */
  parse(
    input: unknown,
  ): { readonly ok: true; readonly value: HookEvent } | { readonly ok: false; readonly error: string };
  /** The reply to an event. `before-tool` must carry the verdict in every form in which this host can hear it. */
  reply(event: HookEvent, answer: HookAnswer): HookReply;
}
