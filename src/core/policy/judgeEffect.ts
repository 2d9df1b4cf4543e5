import type { CompiledPolicy, CompiledRule } from './compile.js';
import type { DecidedBy, Lost, MatchedRule } from './decision.js';
import { isSandboxable } from './sandboxable.js';
import type { Reading, Subject } from './subject.js';
import type { Tri } from './tri.js';
import { stricter, strictness, type Layer, type Verdict } from './verdict.js';

/** A rule that speaks for a subject. */
export interface Match {
  readonly rule: CompiledRule;
  readonly verdict: Verdict;
  /** It could not be evaluated; `verdict` is its `onFailure`. */
  readonly isFailure: boolean;
  /** It may be meant but need not: it restricts, and takes the place of nothing. Failures are such. */
  readonly isFloor: boolean;
}

/** What the policy says of one effect. */
export interface EffectJudgement {
  readonly verdict: Verdict;
  readonly by: DecidedBy;
  /** The rules that decided; empty when nothing matched. */
  readonly deciding: readonly Match[];
  /** All that matched, with why each lost. */
  readonly rules: readonly MatchedRule[];
  /** Whether the reviewer may lower the ask; of a `sandbox`, the ask that it is where there is no sandbox. */
  readonly isClearable: boolean;
}

/**
 * Judges one effect. Protections hold always; in each layer the highest priority wins, on a tie the stricter, raised by the
 * firm pack rules that the winners do not override; across layers the strictest; packs where no layer has a say; else ask.
 * Source: product.md §4.
 */
export function judgeEffect(policy: CompiledPolicy, subject: Subject): EffectJudgement {
  const matches = policy.index.candidates(subject).flatMap((rule) => matchOf(rule, subject));
  const lost = new Map<Match, Lost>();
  const layer = (name: Layer, isHeard: (match: Match) => boolean): LayerAnswer =>
    answerOf(
      matches.filter((match) => match.rule.layer === name && isHeard(match)),
      lost,
    );
  const tightens = ({ rule }: Match): boolean => onlyTightens(rule, subject);
  const packs = layer('pack', () => true);
  const heard = WRITTEN.map((name) => layer(name, (match) => !tightens(match)));
  const tightening = WRITTEN.map((name) => layer(name, tightens));

  const answers = heard.flatMap(({ winners }) => (winners === null ? [] : [raisedByFirm(winners, packs)]));
  const base = answers.length > 0 ? answers : packs.winners === null ? [] : [packs.winners];
  if (answers.length > 0) markReplaced(packs, answers, lost);
  const ground = base.map(({ verdict }) => verdict).reduce<Verdict | null>(strictest, null) ?? 'ask';

  const always = matches.filter(({ rule }) => rule.layer === 'protection');
  const floors = [
    ...heard.flatMap((answer) => answer.floors),
    ...packs.floors.filter(({ rule }) => answers.length === 0 || rule.isFirm),
    ...tightening.flatMap((answer) => [...(answer.winners?.deciding ?? []), ...answer.floors]),
  ];
  const verdict = [...always, ...floors].map((match) => match.verdict).reduce(stricter, ground);

  const deciding = [
    ...always.filter((match) => match.verdict === verdict),
    ...base.flatMap((winners) => winners.deciding).filter((match) => match.verdict === verdict),
    ...floors.filter((match) => match.verdict === verdict && strictness(verdict) > strictness(ground)),
  ];
  const { isTrusted } = subject.context;
  const why = (match: Match): Lost | null => {
    if (deciding.includes(match)) return null;
    if (tightens(match))
      return lost.get(match) ?? (match.rule.isOnlyStricter && isTrusted ? 'unverified' : 'untrusted');
    return (
      lost.get(match) ??
      (match.rule.layer === 'pack' && answers.length > 0
        ? 'replaced-pack'
        : floors.includes(match)
          ? 'milder'
          : 'weaker-layer')
    );
  };
  return {
    verdict,
    by: decidedBy(deciding),
    deciding,
    rules: matches.map((match) => shown(match, subject.index, why(match))),
    isClearable:
      (verdict === 'ask' || verdict === 'sandbox') &&
      deciding.length > 0 &&
      [...deciding, ...base.flatMap((winners) => winners.deciding), ...floors]
        .filter((match) => deciding.includes(match) || comesToAsk(match.verdict, subject))
        .every((match) => mayBeCleared(match, subject)),
  };
}

