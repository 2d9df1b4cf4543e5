/** One part of a glob between separators. */
export type Segment =
  | { readonly type: 'any' }
  | { readonly type: 'literal'; readonly text: string; readonly folded: string }
  | { readonly type: 'glob'; readonly tokens: readonly Token[] };

/** `folded` texts are lower-cased. A `class` is `[abc]`, `[a-z]`, `[!x]`. */
export type Token =
  | { readonly type: 'star' }
  | { readonly type: 'one' }
  | { readonly type: 'char'; readonly char: string; readonly folded: string }
  | { readonly type: 'class'; readonly isNegated: boolean; readonly ranges: readonly (readonly [string, string])[] };

/**
 * Compiles one segment: `*`, `?`, `[…]` and backslash escapes. Own code instead of a regular expression: matching is
 * linear in text × pattern whatever the pattern, and two globs can be asked whether they overlap.
 * Returns a message when the segment is no good.
 */
export function compileSegment(text: string): Segment | string {
  if (!/[*?[\\]/.test(text)) return { type: 'literal', text, folded: text.toLowerCase() };
  const tokens: Token[] = [];
  const characters = [...text];
  for (let index = 0; index < characters.length; index += 1) {
    const character = characters[index] ?? '';
    if (character === '\\') {
      index += 1;
      const escaped = characters[index];
      if (escaped === undefined) return 'a backslash at the end escapes nothing';
      tokens.push(charToken(escaped));
    } else if (character === '*') {
      if (tokens[tokens.length - 1]?.type !== 'star') tokens.push({ type: 'star' });
    } else if (character === '?') tokens.push({ type: 'one' });
    else if (character === '[') {
      const found = readClass(characters, index);
      if (found === null) return 'a "[" that is never closed; write "\\[" for the character';
      tokens.push(found.token);
      index = found.end;
    } else tokens.push(charToken(character));
  }
  const literal = tokens.every((token) => token.type === 'char');
  if (!literal) return { type: 'glob', tokens };
  const plain = tokens.map((token) => (token.type === 'char' ? token.char : '')).join('');
  return { type: 'literal', text: plain, folded: plain.toLowerCase() };
}

const charToken = (char: string): Token => ({ type: 'char', char, folded: char.toLowerCase() });

function readClass(characters: readonly string[], start: number): { token: Token; end: number } | null {
  let index = start + 1;
  const isNegated = characters[index] === '!' || characters[index] === '^';
  if (isNegated) index += 1;
  const ranges: (readonly [string, string])[] = [];
  for (let isFirst = true; index < characters.length; isFirst = false) {
    let low = characters[index] ?? '';
    if (low === ']' && !isFirst) return { token: { type: 'class', isNegated, ranges }, end: index };
    if (low === '\\') {
      index += 1;
      low = characters[index] ?? '';
    }
    const high = characters[index + 2];
    if (characters[index + 1] === '-' && high !== undefined && high !== ']') {
      ranges.push([low, high]);
      index += 3;
    } else {
      ranges.push([low, low]);
      index += 1;
    }
  }
  return null;
}

/** Whether two segments, neither of them `any`, have a name in common. Symmetric; linear in the product of their lengths. */
export function overlaps(a: Segment, b: Segment, ignoreCase: boolean): boolean {
  if (a.type === 'any' || b.type === 'any') return true;
  if (a.type === 'literal' && b.type === 'literal') return ignoreCase ? a.folded === b.folded : a.text === b.text;
  if (a.type === 'literal' && b.type === 'glob') return tokensMatch(b.tokens, a.text, ignoreCase);
  if (a.type === 'glob' && b.type === 'literal') return tokensMatch(a.tokens, b.text, ignoreCase);
  return a.type === 'glob' && b.type === 'glob' && tokensOverlap(a.tokens, b.tokens, ignoreCase);
}

/** Whether every name of the second segment is one of the first, as far as their tokens show it. Errs on the side of no. */
export function coversSegment(wide: Segment, narrow: Segment, ignoreCase: boolean): boolean {
  if (wide.type === 'any') return true;
  if (narrow.type === 'any') return false;
  if (narrow.type === 'literal') return overlaps(wide, narrow, ignoreCase);
  return wide.type === 'glob' && tokensCover(wide.tokens, narrow.tokens, ignoreCase);
}

/** Tokens against tokens: what stands for many is taken by a star, or by its like. */
const tokensCover = (wide: readonly Token[], narrow: readonly Token[], ignoreCase: boolean): boolean =>
  takesAll(wide, narrow, (token, part) => tokenCovers(token, part, ignoreCase));

function tokenCovers(wide: Token, narrow: Token, ignoreCase: boolean): boolean {
  if (narrow.type === 'star') return false;
  if (wide.type === 'one') return true;
  return narrow.type === 'char'
    ? tokenHas(wide, narrow.char, ignoreCase)
    : JSON.stringify(wide) === JSON.stringify(narrow);
}

/** Whether the tokens match the whole text. */
export const tokensMatch = (tokens: readonly Token[], text: string, ignoreCase: boolean): boolean =>
  takesAll(tokens, [...text], (token, character) => tokenHas(token, character, ignoreCase));

/** Whether tokens take every part, in order. The classic two-pointer walk: the last star takes one more on each mismatch. */
function takesAll<Part>(
  tokens: readonly Token[],
  parts: readonly Part[],
  takes: (token: Token, part: Part) => boolean,
): boolean {
  let token = 0;
  let at = 0;
  let star = -1;
  let starAt = 0;
  while (at < parts.length) {
    const current = tokens[token];
    if (current?.type === 'star') {
      star = token;
      starAt = at;
      token += 1;
    } else if (current !== undefined && takes(current, parts[at] as Part)) {
      token += 1;
      at += 1;
    } else if (star >= 0) {
      starAt += 1;
      at = starAt;
      token = star + 1;
    } else return false;
  }
  while (tokens[token]?.type === 'star') token += 1;
  return token === tokens.length;
}

function tokenHas(token: Token, char: string, ignoreCase: boolean): boolean {
  switch (token.type) {
    case 'star':
    case 'one':
      return true;
    case 'char':
      return token.char === char || (ignoreCase && token.folded === char.toLowerCase());
    case 'class':
      return token.isNegated !== inRanges(token.ranges, char, ignoreCase);
  }
}

function inRanges(ranges: readonly (readonly [string, string])[], char: string, ignoreCase: boolean): boolean {
  const forms = ignoreCase ? [char, char.toLowerCase(), char.toUpperCase()] : [char];
  return ranges.some(([low, high]) => forms.some((form) => low <= form && form <= high));
}

/** Whether some text matches both. Classes are taken to overlap whatever they may share: errs on the side of yes. */
function tokensOverlap(a: readonly Token[], b: readonly Token[], ignoreCase: boolean): boolean {
  const width = b.length + 1;
  const seen = new Uint8Array((a.length + 1) * width);
  const open: [number, number][] = [[0, 0]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [i, j] = next;
    if (i > a.length || j > b.length || seen[i * width + j] === 1) continue;
    seen[i * width + j] = 1;
    if (i === a.length && j === b.length) return true;
    const left = a[i];
    const right = b[j];
    if (left?.type === 'star') open.push([i + 1, j], ...(right === undefined ? [] : [[i, j + 1] as [number, number]]));
    if (right?.type === 'star') open.push([i, j + 1], ...(left === undefined ? [] : [[i + 1, j] as [number, number]]));
    if (left === undefined || right === undefined || left.type === 'star' || right.type === 'star') continue;
    if (tokensShare(left, right, ignoreCase)) open.push([i + 1, j + 1]);
  }
  return false;
}

function tokensShare(a: Token, b: Token, ignoreCase: boolean): boolean {
  if (a.type === 'char') return tokenHas(b, a.char, ignoreCase);
  if (b.type === 'char') return tokenHas(a, b.char, ignoreCase);
  return true;
}
