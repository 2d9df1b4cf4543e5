import * as vscode from 'vscode';
import type { Entry } from '../../core/gate/ledger.js';
import type { PolicyStore } from '../../core/policy/store.js';
import type { WrittenLayer } from '../../core/policy/load.js';
import { problemLine } from '../../core/policy/problem.js';
import type { Confidentiality } from '../../core/session/label.js';
import type { Session } from '../sessions.js';
import { detailsPage } from '../views/details.js';
import { modeWord, outcomeWords, proposalWords, verdictWord } from '../words.js';
import { code, plain } from './markdown.js';

const { t } = vscode.l10n;

/** Explains one Lacuna of the session: the one that the words fit, else the newest that was refused, else the newest. */
export function explain(stream: vscode.ChatResponseStream, { ledger }: Session, words: string): void {
  const entry = pick(ledger.entries, words.trim().toLowerCase());
  if (entry === null) stream.markdown(t('Nothing was proposed in this conversation yet.'));
  else stream.markdown(detailsPage(entry, null));
}

function pick(entries: readonly Entry[], words: string): Entry | null {
  const fits = ({ lacuna }: Entry): boolean => proposalWords(lacuna).toLowerCase().includes(words);
  const named = words === '' ? undefined : entries.findLast((entry) => entry.lacuna.id === words || fits(entry));
  return named ?? entries.findLast(({ outcome }) => outcome?.type === 'refused') ?? entries.at(-1) ?? null;
}

const confidentialityWord = (confidentiality: Confidentiality): string =>
  ({
    public: t('nothing confidential'),
    internal: t('internal data'),
    sensitive: t('sensitive data'),
    secret: t('secrets'),
  })[confidentiality];

/** Tells how the session stands: mode, risk and why, labels, and what was decided how often. */
export function status(stream: vscode.ChatResponseStream, { ledger }: Session): void {
  const { mode, risk, context, irreversible } = ledger.state;
  const { confidentiality, isUntrusted } = context;
  const lines = [
    `**${t('Mode')}:** ${modeWord(mode)}`,
    `**${t('Risk so far')}:** ${risk.value.toFixed(1)}${risk.reasons.length === 0 ? '' : ` (${plain(risk.reasons.join('; '))})`}`,
    `**${t('What the conversation carries')}:** ${confidentialityWord(confidentiality)}${isUntrusted ? t(', with content from untrusted sources') : ''}`,
    `**${t('Steps that cannot be undone')}:** ${irreversible}`,
  ];
  const counts = new Map<string, number>();
  for (const { decision, outcome } of ledger.entries) {
    const word =
      decision === null ? '' : `${verdictWord(decision.verdict)}, ${outcome === null ? '' : outcomeWords(outcome)}`;
    if (word !== '') counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  lines.push(...[...counts].map(([word, count]) => `${count} × ${word}`));
  stream.markdown(lines.map((line) => `- ${line}`).join('\n'));
}

/** Tells which policy is in force: mode, files by layer, mistakes, and the built-in packs. */
export function policy(stream: vscode.ChatResponseStream, { ledger }: Session, store: PolicyStore): void {
  const written = store.loaded.filter(({ files }) => files === null || files.length > 0);
  const lines = [
    `**${t('Mode')}:** ${modeWord(ledger.state.mode)}`,
    ...written.map(({ source, files }) => {
      const rules = (files ?? []).reduce((sum, { spec }) => sum + (spec.rules ?? []).length, 0);
      return `**${layerWord(source.layer)}:** ${code(source.name)}, ${t('{0} rules', rules)}`;
    }),
    ...(written.length === 0 ? [t('No policy file of your own, of the workspace or of an organisation.')] : []),
    `**${t('Built in')}:** ${store.policy.layers.packs.map(({ source }) => code(source)).join(', ')}`,
  ];
  const problems = store.problems.map((problem) => `$(warning) ${plain(problemLine(problem))}`);
  stream.markdown(new vscode.MarkdownString([...lines, ...problems].map((line) => `- ${line}`).join('\n'), true));
  stream.button({ command: 'lacuna.openPolicy', title: t('Open Policy') });
}

const layerWord = (layer: WrittenLayer): string =>
  ({ organisation: t('Organisation'), user: t('You'), workspace: t('Workspace') })[layer];

/** Opens what a slash command is for, and says what has opened. */
export function openFor(stream: vscode.ChatResponseStream, name: 'rollback' | 'audit' | 'mode', { id }: Session): void {
  const { command, says } = {
    rollback: {
      command: 'lacuna.checkpoints.restore',
      says: t('Pick the state to go back to: you see what would change first.'),
    },
    audit: {
      command: 'lacuna.audit.open',
      says: t('Here is all that this conversation has proposed, and what became of it.'),
    },
    mode: { command: 'lacuna.setMode', says: t('Pick how strict Lacuna is. An agent cannot.') },
  }[name];
  stream.markdown(says);
  // Not awaited: the answer is complete while the person still picks.
  void vscode.commands.executeCommand(command, id);
}
