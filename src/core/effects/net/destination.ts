import type { Certainty, Resource, Trait } from '../effect.js';
import { fromBase64, fromHex } from '../encoding.js';
import { formatUrl, parseHostAndPort, parseUrl, type Url } from './url.js';

type UrlResource = Extract<Resource, { type: 'url' }>;

/** Where a request or connection goes. */
export type Destination =
  /** Somewhere over the network. An unreadable or dynamic host has the resource's `host` empty and is `dynamic`. */
  | {
      readonly type: 'network';
      readonly resource: UrlResource;
      readonly traits: readonly Trait[];
      readonly certainty: Certainty;
      readonly note: string;
    }
  /** A file of this machine or a local socket: `file:///etc/passwd`, `unix:/run/x.sock`. */
  | { readonly type: 'file'; readonly path: string }
  /** Nothing is contacted: `data:`, `about:`. */
  | { readonly type: 'nothing' };

/** A target as it stands in a command: a word after expansion, or a literal text as `{ text, raw: text, certainty: 'exact' }`. */
export interface Target {
  readonly text: string;
  readonly raw: string;
  readonly certainty: Certainty;
}

/** Schemes that open something here and contact nobody. */
const QUIET = /^(?:data|about|blob|javascript|mailto|tel|chrome|vscode):/i;
/** Where clouds hand out the rights of a machine. */
const METADATA = /169\.254\.169\.254|metadata\.google\.internal|100\.100\.100\.200|\[fd00:ec2::254\]/;
/** Object stores, named by bucket. */
const STORES: ReadonlyMap<string, string> = new Map([
  ['s3', 's3.amazonaws.com'],
  ['s3a', 's3.amazonaws.com'],
  ['gs', 'storage.googleapis.com'],
  ['az', 'blob.core.windows.net'],
  ['abfs', 'dfs.core.windows.net'],
]);
const METHODS_THAT_SEND = new Set(['POST', 'PUT', 'PATCH']);

/**
 * Works out where a target leads: `curl`, `git clone`, `ssh`, HttpRequest and tool inputs all ask here. Takes absolute URLs,
 * `host`, `host:port`, `host/path` and git's `user@host:path`. `method` is an HTTP verb or null. Never throws.
 */
export function destinationOf(target: Target, method: string | null): Destination {
  const text = target.certainty === 'exact' ? target.text : knownPrefix(target);
  if (text === null) return unreadable(target.text || target.raw, method, 'dynamic', 'host is known only when it runs');
  const trimmed = text.trim();
  if (QUIET.test(trimmed)) return { type: 'nothing' };
  const local = /^(?:file:(?:\/\/(?:localhost|127\.0\.0\.1)?(?=\/))?|unix:(?:\/\/)?|npipe:(?:\/\/)?)(.*)$/is.exec(
    trimmed,
  );
  if (local) return { type: 'file', path: unescapePath(local[1] ?? '') };
  const url = readTarget(trimmed);
  if (url === null) return unreadable(trimmed, method, 'dynamic', 'host cannot be read');
  return describe(url, method, target.certainty);
}

/** A literal text as a target. */
export const literalTarget = (text: string): Target => ({ text, raw: text, certainty: 'exact' });

/**
 * What stands before the first unknown part, if the whole host stands there: `https://api.example.com/v1/$ID` → up to the
 * dollar sign. Null when the host itself may depend on the unknown part. The text marks unknown parts with a dollar sign;
 * where it has none, what was written is asked.
 */
