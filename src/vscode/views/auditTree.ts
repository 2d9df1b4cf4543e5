import * as vscode from 'vscode';
import type { AuditFolder } from '../../adapters/auditFile.js';
import { describeRecord } from '../../core/audit/describe.js';
import type { Entry } from '../../core/gate/ledger.js';
import { oneLine, outcomeWords, proposalWords } from '../words.js';
import { entryIcon } from './icons.js';
import { groupedRows, groupItem, type Row } from './sessionTree.js';

const { t } = vscode.l10n;

/** Scheme of the pages that show the audit of a session. */
export const AUDIT = 'lacuna-audit';

/** A session that has an audit. */
export interface AuditRow {
  readonly sessionId: string;
  readonly modifiedMs: number;
  /** What it was first asked for, and by which agent; empty where its audit does not tell. */
  readonly request: string;
  readonly agent: string;
}

/** A row: an audit, a Lacuna of one, or several that were proposed together. */
export type AuditOrEntry = AuditRow | (Row & { readonly type: 'lacuna' | 'group' });

/** The audits on this machine, the one written to last first, with their Lacunas below. A click shows one as text. */
export class AuditTree implements vscode.TreeDataProvider<AuditOrEntry>, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #audits: () => Promise<AuditFolder>;

  constructor(audits: () => Promise<AuditFolder>) {
    this.#audits = audits;
  }

  refresh(): void {
    this.#changed.fire(undefined);
  }

  async getChildren(row?: AuditOrEntry): Promise<AuditOrEntry[]> {
    const audits = await this.#audits();
    if (row === undefined) return rowsOf(audits);
    if ('type' in row) return row.type === 'group' ? row.entries.map((entry) => ({ type: 'lacuna', entry })) : [];
    return groupedRows(await entriesOf(audits, row.sessionId));
  }

  getTreeItem(row: AuditOrEntry): vscode.TreeItem {
    if ('type' in row) return row.type === 'group' ? groupItem(row.groupId, row.entries) : entryItem(row.entry);
    const { sessionId } = row;
    const item = new vscode.TreeItem(titleOf(row), vscode.TreeItemCollapsibleState.Collapsed);
    item.id = sessionId;
    item.description = whenOf(row);
    item.tooltip = [titleOf(row), whenOf(row), sessionId].join('\n');
    item.accessibilityInformation = { label: t('Audit: {0}, {1}', titleOf(row), whenOf(row)) };
    item.iconPath = new vscode.ThemeIcon('notebook');
    item.contextValue = 'lacuna.audit';
    item.command = { command: 'lacuna.audit.open', title: t('Open Audit'), arguments: [sessionId] };
    return item;
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

const rowsOf = (audits: AuditFolder): AuditRow[] =>
  audits.sessions().map((session) => ({ ...session, ...audits.beginning(session.sessionId) }));

/** What people know a session by: its first request, else its id. */
const titleOf = ({ request, sessionId }: AuditRow): string => oneLine(request) || sessionId;

const whenOf = ({ modifiedMs, agent }: AuditRow): string =>
  [agent, new Date(modifiedMs).toLocaleString()].filter((part) => part !== '').join(' · ');

/** The Lacunas of a session as its audit tells them, the latest first. Reads only. */
async function entriesOf(audits: AuditFolder, sessionId: string): Promise<readonly Entry[]> {
  const [{ Ledger }, { initialState }] = await Promise.all([
    import('../../core/gate/ledger.js'),
    import('../../core/session/state.js'),
  ]);
  const sink = audits.open(sessionId);
  const ledger = await Ledger.reopen(initialState(sessionId, [], 'balanced', 0), sink, () => 0);
  return ledger.entries.toReversed();
}

function entryItem(entry: Entry): vscode.TreeItem {
  const { lacuna, decision, outcome } = entry;
  const item = new vscode.TreeItem(proposalWords(lacuna));
  item.id = `audit ${lacuna.id}`;
  item.description = outcome === null ? '' : outcomeWords(outcome);
  item.iconPath = entryIcon(entry);
  item.contextValue = 'lacuna.entry';
  item.tooltip = decision?.reason ?? '';
  item.command = {
    command: 'lacuna.showDetails',
    title: t('Show Details'),
    arguments: [lacuna.sessionId, lacuna.id],
  };
  return item;
}

/** Gives the editor the audit of a session as text: what checking the chain says, then a line for each record. */
export class AuditPages implements vscode.TextDocumentContentProvider {
  readonly #audits: () => Promise<AuditFolder>;

  constructor(audits: () => Promise<AuditFolder>) {
    this.#audits = audits;
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const audits = await this.#audits();
    const report = audits.verify(uri.query);
    const records = await audits.open(uri.query).read();
    return [
      t('Session {0}', uri.query),
      audits.fileOf(uri.query),
      verdictOf(report.faults.length),
      ...report.faults.map(({ line, message }) => (line === null ? `  ${message}` : `  ${line}: ${message}`)),
      '',
      ...records.map(describeRecord),
      '',
    ].join('\n');
  }
}

const verdictOf = (faults: number): string =>
  faults === 0 ? t('The chain holds: nothing was changed, taken out or cut off.') : t('The chain is BROKEN:');

/** Registers the commands of the audit: open one, check one or all. */
export function registerAuditCommands(audits: () => Promise<AuditFolder>, tree: AuditTree): vscode.Disposable {
  const open = async (target?: string | Pick<AuditRow, 'sessionId'>): Promise<void> => {
    const sessionId = await sessionOf(audits, target);
    if (sessionId === null) return;
    const uri = vscode.Uri.from({ scheme: AUDIT, path: `/${sessionId.slice(0, 8)}.log`, query: sessionId });
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true });
  };
  const verify = async (): Promise<void> => {
    const folder = await audits();
    const sessions = folder.sessions();
    const broken = sessions.filter(({ sessionId }) => folder.verify(sessionId).faults.length > 0);
    tree.refresh();
    if (broken.length === 0) {
      void vscode.window.showInformationMessage(t('{0} audits checked: all chains hold.', sessions.length));
      return;
    }
    const show = t('Show the First');
    const message = t('{0} of {1} audits were changed, cut or damaged.', broken.length, sessions.length);
    if ((await vscode.window.showErrorMessage(message, show)) === show) await open(broken[0]);
  };
  return vscode.Disposable.from(
    vscode.commands.registerCommand('lacuna.audit.open', open),
    vscode.commands.registerCommand('lacuna.audit.verify', verify),
  );
}

/** The session that a command was called for, or the one that the person picks; null when they pick none. */
async function sessionOf(
  audits: () => Promise<AuditFolder>,
  target?: string | Pick<AuditRow, 'sessionId'>,
): Promise<string | null> {
  if (target !== undefined) return typeof target === 'string' ? target : target.sessionId;
  const rows = rowsOf(await audits());
  if (rows.length === 0) {
    void vscode.window.showInformationMessage(t('Nothing is recorded yet: an audit begins with the first proposal.'));
    return null;
  }
  const picked = await vscode.window.showQuickPick(
    rows.map((row) => ({ label: titleOf(row), description: whenOf(row), sessionId: row.sessionId })),
    { title: t('Which session’s audit?'), matchOnDescription: true },
  );
  return picked?.sessionId ?? null;
}
