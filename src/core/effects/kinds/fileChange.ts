import type { Analysis, Flow, Trait } from '../effect.js';
import type { View } from '../view.js';
import { changesGuard } from '../guardSelf.js';
import { marksOf } from './content.js';
import { analysisOf, fileAt, onPath, withMore } from './shared.js';

/** A file before and after. Null: not known, or (before) not there. */
export interface FileChange {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
  /** What is new, and what is taken away, as far as the proposal shows it. */
  readonly added: string;
  readonly removed: string;
}

/** Effects of changing one file: on the path, by the content, and by what it will make run later. */
export function changeOfFile(change: FileChange, traits: readonly Trait[], view: View): Analysis {
  const marks = marksOf(change.added);
  const isGuard = changesGuard(fileAt(change.path, view, 'follow'), change, view.facts);
  const effects = onPath('write', change.path, view, traits).map((effect) =>
    withMore(effect, isGuard ? [...marks.traits, 'guard-self'] : marks.traits, [marks.note]),
  );
  const flows = effects
    .filter(({ op }) => op === 'write')
    .map(({ resource }): Flow => ({ from: { type: 'literal', text: change.added }, to: resource, how: 'verbatim' }));
  return analysisOf(effects, view, flows);
}
