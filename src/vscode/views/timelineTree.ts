import * as vscode from 'vscode';
import type { Moment } from '../../core/audit/timeline.js';
import type { Sessions } from '../sessions.js';
import { modeWord, oneLine, outcomeWords, proposalWords, verdictWord } from '../words.js';

const { t } = vscode.l10n;

/** How long to wait for more changes before the audit is read again. */
const QUIET_MS = 250;

/** What happened in the active session, the latest first, with the cumulative risk after each moment. Read from the audit. */
export class TimelineTree implements vscode.TreeDataProvider<Moment>, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #sessions: Sessions;
  readonly #stop: () => void;
  #timer: NodeJS.Timeout | null = null;

  constructor(sessions: Sessions) {
    this.#sessions = sessions;
    this.#stop = sessions.onChange(() => {
      this.#timer ??= setTimeout(() => {
        this.#timer = null;
        this.#changed.fire(undefined);
      }, QUIET_MS);
    });
  }

  async getChildren(moment?: Moment): Promise<Moment[]> {
    const session = this.#sessions.active;
    if (moment !== undefined || session === null) return [];
    const { timelineOf } = await import('../../core/audit/timeline.js');
    return timelineOf(await session.audit.read()).toReversed();
  }

  getTreeItem(moment: Moment): vscode.TreeItem {
    const { label, icon, color, more } = lookOf(moment);
    const item = new vscode.TreeItem(label);
    const time = new Date(moment.atMs).toLocaleTimeString();
    const risk = moment.risk >= 0.05 ? t('risk {0}', moment.risk.toFixed(1)) : '';
    item.description = [time, risk, more].filter((part) => part !== '').join(' · ');
    item.iconPath = new vscode.ThemeIcon(icon, color === '' ? undefined : new vscode.ThemeColor(color));
    item.tooltip = `${label}\n${item.description}`;
    if (moment.type === 'lacuna') {
      const { sessionId, id } = moment.lacuna;
      item.command = { command: 'lacuna.showDetails', title: t('Show Details'), arguments: [sessionId, id] };
    }
    return item;
  }

  dispose(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#stop();
    this.#changed.dispose();
  }
}

interface Look {
  readonly label: string;
  readonly icon: string;
  readonly color: string;
  readonly more: string;
}

const GOOD = 'testing.iconPassed';
const BAD = 'testing.iconFailed';
const WARNING = 'problemsWarningIcon.foreground';

function lookOf(moment: Moment): Look {
  const look = (icon: string, label: string, more = '', color = ''): Look => ({ icon, label, more, color });
  switch (moment.type) {
    case 'request':
      return look('account', oneLine(moment.text));
    case 'plan':
      return look('checklist', t('Plan: {0}', oneLine(moment.plan.goal)), t('{0} steps', moment.plan.steps.length));
    case 'lacuna': {
      const { decision, outcome } = moment;
      const isRefused = outcome?.type === 'refused' || decision.verdict === 'deny';
      const words = outcome === null ? verdictWord(decision.verdict) : outcomeWords(outcome);
      return look(isRefused ? 'circle-slash' : 'pass', proposalWords(moment.lacuna), words, isRefused ? BAD : GOOD);
    }
    case 'mode':
      return look(
        'shield',
        t('Mode: {0}', modeWord(moment.mode)),
        moment.by === 'person' ? t('by you') : oneLine(moment.why),
        moment.by === 'person' ? '' : WARNING,
      );
    case 'labels':
      return look('tag', t('The session now carries: {0}', moment.gained.join(', ')), '', WARNING);
    case 'checkpoint':
      return look('save', t('Checkpoint'), oneLine(moment.why));
    case 'restored':
      return look(
        'discard',
        moment.files.length === 1 ? t('Restored one file') : t('Restored {0} files', moment.files.length),
      );
    case 'alarm':
      return look('alert', oneLine(moment.what), oneLine(moment.details), BAD);
    case 'failure':
      return look('error', oneLine(moment.what), '', BAD);
  }
}