/** Whether a sandbox or a repair is also an ask, since it cannot be had or may not succeed. */
const comesToAsk = (verdict: Verdict, { context, proposal }: Subject): boolean =>
  verdict === 'modify' || (verdict === 'sandbox' && !isSandboxable(proposal.kind, context));

/** A rule that could not be evaluated leaves its question to a person, and an untrusted workspace has no say in who answers. */
const mayBeCleared = ({ rule, isFailure }: Match, subject: Subject): boolean =>
  rule.spec.clearable === true && !isFailure && !onlyTightens(rule, subject);

/** Layers that people write. */
const WRITTEN: readonly Layer[] = ['organisation', 'user', 'workspace'];

/** Whether a rule is heard only where it is stricter than the others: of an untrusted workspace, or a file not known to be whole. */
export const onlyTightens = (rule: CompiledRule, { context }: Pick<Subject, 'context'>): boolean =>
  rule.isOnlyStricter || (rule.layer === 'workspace' && !context.isTrusted);

const strictest = (a: Verdict | null, b: Verdict): Verdict => (a === null ? b : stricter(a, b));

/** Asks a rule. Empty: it does not match. */
function matchOf(rule: CompiledRule, subject: Subject): readonly Match[] {
  const verdict = rule.verdicts[subject.context.mode];
  const match = (answer: Tri, isFloor: boolean): readonly Match[] => {
    if (answer === 'no') return [];
    const isFailure = answer === 'unknown';
    return [
      { rule, verdict: isFailure ? (rule.spec.onFailure ?? 'ask') : verdict, isFailure, isFloor: isFloor || isFailure },
    ];
  };
  if (verdict === 'ask' || verdict === 'deny')
    return match(ask(rule, subject, { isRestricting: true, isSure: false }), false);
  if (verdict === 'allow') return match(ask(rule, subject, { isRestricting: false, isSure: true }), false);
  // A sandbox or a repair that only may be meant still restricts, but it must not take the place of something stricter.
  const surely = ask(rule, subject, { isRestricting: true, isSure: true });
  if (surely === 'yes') return match(surely, false);
  return match(ask(rule, subject, { isRestricting: true, isSure: false }), true);
}

function ask(rule: CompiledRule, subject: Subject, reading: Reading): Tri {
  try {
    return rule.match.predicate(subject, reading);
  } catch (error) {
    // A rule that fails could not be evaluated: no verdict of its own, and never a silent skip. Any error counts, ours too.
    if (error instanceof Error) return 'unknown';
    throw error;
  }
}

interface LayerAnswer {
  readonly winners: Winners | null;
  /** Matches that only restrict, unless a rule of higher priority in the same layer is sure. */
  readonly floors: readonly Match[];
  readonly sure: readonly Match[];
}

interface Winners {
  readonly verdict: Verdict;
  readonly deciding: readonly Match[];
  /** Firm rules that every one of the highest-ranking rules replaces: a rule that is added never loosens. */
  readonly overrides: ReadonlySet<string>;
}

function answerOf(matches: readonly Match[], lost: Map<Match, Lost>): LayerAnswer {
  const sure = matches.filter(({ isFloor }) => !isFloor);
  const ranked = winnersOf(sure, lost);
  const isStanding = (match: Match): boolean => stands(match) && ranked?.overrides.has(match.rule.id) !== true;
  const winners = ranked === null ? null : raisedBy(ranked, sure.filter(isStanding), lost);
  const priority = ranked?.deciding[0]?.rule.priority ?? -Infinity;
  const floors = matches.filter((match) => match.isFloor && (match.rule.priority >= priority || isStanding(match)));
  for (const match of matches) if (match.isFloor && !floors.includes(match)) lost.set(match, 'lower-priority');
  return { winners, floors, sure };
}

