import * as vscode from 'vscode';
import { assessPrompt } from '../../core/session/prompt.js';
import type { PromptPolicy } from '../../core/policy/promptWords.js';
import type { SessionState } from '../../core/session/state.js';

const { t } = vscode.l10n;

/**
 * What may be sent of a text to a remote model. Secrets are masked, and, where the policy says so, asked about besides or withheld;
 * what cannot be masked (passages of a sensitive document, personal data in bulk) goes only if the person says so, and a closed
 * question is a no.
 */
export async function screenPrompt(
  text: string,
  { state, model, policy }: { readonly state: SessionState; readonly model: string; readonly policy: PromptPolicy },
): Promise<string> {
  const answer = assessPrompt(text, state, policy);
  if (answer.type === 'send') return answer.text;
  const send = t('Send It');
  const picked =
    answer.type === 'ask'
      ? await vscode.window.showWarningMessage(
          t('May this be sent to {0}?', model),
          {
            modal: true,
            detail: t(
              'What came back {0}. The model runs elsewhere: what it is told leaves this machine. Secrets that are known are masked in any case.',
              answer.found.why,
            ),
          },
          send,
        )
      : undefined;
  if (picked === send) return answer.text;
  return `[Withheld from you, since it ${answer.found.why} and you run on another machine. Go on without it, or ask the person.]`;
}
