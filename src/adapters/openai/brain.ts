import type { OpenAI } from 'openai';
import type { ChatCompletionChunk, ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions';
import { mayPass, type Brain, type BrainPart, type BrainRequest } from '../../core/agent/brain.js';
import { estimateTokens } from '../../core/agent/tokens.js';
import type { Cancel } from '../../core/cancel.js';
import { failureOf, type Failure } from './failures.js';
import { toolsToWire, toWire } from './messages.js';
import { CallAssembler } from './toolCalls.js';

/** An OpenAI-compatible endpoint and how patient to be with it. Times in milliseconds. */
export interface Endpoint {
  /** `https://host/v1`, without a slash at the end. */
  readonly baseUrl: string;
  readonly model: string;
  readonly maxInputTokens: number;
  readonly maxOutputTokens: number | null;
  /** Until the first byte of an answer. Models that think first take long. */
  readonly firstByteMs: number;
  /** Between two pieces of an answer. */
  readonly idleMs: number;
  /** Further tries after a failure that may pass; the wait doubles from `backOffMs`, and heeds Retry-After up to a minute. */
  readonly retries: number;
  readonly backOffMs: number;
}

export const DEFAULT_ENDPOINT = {
  maxInputTokens: 128_000,
  maxOutputTokens: null,
  firstByteMs: 120_000,
  idleMs: 60_000,
  retries: 3,
  backOffMs: 500,
} as const satisfies Partial<Endpoint>;

const LONGEST_WAIT_MS = 60_000;
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

const parsed = (url: string): URL | null => (URL.canParse(url) ? new URL(url) : null);

/** Whether what is sent to this address stays on this machine. */
export function isLocal(baseUrl: string): boolean {
  const host = parsed(baseUrl)?.hostname ?? '';
  return LOOPBACK.has(host) || host.endsWith('.localhost') || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** Why an address cannot be used; null when it can. A key in clear text over a network is a key given away. */
export function whyNotUsable(baseUrl: string, key: string): string | null {
  const url = parsed(baseUrl);
  if (url === null) return `The setting lacuna.model.baseUrl is no URL: "${baseUrl}".`;
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return `The setting lacuna.model.baseUrl must begin with https:// or http://, not ${url.protocol}//.`;
  if (url.username !== '' || url.password !== '')
    return 'The setting lacuna.model.baseUrl holds a password. Take it out, and use "Lacuna: Set API Key".';
  if (url.protocol === 'http:' && key !== '' && !isLocal(baseUrl))
    return `The API key would go to ${url.host} in clear text. Use https://, or remove the key if the server needs none.`;
  return null;
}

/** A model behind an OpenAI-compatible endpoint. `key` is asked for at each request and never kept; '' means none. */
export function openAiBrain(endpoint: Endpoint, key: () => Promise<string>): Brain {
  return {
    name: endpoint.model,
    isRemote: !isLocal(endpoint.baseUrl),
    maxInputTokens: endpoint.maxInputTokens,
    countTokens: estimateTokens,
    respond: (request, cancel) => respond(endpoint, key, request, cancel),
  };
}

async function* respond(
  endpoint: Endpoint,
  key: () => Promise<string>,
  request: BrainRequest,
  cancel: Cancel,
): AsyncGenerator<BrainPart> {
  const secret = await key();
  const unusable = whyNotUsable(endpoint.baseUrl, secret);
  if (unusable !== null) return yield { type: 'failed', why: 'other', message: unusable };
  for (let attempt = 0; ; attempt += 1) {
    const one = new Attempt(endpoint, secret, cancel);
    const failure = yield* one.run(request);
    if (failure === null) return;
    // Once something was heard, asking again is for the loop to decide: the person has seen half an answer.
    const isLast = attempt >= endpoint.retries || one.hasSpoken || !failure.mayRetry || !mayPass(failure.why);
    const waitMs = failure.waitMs ?? endpoint.backOffMs * 2 ** attempt * (0.75 + Math.random() / 2);
    const goesOn = !isLast && waitMs <= LONGEST_WAIT_MS && !cancel.aborted;
    // Whoever waits for an answer sees why there is none yet.
    if (goesOn) yield { type: 'asking-again', why: failure.why, message: failure.message };
    if (!goesOn || !(await waited(waitMs, cancel)))
      return yield cancel.aborted
        ? { type: 'failed', why: 'cancelled', message: 'Cancelled.' }
        : { type: 'failed', why: failure.why, message: failure.message };
  }
}

/** Waits; false when it was cancelled meanwhile. */
function waited(ms: number, cancel: Cancel): Promise<boolean> {
  return new Promise((resolve) => {
    if (cancel.aborted) return resolve(false);
    const end = (): void => {
      clearTimeout(timer);
      cancel.removeEventListener('abort', end);
      resolve(!cancel.aborted);
    };
    const timer = setTimeout(end, ms);
    cancel.addEventListener('abort', end);
  });
}

/** One request and its stream, with a clock that stops it when nothing comes. */
class Attempt {
  readonly #controller = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #isLate = false;
  hasSpoken = false;

  constructor(
    private readonly endpoint: Endpoint,
    private readonly key: string,
    private readonly cancel: Cancel,
  ) {}

  async *run(request: BrainRequest): AsyncGenerator<BrainPart, Failure | null> {
    const abort = (): void => this.#controller.abort();
    this.cancel.addEventListener('abort', abort);
    if (this.cancel.aborted) abort();
    try {
      this.#expect(this.endpoint.firstByteMs);
      const client = await clientFor(this.endpoint, this.key);
      const stream = await client.chat.completions.create(this.#body(request), { signal: this.#controller.signal });
      const failure = yield* this.#read(stream);
      return this.#stopped() ?? failure;
    } catch (error) {
      return this.#stopped() ?? failureOf(error, this.endpoint, this.key);
    } finally {
      clearTimeout(this.#timer);
      this.cancel.removeEventListener('abort', abort);
      abort(); // frees the connection when whoever listens has left in the middle
    }
  }

  async *#read(stream: AsyncIterable<ChatCompletionChunk>): AsyncGenerator<BrainPart, Failure | null> {
    const calls = new CallAssembler();
    let finish: string | null = null;
    let hasChunk = false;
    for await (const chunk of stream) {
      this.#expect(this.endpoint.idleMs);
      hasChunk = true;
      if (chunk.usage)
        yield {
          type: 'usage',
          usage: { inputTokens: chunk.usage.prompt_tokens, outputTokens: chunk.usage.completion_tokens },
        };
      // A server's chunk is data from outside: what its type promises may be absent.
      const choice = chunk.choices?.[0];
      if (choice === undefined) continue;
      if (choice.delta?.content) {
        this.hasSpoken = true;
        yield { type: 'text', text: choice.delta.content };
      }
      for (const delta of choice.delta?.tool_calls ?? []) calls.add(delta);
      finish = choice.finish_reason ?? finish;
    }
    clearTimeout(this.#timer);
    if (this.#stopped() !== null) return null;
    const failure = this.#unfinished(finish, hasChunk, calls);
    if (failure !== null) return failure;
    for (const call of calls.calls()) {
      this.hasSpoken = true;
      yield { type: 'call', call };
    }
    return null;
  }

  /** Why an answer that ended is no whole answer; null when it is one. */
  #unfinished(finish: string | null, hasChunk: boolean, calls: CallAssembler): Failure | null {
    const { baseUrl, model } = this.endpoint;
    const failure = (why: Failure['why'], message: string): Failure => ({ why, message, waitMs: null, mayRetry: true });
    if (!hasChunk)
      return failure(
        'malformed',
        `${baseUrl} answered, but not with a stream of the chat completions API. Is the setting lacuna.model.baseUrl right? It usually ends in /v1.`,
      );
    if (finish === null)
      return failure('cut-off', `The answer of ${model} was cut off: the stream ended in the middle.`);
    if (finish === 'content_filter') return failure('refused', `${baseUrl} withheld the answer (content filter).`);
    if (finish === 'length' && !calls.isEmpty)
      return failure('too-long', `${model} reached its output limit in the middle of a call; nothing of it was done.`);
    return null;
  }

  #body(request: BrainRequest): ChatCompletionCreateParamsStreaming {
    const { model, maxOutputTokens } = this.endpoint;
    return {
      model,
      messages: toWire(request.messages),
      stream: true,
      stream_options: { include_usage: true },
      ...(request.tools.length > 0 ? { tools: toolsToWire(request.tools) } : {}),
      ...(request.tools.length > 0 && request.choice === 'must-call' ? { tool_choice: 'required' as const } : {}),
      ...(maxOutputTokens === null ? {} : { max_tokens: maxOutputTokens }),
    };
  }

  /** Starts the clock anew: something must come within this time. */
  #expect(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#isLate = true;
      this.#controller.abort();
    }, ms);
  }

  /** What stopped this attempt from our side, if anything did. */
  #stopped(): Failure | null {
    const { baseUrl, firstByteMs, idleMs } = this.endpoint;
    const seconds = Math.round((this.hasSpoken ? idleMs : firstByteMs) / 1000);
    if (this.cancel.aborted) return { why: 'cancelled', message: 'Cancelled.', waitMs: null, mayRetry: false };
    if (this.#isLate)
      return {
        why: 'timed-out',
        message: `${baseUrl} sent nothing for ${seconds} seconds.`,
        waitMs: null,
        mayRetry: true,
      };
    return null;
  }
}

/** The package is loaded at the first request: it costs more than the rest of the start. */
async function clientFor(endpoint: Endpoint, key: string): Promise<OpenAI> {
  const { OpenAI: Client } = await import('openai');
  return new Client({
    baseURL: endpoint.baseUrl.replace(/\/+$/, ''),
    apiKey: key === '' ? 'none' : key,
    maxRetries: 0,
    logLevel: 'off',
    // The environment of the editor must not send this elsewhere or add an identity.
    organization: null,
    project: null,
    ...(key === '' ? { defaultHeaders: { Authorization: null } } : {}),
  });
}
