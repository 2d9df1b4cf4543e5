/** What the services of a compose file open of this machine. */
export interface ComposeOpenings {
  /** Folders and files of this machine that a service sees, as written. */
  readonly mounts: readonly { readonly source: string; readonly isReadOnly: boolean }[];
  /** Whether a service leaves the walls of its container: privileged, the host's processes, added capabilities. */
  readonly isOpen: boolean;
}

/** `- /a:/b`, `- "./a:/b:ro"`, `['~/a:/b']`: a path of this machine, and a path inside. */
const SHORT = /(?:^|[\s[,'"-])((?:\/|~|\.{1,2}(?:\/|(?=:))|\$\{?(?:HOME|PWD)\b\}?)[^\s:'",\]]*):(\/[^\s'",\]]*)/gm;
const LONG = /^[ \t]*(?:-[ \t]*)?source:[ \t]*["']?((?:\/|~|\.{1,2}\/|\$\{?HOME\b\}?)[^\s"']*)/gm;
const OPEN =
  /^[ \t]*(?:-[ \t]*)?(?:privileged:[ \t]*true|(?:pid|ipc|userns_mode|cgroup|uts):[ \t]*["']?host)\b|\b(?:SYS_ADMIN|SYS_PTRACE|SYS_MODULE|DAC_READ_SEARCH|SYS_RAWIO|NET_ADMIN|apparmor[=:]unconfined|seccomp[=:]unconfined)\b|cap_add:\s*(?:\[\s*)?(?:-\s*)?["']?ALL\b/m;

const withoutComments = (text: string): string => text.replace(/(^|\s)#.*$/gm, '$1');

/** Reads a compose file by its lines: enough to see what it mounts, whatever its version. Linear. */
export function composeOpenings(text: string): ComposeOpenings {
  const plain = withoutComments(text);
  const short = [...plain.matchAll(SHORT)].map(([, source = '', inside = '']) => ({
    source,
    isReadOnly: /:(?:\w+,)*ro(?:,|$)/.test(inside),
  }));
  const long = [...plain.matchAll(LONG)].map(([, source = '']) => ({ source, isReadOnly: false }));
  return { mounts: [...short, ...long], isOpen: OPEN.test(plain) };
}
