import { RE2JS } from 're2js';
import type { Executor } from '../../core/gate/executor.js';
import { sensitivityOf } from '../../core/effects/sensitivePaths.js';
import { err, ok, type Result } from '../../core/result.js';
import { executor, isSystemError } from '../fill.js';
import { outputOfText, type Mask } from '../output.js';
import { openFolder, type Folder } from './folder.js';
import { inFolder, placeOfParam, type FilesOptions } from './place.js';
import { readIn } from './replace.js';
import { decodeText } from './text.js';
import { walk } from './walk.js';

const MAX_MATCHES = 500;
const MAX_FILE_BYTES = 4 * 1024 * 1024;
const MAX_LINE_LENGTH = 300;
const MAX_ENTRIES = 200_000;
const MAX_DEPTH = 40;
const TIME_MS = 20_000;

/** Tells which lines hold what is looked for. */
type LineTest = (line: string) => boolean;

/** A test for a literal text or an RE2 expression; what is wrong with the expression, when it is. */
function lineTest(query: string, isRegex: boolean): Result<{ test: LineTest; bytes: Buffer | null }, string> {
  if (!isRegex) return ok({ test: (line) => line.includes(query), bytes: Buffer.from(query, 'utf8') });
  try {
    const pattern = RE2JS.compile(query);
    return ok({ test: (line) => pattern.matcher(line).find(), bytes: null });
  } catch (error) {
    if (error instanceof Error) return err(error.message); // re2js throws for what it cannot compile
    throw error;
  }
}

/** Bytes of a file that is worth searching; null for others: binary, large, unreadable, gone. */
function textIn(folder: Folder, name: string, needle: Buffer | null): string | null {
  try {
    const read = readIn(folder, name, MAX_FILE_BYTES);
    if (!read.ok) return null;
    const { bytes } = read.value;
    const isUtf8 = bytes[0] !== 0xff && bytes[0] !== 0xfe;
    if (needle !== null && isUtf8 && !bytes.includes(needle)) return null;
    const text = decodeText(bytes);
    return text.ok ? text.value.text : null;
  } catch (error) {
    if (isSystemError(error)) return null;
    throw error;
  }
}

function matchesIn(text: string, test: LineTest, shown: string, room: number): string[] {
  const found: string[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (found.length >= room) break;
    if (!test(line)) continue;
    const cut = line.length > MAX_LINE_LENGTH ? `${line.slice(0, MAX_LINE_LENGTH)}…` : line;
    found.push(`${shown}:${String(index + 1)}: ${cut}`);
  }
  return found;
}

/**
 * Searches contents line by line. A search of a folder leaves out files that hold secrets (they are named at the end): whoever
 * wants to look into one asks for that file.
 */
export const searchFilesExecutor = (options: FilesOptions, mask: Mask): Executor<'SearchFiles'> =>
  executor(async ({ params, confinement }, { report, cancel }) => {
    const test = lineTest(params.query, params.isRegex === true);
    if (!test.ok) return report.failed(`The expression cannot be read: ${test.error}`);
    const facts = options.look();
    const place = placeOfParam(params.path ?? '.', facts, 'follow');
    const unreadable = confinement?.unreadable ?? [];
    const found: string[] = [];
    const leftOut: string[] = [];
    const endsAt = performance.now() + TIME_MS;
    const search = (folder: Folder, name: string, shown: string): void => {
      const unsaved = options.open.unsaved(`${folder.path}/${name}`);
      const text = unsaved ?? textIn(folder, name, test.value.bytes);
      if (text !== null) found.push(...matchesIn(text, test.value.test, shown, MAX_MATCHES - found.length));
    };
    const isLeftOut = (path: string): boolean =>
      sensitivityOf(path, facts).isSecret || unreadable.some((one) => path === one || path.startsWith(`${one}/`));

    const folder = openFolder(place.path);
    let isCut = false;
    if (folder.ok) {
      try {
        const walked = await walk(folder.value, { depth: MAX_DEPTH, entries: MAX_ENTRIES }, cancel, (met) => {
          if (met.type !== 'file') return true;
          const path = `${place.path}/${met.relative}`;
          if (isLeftOut(path)) leftOut.push(met.relative);
          else search(met.folder, met.name, met.relative);
          return found.length < MAX_MATCHES && performance.now() < endsAt;
        });
        isCut = walked.isCut;
      } finally {
        folder.value.close();
      }
    } else if (folder.error === 'link') {
      await inFolder(place, (parent) => {
        search(parent, place.name, place.name);
      });
    } else return report.failed(`There is no file or folder ${params.path ?? '.'}.`);
    if (cancel.aborted) return report.cancelled();
    const lines = found.length === 0 ? ['No matches.'] : found;
    if (isCut) lines.push('… stopped early: narrow the path or the query');
    if (leftOut.length > 0) lines.push(`(not searched, since they hold secrets: ${leftOut.slice(0, 20).join(', ')})`);
    return report.filled({ output: outputOfText(lines.join('\n'), mask) });
  });
