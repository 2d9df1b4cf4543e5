import { isStandIn, looksRandom } from './secrets/looksRandom.js';
import { SECRET_PATTERNS, type SecretPattern } from './secrets/patterns.js';

/** A secret in a text. Offsets count UTF-16 units. */
export interface SecretSpan {
  readonly start: number;
  readonly end: number;
  /** What it is: `github-token`, `private-key`, `named-secret`… */
  readonly kind: string;
}

/** A key block is at most this long; beyond it the text is something else. */
const MOST_KEY_CHARACTERS = 20_000;

/** Documented stand-ins that have the shape of a real key. Source: AWS documentation, jwt.io. */
const DOCUMENTED = new Set(['AKIAIOSFODNN7EXAMPLE', 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY']);

/**
 * Finds secrets in a text, in order, without overlaps. High precision: provider formats, key blocks, connection strings with a
 * password, and random values under a telling name; placeholders, references to variables and default passwords of local
 * services are not secrets. Linear in the text.
 */
export function findSecrets(text: string): readonly SecretSpan[] {
  if (text.length < LONG) return foundIn(text);
  if (latest.text !== text) latest = { text, spans: foundIn(text) };
  return latest.spans;
}

/** What is found in a text this long is remembered until the next one: analysis and session ask for the same text in a row. */
const LONG = 32_768;
let latest: { readonly text: string; readonly spans: readonly SecretSpan[] } = { text: '', spans: [] };

function foundIn(text: string): readonly SecretSpan[] {
  const spans: SecretSpan[] = [];
  const lower = text.toLowerCase();
  for (const pattern of SECRET_PATTERNS) {
    if (pattern.hints.some((hint) => lower.includes(hint))) spans.push(...spansOf(pattern, text));
  }
  return merged(spans);
}

/** Whether a text holds any secret. */
export const hasSecret = (text: string): boolean => findSecrets(text).length > 0;

/**
 * The text with each secret replaced by `[masked kind]`. Idempotent: masking a masked text changes nothing. Taking one secret
 * away can bring out another that was hidden in a longer, harmless-looking value, so it goes on until none is left.
 */
export function maskSecrets(text: string): string {
  let masked = text;
  for (let spans = findSecrets(masked); spans.length > 0; spans = findSecrets(masked)) masked = replaced(masked, spans);
  return masked;
}

function replaced(text: string, spans: readonly SecretSpan[]): string {
  let out = '';
  let from = 0;
  for (const { start, end, kind } of spans) {
    out += `${text.slice(from, start)}[masked ${kind}]`;
    from = end;
  }
  return out + text.slice(from);
}

function spansOf(pattern: SecretPattern, text: string): SecretSpan[] {
  const spans: SecretSpan[] = [];
  let end = 0;
  for (const match of text.matchAll(pattern.pattern)) {
    if (match.index < end) continue;
    const written = match.groups?.['value'] ?? match[0];
    const isQuoted = /^["']/.test(written);
    const value = isQuoted ? written.slice(1, -1) : written;
    if (!isSecret(pattern, match, value, isQuoted, text)) continue;
    const start = match.index + match[0].lastIndexOf(written) + (isQuoted ? 1 : 0);
    end = endOf(pattern, start + value.length, text);
    spans.push({ start, end, kind: pattern.kind });
  }
  return spans;
}

function isSecret(
  pattern: SecretPattern,
  match: RegExpExecArray,
  value: string,
  isQuoted: boolean,
  text: string,
): boolean {
  if (pattern.proof === 'format') return !DOCUMENTED.has(value) && !/^.{0,14}(?:x{6,}|\*{3,}|\.{3})/i.test(value);
  if (DOCUMENTED.has(value)) return false;
  if (pattern.kind !== 'named-secret') return !isStandIn(value) && !isUserName(match[0], value);
  return looksRandom({ name: nameAt(match, text), value, isQuoted });
}

/** `postgres://app:app@db`: the password of a development service repeats its user. */
const isUserName = (whole: string, value: string): boolean => whole.includes(`//${value}:`);

/** The identifier around a telling word: the pattern starts inside it, so that its cost stays linear. */
function nameAt(match: RegExpExecArray, text: string): string {
  const before = /[A-Za-z0-9_-]*$/.exec(text.slice(Math.max(0, match.index - 60), match.index))?.[0] ?? '';
  return before + (/^[A-Za-z0-9_-]*/.exec(match[0])?.[0] ?? '');
}

function endOf(pattern: SecretPattern, from: number, text: string): number {
  if (pattern.until === undefined) return from;
  const mark = text.indexOf(pattern.until, from);
  const limit = Math.min(text.length, from + MOST_KEY_CHARACTERS);
  if (mark < 0 || mark > limit) return limit;
  const lineEnd = text.slice(mark, mark + 100).search(/[\r\n"'\\]/);
  return lineEnd < 0 ? Math.min(text.length, mark + 100) : mark + lineEnd;
}

/** In order, with overlapping spans made one; the name is that of the span that starts first. */
function merged(spans: readonly SecretSpan[]): readonly SecretSpan[] {
  const out: SecretSpan[] = [];
  for (const span of [...spans].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = out.at(-1);
    if (last && span.start < last.end) out[out.length - 1] = { ...last, end: Math.max(last.end, span.end) };
    else out.push(span);
  }
  return out;
}
