import { parseHost, type Host } from './host.js';

/** The parts of an absolute URL that has a host. */
export interface Url {
  /** Lower case, without colon: `https`. */
  readonly scheme: string;
  readonly user: string;
  readonly password: string;
  readonly host: Host;
  /** Explicit port, else the scheme's own; null when neither is known. */
  readonly port: number | null;
  /** From the first slash on; empty when there is none. */
  readonly path: string;
  /** Without the question mark; empty when there is none. */
  readonly query: string;
}

/** Default ports of schemes that agents use. Source: IANA service names. */
const PORTS: ReadonlyMap<string, number> = new Map([
  ['http', 80],
  ['https', 443],
  ['ws', 80],
  ['wss', 443],
  ['ftp', 21],
  ['ftps', 990],
  ['sftp', 22],
  ['ssh', 22],
  ['git', 9418],
  ['telnet', 23],
  ['ldap', 389],
  ['ldaps', 636],
  ['smb', 445],
  ['rsync', 873],
  ['postgres', 5432],
  ['postgresql', 5432],
  ['mysql', 3306],
  ['mariadb', 3306],
  ['mongodb', 27017],
  ['redis', 6379],
  ['rediss', 6379],
  ['amqp', 5672],
  ['mqtt', 1883],
  ['nats', 4222],
]);

/** Source: WHATWG URL, "C0 control or space" at the ends; tab and newline anywhere. */

const ENDS = /^[\u0000-\u0020]+|[\u0000-\u0020]+$/g;
const SHAPE = /^([a-z][a-z0-9+.-]*):[/\\]*([^/?#]*)([^?#]*)(?:\?([^#]*))?/is;

/**
 * Reads an absolute URL with a host. Stricter than a browser where parsers disagree: a backslash in the authority or a
 * broken port gives null, since the program that connects may see another host than we do. Linear.
 */
export function parseUrl(text: string): Url | null {
  const clean = text.replace(ENDS, '').replace(/[\t\n\r]/g, '');
  const shape = SHAPE.exec(clean);
  if (!shape) return null;
  const [, writtenScheme = '', authority = '', path = '', query = ''] = shape;
  const scheme = writtenScheme.toLowerCase().replace(/^git\+/, '');
  const at = authority.lastIndexOf('@');
  const where = parseHostAndPort(authority.slice(at + 1));
  if (where === null || authority.includes('\\')) return null;
  const [user = '', password = ''] = splitOnce(authority.slice(0, Math.max(at, 0)), ':');
  return {
    scheme,
    user,
    password,
    host: where.host,
    port: where.port ?? PORTS.get(scheme) ?? null,
    path: path.replaceAll('\\', '/'),
    query,
  };
}

/** Reads `host`, `host:8080`, `[::1]:80`, `fe80::1%eth0`. Null when either part is broken. */
export function parseHostAndPort(text: string): { readonly host: Host; readonly port: number | null } | null {
  const isBareIpv6 = !text.startsWith('[') && text.split(':').length > 2;
  const shape = isBareIpv6 ? [text, text, ''] : /^(\[[^\]]*\]|[^:]*)(?::(\d*))?$/.exec(text);
  if (!shape) return null;
  const host = parseHost(shape[1] ?? '');
  const port = shape[2] ? Number(shape[2]) : null;
  return host === null || (port !== null && port > 65_535) ? null : { host, port };
}

/** The URL in one spelling, without user, password and fragment. */
export function formatUrl(url: Url): string {
  const name = url.host.name.includes(':') ? `[${url.host.name}]` : url.host.name;
  const port = url.port === null || url.port === PORTS.get(url.scheme) ? '' : `:${String(url.port)}`;
  return `${url.scheme}://${name}${port}${url.path || '/'}${url.query === '' ? '' : `?${url.query}`}`;
}

function splitOnce(text: string, separator: string): readonly string[] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + separator.length)];
}
