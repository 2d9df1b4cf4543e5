import path from 'node:path';
import { AuditFolder } from '../adapters/auditFile.js';
import { Baselines } from '../adapters/baselines.js';
import { lookAtFileSystem } from '../adapters/facts.js';
import { stateFolder } from '../adapters/stateFolder.js';
import { clock, hasher } from '../adapters/system.js';
import { ENOUGH } from '../core/session/baseline.js';
import { EXIT, only, parseArguments, UsageError, type ExitCode, type Io } from './io.js';

const HELP = `usage: lacuna baseline show | forget [--workspace DIR] [--state DIR]

What agents usually do in a workspace, learned from the audits of past sessions there. What departs from it is asked about.
forget starts anew: past sessions count no more.
`;

/** `lacuna baseline`: what is usual in a workspace, and forgetting it. */
export function baseline(args: readonly string[], io: Io): Promise<ExitCode> {
  const parsed = parseArguments(args, { workspace: 'value', state: 'value', json: 'switch', help: 'switch' });
  const [what] = parsed.operands;
  if (parsed.switches.has('help') || what === undefined) {
    io.out(HELP);
    return Promise.resolve(parsed.switches.has('help') ? EXIT.done : EXIT.unusable);
  }
  const state = only(parsed, 'state') ?? stateFolder();
  const { roots } = lookAtFileSystem({ roots: [path.resolve(only(parsed, 'workspace') ?? '.')] });
  const audits = new AuditFolder(path.join(state, 'audit'), { hasher, clock });
  const baselines = new Baselines(path.join(state, 'baselines'), audits, { hasher, clock });
  switch (what) {
    case 'show': {
      const { sessions, steps, words } = baselines.known(roots);
      const isEnough = sessions >= ENOUGH.sessions && steps >= ENOUGH.steps;
      if (parsed.switches.has('json')) io.out(`${JSON.stringify({ sessions, steps, isEnough, words })}\n`);
      else {
        io.out(
          `${sessions} sessions, ${steps} steps: ${isEnough ? 'enough' : 'too little'} to call anything unusual\n`,
        );
        for (const [word, count] of Object.entries(words)) io.out(`  ${String(count).padStart(5)}  ${word}\n`);
      }
      return Promise.resolve(EXIT.done);
    }
    case 'forget':
      baselines.forget(roots);
      io.out(`Forgotten. What is usual in ${roots.join(', ')} is learned anew.\n`);
      return Promise.resolve(EXIT.done);
    default:
      throw new UsageError(`There is no lacuna baseline ${what}.`);
  }
}
