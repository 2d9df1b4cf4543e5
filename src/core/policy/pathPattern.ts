import type { Spare } from '../effects/effect.js';
import { compileSegment, overlaps, type Segment } from './segmentPattern.js';

/** Where paths of the machine begin: what relative and `~` patterns are anchored at. All canonical, `/`-separated. */
export interface Anchors {
  readonly roots: readonly string[];
  readonly home: string;
  readonly isCaseSensitive: boolean;
  /** A path with its links resolved, as far as they are there. [as it is] */
  readonly realPath?: (path: string) => string;
}

/**
 * A glob over whole paths, compiled without knowing where the workspace is, so that packs compile once.
 * `**` is any number of folders, `x/**` includes `x`, dotfiles count, a backslash escapes, braces are alternatives.
 */
export interface PathPattern {
  readonly text: string;
  readonly alternatives: readonly Alternative[];
}

interface Alternative {
  readonly anchor: 'root' | 'home' | 'absolute';
  /** Folders to go up from the anchor before matching begins: `../x`. */
  readonly up: number;
  readonly segments: readonly Segment[];
}

/** How surely a path or a set of paths must fall under a pattern. */
export interface PathQuestion {
  readonly path: string;
  /** `exact`: this path. `glob`: whatever the path, read as a glob, may name. `below`: unknown, somewhere below the path (all of the machine when empty). */
  readonly extent: 'exact' | 'glob' | 'below';
  /** Whether everything below is touched too. */
  readonly isRecursive: boolean;
  readonly ignoreCase: boolean;
  /** Names that are left out below. */
  readonly spares?: readonly Spare[];
}

/** Compiles a glob. Returns a message in words when it is no good. */
export function compilePath(text: string): PathPattern | string {
  const alternatives: Alternative[] = [];
  const expanded = expandBraces(text.normalize('NFC'));
  if (expanded === null) return 'the braces give too many alternatives';
  for (const one of expanded) {
    const alternative = compileAlternative(one);
    if (typeof alternative === 'string') return alternative;
    alternatives.push(alternative);
  }
  return { text, alternatives };
}

function compileAlternative(text: string): Alternative | string {
  if (text.startsWith('!')) return 'a pattern cannot be negated with "!": use `not`';
  let rest = text;
  let anchor: Alternative['anchor'] = 'root';
  if (rest === '~' || rest.startsWith('~/')) {
    anchor = 'home';
    rest = rest.slice(2);
  } else if (rest.startsWith('/') || /^[A-Za-z]:(\/|$)/.test(rest)) anchor = 'absolute';
  // A folder written with a slash at its end means all that is in it.
  if (rest.endsWith('/') && rest.length > 1) rest += '**';
  const segments: Segment[] = [];
  let up = 0;
  for (const part of splitUnescaped(rest, '/')) {
    if (part === '' || part === '.') continue;
    if (part === '..') {
      if (segments.pop() === undefined) {
        if (anchor !== 'absolute') up += 1;
      }
      continue;
    }
    if (part === '**') {
      if (segments[segments.length - 1]?.type !== 'any') segments.push({ type: 'any' });
      continue;
    }
    const segment = compileSegment(part);
    if (typeof segment === 'string') return segment;
    segments.push(segment);
  }
  return { anchor, up, segments };
}

/** Whether the pattern may hold of anything that the question names. Errs on the side of yes. */
export function couldTouch(pattern: PathPattern, question: PathQuestion, anchors: Anchors): boolean {
  if (question.extent === 'below' && question.path === '') return true;
  return pattern.alternatives.some((alternative) =>
    startsOf(alternative, anchors).some((start) => touchesFrom(start, alternative.segments, question)),
  );
}

/** Whether the pattern surely holds of everything that the question names. Errs on the side of no. */
export function covers(pattern: PathPattern, question: PathQuestion, anchors: Anchors): boolean {
  if (question.extent === 'below') return false;
  return pattern.alternatives.some((alternative) =>
    startsOf(alternative, anchors).some((start) => coversFrom(start, alternative.segments, question)),
  );
}

