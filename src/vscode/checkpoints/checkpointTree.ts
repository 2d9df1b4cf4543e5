import path from 'node:path';
import * as vscode from 'vscode';
import type { Change, CheckpointInfo, CheckpointSource } from '../../core/checkpoint.js';
import type { Checkpoints } from '../../core/ports.js';
import { oneLine } from '../words.js';

const { t } = vscode.l10n;

/** Checkpoints as the view needs them: to take, to read, and to hear of new ones. */
export type WatchedCheckpoints = Checkpoints & CheckpointSource & { onChange(listener: () => void): () => void };

/** A row: a checkpoint, something in it that differs from now, or a sentence. */
export type CheckpointRow =
  | { readonly type: 'checkpoint'; readonly info: CheckpointInfo }
  | { readonly type: 'change'; readonly info: CheckpointInfo; readonly change: Change }
  | { readonly type: 'note'; readonly text: string; readonly icon: string };

/** Most checkpoints and changes that are listed. */
const MAX_CHECKPOINTS = 200;
const MAX_CHANGES = 500;

/**
 * The states that can be gone back to, the newest first; below each what a restore would change now, and what it cannot. Looking
 * takes a checkpoint of the present state when nothing has that yet.
 */
export class CheckpointTree implements vscode.TreeDataProvider<CheckpointRow>, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #open: () => Promise<WatchedCheckpoints>;
  #stop: (() => void) | null = null;
  /** How many looks are under way: the checkpoints that these take are no news. */
  #looks = 0;

  constructor(open: () => Promise<WatchedCheckpoints>) {
    this.#open = open;
  }

  refresh(): void {
    this.#changed.fire(undefined);
  }

  async getChildren(row?: CheckpointRow): Promise<CheckpointRow[]> {
    const store = await this.#open();
    this.#stop ??= store.onChange(() => {
      if (this.#looks === 0) this.refresh();
    });
    if (row === undefined) {
      const all = await store.list();
      return all
        .slice(-MAX_CHECKPOINTS)
        .toReversed()
        .map((info) => ({ type: 'checkpoint', info }) as const);
    }
    return row.type === 'checkpoint' ? this.#differences(store, row.info) : [];
  }

  async #differences(store: WatchedCheckpoints, info: CheckpointInfo): Promise<CheckpointRow[]> {
    this.#looks += 1;
    try {
      const { previewRestore } = await import('../../executors/restore.js');
      const preview = await previewRestore(store, info.id, []);
      if (!preview.ok) return [note(preview.error, 'error')];
      const { changes, cannot } = preview.value;
      const shown = changes.filter(({ to, from }) => (to ?? from)?.type !== 'folder').slice(0, MAX_CHANGES);
      const more =
        changes.length > MAX_CHANGES ? [note(t('… and {0} more', changes.length - MAX_CHANGES), 'ellipsis')] : [];
      if (changes.length + cannot.length === 0) return [note(t('Nothing has changed since then.'), 'pass')];
      return [
        ...shown.map((change) => ({ type: 'change', info, change }) as const),
        ...more,
        ...cannot.map((why) => note(why, 'warning')),
      ];
    } finally {
      this.#looks -= 1;
    }
  }

  getTreeItem(row: CheckpointRow): vscode.TreeItem {
    switch (row.type) {
      case 'checkpoint':
        return checkpointItem(row.info);
      case 'change':
        return changeItem(row.info, row.change);
      case 'note': {
        const item = new vscode.TreeItem(oneLine(row.text, 200));
        item.iconPath = new vscode.ThemeIcon(row.icon);
        item.tooltip = row.text;
        return item;
      }
    }
  }

  dispose(): void {
    this.#stop?.();
    this.#changed.dispose();
  }
}

const note = (text: string, icon: string): CheckpointRow => ({ type: 'note', text, icon });

function checkpointItem(info: CheckpointInfo): vscode.TreeItem {
  const item = new vscode.TreeItem(oneLine(info.why), vscode.TreeItemCollapsibleState.Collapsed);
  item.id = info.id;
  item.description = new Date(info.atMs).toLocaleTimeString();
  item.iconPath = new vscode.ThemeIcon('history');
  item.contextValue = 'lacuna.checkpoint';
  item.tooltip = `${oneLine(info.why, 300)}\n${new Date(info.atMs).toLocaleString()}\n${t('{0} files', info.files)}`;
  return item;
}

/** What a restore would do with one thing. */
export function changeWords({ from, to }: Change): string {
  if (from === null) return t('comes back');
  return to === null ? t('goes') : t('as it was');
}

function changeItem(info: CheckpointInfo, change: Change): vscode.TreeItem {
  const uri = vscode.Uri.file(change.path);
  const words = changeWords(change);
  const item = new vscode.TreeItem(path.basename(change.path));
  item.id = `${info.id}:${change.path}`;
  const folder = path.dirname(vscode.workspace.asRelativePath(uri, true));
  item.description = folder === '.' ? words : `${folder} · ${words}`;
  item.resourceUri = uri;
  item.iconPath = vscode.ThemeIcon.File;
  item.contextValue = 'lacuna.checkpointChange';
  item.tooltip = change.path;
  item.command = {
    command: 'lacuna.checkpoints.compare',
    title: t('Compare'),
    arguments: [{ type: 'change', info, change }],
  };
  return item;
}
