import path from 'node:path';
import * as vscode from 'vscode';
import { AuditFolder } from '../adapters/auditFile.js';
import { Baselines } from '../adapters/baselines.js';
import { createBindings } from '../adapters/bindings.js';
import { CheckpointStore, storeFolder } from '../adapters/checkpoints/store.js';
import { lookAtFileSystem } from '../adapters/facts.js';
import { fileIdentity } from '../adapters/fileIdentity.js';
import { localTime, userName } from '../adapters/person.js';
import { addRuleToFile } from '../adapters/ruleFile.js';
import { detectSandboxes } from '../adapters/sandbox/detect.js';
import { JournalFolder } from '../adapters/journal.js';
import { journalFolder, stateFolder } from '../adapters/stateFolder.js';
import { clock, hasher, ids } from '../adapters/system.js';
import { TreeSitter } from '../adapters/treeSitter.js';
import type { Circumstances } from '../core/check/judge.js';
import type { Facts } from '../core/effects/facts.js';
import type { Engine } from '../core/gate/openSession.js';
import { ApprovedRules } from '../core/policy/approvedRules.js';
import { DEFAULT_CONFINEMENT } from '../core/policy/confine.js';
import type { PolicyStore } from '../core/policy/store.js';
import type { Approver } from '../core/ports.js';
import type { Journal } from '../core/unfinished.js';
import { explainMissing, hasSandbox } from '../core/sandboxReport.js';
import { createExecutors, type ExecutorOptions } from '../executors/all.js';
import { BackgroundCommands } from '../executors/process/background.js';
import { createSandboxes } from '../executors/sandbox/choose.js';
import { telling } from './auditHealth.js';
import { openDocument, type Ticket } from './diff/apply.js';
import type { Desk } from './diff/desk.js';
import { reviewedFileExecutors } from './diff/executors.js';
import type { Health } from './health.js';
import type { PolicyMarks } from './policy/marks.js';
import { ruleTarget } from './policy/ruleTarget.js';
import { openPolicy } from './policyInForce.js';
import { keepingAnswers } from './reviewer/answers.js';
import type { LazyReviewer } from './reviewer/lazyReviewer.js';
import { settings } from './settings.js';
import type { Store } from './store.js';

/** What the engine needs from the part of the extension that is there from the start. */
export interface EngineParts {
  readonly roots: () => readonly string[];
  readonly approver: Approver;
  readonly reviewer: LazyReviewer;
  readonly desk: Desk<Ticket>;
  readonly health: Health;
  readonly log: vscode.LogOutputChannel;
  readonly marks: PolicyMarks;
  readonly store: Store;
  /** Executors that need the agent loop or the editor's tools. */
  readonly own: Pick<ExecutorOptions, 'tools' | 'delegate' | 'secrets'>;
}

/** The engine of a window, with what views read besides it. */
export interface OpenEngine {
  readonly engine: Engine;
  readonly audits: AuditFolder;
  readonly baselines: Baselines;
  readonly policy: PolicyStore;
  readonly checkpoints: CheckpointStore;
  readonly journal: Journal;
  /** Commands that agents left running; they end with the window. */
  readonly background: BackgroundCommands;
  /** Why the text of a rule cannot be written as one that a person approved; null when it can. */
  readonly ruleProblem: (text: string) => string | null;
}

/**
 * The editor's composition root: every port, put together once for a window. Loaded and called when an agent first asks for
 * something, so that an editor in which none does pays nothing for it.
 */
