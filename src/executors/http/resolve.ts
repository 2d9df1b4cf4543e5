import { lookup } from 'node:dns/promises';
import type { LookupAddress } from 'node:dns';
import { parseHost, type HostKind } from '../../core/effects/net/host.js';
import { err, ok, type Result } from '../../core/result.js';

/** Finds the addresses of a name; `dns.lookup` unless a test says else. */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

/** The system's own resolver, all addresses. */
export const systemResolve: Resolve = (host) => lookup(host, { all: true, verbatim: true });

/** Why a host may not be contacted, in a sentence. */
export type HostRefusal = string;

const WORDS: Readonly<Record<HostKind, string>> = {
  public: 'a public address',
  loopback: 'this very machine',
  private: 'a private network',
  metadata: 'a service that gives out the credentials of this machine',
};

/** Whether a host matches an entry of an allowlist: the name itself, or `*.x` for what is below x. Ports are compared before. */
export function matchesHost(host: string, entry: string): boolean {
  const bare = entry.toLowerCase().replace(/:\d+$/, '');
  return bare.startsWith('*.') ? host.endsWith(bare.slice(1)) : host === bare;
}

/**
 * The one address that a request will go to, checked. What policy judged is the host as it is written; a name that leads to a
 * machine of another kind than it looks (a public name with a private address) is refused, unless `isInternal` vouches for it.
 */
export async function resolveChecked(
  hostText: string,
  resolve: Resolve,
  isInternal: (host: string) => boolean,
): Promise<Result<LookupAddress, HostRefusal>> {
  const host = parseHost(hostText);
  if (host === null) return err(`${hostText} is not a host.`);
  const isAddress = /^[\d.]+$/.test(host.name) || host.name.includes(':');
  const addresses = isAddress
    ? [{ address: host.name, family: host.name.includes(':') ? 6 : 4 }]
    : await resolve(host.name);
  const [first] = addresses;
  if (first === undefined) return err(`${host.name} has no address.`);
  for (const { address } of addresses) {
    const kind = parseHost(address)?.kind ?? 'private';
    const isAsWritten = kind === host.kind || kind === 'public';
    if (!isAsWritten && (kind === 'metadata' || !isInternal(host.name)))
      return err(`${host.name} leads to ${WORDS[kind]} (${address}), which its name does not say.`);
  }
  return ok(first);
}
