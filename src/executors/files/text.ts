import { lineEndOf, withLineEnds } from '../../core/lacuna/applyEdits.js';
import { err, ok, type Result } from '../../core/result.js';

/** How a text file is stored. `latin1` stands for any single-byte encoding: it keeps every byte as it was. */
export type Encoding = 'utf8' | 'utf16le' | 'utf16be' | 'latin1';

/** A text file, decoded so that it can be written back byte for byte. */
export interface TextFile {
  /** Without byte order mark. */
  readonly text: string;
  readonly encoding: Encoding;
  readonly hasByteOrderMark: boolean;
}

const MARK_UTF8 = Buffer.from([0xef, 0xbb, 0xbf]);
const MARK_UTF16LE = Buffer.from([0xff, 0xfe]);
const MARK_UTF16BE = Buffer.from([0xfe, 0xff]);
/** How far a zero byte is looked for. Source: git's buffer_is_binary looks at 8,000 bytes. */
const LOOK_BYTES = 8_000;

const startsWith = (bytes: Buffer, mark: Buffer): boolean => bytes.subarray(0, mark.length).equals(mark);

/** The bytes with each pair swapped; a last odd byte stays. */
function swapped(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  return copy.subarray(0, copy.length & ~1).swap16();
}

/** Decodes UTF-8 strictly; null for anything that is not UTF-8. */
function strictUtf8(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return null; // what a fatal decoder throws for bytes that are not UTF-8
    throw error;
  }
}

/** Whether the bytes are not text: a zero byte near the start, and no byte order mark that explains it. */
export const isBinary = (bytes: Buffer): boolean =>
  !startsWith(bytes, MARK_UTF16LE) && !startsWith(bytes, MARK_UTF16BE) && bytes.subarray(0, LOOK_BYTES).includes(0);

/** Reads bytes as text. `binary` when they are none. */
export function decodeText(bytes: Buffer): Result<TextFile, 'binary'> {
  if (isBinary(bytes)) return err('binary');
  if (startsWith(bytes, MARK_UTF8)) {
    const text = strictUtf8(bytes.subarray(3));
    if (text !== null) return ok({ text, encoding: 'utf8', hasByteOrderMark: true });
    return ok({ text: bytes.toString('latin1'), encoding: 'latin1', hasByteOrderMark: false });
  }
  const isLittle = startsWith(bytes, MARK_UTF16LE);
  if (isLittle || startsWith(bytes, MARK_UTF16BE)) {
    const body = bytes.subarray(2);
    if (body.length % 2 !== 0) return err('binary');
    const text = (isLittle ? body : swapped(body)).toString('utf16le');
    return ok({ text, encoding: isLittle ? 'utf16le' : 'utf16be', hasByteOrderMark: true });
  }
  const text = strictUtf8(bytes);
  return ok(
    text === null
      ? { text: bytes.toString('latin1'), encoding: 'latin1', hasByteOrderMark: false }
      : { text, encoding: 'utf8', hasByteOrderMark: false },
  );
}

/** The bytes of a text file; `cannot-encode` when the text holds a character that its encoding has no byte for. */
export function encodeText(file: TextFile): Result<Buffer, 'cannot-encode'> {
  switch (file.encoding) {
    case 'utf8': {
      const body = Buffer.from(file.text, 'utf8');
      return ok(file.hasByteOrderMark ? Buffer.concat([MARK_UTF8, body]) : body);
    }
    case 'utf16le':
      return ok(Buffer.concat([MARK_UTF16LE, Buffer.from(file.text, 'utf16le')]));
    case 'utf16be':
      return ok(Buffer.concat([MARK_UTF16BE, swapped(Buffer.from(file.text, 'utf16le'))]));
    case 'latin1':
      return /^[\u0000-\u00ff]*$/.test(file.text) ? ok(Buffer.from(file.text, 'latin1')) : err('cannot-encode');
  }
}

/**
 * New content in the clothes of the file it replaces: its encoding, byte order mark, and line end where all its lines agree.
 * Content that the old encoding cannot hold becomes UTF-8. No old file: UTF-8 as given.
 */
export function inClothesOf(old: TextFile | null, content: string): Buffer {
  if (old === null) return Buffer.from(content, 'utf8');
  const isUniform = !/(^|[^\r])\n/.test(old.text) && lineEndOf(old.text) === '\r\n';
  const text = isUniform ? withLineEnds(content, '\r\n') : content;
  const encoded = encodeText({ ...old, text: text.replace(/^\ufeff/, '') });
  return encoded.ok ? encoded.value : Buffer.from(text, 'utf8');
}
