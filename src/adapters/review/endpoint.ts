import { z } from 'zod';
import type { Cancel } from '../../core/cancel.js';
import type { Probabilities, Thresholds } from '../../core/review/linear.js';
import { REASON_CODES } from '../../core/review/reasons.js';
import type { Thinker, Thought } from '../../core/review/thought.js';
import { reasonIn } from './process.js';
import { asJsonData, systemText } from './prompt.js';

/** A model server on this machine: Ollama, LM Studio, llama.cpp, vLLM. */
export interface Endpoint {
  /** Address up to `/v1`. */
  readonly baseUrl: string;
  readonly model: string;
  readonly deadlineMs: number;
}

const answerSchema = z.object({
  choices: z
    .array(
      z.object({
        message: z.object({ content: z.string().nullable() }),
        logprobs: z
          .object({
            content: z
              .array(
                z.object({
                  token: z.string(),
                  top_logprobs: z.array(z.object({ token: z.string(), logprob: z.number() })).default([]),
                }),
              )
              .nullable(),
          })
          .nullish(),
      }),
    )
    .min(1),
});
const verdictSchema = z.object({ verdict: z.enum(['approve', 'flag', 'reject']) });

type None = Extract<Thought, { type: 'none' }>;
const none = (why: None['why'], message: string): None => ({ type: 'none', why, message });

/** Without probabilities from the server nothing is known of its sureness: enough to object, never enough to clear a question. */
const UNKNOWN_SURENESS = 0.7;

/** Whether an address is on this machine: what agents do is sent there. */
export function isOnThisMachine(baseUrl: string): boolean {
  if (!URL.canParse(baseUrl)) return false;
  const { protocol, hostname } = new URL(baseUrl);
  return /^https?:$/.test(protocol) && /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

/** A reviewer behind an OpenAI-compatible server on this machine. Never throws; an address elsewhere is refused. */
export class EndpointThinker implements Thinker {
  readonly #endpoint: Endpoint;
  readonly thresholds: Thresholds = { flagAt: 0.5, rejectAt: 0.5 };

  constructor(endpoint: Endpoint) {
    this.#endpoint = endpoint;
  }

  async think({ text }: { readonly text: string }, cancel: Cancel): Promise<Thought> {
    const { baseUrl, model, deadlineMs } = this.#endpoint;
    if (!isOnThisMachine(baseUrl))
      return none('down', `The reviewer's endpoint ${baseUrl} is not on this machine. Set one at localhost.`);
    if (cancel.aborted) return none('down', 'The review was cancelled.');
    const start = performance.now();
    const deadline = AbortSignal.timeout(deadlineMs);
    try {
      const response = await fetch(`${baseUrl.replace(/\/+$/, '')}/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(requestOf(model, text)),
        signal: deadline,
        // What is on this machine does not send us elsewhere.
        redirect: 'error',
      });
      if (!response.ok) return none('down', refusalWords(response.status, model, await response.text()));
      if (/^\s*text\/html\b/i.test(response.headers.get('content-type') ?? ''))
        return none(
          'nonsense',
          `At ${baseUrl} a page answers, and no model server. Set the address up to /v1, with its port.`,
        );
      return thoughtOf(await response.json(), model, performance.now() - start);
    } catch (error) {
      if (deadline.aborted) return none('slow', "The reviewer's endpoint took too long.");
      const isNonsense = error instanceof SyntaxError || error instanceof z.ZodError;
      if (isNonsense)
        return none('nonsense', "The reviewer's endpoint did not answer with a verdict. Choose another model.");
      return none(
        'down',
        `The reviewer's endpoint ${baseUrl} cannot be reached. Start the server, or choose another reviewer.`,
      );
    }
  }
}

const errorSchema = z.object({ error: z.union([z.string(), z.object({ message: z.string() })]) });

/** What a server says of a refusal, as far as it can be read: one line, in brackets. */
function saidOf(body: string): string {
  try {
    const { error } = errorSchema.parse(JSON.parse(body));
    const text = (typeof error === 'string' ? error : error.message).replace(/\s+/g, ' ').trim();
    return text === '' ? '' : ` (${text.slice(0, 160)})`;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return ''; // a refusal without words, or a page
    throw error;
  }
}

/** Why a server does not answer, and what helps. */
function refusalWords(status: number, model: string, body: string): string {
  const said = `The reviewer's endpoint answers with status ${String(status)}${saidOf(body)}.`;
  switch (status) {
    case 401:
    case 403:
      return `${said} It asks for a key, and Lacuna sends none: let it answer on this machine without one.`;
    case 404:
      return `${said} Is the model "${model}" there, and does the address end with /v1?`;
    case 429:
    case 503:
      return `${said} It is busy, or still loads the model "${model}".`;
    default:
      return `${said} Look into the server's log, or choose another model than "${model}".`;
  }
}

const requestOf = (model: string, text: string): object => ({
  model,
  messages: [
    { role: 'system', content: systemText(REASON_CODES) },
    { role: 'user', content: asJsonData(text) },
  ],
  temperature: 0,
  max_tokens: 64,
  logprobs: true,
  top_logprobs: 10,
  response_format: {
    type: 'json_schema',
    json_schema: {
      name: 'review',
      strict: true,
      schema: {
        type: 'object',
        properties: { verdict: { enum: ['approve', 'flag', 'reject'] }, reason: { enum: REASON_CODES } },
        required: ['verdict', 'reason'],
        additionalProperties: false,
      },
    },
  },
});

function thoughtOf(value: unknown, model: string, durationMs: number): Thought {
  const [choice] = answerSchema.parse(value).choices;
  const content = choice?.message.content ?? '';
  const { verdict } = verdictSchema.parse(JSON.parse(content));
  const probabilities = sureness(choice?.logprobs?.content ?? [], verdict);
  return { type: 'thought', probabilities, reason: reasonIn(content), model, durationMs };
}

type Tokens = readonly {
  readonly token: string;
  readonly top_logprobs: readonly { readonly token: string; readonly logprob: number }[];
}[];

/** Probabilities at the token with which the verdict's word begins; a fixed sureness where the server tells none. */
function sureness(tokens: Tokens, verdict: keyof Probabilities): Probabilities {
  const others = {
    approve: (1 - UNKNOWN_SURENESS) / 2,
    flag: (1 - UNKNOWN_SURENESS) / 2,
    reject: (1 - UNKNOWN_SURENESS) / 2,
  };
  const unknown = { ...others, [verdict]: UNKNOWN_SURENESS };
  const place = tokens.find(
    ({ token }) => token.trim() !== '' && verdict.startsWith(token.replace(/^["\s]+/, '')) && /[a-z]/.test(token),
  );
  if (place === undefined) return unknown;
  const of = (word: string): number =>
    place.top_logprobs
      .filter(({ token }) => /[a-z]/.test(token) && word.startsWith(token.replace(/^["\s]+/, '')))
      .reduce((sum, { logprob }) => sum + Math.exp(logprob), 0);
  const [approve, flag, reject] = [of('approve'), of('flag'), of('reject')];
  const total = approve + flag + reject;
  return total > 0.5 ? { approve: approve / total, flag: flag / total, reject: reject / total } : unknown;
}
