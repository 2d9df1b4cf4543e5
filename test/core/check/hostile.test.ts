import assert from 'node:assert/strict';
import { answerer } from '../../../src/cli/check.js';
import { hash53 } from '../../../src/core/session/hash.js';
import { languageCases, otherCases, traceLine, type HostileCase } from '../../support/hostilePlaces.js';

/** Every how many-th case is tried; `EVERY=1 npx mocha …` tries all by hand, `ONLY=` those whose note fits. */
const EVERY = Number(process.env['EVERY'] ?? '61');
const ONLY = new RegExp(process.env['ONLY'] ?? '');
/** What a step may take, in milliseconds of this process, and how many times as long as the yardstick where that is more. */
const LIMIT_MS = 50;
const YARDSTICKS = 12;
const TRIES = 4;
/** On machines that are shared a time says little: there only what takes many times as long as it may is wrong. By hand: `SLACK=1`. */
const SLACK = Number(process.env['SLACK'] ?? '12');

interface Answer {
  readonly error?: string;
  readonly steps?: readonly {
    readonly verdict: string;
    readonly effects: readonly { readonly resource: { readonly what?: string } }[];
  }[];
}

/** Milliseconds that this process itself has worked: other work on the machine does not count, or hardly. */
const workedMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

const MEGABYTE = 'H'.repeat(1 << 20);
/** Some looks through a megabyte, as this machine does them now: about ten milliseconds where nothing else runs. */
function yardstickMs(): number {
  const before = workedMs();
  for (let look = 0; look < 8; look += 1) hash53(MEGABYTE, look);
  return workedMs() - before;
}

/** What is hostile is answered in time, never with a crash, and never let pass where it may do harm. */
describe('hostile proposals', () => {
  const silent = { out: () => undefined, error: () => undefined, isInteractive: false };
  const none = async function* (): AsyncIterable<string> {
    yield* [];
  };
  const settings = {
    named: [],
    mode: null,
    isHeadless: false,
    isTrusted: true,
    hasSandbox: false,
    review: 'off',
  } as const;
  const answer = answerer(settings, { ...silent, lines: none });

  /** What is wrong with the answer to one case; null when nothing is. */
  async function trouble(one: HostileCase): Promise<string | null> {
    const line = traceLine(one);
    const first = workedMs();
    const said = (await answer(line)) as Answer;
    const costMs = workedMs() - first;
    // A proposal that cannot be read is answered too: nobody acts on it.
    const { steps = [] } = said;
    if (steps.length === 0) return said.error === undefined ? 'no answer' : null;
    const fault = steps
      .flatMap(({ effects }) => effects)
      .find(({ resource }) => /could not be analysed/.test(resource.what ?? ''));
    if (fault) return `a fault: ${fault.resource.what ?? ''}`;
    if (!one.mayPass && steps.at(-1)?.verdict === 'allow') return 'let pass';
    return costMs > LIMIT_MS * steps.length ? slowness(line, steps.length) : null;
  }

  /** The first time code runs is no measure of it, and neither is a moment in which memory is tidied: the best of some tries counts. */
  async function slowness(line: string, steps: number): Promise<string | null> {
    let best = Infinity;
    for (let tries = 0; tries < TRIES; tries += 1) {
      const limit = Math.max(LIMIT_MS, YARDSTICKS * yardstickMs()) * steps * SLACK;
      const before = workedMs();
      await answer(line);
      const costMs = workedMs() - before;
      if (costMs <= limit) return null;
      best = Math.min(best, costMs);
    }
    return `takes ${best.toFixed(0)} ms`;
  }

  for (const [name, cases] of [
    ['texts of a language', languageCases],
    ['scripts in circles, paths, addresses, inputs of tools, contents of files', otherCases],
  ] as const)
    it(`are answered: ${name} @slow`, async function () {
      this.timeout(3_600_000);
      const troubles: string[] = [];
      let at = 0;
      for (const one of cases()) {
        at += 1;
        if (at % EVERY !== 0 || !ONLY.test(one.note)) continue;
        const what = await trouble(one);
        if (what !== null) troubles.push(`${one.note}: ${what}`);
      }
      assert.deepEqual(troubles, []);
    });
});
