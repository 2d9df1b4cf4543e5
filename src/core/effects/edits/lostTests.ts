import { isTest } from './lostChecks.js';
import { mark, shownNames, type Finding, type Sides } from './finding.js';

/** How a test begins in one of the usual frameworks; the name is in the first group that is set, the marker before it. */
const TEST =
  /(?:^|[\s;{(])(?:(x|f)?(?:it|test|specify|scenario)((?:\.\w+)*)\s*\(\s*(?:'([^'\n]{1,200})'|"([^"\n]{1,200})"|`([^`\n]{1,200})`)|(?:async\s+)?def\s+(test_\w+)|func\s+(Test\w+)\s*\(|(?:public\s+)?(?:void|fun|function)\s+(test\w+)\s*\(|#\[(?:tokio::)?test\][^{]{0,200}?\bfn\s+(\w+)|^\s*(?:it|test|scenario)\s+["']([^"'\n]{1,200})["']\s+do\b)/gm;

/** Markers that have a test passed over, whatever happens: those with a condition of their own are everyday. */
const SKIPS =
  /^\s*@(?:pytest\.mark\.(?:skip|xfail)\b(?!if)|unittest\.skip\b(?!If|Unless)|Ignore\b|Disabled\b(?!On|If|Unless)|skip\b)|^\s*#\[ignore\b|^\s*\[(?:Fact|Theory|Test)\s*\(\s*Skip\s*=|^\s*\[Ignore\b|^\s*t\.Skip(?:f|Now)?\(|^\s*(?:pytest|self)\.skip(?:Test)?\(|^\s*\$this->markTestSkipped\(|^\s*(?:skip|pending)\b/;

const ASSERTION = /\b(?:expect|assert\w*|should|require\.\w+|verify|t\.(?:Error|Fatal)f?)\b[.( !]/g;

interface Tests {
  /** Name → whether it is passed over. */
  readonly named: ReadonlyMap<string, boolean>;
  readonly assertions: number;
  /** Whether a marker has all other tests passed over. */
  readonly hasOnly: boolean;
}

function testsOf(text: string): Tests {
  const named = new Map<string, boolean>();
  const lines = text.split('\n');
  let hasOnly = false;
  for (const match of text.matchAll(TEST)) {
    const [, letter, members = '', ...names] = match;
    const name = names.find((one) => one !== undefined);
    if (name === undefined) continue;
    hasOnly ||= letter === 'f' || members.includes('.only');
    const at = text.slice(0, match.index + match[0].length).split('\n').length - 1;
    const around = [...markersAbove(lines, at), lines[at + 1] ?? ''];
    const isSkipped = letter === 'x' || /\.(?:skip|todo)\b/.test(members) || around.some((line) => SKIPS.test(line));
    named.set(name, isSkipped);
  }
  return { named, assertions: [...text.matchAll(ASSERTION)].length, hasOnly };
}

/** The lines right above that are decorators, attributes or annotations. */
function markersAbove(lines: readonly string[], at: number): readonly string[] {
  const found: string[] = [];
  for (let above = at - 1; above >= Math.max(0, at - 5); above -= 1) {
    const line = lines[above] ?? '';
    if (!/^\s*(?:@|#\[|\[)/.test(line)) break;
    found.push(line);
  }
  return found;
}

/** Longer than any test file that people read. */
const MOST_CHARACTERS = 256 * 1024;

/**
 * Tests that a change has passed over that ran before, and tests or assertions that are fewer than before. The first needs a person,
 * since a suite is made to pass by it; the second is told, since tests go with what they tested every day. Close to linear.
 */
export function lostTests(sides: Sides): readonly Finding[] {
  const { before, after } = sides;
  if (!isTest(sides) || before === '' || before.length + after.length > 2 * MOST_CHARACTERS) return [];
  const was = testsOf(before);
  if (was.named.size === 0 && was.assertions === 0) return [];
  const is = testsOf(after);
  const skipped = [...was.named].filter(([name, isSkipped]) => !isSkipped && is.named.get(name) === true);
  const gone = [...was.named.keys()].filter((name) => !is.named.has(name));
  const added = [...is.named.keys()].filter((name) => !was.named.has(name)).length;
  const findings: Finding[] = [];
  if (skipped.length > 0)
    findings.push(mark('removes-check', `has tests passed over: ${shownNames(skipped.map(([name]) => name))}`));
  // A test under another name, or two made one, is no test less.
  if (gone.length > added) findings.push(mark('fewer-checks', `takes tests away: ${shownNames(gone)}`));
  else if (is.assertions < was.assertions && gone.length === 0)
    findings.push(mark('fewer-checks', `takes ${String(was.assertions - is.assertions)} assertions out of its tests`));
  if (is.hasOnly && !was.hasOnly) findings.push(mark('fewer-checks', 'has all tests but the marked ones passed over'));
  return findings;
}
