import { findSecrets, maskSecrets } from '../core/effects/secrets.js';
import type { Output } from '../core/gate/outcome.js';

/** Masks secrets in a text and says how many there were. */
export type Mask = (text: string) => { readonly text: string; readonly count: number };

/** The mask of live sessions: whatever the core takes for a secret. */
export const maskFoundSecrets: Mask = (text) => {
  const { length } = findSecrets(text);
  return length === 0 ? { text, count: 0 } : { text: maskSecrets(text), count: length };
};

/** A mask that finds nothing; for tests of other things. */
export const maskNothing: Mask = (text) => ({ text, count: 0 });

/** A mask that also hides these very values, such as credentials that the executor itself added. */
export const maskingAlso =
  (mask: Mask, values: readonly string[]): Mask =>
  (text) => {
    let count = 0;
    let result = text;
    for (const value of values) {
      if (value.length < 4) continue;
      const parts = result.split(value);
      count += parts.length - 1;
      result = parts.join('•••');
    }
    const masked = mask(result);
    return { text: masked.text, count: masked.count + count };
  };

/** How much text goes back to an agent from one filling, in bytes; the rest is left out in the middle. */
export const OUTPUT_CAP_BYTES = 128 * 1024;

// Sequences that move the cursor, set titles, colours or the clipboard. Source: ECMA-48 §5; OSC, DCS, APC, PM, SOS strings
// end with BEL or ST. C1 controls in their 8-bit form are covered by the last alternative.
const ESCAPES =
  /\u001b\[[0-?]*[ -/]*[@-~]|\u001b[\]PX^_][^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)?|\u001b[ -/]*[0-~]|\u009b[0-?]*[ -/]*[@-~]|\u009d[^\u0007\u009c]*[\u0007\u009c]?/g;

const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;
/** Bidirectional controls can make text read other than it is. Source: Unicode TR9, CVE-2021-42574. */
const BIDIRECTIONAL = /[\u202a-\u202e\u2066-\u2069]/g;

/**
 * Text that is safe to show: escape sequences gone, a line overwritten by `\r` shown as its last state, other control
 * characters as `�`. Idempotent. Linear.
 */
export function neutralise(text: string): string {
  const plain = text.replace(ESCAPES, '').replaceAll('\r\n', '\n');
  const lines = plain.includes('\r') ? plain.split('\n').map(lastState).join('\n') : plain;
  return lines.replace(CONTROLS, '\ufffd').replace(BIDIRECTIONAL, '\ufffd');
}

/** What a terminal shows of a line in the end: what follows the last `\r` that something follows. */
function lastState(line: string): string {
  const trimmed = line.replace(/\r+$/, '');
  return trimmed.slice(trimmed.lastIndexOf('\r') + 1);
}

/** Bytes as text, whatever they are: broken UTF-8 becomes `�`. */
export const decodeSafely = (bytes: Uint8Array): string => new TextDecoder('utf-8').decode(bytes);

/** Keeps the first and last bytes of a stream and counts what fell out between. Memory is bounded by the cap. */
export class Middle {
  readonly #headCap: number;
  readonly #tailCap: number;
  readonly #head: Buffer[] = [];
  #headBytes = 0;
  #tail: Buffer[] = [];
  #tailBytes = 0;
  #totalBytes = 0;

  constructor(capBytes: number) {
    this.#headCap = Math.floor(capBytes / 2);
    this.#tailCap = capBytes - this.#headCap;
  }

  get totalBytes(): number {
    return this.#totalBytes;
  }

  push(chunk: Buffer): void {
    this.#totalBytes += chunk.length;
    let rest = chunk;
    if (this.#headBytes < this.#headCap) {
      const part = rest.subarray(0, this.#headCap - this.#headBytes);
      this.#head.push(Buffer.from(part));
      this.#headBytes += part.length;
      rest = rest.subarray(part.length);
    }
    if (rest.length === 0) return;
    this.#tail.push(Buffer.from(rest.subarray(Math.max(0, rest.length - this.#tailCap))));
    this.#tailBytes += this.#tail.at(-1)?.length ?? 0;
    if (this.#tailBytes > 2 * this.#tailCap) this.#trim();
  }

  #trim(): void {
    const joined = Buffer.concat(this.#tail);
    const kept = joined.subarray(Math.max(0, joined.length - this.#tailCap));
    this.#tail = [Buffer.from(kept)];
    this.#tailBytes = kept.length;
  }

  /** What was kept, and how many bytes were not. */
  end(): { readonly head: Buffer; readonly tail: Buffer; readonly droppedBytes: number } {
    this.#trim();
    return {
      head: Buffer.concat(this.#head),
      tail: this.#tail[0] ?? Buffer.alloc(0),
      droppedBytes: this.#totalBytes - this.#headBytes - this.#tailBytes,
    };
  }
}

/** How much of a torn line is given up for a clean cut. */
const MAX_CUT_BYTES = 4_096;

const gap = (bytes: number): string => `\n… ${String(bytes)} bytes left out …\n`;

/** What a stream left, as an output for the agent: decoded, neutralised, masked, untrusted. */
export function outputOfStream(stream: Middle, mask: Mask): Output {
  const { head, tail, droppedBytes } = stream.end();
  if (droppedBytes === 0) {
    const whole = mask(neutralise(decodeSafely(Buffer.concat([head, tail]))));
    return { text: whole.text, droppedBytes, maskedSecrets: whole.count, isUntrusted: true };
  }
  // Cut at line ends where one is near, so that no half of a secret escapes the mask.
  const headCut = head.lastIndexOf(10) + 1;
  const tailCut = tail.indexOf(10) + 1;
  const first = head.length - headCut < MAX_CUT_BYTES ? head.subarray(0, headCut) : head;
  const last = tailCut < MAX_CUT_BYTES ? tail.subarray(tailCut) : tail;
  const dropped = droppedBytes + (head.length - first.length) + (tail.length - last.length);
  const masked = mask(neutralise(decodeSafely(first) + gap(dropped) + decodeSafely(last)));
  return { text: masked.text, droppedBytes: dropped, maskedSecrets: masked.count, isUntrusted: true };
}

/** A text as an output for the agent: capped in the middle, neutralised, masked, untrusted. */
export function outputOfText(text: string, mask: Mask, capBytes = OUTPUT_CAP_BYTES): Output {
  const middle = new Middle(capBytes);
  middle.push(Buffer.from(text, 'utf8'));
  return outputOfStream(middle, mask);
}

/** A sentence of Lacuna's own, such as a note after a write: nothing in it came from outside but names. */
export const ownWords = (text: string): Output => ({
  text: neutralise(text),
  droppedBytes: 0,
  maskedSecrets: 0,
  isUntrusted: false,
});
