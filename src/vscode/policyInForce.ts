import * as vscode from 'vscode';
import { policyFiles, standardSources } from '../adapters/policyFiles.js';
import type { PolicySource } from '../core/policy/load.js';
import type { PolicyProblem } from '../core/policy/problem.js';
import { PolicyStore } from '../core/policy/store.js';
import type { Health } from './health.js';
import { onSettingChange, settings } from './settings.js';
import { Store } from './store.js';

const { t } = vscode.l10n;

/** How long to wait for more changes of a policy file before it is read again. */
const QUIET_MS = 150;

/** What the policy of a window hangs on. */
export interface PolicyOptions {
  readonly roots: () => readonly string[];
  readonly health: Health;
  readonly log: vscode.LogOutputChannel;
}

/**
 * Loads the policy of this window, and loads it again when a file, a setting, the folders or the trust has changed. Mistakes
 * are underlined where they stand; until they are mended the last good version is in force.
 */
export async function openPolicy({ roots, health, log }: PolicyOptions, store: Store): Promise<PolicyStore> {
  const policy = new PolicyStore(policyFiles, vscode.workspace.isTrusted);
  const diagnostics = store.add(vscode.languages.createDiagnosticCollection('lacuna'));
  const load = async (): Promise<void> => {
    await policy.load(sources(roots()), vscode.workspace.isTrusted);
    show(policy, diagnostics);
    const errors = policy.problems.filter(({ severity }) => severity === 'error');
    health.tell(
      'policy',
      errors.length === 0 ? null : t('A policy file has mistakes: what was good before is in force.'),
    );
  };
  let timer: NodeJS.Timeout | null = null;
  const soon = (): void => {
    timer ??= setTimeout(() => {
      timer = null;
      load().catch((error: unknown) => log.error('policy', error));
    }, QUIET_MS);
  };
  store.addEnd(() => timer !== null && clearTimeout(timer));
  const watcher = store.add(vscode.workspace.createFileSystemWatcher('**/.lacuna/*.{yaml,yml}'));
  store.add(watcher.onDidChange(soon));
  store.add(watcher.onDidCreate(soon));
  store.add(watcher.onDidDelete(soon));
  store.add(onSettingChange('policy', soon));
  store.add(vscode.workspace.onDidChangeWorkspaceFolders(soon));
  store.add(vscode.workspace.onDidGrantWorkspaceTrust(soon));
  await load();
  return policy;
}

/** Policy files by layer: the machine's standard places, and those that the person's settings name. */
function sources(roots: readonly string[]): readonly PolicySource[] {
  const named: PolicySource[] = [];
  const organisation = settings.policy.organisation();
  const user = settings.policy.user();
  if (organisation !== null) named.push({ layer: 'organisation', path: organisation, name: organisation });
  if (user !== null) named.push({ layer: 'user', path: user, name: user });
  const standard = standardSources(roots);
  return [...standard.filter(({ layer }) => layer !== 'user' || user === null), ...named];
}

function show(policy: PolicyStore, diagnostics: vscode.DiagnosticCollection): void {
  diagnostics.clear();
  for (const { source, problems } of policy.loaded) {
    if (problems.length > 0) diagnostics.set(vscode.Uri.file(source.path), problems.map(diagnostic));
  }
}

function diagnostic(problem: PolicyProblem): vscode.Diagnostic {
  const range = new vscode.Range(problem.line - 1, problem.column - 1, problem.endLine - 1, problem.endColumn - 1);
  const severity = problem.severity === 'error' ? vscode.DiagnosticSeverity.Error : vscode.DiagnosticSeverity.Warning;
  const shown = new vscode.Diagnostic(range, problem.message, severity);
  shown.source = 'lacuna';
  shown.code = problem.code;
  return shown;
}
