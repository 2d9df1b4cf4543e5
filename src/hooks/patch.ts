/** One file that a patch changes. `edits` are passages in the order of the file; `content` that of an added file. */
export interface PatchedFile {
  readonly path: string;
  readonly change: 'add' | 'delete' | 'update';
  readonly movedTo: string | null;
  readonly content: string;
  readonly edits: readonly { readonly oldText: string; readonly newText: string }[];
}

interface Draft {
  path: string;
  change: PatchedFile['change'];
  movedTo: string | null;
  added: string[];
  hunks: { old: string[]; new: string[] }[];
}

const HEADER = /^\*\*\* (Add|Delete|Update) File: (.+)$/;

/**
 * Reads a patch in the form of `apply_patch`: `*** Begin Patch`, `*** Update File: x`, `@@`, lines with ` `, `+`, `-`.
 * Null when the text is no such patch, or has a line that the form does not know: then nothing of it is believed.
 */
export function parsePatch(text: string): readonly PatchedFile[] | null {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  const begin = lines.findIndex((line) => line.trim() === '*** Begin Patch');
  const end = lines.findIndex((line, at) => at > begin && line.trim() === '*** End Patch');
  if (begin < 0 || end < 0) return null;
  const files: Draft[] = [];
  for (const line of lines.slice(begin + 1, end)) if (!takeLine(line, files)) return null;
  return files.length === 0 ? null : files.map(finish);
}

/** Adds one line to the file it belongs to; false when the form does not know the line. */
function takeLine(line: string, files: Draft[]): boolean {
  const header = HEADER.exec(line);
  if (header?.[1] !== undefined && header[2] !== undefined) {
    const change = header[1] === 'Add' ? 'add' : header[1] === 'Delete' ? 'delete' : 'update';
    files.push({ path: header[2].trim(), change, movedTo: null, added: [], hunks: [] });
    return true;
  }
  const file = files.at(-1);
  if (file === undefined) return line.trim() === '';
  const moved = /^\*\*\* Move to: (.+)$/.exec(line)?.[1];
  if (moved !== undefined) {
    file.movedTo = moved.trim();
    return true;
  }
  if (line.startsWith('*** End of File')) return true;
  if (file.change === 'add') return takeAdded(line, file);
  if (file.change === 'delete') return line.trim() === '';
  return takeChanged(line, file);
}

function takeAdded(line: string, file: Draft): boolean {
  if (line.startsWith('+')) file.added.push(line.slice(1));
  return line.startsWith('+') || line.trim() === '';
}

function takeChanged(line: string, file: Draft): boolean {
  if (line.startsWith('@@')) {
    file.hunks.push({ old: [], new: [] });
    return true;
  }
  let hunk = file.hunks.at(-1);
  if (hunk === undefined) file.hunks.push((hunk = { old: [], new: [] }));
  const rest = line.slice(1);
  if (line === '' || line.startsWith(' ')) {
    hunk.old.push(rest);
    hunk.new.push(rest);
  } else if (line.startsWith('-')) hunk.old.push(rest);
  else if (line.startsWith('+')) hunk.new.push(rest);
  else return false;
  return true;
}

const finish = (file: Draft): PatchedFile => ({
  path: file.path,
  change: file.change,
  movedTo: file.movedTo,
  content: file.added.length === 0 ? '' : `${file.added.join('\n')}\n`,
  edits: file.hunks
    .map((hunk) => ({ oldText: hunk.old.join('\n'), newText: hunk.new.join('\n') }))
    // A hunk without old text only adds: there is no passage to find, so the added lines stand for themselves.
    .map((edit) => (edit.oldText === '' ? { oldText: '\n', newText: `\n${edit.newText}` } : edit))
    .filter((edit) => edit.oldText !== edit.newText),
});
