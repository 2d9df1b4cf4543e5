import picomatch from 'picomatch';
import type { Executor } from '../../core/gate/executor.js';
import { executor } from '../fill.js';
import { outputOfText, type Mask } from '../output.js';
import { openFolder } from './folder.js';
import { placeOfParam, type FilesOptions } from './place.js';
import { walk } from './walk.js';

const MAX_NAMES = 5_000;
const MAX_DEPTH = 40;
const MAX_ENTRIES = 200_000;

const note = (condition: boolean, text: string): readonly string[] => (condition ? [text] : []);

/** Lists names, folders with a `/` behind, links with `@`. */
export const listFilesExecutor = (options: FilesOptions, mask: Mask): Executor<'ListFiles'> =>
  executor(async ({ params }, { report, cancel }) => {
    const place = placeOfParam(params.path, options.look(), 'follow');
    const folder = openFolder(place.path);
    if (!folder.ok)
      return report.failed(
        folder.error === 'absent' ? `There is no folder ${params.path}.` : `${params.path} is not a folder.`,
      );
    const matches =
      params.pattern === undefined ? () => true : picomatch(params.pattern, { dot: true, nonegate: true });
    const names: string[] = [];
    try {
      const depth = params.recursive === true ? MAX_DEPTH : 1;
      const walked = await walk(folder.value, { depth, entries: MAX_ENTRIES }, cancel, ({ relative, name, type }) => {
        const isWanted = matches(relative) || (!(params.pattern ?? '/').includes('/') && matches(name));
        if (isWanted) names.push(relative + (type === 'folder' ? '/' : type === 'link' ? '@' : ''));
        return names.length < MAX_NAMES;
      });
      if (cancel.aborted) return report.cancelled();
      const lines = [
        ...names,
        ...note(walked.isCut, `… more than ${String(MAX_NAMES)} names: narrow the path or the pattern`),
        ...note(walked.passedOver.length > 0, `(not walked into: ${walked.passedOver.slice(0, 20).join(', ')})`),
      ];
      return report.filled({ output: outputOfText(lines.join('\n'), mask) });
    } finally {
      folder.value.close();
    }
  });
