import * as vscode from 'vscode';
import { placesIn } from '../../core/lacuna/hunks.js';
import { proposedText, type Review } from './change.js';
import type { Applied } from './desk.js';

/** What writing a change needs besides the review: how the file is stored, and whether it still is as it was shown. */
export interface Ticket {
  readonly isStillTrue: () => Promise<boolean>;
  /** The file's bytes as they were shown; null where there was no file. */
  readonly before: Uint8Array | null;
  /** The bytes that a text becomes in the file's own encoding; a sentence when it has none for it. */
  readonly encode: (text: string) => Uint8Array | string;
}

interface Accepted {
  readonly review: Review;
  readonly ticket: Ticket;
}

/**
 * Writes what was accepted by one edit of the editor, so that it can be undone there, and saves it. All or nothing: when a
 * file has changed, cannot be written or cannot be saved, the others are put back.
 */
export async function applyAccepted(accepted: readonly Accepted[]): Promise<Applied> {
  const planned: Planned[] = [];
  for (const each of accepted) {
    const plan = await planOf(each);
    if (typeof plan === 'string') return { type: 'failed', message: plan, damage: [] };
    planned.push(plan);
  }
  // The last look, with nothing but the edit itself after it.
  for (const { review, ticket } of accepted) {
    const { path, from } = review.change;
    if (isUnsaved(from ?? path) || !(await ticket.isStillTrue())) return { type: 'outdated' };
  }
  for (const { uri, review } of planned) {
    const needsRoom = review.change.verb === 'create' || review.change.verb === 'move';
    if (needsRoom && (await bytesOf(uri)) !== null) return { type: 'outdated' };
  }
  const edit = new vscode.WorkspaceEdit();
  for (const plan of planned) plan.addTo(edit);
  const why = (await vscode.workspace.applyEdit(edit)) ? await saveAll(planned) : refusal(planned);
  if (why === null) return { type: 'written', notes: await differences(planned) };
  return { type: 'failed', message: why, damage: await putBack(planned) };
}

/** Whether an editor holds text for a file that is not on disk. */
export const isUnsaved = (file: string): boolean => openDocument(file)?.isDirty === true;

/** The open document of a file; undefined when none is open. */
export const openDocument = (file: string): vscode.TextDocument | undefined =>
  vscode.workspace.textDocuments.find(
    ({ uri }) => uri.scheme === 'file' && uri.fsPath === vscode.Uri.file(file).fsPath,
  );

/** One accepted change, ready to be part of an edit. */
interface Planned extends Accepted {
  readonly uri: vscode.Uri;
  readonly addTo: (edit: vscode.WorkspaceEdit) => void;
  /** Document to save afterwards; null where the edit writes the bytes itself. */
  readonly document: vscode.TextDocument | null;
  /** What the file holds afterwards; null when it is gone or only its name has changed. */
  readonly after: Uint8Array | null;
}

/** How a change is written; a sentence when it cannot be. */
async function planOf({ review, ticket }: Accepted): Promise<Planned | string> {
  const { verb, path, from } = review.change;
  const uri = vscode.Uri.file(path);
  const plan = { review, ticket, uri, document: null, after: null };
  switch (verb) {
    case 'delete':
      return { ...plan, addTo: (edit) => edit.deleteFile(uri, { recursive: true }) };
    case 'move':
      return { ...plan, addTo: (edit) => edit.renameFile(vscode.Uri.file(from ?? path), uri, { overwrite: false }) };
    case 'create':
    case 'edit': {
      const after = ticket.encode(proposedText(review));
      if (typeof after === 'string') return after;
      const document = verb === 'edit' ? await editableDocument(uri, review) : null;
      const write = { overwrite: verb === 'edit', contents: after };
      return document === null
        ? { ...plan, after, addTo: (edit) => edit.createFile(uri, write) }
        : { ...plan, after, document, addTo: (edit) => edit.set(uri, textEdits(document, review)) };
    }
  }
}

/**
 * The document of a file, when editing it gives exactly the bytes that were accepted: the editor has to read the same text
 * out of it as was shown. It does not for other encodings and mixed line ends; then the bytes are written whole.
 */
