import type { SandboxCause } from '../../core/gate/outcome.js';
import type { Ended } from '../process/run.js';

/** What is known of the walls that a command ran behind. */
export interface Walls {
  readonly roots: readonly string[];
  readonly writable: readonly string[];
  readonly protectedPaths: readonly string[];
  readonly secrets: readonly string[];
  /** Hosts that the proxy turned away, in order. */
  readonly refusedHosts: readonly string[];
  readonly hosts: readonly string[];
}

const isBelow = (file: string, folders: readonly string[]): boolean =>
  folders.some((folder) => file === folder || file.startsWith(folder.endsWith('/') ? folder : `${folder}/`));

/** A path that stands in a message before or after what it says: quoted, after a colon, or bare. */
const PATH = String.raw`['"‘\`]?(\/[^\s'"’\`:,;()]+|~\/[^\s'"’\`:,;()]+|[\w.-]+(?:\/[\w.@-]+)*)['"’\`]?`;
const READ_ONLY = /read-only file system|EROFS/i;
const BUSY = /device or resource busy|EBUSY/i;
const DENIED = /permission denied|EACCES|operation not permitted|EPERM/i;

/** Host in the messages of common programs. Sources: curl, wget, git, npm, pip, Node, Python, Go, apt, ssh. */
const HOST_PATTERNS = [
  /could not resolve (?:host|hostname|proxy)?:? ?['"]?([\w.-]+)/i,
  /(?:getaddrinfo|EAI_AGAIN|ENOTFOUND) (?:EAI_AGAIN |ENOTFOUND )?([\w.-]+)/,
  /unable to resolve host address ['"‘]([\w.-]+)/i,
  /lookup ([\w.-]+)(?: on [\d.:]+)?: /,
  /temporary failure resolving '([\w.-]+)'/i,
  /host='([\w.-]+)'/,
  /(?:failed to connect to|connect to|couldn't connect to(?: server)?) ([\w.-]+)/i,
  /connect ECONNREFUSED ([\d.:a-f]+)/i,
];
const NETWORK =
  /could not resolve|temporary failure (?:in name resolution|resolving)|name or service not known|network is unreachable|ENETUNREACH|EAI_AGAIN|ENOTFOUND|no route to host|nodename nor servname|unable to resolve host|failed to connect to|couldn't connect|connection refused|ECONNREFUSED|blocked by the sandbox/i;

const line = (text: string, pattern: RegExp): string | null =>
  text.split('\n').find((one) => pattern.test(one)) ?? null;

/** The last path on a line that is not the program's own name in front. */
function pathOn(text: string): string | null {
  const found = [...text.matchAll(new RegExp(PATH, 'g'))]
    .map(([, one]) => one ?? '')
    .filter((one) => one.includes('/'));
  return found.at(-1) ?? null;
}

const sentence = (type: SandboxCause['type'], subject: string | null, message: string): SandboxCause => ({
  type,
  subject,
  message,
});

function writeCause(text: string, walls: Walls): SandboxCause | null {
  const readOnly = line(text, READ_ONLY) ?? line(text, BUSY);
  const denied = readOnly ?? line(text, DENIED);
  if (denied === null) return null;
  const subject = pathOn(denied);
  if (subject !== null && isBelow(subject, walls.secrets))
    return sentence('read', subject, `The sandbox keeps ${subject} unreadable. Ask for leave to read that file.`);
  if (readOnly === null) return null;
  if (subject === null) return sentence('write', null, 'The sandbox lets it write in the workspace and /tmp only.');
  const isProtected = isBelow(subject, walls.protectedPaths);
  return sentence(
    'write',
    subject,
    isProtected
      ? `The sandbox keeps ${subject} as it is, since it makes something run later. Ask for leave to change it.`
      : `The sandbox does not let it write ${subject}. Ask for leave to write there.`,
  );
}

/** A secret that was named and could not be read: its content is masked, so programs call it denied or see nothing. */
function readCause(text: string, walls: Walls): SandboxCause | null {
  const denied = line(text, DENIED);
  if (denied === null) return null;
  const secret = walls.secrets.find((one) => denied.includes(one) || denied.includes(one.split('/').at(-1) ?? one));
  if (secret === undefined) return null;
  return sentence('read', secret, `The sandbox keeps ${secret} unreadable. Ask for leave to read that file.`);
}

function networkCause(text: string, walls: Walls): SandboxCause | null {
  const [refused] = walls.refusedHosts;
  if (refused !== undefined)
    return sentence(
      'network',
      refused,
      `The sandbox does not let it reach ${refused}. Ask for leave to reach that host.`,
    );
  if (!NETWORK.test(text)) return null;
  for (const pattern of HOST_PATTERNS) {
    const host = pattern.exec(text)?.[1];
    if (host !== undefined)
      return sentence('network', host, `The sandbox does not let it reach ${host}. Ask for leave to reach that host.`);
  }
  return sentence('network', null, 'The sandbox has no network. Ask for leave to reach the host that it needs.');
}

const SIGNALS: readonly (readonly [string, number, SandboxCause['type'], string])[] = [
  ['SIGXFSZ', 153, 'file-size', 'It wrote a file larger than the sandbox lets it.'],
  ['SIGSYS', 159, 'process', 'It used a system call that the sandbox does not let it use.'],
];

/**
 * What a command ran into, told from how it ended and what it said. Null when it succeeded, or failed for a reason of its own.
 * A guess where messages are ambiguous; it never changes what was done, only what is offered next.
 */
export function causeOf(
  { exitCode, signal }: Pick<Ended, 'exitCode' | 'signal'>,
  text: string,
  walls: Walls,
): SandboxCause | null {
  if (exitCode === 0) return null;
  for (const [name, status, type, message] of SIGNALS)
    if (signal === name || exitCode === status) return sentence(type, null, message);
  if (/file size limit exceeded|EFBIG|file too large/i.test(text))
    return sentence('file-size', null, 'It wrote a file larger than the sandbox lets it.');
  if (
    /fork: .*(?:resource temporarily unavailable|cannot allocate)|EAGAIN.*(?:spawn|fork)|(?:spawn|fork).*EAGAIN|unable to create .*thread/i.test(
      text,
    )
  )
    return sentence('process', null, 'It wanted more processes than the sandbox lets it have.');
  if (/cannot allocate memory|out of memory|ENOMEM|MemoryError|bad_alloc/i.test(text))
    return sentence('memory', null, 'It wanted more memory than the sandbox lets it have.');
  return readCause(text, walls) ?? writeCause(text, walls) ?? networkCause(text, walls);
}
