import { freshTerminal, type Analysis } from '../../src/core/effects/effect.js';
import type { Kind, ParamsOf } from '../../src/core/lacuna/kinds.js';
import type { Lacuna } from '../../src/core/lacuna/lacuna.js';
import { lacunaOf } from './permits.js';

/** A Lacuna with the analysis of one simple command, as far as bindings look at it. */
export function analysisWith<K extends Kind>(
  kind: K,
  params: ParamsOf[K],
  program: string,
  cwd: string,
): [Lacuna, Analysis] {
  const argv = [{ text: program, raw: program, certainty: 'exact', quoted: false }] as const;
  const command = { program, argv, carrier: null, pipeline: 0, stage: 0, cwd, wrappers: [] };
  return [
    lacunaOf(kind, params) as Lacuna,
    { effects: [], commands: [command], flows: [], terminal: freshTerminal(cwd) },
  ];
}
