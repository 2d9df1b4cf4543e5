import type { Effect } from '../../effects/effect.js';
import { questionsBy } from '../links.js';
import { couldTouch, covers, type PathPattern, type PathQuestion } from '../pathPattern.js';
import type { Predicate } from '../subject.js';
import { tri, type Tri } from '../tri.js';

/**
 * Paths that an effect touches. What is done to a folder is done to all in it; a glob touches what it may name; a path
 * that cannot be known is `unknown` for a rule that restricts and no match for one that allows. What lies behind a link that a rule
 * names is meant by a rule that restricts only: a link is quickly made.
 */
export const matchesPath =
  (patterns: readonly PathPattern[]): Predicate =>
  ({ effect, context, links }, reading): Tri => {
    if (effect === null) return 'no';
    const question = questionOf(effect, !context.anchors.isCaseSensitive || reading.isRestricting);
    if (question === null) return 'no';
    if (reading.isSure) return tri(patterns.some((pattern) => covers(pattern, question, context.anchors)));
    const questions = questionsBy(question, links);
    const touches = patterns.some((pattern) => questions.some((one) => couldTouch(pattern, one, context.anchors)));
    return touches && question.extent === 'below' ? 'unknown' : tri(touches);
  };

/** What an effect says of paths; null when it is not about a path. */
export function questionOf(effect: Effect, ignoreCase: boolean): PathQuestion | null {
  const { resource, certainty, traits } = effect;
  if (resource.type !== 'path' && resource.type !== 'agent-config') return null;
  const extent = certainty === 'exact' ? 'exact' : certainty === 'pattern' ? 'glob' : 'below';
  // Moving a folder away takes all that is in it along, whether or not it is called recursive.
  const isRecursive = traits.includes('recursive') || traits.includes('below') || effect.op === 'move';
  const path = certainty === 'dynamic' ? knownFolder(resource.path) : resource.path;
  return { path, extent, isRecursive, ignoreCase, spares: effect.spares ?? [] };
}

/** What is known of a path that holds a variable: `/ws/src/$name` lies below `/ws/src`, `$name` may lie anywhere. */
function knownFolder(path: string): string {
  const at = path.search(/[$`*?[{]/);
  const known = at < 0 ? path : path.slice(0, path.lastIndexOf('/', at) + 1);
  return /^(\/|[A-Za-z]:\/)/.test(known) ? known : '';
}
