import * as vscode from 'vscode';
import { clock, ids } from '../adapters/system.js';
import { Subagents } from '../core/agent/subagents.js';
import { delegateExecutor } from '../executors/delegate.js';
import type { AgentHost } from './agent/host.js';
import { registerAgent, toolNames } from './agent/register.js';
import { registerCommands, modeNow } from './commands.js';
import { keepContextKeys } from './contextKeys.js';
import { registerReviewCommands } from './diff/commands.js';
import { CURRENT, PROPOSED, ReviewDocuments } from './diff/documents.js';
import { ReviewLenses } from './diff/lenses.js';
import { showAsTheyCome } from './diff/show.js';
import { watchForChanges } from './diff/watch.js';
import { createGuard, type Guard } from './guard.js';
import { registerGuardedAgents } from './guardedAgents.js';
import { BackgroundTree } from './background/backgroundTree.js';
import { registerBackground } from './background/backgroundCommands.js';
import { CHECKPOINT, CheckpointPages } from './checkpoints/checkpointPages.js';
import { CheckpointTree } from './checkpoints/checkpointTree.js';
import { registerReviewerCommands } from './reviewer/commands.js';
import { askAfterACrash, registerRollBack } from './checkpoints/registerRollBack.js';
import { LastSession } from './lastSession.js';
import { onSettingChange } from './settings.js';
import { Models } from './models/models.js';
import { StatusBar } from './statusBar.js';
import { editorSecrets, registerSecrets } from './secrets.js';
import { Store } from './store.js';
import { registerPolicyLanguage } from './policy/register.js';
import { toolSession } from './toolSession.js';
import { AnnouncedCalls } from './tools/announcedCalls.js';
import { InvocationTokens } from './tools/invocationTokens.js';
import { otherTools } from './tools/otherTools.js';
import { WaitingTime } from './waitingTime.js';
import { AUDIT, AuditPages, AuditTree, registerAuditCommands } from './views/auditTree.js';
import { DETAILS, DetailsPages } from './views/details.js';
import { SessionTree } from './views/sessionTree.js';
import { TimelineTree } from './views/timelineTree.js';
import { showWaiting, WaitingTree } from './views/waitingTree.js';
import { riskAt } from '../core/session/riskAt.js';

/** Called by the editor once it has started. Registers only; whatever is heavy is loaded when it is first used. */
export function activate(context: vscode.ExtensionContext): void {
  const store = new Store();
  context.subscriptions.push(store);
  const subagents = new Subagents();
  const tokens = new InvocationTokens();
  const guard = createGuard(context, store, {
    delegate: delegateExecutor(subagents),
    tools: otherTools(tokens),
    secrets: editorSecrets(context.secrets),
  });
  // First: a question that is typed while the editor still starts looks for its model at once.
  const announced = new AnnouncedCalls(toolNames(context.extension.packageJSON), () => Date.now());
  registerAgents(context, guard, { subagents, tokens, announced }, store);
  store.add(registerSecrets(context.secrets));
  store.add(registerCommands(guard));
  store.add(registerRollBack(guard));
  store.add(
    registerPolicyLanguage({
      roots: guard.roots,
      marks: guard.marks,
      report: (error) => guard.log.error('policy', error),
    }),
  );
  store.add(registerReviewerCommands(context, guard));
  registerReview(guard, store);
  registerViews(guard, context.workspaceState, store);
  registerFillingViews(guard, store);
  store.add(registerGuardedAgents(guard, versionOf(context)));
  keepStatus(guard, store);
  // In a moment of its own, so that nobody waits for it: neither the editor for us, nor what is typed meanwhile.
  const soon = setImmediate(() => void serveOtherAgents(guard, announced, store));
  store.addEnd(() => clearImmediate(soon));
}

/** Opens the door for other agents' hooks. Where it stays shut, their hook processes judge by themselves, and the person knows. */
async function serveOtherAgents(guard: Guard, announced: AnnouncedCalls, store: Store): Promise<void> {
  try {
    await (await import('./otherAgents.js')).guardOtherAgents(guard, announced, store);
  } catch (error) {
    guard.log.error('hooks', error instanceof Error ? error : String(error));
    guard.health.tell(
      'hooks',
      vscode.l10n.t('Other agents are judged without this window: the hook socket could not be opened.'),
    );
  }
}

/** Our version, as the manifest has it. */
const versionOf = ({ extension }: vscode.ExtensionContext): string =>
  String((extension.packageJSON as { version?: unknown }).version ?? '0');

