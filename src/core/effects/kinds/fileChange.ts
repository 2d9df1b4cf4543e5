import { changeFindings } from '../edits/changeFindings.js';
import type { FileChange, Finding } from '../edits/finding.js';
import type { Analysis, Flow, Trait } from '../effect.js';
import { changesGuard } from '../guardSelf.js';
import { destinationOf, literalTarget } from '../net/destination.js';
import type { PathEffect } from '../pathEffects.js';
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

/** The effects of a write with all that was found out about the change. */
export function withFindings(effects: readonly PathEffect[], findings: readonly Finding[]): readonly PathEffect[] {
  const [write] = effects;
  if (write === undefined || findings.length === 0) return effects;
  const marks = findings.filter((finding) => finding.type === 'mark');
  const traits = marks.flatMap(({ trait }) => trait ?? []);
  const notes = marks.map(({ note }) => note);
  const later = findings.filter((finding) => finding.type === 'later');
  const told = [
    withMore(write, traits, notes),
    ...effects.slice(1).map((effect) => (effect.op === 'persist' ? withMore(effect, [], notes) : effect)),
  ];
  const persists = later.map(({ traits: own, note }): PathEffect => ({
    ...write,
    op: 'persist',
    traits: [...write.traits, ...own],
    note,
  }));
  return [...told, ...persists, ...findings.flatMap(fetched)];
}

/** The request that somebody else's program makes because of what was written. */
function fetched(finding: Finding): readonly PathEffect[] {
  if (finding.type !== 'fetch') return [];
  const destination = destinationOf(literalTarget(finding.url), 'GET');
  if (destination.type !== 'network') return [];
  const { resource, traits, certainty } = destination;
  return [{ op: 'network', resource, certainty, reversible: 'yes', traits: [...traits], note: finding.note }];
}
