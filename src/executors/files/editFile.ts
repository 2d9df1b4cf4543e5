import type { Executor } from '../../core/gate/executor.js';
import { applyEdits, explainEditError, type TextEdit } from '../../core/lacuna/applyEdits.js';
import { executor } from '../fill.js';
import { placeOfParam, type FilesOptions } from './place.js';
import type { Snapshot } from './replace.js';
import { decodeText, encodeText } from './text.js';
import { changeFile } from './writeFile.js';

/** The bytes of a file after edits, or a sentence that says why they cannot be made. */
export function editBytes(bytes: Buffer, edits: readonly TextEdit[]): Buffer | string {
  const file = decodeText(bytes);
  if (!file.ok) return 'The file is binary: text edits do not apply to it.';
  const edited = applyEdits(file.value.text, edits);
  if (!edited.ok) return explainEditError(edited.error);
  const encoded = encodeText({ ...file.value, text: edited.value });
  return encoded.ok ? encoded.value : 'The new text holds characters that the encoding of the file has not.';
}

/** Replaces passages of a file through the file system: all of them or none. */
export const editFileExecutor = (options: FilesOptions): Executor<'EditFile'> =>
  executor(async ({ params, isStillTrue }, bench) => {
    const place = placeOfParam(params.path, options.look(), 'follow');
    const make = (old: Snapshot | null): Buffer | string =>
      old === null ? `There is no file ${place.name}.` : editBytes(old.bytes, params.edits);
    return changeFile(place, options, make, isStillTrue, bench);
  });
