import type { BrainFailure } from '../../core/agent/brain.js';

/** A failure with the sentence for the person, and how long the server asks to wait before the next try. */
export interface Failure {
  readonly why: BrainFailure;
  readonly message: string;
  /** Milliseconds; null when the server does not say. */
  readonly waitMs: number | null;
  /** False where asking again is useless although the failure is of a passing sort (an exhausted quota). */
  readonly mayRetry: boolean;
}

/** Who was asked, for messages. */
export interface Asked {
  readonly baseUrl: string;
  readonly model: string;
}

interface Facts {
  readonly name: string;
  readonly message: string;
  readonly status: number | null;
  readonly code: string;
  readonly headers: Headers | null;
}

const NO_TOOLS =
  /(tool|function)s?[\s_-]*(call(ing|s)?|use|choice)?.{0,60}(not\s+support|unsupported|not\s+available|not\s+enabled)|(not|n't)\s+support.{0,40}(tool|function)/i;
const TOO_LONG =
  /context[\s_]*(length|window|size)|maximum.{0,20}(context|tokens)|too\s+(long|many\s+tokens)|prompt.{0,20}exceed/i;
const DOWN = /ECONNREFUSED|ENOTFOUND|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN|ETIMEDOUT|CERT|certificate|fetch failed/i;

/** Puts whatever the client threw into one of the failures that the loop knows. Never repeats a key. */
export function failureOf(error: unknown, asked: Asked, key: string): Failure {
  const facts = factsOf(error);
  const said = facts.message === '' ? '' : ` It says: ${quoted(facts.message, key)}`;
  const failure = (why: BrainFailure, message: string, mayRetry = true): Failure => ({
    why,
    message: `${message}${said}`,
    waitMs: waitOf(facts.headers),
    mayRetry,
  });
  if (facts.status !== null) return ofStatus(facts.status, facts, asked, failure);
  if (facts.name === 'SyntaxError')
    return { ...failure('malformed', ''), message: `${asked.baseUrl} sent a stream that is no valid JSON.` };
  if (DOWN.test(`${facts.code} ${facts.message} ${causeOf(error)}`))
    return {
      ...failure('unreachable', ''),
      message: `${asked.baseUrl} cannot be reached (${causeOf(error) || facts.message}). Is the server running, and is the setting lacuna.model.baseUrl right?`,
    };
  if (TOO_LONG.test(facts.message)) return failure('too-long', 'The conversation is too long for this model.', false);
  if (NO_TOOLS.test(facts.message)) return noTools(asked, failure);
  if (/terminated|aborted|socket|premature|ECONNRESET|EPIPE/i.test(`${facts.message} ${causeOf(error)}`))
    return {
      ...failure('cut-off', ''),
      message: `The answer of ${asked.model} was cut off: the connection ended in the middle.`,
    };
  return failure('other', `${asked.model} failed.`, false);
}

type Make = (why: BrainFailure, message: string, mayRetry?: boolean) => Failure;

function ofStatus(status: number, { message, code }: Facts, asked: Asked, failure: Make): Failure {
  const host = asked.baseUrl;
  if (status === 401)
    return failure('wrong-key', `${host} refused the API key (401). Set it with the command "Lacuna: Set API Key".`);
  if (status === 402 || code === 'insufficient_quota')
    return failure('rate-limited', `The account at ${host} has no quota left (${status}).`, false);
  if (status === 403) return failure('no-permission', `${host} does not let this key use ${asked.model} (403).`);
  if (status === 404)
    return failure(
      'unknown-model',
      `${host} knows no model "${asked.model}" (404). Look at the settings lacuna.model.names and lacuna.model.baseUrl; the URL usually ends in /v1.`,
    );
  if (status === 429) return failure('rate-limited', `${host} is asked too often (429). Try again in a while.`);
  if (status === 408 || status === 504) return failure('timed-out', `${host} took too long (${status}).`);
  if (status >= 500) return failure('server-error', `${host} failed (${status}).`);
  if (status === 413 || TOO_LONG.test(message))
    return failure('too-long', 'The conversation is too long for this model.', false);
  if (NO_TOOLS.test(message)) return noTools(asked, failure);
  if (/model/i.test(message) && /not\s+(found|exist)|unknown|invalid/i.test(message))
    return failure('unknown-model', `${host} knows no model "${asked.model}" (${status}).`);
  return failure('other', `${host} did not accept the request (${status}).`, false);
}

const noTools = (asked: Asked, failure: Make): Failure =>
  failure('no-tool-calling', `${asked.model} cannot call tools, which an agent needs. Pick another model.`, false);

function factsOf(error: unknown): Facts {
  if (!(error instanceof Error)) return { name: '', message: String(error), status: null, code: '', headers: null };
  const status = 'status' in error && typeof error.status === 'number' ? error.status : null;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const headers = 'headers' in error && error.headers instanceof Headers ? error.headers : null;
  return { name: error.name, message: bodyOf(error), status, code, headers };
}

/** The server's own words, without the status that the client puts before them. */
function bodyOf(error: Error): string {
  const body = 'error' in error ? error.error : undefined;
  const said = typeof body === 'object' && body !== null && 'message' in body ? body.message : undefined;
  return typeof said === 'string' ? said : error.message.replace(/^\d{3}\s*(status code \(no body\))?/, '').trim();
}

/** Innermost code or message of a chain of causes: `ECONNREFUSED` stands three levels down. */
function causeOf(error: unknown): string {
  let words = '';
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 6; at = at.cause, depth += 1) {
    if ('code' in at && typeof at.code === 'string') words = at.code;
    else if (depth > 0) words = at.message;
  }
  return words;
}

/** Seconds or a date in `Retry-After`, milliseconds in `Retry-After-Ms`. Source: RFC 9110 §10.2.3. */
function waitOf(headers: Headers | null): number | null {
  const ms = Number(headers?.get('retry-after-ms') ?? Number.NaN);
  if (Number.isFinite(ms) && ms >= 0) return ms;
  const after = headers?.get('retry-after') ?? null;
  if (after === null) return null;
  const seconds = Number(after);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const date = Date.parse(after);
  return Number.isNaN(date) ? null : Math.max(0, date - Date.now());
}

/** A server's words, short, on one line, and without the key if the server was careless enough to repeat it. */
function quoted(text: string, key: string): string {
  const line = text.replace(/\s+/g, ' ').slice(0, 300);
  return key.length >= 4 ? line.replaceAll(key, '[key]') : line;
}
