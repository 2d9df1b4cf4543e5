import * as vscode from 'vscode';
import { hookTroubles, type HookTrouble } from '../hooks/setup/switches.js';
import type { Health } from './health.js';

const { t } = vscode.l10n;

/** What stands against hooks in this window now. */
export function troublesNow(): readonly HookTrouble[] {
  const chat = vscode.workspace.getConfiguration('chat');
  return hookTroubles({
    useHooks: chat.get<boolean>('useHooks'),
    plugins: chat.get<boolean>('plugins.enabled'),
    managedOnly: chat.get<boolean>('hooks.allowManagedOnly'),
    allOff: chat.get<boolean>('disableAllHooks'),
    isTrusted: vscode.workspace.isTrusted,
    hasFolder: (vscode.workspace.workspaceFolders ?? []).length > 0,
  });
}

/** In a sentence each: what is off, and where it is switched on. */
export const troubleWords = (): Readonly<Record<HookTrouble, string>> => ({
  'hooks-off': t(
    'Hooks are switched off (chat.useHooks, or a policy of your organisation): the built-in agent is not guarded.',
  ),
  'plugins-off': t('Agent plugins are switched off (chat.plugins.enabled): the built-in agent is not guarded.'),
  'managed-only': t(
    'Only hooks of your organisation run (chat.hooks.allowManagedOnly): the built-in agent is not guarded.',
  ),
  'all-off': t('All hooks are switched off (disableAllHooks): the built-in agent is not guarded.'),
  untrusted: t('The editor runs no hooks in a folder that you do not trust: the built-in agent is not guarded here.'),
  'no-folder': t('No folder is open: agents outside of this window do not find it and are judged without it.'),
});

/** Keeps the status bar true about hooks: what switches them off is said there, whoever has done it. */
export function watchSwitches(health: Health): vscode.Disposable {
  const tell = (): void => {
    const words = troubleWords();
    // Without a folder there is nothing for an agent to do.
    const troubles = troublesNow().filter((trouble) => trouble !== 'no-folder');
    health.tell('switches', troubles.length === 0 ? null : troubles.map((trouble) => words[trouble]).join(' '));
  };
  tell();
  return vscode.Disposable.from(
    vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration('chat') && tell()),
    vscode.workspace.onDidGrantWorkspaceTrust(tell),
  );
}
