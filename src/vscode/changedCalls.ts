import * as vscode from 'vscode';
import type { Entry } from '../core/gate/ledger.js';
import type { Sessions } from './sessions.js';
import { oneLine, proposalWords } from './words.js';

const { t } = vscode.l10n;

/** Entries that are looked at after a change, the newest: a decision changes one that was just proposed. */
const NEWEST = 20;

/**
 * Tells the person of each call of another agent that policy changed: its own chat folds that away, or does not show it at all.
 * What a session knew before this window saw it is no news.
 */
export function tellOfChangedCalls(sessions: Sessions): vscode.Disposable {
  const seen = new Set<string>();
  const known = new Set<string>();
  const look = (): void => {
    const session = sessions.active;
    if (session === null) return;
    const isNew = !seen.has(session.id);
    seen.add(session.id);
    for (const entry of session.ledger.entries.slice(-NEWEST)) {
      if (entry.decision === null || known.has(entry.lacuna.id)) continue;
      known.add(entry.lacuna.id);
      if (!isNew) void tell(entry);
    }
  };
  return new vscode.Disposable(sessions.onChange(look));
}

async function tell({ lacuna, decision }: Entry): Promise<void> {
  if (decision === null || decision.repair === null || decision.verdict === 'deny') return;
  if (lacuna.origin.agent === 'lacuna') return; // its chat shows it in full
  const { before, after } = decision.repair;
  const why = t('Why?');
  const choice = await vscode.window.showInformationMessage(
    t('Policy changed what an agent does. Before: {0} After: {1}', said(before), said(after)),
    why,
  );
  if (choice === why) await vscode.commands.executeCommand('lacuna.showDetails', lacuna.sessionId, lacuna.id);
}

const said = (proposal: Parameters<typeof proposalWords>[0]): string => oneLine(proposalWords(proposal), 200);
