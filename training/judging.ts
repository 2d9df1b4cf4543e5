import { lookAtFileSystem } from '../src/adapters/facts.js';
import { clock } from '../src/adapters/system.js';
import { TreeSitter } from '../src/adapters/treeSitter.js';
import { wasmFolder } from '../src/cli/wasm.js';
import { parseTrace, reviewTrace, type JudgedStep, type Trace } from '../src/core/check/trace.js';
import { analyse } from '../src/core/effects/analyse.js';
import type { Facts } from '../src/core/effects/facts.js';
import { compilePolicy } from '../src/core/policy/compile.js';
import { declaredLabels } from '../src/core/policy/declaredLabels.js';
import { decide } from '../src/core/policy/decide.js';
import { layersOf, loadSources } from '../src/core/policy/load.js';
import { policyFiles } from '../src/adapters/policyFiles.js';

/** Judges traces for training under the default policy, and hands on what each step was judged on. */
export class Judging {
  readonly #syntax = new TreeSitter(wasmFolder());
  readonly #policy = loadSources([], policyFiles).then((loaded) => compilePolicy(layersOf(loaded, { isTrusted: true })));

  /** The steps of a trace as they were judged, in order. `facts` replaces the file system; `earlier` are requests before its own. */
  async steps(
    trace: object,
    earlier: readonly string[] = [],
    facts: Facts | null = null,
  ): Promise<readonly JudgedStep[]> {
    const line = JSON.stringify(trace);
    const parsed = parseTrace(line);
    if (!parsed.ok) throw new Error(parsed.error.error);
    await this.#syntax.load('bash');
    const policy = await this.#policy;
    const steps: JudgedStep[] = [];
    const world = (one: Trace): Facts =>
      facts ??
      lookAtFileSystem({
        roots: [one.workspace],
        environment: 'unknown',
        ...(one.home === null ? {} : { home: one.home }),
        ...(one.platform === null ? {} : { platform: one.platform }),
      });
    await reviewTrace(
      parsed.value,
      {
        clock,
        syntax: this.#syntax,
        analyse,
        open: (one) => {
          const seen = world(one);
          return {
            facts: seen,
            identity: () => null,
            policyLabels: declaredLabels(policy.layers, seen),
            mode: 'balanced',
            earlier,
            circumstances: { user: null, time: null, isHeadless: false, isTrusted: true, hasSandbox: true },
            decide: (proposal, analysis, context) => decide(policy, proposal, analysis, context),
          };
        },
      },
      (step) => {
        steps.push(step);
        return Promise.resolve(step.judged.decision);
      },
    );
    return steps;
  }
}
