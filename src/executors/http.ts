import type { Executor } from '../core/gate/executor.js';
import type { Outcome } from '../core/gate/outcome.js';
import type { ParamsOf } from '../core/lacuna/kinds.js';
import { parseHost } from '../core/effects/net/host.js';
import { err, ok, type Result } from '../core/result.js';
import { attach, type Attached, type Secrets } from './credentials.js';
import { executor, isSystemError, type Bench } from './fill.js';
import { isBinary } from './files/text.js';
import { send, Stopped, type Response } from './http/request.js';
import { matchesHost, resolveChecked, type Resolve } from './http/resolve.js';
import { maskingAlso, outputOfText, type Mask } from './output.js';

/** What the HTTP executor needs. */
export interface HttpOptions {
  readonly mask: Mask;
  readonly secrets: Secrets;
  readonly environment: () => Readonly<Record<string, string | undefined>>;
  readonly resolve: Resolve;
  /** Hosts of the person's own network that may have private addresses, from the settings. */
  readonly internalHosts: () => readonly string[];
}

const CAP_BYTES = 2 * 1024 * 1024;
const TIMEOUT_MS = 30_000;
const MAX_REDIRECTS = 5;

/** Headers that say where a request goes or how it is framed: they are Lacuna's to set. */
const FRAMING: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'upgrade',
  'te',
  'trailer',
  'expect',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'accept-encoding',
]);
/** Headers of a response that hold a credential, or nothing worth an agent's while. */
const UNSHOWN = /^(?:set-cookie|authorization|proxy-auth.*|www-authenticate|x-amz-security-token|nel|report-to)$/;

