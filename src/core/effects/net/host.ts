import ipaddr from 'ipaddr.js';
import { asciiLabel, unicodeLabel } from './punycode.js';

/** Where a host lies. `metadata` answers with the credentials of the machine it runs on. */
export type HostKind = 'public' | 'loopback' | 'private' | 'metadata';

/** A host in its one canonical spelling. */
export interface Host {
  /** Lower case, punycode, without trailing dot; an IP address in its shortest spelling, IPv6 without brackets. */
  readonly name: string;
  readonly kind: HostKind;
  /** In words, why a reader could take it for another host; empty when nothing speaks for that. */
  readonly lookAlike: string;
}

/**
 * Addresses that give out instance credentials: EC2, ECS, EKS, Azure (also its wire server), Google, Oracle, Alibaba,
 * Scaleway, OpenStack. Source: the providers' documentation of their metadata services.
 */
const METADATA_ADDRESSES: ReadonlySet<string> = new Set([
  '169.254.169.254',
  '169.254.169.253',
  '169.254.170.2',
  '169.254.170.23',
  '169.254.42.42',
  '168.63.129.16',
  '192.0.0.192',
  '100.100.100.200',
  'fd00:ec2::254',
  'fd00:ec2::23',
  'fd20:ce::254',
  'fd00:42::42',
  'fe80::a9fe:a9fe',
]);

const METADATA_NAMES: ReadonlySet<string> = new Set([
  'metadata',
  'metadata.google.internal',
  'metadata.goog',
  'instance-data',
  'instance-data.ec2.internal',
  'metadata.azure.internal',
  'metadata.tencentyun.com',
]);

const LOOPBACK_NAMES: ReadonlySet<string> = new Set([
  'localhost',
  'localhost.localdomain',
  'localhost4',
  'localhost6',
  'ip6-localhost',
  'ip6-loopback',
  'localtest.me',
  'lvh.me',
  'vcap.me',
  'lacolhost.com',
]);

/** Public names whose every sub-name carries the address it resolves to: `10.0.0.1.nip.io`. */
const ADDRESS_IN_NAME =
  /(?:^|[.-])(\d{1,3})[.-](\d{1,3})[.-](\d{1,3})[.-](\d{1,3})\.(?:nip|sslip|xip|nip\.direct)\.io$/;

/** Name endings that never resolve on the public internet. Source: RFC 6762, RFC 8375, ICANN's `.internal`. */
const PRIVATE_ENDINGS = /\.(?:local|internal|intranet|lan|home|corp|private|home\.arpa|svc|consul)$/;

const WIDE_DOTS = /[\u3002\uff0e\uff61]/g;
/** Soft hyphen, zero-width and variation characters, which host mapping drops. Source: UTS #46, status "ignored". */
const IGNORED = /[\u00ad\u034f\u180b-\u180d\u200b-\u200d\u2060\u2064\ufe00-\ufe0f\ufeff]/g;
/** Characters that no host holds. Source: WHATWG URL, forbidden domain code points; `_` and others stay. */

