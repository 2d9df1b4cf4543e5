import type { Analysis, Effect, Resource, Trait } from '../effects/effect.js';
import type { Kind } from '../lacuna/kinds.js';
import type { Risk } from '../lacuna/kindMetadata.js';
import type { ReviewInput } from '../ports.js';
import { bondOf, clausesOf, type Bond, type Clause } from './clauses.js';
import { fitOf, isAskedEarlier, isRefused, plainlyAskedBy, type Fit } from './expectations.js';
import { askedBy, type Asked } from './intents.js';
import { namedIn, namesOf, overlapOf, OVERLAPS, type Named, type Overlap } from './names.js';

/** What a review looks at in one effect: facts only, no word of the agent's. */
export interface EffectFact {
  readonly effect: Effect;
  /** `delete path`, `write ref`: op and kind of resource. */
  readonly what: string;
  /** Where it lies: place of a path, kind of host, remote or local ref. Empty where that says nothing. */
  readonly where: string;
  /** For what is destroyed: whether another copy is known (`kept`, `unsaved`, `ignored`, `?`); else empty. */
  readonly copy: string;
  readonly traits: readonly Trait[];
  readonly fit: Fit;
  /** An earlier request asked for it, whether or not this one goes on with that. */
  readonly isEarlier: boolean;
  /** How plainly the request names its resource. */
  readonly named: Overlap;
  /** How plainly earlier requests or the latest steps do: the better of the two. */
  readonly known: Overlap;
  /** How plainly earlier requests of the person do, whatever the agent said or did. */
  readonly said: Overlap;
  /** How the sentence that asks for the deed stands to its target. Told to no model. */
  readonly bond: Bond;
  /** The same of earlier requests. */
  readonly bondBefore: Bond;
  /** The words say not to do this very deed. Told to no model. */
  readonly isRefused: boolean;
  /** It takes away what the same action, or this session, made before: nobody else's. Told to no model. */
  readonly isOwn: boolean;
  /** How grave it is by its kind, 0 to 9: what is looked at first. */
  readonly weight: number;
}

/** Everything that a review decides on, and from which both models' inputs are made. */
export interface ReviewFacts {
  readonly kind: Kind;
  readonly asked: Asked;
  readonly earlier: Asked | null;
  /** Gravest first, without repetitions; at most {@link MOST_EFFECTS}. */
  readonly effects: readonly EffectFact[];
  /** Names of programs that run, whether the request names them, and whether the session has spoken of or used them. */
  readonly programs: readonly { readonly name: string; readonly named: Overlap; readonly known: Overlap }[];
  /** The request names a place, and the gravest effect is somewhere else. */
  readonly isElsewhere: boolean;
  readonly labels: readonly string[];
  readonly findings: readonly string[];
  readonly plan: ReviewInput['plan'];
  readonly risk: Risk;
  readonly requestLength: 'none' | 'short' | 'middle' | 'long';
}

const MOST_EFFECTS = 12;

/** Weight of an op by itself. */
const WEIGHT: Readonly<Record<Effect['op'], number>> = {
  list: 0,
  read: 0,
  execute: 1,
  write: 2,
  unknown: 3,
  network: 3,
  move: 3,
  install: 4,
  history: 4,
  delete: 5,
  kill: 4,
  persist: 5,
  privilege: 6,
};

const GRAVER: Readonly<Partial<Record<Trait, number>>> = {
  catastrophic: 4,
  'guard-self': 4,
  secret: 3,
  personal: 2,
  upload: 3,
  publish: 3,
  'remote-code': 3,
  'removes-check': 2,
  'grants-access': 2,
  'protected-ref': 2,
  discards: 3,
  covert: 3,
  mass: 1,
  force: 1,
  metadata: 3,
  'rows-unbounded': 1,
  unreviewed: 1,
  daemon: 1,
  'build-output': -4,
  loopback: -3,
  'dry-run': -5,
};