/**
 * Whether a rule gives way to no milder rule of its own layer that does not name it, whatever the priorities: a firm rule of a
 * pack, and one that refuses. Source: product.md §4, "unless that rule lists it in `overrides`".
 */
const stands = ({ rule, verdict }: Match): boolean => rule.layer === 'pack' && (rule.isFirm || verdict === 'deny');

/** The winners by priority, raised by the rules that stand. */
function raisedBy(winners: Winners, standing: readonly Match[], lost: Map<Match, Lost>): Winners {
  const verdict = standing.map((match) => match.verdict).reduce(stricter, winners.verdict);
  if (verdict === winners.verdict) return winners;
  const deciding = standing.filter((match) => match.verdict === verdict);
  for (const match of deciding) lost.delete(match);
  for (const match of winners.deciding) lost.set(match, 'milder');
  return { verdict, deciding, overrides: new Set() };
}

/** The highest priority, on a tie the stricter; null when nothing matched. */
function winnersOf(matches: readonly Match[], lost: Map<Match, Lost>): Winners | null {
  if (matches.length === 0) return null;
  const priority = Math.max(...matches.map(({ rule }) => rule.priority));
  const top = matches.filter((match) => match.rule.priority === priority);
  const verdict = top.map((match) => match.verdict).reduce(stricter);
  for (const match of matches)
    if (match.rule.priority < priority) lost.set(match, 'lower-priority');
    else if (match.verdict !== verdict) lost.set(match, 'milder');
  const [first, ...rest] = top.map(({ rule }) => rule.overrides);
  const overrides = new Set([...(first ?? [])].filter((id) => rest.every((set) => set.has(id))));
  return { verdict, deciding: top.filter((match) => match.verdict === verdict), overrides };
}

/** A layer's answer after the firm pack rules that neither it nor a pack rule of higher priority overrides have been heard. */
function raisedByFirm(winners: Winners, packs: LayerAnswer): Winners {
  const firm = packs.sure
    .filter(({ rule }) => rule.isFirm && !winners.overrides.has(rule.id))
    .filter(
      (match) =>
        !packs.sure.some(
          (other) =>
            other.rule.priority > match.rule.priority &&
            other.rule.overrides.has(match.rule.id) &&
            strictness(other.verdict) < strictness(match.verdict),
        ),
    );
  if (firm.length === 0) return winners;
  const verdict = firm.map((match) => match.verdict).reduce(stricter);
  if (strictness(verdict) < strictness(winners.verdict)) return winners;
  const deciding = firm.filter((match) => match.verdict === verdict);
  return { ...winners, verdict, deciding: [...winners.deciding, ...deciding] };
}

function markReplaced(packs: LayerAnswer, answers: readonly Winners[], lost: Map<Match, Lost>): void {
  for (const match of packs.winners?.deciding ?? []) {
    const isOverridden = answers.some(({ overrides }) => overrides.has(match.rule.id));
    lost.set(match, isOverridden ? 'overridden' : 'replaced-pack');
  }
}

function decidedBy(deciding: readonly Match[]): DecidedBy {
  if (deciding.length === 0) return 'default';
  if (deciding.some(({ rule }) => rule.layer === 'protection')) return 'protection';
  if (deciding.every(({ isFailure }) => isFailure)) return 'failure';
  return deciding.some(({ rule, isFailure }) => !isFailure && rule.source !== 'lacuna:session') ? 'rule' : 'state';
}

const shown = ({ rule, verdict, isFailure }: Match, effect: number, lost: Lost | null): MatchedRule => ({
  id: rule.id,
  layer: rule.layer,
  source: rule.source,
  verdict,
  priority: rule.priority,
  isFirm: rule.isFirm,
  isClearable: rule.spec.clearable === true,
  effect,
  lost,
  isFailure,
  reason: rule.spec.reason ?? '',
  advice: rule.spec.advice ?? '',
});
