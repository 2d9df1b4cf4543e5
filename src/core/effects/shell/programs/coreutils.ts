import type { ProgramEntry, Run } from '../run.js';
import { parseOptions } from './options.js';

/** `rm`: GNU coreutils 9 and BSD. */
function rm(run: Run): void {
  const parsed = parseOptions(
    {
      flags:
        '-f|--force -i -I -r|-R|--recursive -d|--dir -v|--verbose -P -W -x --one-file-system --no-preserve-root --help --version',
      optional: '--interactive --preserve-root',
      abbreviates: true,
    },
    run.invocation.argv.slice(1),
  );
  if (parsed.has('--help', '--version')) return;
  for (const word of parsed.unknown) run.unknown(`option ${word.text} of rm`);
  for (const path of parsed.operands) {
    run.delete(path, {
      traits: [
        ...(parsed.has('-r') ? (['recursive'] as const) : []),
        ...(parsed.has('-f') ? (['force'] as const) : []),
      ],
    });
  }
}

/** Programs of coreutils that delete. */
export const coreutils: readonly ProgramEntry[] = [{ names: ['rm', 'grm'], analyse: rm }];
