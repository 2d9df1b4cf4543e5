import { hunksOf, placesIn, textWith, type Hunk, type LineRange } from '../../core/lacuna/hunks.js';

/** One side of a change as a person sees it. `opaque`: no text (binary file, folder); the note says what it is. */
export type Side =
  | { readonly type: 'absent' }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'opaque'; readonly note: string };

/** What an agent wants done to one file. Nothing of it is on disk. */
export interface Change {
  /** Id of the Lacuna that proposes it. */
  readonly id: string;
  readonly sessionId: string;
  readonly verb: 'create' | 'edit' | 'delete' | 'move';
  /** Absolute path of the file; for a move where it goes to. */
  readonly path: string;
  /** Where a moved file stands now; null otherwise. */
  readonly from: string | null;
  readonly before: Side;
  readonly after: Side;
  /** What the agent says it is for. Data: shown, never obeyed. */
  readonly description: string;
}

/** A person's answer to one unit of a change. */
export type Choice = 'pending' | 'accepted' | 'rejected';

/**
 * A change under review: its units and the answer to each. An edit of text has a unit per hunk; creating, deleting, moving
 * and what cannot be shown as text is one unit. Immutable.
 */
export interface Review {
  readonly change: Change;
  /** Empty where the change is one unit. */
  readonly hunks: readonly Hunk[];
  readonly choices: readonly Choice[];
  /** Why something was rejected, in the person's words; empty when they gave none. */
  readonly reason: string;
  /** Whether it was worked out again because the file had changed while an earlier review was open. */
  readonly isRenewed: boolean;
}

/** Begins a review with every unit pending. */
export function openReview(change: Change, isRenewed: boolean): Review {
  const { before, after } = change;
  const isParted = change.verb === 'edit' && before.type === 'text' && after.type === 'text';
  const hunks = isParted ? hunksOf(before.text, after.text) : [];
  const units = Math.max(1, hunks.length);
  return { change, hunks, choices: Array.from({ length: units }, () => 'pending'), reason: '', isRenewed };
}

/** Answers one unit; an index that is not there changes nothing. */
export const choose = (review: Review, unit: number, choice: Choice): Review => ({
  ...review,
  choices: review.choices.map((old, index) => (index === unit ? choice : old)),
});

/** Answers every unit that has no answer yet. */
export const chooseRest = (review: Review, choice: Choice): Review => ({
  ...review,
  choices: review.choices.map((old) => (old === 'pending' ? choice : old)),
});

/** Whether every unit has an answer. */
export const isDecided = (review: Review): boolean => !review.choices.includes('pending');

/** How the review has come out so far; `pending` while a unit has no answer. */
export function resultOf(review: Review): 'pending' | 'accepted' | 'rejected' | 'partly' {
  if (!isDecided(review)) return 'pending';
  const isAll = (choice: Choice): boolean => review.choices.every((one) => one === choice);
  if (isAll('accepted')) return 'accepted';
  return isAll('rejected') ? 'rejected' : 'partly';
}

const isTaken =
  (review: Review) =>
  (unit: number): boolean =>
    review.choices[unit] !== 'rejected';

/**
 * What the right side shows: the file as it will be when what is pending is accepted. A rejected unit looks as before, so a
 * person always sees exactly what would be written.
 */
export function proposedText(review: Review): string {
  const { before, after } = review.change;
  if (review.hunks.length > 0) return textWith(textOfSide(before), review.hunks, isTaken(review));
  return textOfSide(review.choices[0] === 'rejected' ? before : after);
}

/** What the left side shows: the file as it is. */
export const currentText = (review: Review): string => textOfSide(review.change.before);

/** Where each unit stands on the right side; a change of one unit stands at its first line. */
export const unitPlaces = (review: Review): readonly LineRange[] =>
  review.hunks.length > 0 ? placesIn(review.hunks, isTaken(review)) : [{ start: 0, count: 0 }];

/** The unit at or next to a line of the right side: where a command with a key acts. */
export function unitAt(review: Review, line: number): number {
  const distances = unitPlaces(review).map(({ start, count }) =>
    line < start ? start - line : Math.max(0, line - (start + Math.max(1, count) - 1)),
  );
  return distances.indexOf(Math.min(...distances));
}

/** Units with a given answer, as an agent is told of them: lines of the file as it was, and the first line of text. */
export function describeUnits(review: Review, choice: Choice): readonly string[] {
  const { change, hunks } = review;
  return review.choices.flatMap((one, unit) => {
    if (one !== choice) return [];
    const hunk = hunks[unit];
    return [hunk === undefined ? `${change.path}: ${WORDS[change.verb]}` : `${change.path}: ${describeHunk(hunk)}`];
  });
}

const WORDS = { create: 'the new file', edit: 'the whole change', delete: 'the deletion', move: 'the move' } as const;
/** How much of a line an agent is reminded of. */
const EXCERPT_LENGTH = 80;

function describeHunk({ oldStart, oldLines, newLines }: Hunk): string {
  const first = oldStart + 1;
  const last = oldStart + oldLines.length;
  const where =
    oldLines.length === 0 ? `before line ${first}` : first === last ? `line ${first}` : `lines ${first}-${last}`;
  const line = (newLines[0] ?? oldLines[0] ?? '').trim();
  const excerpt = line.length > EXCERPT_LENGTH ? `${line.slice(0, EXCERPT_LENGTH)}…` : line;
  const what = newLines.length === 0 ? 'removing' : oldLines.length === 0 ? 'adding' : 'changing to';
  return `${where}, ${what} "${excerpt}"`;
}

function textOfSide(side: Side): string {
  switch (side.type) {
    case 'absent':
      return '';
    case 'text':
      return side.text;
    case 'opaque':
      return side.note;
  }
}