/** Anchors as lists of literal segments that the pattern's own segments follow. */
function startsOf(alternative: Alternative, anchors: Anchors): readonly (readonly string[])[] {
  if (alternative.anchor === 'absolute') return [[]];
  const bases = alternative.anchor === 'home' ? [anchors.home] : anchors.roots;
  return bases.map((base) => {
    const parts = pathSegments(base);
    return alternative.up === 0 ? parts : parts.slice(0, Math.max(0, parts.length - alternative.up));
  });
}

/** The folders that a pattern begins with, before its first wildcard: absolute, as they are written. */
export const literalStarts = (pattern: PathPattern, anchors: Anchors): readonly string[] =>
  pattern.alternatives.flatMap((alternative) => {
    const names: string[] = [];
    for (const segment of alternative.segments) {
      if (segment.type !== 'literal') break;
      names.push(segment.text);
    }
    if (names.length === 0) return [];
    return startsOf(alternative, anchors).map((start) => {
      const path = [...start, ...names].join('/');
      return /^[A-Za-z]:/.test(path) ? path : `/${path}`;
    });
  });

/** `/a/b` → `['a', 'b']`. */
export const pathSegments = (path: string): string[] =>
  path
    .normalize('NFC')
    .split('/')
    .filter((part) => part !== '' && part !== '.');

/** Positions in `segments` that can be current; position `segments.length` is the end. */
type States = Set<number>;

function close(states: States, segments: readonly Segment[]): States {
  for (const index of states) if (segments[index]?.type === 'any') states.add(index + 1);
  return states;
}

function touchesFrom(start: readonly string[], segments: readonly Segment[], question: PathQuestion): boolean {
  const subject = subjectSegments(question);
  let at = 0;
  // The anchor is a run of literal segments; the subject may be a glob over it, or end above it.
  for (const name of start) {
    const part = subject[at];
    if (part === undefined) return false; // ends above the anchor; a recursive one carries `any` at its end
    if (part.type === 'any') return true; // anything below: errs on the side of yes
    if (!overlaps(part, { type: 'literal', text: name, folded: name.toLowerCase() }, question.ignoreCase)) return false;
    at += 1;
  }
  let states = close(new Set([0]), segments);
  for (; at < subject.length; at += 1) {
    const part = subject[at];
    if (part === undefined) break;
    // Whatever is left of the pattern can match something below, unless all of that is left out.
    if (part.type === 'any') return leavesSome(states, segments, question.spares ?? []);
    const next: States = new Set();
    for (const index of states) {
      const segment = segments[index];
      if (segment === undefined) continue;
      if (segment.type === 'any') next.add(index);
      else if (overlaps(part, segment, question.ignoreCase)) next.add(index + 1);
    }
    states = close(next, segments);
    if (states.size === 0) return false;
  }
  return states.has(segments.length);
}

/** Whether the rest of the pattern, from any state, holds of a path with no name in it that is left out. */
function leavesSome(states: States, segments: readonly Segment[], spares: readonly Spare[]): boolean {
  if (spares.length === 0) return states.size > 0;
  return [...states].some((state) => {
    const rest = segments.slice(state);
    return !spares.some((spare) => rest.some((_, at) => isSparedAt(rest, at, spare)));
  });
}

/** Compared with case: a name that differs in it is another one, or counts as such, which errs on the side of yes. */
function isSparedAt(segments: readonly Segment[], at: number, { glob, what }: Spare): boolean {
  const names = glob.split('/');
  const last = at + names.length - 1;
  if (what !== 'both' && (last === segments.length - 1) !== (what === 'files')) return false;
  return names.every((name, index) => {
    const segment = segments[at + index];
    const pattern = compileSegment(name);
    return segment?.type === 'literal' && typeof pattern !== 'string' && overlaps(pattern, segment, false);
  });
}

