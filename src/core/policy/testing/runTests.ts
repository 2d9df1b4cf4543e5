import type { Analysis } from '../../effects/effect.js';
import type { Facts } from '../../effects/facts.js';
import { KINDS } from '../../lacuna/kinds.js';
import { parseProposal, type Proposal } from '../../lacuna/lacuna.js';
import type { CompiledPolicy } from '../compile.js';
import type { PolicyContext } from '../context.js';
import { decide } from '../decide.js';
import type { Decision } from '../decision.js';
import type { TestSpec } from '../schema.js';
import { listOf } from '../subject.js';
import { stricter, type Verdict } from '../verdict.js';
import { nearest } from '../writing/nearest.js';
import { contextOf, givenAnalysis } from './testCase.js';
import { testFacts } from './testFacts.js';

/** Analysis with a parser bound; tests run on made-up facts. */
export type Analyse = (proposal: Proposal, facts: Facts) => Analysis;

/** What came of one test in a policy. */
export interface TestResult {
  readonly test: TestSpec;
  /** Place in the file's list. */
  readonly index: number;
  readonly name: string;
  readonly isPassed: boolean;
  /** Why it failed, in one sentence; empty when it passed. */
  readonly message: string;
  /** Null when the test itself could not be read. */
  readonly decision: Decision | null;
}

const MAX_REPAIRS = 4;

/** Runs the tests of a file under a policy. Pure but for the analysis that is handed in. */
export const runTests = (policy: CompiledPolicy, tests: readonly TestSpec[], analyse: Analyse): readonly TestResult[] =>
  tests.map((test, index) => runTest(policy, test, index, analyse));

function runTest(policy: CompiledPolicy, test: TestSpec, index: number, analyse: Analyse): TestResult {
  const name = test.name ?? testName(test);
  const parsed = parseProposal(test.when.kind, test.when.params);
  if (!parsed.ok) {
    const why =
      parsed.error.type === 'invalid-params' ? wrongParams(test.when, parsed.error.issues) : parsed.error.kind;
    return { test, index, name, isPassed: false, message: `The Lacuna cannot be read: ${why}`, decision: null };
  }
  const decision = decideTest(policy, parsed.value, test, analyse);
  const expected = listOf<Verdict>(test.expect);
  if (!expected.includes(decision.verdict)) {
    const message = `Expected ${expected.join(' or ')}, but it is ${decision.verdict}. ${firstLine(decision.reason)}`;
    return { test, index, name, isPassed: false, message, decision };
  }
  const deciding = decision.rules.filter(({ lost }) => lost === null || lost === 'milder-effect').map(({ id }) => id);
  if (test.rule !== undefined && !deciding.includes(test.rule)) {
    const message = `The verdict is right, but rule ${test.rule} is not among those that decide (${deciding.join(', ') || 'none'}).`;
    return { test, index, name, isPassed: false, message, decision };
  }
  return { test, index, name, isPassed: true, message: '', decision };
}

/** Decides as the gate does: what a repair makes of the Lacuna is judged again. */
function decideTest(policy: CompiledPolicy, proposal: Proposal, test: TestSpec, analyse: Analyse): Decision {
  const facts = testFacts(test);
  const context: PolicyContext = contextOf(test);
  let current = proposal;
  for (let repairs = 0; ; repairs += 1) {
    const analysis =
      test.effects !== undefined && repairs === 0 ? givenAnalysis(test.effects, facts) : analyse(current, facts);
    const decision = decide(policy, current, analysis, context);
    if (decision.repair === null || repairs === MAX_REPAIRS)
      return repairs === 0 ? decision : { ...decision, verdict: stricter(decision.verdict, 'modify') };
    current = decision.repair.after;
  }
}

/** What is wrong with parameters: what is missing, what there is not, and what there could be. */
function wrongParams({ kind, params }: TestSpec['when'], issues: readonly string[]): string {
  const fields = Object.keys(KINDS[kind].params.shape);
  const unknown = Object.keys(params).filter((name) => !fields.includes(name));
  if (unknown.length === 0)
    return issues
      .map((issue) => issue.replace(/: Invalid input: expected \w+, received undefined$/, ' is missing'))
      .join('; ');
  const meant = unknown.map((name) => nearest(name, fields)).find((name) => name !== null);
  const missing = issues.flatMap((issue) => /^(\w+): .*received undefined$/.exec(issue)?.[1] ?? []);
  const hint = meant ?? missing[0];
  const guess = hint === undefined ? '' : ` Did you mean "${hint}"?`;
  return `${kind} has no "${unknown.join('", "')}"; it has ${fields.join(', ')}.${guess}`;
}

/** What a test is called when it has no name: the command, the path, or the kind. */
function testName({ when }: TestSpec): string {
  for (const field of ['command', 'path', 'url', 'sql', 'tool', 'from', 'goal']) {
    const value = when.params[field];
    if (typeof value === 'string') return `${when.kind}: ${value}`;
  }
  return when.kind;
}

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? '';
