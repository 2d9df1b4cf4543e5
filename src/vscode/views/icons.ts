import * as vscode from 'vscode';
import type { Entry } from '../../core/gate/ledger.js';

/** Icon of a Lacuna: how far it has come and what was answered. Colours are those of themes, the high-contrast ones too. */
export function entryIcon({ lacuna, progression, outcome, decision }: Entry): vscode.ThemeIcon {
  switch (progression) {
    case 'analysing':
    case 'reviewing':
      return new vscode.ThemeIcon('loading~spin');
    case 'asking':
      return icon('bell-dot', 'notificationsWarningIcon.foreground');
    case 'filling':
      return new vscode.ThemeIcon('sync~spin');
    case 'unfinished':
      if (decision === null) return icon('circle-outline', 'disabledForeground');
      return icon('debug-disconnect', 'problemsWarningIcon.foreground');
    case 'done':
      break;
  }
  switch (outcome?.type) {
    case 'filled': {
      const isGood = lacuna.kind !== 'ExecuteShell' || (outcome.status ?? 0) === 0;
      const color = isGood ? 'testing.iconPassed' : 'problemsWarningIcon.foreground';
      if (decision?.verdict === 'sandbox') return icon('shield', color);
      return icon(decision?.verdict === 'modify' ? 'tools' : 'pass', color);
    }
    case 'partly':
      return icon('pass', 'problemsWarningIcon.foreground');
    case 'refused':
      return icon('circle-slash', 'testing.iconFailed');
    case 'failed':
    case 'timed-out':
      return icon('error', 'testing.iconFailed');
    case 'void':
      return icon('history', 'disabledForeground');
    case 'cancelled':
      return icon('debug-stop', 'disabledForeground');
    case 'unavailable':
    case undefined:
      return icon('circle-outline', 'disabledForeground');
  }
}

const icon = (name: string, color: string): vscode.ThemeIcon =>
  new vscode.ThemeIcon(name, new vscode.ThemeColor(color));