function coversFrom(start: readonly string[], segments: readonly Segment[], question: PathQuestion): boolean {
  const subject = subjectSegments(question);
  for (const [index, name] of start.entries()) {
    const part = subject[index];
    if (part?.type !== 'literal') return false;
    if (question.ignoreCase ? part.folded !== name.toLowerCase() : part.text !== name) return false;
  }
  let states = close(new Set([0]), segments);
  for (const part of subject.slice(start.length)) {
    const next: States = new Set();
    for (const index of states) {
      const segment = segments[index];
      if (segment === undefined) continue;
      if (segment.type === 'any') next.add(index);
      else if (part.type !== 'any' && segmentCovers(segment, part, question.ignoreCase)) next.add(index + 1);
    }
    states = close(next, segments);
    if (states.size === 0) return false;
  }
  return states.has(segments.length);
}

function segmentCovers(segment: Segment, part: Segment, ignoreCase: boolean): boolean {
  if (part.type === 'literal') return overlaps(part, segment, ignoreCase);
  if (segment.type !== 'glob' || part.type !== 'glob') return false;
  const isStar = segment.tokens.length === 1 && segment.tokens[0]?.type === 'star';
  return isStar || JSON.stringify(segment.tokens) === JSON.stringify(part.tokens);
}

/** The question's path as segments; recursion and the unknown rest are an `any` at the end. */
function subjectSegments(question: PathQuestion): Segment[] {
  const segments = pathPartsOf(question);
  if (question.isRecursive || question.extent === 'below') segments.push({ type: 'any' });
  return segments;
}

function pathPartsOf(question: PathQuestion): Segment[] {
  if (question.extent !== 'glob')
    return pathSegments(question.path).map((text) => ({ type: 'literal', text, folded: text.toLowerCase() }));
  return splitUnescaped(question.path.normalize('NFC'), '/')
    .filter((part) => part !== '' && part !== '.')
    .map((part): Segment => {
      if (part === '**') return { type: 'any' };
      const segment = compileSegment(part);
      // A glob of the shell that this language cannot read may name anything.
      return typeof segment === 'string' ? { type: 'glob', tokens: [{ type: 'star' }] } : segment;
    });
}

/** Splits at a separator that no backslash escapes. Escapes stay for the parts to resolve. */
function splitUnescaped(text: string, separator: string): string[] {
  const parts: string[] = [];
  let part = '';
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (character === '\\') {
      part += character + text.charAt(index + 1);
      index += 1;
    } else if (character === separator) {
      parts.push(part);
      part = '';
    } else part += character;
  }
  parts.push(part);
  return parts;
}

const MAX_ALTERNATIVES = 256;

/** `a{b,c{d,e}}` → `ab`, `acd`, `ace`. Null when there are more than 256. A brace without a comma stands for itself. */
export function expandBraces(text: string): string[] | null {
  if (!text.includes('{')) return [text];
  let done: string[] = [];
  const open = [text];
  while (open.length > 0) {
    const next = open.pop() ?? '';
    const parts = firstBrace(next);
    if (parts === null) done.push(next);
    else open.push(...parts.options.map((option) => parts.before + option + parts.after).reverse());
    if (open.length + done.length > MAX_ALTERNATIVES) return null;
  }
  done = [...new Set(done)];
  return done;
}

function firstBrace(text: string): { before: string; options: string[]; after: string } | null {
  for (let start = 0; start < text.length; start += 1) {
    if (text.charAt(start) === '\\') start += 1;
    else if (text.charAt(start) === '{') {
      const found = braceAt(text, start);
      if (found !== null) return found;
    }
  }
  return null;
}

function braceAt(text: string, start: number): { before: string; options: string[]; after: string } | null {
  let depth = 0;
  let option = '';
  const options: string[] = [];
  for (let index = start; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (character === '\\') {
      option += character + text.charAt(index + 1);
      index += 1;
      continue;
    }
    if (character === '{' && depth++ === 0) continue;
    if (character === '}' && --depth === 0) {
      options.push(option);
      return options.length > 1 ? { before: text.slice(0, start), options, after: text.slice(index + 1) } : null;
    }
    if (character === ',' && depth === 1) {
      options.push(option);
      option = '';
    } else option += character;
  }
  return null;
}
