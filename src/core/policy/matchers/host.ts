import ipaddr from 'ipaddr.js';
import type { Effect } from '../../effects/effect.js';
import { parseHost } from '../../effects/net/host.js';
import { parseHostAndPort } from '../../effects/net/url.js';
import { compileName, nameMatches, type NamePattern } from '../namePattern.js';
import type { Predicate } from '../subject.js';
import { tri, type Tri } from '../tri.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** A compiled host pattern: one host, a glob over hosts, all below a domain, or a range of addresses. Null port: any. */
export type HostPattern =
  | { readonly type: 'host'; readonly host: string; readonly port: number | null }
  | { readonly type: 'glob'; readonly name: NamePattern; readonly port: number | null }
  | { readonly type: 'below'; readonly suffix: string; readonly port: number | null }
  | { readonly type: 'range'; readonly range: readonly [Address, number] };

/** Compiles `example.com`, `example.com:8443`, `*.example.com`, `10.0.0.0/8`, `[::1]:80`, `0x7f.1`. A message when it is no good. */
export function compileHost(text: string): HostPattern | string {
  const bare = text.trim().replace(/^[a-z][a-z0-9+.-]*:\/\//i, '');
  if (/^[0-9a-f.:]+\/\d+$/i.test(bare)) {
    if (!ipaddr.isValidCIDR(bare)) return 'not a range of addresses';
    return { type: 'range', range: ipaddr.parseCIDR(bare) };
  }
  const authority = bare.replace(/\/.*$/, '');
  const below = /^\*\.([^*?[\]{}]+)$/.exec(authority);
  if (below !== null) {
    const parsed = parseHostAndPort(below[1] ?? '');
    return parsed === null ? 'not a host' : { type: 'below', suffix: `.${parsed.host.name}`, port: parsed.port };
  }
  if (!/[*?{]/.test(authority)) {
    const parsed = parseHostAndPort(authority);
    return parsed === null ? 'not a host' : { type: 'host', host: parsed.host.name, port: parsed.port };
  }
  const [, glob = '', port] = /^(.*?)(?::(\d{1,5}))?$/.exec(authority) ?? [];
  const name = compileName(glob.toLowerCase());
  return typeof name === 'string' ? name : { type: 'glob', name, port: port === undefined ? null : Number(port) };
}

/** Host in the spelling in which hosts are compared. */
export const normalHost = (host: string): string => parseHost(host)?.name ?? host.toLowerCase();

/** The host that an effect is about, and its port where that is known; null when it is about something else. */
export function hostOf({ resource }: Effect): { readonly host: string; readonly port: number | null } | null {
  if (resource.type === 'url') return resource;
  // What a request changes behind an address is told apart from its sending; a rule on the host means both.
  const isBehindAddress = resource.type === 'remote' && resource.name.startsWith('/');
  const host = isBehindAddress ? parseHostAndPort(resource.service) : null;
  return host === null ? null : { host: host.host.name, port: host.port };
}

/** Hosts that an effect reaches. A host that cannot be known is `unknown` for a rule that restricts, no match for one that allows. */
export const matchesHost =
  (patterns: readonly HostPattern[]): Predicate =>
  ({ effect }, reading): Tri => {
    const about = effect === null ? null : hostOf(effect);
    if (effect === null || about === null) return 'no';
    const { host, port } = about;
    if (host === '' || effect.certainty === 'dynamic') {
      const isSome = patterns.some((pattern) => pattern.type === 'glob' && nameMatches(pattern.name, '', true));
      return isSome ? 'yes' : reading.isSure ? 'no' : 'unknown';
    }
    const name = normalHost(host);
    return tri(patterns.some((pattern) => hostMatches(pattern, name, port)));
  };

function hostMatches(pattern: HostPattern, host: string, port: number | null): boolean {
  if (pattern.type === 'range') {
    if (!ipaddr.isValid(host)) return false;
    const address = ipaddr.process(host);
    const [base, bits] = pattern.range;
    return address.kind() === base.kind() && address.match(base, bits);
  }
  if (pattern.port !== null && port !== null && pattern.port !== port) return false;
  switch (pattern.type) {
    case 'host':
      return pattern.host === host;
    case 'below':
      return host.endsWith(pattern.suffix);
    case 'glob':
      return nameMatches(pattern.name, host, true);
  }
}

/** Hosts by which rules are indexed: the last two labels of each, or null when a pattern has no fixed end. */
export function hostKeys(patterns: readonly HostPattern[]): readonly string[] | null {
  const keys: string[] = [];
  for (const pattern of patterns) {
    if (pattern.type === 'glob' || pattern.type === 'range') return null;
    const name = pattern.type === 'host' ? pattern.host : pattern.suffix.slice(1);
    const key = hostKey(name);
    // `*.com` holds of hosts with more labels than the key has.
    if (pattern.type === 'below' && !name.includes('.')) return null;
    keys.push(key);
  }
  return keys;
}

/** `a.b.example.com` → `example.com`. */
export const hostKey = (host: string): string => host.split('.').slice(-2).join('.');
