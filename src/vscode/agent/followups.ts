import * as vscode from 'vscode';
import { memoryOf } from './history.js';

const { t } = vscode.l10n;

/** What a person may want to say next, by how the answer ended. */
export function followups(result: vscode.ChatResult): vscode.ChatFollowup[] {
  const memory = memoryOf(result);
  if (memory === null) return [];
  return [
    ...memory.stories.map((prompt) => ({ prompt })),
    ...(memory.plan === null ? [] : [{ prompt: memory.plan.request, label: t('Carry it out') }]),
    ...(memory.ending === 'limit' || (memory.ending === 'brain-failed' && memory.did.length > 0)
      ? [{ prompt: t('Go on.'), label: t('Go on') }]
      : []),
    ...(memory.refusedId === null
      ? []
      : [{ prompt: memory.refusedId, command: 'explain', label: t('Why was it refused?') }]),
    ...(memory.did.length === 0 ? [] : [{ prompt: '', command: 'status', label: t('How does the session stand?') }]),
  ];
}
