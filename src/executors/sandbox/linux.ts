import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ok, err, type Result } from '../../core/result.js';
import type { Resolve } from '../http/resolve.js';
import { kernelLimits } from '../process/run.js';
import { findProgram } from '../process/shells.js';
import { causeOf } from './causes.js';
import { placesOf } from './patterns.js';
import { knownSecrets, ProtectedPathFinder } from './protectedPaths.js';
import { SandboxProxy, type Ticket } from './proxy.js';
import type { Enclosed, Enclosure, Sandbox } from './sandbox.js';
import { takeBack } from './takeBack.js';

/** What the walls are made of on Linux. */
export interface LinuxSandboxOptions {
  /** Folders of Lacuna itself (state, audit, checkpoints): neither seen nor touched from inside. */
  readonly hidden: readonly string[];
  /** Where things go that had to be taken back out of a workspace. */
  readonly quarantine: string;
  readonly resolve: Resolve;
}

const PROXY_PORT = 3128;
const INNER_SOCKET = '/run/lacuna/proxy.sock';

/** Caches that tools want to write, in the own temporary folder. */
const CACHES: Readonly<Record<string, string>> = {
  TMPDIR: '/tmp',
  TMP: '/tmp',
  TEMP: '/tmp',
  XDG_CACHE_HOME: '/tmp/.cache',
  npm_config_cache: '/tmp/.cache/npm',
  PIP_CACHE_DIR: '/tmp/.cache/pip',
  GOCACHE: '/tmp/.cache/go',
  YARN_CACHE_FOLDER: '/tmp/.cache/yarn',
  PYTHONPYCACHEPREFIX: '/tmp/.cache/python',
};

const isFolder = (file: string): boolean => lstatSync(file, { throwIfNoEntry: false })?.isDirectory() === true;

/** Tasks for each process that is allowed: threads take a number too, and what runs on Node or a virtual machine has a dozen. */
const TASKS_PER_PROCESS = 4;
/** Fewer numbers than these the kernel does not take. */
const LEAST_NUMBERS = 512;

/**
 * Shell code that bounds the process numbers of the sandbox's own namespace; empty where there is nothing to do. Root is free of the
 * kernel's limit of processes, but not of running out of numbers. Only since Linux 6.14 does each namespace have numbers of its own:
 * before, this would bound the whole machine, which is why the shell also looks whether it is among the first of a namespace.
 */
function numbersLimit(processes: number): string {
  const [major = 0, minor = 0] = os.release().split('.').map(Number);
  if (process.getuid?.() !== 0 || major < 6 || (major === 6 && minor < 14)) return '';
  const numbers = Math.max(LEAST_NUMBERS, processes * TASKS_PER_PROCESS);
  return `{ [ $$ -lt 10 ] && echo ${String(numbers)} >/proc/sys/kernel/pid_max; } 2>/dev/null`;
}

/** Folders of git that a commit in this workspace has to write, where `.git` is a file that points elsewhere. */
function gitFolders(root: string): readonly string[] {
  const file = path.join(root, '.git');
  if (lstatSync(file, { throwIfNoEntry: false })?.isFile() !== true) return [];
  const target = /^gitdir: (.+)$/m.exec(readFileSync(file, 'utf8'))?.[1];
  if (target === undefined) return [];
  const folder = path.resolve(root, target);
  const common = path.join(folder, 'commondir');
  const shared = existsSync(common) ? path.resolve(folder, readFileSync(common, 'utf8').trim()) : folder;
  // A file that an agent wrote could point anywhere: only what has the shape of a repository is opened.
  return isFolder(path.join(shared, 'objects')) && existsSync(path.join(shared, 'HEAD')) ? [shared] : [];
}

/** Folders between a workspace folder and a path in it, outermost first: what must not be renamed away from under a wall. */
function between(file: string, roots: readonly string[]): readonly string[] {
  const root = roots.find((one) => file.startsWith(`${one}/`));
  if (root === undefined) return [];
  const folders: string[] = [];
  for (let at = path.dirname(file); at.length > root.length; at = path.dirname(at)) folders.unshift(at);
  return folders;
}

/** Everything about one enclosure that the walls are built from. */
interface Plan {
  readonly writable: readonly string[];
  readonly secrets: readonly string[];
  readonly persistent: readonly string[];
  /** Protected paths that are links: a wall stands where they lead, so that they themselves are looked at afterwards. */
  readonly links: readonly string[];
  /** Protected paths as they were found, before links were followed. */
  readonly known: readonly string[];
  /** What the confinement opens for writing, whether it is there or not. */
  readonly opened: readonly string[];
}

