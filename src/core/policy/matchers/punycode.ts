/** International host name → its ASCII form, label by label. Wildcards pass through. Source: RFC 3492, RFC 5891. */
export const toAsciiHost = (host: string): string =>
  host
    .normalize('NFKC')
    .toLowerCase()
    .split(/[.\u3002\uff0e\uff61]/)
    .map((label) => (/^[\u0000-\u007f]*$/.test(label) ? label : `xn--${encode(label)}`))
    .join('.');

const BASE = 36;
const T_MIN = 1;
const T_MAX = 26;

/** Punycode of one label. */
function encode(label: string): string {
  const points = [...label].map((character) => character.codePointAt(0) ?? 0);
  let output = points
    .filter((point) => point < 128)
    .map((point) => String.fromCodePoint(point))
    .join('');
  const basic = output.length;
  let handled = basic;
  if (basic > 0) output += '-';
  let next = 128;
  let delta = 0;
  let bias = 72;
  while (handled < points.length) {
    const smallest = Math.min(...points.filter((point) => point >= next));
    delta += (smallest - next) * (handled + 1);
    next = smallest;
    for (const point of points) {
      if (point < next) delta += 1;
      if (point !== next) continue;
      output += digits(delta, bias);
      bias = adapt(delta, handled + 1, handled === basic);
      delta = 0;
      handled += 1;
    }
    delta += 1;
    next += 1;
  }
  return output;
}

function digits(delta: number, bias: number): string {
  let text = '';
  let rest = delta;
  for (let k = BASE; ; k += BASE) {
    const threshold = k <= bias ? T_MIN : k >= bias + T_MAX ? T_MAX : k - bias;
    if (rest < threshold) return text + digit(rest);
    text += digit(threshold + ((rest - threshold) % (BASE - threshold)));
    rest = Math.floor((rest - threshold) / (BASE - threshold));
  }
}

const digit = (value: number): string => String.fromCharCode(value < 26 ? 97 + value : 22 + value);

function adapt(delta: number, points: number, isFirst: boolean): number {
  let rest = isFirst ? Math.floor(delta / 700) : delta >> 1;
  rest += Math.floor(rest / points);
  let k = 0;
  for (; rest > ((BASE - T_MIN) * T_MAX) >> 1; k += BASE) rest = Math.floor(rest / (BASE - T_MIN));
  return k + Math.floor(((BASE - T_MIN + 1) * rest) / (rest + 38));
}
