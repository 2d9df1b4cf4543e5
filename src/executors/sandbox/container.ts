import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { lstatSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { SandboxCause } from '../../core/gate/outcome.js';
import { err, ok, type Result } from '../../core/result.js';
import { kernelLimits } from '../process/run.js';
import { causeOf } from './causes.js';
import { placesOf } from './patterns.js';
import { ProtectedPathFinder } from './protectedPaths.js';
import type { Enclosed, Enclosure, Sandbox } from './sandbox.js';
import { takeBack } from './takeBack.js';

/** How containers are run here. */
export interface ContainerSandboxOptions {
  /** Absolute path of `docker`, `podman` or what speaks their command line. */
  readonly program: string;
  /** Image where policy names none. */
  readonly image: string | null;
  readonly quarantine: string;
}

const KILL_MS = 10_000;
/** Variables of the host that mean nothing inside, or mean another thing there. */
const NOT_INSIDE: ReadonlySet<string> = new Set(['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'PWD', 'TMPDIR']);

const isThere = (file: string): boolean => lstatSync(file, { throwIfNoEntry: false }) !== undefined;
const isFolder = (file: string): boolean => lstatSync(file, { throwIfNoEntry: false })?.isDirectory() === true;

/**
 * Isolation in a container by a docker-compatible command line: the workspace mounted at its own path, the rest of the image
 * read-only, an own `/tmp`, no network, no capabilities, limits kept by the engine. Lists of hosts need the other back end.
 */
export class ContainerSandbox implements Sandbox {
  readonly name = 'container';
  readonly #options: ContainerSandboxOptions;
  readonly #own = mkdtempSync(path.join(os.tmpdir(), 'lacuna-container-'));
  readonly #running = new Set<string>();
  #finder: ProtectedPathFinder | null = null;

  constructor(options: ContainerSandboxOptions) {
    this.#options = options;
    mkdirSync(path.join(this.#own, 'closed'), { mode: 0o000 });
    writeFileSync(path.join(this.#own, 'empty'), '', { mode: 0o000 });
  }

  enclose(enclosure: Enclosure): Promise<Result<Enclosed, string>> {
    const { confinement, roots } = enclosure;
    const image = confinement.image ?? this.#options.image;
    if (image === null)
      return Promise.resolve(err('No container image is named. Set one in the policy or the settings.'));
    if (confinement.hosts.length > 0)
      return Promise.resolve(err('A list of hosts cannot be kept in a container. Use the sandbox-runtime back end.'));
    if (!roots.some((root) => enclosure.cwd === root || enclosure.cwd.startsWith(`${root}/`)))
      return Promise.resolve(err('Only folders of the workspace are there in a container.'));
    this.#finder ??= new ProtectedPathFinder(enclosure.home);
    const found = this.#finder.find(roots);
    const name = `lacuna-${randomBytes(8).toString('hex')}`;
    const unreadable = placesOf(confinement.unreadable, roots, enclosure.home).filter(isThere);
    const secrets = [...found.secrets, ...unreadable];
    const unwritable = placesOf(confinement.unwritable, roots, enclosure.home).filter(isThere);
    const protectedPaths = [...found.persistent, ...unwritable];
    const argv = this.#argv(enclosure, name, image, protectedPaths, secrets);
    this.#running.add(name);
    return Promise.resolve(
      ok({
        launch: { argv, cwd: '/', env: clientEnvironment(), children: 'kept' },
        kill: () => this.#kill(name),
        finish: async (ended, text) => {
          if (ended.stop !== null) await this.#kill(name);
          this.#running.delete(name);
          const taken = takeBack(
            found.persistent,
            this.#finder?.find(roots).persistent ?? [],
            this.#options.quarantine,
          );
          const notes = taken.map(({ path: file, aside }) => `${file} was taken back; it lies in ${aside} now.`);
          const walls = {
            roots,
            writable: roots,
            protectedPaths,
            secrets,
            refusedHosts: [],
            hosts: [],
          };
          return { cause: engineCause(ended.exitCode, text) ?? causeOf(ended, text, walls), notes };
        },
      }),
    );
  }

  async dispose(): Promise<void> {
    await Promise.all([...this.#running].map((name) => this.#kill(name)));
    rmSync(this.#own, { recursive: true, force: true });
  }

  #argv(
    { argv, cwd, env, confinement, roots, home }: Enclosure,
    name: string,
    image: string,
    persistent: readonly string[],
    secrets: readonly string[],
  ): readonly string[] {
    const words = [this.#options.program, 'run', '--rm', '--name', name, '--network', 'none', '--read-only', '--init'];
    words.push('--cap-drop', 'ALL', '--security-opt', 'no-new-privileges', '--pull', 'never');
    words.push('--memory', `${String(confinement.memoryMiB)}m`, '--pids-limit', String(confinement.processes));
    words.push('--ulimit', 'nofile=4096:4096', '--ulimit', 'nproc=4096:4096');
    words.push('--tmpfs', `/tmp:rw,size=${String(confinement.fileSizeMiB * 4)}m`, '--workdir', cwd);
    if (process.getuid !== undefined && process.getgid !== undefined) {
      // Rootless podman maps its root to this person; elsewhere the person's own number keeps files theirs.
      const isRootless = /podman/.test(path.basename(this.#options.program)) && process.getuid() !== 0;
      if (!isRootless) words.push('--user', `${String(process.getuid())}:${String(process.getgid())}`);
    }
    for (const folder of [...roots, ...placesOf(confinement.writable, roots, home).filter(isThere)])
      words.push('--volume', `${folder}:${folder}:rw`);
    for (const file of persistent) words.push('--volume', `${file}:${file}:ro`);
    for (const file of secrets)
      words.push('--volume', `${path.join(this.#own, isFolder(file) ? 'closed' : 'empty')}:${file}:ro`);
    for (const [variable, value] of Object.entries(env))
      if (!NOT_INSIDE.has(variable)) words.push('--env', `${variable}=${value}`);
    const limits = kernelLimits({ ...confinement, processes: null, memoryMiB: null });
    // The host's path of the shell need not be the image's: inside, its name is looked up.
    const [program = '', ...rest] = argv;
    return [...words, image, '/bin/sh', '-c', `${limits}\nexec "$@" 2>&1`, 'lacuna', path.basename(program), ...rest];
  }

  /** Ends a container by its name, whatever its client does. One that is gone already is as wanted. */
  #kill(name: string): Promise<void> {
    return new Promise((resolve) => {
      execFile(this.#options.program, ['rm', '--force', name], { timeout: KILL_MS }, () => {
        resolve();
      });
    });
  }
}

/** The engine itself failed: nothing of the command ran. Source: docker-run(1), podman-run(1), "Exit Status". */
function engineCause(exitCode: number | null, text: string): SandboxCause | null {
  const said = /^(?:Error|docker): .*/m.exec(text)?.[0];
  if (exitCode !== 125 && !(exitCode === 126 && /OCI|crun|runc/.test(said ?? ''))) return null;
  return { type: 'process', subject: null, message: `The container could not be started. ${said ?? ''}`.trim() };
}

/** What the client needs to find its engine; the command inside gets none of it. */
function clientEnvironment(): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of [
    'PATH',
    'HOME',
    'XDG_RUNTIME_DIR',
    'DOCKER_HOST',
    'DOCKER_CONTEXT',
    'CONTAINER_HOST',
    'CONTAINERS_CONF',
  ]) {
    const value = process.env[name];
    if (value !== undefined) kept[name] = value;
  }
  return kept;
}
