import * as vscode from 'vscode';
import type { Entry, Progression } from '../../core/gate/ledger.js';
import type { DecidedBy } from '../../core/policy/decision.js';
import type { Sessions } from '../sessions.js';
import { decidedByWord, effectWords, oneLine, outcomeWords, proposalWords, reviewWords, riskWord } from '../words.js';
import { entryIcon } from './icons.js';

const { t } = vscode.l10n;

/** A row: a Lacuna, several that were proposed together, or something that is known of one. */
export type Row =
  | { readonly type: 'lacuna'; readonly entry: Entry }
  /** Reads that were proposed together. */
  | { readonly type: 'group'; readonly groupId: string; readonly entries: readonly Entry[] }
  | { readonly type: 'fact'; readonly text: string; readonly icon: string };

/** The Lacunas of the active session, the latest first, live. What opened out of another one stands below it. */
export class SessionTree implements vscode.TreeDataProvider<Row>, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #sessions: Sessions;
  readonly #stop: () => void;
  readonly #recall: () => void;

  /** `recall`: called when somebody looks while no session is active; brings back the one of before a reload, if it can. */
  constructor(sessions: Sessions, recall: () => void) {
    this.#sessions = sessions;
    this.#recall = recall;
    this.#stop = sessions.onChange(() => this.#changed.fire(undefined));
  }

  getChildren(row?: Row): Row[] {
    if (this.#sessions.active === null) this.#recall();
    const entries = this.#sessions.active?.ledger.entries ?? [];
    if (row?.type === 'fact') return [];
    if (row?.type === 'group') return rowsOf(row.entries);
    if (row !== undefined) return [...factsOf(row.entry), ...childrenOf(entries, row.entry.lacuna.id)];
    const ids = new Set(entries.map((entry) => entry.lacuna.id));
    const top = groupedRows(entries.filter(({ lacuna }) => lacuna.parentId === null || !ids.has(lacuna.parentId)));
    return [...this.#alarms(), ...top.reverse()];
  }

  /** What ran without a verdict stands above everything. */
  #alarms(): Row[] {
    return [...(this.#sessions.active?.ledger.alarms ?? [])]
      .reverse()
      .map(({ what, details }) => ({ type: 'fact', icon: 'alert', text: t('Alarm: {0} ({1})', what, details) }));
  }

  getTreeItem(row: Row): vscode.TreeItem {
    if (row.type === 'fact') {
      const item = new vscode.TreeItem(row.text);
      item.iconPath = new vscode.ThemeIcon(row.icon);
      item.tooltip = row.text;
      return item;
    }
    if (row.type === 'group') return groupItem(row.groupId, row.entries);
    const { entry } = row;
    const { lacuna } = entry;
    const title = proposalWords(lacuna);
    const item = new vscode.TreeItem(title, vscode.TreeItemCollapsibleState.Collapsed);
    item.id = lacuna.id;
    const state = [stateWords(entry), changeWords(entry)].filter((part) => part !== '').join(' · ');
    item.description = state;
    item.iconPath = entryIcon(entry);
    item.contextValue = entry.progression === 'asking' ? 'lacuna.asking' : 'lacuna.entry';
    item.tooltip = [title, state, entry.decision?.reason ?? ''].filter((line) => line !== '').join('\n');
    item.accessibilityInformation = { label: `${title}: ${state}` };
    item.command = {
      command: 'lacuna.showDetails',
      title: t('Show Details'),
      arguments: [lacuna.sessionId, lacuna.id],
    };
    return item;
  }

  dispose(): void {
    this.#stop();
    this.#changed.dispose();
  }
}

const rowsOf = (entries: readonly Entry[]): Row[] => entries.map((entry) => ({ type: 'lacuna', entry }));

type Grouped = Exclude<Row, { readonly type: 'fact' }>;

/** Rows in the order of the entries, those of one group as one row where its first stands. */
export function groupedRows(entries: readonly Entry[]): Grouped[] {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) {
    const id = entry.groupId ?? entry.lacuna.id;
    groups.set(id, [...(groups.get(id) ?? []), entry]);
  }
  return [...groups].flatMap(([groupId, members]): Grouped[] =>
    members.length > 1
      ? [{ type: 'group', groupId, entries: members }]
      : members.map((entry) => ({ type: 'lacuna', entry })),
  );
}

/** A group: how many reads, what they read, and how far they have come. */
export function groupItem(groupId: string, entries: readonly Entry[]): vscode.TreeItem {
  const item = new vscode.TreeItem(t('{0} reads together', entries.length), vscode.TreeItemCollapsibleState.Collapsed);
  const states = [...new Set(entries.map(stateWords))];
  item.id = `group ${groupId}`;
  item.description = states.join(', ');
  item.iconPath = new vscode.ThemeIcon('files');
  item.contextValue = 'lacuna.group';
  item.tooltip = entries.map((entry) => `${proposalWords(entry.lacuna)}: ${stateWords(entry)}`).join('\n');
  item.accessibilityInformation = { label: `${String(item.label)}: ${states.join(', ')}` };
  return item;
}

const childrenOf = (entries: readonly Entry[], id: string): Row[] =>
  groupedRows(entries.filter(({ lacuna }) => lacuna.parentId === id));

/** Who decided, as a picture. */
const DECIDERS: Readonly<Record<DecidedBy, string>> = {
  protection: 'lock',
  rule: 'law',
  default: 'law',
  state: 'pulse',
  reviewer: 'hubot',
  person: 'account',
  failure: 'warning',
};

function factsOf({ decision, review, analysis, outcome }: Entry): Row[] {
  const fact = (icon: string, text: string): Row => ({ type: 'fact', icon, text: oneLine(text, 200) });
  const message = outcome !== null && 'message' in outcome ? outcome.message : '';
  return [
    ...(decision === null
      ? []
      : [
          fact(
            DECIDERS[decision.decidedBy],
            t('Decided by {0}; {1}', decidedByWord(decision.decidedBy), riskWord(decision.risk)),
          ),
          fact('comment', decision.reason.split('\n')[0] ?? ''),
        ]),
    ...(review?.type === 'answered' ? [fact('hubot', reviewWords(review))] : []),
    ...(analysis?.effects ?? []).map((effect) => fact('arrow-small-right', effectWords(effect))),
    // A refusal says again why it was decided so.
    ...(message === '' || message === decision?.reason ? [] : [fact('output', message)]),
  ];
}

/** How far it has come, or what came of it. */
function stateWords({ lacuna, progression, outcome, decision }: Entry): string {
  // INVARIANT: nothing is filled before its decision is written down, so without one nothing was done.
  if (progression === 'unfinished' && decision === null) return t('not done: interrupted before it was decided');
  if (progression !== 'done' || outcome === null) return PROGRESS()[progression];
  const isCommand = lacuna.kind === 'ExecuteShell' && outcome.type === 'filled';
  return isCommand && (outcome.status ?? 0) !== 0 ? t('exit code {0}', outcome.status ?? 0) : outcomeWords(outcome);
}

/** That policy has changed what was asked for, and how; empty where it has not. */
const changeWords = ({ decision }: Entry): string =>
  decision === null || decision.repair === null
    ? ''
    : t('changed by policy: {0}', oneLine(decision.repair.explanation, 80));

const PROGRESS = (): Readonly<Record<Progression, string>> => ({
  analysing: t('looking at it'),
  reviewing: t('under review'),
  asking: t('waits for you'),
  filling: t('at work'),
  done: t('done'),
  unfinished: t('interrupted: it is not known what came of it'),
});
