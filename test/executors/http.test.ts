import assert from 'node:assert/strict';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { noObligations, tightConfinement } from './permits.js';
import { textOf, Workspace } from './workspace.js';

/** Names that the tests' resolver knows. */
const NAMES: Readonly<Record<string, string>> = {
  'public.test': '127.0.0.1',
  'rebound.test': '169.254.169.254',
  localhost: '127.0.0.1',
};

describe('HttpRequest', () => {
  let server: http.Server;
  let port = 0;
  let ws: Workspace;
  const seen: http.IncomingHttpHeaders[] = [];

  before((done) => {
    server = http.createServer((request, response) => {
      seen.push(request.headers);
      const { url = '' } = request;
      if (url === '/gzip') response.setHeader('content-encoding', 'gzip').end(gzipSync('packed'));
      else if (url === '/bomb') response.setHeader('content-encoding', 'gzip').end(gzipSync(Buffer.alloc(64 << 20)));
      else if (url === '/loop') response.writeHead(302, { location: '/loop' }).end();
      else if (url === '/same') response.writeHead(302, { location: '/ok' }).end();
      else if (url === '/away') response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end();
      else if (url === '/port') response.writeHead(302, { location: 'http://localhost:1/' }).end();
      else if (url === '/hang') response.write('x');
      else if (url === '/post') request.pipe(response);
      else response.setHeader('set-cookie', 'session=1').end(`hello ${request.method ?? ''}`);
    });
    server.listen(0, '127.0.0.1', () => {
      ({ port } = server.address() as AddressInfo);
      done();
    });
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  beforeEach(() => {
    ws = new Workspace({
      resolve: (host) => Promise.resolve(NAMES[host] === undefined ? [] : [{ address: NAMES[host], family: 4 }]),
    });
  });
  afterEach(() => {
    ws.dispose();
  });

  const get = (
    path: string,
    host = 'localhost',
  ): Parameters<Workspace['fill']>[1] & { url: string; method: 'GET' } => ({
    url: `http://${host}:${String(port)}${path}`,
    method: 'GET',
  });

  it('gives status, headers and body, without cookies', async () => {
    const outcome = await ws.fill('HttpRequest', get('/ok'));
    assert.ok(outcome.type === 'filled');
    assert.equal(outcome.status, 200);
    assert.equal(outcome.output.isUntrusted, true);
    assert.match(outcome.output.text, /^200 OK\n[^]*set-cookie: \(not shown\)[^]*\n\nhello GET$/);
  });

  it('unpacks, and stops unpacking at the cap', async () => {
    assert.match(textOf(await ws.fill('HttpRequest', get('/gzip'))), /\npacked$/);
    assert.match(textOf(await ws.fill('HttpRequest', get('/bomb'))), /\(cut after 2097152 bytes\)$/);
  });

  it('sends a body', async () => {
    const outcome = await ws.fill('HttpRequest', { ...get('/post'), method: 'POST', body: 'grüße' });
    assert.match(textOf(outcome), /\n\ngrüße$/);
  });

  it('follows redirects within the host and no further', async () => {
    assert.match(textOf(await ws.fill('HttpRequest', get('/same'))), /hello GET$/);
    assert.match(
      textOf(await ws.fill('HttpRequest', get('/away'))),
      /^302[^]*169\.254\.169\.254, which was not decided on/,
    );
    assert.match(textOf(await ws.fill('HttpRequest', get('/port'))), /^302[^]*localhost:1, which was not decided on/);
    assert.equal((await ws.fill('HttpRequest', get('/loop'))).type, 'failed');
  });

  it('refuses names that lead where they do not say', async () => {
    for (const host of ['public.test', 'rebound.test']) {
      const outcome = await ws.fill('HttpRequest', get('/ok', host));
      assert.equal(outcome.type, 'failed');
      assert.match(textOf(outcome) || ('message' in outcome ? outcome.message : ''), /^Not sent|^$/);
    }
  });

  it('goes to an inner host that the settings name, but never to a metadata service by a name', async () => {
    const inner = new Workspace({
      internalHosts: () => ['*.test'],
      resolve: (host) => Promise.resolve([{ address: NAMES[host] ?? '', family: 4 }]),
    });
    assert.equal((await inner.fill('HttpRequest', get('/ok', 'public.test'))).type, 'filled');
    assert.equal((await inner.fill('HttpRequest', get('/ok', 'rebound.test'))).type, 'failed');
    inner.dispose();
  });

  it('keeps to the list of hosts of a confinement', async () => {
    const outcome = await ws.fill('HttpRequest', get('/ok'), { confinement: { ...tightConfinement, hosts: ['a.b'] } });
    assert.ok(outcome.type === 'failed');
    assert.deepEqual([outcome.causedBySandbox?.type, outcome.causedBySandbox?.subject], ['network', 'localhost']);
    const listed = { ...tightConfinement, hosts: ['localhost'] };
    assert.equal((await ws.fill('HttpRequest', get('/ok'), { confinement: listed })).type, 'filled');
  });

  it('attaches credentials that the agent never sees', async () => {
    const keyed = new Workspace({ environment: () => ({ KEY: 'tok-123456' }) });
    const outcome = await keyed.fill(
      'HttpRequest',
      { ...get('/ok'), headers: { Host: 'evil', 'X-Mine': '1' } },
      {
        obligations: {
          ...noObligations,
          credentials: [
            {
              from: { type: 'environment', name: 'KEY' },
              into: { type: 'header', name: 'Authorization', template: 'Bearer {}' },
            },
          ],
        },
      },
    );
    assert.equal(outcome.type, 'filled');
    assert.equal(seen.at(-1)?.authorization, 'Bearer tok-123456');
    assert.equal(seen.at(-1)?.['x-mine'], '1');
    assert.equal(seen.at(-1)?.host, `localhost:${String(port)}`);
    keyed.dispose();
  });

  it('stops when cancelled', async () => {
    const controller = new AbortController();
    setTimeout(() => {
      controller.abort();
    }, 50);
    const outcome = await ws.fill('HttpRequest', get('/hang'), { cancel: controller.signal });
    assert.equal(outcome.type, 'cancelled');
  });

  it('refuses what is no http address, or holds a password', async () => {
    for (const url of ['file:///etc/passwd', 'ftp://x/', 'nonsense', 'http://u:p@localhost/'])
      assert.equal((await ws.fill('HttpRequest', { url, method: 'GET' })).type, 'failed', url);
  });
});
