import type { View } from '../view.js';
import { schemaFindings, sourceFindings } from './fetches.js';
import type { FileChange, Finding, Sides } from './finding.js';
import { loosened } from './loosened.js';
import { lostChecks } from './lostChecks.js';
import { lostLint } from './lostLint.js';
import { lostTests } from './lostTests.js';
import { composeFindings, infrastructureFindings } from './machines.js';
import { manifestFindings } from './manifest.js';
import { newCalls } from './newCalls.js';
import { pipelineFindings } from './pipelines.js';
import { imageFindings, recipeFindings } from './recipes.js';
import { toolFindings } from './toolSettings.js';

/** Everything that looks at a change. A new one is a file, and a line here. */
const LOOKS: readonly ((sides: Sides, view: View) => readonly Finding[])[] = [
  newCalls,
  lostChecks,
  loosened,
  lostTests,
  lostLint,
  manifestFindings,
  recipeFindings,
  imageFindings,
  composeFindings,
  infrastructureFindings,
  pipelineFindings,
  schemaFindings,
  sourceFindings,
  toolFindings,
];

/** Longer texts are made by machines; a lock file of that size is looked at by what resolves it. */
const MOST_CHARACTERS = 1024 * 1024;

/** The sides of a change: whole files where both are known, else the passages that the proposal shows. */
function sidesOf(change: FileChange, path: string, view: View): Sides {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const entry = view.facts.entry(path);
  if (change.after !== null && (change.before !== null || entry === 'absent'))
    return {
      path,
      name,
      before: change.before ?? '',
      after: change.after,
      isWhole: true,
      isNew: change.before === null,
    };
  return { path, name, before: change.removed, after: change.after ?? change.added, isWhole: false, isNew: false };
}

/**
 * What a change of one file brings or takes away, beyond its bytes: code that starts programs or speaks to hosts, checks and tests
 * that are gone, what runs later because of it, what is asked for by itself. `path` is canonical. Total and close to linear.
 */
export function changeFindings(change: FileChange, path: string, view: View): readonly Finding[] {
  const sides = sidesOf(change, path, view);
  if (sides.before === sides.after || sides.before.length + sides.after.length > MOST_CHARACTERS) return [];
  return LOOKS.flatMap((look) => look(sides, view));
}
