const BASE = 36;
const T_MIN = 1;
const T_MAX = 26;
const SKEW = 38;
const DAMP = 700;

const adapt = (delta: number, length: number, isFirst: boolean): number => {
  let rest = isFirst ? Math.floor(delta / DAMP) : delta >> 1;
  rest += Math.floor(rest / length);
  let bias = 0;
  while (rest > ((BASE - T_MIN) * T_MAX) >> 1) {
    rest = Math.floor(rest / (BASE - T_MIN));
    bias += BASE;
  }
  return bias + Math.floor(((BASE - T_MIN + 1) * rest) / (rest + SKEW));
};

const digit = (value: number): string => String.fromCharCode(value < 26 ? value + 97 : value + 22);

const threshold = (k: number, bias: number): number => Math.min(Math.max(k - bias, T_MIN), T_MAX);

function encodeDelta(delta: number, bias: number): string {
  let out = '';
  let rest = delta;
  for (let k = BASE; ; k += BASE) {
    const t = threshold(k, bias);
    if (rest < t) return out + digit(rest);
    out += digit(t + ((rest - t) % (BASE - t)));
    rest = Math.floor((rest - t) / (BASE - t));
  }
}

/**
 * One label of a host name as DNS carries it: `bücher` → `xn--bcher-kva`; a label of ASCII alone comes back as it is.
 * The label must be mapped already (lower case, NFKC). Quadratic in the label, which DNS keeps to 63 characters.
 * Source: RFC 3492 §6.3.
 */
export function asciiLabel(label: string): string {
  const points = Array.from(label, (character) => character.codePointAt(0) ?? 0);
  const basic = points.filter((point) => point < 128);
  if (basic.length === points.length) return label;
  let out = String.fromCharCode(...basic) + (basic.length > 0 ? '-' : '');
  let handled = basic.length;
  let n = 128;
  let delta = 0;
  let bias = 72;
  while (handled < points.length) {
    const next = Math.min(...points.filter((point) => point >= n));
    delta += (next - n) * (handled + 1);
    n = next;
    for (const point of points) {
      if (point < n) delta += 1;
      if (point !== n) continue;
      out += encodeDelta(delta, bias);
      bias = adapt(delta, handled + 1, handled === basic.length);
      delta = 0;
      handled += 1;
    }
    delta += 1;
    n += 1;
  }
  return `xn--${out}`;
}

/** The reverse of {@link asciiLabel}: `xn--bcher-kva` → `bücher`; null when the label is no valid punycode. */
export function unicodeLabel(label: string): string | null {
  if (!label.startsWith('xn--')) return label;
  const text = label.slice(4);
  const cut = text.lastIndexOf('-');
  const points = Array.from(cut > 0 ? text.slice(0, cut) : '', (character) => character.charCodeAt(0));
  let n = 128;
  let i = 0;
  let bias = 72;
  for (let at = cut > 0 ? cut + 1 : cut === 0 ? 1 : 0; at < text.length;) {
    const before = i;
    let weight = 1;
    for (let k = BASE; ; k += BASE) {
      const code = text.charCodeAt(at++);
      const value = code >= 97 && code <= 122 ? code - 97 : code >= 48 && code <= 57 ? code - 22 : -1;
      if (value < 0) return null;
      i += value * weight;
      const t = threshold(k, bias);
      if (value < t) break;
      weight *= BASE - t;
    }
    bias = adapt(i - before, points.length + 1, before === 0);
    n += Math.floor(i / (points.length + 1));
    i %= points.length + 1;
    if (n > 0x10ffff) return null;
    points.splice(i, 0, n);
    i += 1;
  }
  return String.fromCodePoint(...points);
}
