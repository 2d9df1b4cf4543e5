import path from 'node:path';
import * as vscode from 'vscode';
import type { Entry } from '../core/gate/ledger.js';
import { MODES, type Mode } from '../core/policy/verdict.js';
import type { Guard } from './guard.js';
import type { Says } from './policy/feedback.js';
import type { Part } from './health.js';
import { settings } from './settings.js';
import { detailsUri } from './views/details.js';
import type { Row } from './views/sessionTree.js';
import type { WaitingRow } from './views/waitingTree.js';
import { modeWord, outcomeWords, proposalWords } from './words.js';

const { t } = vscode.l10n;

/** Registers the commands that belong to no single view. */
export function registerCommands(guard: Guard): vscode.Disposable {
  const register = (name: string, run: (...args: never[]) => unknown): vscode.Disposable =>
    vscode.commands.registerCommand(`lacuna.${name}`, run);
  return vscode.Disposable.from(
    register('menu', () => menu(guard)),
    register('answer', (target?: string | Row | WaitingRow) => guard.approvals.answer(idOf(target))),
    register('setMode', () => setMode(guard)),
    register('showDetails', (sessionId: string, lacunaId: string) => showDetails(guard, sessionId, lacunaId)),
    register('why', (row?: Row) => why(guard, row)),
    register('feedback.falseAlarm', (row?: Row) => feedback(guard, 'false-alarm', row)),
    register('feedback.shouldStop', (row?: Row) => feedback(guard, 'should-stop', row)),
    register('openPolicy', openPolicy),
    register('forgetBaseline', () => forgetBaseline(guard)),
    register('showOutput', () => guard.log.show()),
    register('getStarted', () => vscode.commands.executeCommand('workbench.action.openWalkthrough', WALKTHROUGH)),
  );
}

/** The walkthrough of package.json, by the name that the editor knows it by. */
const WALKTHROUGH = 'lacuna.lacuna#start';

/** Id of the Lacuna that a command was called for; null when it was called for none. */
function idOf(target: string | Row | WaitingRow | undefined): string | null {
  if (target === undefined || typeof target === 'string') return target ?? null;
  if (target.type === 'lacuna') return target.entry.lacuna.id;
  return target.type === 'question' ? target.waiting.question.lacuna.id : null;
}

/** The command by which a person gets to the bottom of a trouble. */
const REMEDIES: Readonly<Record<Part, string>> = {
  policy: 'workbench.actions.view.problems',
  parser: 'lacuna.showOutput',
  sandbox: 'lacuna.showOutput',
  audit: 'lacuna.showOutput',
  hooks: 'lacuna.showOutput',
  switches: 'lacuna.testCoverage',
  reviewer: 'lacuna.chooseReviewer',
};

/** Opens what waits, else offers everything there is to do. */
async function menu(guard: Guard): Promise<void> {
  if (guard.approvals.waiting.length > 0) return guard.approvals.answer(null);
  if (guard.desk.reviews.length > 0) {
    await vscode.commands.executeCommand('lacuna.review.next');
    return;
  }
  const item = (icon: string, label: string, command: string): vscode.QuickPickItem & { command: string } => ({
    label: `$(${icon}) ${label}`,
    command,
  });
  const picked = await vscode.window.showQuickPick(
    [
      // First what does not work: each leads to where it can be looked at or mended.
      ...guard.health.parts.map(([part, trouble]) => item('warning', trouble, REMEDIES[part])),
      item('shield', t('Set mode… (now: {0})', modeWord(modeNow(guard))), 'lacuna.setMode'),
      item('list-tree', t('Show the session'), 'lacuna.session.focus'),
      item('question', t('Why was this decided?'), 'lacuna.why'),
      item('law', t('Open the workspace’s policy'), 'lacuna.openPolicy'),
      item('notebook', t('Open the audit of a session…'), 'lacuna.audit.open'),
      item('history', t('Roll back…'), 'lacuna.checkpoints.restore'),
      item('plug', t('Guard another agent…'), 'lacuna.guardAgent'),
      item('beaker', t('Test what the guard sees'), 'lacuna.testCoverage'),
      item('hubot', t('Choose the reviewer’s model…'), 'lacuna.chooseReviewer'),
      item('mortar-board', t('Get started'), 'lacuna.getStarted'),
      item('output', t('Show the output'), 'lacuna.showOutput'),
      item('settings-gear', t('Open the settings'), 'lacuna.openSettings'),
    ],
    { title: 'Lacuna' },
  );
  if (picked === undefined) return;
  if (picked.command === 'lacuna.openSettings') {
    await vscode.commands.executeCommand('workbench.action.openSettings', '@ext:lacuna.lacuna');
    return;
  }
  await vscode.commands.executeCommand(picked.command);
}

