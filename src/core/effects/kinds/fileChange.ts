import { changeFindings } from '../edits/changeFindings.js';
import type { FileChange } from '../edits/finding.js';
import { withFindings } from '../edits/withFindings.js';
import type { Analysis, Flow, Trait } from '../effect.js';
import { changesGuard } from '../guardSelf.js';
import type { View } from '../view.js';
import { marksOf } from './content.js';
import { analysisOf, fileAt, onPath, withMore } from './shared.js';

/** Effects of changing one file: on the path, by the content, and by what it will make run later. */
export function changeOfFile(change: FileChange, traits: readonly Trait[], view: View): Analysis {
  const marks = marksOf(change.added);
  const path = fileAt(change.path, view, 'follow');
  const isGuard = changesGuard(path, change, view.facts);
  const effects = onPath('write', change.path, view, traits).map((effect) =>
    withMore(effect, isGuard ? [...marks.traits, 'guard-self'] : marks.traits, [marks.note]),
  );
  const flows = effects
    .filter(({ op }) => op === 'write')
    .map(({ resource }): Flow => ({ from: { type: 'literal', text: change.added }, to: resource, how: 'verbatim' }));
  return analysisOf(withFindings(effects, changeFindings(change, path, view)), view, flows);
}
