import type { Executor } from '../../core/gate/executor.js';
import type { Outcome } from '../../core/gate/outcome.js';
import { executor, type Bench } from '../fill.js';
import { outputOfText, type Mask } from '../output.js';
import { inFolder, placeOfParam, type FilesOptions } from './place.js';
import { readIn } from './replace.js';
import { decodeText } from './text.js';

/** Largest file that is read, in bytes. */
const MAX_READ_BYTES = 64 * 1024 * 1024;

interface Range {
  readonly startLine?: number | undefined;
  readonly endLine?: number | undefined;
}

/** The asked-for lines of a text, with their line ends. Lines count from 1; beyond the end there are none. */
export function linesOf(text: string, { startLine, endLine }: Range): string {
  if (startLine === undefined && endLine === undefined) return text;
  const lines = text.split(/(?<=\n)/);
  return lines.slice((startLine ?? 1) - 1, endLine ?? lines.length).join('');
}

function answer(text: string, range: Range, mask: Mask, { report }: Bench): Outcome {
  if (range.startLine !== undefined && range.endLine !== undefined && range.endLine < range.startLine)
    return report.failed('endLine is before startLine.');
  return report.filled({ output: outputOfText(linesOf(text, range), mask) });
}

/** Reads a text file, or the editor's unsaved version of it. Binary files are refused with their size. */
export const readFileExecutor = (options: FilesOptions, mask: Mask): Executor<'ReadFile'> =>
  executor(async ({ params }, bench) => {
    const { report } = bench;
    const place = placeOfParam(params.path, options.look(), 'follow');
    const unsaved = options.open.unsaved(place.path);
    if (unsaved !== null) return answer(unsaved, params, mask, bench);
    const read = await inFolder(place, (folder) => readIn(folder, place.name, MAX_READ_BYTES));
    if (!read.ok)
      return read.error === 'absent' ? report.failed(`There is no file ${place.name}.`) : report.voided('changed');
    if (!read.value.ok) {
      const words = {
        absent: `There is no file ${place.name}.`,
        'not-a-file': `${place.name} is not a regular file. Use ListFiles for folders.`,
        'too-large': `${place.name} is larger than ${String(MAX_READ_BYTES / 1024 / 1024)} MiB.`,
      };
      return report.failed(words[read.value.error]);
    }
    const { bytes } = read.value.value;
    const text = decodeText(bytes);
    if (!text.ok) return report.failed(`${place.name} is a binary file of ${String(bytes.length)} bytes.`);
    return answer(text.value.text, params, mask, bench);
  });
