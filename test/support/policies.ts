import { analyse } from '../../src/core/effects/analyse.js';
import { freshTerminal } from '../../src/core/effects/effect.js';
import type { Analyse } from '../../src/core/policy/testing/runTests.js';

/** Analysis without a parser: for tests that give their effects themselves, and for kinds other than shell lines. */
export const analyseBare: Analyse = (proposal, facts) =>
  analyse(proposal, { facts, syntax: { parse: () => null }, terminal: freshTerminal(facts.roots[0] ?? null) });