const FORBIDDEN = /[\u0000-\u0020"#%/:<>?@[\\\]^`{|}\u007f]/;

/**
 * Reads a host as a resolver would: `0x7F.1`, `2130706433`, `127.0.0.1.`, `[::ffff:7f00:1]` and `LOCALHOST` are all the
 * same machine. Null when the text is no host. Linear.
 */
export function parseHost(text: string): Host | null {
  const bare = /^\[.*\]$/s.test(text) ? text.slice(1, -1) : text;
  if (bare.includes(':')) return parseAddress(bare.replace(/%.*$/s, ''));
  if (text !== bare) return null;
  const mapped = mapName(bare);
  if (mapped === null) return null;
  if (endsInNumber(mapped)) return parseAddress(mapped);
  if (FORBIDDEN.test(mapped) || mapped.length > 253) return null;
  return { name: mapped, kind: kindOfName(mapped), lookAlike: lookAlike(bare, mapped) };
}

/** No name is longer, however it is written: 253 letters, each of which may be escaped. Source: RFC 1035, 2.3.4. */
const MOST_WRITTEN = 4_000;

/** Lower case, NFKC, plain dots, punycode; null when it is too long, or a percent escape or a label is broken. */
function mapName(text: string): string | null {
  if (text.length > MOST_WRITTEN) return null;
  const unescaped = unescapePercent(text);
  if (unescaped === null) return null;
  const folded = unescaped.replace(WIDE_DOTS, '.').replace(IGNORED, '').normalize('NFKC').toLowerCase();
  const labels = folded.replace(/\.$/, '').split('.');
  if (labels.some((label) => label === '')) return null;
  return labels.map(asciiLabel).join('.');
}

/** `%6c` → `l`; null when what comes out is no UTF-8. */
function unescapePercent(text: string): string | null {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}

/** Whether a resolver takes it for an IPv4 address. Source: WHATWG URL, "ends in a number checker". */
const endsInNumber = (name: string): boolean => /(?:^|\.)(?:\d+|0x[0-9a-f]*)$/.test(name);

function parseAddress(text: string): Host | null {
  if (!ipaddr.isValid(text)) return null;
  const address = unwrap(ipaddr.process(text));
  const name = address.toString();
  return { name, kind: kindOfAddress(address, name), lookAlike: '' };
}

type Address = ReturnType<typeof ipaddr.process>;

/** The IPv4 address inside an IPv6 one, where routers would deliver to it: compatible, 6to4, NAT64. */
function unwrap(address: Address): Address {
  if (address.kind() !== 'ipv6') return address;
  const bytes = address.toByteArray();
  const four = (from: number): Address => ipaddr.fromByteArray(bytes.slice(from, from + 4));
  const isZero = (from: number, to: number): boolean => bytes.slice(from, to).every((byte) => byte === 0);
  if (bytes[0] === 0x20 && bytes[1] === 0x02) return four(2);
  if (bytes[0] === 0 && bytes[1] === 0x64 && bytes[2] === 0xff && bytes[3] === 0x9b) return four(12);
  if (isZero(0, 12) && !isZero(12, 15)) return four(12);
  return address;
}

function kindOfAddress(address: Address, name: string): HostKind {
  if (METADATA_ADDRESSES.has(name)) return 'metadata';
  const range: string = address.range();
  // A connection to the unspecified address reaches the own machine (Linux, macOS).
  if (range === 'loopback' || range === 'unspecified' || name.startsWith('0.')) return 'loopback';
  return range === 'unicast' ? 'public' : 'private';
}

function kindOfName(name: string): HostKind {
  if (METADATA_NAMES.has(name)) return 'metadata';
  if (LOOPBACK_NAMES.has(name) || /\.(?:localhost|localtest\.me|lvh\.me|vcap\.me)$/.test(name)) return 'loopback';
  const embedded = ADDRESS_IN_NAME.exec(name);
  if (embedded) return parseAddress(embedded.slice(1, 5).join('.'))?.kind ?? 'private';
  return PRIVATE_ENDINGS.test(name) || !name.includes('.') ? 'private' : 'public';
}

const SCRIPTS = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
];
/** Non-Latin letters that are drawn like Latin ones, so that a whole label can be spelled with them. */
const DRAWN_LIKE_LATIN =
  /^[-\d\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0455\u0458\u04bb\u0501\u051b\u051d\u03bf\u03bd\u03c1\u03b1]+$/u;

/** `github.com.evil.net`: a whole domain stands before the real one. */
const DOMAIN_INSIDE = /^((?:[^.]+\.)+(?:com|org|net|io|dev|ai))\.((?:[^.]+\.)+[^.]{2,})$/;

/** Why a reader could take it for another host: invisible characters, scripts mixed in one label, a look-alike label. */
function lookAlike(written: string, mapped: string): string {
  if (written.search(IGNORED) >= 0) return 'host holds invisible characters';
  for (const label of mapped.split('.')) {
    if (!label.startsWith('xn--')) continue;
    const shown = unicodeLabel(label);
    if (shown === null) return 'host holds a label that is no valid punycode';
    if (SCRIPTS.filter((script) => script.test(shown)).length > 1) return `host mixes scripts in "${shown}"`;
    if (DRAWN_LIKE_LATIN.test(shown)) return `host looks like Latin letters: "${shown}"`;
  }
  const inner = DOMAIN_INSIDE.exec(mapped);
  return inner ? `host begins with "${inner[1] ?? ''}" and belongs to "${inner[2] ?? ''}"` : '';
}