function weightOf(effect: Effect): number {
  const traits = effect.traits.reduce((sum, trait) => sum + (GRAVER[trait] ?? 0), 0);
  const isFar =
    effect.resource.type === 'path' && ['home', 'system', 'outside', 'device'].includes(effect.resource.place);
  const isTemporary = effect.resource.type === 'path' && effect.resource.place === 'temp';
  const isLocalRef = effect.resource.type === 'ref' && effect.resource.remote === null;
  const isRemote = effect.resource.type === 'remote' || effect.resource.type === 'table';
  const lasting = effect.op !== 'read' && effect.op !== 'list' && effect.reversible === 'no' ? 1 : 0;
  const place =
    (isFar && effect.op !== 'list' ? 2 : 0) - (isTemporary ? 4 : 0) - (isLocalRef ? 1 : 0) + (isRemote ? 1 : 0);
  return Math.max(0, Math.min(9, WEIGHT[effect.op] + traits + place + lasting));
}

function whereOf(resource: Resource, traits: readonly Trait[]): string {
  switch (resource.type) {
    case 'path':
      return resource.place;
    case 'url':
      if (traits.includes('loopback')) return 'loopback';
      if (traits.includes('private-address')) return 'private';
      return resource.host === '' ? 'somewhere' : traits.includes('own-service') ? 'own' : 'web';
    case 'ref':
      return resource.remote === null ? 'local' : 'remote';
    case 'remote':
      return /^git(?:hub|lab|ea)|bitbucket/.test(resource.service)
        ? 'forge'
        : /^(?:docker|podman|container|compose)$/.test(resource.service)
          ? 'container'
          : 'cloud';
    default:
      return '';
  }
}

function copyOf(effect: Effect): string {
  if (effect.resource.type !== 'path' || !['delete', 'write', 'move'].includes(effect.op)) return '';
  switch (effect.resource.git) {
    case 'tracked':
    case 'absent':
      return 'kept';
    case 'modified':
    case 'untracked':
    case 'mixed':
      return 'unsaved';
    case 'ignored':
      return 'ignored';
    case 'none':
    case 'unknown':
      return '?';
  }
}

const better = (a: Overlap, b: Overlap): Overlap => (OVERLAPS.indexOf(a) <= OVERLAPS.indexOf(b) ? a : b);

/** What a text of the request side is taken apart into, once for all effects. */
interface Sides {
  readonly asked: Asked;
  readonly before: Asked | null;
  readonly request: Named;
  readonly said: Named;
  readonly history: Named;
  readonly roots: readonly string[];
  readonly own: ReadonlySet<Effect>;
}

function factOf(effect: Effect, sides: Sides): EffectFact {
  const names = namesOf(effect.resource, sides.roots);
  return {
    effect,
    what: `${effect.op} ${effect.resource.type}`,
    where: whereOf(effect.resource, effect.traits),
    copy: copyOf(effect),
    traits: effect.traits,
    fit: fitOf(effect, sides.asked, sides.before),
    isEarlier: isAskedEarlier(effect, sides.before),
    named: overlapOf(names, sides.request),
    known: overlapOf(names, sides.history),
    said: overlapOf(names, sides.said),
    bond: 'none',
    bondBefore: 'none',
    isRefused: isRefused(effect, sides.asked),
    isOwn: sides.own.has(effect),
    weight: weightOf(effect),
  };
}

/**
 * Effects that take away what this session made or started, or what an earlier effect of the same action made where nothing is
 * known to have stood there before.
 */
function ownOf({ analysis: { effects }, madeHere }: ReviewInput): ReadonlySet<Effect> {
  const made = new Set<string>();
  const own = new Set<Effect>(
    effects.filter(({ op, traits }, at) => madeHere.includes(at) || (op === 'kill' && traits.includes('own-process'))),
  );
  for (const effect of effects) {
    const { op, resource, certainty, traits } = effect;
    if (resource.type !== 'path' || certainty !== 'exact') continue;
    const isNew = ['absent', 'none', 'unknown'].includes(resource.git);
    if (op === 'write' && isNew && !traits.some((trait) => ['overwrite', 'append', 'edit'].includes(trait)))
      made.add(resource.path);
    if (op === 'delete' && made.has(resource.path)) own.add(effect);
  }
  return own;
}