/** The doors for agents: the chat participant, the language-model tools, and the models that the extension brings. */
function registerAgents(
  context: vscode.ExtensionContext,
  { sessions, log, roots, approvals, desk, engine }: Guard,
  shared: Pick<AgentHost, 'subagents' | 'tokens' | 'announced'>,
  store: Store,
): void {
  const host: AgentHost = {
    ...shared,
    sessions,
    models: new Models(context.secrets),
    clock,
    ids,
    waiting: store.add(
      new WaitingTime(
        [
          {
            sessions: () => approvals.waiting.map(({ question }) => question.lacuna.sessionId),
            onChange: (listener) => approvals.onChange(listener),
          },
          {
            sessions: () => desk.reviews.map(({ change }) => change.sessionId),
            onChange: (listener) => desk.onChange(listener),
          },
        ],
        () => Date.now(),
      ),
    ),
    policy: async () => (await engine()).policy,
    look: async () => (await import('../adapters/facts.js')).lookAtFileSystem({ roots: roots() }),
    toolSession: toolSession(context.workspaceState, clock.nowMs(), () => ids.next()),
    report: (error) => log.error(error instanceof Error ? error : String(error)),
  };
  store.add(registerAgent(host, context));
}

/** The diff view: its documents, lenses and commands. */
function registerReview({ desk, approvals }: Guard, store: Store): void {
  const documents = store.add(new ReviewDocuments(desk));
  store.add(vscode.workspace.registerTextDocumentContentProvider(CURRENT, documents));
  store.add(vscode.workspace.registerTextDocumentContentProvider(PROPOSED, documents));
  store.add(vscode.languages.registerCodeLensProvider({ scheme: PROPOSED }, store.add(new ReviewLenses(desk))));
  store.add(registerReviewCommands(desk));
  store.add(showAsTheyCome(desk));
  store.add(watchForChanges(desk));
  store.add(keepContextKeys(approvals, desk));
}

/** The views of the Lacuna container and the pages that they open. */
function registerViews({ sessions, approvals, desk, engine, log }: Guard, memory: vscode.Memento, store: Store): void {
  const audits = async (): Promise<Awaited<ReturnType<Guard['engine']>>['audits']> => (await engine()).audits;
  const auditTree = store.add(new AuditTree(audits));
  store.add(showWaiting(store.add(new WaitingTree(approvals, desk))));
  const last = store.add(new LastSession(memory, sessions));
  const recall = (): void => void last.recall().catch((error: unknown) => log.error('session', String(error)));
  store.add(vscode.window.registerTreeDataProvider('lacuna.session', store.add(new SessionTree(sessions, recall))));
  store.add(vscode.window.registerTreeDataProvider('lacuna.timeline', store.add(new TimelineTree(sessions))));
  store.add(vscode.window.registerTreeDataProvider('lacuna.audit', auditTree));
  const details = store.add(new DetailsPages(sessions, approvals));
  store.add(vscode.workspace.registerTextDocumentContentProvider(DETAILS, details));
  store.add(vscode.languages.registerCodeLensProvider({ scheme: DETAILS }, details));
  store.add(vscode.workspace.registerTextDocumentContentProvider(AUDIT, new AuditPages(audits)));
  store.add(registerAuditCommands(audits, auditTree));
}

/** What is running and what can be gone back to. */
function registerFillingViews(guard: Guard, store: Store): void {
  const checkpoints = async (): Promise<Awaited<ReturnType<Guard['engine']>>['checkpoints']> =>
    (await guard.engine()).checkpoints;
  const tree = store.add(new CheckpointTree(checkpoints));
  store.add(vscode.window.registerTreeDataProvider('lacuna.checkpoints', tree));
  store.add(vscode.workspace.registerTextDocumentContentProvider(CHECKPOINT, new CheckpointPages(checkpoints)));
  store.add(vscode.commands.registerCommand('lacuna.checkpoints.refresh', () => tree.refresh()));
  const background = store.add(
    new BackgroundTree((use) => guard.onceOpen(({ background: commands }) => use(commands))),
  );
  store.add(vscode.window.registerTreeDataProvider('lacuna.background', background));
  store.add(registerBackground(background));
  askAfterACrash(guard).catch((error: unknown) => guard.log.error('journal', error));
}

/** Keeps the status bar true. */
function keepStatus(guard: Guard, store: Store): void {
  const { sessions, approvals, desk, health } = guard;
  const bar = store.add(new StatusBar());
  const update = (): void => {
    const state = sessions.active?.ledger.state ?? null;
    bar.show({
      mode: modeNow(guard),
      risk: state === null ? null : { value: riskAt(state, Date.now()), reasons: state.risk.reasons },
      waiting: approvals.waiting.length + desk.reviews.length,
      troubles: health.troubles,
      reviewer: guard.reviewer.sentence,
    });
  };
  for (const source of [sessions, approvals, desk, health, guard.reviewer]) store.addEnd(source.onChange(update));
  store.add(onSettingChange('mode', update));
  store.add(onSettingChange('reviewer', update));
  update();
}
