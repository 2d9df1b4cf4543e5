import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createBindings } from '../../src/adapters/bindings.js';
import { lookAtFileSystem } from '../../src/adapters/facts.js';
import type { Analysis, Effect, SimpleCommand } from '../../src/core/effects/effect.js';
import { freshTerminal } from '../../src/core/effects/effect.js';
import type { Executors } from '../../src/core/gate/executor.js';
import type { Outcome } from '../../src/core/gate/outcome.js';
import { mint, type World } from '../../src/core/gate/permit.js';
import type { Kind, ParamsOf } from '../../src/core/lacuna/kinds.js';
import type { Lacuna } from '../../src/core/lacuna/lacuna.js';
import type { Confinement, Obligations } from '../../src/core/policy/decision.js';
import type { Bindings } from '../../src/core/ports.js';
import { createExecutors, type ExecutorOptions } from '../../src/executors/all.js';
import { maskNothing } from '../../src/executors/output.js';
import { collector, decisionOf, lacunaOf, noCancel } from './permits.js';

/** How a Lacuna is filled in a test. */
export interface Filling {
  readonly confinement?: Confinement;
  readonly obligations?: Obligations;
  readonly effects?: readonly Effect[];
  readonly commands?: readonly SimpleCommand[];
  /** Runs after the permit is minted and before it is spent. */
  readonly between?: () => void;
  /** Runs at each look at the world, with its number from 0: 0 at the spending, 1 at the executor's own. */
  readonly atLook?: (look: number) => void;
  readonly cancel?: AbortSignal;
}

export const emptyAnalysis = (effects: readonly Effect[] = [], commands: readonly SimpleCommand[] = []): Analysis => ({
  effects,
  commands,
  flows: [],
  terminal: freshTerminal(null),
});

/** A temporary workspace with real executors and real bindings. */
export class Workspace {
  /** Canonical; holds `ws` and whatever lies outside of it. */
  readonly outside: string;
  readonly root: string;
  readonly executors: Executors;
  readonly bindings: Bindings;

  constructor(options: Partial<ExecutorOptions> = {}) {
    this.outside = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'lacuna-test-')));
    this.root = path.join(this.outside, 'ws');
    mkdirSync(this.root);
    const facts = { look: () => lookAtFileSystem({ roots: [this.root] }) };
    this.bindings = createBindings(facts, { nowMs: () => 0, nowMicros: () => 0 });
    this.executors = createExecutors({ facts, mask: maskNothing, ...options });
  }

  at(...parts: string[]): string {
    return path.join(this.root, ...parts);
  }

  write(name: string, content: string | Buffer): string {
    const file = this.at(name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
    return file;
  }

  /** Binds, mints and fills, as the gate would for an allow. */
  async fill<K extends Kind>(kind: K, params: ParamsOf[K], filling: Filling = {}): Promise<Outcome> {
    const lacuna = lacunaOf(kind, params);
    const binding = await this.bindings.bind(lacuna as Lacuna, emptyAnalysis(filling.effects, filling.commands));
    let looks = 0;
    const world: World = {
      nowMs: () => 0,
      digestNow: (one, subjects) => {
        filling.atLook?.(looks);
        looks += 1;
        return this.bindings.digestNow(one, subjects);
      },
    };
    const decision = decisionOf(filling.confinement ?? null, filling.obligations);
    const permit = mint(lacuna, decision, binding, 1, world);
    filling.between?.();
    return this.executors[kind].fill(permit, filling.cancel ?? noCancel, collector());
  }

  dispose(): void {
    rmSync(this.outside, { recursive: true, force: true });
  }
}

/** Text of an outcome, whatever came of it. */
export const textOf = (outcome: Outcome): string =>
  'output' in outcome ? outcome.output.text : 'message' in outcome ? outcome.message : '';
