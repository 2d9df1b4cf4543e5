import type { Step, Transcript } from './transcript.js';
import type { Edit, Toolbox, Wish } from './toolbox.js';
import type { Words } from './words.js';

/** What the demonstration says and wants next. Without a want it is the last word. */
export interface Move {
  readonly text: string;
  readonly wants: readonly Want[];
}

/** A wish with what it is for and the step of the plan it belongs to. */
export interface Want {
  readonly wish: Wish;
  readonly why: string;
  readonly step: string | null;
}

/** A step together with the wish it came from. */
export interface Past extends Step {
  readonly wish: Wish | null;
}

/** Only words: the end. */
export const say = (...texts: readonly string[]): Move => ({ text: texts.filter(Boolean).join('\n\n'), wants: [] });

/** Words and wishes. */
export const want = (text: string, ...wants: readonly Want[]): Move => ({ text, wants });

const isGood = ({ went }: Step): boolean => went === 'done' || went === 'partly';

/** Everything that a scenario may look at: words, functions, and what really came back so far. */
export class Scene {
  readonly past: readonly Past[];

  constructor(
    readonly transcript: Transcript,
    readonly toolbox: Toolbox,
    readonly words: Words,
  ) {
    this.past = transcript.steps.map((step) => ({ ...step, wish: toolbox.wishOf(step.call) }));
  }

  /** The newest step with a wish of this type that fits. */
  last<T extends Wish['type']>(
    type: T,
    fits: (wish: Wish & { type: T }) => boolean = () => true,
  ): (Past & { wish: Wish & { type: T } }) | null {
    const found = this.past.findLast(({ wish }) => wish?.type === type && fits(wish as Wish & { type: T }));
    return (found as (Past & { wish: Wish & { type: T } }) | undefined) ?? null;
  }

  /** Position of a step, to say what came before what. */
  at(step: Past | null): number {
    return step === null ? -1 : this.past.indexOf(step);
  }

  /** Files and folders that were listed, relative to the workspace; folders end with `/`. */
  get listed(): readonly string[] {
    return this.past.flatMap(({ wish, data }) => {
      if (wish?.type !== 'list') return [];
      const prefix = wish.path === '.' || wish.path === '' ? '' : `${wish.path.replace(/\/$/, '')}/`;
      return data
        .split('\n')
        .map((name) => name.trim())
        .filter((name) => name !== '' && !/^[…(]/.test(name))
        .map((name) => prefix + name);
    });
  }

  /** Content of a file as it was last read; null when it was not, or when it may have changed since. */
  content(path: string): string | null {
    const read = this.last('read', (wish) => wish.path === path);
    const edit = this.last('edit', (wish) => wish.path === path);
    return read !== null && isGood(read) && this.at(read) > this.at(edit) ? read.data : null;
  }

  /** Whether reading a file was tried at all since it was last edited. */
  hasTried(path: string): boolean {
    const edit = this.last('edit', (wish) => wish.path === path);
    return this.at(this.last('read', (wish) => wish.path === path)) > this.at(edit);
  }

  /** All edits that were proposed for a file, whatever became of them. */
  editsOf(path: string): readonly Edit[] {
    return this.past.flatMap(({ wish }) => (wish?.type === 'edit' && wish.path === path ? wish.edits : []));
  }
}

/** What an answer says in its first line, without the word it begins with: the reason of a refusal or a failure. */
export function reasonOf({ said }: Step): string {
  const line = said.split('\n').find((text) => text.trim() !== '') ?? '';
  return line.replace(/^[A-Z ]+(?:by [^:]+)?:\s*/, '').trim();
}

export { isGood };
