import type { SandboxRuntimeConfig } from '@anthropic-ai/sandbox-runtime';
import { err, ok, type Result } from '../../core/result.js';
import { causeOf } from './causes.js';
import { placesOf } from './patterns.js';
import { knownSecrets, ProtectedPathFinder } from './protectedPaths.js';
import { runtimeLine, runtimeSettings } from './runtimeLine.js';
import type { Enclosed, Enclosure, Sandbox } from './sandbox.js';
import { takeBack } from './takeBack.js';

/** What the library is told besides each command's own confinement. */
export interface RuntimeSandboxOptions {
  readonly hidden: readonly string[];
  readonly quarantine: string;
}

type Library = typeof import('@anthropic-ai/sandbox-runtime');

/** The library's settings for one command, from what stands in the workspace and the home folder now. */
function settingsFor({ confinement, roots, home }: Enclosure, options: RuntimeSandboxOptions): SandboxRuntimeConfig {
  const found = new ProtectedPathFinder(home).find(roots);
  return runtimeSettings({
    hosts: confinement.hosts,
    writable: roots,
    opened: placesOf(confinement.writable, roots, home),
    unreadable: [
      ...knownSecrets(home),
      ...found.secrets,
      ...placesOf(confinement.unreadable, roots, home),
      ...options.hidden,
    ],
    persistent: [...found.persistent, ...placesOf(confinement.unwritable, roots, home)],
  });
}

/**
 * Isolation by the sandbox-runtime library: Seatbelt on macOS, its account on Windows. The library keeps one configuration for the
 * whole process, so that lists of hosts are one list there: commands with different lists run one after another.
 */
export class RuntimeSandbox implements Sandbox {
  readonly name = 'sandbox-runtime';
  readonly #options: RuntimeSandboxOptions;
  #library: Promise<Library> | null = null;
  #turn: Promise<void> = Promise.resolve();
  #hosts: string | null = null;

  constructor(options: RuntimeSandboxOptions) {
    this.#options = options;
  }

  async enclose(enclosure: Enclosure): Promise<Result<Enclosed, string>> {
    this.#library ??= import('@anthropic-ai/sandbox-runtime'); // on first use: it is large, and native in part
    const { SandboxManager } = await this.#library;
    const release = await this.#next();
    const settings = settingsFor(enclosure, this.#options);
    try {
      await this.#configure(SandboxManager, settings, enclosure.confinement.hosts);
      const platform = process.platform === 'win32' ? 'win32' : 'darwin';
      const { command, shell } = runtimeLine(enclosure.argv, enclosure.confinement, platform);
      const wrapped = await SandboxManager.wrapWithSandboxArgv(command, shell, settings, undefined, enclosure.cwd);
      return ok(this.#enclosed(SandboxManager, enclosure, settings, wrapped, release));
    } catch (error) {
      release();
      if (error instanceof Error) return err(`The sandbox could not be set up: ${error.message}`);
      throw error;
    }
  }

  async dispose(): Promise<void> {
    if (this.#library === null) return;
    const { SandboxManager } = await this.#library;
    await SandboxManager.reset();
  }

  /** Waits for its turn; the returned function ends it. */
  async #next(): Promise<() => void> {
    const before = this.#turn;
    let release = (): void => undefined;
    this.#turn = new Promise((resolve) => {
      release = resolve;
    });
    await before;
    return release;
  }

  async #configure(
    manager: Library['SandboxManager'],
    settings: SandboxRuntimeConfig,
    hosts: readonly string[],
  ): Promise<void> {
    const key = hosts.join(' ');
    if (this.#hosts === null) await manager.initialize(settings);
    else if (this.#hosts !== key) manager.updateConfig(settings);
    this.#hosts = key;
  }

  #enclosed(
    manager: Library['SandboxManager'],
    { env, cwd, roots, home, confinement }: Enclosure,
    settings: SandboxRuntimeConfig,
    wrapped: { readonly argv: readonly string[]; readonly env: NodeJS.ProcessEnv },
    release: () => void,
  ): Enclosed {
    const before = settings.filesystem.denyWrite;
    const added = Object.entries(wrapped.env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && process.env[entry[0]] !== entry[1],
    );
    return {
      // Seatbelt keeps no process namespace: what it starts is kept together by this program.
      launch: { argv: wrapped.argv, cwd, env: { ...env, ...Object.fromEntries(added) }, children: 'loose' },
      kill: () => {
        release();
        return Promise.resolve();
      },
      finish: (ended, text) => {
        manager.cleanupAfterCommand();
        release();
        const after = new ProtectedPathFinder(home).find(roots).persistent;
        const taken = takeBack(before, after, this.#options.quarantine);
        const notes = taken.map(({ path: file, aside }) => `${file} was taken back; it lies in ${aside} now.`);
        const walls = {
          roots,
          writable: confinement.writable,
          protectedPaths: before,
          secrets: settings.filesystem.denyRead,
          refusedHosts: [],
          hosts: confinement.hosts,
        };
        return Promise.resolve({ cause: causeOf(ended, text, walls), notes });
      },
    };
  }
}