async function editableDocument(uri: vscode.Uri, review: Review): Promise<vscode.TextDocument | null> {
  const { before } = review.change;
  if (before.type !== 'text' || review.hunks.length === 0 || /\r(?!\n)/.test(before.text)) return null;
  try {
    const document = await vscode.workspace.openTextDocument(uri);
    return document.getText() === before.text && document.encoding.startsWith('utf') ? document : null;
  } catch (error) {
    return unopenable(error);
  }
}

/** The editor does not open binary and very large files as text: they are written whole. */
const unopenable = (_error: unknown): null => null;

function textEdits(document: vscode.TextDocument, { hunks, choices }: Review): vscode.TextEdit[] {
  const places = placesIn(hunks, () => false);
  return hunks.flatMap((hunk, unit) => {
    const { start, count } = places[unit] ?? { start: 0, count: 0 };
    const range = document.validateRange(new vscode.Range(start, 0, start + count, 0));
    return choices[unit] === 'accepted' ? [vscode.TextEdit.replace(range, hunk.newLines.join(''))] : [];
  });
}

/** Saves the edited documents; a sentence when one cannot be saved. */
async function saveAll(planned: readonly Planned[]): Promise<string | null> {
  for (const { document } of planned) {
    if (document !== null && document.isDirty && !(await document.save())) {
      return `${vscode.workspace.asRelativePath(document.uri)} could not be saved. Is it read-only?`;
    }
  }
  return null;
}

const refusal = (planned: readonly Planned[]): string =>
  `The editor could not write ${planned.map(({ uri }) => vscode.workspace.asRelativePath(uri)).join(', ')}. ` +
  'Is a file or folder read-only, or something there already?';

/** What saving has done beyond what was accepted: formatters and the like change files too. */
async function differences(planned: readonly Planned[]): Promise<string[]> {
  const notes: string[] = [];
  for (const { uri, after, document } of planned) {
    if (document === null || after === null) continue;
    const now = await vscode.workspace.fs.readFile(uri);
    if (Buffer.compare(now, after) !== 0) {
      notes.push(`Saving ${vscode.workspace.asRelativePath(uri)} changed it further (a formatter?): read it again.`);
    }
  }
  return notes;
}

/** Puts every file back as it was before; what cannot be put back is named. */
async function putBack(planned: readonly Planned[]): Promise<string[]> {
  const damage: string[] = [];
  for (const plan of planned) {
    try {
      await putBackOne(plan);
    } catch (error) {
      damage.push(`${plan.review.change.path}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return damage;
}

async function putBackOne({ review: { change }, ticket: { before }, uri, after }: Planned): Promise<void> {
  const { fs } = vscode.workspace;
  const now = await bytesOf(uri);
  switch (change.verb) {
    case 'create':
      // Only what we made ourselves: someone else's file may have come in between.
      if (now !== null && after !== null && Buffer.compare(now, after) === 0) await fs.delete(uri);
      return;
    case 'move':
      if (now !== null && change.from !== null && (await bytesOf(vscode.Uri.file(change.from))) === null) {
        await fs.rename(uri, vscode.Uri.file(change.from), { overwrite: false });
      }
      return;
    case 'edit':
    case 'delete': {
      if (before === null) return;
      if (now === null || Buffer.compare(now, before) !== 0) await fs.writeFile(uri, before);
      const document = openDocument(change.path);
      if (document?.isDirty) await undoEdit(document, change.before.type === 'text' ? change.before.text : null);
    }
  }
}

/** An edit that was not to be is taken out of the editor again. Saved, since an editor calls a text changed that was changed back. */
async function undoEdit(document: vscode.TextDocument, text: string | null): Promise<void> {
  if (text === null) return;
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), text);
  if ((await vscode.workspace.applyEdit(edit)) && document.isDirty) await document.save();
}

/** A file's bytes; null when there is none. A folder counts as empty bytes: it is there. */
async function bytesOf(uri: vscode.Uri): Promise<Uint8Array | null> {
  try {
    return await vscode.workspace.fs.readFile(uri);
  } catch (error) {
    if (!(error instanceof vscode.FileSystemError)) throw error;
    if (error.code === 'FileIsADirectory') return new Uint8Array();
    if (error.code === 'FileNotFound' || error.code === 'FileNotADirectory') return null;
    throw error;
  }
}