/** The URL of a request, if it is one that is sent. */
function parseTarget(text: string): Result<URL, string> {
  let url: URL;
  try {
    url = new URL(text);
  } catch (error) {
    if (error instanceof TypeError) return err(`${text} is not a URL.`);
    throw error;
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return err('Only http and https are sent.');
  if (url.username !== '' || url.password !== '')
    return err('Credentials do not belong into a URL. Policy attaches them where they are needed.');
  return ok(url);
}

function headersOf(params: ParamsOf['HttpRequest'], attached: Attached): Record<string, string> {
  const headers: Record<string, string> = {
    'user-agent': 'lacuna',
    accept: '*/*',
    'accept-encoding': 'gzip, deflate, br',
  };
  for (const [name, value] of Object.entries(params.headers ?? {}))
    if (!FRAMING.has(name.toLowerCase()) && !/[\r\n\0]/.test(value)) headers[name.toLowerCase()] = value;
  for (const [name, value] of Object.entries(attached.headers)) headers[name.toLowerCase()] = value;
  return headers;
}

/** A response in words for the agent: status, headers, and the body if it is text. */
function describe(response: Response, url: URL): string {
  const head = [`${String(response.status)} ${response.statusText}`.trim(), `url: ${url.href}`];
  for (const [name, value] of Object.entries(response.headers)) {
    if (value === undefined) continue;
    const shown = Array.isArray(value) ? value.join(', ') : value;
    head.push(UNSHOWN.test(name) ? `${name}: (not shown)` : `${name}: ${shown}`);
  }
  const body = isBinary(response.body)
    ? `(binary, ${String(response.body.length)} bytes)`
    : new TextDecoder(charsetOf(response)).decode(response.body);
  const note = response.isCut ? [`(cut after ${String(CAP_BYTES)} bytes)`] : [];
  return [...head, '', body, ...note].join('\n');
}

/** Encoding that the response names, if this machine knows it; else UTF-8. */
function charsetOf({ headers }: Response): string {
  const named = /charset="?([\w-]+)/i.exec(headers['content-type'] ?? '')?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(named).encoding;
  } catch (error) {
    if (error instanceof RangeError) return 'utf-8'; // an encoding that is not known here
    throw error;
  }
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Where a redirect leads, if it stays with the host that was decided on and does not fall back to plain http. */
function nextUrl(response: Response, from: URL): Result<URL, string> | null {
  const { location } = response.headers;
  if (!REDIRECTS.has(response.status) || location === undefined) return null;
  const target = parseTarget(URL.canParse(location, from.href) ? new URL(location, from).href : location);
  if (!target.ok) return err(`It redirects to ${location}, which is not followed. ${target.error}`);
  const next = target.value;
  const isUpgrade = from.protocol === 'http:' && next.protocol === 'https:' && from.port === '' && next.port === '';
  if (next.hostname !== from.hostname || (next.origin !== from.origin && !isUpgrade))
    return err(`It redirects to ${next.origin}, which was not decided on. Propose that request by itself.`);
  return ok(next);
}

/** Sends the request and follows redirects within its host, each hop resolved and checked again. */
async function exchange(
  params: ParamsOf['HttpRequest'],
  first: URL,
  attached: Attached,
  options: HttpOptions,
  { report, cancel }: Bench,
  hosts: readonly string[],
): Promise<Outcome> {
  const mask = maskingAlso(options.mask, attached.values);
  const isInternal = (host: string): boolean =>
    [...hosts, ...options.internalHosts()].some((entry) => matchesHost(host, entry));
  const endsAt = performance.now() + TIMEOUT_MS;
  let url = first;
  let { method, body } = { method: params.method as string, body: params.body ?? null };
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    const address = await resolveChecked(url.hostname, options.resolve, isInternal);
    if (!address.ok) return report.failed(`Not sent: ${address.error}`);
    const headers = headersOf(params, attached);
    const leftMs = Math.max(1, endsAt - performance.now());
    const response = await send({ url, method, headers, body, address: address.value }, CAP_BYTES, leftMs, cancel);
    const next = nextUrl(response, url);
    if (next?.ok !== true) {
      const note = next === null ? '' : `\n[lacuna] ${next.error}`;
      const output = outputOfText(describe(response, url) + note, mask);
      return report.filled({ output, status: response.status });
    }
    url = next.value;
    // Source: RFC 9110 §15.4: 303, and by habit 301 and 302 after POST, go on with GET.
    if (response.status === 303 || (response.status < 303 && method === 'POST'))
      ({ method, body } = { method: 'GET', body: null });
  }
  return report.failed('It redirects without end.');
}

/**
 * Sends one HTTP request to the host that was decided on. The name is resolved here and the connection pinned to the address
 * that was checked, so that it cannot change in between. Responses are data from outside.
 */
export const httpExecutor = (options: HttpOptions): Executor<'HttpRequest'> =>
  executor(async ({ params, confinement, obligations }, bench) => {
    const { report } = bench;
    const url = parseTarget(params.url);
    if (!url.ok) return report.failed(url.error);
    const hosts = confinement?.hosts ?? [];
    const host = parseHost(url.value.hostname)?.name ?? url.value.hostname;
    if (confinement !== null && !hosts.some((entry) => matchesHost(host, entry)))
      return report.failed(`${host} is not on the list of hosts that this may reach.`, {
        cause: { type: 'network', subject: host, message: `Ask for leave to reach ${host}.` },
      });
    const attached = await attach(obligations.credentials, options.secrets, options.environment());
    if (attached.missing.length > 0)
      return report.unavailable(`A credential is not set: ${attached.missing.join(', ')}.`);
    try {
      return await exchange(params, url.value, attached, options, bench, hosts);
    } catch (error) {
      if (error instanceof Stopped)
        return error.why === 'cancel'
          ? report.cancelled()
          : report.timedOut(
              `No whole answer within ${String(TIMEOUT_MS / 1_000)} seconds.`,
              outputOfText('', options.mask),
            );
      if (isSystemError(error)) return report.failed(`${host} could not be reached: ${error.code ?? error.message}.`);
      throw error;
    }
  });
