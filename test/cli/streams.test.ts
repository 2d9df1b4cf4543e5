import assert from 'node:assert/strict';
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
