import path from 'node:path';
import * as vscode from 'vscode';
import { lookAtFileSystem } from '../adapters/facts.js';
import { KeptPolicyFolder } from '../adapters/keptPolicies.js';
import { policyFiles } from '../adapters/policyFiles.js';
import { stateFolder } from '../adapters/stateFolder.js';
import { clock, hasher } from '../adapters/system.js';
import { doubtsOf } from '../core/policy/doubts.js';
import { troubleLines } from '../core/policy/lastGood.js';
import { standsIn } from '../core/policy/lintText.js';
import type { PolicyProblem } from '../core/policy/problem.js';
import { problemsByFile } from '../core/policy/problemFile.js';
import { PolicyStore } from '../core/policy/store.js';
import type { Health } from './health.js';
import type { PolicyMarks } from './policy/marks.js';
import { policySources } from './policy/sources.js';
import { MistakeNotices } from './policy/tellOfMistakes.js';
import { onSettingChange } from './settings.js';
import { Store } from './store.js';

const { t } = vscode.l10n;

/** How long to wait for more changes of a policy file before it is read again. */
const QUIET_MS = 150;

/** What the policy of a window hangs on. */
export interface PolicyOptions {
  readonly roots: () => readonly string[];
  readonly health: Health;
  readonly log: vscode.LogOutputChannel;
  readonly marks: PolicyMarks;
}

/**
 * Loads the policy of this window, and loads it again when a file, a setting, the folders or the trust has changed. Mistakes
 * are underlined where they stand; until they are mended the last good version is in force.
 */
export async function openPolicy({ roots, health, log, marks }: PolicyOptions, store: Store): Promise<PolicyStore> {
  const kept = new KeptPolicyFolder(stateFolder(), { hasher, clock });
  const policy = new PolicyStore(policyFiles, kept, vscode.workspace.isTrusted);
  const mistakes = new MistakeNotices();
  let outside: vscode.Disposable | null = null;
  store.addEnd(() => outside?.dispose());
  const load = async (): Promise<void> => {
    await policy.load(policySources(roots(), kept), vscode.workspace.isTrusted);
    marks.loaded(await marksOf(policy, roots()));
    outside?.dispose();
    outside = watchOutside(policy, roots(), soon);
    for (const line of policy.loaded.flatMap(troubleLines)) log.warn(line);
    const trouble = troubleOf(policy);
    health.tell('policy', trouble);
    mistakes.tell(policy.loaded, trouble);
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

/** What is to be underlined, by path of the file: mistakes where they stand, else rules of no use. */
async function marksOf(
  { loaded }: PolicyStore,
  roots: readonly string[],
): Promise<ReadonlyMap<string, readonly PolicyProblem[]>> {
  const isInWorkspace = standsIn(lookAtFileSystem({ roots }));
  const marks = new Map<string, readonly PolicyProblem[]>();
  for (const source of loaded) {
    for (const [file, problems] of problemsByFile(source)) marks.set(file, [...(marks.get(file) ?? []), ...problems]);
    const { path: file } = source.source;
    marks.set(file, [...(marks.get(file) ?? []), ...(await doubtsOf(source, isInWorkspace))]);
  }
  return marks;
}

/** What a person should know of files that are broken: whether what was good before is in force. Null when none is. */
function troubleOf({ loaded }: PolicyStore): string | null {
  const broken = loaded.filter(({ problems }) => problems.some(({ severity }) => severity === 'error'));
  if (broken.length === 0) return null;
  if (broken.every(({ standing }) => standing === 'last-good'))
    return t('A policy file has mistakes: what was good before is in force.');
  return broken.some(({ standing }) => standing === 'nothing')
    ? t('A policy file has mistakes, and no good version of it is known: the default policy is in force.')
    : t('A policy file has mistakes: what was kept of it is heard only where it is stricter.');
}

/** Watches the folders of policies that lie outside of the workspace; those inside are watched by their names. */
function watchOutside(policy: PolicyStore, roots: readonly string[], soon: () => void): vscode.Disposable {
  const folders = new Set(policy.loaded.map(({ source }) => path.dirname(source.path)));
  return vscode.Disposable.from(
    ...[...folders]
      .filter((folder) => !roots.some((root) => folder === root || folder.startsWith(`${root.replaceAll('\\', '/')}/`)))
      .flatMap((folder) => {
        const pattern = new vscode.RelativePattern(vscode.Uri.file(folder), '*');
        const watcher = vscode.workspace.createFileSystemWatcher(pattern);
        return [watcher, watcher.onDidChange(soon), watcher.onDidCreate(soon), watcher.onDidDelete(soon)];
      }),
  );
}
