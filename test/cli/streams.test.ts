import assert from 'node:assert/strict';
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { linesOf } from '../../src/cli/streams.js';

/** An input that gives its pieces one read at a time; `null` stands for a read that would have to wait. */
function input(...pieces: readonly (string | null)[]): AsyncIterable<string> {
  const bytes = pieces.map((piece) => (piece === null ? null : Buffer.from(piece)));
  const read = (buffer: Buffer): number => {
    if (bytes.length === 0) return 0;
    const piece = bytes.shift();
    if (piece === null || piece === undefined) throw Object.assign(new Error('would wait'), { code: 'EAGAIN' });
    return piece.copy(buffer);
  };
  async function* stream(): AsyncGenerator<Buffer> {
    await Promise.resolve();
    for (const piece of bytes.splice(0)) if (piece !== null) yield piece;
  }
  return linesOf(read, stream);
}

async function all(lines: AsyncIterable<string>): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const line of lines) found.push(line);
  return found;
}

describe('lines of an input', () => {
  it('end at line feeds, with or without a carriage return', async () =>
    assert.deepEqual(await all(input('a\nb\r\nc\n')), ['a', 'b', 'c']));
  it('include a last one that has no end', async () => assert.deepEqual(await all(input('a\nb')), ['a', 'b']));
  it('are put together from pieces, also within a character', async () => {
    const [one, two] = [Buffer.from('ü').subarray(0, 1), Buffer.from('ü').subarray(1)];
    const pieces = [Buffer.from('x'), one, two, Buffer.from('y\nz')];
    const read = (buffer: Buffer): number => pieces.shift()?.copy(buffer) ?? 0;
    const none = async function* (): AsyncGenerator<Buffer> {};
    assert.deepEqual(await all(linesOf(read, none)), ['xüy', 'z']);
  });
  it('may hold line separators of Unicode, as JSON may', async () =>
    assert.deepEqual(await all(input('"a\u2028b"\n')), ['"a\u2028b"']));
  it('keep empty ones', async () => assert.deepEqual(await all(input('\n\na\n')), ['', '', 'a']));
  it('go on by the stream when a read would have to wait', async () =>
    assert.deepEqual(await all(input('a\nb', null, 'c\nd')), ['a', 'bc', 'd']));
  it('are none without input', async () => assert.deepEqual(await all(input()), []));
});

describe('text out', () => {
  /** What a process does whose reader goes after the first bytes. It writes more than any pipe holds. */
  const program = (then: string): string => `
    const { TextOut } = require(process.argv[1]);
    const out = new TextOut(1, () => process.stdout);
    const write = (left) => {
      out.write('x'.repeat(100000));
      if (left > 0) setTimeout(write, 5, left - 1);
      else ${then};
    };
    write(20);`;
  const start = (then: string): ChildProcessByStdio<null, Readable, Readable> =>
    spawn(process.execPath, ['--import', 'tsx', '-e', program(then), file], { stdio: ['ignore', 'pipe', 'pipe'] });
  const file = path.resolve(import.meta.dirname, '../../src/cli/streams.ts');

  it('a reader that is gone is no failure: the work ends with its own exit code', async function () {
    this.timeout(20_000);
    const child = start('process.exitCode = 2');
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
    child.stdout.once('data', () => child.stdout.destroy());
    const [code] = (await once(child, 'close')) as [number | null];
    assert.equal(code, 2, said);
    assert.equal(said, '');
  });

  it('a slow reader gets everything', async function () {
    this.timeout(20_000);
    const child = start('out.write("end")');
    let bytes = 0;
    for await (const chunk of child.stdout) bytes += (chunk as Buffer).length;
    assert.equal(bytes, 21 * 100_000 + 3);
  });
});
