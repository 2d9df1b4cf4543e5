import * as vscode from 'vscode';
import type { Handled } from '../../core/agent/agent.js';
import { subjectOf } from '../../core/agent/subject.js';
import type { Outcome } from '../../core/gate/outcome.js';
import type { Lacuna, Proposal } from '../../core/lacuna/lacuna.js';
import { outcomeWords } from '../words.js';
import { code, commandLink, plain } from './markdown.js';

const { t } = vscode.l10n;

/** What is done to its subject, as a sentence with a gap: `Read {0}`. Done and undone read alike; the icon says which. */
export function verbOf(proposal: Proposal): string {
  switch (proposal.kind) {
    case 'ListFiles':
      return t('List');
    case 'ReadFile':
      return t('Read');
    case 'SearchFiles':
      return t('Search');
    case 'WriteFile':
      return t('Write');
    case 'EditFile':
      return t('Edit');
    case 'DeleteFile':
      return t('Delete');
    case 'MoveFile':
      return t('Move');
    case 'ExecuteShell':
      return t('Run');
    case 'HttpRequest':
      return t('Request');
    case 'QueryDatabase':
      return t('Query');
    case 'CallTool':
      return t('Call');
    case 'Delegate':
      return t('Sub-agent');
  }
}

/** Icon of what came of it. */
export function iconOf({ outcome, decision }: Handled): string {
  switch (outcome.type) {
    case 'filled':
      if (decision.verdict === 'sandbox') return '$(shield)';
      return decision.verdict === 'modify' ? '$(tools)' : '$(check)';
    case 'partly':
      return '$(diff)';
    case 'refused':
      return '$(circle-slash)';
    case 'failed':
    case 'timed-out':
      return '$(error)';
    case 'void':
      return '$(history)';
    case 'cancelled':
      return '$(debug-stop)';
    case 'unavailable':
      return '$(circle-outline)';
  }
}

/** Words behind the subject: only what a reader could not take for granted. */
export function tailOf(proposed: Lacuna, handled: Handled): string {
  const { decision, outcome } = handled;
  const isPlain = outcome.type === 'filled' && (outcome.status ?? 0) === 0;
  const words = [
    decision.verdict === 'sandbox' && outcome.type === 'filled' ? t('in the sandbox') : '',
    decision.decidedBy === 'person' && outcome.type === 'filled' ? t('approved by you') : '',
    decision.repair === null ? '' : t('changed by policy: {0}', plain(decision.repair.explanation)),
    isPlain ? '' : statusWords(proposed, outcome),
    reasonWords(outcome),
    isPlain && decision.verdict === 'allow' && decision.decidedBy !== 'person' ? '' : whyLink(handled.lacuna),
  ].filter((word) => word !== '');
  return words.length === 0 ? '' : ` · ${words.join(' · ')}`;
}

const statusWords = (proposed: Lacuna, outcome: Outcome): string =>
  outcome.type === 'filled' && proposed.kind === 'ExecuteShell'
    ? t('exit code {0}', outcome.status ?? 0)
    : outcomeWords(outcome);

function reasonWords(outcome: Outcome): string {
  switch (outcome.type) {
    case 'refused':
    case 'failed':
    case 'timed-out':
    case 'unavailable':
    case 'partly':
      return plain(outcome.message.split('\n')[0] ?? '');
    case 'filled':
    case 'void':
    case 'cancelled':
      return '';
  }
}

/** A link to the page that tells all about a Lacuna. */
export const whyLink = ({ sessionId, id }: Lacuna): string =>
  commandLink(t('why?'), 'lacuna.showDetails', sessionId, id);

/** The subject of a proposal as code. */
export const subjectCode = (proposal: Proposal): string => code(subjectOf(proposal));

/** A file of the workspace that a proposal is about, to be shown as a link; null for other subjects. */
export function fileOf(proposal: Proposal): vscode.Uri | null {
  switch (proposal.kind) {
    case 'ReadFile':
    case 'WriteFile':
    case 'EditFile':
    case 'DeleteFile':
      return uriOf(proposal.params.path);
    case 'ListFiles':
    case 'SearchFiles':
    case 'MoveFile':
    case 'ExecuteShell':
    case 'HttpRequest':
    case 'QueryDatabase':
    case 'CallTool':
    case 'Delegate':
      return null;
  }
}

function uriOf(path: string): vscode.Uri | null {
  const root = vscode.workspace.workspaceFolders?.[0]?.uri;
  if (root === undefined) return null;
  return /^([/\\]|[A-Za-z]:)/.test(path)
    ? root.with({ path: path.replaceAll('\\', '/') })
    : vscode.Uri.joinPath(root, path);
}
