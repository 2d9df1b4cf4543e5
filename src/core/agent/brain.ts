import type { Cancel } from '../cancel.js';
import type { Result } from '../result.js';

/** A function that a brain may call: its name, what it is for, and the JSON Schema (draft 7) of its arguments. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

/** A call as the brain wrote it. Arguments that are no JSON object stay text: nothing is guessed out of them. */
export interface ToolCall {
  /** Unique in its conversation. */
  readonly id: string;
  readonly name: string;
  readonly input: Result<Readonly<Record<string, unknown>>, { readonly raw: string }>;
}

/** What a call came to, in text for the brain. */
export interface ToolAnswer {
  readonly callId: string;
  readonly text: string;
}

/** One message of a conversation. `answers` holds exactly one answer for each call of the `brain` message before it. */
export type Message =
  | { readonly role: 'rules'; readonly text: string }
  | { readonly role: 'person'; readonly text: string }
  | { readonly role: 'brain'; readonly text: string; readonly calls: readonly ToolCall[] }
  | { readonly role: 'answers'; readonly answers: readonly ToolAnswer[] };

/** Why a brain gave no (whole) answer. Each asks for another reaction, so none is folded into another. */
export type BrainFailure =
  | 'cancelled'
  | 'no-permission'
  | 'wrong-key'
  | 'unknown-model'
  | 'no-tool-calling'
  | 'unreachable'
  | 'rate-limited'
  | 'server-error'
  | 'timed-out'
  | 'cut-off'
  | 'malformed'
  | 'too-long'
  | 'refused'
  | 'other';

/** Failures that may pass when the same question is asked again. */
const PASSING: ReadonlySet<BrainFailure> = new Set([
  'unreachable',
  'rate-limited',
  'server-error',
  'timed-out',
  'cut-off',
  'malformed',
]);

/** Whether asking again can help. */
export const mayPass = (failure: BrainFailure): boolean => PASSING.has(failure);

/** Tokens as the model's own counter reports them. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** A piece of an answer, in the order in which it streams in. `failed` is always the last one. */
export type BrainPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'call'; readonly call: ToolCall }
  | { readonly type: 'usage'; readonly usage: Usage }
  /** Nothing of this try was heard yet, and the brain asks once more by itself, after a wait. `message` says why. */
  | { readonly type: 'asking-again'; readonly why: BrainFailure; readonly message: string }
  /** `message` is a sentence for the person, with what to do about it. */
  | { readonly type: 'failed'; readonly why: BrainFailure; readonly message: string };

/** A question to a brain: the whole conversation so far, and what it may call. */
export interface BrainRequest {
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSpec[];
  /** `must-call`: an answer without a call is no use to whoever asks. */
  readonly choice: 'free' | 'must-call';
}

/** A model that proposes. It has no way to act: all it can do is answer with text and calls. Never throws what it expects. */
export interface Brain {
  /** For people: which model this is. */
  readonly name: string;
  /** Whether what it is told leaves this machine. */
  readonly isRemote: boolean;
  /** Tokens that one request may hold. */
  readonly maxInputTokens: number;
  respond(request: BrainRequest, cancel: Cancel): AsyncIterable<BrainPart>;
  /** An estimate, never an underestimate by much; exact where that is cheap. */
  countTokens(text: string): number;
}