/** Mode of the active session; without one, the mode in the settings. */
export const modeNow = ({ sessions }: Guard): Mode => sessions.active?.ledger.state.mode ?? settings.mode();

/** Lets the person pick a mode: it holds for new sessions, and for the active one from now on. */
async function setMode(guard: Guard): Promise<void> {
  const now = modeNow(guard);
  const details: Readonly<Record<Mode, string>> = {
    relaxed: t('Asks less: for work that can be undone easily.'),
    balanced: t('Asks where something could be lost, leaked, or seen by others.'),
    strict: t('Asks before anything that changes more than the workspace’s own files.'),
    lockdown: t('Reads only.'),
  };
  const items = MODES.map((mode) => ({
    mode,
    label: modeWord(mode),
    detail: details[mode],
    ...(mode === now ? { description: t('now') } : {}),
  }));
  const picked = await pickFrom(
    items,
    t('How strict shall Lacuna be?'),
    items.find(({ mode }) => mode === now),
  );
  if (picked === null) return;
  await vscode.workspace.getConfiguration('lacuna').update('mode', picked.mode, vscode.ConfigurationTarget.Global);
  await guard.sessions.active?.ledger.event({
    type: 'mode',
    atMs: Date.now(),
    mode: picked.mode,
    by: 'person',
    why: 'picked by the person',
  });
}

/** Lets the person pick, beginning at what holds now: who only presses Enter changes nothing. Null when they pick none. */
async function pickFrom<Item extends vscode.QuickPickItem>(
  items: readonly Item[],
  title: string,
  now: Item | undefined,
): Promise<Item | null> {
  const pick = vscode.window.createQuickPick<Item>();
  pick.title = title;
  pick.items = items;
  if (now !== undefined) pick.activeItems = [now];
  try {
    return await new Promise((resolve) => {
      pick.onDidAccept(() => resolve(pick.activeItems[0] ?? null));
      pick.onDidHide(() => resolve(null));
      pick.show();
    });
  } finally {
    pick.dispose();
  }
}

async function showDetails({ sessions }: Guard, sessionId: string, lacunaId: string): Promise<void> {
  const { ledger } = await sessions.get(sessionId);
  const entry = ledger.entry(lacunaId);
  if (entry === null) {
    void vscode.window.showInformationMessage(t('Nothing is known of this any more. The audit has it.'));
    return;
  }
  const document = await vscode.workspace.openTextDocument(detailsUri(sessionId, entry));
  await vscode.window.showTextDocument(document, { preview: true });
}

/** Explains the decision on a row, or lets the person pick one of the session's. */
async function why(guard: Guard, row?: Row): Promise<void> {
  const entry = row?.type === 'lacuna' ? row.entry : await pickEntry(guard, t('Why was this decided?'));
  if (entry !== null) await showDetails(guard, entry.lacuna.sessionId, entry.lacuna.id);
}

/** Takes in what the person says of the decision on a row, or on one of the session's that they pick. */
async function feedback(guard: Guard, says: Says, row?: Row): Promise<unknown> {
  const title = says === 'false-alarm' ? t('Which was a false alarm?') : t('Which should have been stopped?');
  const entry = row?.type === 'lacuna' ? row.entry : await pickEntry(guard, title);
  return entry === null ? null : (await import('./policy/feedback.js')).takeFeedback(guard, entry, says);
}

