import type { Analysis, Effect, Trait } from '../effects/effect.js';
import type { Proposal } from '../lacuna/lacuna.js';
import type { Decision } from './decision.js';
import type { RuleSpec } from './schema.js';

/** A Lacuna that a person approved, or spoke about afterwards. */
export interface Observed {
  readonly proposal: Proposal;
  readonly analysis: Analysis;
  readonly decision: Decision;
}

/** Ops that a proposal may allow. All others destroy, change what is out of reach, or let something run later. */
const PROPOSABLE: ReadonlySet<Effect['op']> = new Set<Effect['op']>([
  'list',
  'read',
  'write',
  'network',
  'execute',
  'install',
]);

/** Traits with which nothing is ever proposed to be allowed, however often it was approved. */
const NEVER: ReadonlySet<Trait> = new Set<Trait>([
  'secret',
  'personal',
  'upload',
  'publish',
  'discards',
  'catastrophic',
  'guard-self',
  'remote-code',
  'own-code',
  'unreviewed',
  'covert',
  'metadata',
  'grants-access',
  'removes-check',
  'hidden-text',
  'protected-ref',
  'mass',
  'force',
  'rows-unbounded',
]);

/**
 * The narrowest rule that would have let all of these pass: exact paths, hosts, packages or tools of one op, nothing wider.
 * Null when there is none: nothing was asked, what was asked is of several sorts, or any of it is destructive, secret,
 * irreversible or not known exactly. A rule that is proposed is shown, and written only when a person accepts it.
 */
export function proposeAllow(observed: readonly Observed[], id: string): RuleSpec | null {
  const asked = observed.flatMap(({ analysis, decision }) => {
    const indexes = new Set(
      decision.rules.filter((rule) => rule.lost === null && rule.verdict === 'ask').map((rule) => rule.effect),
    );
    return analysis.effects.filter((_, index) => indexes.has(index));
  });
  const [first] = asked;
  if (first === undefined || !asked.every(isProposable)) return null;
  if (asked.some(({ op, resource }) => op !== first.op || resource.type !== first.resource.type)) return null;
  const match = matchOf(asked, first);
  if (match === null) return null;
  return { id, match, verdict: 'allow', reason: `Approved by a person ${String(observed.length)} times.` };
}

/**
 * The narrowest rule that would have stopped what a person says should have been stopped: an ask on exactly these resources.
 * Null when nothing in it can be named.
 */
export function proposeStop(observed: readonly Observed[], id: string): RuleSpec | null {
  const effects = observed.flatMap(({ analysis }) =>
    analysis.effects.filter(({ op }) => op !== 'execute' && op !== 'list'),
  );
  const [first] = effects;
  if (first === undefined) return null;
  const same = effects.filter(({ op, resource }) => op === first.op && resource.type === first.resource.type);
  const match = matchOf(same, first);
  if (match === null) return null;
  // What is to be stopped is stopped whatever else there is to say of it.
  const { not: _, ...whole } = match;
  return { id, match: whole, verdict: 'ask', reason: 'A person says that this should have been stopped.' };
}

const isProposable = (effect: Effect): boolean =>
  effect.certainty === 'exact' &&
  PROPOSABLE.has(effect.op) &&
  !effect.traits.some((trait) => NEVER.has(trait)) &&
  (effect.reversible !== 'no' || effect.op === 'install' || effect.resource.type === 'tool' || isNew(effect));

/** A file that was not there before is no loss, wherever it lies. */
const isNew = ({ op, traits }: Effect): boolean => op === 'write' && traits.includes('create');

function matchOf(effects: readonly Effect[], { op, resource: { type } }: Effect): RuleSpec['match'] | null {
  const names = (of: (effect: Effect) => string | null): string[] | null => {
    const list = effects.map(of);
    return list.every((name) => name !== null && name !== '') ? [...new Set(list as string[])].sort() : null;
  };
  switch (type) {
    case 'path': {
      const path = names(({ resource }) => (resource.type === 'path' ? escaped(resource.path) : null));
      return path === null ? null : { effect: { op, path }, ...butFor(UNTOUCHED) };
    }
    case 'url': {
      const host = names(({ resource }) =>
        resource.type === 'url' && resource.host !== ''
          ? `${resource.host}${resource.port === null ? '' : `:${String(resource.port)}`}`
          : null,
      );
      return host === null ? null : { effect: { op, host }, ...butFor(['upload', 'publish', 'secret', 'remote-code']) };
    }
    case 'package': {
      const list = names(({ resource }) =>
        resource.type === 'package' && resource.name !== '' ? `${resource.ecosystem}:${resource.name}` : null,
      );
      return list === null
        ? null
        : { effect: { op, package: list.map(escaped) }, ...butFor(['remote-code', 'publish', 'secret', 'force']) };
    }
    case 'tool': {
      const tool = names(({ resource }) =>
        resource.type === 'tool' ? `${resource.server === null ? '' : `${resource.server}.`}${resource.tool}` : null,
      );
      return tool === null ? null : { effect: { op, resource: 'tool' }, tool: tool.map(escaped) };
    }
    case 'process':
    case 'table':
    case 'environment':
    case 'ref':
    case 'agent-config':
    case 'remote':
    case 'unknown':
      return null;
  }
}

/** What a rule on a path must not cover, however the same path is reached another time. */
const UNTOUCHED: readonly Trait[] = [
  'secret',
  'personal',
  'discards',
  'removes-check',
  'hidden-text',
  'grants-access',
  'mass',
];

const butFor = (trait: readonly Trait[]): Pick<RuleSpec['match'], 'not'> => ({
  not: { effect: { trait: [...trait] } },
});

/** A name as a pattern that holds of this name only. */
const escaped = (name: string): string => name.replace(/[*?[\]{}\\!]/g, '\\$&');
