import * as vscode from 'vscode';
import type { BackgroundCommand } from '../../executors/process/background.js';
import { oneLine } from '../words.js';
import type { BackgroundTree } from './backgroundTree.js';

const { t } = vscode.l10n;

/** Scheme of the pages that show what a background command has printed. */
export const BACKGROUND = 'lacuna-background';
/** How often a page that is open is brought up to date while its command prints. */
const REFRESH_MS = 1_000;

/** Gives the editor what a background command has printed so far: masked, without control characters. */
export class BackgroundPages implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.#changed.event;
  readonly #tree: BackgroundTree;
  readonly #timer: NodeJS.Timeout;

  constructor(tree: BackgroundTree) {
    this.#tree = tree;
    this.#timer = setInterval(() => {
      for (const { uri } of vscode.workspace.textDocuments) if (uri.scheme === BACKGROUND) this.#changed.fire(uri);
    }, REFRESH_MS);
    this.#timer.unref();
  }

  provideTextDocumentContent({ query }: vscode.Uri): string {
    const command = this.#tree.commands?.list().find(({ id }) => id === query);
    const output = this.#tree.commands?.output(query) ?? null;
    if (command === undefined || output === null) return t('Nothing is known of this command any more.');
    const state = command.isRunning ? t('running') : t('ended with {0}', command.status ?? '–');
    return `$ ${oneLine(command.command, 500)}\n# ${command.cwd} · ${state}\n\n${output.text}`;
  }

  dispose(): void {
    clearInterval(this.#timer);
    this.#changed.dispose();
  }
}

/** Registers what a person can do with background commands: stop one, stop all, see what one printed. */
export function registerBackground(tree: BackgroundTree): vscode.Disposable {
  const pages = new BackgroundPages(tree);
  const running = (): readonly BackgroundCommand[] =>
    (tree.commands?.list() ?? []).filter(({ isRunning }) => isRunning);
  const stop = async (command?: BackgroundCommand): Promise<void> => {
    const chosen = command ?? (await pick(running()));
    if (chosen !== null) await tree.commands?.stop(chosen.id);
  };
  const show = async (command?: BackgroundCommand): Promise<void> => {
    const chosen = command ?? (await pick(tree.commands?.list() ?? []));
    if (chosen === null) return;
    const uri = vscode.Uri.from({ scheme: BACKGROUND, path: `/${chosen.id}.log`, query: chosen.id });
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true });
  };
  return vscode.Disposable.from(
    pages,
    vscode.workspace.registerTextDocumentContentProvider(BACKGROUND, pages),
    vscode.commands.registerCommand('lacuna.background.stop', stop),
    vscode.commands.registerCommand('lacuna.background.stopAll', async () => {
      await Promise.all(running().map(({ id }) => tree.commands?.stop(id)));
    }),
    vscode.commands.registerCommand('lacuna.background.show', show),
    vscode.commands.registerCommand('lacuna.background.moveToTerminal', async (command?: BackgroundCommand) => {
      const chosen = command ?? (await pick(running()));
      if (chosen !== null) await moveToTerminal(chosen, tree);
    }),
  );
}

/**
 * What shall outlive the session becomes the person's own: it is ended here, and lies typed in a terminal of theirs, where they
 * start it. Nothing is started by itself; what has several lines is copied, since a terminal would run all but the last.
 */
async function moveToTerminal({ id, command, cwd }: BackgroundCommand, tree: BackgroundTree): Promise<void> {
  await tree.commands?.stop(id);
  const terminal = vscode.window.createTerminal({ name: oneLine(command, 30), cwd });
  terminal.show();
  if (!/[\x00-\x1f\x7f]/.test(command)) {
    terminal.sendText(command, false);
    return;
  }
  await vscode.env.clipboard.writeText(command);
  void vscode.window.showInformationMessage(t('The command has several lines. It is in the clipboard.'));
}

async function pick(commands: readonly BackgroundCommand[]): Promise<BackgroundCommand | null> {
  if (commands.length === 0) {
    await vscode.window.showInformationMessage(t('No command runs in the background.'));
    return null;
  }
  const picked = await vscode.window.showQuickPick(
    commands.map((command) => ({ label: oneLine(command.command), description: command.cwd, command })),
    { title: t('Which command?') },
  );
  return picked?.command ?? null;
}