/** Whether a path is one of these or lies below one. */
const isAmong = (file: string, folders: readonly string[]): boolean =>
  folders.some((one) => file === one || file.startsWith(`${one}/`));

const isLink = (file: string): boolean => lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;

/** Where paths lead, each once; what leads nowhere is left out, since no wall can stand there. */
function places(files: readonly string[]): readonly string[] {
  const found = new Set<string>();
  for (const file of files) if (existsSync(file)) found.add(realpathSync(file));
  return [...found];
}

/**
 * Isolation by Linux namespaces through bubblewrap: its own line rather than the library's, which costs five times a bare run.
 * Whole machine read-only, workspace and an own `/tmp` writable, `/run` empty, secrets unreadable, no network or a proxy with a
 * list, its own process namespace that dies as one.
 */
export class LinuxSandbox implements Sandbox {
  readonly name = 'sandbox-runtime';
  readonly #options: LinuxSandboxOptions;
  /** Own folder of this session: `tmp`, and the empty things that are put over secrets. */
  readonly #own: string;
  #finder: ProtectedPathFinder | null = null;
  #proxy: SandboxProxy | null = null;

  constructor(options: LinuxSandboxOptions) {
    this.#options = options;
    this.#own = mkdtempSync(path.join(os.tmpdir(), 'lacuna-sandbox-'));
    mkdirSync(path.join(this.#own, 'tmp'), { mode: 0o1777 });
    mkdirSync(this.#closedFolder, { mode: 0o000 });
    writeFileSync(this.#closedFile, '', { mode: 0o000 });
    chmodSync(this.#closedFile, 0o000);
  }

  get #closedFile(): string {
    return path.join(this.#own, 'closed-file');
  }

  get #closedFolder(): string {
    return path.join(this.#own, 'closed-folder');
  }

  async enclose(enclosure: Enclosure): Promise<Result<Enclosed, string>> {
    const pathVariable = enclosure.env['PATH'] ?? '';
    const bwrap = findProgram(['bwrap'], pathVariable) ?? findProgram(['bwrap'], '/usr/bin:/bin:/usr/local/bin');
    if (bwrap === null)
      return err('bubblewrap is not installed. Install it with your package manager (apt install bubblewrap).');
    const { hosts } = enclosure.confinement;
    const socat = hosts.length === 0 ? null : findProgram(['socat'], `${pathVariable}:/usr/bin`);
    if (hosts.length > 0 && socat === null) return err('socat is not installed; it is needed to reach listed hosts.');
    const ticket = hosts.length === 0 ? null : await this.#admit(hosts);
    const plan = this.#plan(enclosure);
    const argv = [bwrap, ...this.#walls(enclosure, plan, ticket), '--', ...this.#inner(enclosure, socat, ticket)];
    const env = { ...enclosure.env, ...CACHES, ...this.#proxyVariables(ticket, hosts) };
    return ok({
      launch: { argv, cwd: '/', env, children: 'kept' },
      kill: () => Promise.resolve(), // the namespace dies with its first process
      finish: (ended, text) => {
        const notes = this.#takeBack(enclosure, plan);
        const refusedHosts = ticket?.refused() ?? [];
        ticket?.release();
        const { roots } = enclosure;
        const protectedPaths = plan.persistent;
        const { secrets, writable } = plan;
        const cause = causeOf(ended, text, { roots, writable, protectedPaths, secrets, refusedHosts, hosts });
        return Promise.resolve({ cause: cause ?? notes.cause, notes: notes.notes });
      },
    });
  }

  async dispose(): Promise<void> {
    await this.#proxy?.dispose();
    chmodSync(this.#closedFolder, 0o700);
    rmSync(this.#own, { recursive: true, force: true });
  }

  async #admit(hosts: readonly string[]): Promise<Ticket> {
    this.#proxy ??= new SandboxProxy(this.#options.resolve);
    return this.#proxy.admit(hosts);
  }

  #plan({ roots, home, confinement }: Enclosure): Plan {
    this.#finder ??= new ProtectedPathFinder(home);
    const found = this.#finder.find(roots);
    const opened = placesOf(confinement.writable, roots, home);
    const listed = places(opened);
    const unreadable = placesOf(confinement.unreadable, roots, home);
    const writable = [...roots, ...roots.flatMap(gitFolders), ...listed];
    const gitOwn = roots
      .flatMap(gitFolders)
      .flatMap((folder) => [path.join(folder, 'hooks'), path.join(folder, 'config')]);
    const unwritable = placesOf(confinement.unwritable, roots, home);
    const isOpened = (file: string): boolean => isAmong(file, listed) || isAmong(file, opened);
    return {
      writable,
      opened: [...opened, ...listed],
      secrets: places([...knownSecrets(home), ...found.secrets, ...unreadable, ...this.#options.hidden]),
      persistent: places([...[...found.persistent, ...gitOwn].filter((file) => !isOpened(file)), ...unwritable]),
      links: found.persistent.filter((file) => !isOpened(file) && isLink(file)),
      known: found.persistent,
    };
  }

  /** The arguments of bubblewrap: order matters, later ones lie over earlier ones. */
  #walls({ roots, cwd }: Enclosure, plan: Plan, ticket: Ticket | null): string[] {
    const tmp = path.join(this.#own, 'tmp');
    const walls = ['--unshare-all', '--die-with-parent', '--new-session', '--cap-drop', 'ALL', '--ro-bind', '/', '/'];
    walls.push('--dev', '/dev', '--proc', '/proc', '--tmpfs', '/run', '--bind', tmp, '/tmp', '--bind', tmp, '/var/tmp');
    if (isFolder('/dev/shm')) walls.push('--tmpfs', '/dev/shm');
    for (const folder of plan.writable) walls.push('--bind', folder, folder);
    const held = new Set(plan.persistent.flatMap((file) => between(file, roots)));
    for (const folder of held) walls.push('--bind', folder, folder);
    for (const file of plan.persistent) walls.push('--ro-bind', file, file);
    // What is opened within something that is held goes over it.
    for (const file of places(plan.opened).filter((one) => isAmong(one, plan.persistent)))
      walls.push('--bind', file, file);
    for (const file of plan.secrets)
      walls.push('--ro-bind', isFolder(file) ? this.#closedFolder : this.#closedFile, file);
    if (ticket !== null && this.#proxy !== null) walls.push('--bind', this.#proxy.socket, INNER_SOCKET);
    walls.push('--chdir', cwd);
    return walls;
  }

  /** What runs inside: limits first, one stream for both outputs, a bridge to the proxy where there is one, then the command. */
  #inner({ argv, confinement }: Enclosure, socat: string | null, ticket: Ticket | null): string[] {
    const lines = [];
    if (socat !== null && ticket !== null)
      lines.push(
        `${socat} TCP-LISTEN:${String(PROXY_PORT)},fork,reuseaddr,bind=127.0.0.1 UNIX-CONNECT:${INNER_SOCKET} >/dev/null 2>&1 &`,
        // The bridge listens within a few milliseconds; nothing can be reached before it does.
        `i=0; while [ $i -lt 100 ] && ! ${socat} -u /dev/null TCP:127.0.0.1:${String(PROXY_PORT)} 2>/dev/null; do i=$((i+1)); sleep 0.01; done`,
      );
    lines.push(numbersLimit(confinement.processes), kernelLimits(confinement), 'exec "$@" 2>&1');
    return ['/bin/sh', '-c', lines.join('\n'), 'lacuna', ...argv];
  }

  #proxyVariables(ticket: Ticket | null, hosts: readonly string[]): Record<string, string> {
    if (ticket === null) return {};
    const address = `http://${ticket.token}:x@127.0.0.1:${String(PROXY_PORT)}`;
    const bypass = hosts.some((host) => /^(?:localhost|127\.)/.test(host)) ? '' : 'localhost,127.0.0.1,::1';
    const variables: Record<string, string> = {};
    for (const name of ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY']) variables[name] = address;
    return { ...variables, no_proxy: bypass, NO_PROXY: bypass, NODE_USE_ENV_PROXY: '1' };
  }

  /** Looks whether something came to stand where a wall would have been, and takes it out. */
  #takeBack({ roots }: Enclosure, plan: Plan): { notes: readonly string[]; cause: Aftercause } {
    const after = this.#finder?.find(roots).persistent ?? [];
    const taken = takeBack(
      plan.persistent,
      after.filter((file) => !isAmong(file, plan.opened)),
      this.#options.quarantine,
    );
    const [first] = taken;
    const notes = taken.map(
      ({ path: file, aside }) => `${file} was taken back, since it makes something run later; it lies in ${aside} now.`,
    );
    const cause: Aftercause =
      first === undefined
        ? null
        : {
            type: 'write',
            subject: first.path,
            message: `The sandbox does not let it make ${first.path}. Ask for leave to write there.`,
          };
    return { notes, cause };
  }
}

type Aftercause = { readonly type: 'write'; readonly subject: string; readonly message: string } | null;
