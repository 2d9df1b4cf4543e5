/** Why a reader does not see what stands there. */
export type HiddenKind = 'bidirectional' | 'invisible' | 'tag' | 'control' | 'look-alike';

/** One place in a text that reads differently from what it is. */
export interface HiddenText {
  readonly kind: HiddenKind;
  /** In UTF-16 units from the start. */
  readonly offset: number;
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 units. */
  readonly column: number;
  /** In words: `U+202E right-to-left override`, `"pаypal" mixes scripts`. */
  readonly what: string;
}

const NAMES: ReadonlyMap<number, string> = new Map([
  [0x00ad, 'soft hyphen'],
  [0x061c, 'Arabic letter mark'],
  [0x115f, 'Hangul filler'],
  [0x1160, 'Hangul filler'],
  [0x180e, 'Mongolian vowel separator'],
  [0x200b, 'zero-width space'],
  [0x200c, 'zero-width non-joiner'],
  [0x200d, 'zero-width joiner'],
  [0x200e, 'left-to-right mark'],
  [0x200f, 'right-to-left mark'],
  [0x202a, 'left-to-right embedding'],
  [0x202b, 'right-to-left embedding'],
  [0x202c, 'pop directional formatting'],
  [0x202d, 'left-to-right override'],
  [0x202e, 'right-to-left override'],
  [0x2060, 'word joiner'],
  [0x2061, 'function application'],
  [0x2062, 'invisible times'],
  [0x2063, 'invisible separator'],
  [0x2064, 'invisible plus'],
  [0x2066, 'left-to-right isolate'],
  [0x2067, 'right-to-left isolate'],
  [0x2068, 'first strong isolate'],
  [0x2069, 'pop directional isolate'],
  [0x3164, 'Hangul filler'],
  [0xfeff, 'byte order mark inside the text'],
  [0xffa0, 'Hangul filler'],
]);

/** Whatever may be hidden; each hit is looked at by {@link judge}. Sorted by code point. */
const SUSPECTS =
  /[\b\u001b\u009b\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\u3164\ufe00-\ufe0f\ufeff\uffa0\u{e0000}-\u{e007f}\u{e0100}-\u{e01ef}]/gu;
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
/** Scripts in which joiners and zero-width spaces are orthography. Source: Unicode 16, chapters 9, 12, 13, 16. */
const JOINING =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u;
const EMOJI = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\u{fe0f}\u{1f1e6}-\u{1f1ff}♀♂⚕]/u;

/** No text needs more to be shown as suspicious. */
const MOST = 100;

/**
 * Finds characters that hide text or make it look like other text: bidirectional controls (CVE-2021-42574), zero-width and
 * filler characters, tags, stacked variation selectors, terminal escapes, and words in which Latin letters are replaced by
 * look-alikes. What languages and emoji need is left alone: joiners between emoji or in scripts that join, marks beside
 * right-to-left letters, a byte order mark at the start, flags. Linear; at most 100 answers.
 */
export function findHiddenText(text: string): readonly HiddenText[] {
  const found: { kind: HiddenKind; offset: number; what: string }[] = [];
  for (const match of text.matchAll(SUSPECTS)) {
    if (found.length >= MOST) break;
    const kind = judge(text, match.index, match[0]);
    if (kind !== null) found.push({ kind, offset: match.index, what: nameOf(match[0]) });
  }
  if (LOOK_ALIKE.test(text)) found.push(...lookAlikes(text, MOST - found.length));
  return found.sort((a, b) => a.offset - b.offset).map((one) => ({ ...one, ...positionOf(text, one.offset) }));
}

/** In words, for the note of an effect: the first three places. Empty when there are none. */
export function describeHidden(found: readonly HiddenText[]): string {
  const shown = found.slice(0, 3).map(({ what, line, column }) => `${what} at ${String(line)}:${String(column)}`);
  const rest = found.length - shown.length;
  return shown.join(', ') + (rest > 0 ? ` and ${String(rest)} more` : '');
}

