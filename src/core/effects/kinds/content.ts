import type { Trait } from '../effect.js';
import { describeHidden, findHiddenText } from '../hiddenText.js';
import { findPersonalData } from '../personalData.js';
import { findSecrets } from '../secrets.js';

/** What a text says about whatever it is written to or sent in. */
export interface ContentMarks {
  readonly traits: readonly Trait[];
  /** In words, for people; empty when there is nothing to say. */
  readonly note: string;
}

/** Looks at a text for secrets, personal data in bulk, and characters that hide something. Linear. */
export function marksOf(text: string): ContentMarks {
  const traits: Trait[] = [];
  const notes: string[] = [];
  const secrets = findSecrets(text);
  if (secrets.length > 0) {
    traits.push('secret');
    notes.push(`holds a secret (${[...new Set(secrets.map(({ kind }) => kind))].join(', ')})`);
  }
  if (findPersonalData(text).isBulk) {
    traits.push('personal');
    notes.push('holds personal data in bulk');
  }
  const hidden = findHiddenText(text);
  if (hidden.length > 0) {
    traits.push('hidden-text');
    notes.push(`hidden text: ${describeHidden(hidden)}`);
  }
  return { traits, note: notes.join('; ') };
}