async function pickEntry({ sessions }: Guard, title: string): Promise<Entry | null> {
  const entries = (sessions.active?.ledger.entries ?? []).filter((entry) => entry.decision !== null).reverse();
  if (entries.length === 0) {
    void vscode.window.showInformationMessage(t('Nothing was decided yet: no agent has proposed anything.'));
    return null;
  }
  const picked = await vscode.window.showQuickPick(
    entries.map((entry) => ({
      entry,
      label: proposalWords(entry.lacuna),
      description: entry.outcome === null ? '' : outcomeWords(entry.outcome),
      detail: entry.decision?.reason.split('\n')[0] ?? '',
    })),
    { title, matchOnDetail: true },
  );
  return picked?.entry ?? null;
}

/** Forgets what is usual here, once the person has said so. Holds for sessions that open from now on. */
async function forgetBaseline({ engine, roots }: Guard): Promise<void> {
  const { baselines } = await engine();
  const { lookAtFileSystem } = await import('../adapters/facts.js');
  const folders = lookAtFileSystem({ roots: roots() }).roots;
  const { sessions } = baselines.known(folders);
  const forget = t('Forget');
  const answer = await vscode.window.showWarningMessage(
    t('Forget what agents usually do in this workspace?'),
    { modal: true, detail: t('It was learned from {0} sessions. It is learned anew from those to come.', sessions) },
    forget,
  );
  if (answer === forget) baselines.forget(folders);
}

/** What a new policy file begins with: nothing that holds yet, and an example to take the marks from. */
const TEMPLATE = `# What agents may do here, beside what the built-in packs say. It completes and explains as you type.
# Take the marks away from the example and change it, then press "Run tests".
version: 1
# rules:
#   - id: ask-for-prod
#     match: { effect: { path: 'infra/prod/**' } } # whichever way it is reached: tools, shell, scripts
#     verdict: ask # allow, sandbox, ask or deny
#     reason: Production is changed with care.
# tests:
#   - when: { kind: ExecuteShell, params: { command: 'rm infra/prod/main.tf' } }
#     expect: ask
`;

/** Opens the policy file of a workspace folder; where there is none, a draft of one that is not saved yet. */
async function openPolicy(): Promise<void> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const folder = folders.length > 1 ? await vscode.window.showWorkspaceFolderPick() : folders[0];
  if (folder === undefined) return folders.length > 1 ? undefined : noFolder();
  const uri = vscode.Uri.joinPath(folder.uri, '.lacuna', 'policy.yaml');
  try {
    await vscode.window.showTextDocument(uri);
  } catch (error) {
    await draftPolicy(uri, error);
  }
}

/** Says where a policy can stand while no folder is open. */
async function noFolder(): Promise<void> {
  const open = t('Open Folder…');
  const own = t('Open Settings');
  const answer = await vscode.window.showInformationMessage(
    t(
      'No folder is open, and a workspace policy belongs to one. What holds for you everywhere stands in a file of yours.',
    ),
    open,
    own,
  );
  if (answer === open) await vscode.commands.executeCommand('workbench.action.files.openFolder');
  if (answer === own) await vscode.commands.executeCommand('workbench.action.openSettings', 'lacuna.policy.user');
}

/** The editor says in many ways that a file is not there; whichever it was, a draft harms nothing. */
async function draftPolicy(uri: vscode.Uri, _notThere: unknown): Promise<void> {
  const draft = await vscode.workspace.openTextDocument(uri.with({ scheme: 'untitled' }));
  const editor = await vscode.window.showTextDocument(draft);
  if (draft.getText() === '') await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), TEMPLATE));
  void vscode.window.showInformationMessage(
    t('{0} does not exist yet. Save this draft to make it.', path.basename(uri.fsPath)),
  );
}