export async function openEngine(parts: EngineParts): Promise<OpenEngine> {
  const { roots, approver, desk, health, store, own } = parts;
  const look = (): Facts => lookAtFileSystem({ roots: roots() });
  const facts = { look };
  const policy = await openPolicy(parts, store);
  const state = stateFolder();
  const audits = new AuditFolder(path.join(state, 'audit'), { hasher, clock });
  const baselines = new Baselines(path.join(state, 'baselines'), audits, { hasher, clock });
  const checkpoints = openCheckpoints(state, look().roots, store);
  const report = await detectSandboxes();
  const isIsolating = hasSandbox(report);
  const quarantine = path.join(state, 'quarantine');
  const sandboxes = createSandboxes({ report, hidden: [state], quarantine, image: settings.sandbox.image() });
  store.addEnd(() => sandboxes.dispose());
  const background = new BackgroundCommands();
  store.addEnd(() => background.dispose());
  const journal = new JournalFolder(journalFolder(state));
  const executors = createExecutors({
    ...own,
    facts,
    journal,
    open: { unsaved },
    background,
    databases: settings.databases,
    internalHosts: settings.http.internalHosts,
    sandboxFor: (confinement) => sandboxes.sandboxFor(confinement),
  });
  const approved = new ApprovedRules();
  const engine: Engine = {
    clock,
    ids,
    syntax: await openSyntax(parts),
    look,
    identity: fileIdentity,
    policy,
    circumstances: () => circumstances(isIsolating),
    sandbox: () => (isIsolating ? DEFAULT_CONFINEMENT : null),
    bindings: createBindings(facts, clock),
    reviewer: parts.reviewer,
    approver: keepingAnswers(
      approver,
      ({ lacuna }) => parts.reviewer.seen(lacuna.id),
      (error) => parts.log.error('answers', String(error)),
    ),
    checkpoints,
    executors: { ...executors, ...reviewedFileExecutors({ desk, look, approved: executors }) },
    audit: (sessionId) => telling(audits.open(sessionId), health),
    usual: (folders, sessionId) => (settings.isBaselineOn() ? baselines.usual(folders, sessionId) : null),
    proposeRule: (...asked) => (ruleTarget(roots()).counts ? approved.propose(...asked) : null),
    addRule: async (text) => {
      const rule = approved.parse(text);
      if (!rule.ok) throw new Error(rule.error);
      await addRuleToFile(ruleTarget(roots()).path, rule.value);
      await policy.load();
    },
  };
  if (!isIsolating) {
    for (const line of explainMissing(report)) parts.log.warn(line);
    health.tell('sandbox', vscode.l10n.t('There is no sandbox: what would run in it is asked about.'));
  }
  const ruleProblem = (text: string): string | null => {
    const rule = approved.parse(text);
    return rule.ok ? null : rule.error;
  };
  return { engine, audits, baselines, policy, checkpoints, journal, background, ruleProblem };
}

/** Checkpoints of the folders that are open now. What was seen is written down at the end, for the next window. */
function openCheckpoints(state: string, roots: readonly string[], store: Store): CheckpointStore {
  const checkpoints = new CheckpointStore({
    folder: storeFolder(state, roots),
    roots,
    clock,
    lookWorker: path.join(__dirname, 'lookWorker.js'),
  });
  store.addEnd(() => checkpoints.close());
  return checkpoints;
}

/** The parser of shell lines. One that cannot be loaded leaves every line not understood, which is never silently allowed. */
async function openSyntax({ health, log }: EngineParts): Promise<TreeSitter> {
  const syntax = new TreeSitter(__dirname);
  try {
    await syntax.load('bash');
    health.tell('parser', null);
  } catch (error) {
    log.error('parser', error);
    health.tell(
      'parser',
      vscode.l10n.t('Shell lines cannot be parsed: each one is asked about. Install Lacuna again.'),
    );
  }
  return syntax;
}

/** Text that an editor holds for a file and that is not on disk; null when there is none. */
function unsaved(file: string): string | null {
  const document = openDocument(file);
  return document?.isDirty === true ? document.getText() : null;
}

function circumstances(isIsolating: boolean): Circumstances {
  return {
    user: userName(),
    time: localTime(new Date(clock.nowMs())),
    isHeadless: false,
    isTrusted: vscode.workspace.isTrusted,
    hasSandbox: isIsolating,
  };
}
