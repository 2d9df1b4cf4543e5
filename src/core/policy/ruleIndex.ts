import type { RuleKeys } from './compileMatch.js';
import { hostKey, normalHost } from './matchers/host.js';
import { commandChain } from './matchers/command.js';
import { packageNames } from './matchers/package.js';
import { pathSegments } from './pathPattern.js';
import type { Subject } from './subject.js';

/** Families of names that rules are found by. */
const FAMILIES = ['program', 'path', 'host', 'package', 'tool'] as const;
type Family = (typeof FAMILIES)[number];

/**
 * Finds the rules that could match a subject without asking each: a rule on `terraform **` is looked at only where
 * terraform runs, one on `infra/**` only where something in `infra` is touched.
 * INVARIANT: a rule that matches a subject is among its candidates (a property test asks both ways).
 */
export class RuleIndex<R> {
  /** Rules that no name finds, by op; `*` for those of any op. */
  readonly #general = new Map<string, R[]>();
  readonly #named = new Map<string, R[]>();
  /** All rules of a family, for subjects whose name is not known. */
  readonly #families = new Map<Family, R[]>();

  constructor(rules: readonly R[], keysOf: (rule: R) => RuleKeys) {
    for (const rule of rules) {
      const { ops, names } = keysOf(rule);
      if (names !== null) {
        for (const name of names) add(this.#named, name, rule);
        for (const family of new Set(names.map(familyOf))) add(this.#families, family, rule);
      } else for (const op of ops ?? ['*']) add(this.#general, op, rule);
    }
  }

  /** Rules to be asked about the subject; each once. */
  candidates(subject: Subject): readonly R[] {
    const found = new Set<R>(this.#general.get('*'));
    for (const rule of this.#general.get(subject.effect?.op ?? 'none') ?? []) found.add(rule);
    for (const family of FAMILIES) {
      const names = NAMES[family](subject);
      if (names === 'unknown') for (const rule of this.#families.get(family) ?? []) found.add(rule);
      else for (const name of names) for (const rule of this.#named.get(`${family}:${name}`) ?? []) found.add(rule);
    }
    return [...found];
  }
}

function add<K, R>(map: Map<K, R[]>, key: K, rule: R): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [rule]);
  else if (list[list.length - 1] !== rule) list.push(rule);
}

const familyOf = (name: string): Family => name.slice(0, name.indexOf(':')) as Family;

/** Names that a subject has in each family, folded; `unknown` when it may have any. */
const NAMES: Readonly<Record<Family, (subject: Subject) => readonly string[] | 'unknown'>> = {
  program(subject) {
    const names: string[] = [];
    for (const { program, wrappers } of commandChain(subject)) {
      if (program === '') return 'unknown';
      names.push(program.toLowerCase(), ...wrappers.map((wrapper) => wrapper.toLowerCase()));
    }
    return names;
  },

  path({ effect, context: { anchors } }) {
    if (effect?.resource.type !== 'path' && effect?.resource.type !== 'agent-config') return [];
    if (effect.certainty === 'dynamic') return 'unknown';
    const parts = pathSegments(effect.resource.path);
    const names: string[] = [];
    for (const root of anchors.roots) {
      const base = pathSegments(root);
      const isSame = (part: string, name: string): boolean => part.toLowerCase() === name.toLowerCase();
      const shared = base.findIndex((name, index) => !isSame(parts[index] ?? '', name));
      const first = parts[base.length];
      if (shared < 0 && first !== undefined) {
        if (isGlob(first, effect.certainty)) return 'unknown';
        names.push(first.toLowerCase());
        continue;
      }
      // Above the root, or a glob somewhere on the way to it: everything in the workspace may be touched.
      const isAbove = shared < 0 || shared >= parts.length;
      const hasGlobOnTheWay = parts.slice(0, base.length).some((part) => isGlob(part, effect.certainty));
      if (isAbove || hasGlobOnTheWay) return 'unknown';
    }
    return names;
  },

  host({ effect }) {
    if (effect?.resource.type !== 'url') return [];
    if (effect.resource.host === '' || effect.certainty === 'dynamic') return 'unknown';
    return [hostKey(normalHost(effect.resource.host))];
  },

  package({ effect }) {
    if (effect?.resource.type !== 'package') return [];
    const names = packageNames(effect);
    return effect.certainty === 'dynamic' || names.includes('') ? 'unknown' : names.map((name) => name.toLowerCase());
  },

  tool({ proposal }) {
    if (proposal.kind !== 'CallTool') return [];
    const { tool, server } = proposal.params;
    const names = server === undefined ? [tool] : [tool, `${server}.${tool}`, `${server}/${tool}`];
    return names.map((name) => name.toLowerCase());
  },
};

const isGlob = (part: string, certainty: string): boolean => certainty === 'pattern' && /[*?[{\\]/.test(part);
