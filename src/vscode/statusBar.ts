import * as vscode from 'vscode';
import type { Mode } from '../core/policy/verdict.js';
import { modeWord } from './words.js';

const { t } = vscode.l10n;

/** What the status bar tells: worked out anew for each showing. */
export interface Status {
  readonly mode: Mode;
  /** Cumulative risk of the active session and what raised it, the latest last; null when there is none. */
  readonly risk: { readonly value: number; readonly reasons: readonly string[] } | null;
  /** Questions and changes that wait for the person. */
  readonly waiting: number;
  /** Parts that do not work as they should, in a sentence each: no sandbox, a broken policy, a reviewer that is down. */
  readonly troubles: readonly string[];
  /** State of the reviewer in a sentence. */
  readonly reviewer: string;
}

/** Risk below this is none that a person should think about. */
const NOTABLE_RISK = 0.05;
/** Most reasons for the risk that are shown. */
const MOST_REASONS = 4;

/** The one item in the status bar. It opens what waits, or else the menu. */
export class StatusBar implements vscode.Disposable {
  readonly #item: vscode.StatusBarItem;

  constructor() {
    this.#item = vscode.window.createStatusBarItem('lacuna.status', vscode.StatusBarAlignment.Left, 0);
    this.#item.name = 'Lacuna';
    this.#item.command = 'lacuna.menu';
  }

  /** Shows a status. Cheap: it may be called at each change. */
  show({ mode, risk, waiting, troubles, reviewer }: Status): void {
    const riskWords = risk === null || risk.value < NOTABLE_RISK ? null : t('risk {0}', risk.value.toFixed(1));
    const words = [
      `$(shield) Lacuna: ${modeWord(mode)}`,
      ...(riskWords === null ? [] : [riskWords]),
      ...(waiting === 0 ? [] : [`$(bell-dot) ${waiting}`]),
      ...(troubles.length === 0 ? [] : ['$(warning)']),
    ];
    this.#item.text = words.join('  ');
    this.#item.backgroundColor =
      waiting > 0 || troubles.length > 0 ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    const tooltip = new vscode.MarkdownString('', true);
    tooltip.appendMarkdown(`**Lacuna** · ${t('mode')}: ${modeWord(mode)}\n\n`);
    if (risk !== null && riskWords !== null)
      tooltip
        .appendMarkdown('$(pulse) ')
        .appendText([riskWords, lately(risk.reasons)].filter((part) => part !== '').join(': '))
        .appendMarkdown('\n\n');
    if (waiting > 0) tooltip.appendMarkdown(`$(bell-dot) ${t('{0} waiting for your answer', waiting)}\n\n`);
    for (const trouble of troubles) tooltip.appendMarkdown('$(warning) ').appendText(trouble).appendMarkdown('\n\n');
    tooltip.appendMarkdown('$(hubot) ').appendText(reviewer);
    this.#item.tooltip = tooltip;
    this.#item.accessibilityInformation = {
      label: [
        t('Lacuna, mode {0}', modeWord(mode)),
        ...(riskWords === null ? [] : [riskWords]),
        ...(waiting > 0 ? [t('{0} waiting for your answer', waiting)] : []),
        ...troubles,
      ].join('. '),
    };
    this.#item.show();
  }

  dispose(): void {
    this.#item.dispose();
  }
}

/** The latest reasons, each once. */
const lately = (reasons: readonly string[]): string => [...new Set(reasons)].slice(-MOST_REASONS).join(', ');
