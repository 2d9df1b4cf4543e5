import type { SandboxRuntimeConfig } from '@anthropic-ai/sandbox-runtime';
import type { Platform } from '../../core/effects/facts.js';
import { kernelLimits, type Limits } from '../process/run.js';

/** What the library is told of the walls around one command. Absolute paths. */
export interface RuntimeWalls {
  readonly hosts: readonly string[];
  readonly writable: readonly string[];
  readonly unreadable: readonly string[];
  /** What makes something run later: not to be changed, but where it is opened. */
  readonly persistent: readonly string[];
  /** Paths that the confinement opens for writing. */
  readonly opened: readonly string[];
}

const isAmong = (file: string, folders: readonly string[]): boolean =>
  folders.some((one) => file === one || file.startsWith(`${one}/`));

/** The library's settings for one command. Pure. */
export const runtimeSettings = (walls: RuntimeWalls): SandboxRuntimeConfig => ({
  network: { allowedDomains: [...walls.hosts], deniedDomains: [] },
  filesystem: {
    denyRead: [...walls.unreadable],
    allowWrite: [...walls.writable, ...walls.opened],
    denyWrite: walls.persistent.filter((file) => !isAmong(file, walls.opened)),
  },
});

/** A command for the library: a line, and on Windows the shell that gets it as its last argument. */
export interface RuntimeLine {
  readonly command: string;
  readonly shell: { readonly exe: string; readonly args: string[] } | undefined;
}

/** The library's shell is bash, which counts blocks of 512 bytes only in its POSIX mode. Source: bash(1), ulimit. */
const POSIX_LIMITS = 'set -o posix';
const run = (argv: readonly string[]): string => `set +o posix\nexec ${argv.map(quote).join(' ')} 2>&1`;

const quote = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

/**
 * An argument list as the library takes it, word for word. On POSIX systems a line for a shell, every word quoted, limits in
 * front. On Windows the library quotes itself: a line of its own would go through a second shell, which would read it anew.
 */
export function runtimeLine(
  argv: readonly string[],
  limits: Pick<Limits, 'fileSizeMiB' | 'memoryMiB' | 'processes'>,
  platform: Platform,
): RuntimeLine {
  if (platform !== 'win32')
    return { command: [POSIX_LIMITS, kernelLimits(limits), run(argv)].join('\n'), shell: undefined };
  const [exe = '', ...rest] = argv;
  const last = rest.at(-1) ?? '';
  // For cmd our own launch puts the line into quotes, as `/s` wants it; here the library does.
  const command = /(?:^|[\\/])cmd(?:\.exe)?$/i.test(exe) ? last.replace(/^"(.*)"$/s, '$1') : last;
  return { command, shell: { exe, args: rest.slice(0, -1) } };
}
