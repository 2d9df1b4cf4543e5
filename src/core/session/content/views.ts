import { fromBase64, fromHex } from '../../effects/encoding.js';

/** Above this, only the first and last half are looked at: a bound on time. */
export const MOST_CHARACTERS = 400_000;

/** A text cut to the bound. */
export function bounded(text: string): string {
  if (text.length <= MOST_CHARACTERS) return text;
  return text.slice(0, MOST_CHARACTERS / 2) + text.slice(-MOST_CHARACTERS / 2);
}

function percentDecoded(text: string): string | null {
  if (!/%[0-9a-f]{2}/i.test(text)) return null;
  return text.replace(/%([0-9a-f]{2})/gi, (_all, pair: string) => String.fromCharCode(Number.parseInt(pair, 16)));
}

/** Runs of base64 letters decoded, each from all four starts, since a run may begin in the middle of a group. */
function base64Decoded(text: string): string | null {
  const runs = text.match(/[A-Za-z0-9+/_-]{12,}(?:\s?[A-Za-z0-9+/_-]{12,})*/g);
  if (runs === null) return null;
  const out: string[] = [];
  for (const run of runs) {
    const letters = run.replace(/\s/g, '');
    for (let start = 0; start < 4; start++) {
      const rest = letters.slice(start);
      const whole = fromBase64(rest.slice(0, rest.length - (rest.length % 4 === 1 ? 1 : 0)));
      if (whole !== null) out.push(whole);
    }
  }
  return out.length === 0 ? null : out.join('\n');
}

function hexDecoded(text: string): string | null {
  const runs = text.match(/(?:(?:\\x|0x|%)?[0-9a-f]{2}[\s:,]?){8,}/gi);
  if (runs === null) return null;
  return runs.map((run) => fromHex(run.replace(/\\x|0x|[%\s:,]/gi, ''))).join('\n');
}

/** String literals put together again, as in `"sk_" + "live"` or `'a' 'b'`, and escapes of a line break taken out. */
function concatenated(text: string): string | null {
  const whole = text.replace(/(["'`])\s*(?:[+.]\s*)?\1/g, '').replace(/\\\r?\n/g, '');
  return whole.length === text.length ? null : whole;
}

const reversed = (text: string): string => [...text].reverse().join('');

/**
 * The text, and what it says when its encodings are undone: percent, base64, hex, split literals, reversed; two layers deep, so
 * that base64 of a percent-encoded text is seen. Compressed and encrypted texts are not seen through. Linear.
 */
export function viewsOf(text: string): readonly string[] {
  const whole = bounded(text);
  const first = [percentDecoded(whole), base64Decoded(whole), hexDecoded(whole), concatenated(whole)].filter(
    (view) => view !== null,
  );
  const second = first.flatMap((view) => [percentDecoded(view), base64Decoded(view)]).filter((view) => view !== null);
  return [whole, ...first, ...second, reversed(whole)];
}
