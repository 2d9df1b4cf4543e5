import type { Trait, Word } from '../../../effect.js';
import { deedOfRequest, onlyAsks, serviceOf } from '../../../net/services.js';
import { parseUrl } from '../../../net/url.js';
import type { Run } from '../../run.js';
import { remote } from '../helpers.js';
import { suffixed } from '../../word.js';

/** One request of an HTTP client. */
export interface Request {
  readonly url: Word;
  readonly method: string;
  /** What is sent, as far as it is known; empty when nothing is. */
  readonly body: string;
  /** Whether files, input or variables of this machine are in what is sent. */
  readonly sendsData: boolean;
}

/**
 * A request: where it goes, and what it makes the other side do. Reading methods are network alone; others also change or
 * delete something that the service holds, unless the service is a dev server on this machine.
 */
export function request(run: Run, { url, method, body, sendsData }: Request): void {
  const verb = method.toUpperCase();
  const target = withScheme(url);
  const traits: Trait[] = sendsData ? ['upload'] : [];
  if (!sendsData && verb !== 'HEAD' && verb !== 'OPTIONS') traits.push('download');
  run.network(target, { method: verb, traits, ...(onlyAsks(verb) ? {} : { reversible: 'no' as const }) });
  const parsed = target.certainty === 'dynamic' ? null : parseUrl(target.text.replace(/[*{}]/g, '_'));
  const path = parsed?.path ?? '';
  const service = serviceOf(parsed);
  if (parsed !== null && service === null) return; // A dev server of one's own.
  const name = { ...url, text: path };
  const deed = deedOfRequest(verb, path, body, service);
  if (deed === 'delete')
    remote(run, 'delete', service ?? url.text, name, { note: 'takes something away on the other side' });
  else if (deed === 'write') remote(run, 'write', service ?? url.text, name);
  else if (deed === 'secret') remote(run, 'read', service ?? url.text, name, { traits: ['secret'] });
}

/** Clients take `host/path` for `http://host/path`. */
export const withScheme = (url: Word): Word =>
  /^[a-z][a-z0-9+.-]*:\/\//i.test(url.text) || /^(file|data|unix):/i.test(url.text) || url.certainty === 'dynamic'
    ? url
    : { ...suffixed(url, ''), text: `http://${url.text}`, raw: `http://${url.raw}` };
