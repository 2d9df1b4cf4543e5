import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { downloadModel, type DownloadOptions } from '../../../src/adapters/review/download.js';

const BODY = Buffer.from('GGUF'.repeat(50_000));
const SHA = createHash('sha256').update(BODY).digest('hex');

/** A port that nobody listens at. */
async function closedPort(): Promise<number> {
  const one = createServer();
  await new Promise<void>((resolve) => one.listen(0, '127.0.0.1', resolve));
  const { port } = one.address() as AddressInfo;
  await new Promise((resolve) => one.close(resolve));
  return port;
}

describe('fetching a model', () => {
  let folder: string;
  let server: Server;
  let base: string;
  let ranges: (string | undefined)[];
  let answer: (request: IncomingMessage, response: ServerResponse) => void;

  /** A server that resumes, as model hubs do. */
  const whole = (request: IncomingMessage, response: ServerResponse): void => {
    const from = Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0);
    response.writeHead(from > 0 ? 206 : 200).end(BODY.subarray(from));
  };

  beforeEach(async () => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'lacuna-models-'));
    [ranges, answer] = [[], whole];
    server = createServer((request, response) => {
      ranges.push(request.headers.range);
      answer(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    base = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    rmSync(folder, { recursive: true, force: true });
  });

  const source = (change = {}) => ({
    url: `${base}/m.gguf`,
    file: 'm.gguf',
    sizeBytes: BODY.length,
    sha256: SHA,
    ...change,
  });
  const fetchIt = (change: Partial<DownloadOptions> = {}, what = source()) =>
    downloadModel(what, { folder, cancel: new AbortController().signal, progress: () => undefined, ...change });
  const failure = async (result: ReturnType<typeof fetchIt>) => {
    const got = await result;
    return got.ok ? 'ok' : got.error.type;
  };
  const files = () => readdirSync(folder).sort();

  it('writes the file when it is whole, tells how far it is, and fetches nothing twice', async () => {
    const told: number[] = [];
    const result = await fetchIt({ progress: (loaded) => told.push(loaded) });
    assert.deepEqual(result, { ok: true, value: path.join(folder, 'm.gguf') });
    assert.ok(readFileSync(path.join(folder, 'm.gguf')).equals(BODY));
    assert.equal(told.at(-1), BODY.length);
    assert.deepEqual(files(), ['m.gguf']);
    assert.ok((await fetchIt()).ok);
    assert.equal(ranges.length, 1);
  });

  it('goes on where a cancelled one ended', async () => {
    const controller = new AbortController();
    answer = (_request, response) => void response.writeHead(200).write(BODY.subarray(0, 70_000));
    assert.equal(
      await failure(
        fetchIt({
          cancel: controller.signal,
          progress: (loaded) => void (loaded >= 70_000 && setTimeout(() => controller.abort(), 50)),
        }),
      ),
      'cancelled',
    );
    assert.deepEqual(files(), ['m.gguf.part']);
    answer = whole;
    assert.ok((await fetchIt()).ok);
    assert.match(ranges[1] ?? '', /^bytes=\d+-$/);
    assert.ok(readFileSync(path.join(folder, 'm.gguf')).equals(BODY));
  });

  it('goes on where the connection broke', async () => {
    answer = (_request, response) => {
      response.writeHead(200);
      // What was sent has to arrive before the connection breaks.
      response.write(BODY.subarray(0, 50_000), () => void setTimeout(() => response.destroy(), 300));
    };
    assert.equal(await failure(fetchIt()), 'interrupted');
    answer = whole;
    assert.ok((await fetchIt()).ok);
    assert.match(ranges[1] ?? '', /^bytes=\d+-$/);
  });

  it('starts again with a server that does not resume', async () => {
    writeFileSync(path.join(folder, 'm.gguf.part'), BODY.subarray(0, 1000));
    answer = (_request, response) => void response.writeHead(200).end(BODY);
    assert.ok((await fetchIt()).ok);
    assert.ok(readFileSync(path.join(folder, 'm.gguf')).equals(BODY));
  });

  it('a whole part that was never named needs no network', async () => {
    writeFileSync(path.join(folder, 'm.gguf.part'), BODY);
    assert.ok((await fetchIt()).ok);
    assert.equal(ranges.length, 0);
  });

  it('another content, of the same size or larger, is thrown away', async () => {
    const other = Buffer.alloc(BODY.length, 7);
    for (const body of [other, Buffer.concat([BODY, BODY])]) {
      answer = (_request, response) => void response.writeHead(200).end(body);
      assert.equal(await failure(fetchIt()), 'damaged');
      assert.deepEqual(files(), []);
    }
  });

  it('a part of another content is found out and thrown away', async () => {
    writeFileSync(path.join(folder, 'm.gguf.part'), Buffer.alloc(1000, 7));
    assert.equal(await failure(fetchIt()), 'damaged');
    assert.deepEqual(files(), []);
  });

  it('a page in the place of the model is told as such, and costs nothing of what was loaded', async () => {
    const begun = BODY.subarray(0, 1000);
    writeFileSync(path.join(folder, 'm.gguf.part'), begun);
    answer = (_request, response) =>
      void response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<h1>Sign in</h1>');
    assert.equal(await failure(fetchIt()), 'other');
    assert.ok(readFileSync(path.join(folder, 'm.gguf.part')).equals(begun));
  });

  it('a part that the server cannot go on with is begun anew', async () => {
    writeFileSync(path.join(folder, 'm.gguf.part'), Buffer.alloc(1000, 7));
    answer = (request, response) =>
      void (request.headers.range === undefined ? whole(request, response) : response.writeHead(416).end());
    assert.ok((await fetchIt()).ok);
    assert.deepEqual(files(), ['m.gguf']);
  });

  it('a disk that fills up meanwhile is told with what is needed and what is there', async () => {
    const full = (): Promise<Response> =>
      Promise.reject(
        Object.assign(new Error('write'), { cause: Object.assign(new Error('full'), { code: 'ENOSPC' }) }),
      );
    const result = await fetchIt({ fetch: full, freeBytes: () => 10 ** 9 });
    assert.ok(!result.ok && result.error.type === 'no-room');
    assert.ok(result.error.needBytes > BODY.length && result.error.freeBytes === 10 ** 9);
  });

  it('a certificate that nobody vouches for is no broken connection', async () => {
    const cause = Object.assign(new Error('self-signed certificate in certificate chain'), {
      code: 'SELF_SIGNED_CERT_IN_CHAIN',
    });
    const result = await fetchIt({
      fetch: () => Promise.reject(Object.assign(new TypeError('fetch failed'), { cause })),
    });
    assert.deepEqual(result, { ok: false, error: { type: 'untrusted', detail: cause.message } });
  });

  it('too little room is told before anything is fetched', async () => {
    assert.equal(await failure(fetchIt({ freeBytes: () => 1000 })), 'no-room');
    assert.equal(ranges.length, 0);
  });

  it('no network, a proxy that wants a name, and a refusal are three different answers', async () => {
    assert.equal(
      await failure(fetchIt({}, source({ url: `http://127.0.0.1:${String(await closedPort())}/m.gguf` }))),
      'offline',
    );
    answer = (_request, response) => void response.writeHead(407).end();
    assert.equal(await failure(fetchIt()), 'proxy');
    answer = (_request, response) => void response.writeHead(404).end();
    assert.equal(await failure(fetchIt()), 'refused');
  });

  it('a file name from outside cannot leave the folder', async () => {
    await fetchIt({}, source({ file: '../../m.gguf' }));
    assert.ok(existsSync(path.join(folder, 'm.gguf')));
  });

  it('a folder that cannot be written to is told as such', async () => {
    writeFileSync(path.join(folder, 'file'), '');
    assert.equal(await failure(fetchIt({ folder: path.join(folder, 'file') })), 'disk');
  });
});