/** What a suspect character is here; null where it has its place in ordinary text. */
function judge(text: string, offset: number, character: string): HiddenKind | null {
  const point = character.codePointAt(0) ?? 0;
  const before = characterBefore(text, offset);
  const after = String.fromCodePoint(text.codePointAt(offset + character.length) ?? 0x20);
  if (point < 0x20 || point === 0x9b) return 'control';
  if (point >= 0xe0000 && point <= 0xe007f) return isInFlag(text, offset) ? null : 'tag';
  if ((point >= 0xfe00 && point <= 0xfe0f) || point >= 0xe0100)
    return isStackedSelector(point, before, after) ? 'tag' : null;
  if (point === 0x200e || point === 0x200f || point === 0x061c) {
    return RIGHT_TO_LEFT.test(lineAround(text, offset)) ? null : 'bidirectional';
  }
  if (point === 0x200d)
    return (EMOJI.test(before) && EMOJI.test(after)) || JOINING.test(before + after) ? null : 'invisible';
  if (point === 0x200b || point === 0x200c) return JOINING.test(before + after) ? null : 'invisible';
  if (point === 0x00ad)
    return /[A-Za-z_]/.test(before) && /[A-Za-z_]/.test(after) && !/\s/.test(lineAround(text, offset).trim())
      ? 'invisible'
      : null;
  if (point === 0xfeff) return offset === 0 ? null : 'invisible';
  return (point >= 0x202a && point <= 0x202e) || (point >= 0x2066 && point <= 0x2069) ? 'bidirectional' : 'invisible';
}

/** Variation selectors choose a form of the one character before them; a chain of them, or one after a letter, carries data. */
function isStackedSelector(point: number, before: string, after: string): boolean {
  const isSelector = (one: string): boolean => /[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/u.test(one);
  if (isSelector(before) || isSelector(after)) return true;
  return point >= 0xe0100 ? !/\p{Script=Han}/u.test(before) : /[A-Za-z\s]/.test(before);
}

/** `🏴` followed by tag letters and the cancel tag is the flag of a region. Source: UTS #51, emoji tag sequences. */
function isInFlag(text: string, offset: number): boolean {
  const around = text.slice(Math.max(0, offset - 16), offset + 18);
  return /\u{1f3f4}[\u{e0061}-\u{e007a}\u{e0030}-\u{e0039}]{2,6}\u{e007f}/u.test(around);
}

/** Letters of other scripts that are drawn like Latin ones. Source: Unicode confusables (UTS #39), the single-letter ones. */
const DRAWN_LIKE_LATIN = 'аеорсухіјѕһԁԛԝѵАВЕКМНОРСТХУЅІЈԌοΑΒΕΖΗΙΚΜΝΟΡΤΥΧցհոսօ';
const WORD_WITH_LOOK_ALIKE = new RegExp(
  `(?<![\\p{L}\\p{N}_])(?=[\\p{L}\\p{N}_]{0,100}[${DRAWN_LIKE_LATIN}])[A-Za-z0-9_${DRAWN_LIKE_LATIN}]{2,100}(?![\\p{L}\\p{N}_])`,
  'gu',
);

/** Whether there is any such letter: far quicker to tell than in which word. */
const LOOK_ALIKE = new RegExp(`[${DRAWN_LIKE_LATIN}]`);

/** Words that read as Latin, since each of their other letters is drawn like a Latin one. */
function lookAlikes(text: string, most: number): { kind: HiddenKind; offset: number; what: string }[] {
  const found: { kind: HiddenKind; offset: number; what: string }[] = [];
  for (const match of text.matchAll(WORD_WITH_LOOK_ALIKE)) {
    if (found.length >= most) break;
    if (!/[A-Za-z]/.test(match[0])) continue;
    found.push({ kind: 'look-alike', offset: match.index, what: `"${match[0]}" mixes scripts` });
  }
  return found;
}

function nameOf(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  const name =
    NAMES.get(point) ??
    (point >= 0xe0000 && point <= 0xe007f
      ? 'tag character'
      : point < 0xa0
        ? 'control character'
        : 'variation selector');
  return `U+${point.toString(16).toUpperCase().padStart(4, '0')} ${name}`;
}

/** The code point that ends right before an offset; a space at the start. */
function characterBefore(text: string, offset: number): string {
  const low = text[offset - 1] ?? ' ';
  return /[\udc00-\udfff]/.test(low) ? (text[offset - 2] ?? '') + low : low;
}

function lineAround(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const end = text.indexOf('\n', offset);
  return text.slice(Math.max(start, offset - 400), Math.min(end < 0 ? text.length : end, offset + 400));
}

function positionOf(text: string, offset: number): { line: number; column: number } {
  let line = 1;
  let start = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) {
    line += 1;
    start = at + 1;
  }
  return { line, column: offset - start + 1 };
}
