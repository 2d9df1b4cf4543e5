import * as vscode from 'vscode';
import type { BackgroundCommand, BackgroundCommands } from '../../executors/process/background.js';
import { oneLine } from '../words.js';

const { t } = vscode.l10n;

/** Where background commands come from: there are none before the engine is open. */
export type BackgroundSource = (use: (commands: BackgroundCommands) => void) => () => void;

/** Commands that agents left running in the background, the newest first, and those that have ended. */
export class BackgroundTree implements vscode.TreeDataProvider<BackgroundCommand>, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #stops: (() => void)[] = [];
  #commands: BackgroundCommands | null = null;

  constructor(source: BackgroundSource) {
    this.#stops.push(
      source((commands) => {
        this.#commands = commands;
        this.#stops.push(commands.onChange(() => this.#tell()));
        this.#tell();
      }),
    );
  }

  /** The commands of this window; null before the first agent was at work. */
  get commands(): BackgroundCommands | null {
    return this.#commands;
  }

  #tell(): void {
    const isThere = (this.#commands?.list().length ?? 0) > 0;
    void vscode.commands.executeCommand('setContext', 'lacuna.hasBackground', isThere);
    this.#changed.fire(undefined);
  }

  getChildren(row?: BackgroundCommand): BackgroundCommand[] {
    return row === undefined ? [...(this.#commands?.list() ?? [])].reverse() : [];
  }

  getTreeItem(command: BackgroundCommand): vscode.TreeItem {
    const { id, isRunning, status, isSandboxed, startedAtMs, cwd } = command;
    const item = new vscode.TreeItem(oneLine(command.command));
    item.id = id;
    const state = isRunning ? t('running') : status === null ? t('ended') : t('ended with {0}', status);
    item.description = [state, isSandboxed ? t('isolated') : '', new Date(startedAtMs).toLocaleTimeString()]
      .filter((part) => part !== '')
      .join(' · ');
    item.iconPath = new vscode.ThemeIcon(
      isRunning ? 'sync~spin' : 'circle-outline',
      new vscode.ThemeColor(isRunning ? 'testing.runAction' : 'disabledForeground'),
    );
    item.contextValue = isRunning ? 'lacuna.background.running' : 'lacuna.background.ended';
    item.tooltip = `${oneLine(command.command, 500)}\n${cwd}\n${t('It ends with this window.')}`;
    item.command = { command: 'lacuna.background.show', title: t('Show Output'), arguments: [command] };
    return item;
  }

  dispose(): void {
    for (const stop of this.#stops) stop();
    this.#changed.dispose();
  }
}
