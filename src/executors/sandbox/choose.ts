import type { Confinement } from '../../core/policy/decision.js';
import type { SandboxReport } from '../../core/sandboxReport.js';
import { systemResolve } from '../http/resolve.js';
import { ContainerSandbox } from './container.js';
import { LinuxSandbox } from './linux.js';
import { RuntimeSandbox } from './runtime.js';
import type { Sandbox } from './sandbox.js';

/** What the sandboxes of a session are made from. */
export interface SandboxesOptions {
  /** What this machine has, as the detection found it. */
  readonly report: SandboxReport;
  /** Folders of Lacuna itself (state, audit, checkpoints): neither seen nor touched from inside. */
  readonly hidden: readonly string[];
  /** Folder that takes what had to be taken back out of a workspace. */
  readonly quarantine: string;
  /** Container image where policy names none; null when the settings have none. */
  readonly image: string | null;
}

/** The sandboxes of a session: each made at its first use and kept warm. */
export interface Sandboxes {
  sandboxFor(confinement: Confinement): Sandbox | null;
  dispose(): Promise<void>;
}

/** Picks isolation for each confinement: what policy names, or the best that is usable here. */
export function createSandboxes({ report, hidden, quarantine, image }: SandboxesOptions): Sandboxes {
  const made = new Map<Sandbox['name'], Sandbox>();
  const make = (name: Sandbox['name'], program: string | null): Sandbox => {
    if (name === 'container') return new ContainerSandbox({ program: program ?? 'docker', image, quarantine });
    return process.platform === 'linux'
      ? new LinuxSandbox({ hidden, quarantine, resolve: systemResolve })
      : new RuntimeSandbox({ hidden, quarantine });
  };
  return {
    sandboxFor({ backend, image: named }) {
      const fits = report.backends.filter(
        ({ name, isUsable }) =>
          isUsable && (backend === 'auto' ? name === 'sandbox-runtime' || (named ?? image) !== null : backend === name),
      );
      const [best] = fits;
      if (best === undefined) return null;
      const known = made.get(best.name) ?? make(best.name, best.program);
      made.set(best.name, known);
      return known;
    },
    async dispose() {
      await Promise.all([...made.values()].map((one) => one.dispose()));
      made.clear();
    },
  };
}
