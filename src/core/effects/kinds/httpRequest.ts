import type { ParamsOf } from '../../lacuna/kinds.js';
import type { Analysis, Flow, Resource, Trait } from '../effect.js';
import { destinationOf, literalTarget } from '../net/destination.js';
import { deedOfRequest, serviceOf } from '../net/services.js';
import { parseUrl } from '../net/url.js';
import type { PathEffect } from '../pathEffects.js';
import type { View } from '../view.js';
import { marksOf } from './content.js';
import { analysisOf, nothingKnown, onPath } from './shared.js';

/** Methods that only ask. Source: RFC 9110 §9.2.1. */
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
const OVERRIDES = /^x-(?:http-)?method(?:-override)?$/i;

/** One request: where it goes, what it carries, and what it asks the other side to do. */
export function httpRequest(params: ParamsOf['HttpRequest'], view: View): Analysis {
  const method = methodOf(params);
  const destination = destinationOf(literalTarget(params.url), method);
  if (destination.type === 'file') return analysisOf(onPath('read', destination.path, view), view);
  if (destination.type === 'nothing' || !/^https?:/i.test(params.url.trim())) {
    return nothingKnown(`${params.url.slice(0, 80)} is no http or https URL`, view);
  }
  const carried = [params.url, ...Object.entries(params.headers ?? {}).map(([name, value]) => `${name}: ${value}`)];
  if (params.body !== undefined) carried.push(params.body);
  const marks = marksOf(carried.join('\n'));
  const traits = new Set<Trait>([...destination.traits, ...marks.traits]);
  const isOutward = traits.has('outward');
  if (isOutward && (params.body || traits.has('secret') || traits.has('personal'))) traits.add('upload');
  if (isOutward && method !== 'HEAD' && method !== 'OPTIONS') traits.add('download');
  const network: PathEffect = {
    op: 'network',
    resource: destination.resource,
    certainty: destination.certainty,
    reversible: SAFE_METHODS.has(method) ? 'yes' : 'no',
    traits: [...traits],
    note: [destination.note, marks.note].filter((note) => note !== '').join('; '),
  };
  const flows: Flow[] = carried.map((text) => ({
    from: { type: 'literal', text },
    to: destination.resource,
    how: 'verbatim',
  }));
  const changes = isOutward ? changesThere(params, method, destination.resource) : changesHere(params, method);
  return analysisOf([network, ...changes], view, flows);
}

/** A request to a service on this machine that holds data or runs things, as one to it from a command line is. */
function changesHere({ url, body }: ParamsOf['HttpRequest'], method: string): readonly PathEffect[] {
  const parsed = parseUrl(url);
  const service = serviceOf(parsed);
  if (parsed === null || service === null || parsed.host.kind !== 'loopback') return [];
  const deed = deedOfRequest(method, parsed.path, body ?? '', service);
  if (deed === 'none') return [];
  const isRead = deed === 'secret';
  return [
    {
      op: isRead ? 'read' : deed,
      resource: { type: 'remote', service, name: parsed.path },
      certainty: 'exact',
      reversible: isRead ? 'yes' : 'no',
      traits: isRead ? ['secret'] : [],
      note: deed === 'delete' ? 'takes something away on the other side' : '',
    },
  ];
}

/** The method that the server will go by: some honour a header over the request line. */
function methodOf({ method, headers }: ParamsOf['HttpRequest']): string {
  const override = Object.entries(headers ?? {}).find(([name]) => OVERRIDES.test(name));
  return (override?.[1] ?? method).trim().toUpperCase();
}

/** What the request takes away on the other side: DELETE, and GraphQL mutations that are named so. */
function changesThere(
  { url, body }: ParamsOf['HttpRequest'],
  method: string,
  resource: Extract<Resource, { type: 'url' }>,
): readonly PathEffect[] {
  const mutation = /\bmutation\b[^]{0,2000}?\b(\w*(?:delete|remove|destroy|drop|purge|terminate|revoke)\w*)\s*\(/i.exec(
    body ?? '',
  );
  if (method !== 'DELETE' && !mutation) return [];
  const name = mutation?.[1] ?? url.replace(/^[a-z]+:\/\/[^/]*/i, '').replace(/[?#].*$/s, '');
  return [
    {
      op: 'delete',
      resource: { type: 'remote', service: resource.host, name },
      certainty: 'exact',
      reversible: 'no',
      traits: [],
      note: 'takes something away on the other side',
    },
  ];
}
