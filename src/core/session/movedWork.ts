import type { Analysis, Effect } from '../effects/effect.js';
import type { Facts } from '../effects/facts.js';
import { isWithin } from '../effects/paths.js';
import { pathMatches } from '../effects/shell/glob.js';
import type { WorkMoved } from './impact.js';
import type { FileState, SessionState } from './state.js';

const LOOSE: ReadonlySet<string> = new Set(['untracked', 'modified', 'mixed', 'none']);

/** The path itself, or the folder in which what a glob names lies. */
const literalPart = (path: string): string => {
  const at = path.search(/[*?[{\\]/);
  return at < 0 ? path : path.slice(0, path.lastIndexOf('/', at)) || '/';
};

const isReal = (effect: Effect): boolean => effect.certainty !== 'dynamic' && !effect.traits.includes('dry-run');

/** Whether a path, or a folder above it, is what an effect names. */
function names(effect: Effect, path: string, facts: Facts): boolean {
  if (effect.resource.type !== 'path' || !isReal(effect)) return false;
  if (effect.certainty === 'exact') return isWithin(path, effect.resource.path, facts);
  for (let at = path.length; at > 0; at = path.lastIndexOf('/', at - 1))
    if (pathMatches(effect.resource.path, path.slice(0, at), facts)) return true;
  return false;
}

/** Of the places that work was moved to, the one that an effect takes it away from; null when there is none. */
export function movedWorkIn(effect: Effect, state: SessionState, facts: Facts): string | null {
  const takes = effect.op === 'delete' || (effect.op === 'write' && effect.traits.includes('overwrite'));
  return takes ? (state.work.find((place) => names(effect, place, facts)) ?? null) : null;
}

/** What a step does to work that no commit holds and that is not the session's own: where it takes it, and from where. */
export function workMovedBy({ effects, flows }: Analysis, state: SessionState, facts: Facts): WorkMoved {
  const leaving = effects.filter(({ op }) => op === 'move' || op === 'delete');
  const isWork = (effect: Effect): boolean => {
    if (effect.op !== 'move' || effect.resource.type !== 'path' || !isReal(effect)) return false;
    if (state.work.some((place) => names(effect, place, facts))) return true;
    const { path, git } = effect.resource;
    return LOOSE.has(git) && state.files.get(path)?.isMadeHere !== true;
  };
  const to = leaving.filter(isWork).flatMap(({ resource }) =>
    flows.flatMap((flow) => {
      const isHere = flow.how === 'verbatim' && 'path' in flow.from && 'path' in resource;
      return isHere && 'path' in flow.from && flow.from.path === resource.path && 'path' in flow.to
        ? [literalPart(flow.to.path)]
        : [];
    }),
  );
  const gone = state.work.filter((place) => leaving.some((effect) => names(effect, place, facts)));
  return { to: [...new Set(to)], gone };
}

/**
 * Whether a file that the session copied still stands beside what it was copied from: then deleting it loses nothing. Where the
 * texts are not known, the source must be there and untouched by the session since.
 */
export function isSpareCopy(path: string, { copyOf, step }: FileState, state: SessionState, facts: Facts): boolean {
  if (copyOf === null) return false;
  const entry = facts.entry(copyOf);
  if (entry === 'absent' || entry === 'unknown') return false;
  const [copy, source] = [facts.readText(path), facts.readText(copyOf)];
  if (copy !== null && source !== null) return copy === source;
  for (const [touched, file] of state.files.toJSON())
    if (file.step > step && isWithin(touched, copyOf, facts)) return false;
  return true;
}
