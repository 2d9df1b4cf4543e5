import type { Analysis } from '../effects/effect.js';
import type { Proposal } from '../lacuna/lacuna.js';
import { err, ok, type Result } from '../result.js';
import type { Decision } from './decision.js';
import { parsePolicy } from './parse.js';
import { proposeAllow } from './propose.js';
import { ruleText } from './ruleText.js';
import type { RuleSpec } from './schema.js';

const MAX_PROPOSED = 200;
const MAY_BE_SAID: ReadonlySet<string> = new Set(['id', 'match', 'verdict', 'reason', 'advice']);

/**
 * Rules that a person may be shown under "always". Only what was proposed, or less, is taken back: what must not be proposed
 * (destructive, secret, irreversible) cannot come in by way of an edited draft either.
 */
export class ApprovedRules {
  readonly #proposed: RuleSpec[] = [];

  /** The narrowest rule that would have let this pass, as YAML; null when there is none, or when it would change nothing. */
  propose(lacuna: Proposal & { readonly id: string }, analysis: Analysis, decision: Decision): string | null {
    const asking = decision.rules.filter(({ lost }) => lost === null);
    // An allow of a layer takes the place of what packs say, and of nothing else.
    if (asking.some(({ layer, isFirm }) => layer !== 'pack' || isFirm)) return null;
    const id = `approved-${lacuna.id.replace(/[^a-z0-9._-]/gi, '-')}`.slice(0, 80);
    const rule = proposeAllow([{ proposal: lacuna, analysis, decision }], id);
    if (rule === null) return null;
    const shown = { ...rule, reason: 'Approved by a person.' };
    this.#proposed.push(shown);
    if (this.#proposed.length > MAX_PROPOSED) this.#proposed.shift();
    return ruleText(shown);
  }

  /** Text of one rule → the rule, or why it cannot be written, in words for people. */
  parse(text: string): Result<RuleSpec, string> {
    const item = text.trimStart().startsWith('-') ? text : `- ${text.trim().replaceAll('\n', '\n  ')}`;
    const parsed = parsePolicy('rule', `version: 1\nrules:\n${item}\n`);
    if (!parsed.ok) return err(parsed.error[0]?.message ?? 'This is not a rule.');
    const { version: _, rules = [], ...more } = parsed.value.spec;
    const [rule] = rules;
    if (rule === undefined || rules.length > 1 || Object.keys(more).length > 0)
      return err('Exactly one rule is expected, and nothing besides it.');
    if (rule.verdict !== 'allow') return err('Only a rule with the verdict "allow" is written from here.');
    const field = Object.keys(rule).find((key) => !MAY_BE_SAID.has(key));
    if (field !== undefined) return err(`"${field}" cannot be said here; write such a rule into the policy yourself.`);
    return this.#proposed.some((proposed) => isNarrower(rule.match, proposed.match))
      ? ok(rule)
      : err('This allows more than was proposed. Narrow the proposal, or write a wider rule into the policy yourself.');
  }
}

/** Whether a match is that of a proposal with names left out or circumstances added. */
function isNarrower({ context: _, ...match }: RuleSpec['match'], proposed: RuleSpec['match']): boolean {
  return isWithin(match, proposed);
}

function isWithin(value: unknown, whole: unknown): boolean {
  if (!isRecord(value) || !isRecord(whole)) {
    const names = many(whole);
    return many(value).every((name) => names.includes(name));
  }
  const keys = Object.keys(whole);
  return (
    Object.keys(value).length === keys.length &&
    keys.every((key) =>
      // What is excepted must stay so: less of it would be more of the rule.
      key === 'not'
        ? JSON.stringify(value[key]) === JSON.stringify(whole[key])
        : key in value && isWithin(value[key], whole[key]),
    )
  );
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const many = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);
