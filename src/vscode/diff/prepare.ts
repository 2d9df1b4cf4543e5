import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { applyEdits, explainEditError, type TextEdit } from '../../core/lacuna/applyEdits.js';
import { lookAt } from '../../executors/files/folder.js';
import { decodeText, encodeText, inClothesOf, type TextFile } from '../../executors/files/text.js';
import { MAX_FILE_BYTES } from '../../executors/files/writeFile.js';
import type { Ticket } from './apply.js';
import type { Change, Side } from './change.js';

const { t } = vscode.l10n;

/** Most names that are listed of a folder that is deleted or moved. */
const MAX_NAMES = 200;

/** A change worked out from a file as it is now, before it has an identity. Sentences instead of it are for the agent. */
export interface Prepared extends Pick<Ticket, 'before' | 'encode'> {
  readonly change: Omit<Change, 'id' | 'sessionId' | 'description'>;
}

/** Replaces the whole content of a file, or makes it. What was there keeps its encoding, mark and line ends. */
export function prepareWrite(file: string, content: string): Prepared | string {
  const found = find(file);
  if (typeof found === 'string') return found;
  if (found.type === 'folder' || found.type === 'link') return `${path.basename(file)} is not a regular file.`;
  const old = found.type === 'text' ? found.stored : null;
  const bytes = inClothesOf(old, content);
  if (bytes.length > MAX_FILE_BYTES) return 'The content is too large to be written in one piece.';
  const clothes = old !== null && encodeText({ ...old, text: content }).ok ? old : UTF8;
  const text = textIn(bytes, clothes, content);
  return {
    change: {
      verb: found.type === 'absent' ? 'create' : 'edit',
      path: file,
      from: null,
      before: sideOf(found),
      after: { type: 'text', text },
    },
    before: found.bytes,
    encode: encoder(clothes),
  };
}

/** Replaces passages of a text file. */
export function prepareEdit(file: string, edits: readonly TextEdit[]): Prepared | string {
  const found = find(file);
  if (typeof found === 'string') return found;
  if (found.type === 'absent') return `There is no file ${path.basename(file)}.`;
  if (found.type === 'binary') return 'The file is binary: text edits do not apply to it.';
  if (found.type !== 'text') return `${path.basename(file)} is not a regular file.`;
  const edited = applyEdits(found.stored.text, edits);
  if (!edited.ok) return explainEditError(edited.error);
  const encode = encoder(found.stored);
  const bytes = encode(edited.value);
  if (typeof bytes === 'string') return bytes;
  return {
    change: {
      verb: 'edit',
      path: file,
      from: null,
      before: sideOf(found),
      after: { type: 'text', text: edited.value },
    },
    before: found.bytes,
    encode,
  };
}

/** Deletes a file, a link, or a folder. */
export function prepareDelete(file: string, isRecursive: boolean): Prepared | string {
  const found = find(file);
  if (typeof found === 'string') return found;
  if (found.type === 'absent') return `There is no file or folder ${path.basename(file)}.`;
  if (found.type === 'folder' && found.names.length > 0 && !isRecursive) {
    return `The folder ${path.basename(file)} is not empty. Set recursive to delete all in it.`;
  }
  const change = { verb: 'delete', path: file, from: null, before: sideOf(found), after: { type: 'absent' } } as const;
  return { change, before: found.bytes, encode: noText };
}

/** Moves a file, a link, or a folder to where nothing stands. */
export function prepareMove(from: string, to: string): Prepared | string {
  const found = find(from);
  if (typeof found === 'string') return found;
  if (found.type === 'absent') return `There is no file or folder ${path.basename(from)}.`;
  if (lookAt(to) !== null) return `${path.basename(to)} is there already. Delete it first, or choose another name.`;
  const side = sideOf(found);
  return { change: { verb: 'move', path: to, from, before: side, after: side }, before: found.bytes, encode: noText };
}

/** New content that an old encoding cannot hold is written so. */
const UTF8: TextFile = { text: '', encoding: 'utf8', hasByteOrderMark: false };

/** What a person reads in bytes that were dressed for a file. One-byte encodings must not be guessed at: they are known. */
function textIn(bytes: Buffer, { encoding }: TextFile, otherwise: string): string {
  if (encoding === 'latin1') return bytes.toString('latin1');
  const decoded = decodeText(bytes);
  return decoded.ok ? decoded.value.text : otherwise;
}

type Found =
  | { readonly type: 'absent'; readonly bytes: null }
  | { readonly type: 'text'; readonly bytes: Buffer; readonly stored: TextFile }
  | { readonly type: 'binary'; readonly bytes: Buffer }
  | { readonly type: 'link'; readonly bytes: null }
  | { readonly type: 'folder'; readonly bytes: null; readonly names: readonly string[] };

/** What stands at a path, its last link not followed; a sentence for what cannot be worked on. */
function find(file: string): Found | string {
  const stats = lookAt(file);
  if (stats === null) return { type: 'absent', bytes: null };
  if (stats.isSymbolicLink()) return { type: 'link', bytes: null };
  if (stats.isDirectory()) return { type: 'folder', bytes: null, names: readdirSync(file).sort() };
  if (!stats.isFile()) return `${path.basename(file)} is not a regular file.`;
  if (stats.size > MAX_FILE_BYTES) return `${path.basename(file)} is too large to be worked on in one piece.`;
  const bytes = readFileSync(file);
  const decoded = decodeText(bytes);
  return decoded.ok ? { type: 'text', bytes, stored: decoded.value } : { type: 'binary', bytes };
}

function sideOf(found: Found): Side {
  switch (found.type) {
    case 'absent':
      return { type: 'absent' };
    case 'text':
      return { type: 'text', text: found.stored.text };
    case 'binary':
      return { type: 'opaque', note: t('A binary file of {0} bytes.', found.bytes.length) };
    case 'link':
      return { type: 'opaque', note: t('A link. What it leads to stays.') };
    case 'folder': {
      const more = found.names.length - MAX_NAMES;
      const names = [...found.names.slice(0, MAX_NAMES), ...(more > 0 ? [t('and {0} more', more)] : [])];
      return { type: 'opaque', note: [t('A folder with:'), ...names.map((name) => `  ${name}`)].join('\n') };
    }
  }
}

const encoder =
  (stored: TextFile): Ticket['encode'] =>
  (text) => {
    const encoded = encodeText({ ...stored, text });
    return encoded.ok ? encoded.value : 'The new text holds characters that the encoding of the file has not.';
  };

/** For changes that write no text. */
const noText: Ticket['encode'] = () => 'This change has no text to write.';
