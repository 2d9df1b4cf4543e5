/** One part of a pattern: any number of characters, or one character that fits. */
type Part = 'any' | ((character: string) => boolean);

/** A pattern of the shell over one text, taken apart. Matching takes time by its length times that of the text, whatever it is. */
export type Wildcard = readonly Part[];

const CLASSES: Readonly<Record<string, string>> = {
  alnum: 'a-zA-Z0-9',
  alpha: 'a-zA-Z',
  digit: '0-9',
  lower: 'a-z',
  space: '\\s',
  upper: 'A-Z',
  xdigit: '0-9a-fA-F',
};

const ANY: Part = () => true;

/**
 * Takes a pattern apart: `*`, `?`, `[…]`, and a backslash that takes the next character as it is. Null when a class in brackets is
 * none that is understood. Source: POSIX 2.13, Pattern Matching Notation.
 */
export function wildcardOf(pattern: string, isCaseSensitive: boolean): Wildcard | null {
  const parts: Part[] = [];
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern.charAt(at);
    if (character === '*') {
      if (parts.at(-1) !== 'any') parts.push('any');
    } else if (character === '?') parts.push(ANY);
    else if (character === '[') {
      const [part, end] = bracket(pattern, at, isCaseSensitive);
      if (part === null) return null;
      parts.push(part);
      at = end;
    } else {
      if (character === '\\' && at + 1 < pattern.length) at += 1;
      parts.push(literal(pattern.charAt(at), isCaseSensitive));
    }
  }
  return parts;
}

function literal(character: string, isCaseSensitive: boolean): Part {
  if (isCaseSensitive) return (other) => other === character;
  const folded = character.toLowerCase();
  return (other) => other.toLowerCase() === folded;
}

/** `[!a-z]` at an index: what it takes, and the index of its last character. An unclosed one is a literal bracket. */
function bracket(pattern: string, start: number, isCaseSensitive: boolean): readonly [Part | null, number] {
  // A bracket that stands first does not close.
  const [head = '['] = /^\[[!^]?\]?/.exec(pattern.slice(start, start + 3)) ?? [];
  const close = pattern.indexOf(']', start + head.length);
  if (close < 0) return [literal('[', true), start];
  const inner = pattern.slice(start + 1, close);
  const named = /^([!^]?)\[:(\w+):$/.exec(inner);
  if (named && pattern.charAt(close + 1) === ']')
    return [oneOf(`[${named[1] ? '^' : ''}${CLASSES[named[2] ?? ''] ?? '\\S\\s'}]`, isCaseSensitive), close + 1];
  const isNegated = /^[!^]/.test(inner);
  const members = (isNegated ? inner.slice(1) : inner).replace(/[\\^\][]/g, '\\$&').replace(/[&~|{}()/]/g, '\\$&');
  const ordered = members.replace(/(.)-(.)/g, (range, low: string, high: string) =>
    low <= high ? range : `${low}${high}`,
  );
  return [oneOf(`[${isNegated ? '^' : ''}${ordered}]`, isCaseSensitive), close];
}

/** A test of one character by a class of ours; null where it is no valid one. */
function oneOf(source: string, isCaseSensitive: boolean): Part | null {
  try {
    const expression = new RegExp(`^${source}$`, isCaseSensitive ? 's' : 'si');
    return (character) => expression.test(character);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Whether a text as a whole fits. Goes back to the latest star only, which is enough. */
export function fits(wildcard: Wildcard, text: string): boolean {
  let at = 0;
  let part = 0;
  let star = -1;
  let afterStar = 0;
  while (at < text.length) {
    const next = wildcard[part];
    if (next === 'any') {
      star = part;
      afterStar = at;
      part += 1;
    } else if (next?.(text.charAt(at)) === true) {
      at += 1;
      part += 1;
    } else if (star >= 0) {
      afterStar += 1;
      at = afterStar;
      part = star + 1;
    } else return false;
  }
  while (wildcard[part] === 'any') part += 1;
  return part === wildcard.length;
}

/** How long the beginnings of a text are that fit, in rising order. Follows all readings at once. */
export function* fittingLengths(wildcard: Wildcard, text: string): Generator<number> {
  let places = new Set<number>();
  /** A star may also take nothing. */
  const enter = (into: Set<number>, place: number): void => {
    let next = place;
    into.add(next);
    while (wildcard[next] === 'any') {
      next += 1;
      into.add(next);
    }
  };
  enter(places, 0);
  for (let at = 0; ; at += 1) {
    if (places.has(wildcard.length)) yield at;
    if (at === text.length || places.size === 0) return;
    const character = text.charAt(at);
    const following = new Set<number>();
    for (const place of places) {
      const part = wildcard[place];
      if (part === 'any') enter(following, place);
      else if (part?.(character) === true) enter(following, place + 1);
    }
    places = following;
  }
}
