import { hash53 } from '../hash.js';
import type { HashSet } from '../persistentMap.js';
import { windowHashes, winnow } from './windows.js';
import { bounded, viewsOf } from './views.js';

/** Width of the raw windows that recognise a part of a secret. */
const SECRET_WIDTH = 12;
/** Width and span of the windows that recognise a passage of a document: 47 letters and digits in a row are found for sure. */
const PASSAGE_WIDTH = 32;
const PASSAGE_SPAN = 16;
const MOST_SECRETS_OF_A_TEXT = 3_000;
const MOST_PASSAGES_OF_A_TEXT = 3_000;

/** Names of keys whose value is a secret, as in `STRIPE_KEY=…` or `"password": "…"`. */
const TELLING_NAME = /key|token|secret|pass|pwd|auth|cred|private|signature|dsn|conn|salt|cookie|session|bearer/i;
const SETTING = /^\s*(?:export\s+)?["']?([\w.-]{1,80})["']?\s*[:=]\s*["']?(.*?)["']?[,;]?\s*$/;

/** Whether a value looks drawn at random rather than written by hand: letters and digits mixed, no words, no path. */
function looksRandom(value: string): boolean {
  if (value.length < 12 || /\s/.test(value) || /^(https?|file):\/\//i.test(value) || /^[./~]/.test(value)) return false;
  const digits = value.replace(/\D/g, '').length;
  const letters = value.replace(/[^a-z]/gi, '').length;
  if (/^[\d.,:-]+$/.test(value) || letters === 0) return false;
  return digits >= 3 || (value.length >= 24 && new Set(value).size >= 12 && !/[ ._/-][a-z]{3,}[ ._/-]/i.test(value));
}

/** The password inside a connection string; null when there is none. */
const passwordOfUrl = (value: string): string | null =>
  /^[a-z][\w+.-]*:\/\/[^/\s:@]*:([^@\s/]{4,})@/i.exec(value)?.[1] ?? null;

const PLACEHOLDER = /^(?:true|false|null|none|yes|no|on|off|undefined|changeme|example|localhost|\d{1,6})$/i;

/**
 * The values of a text that came from a place of secrets: values of telling settings, words of a credential file, what looks
 * random, lines of a key. Ordinary settings (a port, a host, a flag) are left out, since they occur everywhere.
 */
export function secretValues(text: string): readonly string[] {
  const values = new Set<string>();
  const take = (value: string): void => {
    if (value.length >= 6 && !PLACEHOLDER.test(value)) values.add(value);
  };
  let isKeyBlock = false;
  for (const line of bounded(text).split(/\r?\n/)) {
    if (/^-----BEGIN /.test(line)) isKeyBlock = true;
    else if (/^-----END /.test(line)) isKeyBlock = false;
    else if (isKeyBlock) take(line.trim());
    else {
      const [, name, value] = SETTING.exec(line) ?? [];
      if (name !== undefined && value !== undefined) {
        const password = passwordOfUrl(value);
        if (password !== null) take(password);
        else if (TELLING_NAME.test(name) || looksRandom(value)) take(value);
      }
      for (const word of line.split(/[\s"'=:,;(){}<>[\]]+/)) if (looksRandom(word)) take(word);
      for (const [, word] of line.matchAll(/\b(?:password|passwd|token|secret)\s+(\S{6,})/gi)) take(word ?? '');
    }
    if (values.size >= MOST_SECRETS_OF_A_TEXT) break;
  }
  return [...values];
}

/**
 * Hashes by which secrets are known again: each whole value, and for long ones windows of them, so that a part is enough.
 * The values themselves are not kept anywhere.
 */
export function secretMarks(values: readonly string[]): readonly number[] {
  const marks = new Set<number>();
  for (const value of values) {
    marks.add(hash53(value));
    const windows = windowHashes(value, SECRET_WIDTH);
    for (const hash of value.length <= 200 ? windows : winnow(windows, 4)) marks.add(hash);
    if (marks.size >= MOST_SECRETS_OF_A_TEXT) break;
  }
  return [...marks].slice(0, MOST_SECRETS_OF_A_TEXT);
}

/** A text with everything taken out that re-indenting, re-quoting and changing case alter. */
const normalised = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');

/** Fingerprints of a document, by which a passage of it is known again in another text. */
export function passageMarks(text: string): readonly number[] {
  const plain = normalised(bounded(text));
  return winnow(windowHashes(plain, PASSAGE_WIDTH), PASSAGE_SPAN).slice(0, MOST_PASSAGES_OF_A_TEXT);
}

/** Words between characters that end a token, and the parts of these words between milder ones. */
function* tokensOf(text: string): Generator<string> {
  for (const word of text.split(/[\s"'`<>(){}[\],;|&]+/)) {
    if (word.length < 6) continue;
    yield word;
    for (const part of word.split(/[=:/?#@\\]+/)) if (part.length >= 6 && part !== word) yield part;
  }
}

/** Whether a text holds one of the secrets, whole or a part of 12 characters or more, plain or encoded. Linear. */
export function holdsSecret(text: string, secrets: HashSet): boolean {
  if (secrets.size === 0) return false;
  for (const view of viewsOf(text)) {
    for (const token of tokensOf(view)) if (secrets.has(hash53(token))) return true;
    for (const hash of windowHashes(view, SECRET_WIDTH)) if (secrets.has(hash)) return true;
  }
  return false;
}

/** How many passages in common prove a copy. Two: one may be a licence or an import that everyone has. */
const PASSAGES_THAT_PROVE = 2;

/** Whether a text holds passages of one of the documents. Linear. */
export function holdsPassage(text: string, passages: HashSet): boolean {
  if (passages.size === 0) return false;
  let found = 0;
  for (const hash of windowHashes(normalised(bounded(text)), PASSAGE_WIDTH)) {
    if (passages.has(hash) && ++found >= PASSAGES_THAT_PROVE) return true;
  }
  return false;
}