/** The name of the kind of a fact: effects of one kind are looked at once, by the one that the request names least. */
const kindOf = (fact: EffectFact): string =>
  [fact.what, fact.where, fact.copy, fact.fit, ...[...fact.traits].sort()].join(' ');

function gravestFirst(facts: readonly EffectFact[]): readonly EffectFact[] {
  const kinds = new Map<string, EffectFact>();
  for (const fact of facts) {
    const known = kinds.get(kindOf(fact));
    const isLess = known !== undefined && OVERLAPS.indexOf(fact.named) <= OVERLAPS.indexOf(known.named);
    // One that takes away somebody else's thing makes the whole kind such.
    const isOwn = fact.isOwn && (known?.isOwn ?? true);
    kinds.set(kindOf(fact), { ...(isLess ? known : fact), isOwn });
  }
  return [...kinds.values()].sort((a, b) => b.weight - a.weight).slice(0, MOST_EFFECTS);
}

/** Bonds are worked out for what is looked at only: each takes every sentence of the request. */
function bonded(facts: readonly EffectFact[], { request, earlier, roots }: ReviewInput): readonly EffectFact[] {
  const now = clausesOf(request);
  const before: readonly Clause[] = earlier.flatMap((text) => clausesOf(text));
  return facts.map((fact) => {
    const names = namesOf(fact.effect.resource, roots);
    const plain = plainlyAskedBy(fact.effect);
    return { ...fact, bond: bondOf(now, plain, names), bondBefore: bondOf(before, plain, names) };
  });
}

function programsOf(analysis: Analysis, request: Named, history: Named): ReviewFacts['programs'] {
  const names = [...new Set(analysis.commands.filter(({ carrier }) => carrier === null).map(({ program }) => program))];
  return names
    .filter((name) => name !== '')
    .slice(0, 8)
    .map((name) => ({ name: name.toLowerCase(), names: namesOf({ type: 'process', process: name }, []) }))
    .map(({ name, names }) => ({ name, named: overlapOf(names, request), known: overlapOf(names, history) }));
}

const lengthOf = (request: string): ReviewFacts['requestLength'] =>
  request.trim() === '' ? 'none' : request.length < 60 ? 'short' : request.length < 400 ? 'middle' : 'long';

/** The first word of a finding as the gate hands it on: `loop: the same…` → `loop`. */
const codeOf = (finding: string): string => finding.replace(/:.*$/s, '');

/** Works out what a review decides on. Pure; linear in the request and the effects. */
export function reviewFacts(input: ReviewInput): ReviewFacts {
  const { analysis } = input;
  const asked = askedBy(input.request);
  const earlierText = input.earlier.join('\n');
  const before = earlierText === '' ? null : askedBy(earlierText);
  const request = namedIn(input.request);
  const history = namedIn([earlierText, ...input.trail, input.planStep ?? ''].join('\n'));
  const said = namedIn(earlierText);
  const sides: Sides = { asked, before, request, said, history, roots: input.roots, own: ownOf(input) };
  const effects = bonded(gravestFirst(analysis.effects.map((effect) => factOf(effect, sides))), input);
  const [worst] = effects;
  const isPlace = worst?.effect.resource.type === 'path' || worst?.effect.resource.type === 'url';
  return {
    kind: input.lacuna.kind,
    asked,
    earlier: before,
    effects,
    programs: programsOf(analysis, request, history),
    isElsewhere: isPlace && request.places.length > 0 && better(worst.named, worst.known) === 'none',
    labels: input.labels,
    findings: [...new Set(input.findings.map(codeOf))],
    plan: input.plan,
    risk: input.decision.risk,
    requestLength: lengthOf(input.request),
  };
}
