import type { Effect } from '../../effects/effect.js';
import { holdsOfAll, nameCovers, nameMatches, nameMayMatch, type NamePattern } from '../namePattern.js';
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
export const refNames: NamesOf = ({ resource, certainty }) => {
  if (resource.type !== 'ref') return [];
  // All tags are no branch: a rule on `main` does not mean them, one on `v*` or `tags/**` does.
  if (certainty === 'pattern' && resource.ref.startsWith('refs/tags/')) return tagNames(resource);
  const short = shortRef(resource.ref);
  return resource.remote === null ? [short] : [short, `${resource.remote}/${short}`];
};

/** Tags that a glob stands for: versions, and whatever is written with its namespace. */
function tagNames({ remote, ref }: { readonly remote: string | null; readonly ref: string }): readonly string[] {
  const short = shortRef(ref);
  const versions = short === '*' ? ['*[0-9]*'] : [short];
  return [ref, `tags/${short}`, ...versions, ...(remote === null ? [] : versions.map((name) => `${remote}/${name}`))];
}

/** The remote whose ref is changed. */
export const remoteNames: NamesOf = ({ resource }) =>
  resource.type === 'ref' && resource.remote !== null ? [resource.remote] : [];

/** `refs/heads/main` → `main`; `refs/tags/v1` → `v1`. */
export const shortRef = (ref: string): string => ref.replace(/^refs\/(?:heads|tags|remotes)\//, '');

/**
 * Names compared as globs. A name that is itself a glob (`git push --all`, packages that a manifest may name) is heard by a rule
 * that restricts where the two may mean the same, and by one that allows where the rule's is as wide. Of a name that cannot be
 * known, what is known of its beginning counts (`release/$N` is no `main`): what may be meant is `unknown` for a rule that
 * restricts, no match for one that allows.
 */
export const matchesNames =
  (patterns: readonly NamePattern[], namesOf: NamesOf, ignoresCase: 'always' | 'when-restricting'): Predicate =>
  ({ effect }, reading): Tri => {
    if (effect === null) return 'no';
    const names = namesOf(effect);
    if (names.length === 0) return 'no';
    const ignoreCase = ignoresCase === 'always' || reading.isRestricting;
    const isAny = (holds: (pattern: NamePattern, name: string, ignoreCase: boolean) => boolean): boolean =>
      patterns.some((pattern) => names.some((name) => holds(pattern, name, ignoreCase)));
    if (effect.certainty === 'dynamic' || names.includes('')) {
      if (reading.isSure) return 'no';
      if (patterns.some(holdsOfAll)) return 'yes';
      return isAny((pattern, name) => nameMayMatch(pattern, knownBeginning(name), ignoreCase)) ? 'unknown' : 'no';
    }
    if (effect.certainty === 'pattern') return tri(isAny(reading.isSure ? nameCovers : nameMayMatch));
    return tri(isAny(nameMatches));
  };

/** The remote of a ref is known wherever it is named at all, however little is known of the ref. */
export const matchesRemote = (patterns: readonly NamePattern[]): Predicate => {
  const matches = matchesNames(patterns, remoteNames, 'when-restricting');
  return (subject, reading) =>
    subject.effect === null
      ? 'no'
      : matches({ ...subject, effect: { ...subject.effect, certainty: 'exact' } }, reading);
};

/** What is known of a name that holds something unknown, as a glob: `release/$N` → `release/*`, an empty one → `*`. */
function knownBeginning(name: string): string {
  const at = name.search(/[$`*?[{\\]/);
  return `${at < 0 ? '' : name.slice(0, at)}*`;
}