function knownPrefix(target: Target): string | null {
  const text = target.text.includes('$') ? target.text : target.raw.replace(/^['"]|['"]$/g, '');
  const cut = text.search(/[$`]|<\(|%[A-Za-z_]/);
  const known = cut < 0 ? '' : text.slice(0, cut);
  if (/^[a-z][a-z0-9+.-]*:\/\/[^/?#]+[/?#]/i.test(known) && !/["'\\*{]/.test(known)) return known;
  return OWN_PORT.exec(text)?.[1] ?? null;
}

/** A port of this machine in one variable, as dev servers and tests have it. Output of a command in its place could name a host. */
const OWN_PORT = /^([a-z][a-z0-9+.-]*:\/\/(?:localhost|127\.0\.0\.1|\[::1\])):\$(?:\w+|\{\w+\})(?:[/?#]|$)/i;

/** Any spelling of a target as a URL; the scheme of one that has none is empty. */
function readTarget(text: string): Url | null {
  const stripped = text.replace(/^(?:jdbc|view-source|git\+|svn\+|hg\+|docker|oci):(?=[a-z])/i, '');
  const store = /^(s3a?|gs|az|abfs):\/\/([^/]*)(.*)$/i.exec(stripped);
  if (store) {
    const host = STORES.get((store[1] ?? '').toLowerCase()) ?? '';
    return parseUrl(`https://${host}/${store[2] ?? ''}${store[3] ?? ''}`);
  }
  if (/^[a-z][a-z0-9+.-]*:[/\\]/i.test(stripped)) return realServer(parseUrl(stripped));
  return readWithoutScheme(stripped);
}

/** `user@host:path`, `host:port/path`, `//host/path`, `\\host\share`. */
function readWithoutScheme(text: string): Url | null {
  const share = /^(?:\/\/|\\\\)(.*)$/s.exec(text);
  if (share) return parseUrl(`smb://${(share[1] ?? '').replaceAll('\\', '/')}`);
  const shape =
    /^(?:([^@/:]*)(?::([^@/]*))?@)?(\[[^\]]*\](?::\d*)?|[^/?#]*?)(?::(?!\d+(?:[/?#]|$))([^?#]*)|([/?#].*))?$/s.exec(
      text,
    );
  const whole = wholeAddress(text);
  if (whole !== null) return { scheme: '', user: '', password: '', ...whole, path: '', query: '' };
  if (!shape) return null;
  const [, user = '', password = '', where = '', remotePath, rest = ''] = shape;
  const parsed = parseHostAndPort(remotePath === undefined ? where : where.replace(/:$/, ''));
  if (parsed === null) return null;
  const [path = '', query = ''] = rest.replace(/#.*$/s, '').split('?', 2);
  const scheme = remotePath === undefined ? '' : 'ssh';
  const port = parsed.port ?? (scheme === 'ssh' ? 22 : null);
  return {
    scheme,
    user,
    password,
    host: parsed.host,
    port,
    path: remotePath === undefined ? path : `/${remotePath}`,
    query,
  };
}

/** A bare IPv6 address, whose colons the patterns above take for a port or path. */
const wholeAddress = (text: string): ReturnType<typeof parseHostAndPort> =>
  text.split(':').length > 2 ? parseHostAndPort(text) : null;

/** PostgreSQL lets the query name the server: `postgres://x/db?host=real`. Source: libpq, connection URIs. */
function realServer(url: Url | null): Url | null {
  if (url === null || !/^postgres(?:ql)?$/.test(url.scheme)) return url;
  const named = /(?:^|&)host(?:addr)?=([^&]*)/.exec(url.query);
  const where = named ? parseHostAndPort(unescapePath(named[1] ?? '')) : null;
  return where === null ? url : { ...url, host: where.host };
}

function describe(url: Url, method: string | null, certainty: Certainty): Destination {
  const traits = new Set<Trait>();
  const notes = [url.host.lookAlike];
  const isLoopback = url.host.kind === 'loopback';
  if (isLoopback) traits.add('loopback');
  else traits.add('outward');
  if (url.host.kind === 'metadata') traits.add('metadata');
  // A server of one's own that fetches what it is told: the address that it is told counts.
  if (isLoopback && METADATA.test(unescapePath(url.query))) traits.add('metadata');
  if (url.host.kind === 'private' || url.host.kind === 'metadata') traits.add('private-address');
  if (/invisible|scripts|looks like/.test(url.host.lookAlike)) traits.add('hidden-text');
  if (!isLoopback && method !== null && METHODS_THAT_SEND.has(method.toUpperCase())) traits.add('upload');
  const carried = isLoopback ? '' : dataCarried(url, certainty);
  if (carried !== '') traits.add('upload');
  notes.push(carried, userPart(url));
  const shown = url.scheme === '' ? formatUrl({ ...url, scheme: 'tcp' }).slice('tcp:'.length) : formatUrl(url);
  return {
    type: 'network',
    resource: { type: 'url', url: shown, host: url.host.name, port: url.port, method },
    traits: [...traits],
    certainty: certainty === 'exact' ? 'exact' : 'pattern',
    note: notes.filter((note) => note !== '').join('; '),
  };
}

function unreadable(url: string, method: string | null, certainty: Certainty, note: string): Destination {
  const traits: Trait[] = ['outward'];
  return { type: 'network', resource: { type: 'url', url, host: '', port: null, method }, traits, certainty, note };
}

/** In words, which data of this machine may be inside the URL or the host name; empty when none is seen. */
function dataCarried(url: Url, certainty: Certainty): string {
  if (certainty !== 'exact') return 'part of the URL is made when it runs';
  if (url.host.name.split('.').some((label) => isEncoded(label) && !label.startsWith('xn--'))) {
    return 'host name may carry encoded data';
  }
  for (const pair of url.query.split('&')) {
    const value = unescapePath(pair.slice(pair.indexOf('=') + 1));
    if (value.length > 512 || isEncoded(value)) return 'query may carry encoded data';
  }
  return '';
}

/** `https://github.com@evil.net`: the part before the at sign is a user name that reads like a host. */
const userPart = (url: Url): string =>
  /\.[a-z]{2,}$/i.test(url.user) && url.scheme !== 'ssh' ? `"${url.user}" is a user name here, not the host` : '';

/**
 * Whether a text looks like data packed for transport: base64 of readable text, or a long run of base64, hex or base32 in
 * which letters and digits are mixed. Words, identifiers, UUIDs and commit hashes (40 hex digits) are not.
 */
export function isEncoded(text: string): boolean {
  if (/^[0-9a-f]+$/i.test(text)) return text.length > 64 || (text.length >= 24 && isReadable(fromHex(text)));
  if (!/^[A-Za-z0-9+/_-]+=*$/.test(text) || text.length < 16) return false;
  if (text.length >= 48 && /\d/.test(text) && /[a-z]/.test(text) && !/^[a-z0-9]+(?:[-_][a-z0-9]+)+$/i.test(text))
    return true;
  return /[A-Z]/.test(text) && /[a-z]/.test(text) && isReadable(fromBase64(text) ?? '');
}

/** Whether bytes read as text: printable ASCII only. A random string decodes to such a text once in thousands of times. */
const isReadable = (bytes: string): boolean => bytes.length >= 8 && /^[\t\n\r\x20-\x7e]+$/.test(bytes);

function unescapePath(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}
