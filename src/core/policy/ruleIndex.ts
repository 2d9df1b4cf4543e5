import { namesOfTool } from '../lacuna/toolName.js';
import type { RuleKeys } from './compileMatch.js';
import { hostKey, hostOf, normalHost } from './matchers/host.js';
import type { Effect } from '../effects/effect.js';
import { namesOfPath } from './links.js';
import { commandChain } from './matchers/command.js';
import * as names from './matchers/names.js';
import { packageNames } from './matchers/package.js';
import { pathSegments, type Anchors } from './pathPattern.js';
import { familyOf, refKeysOf, type Family, type Requirement } from './ruleKeys.js';
import type { Subject } from './subject.js';

/**
 * Finds the rules that could match a subject without asking each: a rule on `terraform **` is looked at only where
 * terraform runs, one on `infra/prod/**` only where something in a `prod` is touched.
 * INVARIANT: a rule that matches a subject is among its candidates (a property test asks both ways).
 */
export class RuleIndex<R> {
  /** Rules that no name finds, by kind and op; `*` for those of any. */
  readonly #general = new Map<string, R[]>();
  readonly #named = new Map<string, R[]>();
  /** All rules of a family, for subjects whose name is not known. */
  readonly #families = new Map<Family, R[]>();

  constructor(rules: readonly R[], keysOf: (rule: R) => RuleKeys) {
    const all = rules.map((rule) => ({ rule, keys: keysOf(rule) }));
    const shared = frequencies(all.map(({ keys }) => keys));
    for (const { rule, keys } of all) {
      const found = cheapest(keys.requirements, shared);
      if (found !== null) {
        for (const key of found) add(this.#named, key, rule);
        for (const family of new Set(found.map(familyOf))) add(this.#families, family, rule);
      } else
        for (const kind of keys.kinds ?? ['*'])
          for (const op of keys.ops ?? ['*']) add(this.#general, `${kind} ${op}`, rule);
    }
  }

  /** Rules to be asked about the subject; each once. */
  candidates(subject: Subject): readonly R[] {
    const found = new Set<R>();
    const take = (rules: readonly R[] | undefined): void => {
      if (rules !== undefined) for (const rule of rules) found.add(rule);
    };
    for (const kind of ['*', subject.proposal.kind])
      for (const op of ['*', subject.effect?.op ?? 'none']) take(this.#general.get(`${kind} ${op}`));
    for (const [family, keysOf] of LOOKUPS) {
      if (!this.#families.has(family)) continue;
      const keys = keysOf(subject);
      if (keys === 'unknown') take(this.#families.get(family));
      else for (const key of keys) take(this.#named.get(key));
    }
    return [...found];
  }
}

/** How many rules could stand under each key. */
function frequencies(all: readonly RuleKeys[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { requirements } of all)
    for (const requirement of requirements)
      for (const options of requirement) for (const key of options) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

/** The keys to find a rule by: of each thing the key that the fewest share, of all requirements the one that is shared least. */
function cheapest(requirements: readonly Requirement[], shared: ReadonlyMap<string, number>): readonly string[] | null {
  const count = (key: string): number => (key.endsWith(' *') ? 1e6 : (shared.get(key) ?? 0));
  let best: { readonly keys: readonly string[]; readonly cost: number } | null = null;
  for (const requirement of requirements) {
    const keys = requirement.map((options) => options.reduce((a, b) => (count(b) < count(a) ? b : a)));
    // What stands for words that are not known is looked at seldom.
    const cost = keys.reduce((sum, key) => sum + (/ \*\*$|^path:first /.test(key) ? 0 : count(key)), 0);
    if (best === null || cost < best.cost) best = { keys, cost };
  }
  return best?.keys ?? null;
}

function add<K, R>(map: Map<K, R[]>, key: K, rule: R): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [rule]);
  else if (list[list.length - 1] !== rule) list.push(rule);
}

/** Keys under which rules that could match a subject stand, by family; `unknown` when it may be any rule of the family. */
type Lookup = (subject: Subject) => readonly string[] | 'unknown';

const LOOKUPS: readonly (readonly [Family, Lookup])[] = [
  ['program', programKeys],
  ['path', pathKeys],
  ['host', hostKeysOf],
  ['package', packageKeys],
  ['tool', toolKeys],
  ['ref', refKeys],
  ['table', namedKeys('table', names.tableNames)],
  ['process', namedKeys('process', names.processNames)],
  ['environment', namedKeys('environment', names.environmentNames)],
  ['service', namedKeys('service', names.serviceNames)],
];

/** `program:git`, and `program:git main` for each of its words; all rules on words of git where a word is not known. */
function programKeys(subject: Subject): readonly string[] | 'unknown' {
  const keys: string[] = [];
  for (const { program, wrappers, argv } of commandChain(subject)) {
    if (program === '') return 'unknown';
    const isKnown = argv.every(({ certainty }, at) => at === 0 || certainty === 'exact');
    const words = isKnown ? argv.flatMap(({ text }) => withValue(text.normalize('NFC').toLowerCase())) : [];
    for (const name of [program, ...wrappers].map((one) => one.toLowerCase())) {
      keys.push(`program:${name}`);
      if (!isKnown) keys.push(`program:${name} **`);
      for (const word of words) keys.push(`program:${name} ${word}`);
    }
  }
  return keys;
}

/** A word, and the value that stands in it after an option: `--namespace=prod`, `-nprod`. */
function withValue(word: string): readonly string[] {
  const value = /^--?[a-z][\w.-]*=(.+)$/s.exec(word)?.[1] ?? /^-[a-z](.+)$/s.exec(word)?.[1];
  return value === undefined ? [word] : [word, value];
}

/** A path by each of its names; what reaches below or is a glob by the first name below the workspace, if it has one. */
function pathKeys({ effect, links, context: { anchors } }: Subject): readonly string[] | 'unknown' {
  if (effect?.resource.type !== 'path' && effect?.resource.type !== 'agent-config') return [];
  if (effect.certainty === 'dynamic') return 'unknown';
  const reachesBelow = effect.op === 'move' || effect.traits.includes('recursive') || effect.traits.includes('below');
  const keys: string[] = [];
  for (const path of namesOfPath(effect.resource.path, reachesBelow, links)) {
    const own = keysOfPath(path, effect, reachesBelow, anchors);
    if (own === 'unknown') return 'unknown';
    keys.push(...own);
  }
  return keys;
}

function keysOfPath(
  path: string,
  effect: Effect,
  reachesBelow: boolean,
  anchors: Anchors,
): readonly string[] | 'unknown' {
  const parts = pathSegments(path).map((part) => part.toLowerCase());
  if (effect.certainty === 'exact' && !reachesBelow)
    return ['path:name *', ...parts.map((part) => `path:name ${part}`)];
  const keys = ['path:first *'];
  for (const root of anchors.roots) {
    const base = pathSegments(root).map((part) => part.toLowerCase());
    const shared = base.findIndex((name, index) => parts[index] !== name);
    const first = parts[base.length];
    if (shared < 0 && first !== undefined) {
      if (isGlob(first, effect.certainty)) return 'unknown';
      keys.push(`path:first ${first}`);
      continue;
    }
    // Above the root, or a glob somewhere on the way to it: everything in the workspace may be touched.
    const isAbove = shared < 0 || shared >= parts.length;
    const hasGlobOnTheWay = parts.slice(0, base.length).some((part) => isGlob(part, effect.certainty));
    if (isAbove || hasGlobOnTheWay) return 'unknown';
  }
  return keys;
}

const isGlob = (part: string, certainty: string): boolean => certainty === 'pattern' && /[*?[{\\]/.test(part);

function hostKeysOf({ effect }: Subject): readonly string[] | 'unknown' {
  const about = effect === null ? null : hostOf(effect);
  if (effect === null || about === null) return [];
  if (about.host === '' || effect.certainty === 'dynamic') return 'unknown';
  return [`host:${hostKey(normalHost(about.host))}`];
}

/** Names of one family as they are, folded. */
function namedKeys(family: Family, namesOf: names.NamesOf): Lookup {
  return ({ effect }) => {
    const found = effect === null ? [] : namesOf(effect);
    if (found.length === 0) return [];
    if (effect?.certainty !== 'exact' || found.includes('')) return 'unknown';
    return found.map((name) => `${family}:${name.normalize('NFC').toLowerCase()}`);
  };
}

function packageKeys(subject: Subject): readonly string[] | 'unknown' {
  return subject.effect?.brings === undefined ? namedKeys('package', packageNames)(subject) : 'unknown';
}

function refKeys({ effect }: Subject): readonly string[] | 'unknown' {
  const found = effect === null ? [] : names.refNames(effect);
  if (found.length === 0) return [];
  if (effect?.certainty !== 'exact' || found.includes('')) return 'unknown';
  return found.flatMap((name) => refKeysOf(name.normalize('NFC').toLowerCase()));
}

function toolKeys({ proposal }: Subject): readonly string[] {
  if (proposal.kind !== 'CallTool') return [];
  // A tool may carry a server's name in its own: it is found by what stands before its first dot as well.
  return namesOfTool(proposal.params).flatMap((name) => {
    const folded = name.normalize('NFC').toLowerCase();
    return [`tool:${folded}`, ...(folded.includes('.') ? [`tool:${folded.slice(0, folded.indexOf('.'))}.*`] : [])];
  });
}
