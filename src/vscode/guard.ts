import * as vscode from 'vscode';
import type { Engine, Session as CoreSession } from '../core/gate/openSession.js';
import type { Approver } from '../core/ports.js';
import type { SessionLimits } from '../core/session/limits.js';
import { isHookSession } from '../hooks/sessionName.js';
import type { ExecutorOptions } from '../executors/all.js';
import { Approvals } from './approvals/approvals.js';
import { applyAccepted, type Ticket } from './diff/apply.js';
import { Desk } from './diff/desk.js';
import type { OpenEngine } from './engine.js';
import { Health } from './health.js';
import { PolicyMarks } from './policy/marks.js';
import { LazyReviewer } from './reviewer/lazyReviewer.js';
import { workspaceRoots } from './roots.js';
import { Sessions, type Session } from './sessions.js';
import { settings } from './settings.js';
import type { Store } from './store.js';

/** What the parts of the extension share. The heavy half behind `engine` is loaded when it is first asked for. */
export interface Guard {
  readonly sessions: Sessions;
  readonly approvals: Approvals;
  /** Ids of Lacunas that a person has said yes to before they were opened: at the hook of the agent that wants them. */
  readonly answered: Set<string>;
  readonly desk: Desk<Ticket>;
  readonly health: Health;
  readonly reviewer: LazyReviewer;
  readonly log: vscode.LogOutputChannel;
  /** What is underlined in policies. */
  readonly marks: PolicyMarks;
  /** Folders that agents work in. */
  readonly roots: () => readonly string[];
  readonly engine: () => Promise<OpenEngine>;
  /** Calls back once the engine is open: at once when it is, never when no agent asks for it. Returns a function that forgets this. */
  readonly onceOpen: (use: (opened: OpenEngine) => void) => () => void;
}

/** Puts the light half together. `own`: executors that need the agent loop or the editor's tools. */
export function createGuard(
  context: vscode.ExtensionContext,
  store: Store,
  own: Pick<ExecutorOptions, 'tools' | 'delegate' | 'secrets'>,
): Guard {
  const log = store.add(vscode.window.createOutputChannel('Lacuna', { log: true }));
  const health = new Health();
  const marks = store.add(new PolicyMarks());
  const reviewer = new LazyReviewer(health, store, log);
  const desk = new Desk<Ticket>(applyAccepted);
  let opened: OpenEngine | null = null;
  const approvals = new Approvals({
    showDetails: async (sessionId, lacunaId) => {
      await vscode.commands.executeCommand('lacuna.showDetails', sessionId, lacunaId);
    },
    timeoutMs: () => settings.approvals.timeoutMs(),
    nowMs: () => Date.now(),
    ruleProblem: (rule) => opened?.ruleProblem(rule) ?? null, // only an open engine proposes rules
  });
  const roots = (): readonly string[] => workspaceRoots(context.globalStorageUri);
  let opening: Promise<OpenEngine> | null = null;
  const engine = (): Promise<OpenEngine> => {
    opening ??= open().catch((error: unknown) => {
      opening = null; // tried again at the next call
      log.error('engine', error);
      throw error;
    });
    return opening;
  };
  const answered = new Set<string>();
  const approver: Approver = {
    ask: (question, cancel) =>
      answered.delete(question.lacuna.id) ? Promise.resolve({ type: 'once' }) : approvals.ask(question, cancel),
  };
  const waiting = new Set<(opened: OpenEngine) => void>();
  const open = async (): Promise<OpenEngine> => {
    const { openEngine } = await import('./engine.js');
    opened = await openEngine({ roots, approver, desk, reviewer, health, log, marks, store, own });
    for (const use of waiting) use(opened);
    waiting.clear();
    return opened;
  };
  const onceOpen = (use: (opened: OpenEngine) => void): (() => void) => {
    if (opened === null) waiting.add(use);
    else use(opened);
    return () => waiting.delete(use);
  };
  const sessions = new Sessions((id) => openSession(id, engine));
  return { sessions, approvals, answered, desk, health, reviewer, log, marks, roots, engine, onceOpen };
}

async function openSession(sessionId: string, engine: () => Promise<OpenEngine>): Promise<Session> {
  const { openSession: openCore } = await import('../core/gate/openSession.js');
  const { engine: ports, audits } = await engine();
  const isHook = isHookSession(sessionId);
  const { gate, own, ledger }: CoreSession = await openCore(
    { sessionId, mode: settings.mode(), hasLastingTerminal: isHook, limits: limitsOf(isHook) },
    isHook ? filledElsewhere(ports) : ports,
    ports,
  );
  return { id: sessionId, gate, own, ledger, audit: audits.open(sessionId) };
}

/**
 * Limits that the person has set. Only other agents' hooks tell where a request begins, and @lacuna keeps its own time: it
 * stands still while somebody is asked.
 */
const limitsOf = (isHook: boolean): SessionLimits => {
  const limits = settings.ownLimits();
  return isHook ? limits : { ...limits, seconds: null };
};

/** An engine for agents whose own host runs what is allowed: we cannot isolate it there. */
const filledElsewhere = (ports: Engine): Engine => ({
  ...ports,
  sandbox: () => null,
  circumstances: () => ({ ...ports.circumstances(), hasSandbox: false }),
});
