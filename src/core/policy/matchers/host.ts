import ipaddr from 'ipaddr.js';
import { compileName, nameMatches, type NamePattern } from '../namePattern.js';
import type { Predicate } from '../subject.js';
import { tri, type Tri } from '../tri.js';
import { toAsciiHost } from './punycode.js';

/** A compiled host pattern: a name or glob, or a range of addresses; with or without a port. */
export type HostPattern =
  | { readonly type: 'name'; readonly name: NamePattern; readonly port: number | null }
  | { readonly type: 'below'; readonly suffix: string; readonly port: number | null }
  | { readonly type: 'range'; readonly range: [ipaddr.IPv4 | ipaddr.IPv6, number] };

/** Compiles `example.com`, `example.com:8443`, `*.example.com`, `10.0.0.0/8`, `[::1]:80`, `0x7f.1`. A message when it is no good. */
export function compileHost(text: string): HostPattern | string {
  const bare = text.trim().replace(/^[a-z][a-z0-9+.-]*:\/\//i, '');
  const withoutPath = /^[^/]*\/\d+$/.test(bare) ? bare : bare.replace(/\/.*$/, '');
  if (withoutPath.includes('/')) {
    try {
      return { type: 'range', range: ipaddr.parseCIDR(withoutPath) };
    } catch (error) {
      return `not a range of addresses: ${error instanceof Error ? error.message : String(error)}`;
    }
  }
  const split = splitPort(withoutPath);
  if (split === null) return 'not a host';
  const host = normalHost(split.host);
  if (host === '') return 'not a host';
  if (/^\*\.[^*?[\]{}]+$/.test(host)) return { type: 'below', suffix: host.slice(1), port: split.port };
  const name = compileName(host);
  return typeof name === 'string' ? name : { type: 'name', name, port: split.port };
}

function splitPort(text: string): { host: string; port: number | null } | null {
  const found = /^(\[[^\]]*\]|[^:]*)(?::(\d{1,5}))?$/.exec(text);
  if (found !== null) return { host: found[1] ?? '', port: found[2] === undefined ? null : Number(found[2]) };
  return ipaddr.isValid(text) ? { host: text, port: null } : null;
}

/** Lower case, without brackets and final dot, international names in ASCII, addresses in one spelling. */
export function normalHost(host: string): string {
  const bare = host.trim().toLowerCase().replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (ipaddr.isValid(bare)) return ipaddr.process(bare).toString();
  return toAsciiHost(bare);
}

/** Hosts that an effect reaches. A host that cannot be known is `unknown` for a rule that restricts, no match for one that allows. */
export const matchesHost =
  (patterns: readonly HostPattern[]): Predicate =>
  ({ effect }, reading): Tri => {
    if (effect?.resource.type !== 'url') return 'no';
    if (effect.resource.host === '') return reading.isSure ? 'no' : 'unknown';
    const { port } = effect.resource;
    const host = normalHost(effect.resource.host);
    return tri(patterns.some((pattern) => hostMatches(pattern, host, port)));
  };

function hostMatches(pattern: HostPattern, host: string, port: number | null): boolean {
  if (pattern.type === 'range') {
    if (!ipaddr.isValid(host)) return false;
    const address = ipaddr.process(host);
    return address.kind() === pattern.range[0].kind() && address.match(pattern.range);
  }
  if (pattern.port !== null && port !== null && pattern.port !== port) return false;
  return pattern.type === 'below' ? host.endsWith(pattern.suffix) : nameMatches(pattern.name, host, true);
}
