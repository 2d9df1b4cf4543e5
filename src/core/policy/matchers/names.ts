import type { Effect } from '../../effects/effect.js';
import { nameMatches, type NamePattern } from '../namePattern.js';
import type { Predicate } from '../subject.js';
import { tri, type Tri } from '../tri.js';

/** Names under which a resource goes; none when the effect is about something else. An empty name is one that is not known. */
export type NamesOf = (effect: Effect) => readonly string[];

/** A program or process that is run or stopped. */
export const processNames: NamesOf = ({ resource }) => (resource.type === 'process' ? [resource.process] : []);

/** An environment variable. */
export const environmentNames: NamesOf = ({ resource }) => (resource.type === 'environment' ? [resource.name] : []);

/** A database table, as `table` and as `database.table`. */
export const tableNames: NamesOf = ({ resource }) =>
  resource.type === 'table' ? [resource.table, `${resource.database}.${resource.table}`] : [];

/** Something of a service, as `service` and as `service:name`. */
export const serviceNames: NamesOf = ({ resource }) =>
  resource.type === 'remote' ? [resource.service, `${resource.service}:${resource.name}`] : [];

/** A branch or tag, with and without its namespace and remote. */
export const refNames: NamesOf = ({ resource }) => {
  if (resource.type !== 'ref') return [];
  const short = shortRef(resource.ref);
  return resource.remote === null ? [short] : [short, `${resource.remote}/${short}`];
};

/** The remote whose ref is changed. */
export const remoteNames: NamesOf = ({ resource }) =>
  resource.type === 'ref' && resource.remote !== null ? [resource.remote] : [];

/** `refs/heads/main` → `main`; `refs/tags/v1` → `v1`. */
export const shortRef = (ref: string): string => ref.replace(/^refs\/(?:heads|tags|remotes)\//, '');

/** Names compared as globs. A name that cannot be known is `unknown` for a rule that restricts, no match for one that allows. */
export const matchesNames =
  (patterns: readonly NamePattern[], namesOf: NamesOf, ignoresCase: 'always' | 'when-restricting'): Predicate =>
  ({ effect }, reading): Tri => {
    if (effect === null) return 'no';
    const names = namesOf(effect);
    if (names.length === 0) return 'no';
    if (effect.certainty === 'dynamic' || names.includes('')) return reading.isSure ? 'no' : 'unknown';
    const ignoreCase = ignoresCase === 'always' || reading.isRestricting;
    return tri(patterns.some((pattern) => names.some((name) => nameMatches(pattern, name, ignoreCase))));
  };
