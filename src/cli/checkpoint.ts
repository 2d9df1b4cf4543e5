import { realpathSync } from 'node:fs';
import path from 'node:path';
import { CheckpointStore, storeFolder } from '../adapters/checkpoints/store.js';
import { JournalFolder } from '../adapters/journal.js';
import { journalFolder, stateFolder } from '../adapters/stateFolder.js';
import { clock } from '../adapters/system.js';
import type { Change, CheckpointInfo } from '../core/checkpoint.js';
import { previewRestore, restore } from '../executors/restore.js';
import { finishWhatWasLeft } from '../executors/unfinished.js';
import { EXIT, only, parseArguments, UsageError, type ExitCode, type Io, type Parsed } from './io.js';

const HELP = `usage: lacuna checkpoint list | show ID [PATH...] | restore ID [PATH...]
       --workspace DIR   whose checkpoints (default: this folder)
       --state DIR       where checkpoints are kept (default: $XDG_STATE_HOME/lacuna)
       --json            one JSON value instead of text

show tells what a restore would change and what it could not; restore takes a checkpoint of the present state first.
`;

/** A workspace's checkpoints, and the journal of what was begun. */
interface Opened {
  readonly store: CheckpointStore;
  readonly root: string;
  readonly journal: JournalFolder;
}

/** Whose checkpoints, from the flags. */
function openStore(parsed: Parsed): Opened {
  const root = realpathSync(path.resolve(only(parsed, 'workspace') ?? '.'));
  const state = only(parsed, 'state') ?? stateFolder();
  const store = new CheckpointStore({ folder: storeFolder(state, [root]), roots: [root], clock });
  return { store, root, journal: new JournalFolder(journalFolder(state)) };
}

/** What the command line says of a restore that stopped in the middle. */
function tellUnfinished({ journal, root }: Opened, io: Io): void {
  for (const { act, atMs } of finishWhatWasLeft(journal))
    if (act.roots.includes(root))
      io.error(
        `! A restore was interrupted at ${new Date(atMs).toISOString()}. To finish it: lacuna checkpoint restore ${[act.checkpointId, ...act.paths].join(' ')}. To take it back: lacuna checkpoint restore ${act.before}\n`,
      );
}

/** Strikes out restores of this workspace that stopped in the middle: another one has been made since. */
function settleUnfinished({ journal, root }: Opened): void {
  for (const { act, settle } of finishWhatWasLeft(journal)) if (act.roots.includes(root)) settle();
}

const describe = ({ id, atMs, why, files, lacunaId }: CheckpointInfo): string =>
  `${id}  ${new Date(atMs).toISOString()}  ${String(files)} files  ${why}${lacunaId === null ? '' : `  (${lacunaId})`}`;

/** One change as a line: `+` comes back, `-` goes, `~` changes. */
function describeChange({ path: file, from, to }: Change): string {
  if (from === null) return `+ ${file}`;
  return `${to === null ? '-' : '~'} ${file}`;
}

const print = (io: Io, parsed: Parsed, value: unknown, lines: readonly string[]): void => {
  if (parsed.switches.has('json')) io.out(`${JSON.stringify(value, null, 2)}\n`);
  else for (const line of lines) io.out(`${line}\n`);
};

async function show(
  store: CheckpointStore,
  id: string,
  paths: readonly string[],
  parsed: Parsed,
  io: Io,
): Promise<ExitCode> {
  const preview = await previewRestore(store, id, paths);
  if (!preview.ok) throw new UsageError(preview.error);
  const { checkpoint, changes, cannot } = preview.value;
  const nothing = changes.length === 0 ? ['Nothing would change.'] : [];
  const stays = cannot.map((one) => `! ${one}`);
  print(io, parsed, preview.value, [describe(checkpoint), ...nothing, ...changes.map(describeChange), ...stays]);
  return EXIT.done;
}

async function bringBack(
  opened: Opened,
  id: string,
  paths: readonly string[],
  parsed: Parsed,
  io: Io,
): Promise<ExitCode> {
  const { store, journal } = opened;
  const result = await restore(store, id, paths, new AbortController().signal, journal);
  if (!result.ok) throw new UsageError(result.error);
  settleUnfinished(opened);
  const { before, restored, skipped } = result.value;
  const undo = `To take this back: lacuna checkpoint restore ${before}`;
  const stays = skipped.map((one) => `! ${one}`);
  print(io, parsed, result.value, [...restored.map((file) => `restored ${file}`), ...stays, undo]);
  return skipped.length === 0 ? EXIT.done : EXIT.failed;
}

/** `lacuna checkpoint`: what can be restored, what a restore would change, restore. Exit code 1 when a part could not be. */
export async function checkpoint(args: readonly string[], io: Io): Promise<ExitCode> {
  const parsed = parseArguments(args, { workspace: 'value', state: 'value', json: 'switch', help: 'switch' });
  const [what, id, ...files] = parsed.operands;
  if (parsed.switches.has('help') || what === undefined) {
    io.out(HELP);
    return parsed.switches.has('help') ? EXIT.done : EXIT.unusable;
  }
  const opened = openStore(parsed);
  const { store, root } = opened;
  try {
    if (what !== 'restore') tellUnfinished(opened, io);
    if (what === 'list') {
      const all = await store.list();
      print(io, parsed, all, all.map(describe));
      return EXIT.done;
    }
    if (what !== 'show' && what !== 'restore')
      throw new UsageError(`There is no "checkpoint ${what}": use list, show or restore.`);
    if (id === undefined) throw new UsageError('Name the checkpoint: "lacuna checkpoint list" shows them.');
    const paths = files.map((file) => path.resolve(root, file));
    return what === 'show' ? await show(store, id, paths, parsed, io) : await bringBack(opened, id, paths, parsed, io);
  } finally {
    await store.close();
  }
}
