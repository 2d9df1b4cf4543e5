import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import type { Duplex } from 'node:stream';
import { parseHost } from '../../core/effects/net/host.js';
import { isSystemError } from '../fill.js';
import { matchesHost, resolveChecked, type Resolve } from '../http/resolve.js';

/** What one command may reach, and what it was refused. */
interface Grant {
  readonly hosts: readonly string[];
  readonly refused: Set<string>;
}

/** Leave for one command to use the proxy. */
export interface Ticket {
  /** Goes into the proxy's address as user name; tells this command from others. */
  readonly token: string;
  /** Hosts that were asked for and refused, in order. */
  refused(): readonly string[];
  release(): void;
}

const REFUSED = 'Blocked by the sandbox: this host is not on the list of hosts that this command may reach.\n';

/** Destination of a proxy request, from `CONNECT host:port` or an absolute URL. */
function targetOf(request: http.IncomingMessage): { readonly host: string; readonly port: number } | null {
  const { url = '', method } = request;
  const text = method === 'CONNECT' ? `http://${url}` : url;
  if (!URL.canParse(text)) return null;
  const { hostname, port, protocol } = new URL(text);
  if (method !== 'CONNECT' && protocol !== 'http:') return null;
  const host = parseHost(hostname);
  if (host === null) return null;
  return { host: host.name, port: port === '' ? (method === 'CONNECT' ? 443 : 80) : Number(port) };
}

/** Whether a host and port are on a list; an entry without a port holds for every port. */
const isListed = (host: string, port: number, hosts: readonly string[]): boolean =>
  hosts.some((entry) => {
    const named = /:(\d+)$/.exec(entry)?.[1];
    return matchesHost(host, entry) && (named === undefined || Number(named) === port);
  });

/** Token of a request, from its basic proxy credentials. */
function tokenOf(request: http.IncomingMessage): string {
  const header = request.headers['proxy-authorization'] ?? '';
  const encoded = /^basic (.+)$/i.exec(header)?.[1] ?? '';
  return Buffer.from(encoded, 'base64').toString('utf8').split(':')[0] ?? '';
}

/**
 * One HTTP proxy for all commands of this process, on a Unix socket that only their sandboxes see. Every command has a token of
 * its own, so that its list of hosts is its own too. Names are resolved here and checked as HttpRequest checks them.
 */
export class SandboxProxy {
  readonly #grants = new Map<string, Grant>();
  readonly #folder = mkdtempSync(path.join(os.tmpdir(), 'lacuna-proxy-'));
  readonly #server: http.Server;
  readonly #resolve: Resolve;
  #listening: Promise<void> | null = null;

  constructor(resolve: Resolve) {
    this.#resolve = resolve;
    this.#server = http.createServer((request, response) => {
      void this.#forward(request, response);
    });
    this.#server.on('connect', (request, socket, head) => {
      void this.#tunnel(request, socket, head);
    });
  }

  /** Path of the socket on this side of the wall. */
  get socket(): string {
    return path.join(this.#folder, 'proxy.sock');
  }

  /** Leave for one command. The proxy starts at the first one and stays. */
  async admit(hosts: readonly string[]): Promise<Ticket> {
    this.#listening ??= new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(this.socket, () => {
        this.#server.unref();
        resolve();
      });
    });
    await this.#listening;
    const token = randomBytes(16).toString('hex');
    const grant: Grant = { hosts, refused: new Set() };
    this.#grants.set(token, grant);
    return {
      token,
      refused: () => [...grant.refused],
      release: () => {
        this.#grants.delete(token);
      },
    };
  }

  dispose(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => {
        resolve();
      });
      this.#server.closeAllConnections();
      rmSync(this.#folder, { recursive: true, force: true });
      if (this.#listening === null) resolve();
    });
  }

  /** A connection to where the request wants to go; null when it may not, with the refusal noted. */
  async #connect(request: http.IncomingMessage): Promise<net.Socket | null> {
    const grant = this.#grants.get(tokenOf(request));
    const target = targetOf(request);
    if (!grant || !target) return null;
    const refuse = (): null => {
      grant.refused.add(target.host);
      return null;
    };
    if (!isListed(target.host, target.port, grant.hosts)) return refuse();
    try {
      const address = await resolveChecked(target.host, this.#resolve, () => false);
      return address.ok ? net.connect({ host: address.value.address, port: target.port }) : refuse();
    } catch (error) {
      if (isSystemError(error)) return refuse(); // the name has no address
      throw error;
    }
  }

  async #tunnel(request: http.IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
    client.on('error', () => client.destroy());
    const server = await this.#connect(request);
    if (server === null) {
      client.end(`HTTP/1.1 403 Forbidden\r\ncontent-length: ${String(REFUSED.length)}\r\n\r\n${REFUSED}`);
      return;
    }
    server.on('error', () => client.destroy());
    server.on('close', () => client.destroy());
    client.on('close', () => server.destroy());
    server.once('connect', () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      server.write(head);
      server.pipe(client);
      client.pipe(server);
    });
  }

  async #forward(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const socket = await this.#connect(request);
    if (socket === null) {
      response.writeHead(403, { 'content-type': 'text/plain' }).end(REFUSED);
      return;
    }
    const { pathname, search, host } = new URL(request.url ?? '');
    const headers: http.OutgoingHttpHeaders = { ...request.headers, host };
    for (const name of ['proxy-authorization', 'proxy-connection', 'connection']) delete headers[name];
    const outgoing = http.request({
      createConnection: () => socket,
      method: request.method ?? 'GET',
      path: pathname + search,
      headers,
    });
    outgoing.on('error', () => {
      if (!response.headersSent) response.writeHead(502);
      response.end();
    });
    outgoing.once('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    request.pipe(outgoing);
  }
}
