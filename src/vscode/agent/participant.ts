import * as vscode from 'vscode';
import type { AgentHost } from './host.js';

/** Id of the chat participant, as in package.json. */
const PARTICIPANT = 'lacuna.agent';

/** Registers `@lacuna` in the chat. What answers is loaded with the first request. */
export function registerParticipant(host: AgentHost, icon: vscode.IconPath): vscode.Disposable {
  const participant = vscode.chat.createChatParticipant(PARTICIPANT, async (request, context, stream, token) => {
    try {
      const { answer } = await import('./answer.js');
      return await answer(host, { request, context, stream, token });
    } catch (error) {
      // A session that cannot be opened, or a bug of ours. Nothing that was not decided was done.
      host.report(error);
      const message = error instanceof Error ? error.message : String(error);
      return { errorDetails: { message: vscode.l10n.t('Lacuna stopped by a fault of its own: {0}', message) } };
    }
  });
  participant.iconPath = icon;
  participant.followupProvider = {
    provideFollowups: async (result) => (await import('./followups.js')).followups(result),
  };
  return participant;
}
