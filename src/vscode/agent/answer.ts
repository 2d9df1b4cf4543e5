import * as vscode from 'vscode';
import { deadline } from '../../adapters/deadline.js';
import type { AgentPorts, Ending, Task } from '../../core/agent/agent.js';
import type { BrainFailure } from '../../core/agent/brain.js';
import { inFolders } from '../../core/agent/folders.js';
import { wordsFor } from '../../core/agent/demonstration/words.js';
import { runAgent } from '../../core/agent/loop.js';
import { mainRules, planOnly } from '../../core/agent/rules.js';
import { checkPlan } from '../../core/plan/check.js';
import { driftOf } from '../../core/plan/drift.js';
import { promptPolicyOf } from '../../core/policy/promptPolicy.js';
import { KIND_NAMES } from '../../core/lacuna/kinds.js';
import { signalOf } from '../cancel.js';
import type { Session } from '../sessions.js';
import { openFolders } from '../folders.js';
import { settings } from '../settings.js';
import { isDemonstration, VENDOR } from '../models/models.js';
import { outcomeWords, proposalWords } from '../words.js';
import { isOwn } from '../tools/otherTools.js';
import { explain, openFor, policy, status } from './commands.js';
import { earlierTurns, lastMemory, type Memory } from './history.js';
import type { AgentHost } from './host.js';
import { requestText } from './request.js';
import { screenPrompt } from './screenPrompt.js';
import { Show } from './show.js';

const { t } = vscode.l10n;

/** One turn of the chat as the editor hands it in. */
export interface Turn {
  readonly request: vscode.ChatRequest;
  readonly context: vscode.ChatContext;
  readonly stream: vscode.ChatResponseStream;
  readonly token: vscode.CancellationToken;
}

/** Answers a turn: a slash command by itself, everything else by the loop. */
export async function answer(host: AgentHost, turn: Turn): Promise<vscode.ChatResult> {
  const { request, context, stream } = turn;
  const before = lastMemory(context);
  const session = await host.sessions.use(before?.sessionId ?? host.ids.next());
  switch (request.command) {
    case 'explain':
      explain(stream, session, request.prompt);
      return remember(before ?? emptyMemory(session.id));
    case 'status':
      status(stream, session);
      return remember(before ?? emptyMemory(session.id));
    case 'policy':
      policy(stream, session, await host.policy());
      return remember(before ?? emptyMemory(session.id));
    case 'rollback':
    case 'audit':
    case 'mode':
      openFor(stream, request.command, session);
      return remember(before ?? emptyMemory(session.id));
    default:
      return work(host, session, turn);
  }
}

/** Runs the loop for a request and shows it. */
async function work(host: AgentHost, session: Session, turn: Turn): Promise<vscode.ChatResult> {
  const { request, context, stream, token } = turn;
  const isPlanOnly = request.command === 'plan';
  const show = new Show(stream, session.ledger);
  const { signal, close } = signalOf(token);
  const memory = new Memories(session.id, isPlanOnly ? request.prompt : null);
  try {
    const ports = await portsFor(host, session, request, (event) => {
      show.hear(event);
      memory.hear(event);
    });
    const ending = await runAgent(taskFor(host, session, request, context, isPlanOnly), ports, signal);
    show.end(ending);
    if (ending.tally.proposed > 0) await buttons(stream, session.id);
    if (ending.type === 'brain-failed') remedies(stream, request.model, ending.why);
    const isLost = ending.type === 'answered' && ending.tally.proposed === 0 && !isPlanOnly;
    const stories = isLost && isDemonstration(request.model) ? wordsFor(request.prompt).stories : [];
    return resultOf(ending, { ...memory.take(ending), stories: [...stories] });
  } finally {
    close();
  }
}

async function portsFor(
  host: AgentHost,
  session: Session,
  request: vscode.ChatRequest,
  listen: AgentPorts['listen'],
): Promise<AgentPorts> {
  const { gate, ledger } = session;
  const facts = await host.look();
  const policy = await host.policy();
  return {
    brain: await host.models.brainOf(request.model),
    door: {
      handle: (lacuna, cancel, progress) =>
        host.tokens.during(lacuna.id, request.toolInvocationToken, () => gate.pass(lacuna, cancel, progress)),
      together: (lacunas, cancel, progressOf) => gate.passTogether(lacunas, cancel, progressOf),
    },
    clock: host.clock,
    workingMs: () => host.clock.nowMs() - host.waiting.of(session.id),
    ids: host.ids,
    subagents: host.subagents,
    place: (proposal) => inFolders(proposal, openFolders()),
    checkPlan: (plan, { kinds, limits }) =>
      checkPlan(plan, { facts, kinds: kinds.length === 0 ? KIND_NAMES : kinds, lacunas: limits.lacunas }),
    deadline,
    record: (event) => ledger.event(event),
    screen: (text) => {
      const { state } = ledger;
      const said = promptPolicyOf(policy.policy.layers, state.mode);
      return screenPrompt(text, { state, model: request.model.name, policy: said });
    },
    drift: () => driftOf(ledger.state),
    listen,
  };
}

function taskFor(
  host: AgentHost,
  session: Session,
  request: vscode.ChatRequest,
  context: vscode.ChatContext,
  isPlanOnly: boolean,
): Task {
  const text = requestText(request);
  const roots = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
  const rules = mainRules({
    roots,
    platform: process.platform,
    shell: process.platform === 'win32' ? 'powershell' : 'bash',
    tools: vscode.lm.tools
      .filter((tool) => !isOwn(tool))
      .map(({ name, description, inputSchema }) => ({ name, description, schema: inputSchema ?? null })),
  });
  return {
    sessionId: session.id,
    origin: { agent: 'lacuna', subagent: null, request: text, requestId: host.ids.next() },
    rules: isPlanOnly ? `${rules}\n\n${planOnly}` : rules,
    history: earlierTurns(context),
    request: text,
    kinds: isPlanOnly ? [] : KIND_NAMES,
    limits: settings.limits(),
  };
}

/** Gathers what the next turn has to know. */
class Memories {
  readonly #did: string[] = [];
  #refusedId: string | null = null;
  #plan: Memory['plan'] = null;

  constructor(
    private readonly sessionId: string,
    /** Set when only a plan was asked for. */
    private readonly planFor: string | null,
  ) {}

  readonly hear: AgentPorts['listen'] = (event) => {
    if (event.type === 'plan' && this.planFor !== null)
      this.#plan = { text: JSON.stringify(event.plan), request: this.planFor };
    if (event.type !== 'settled' || event.depth > 0) return;
    const { lacuna, outcome } = event.handled;
    this.#did.push(`${proposalWords(lacuna)}: ${outcomeWords(outcome)}`);
    if (outcome.type === 'refused') this.#refusedId = lacuna.id;
  };

  take(ending: Ending): Memory {
    return {
      sessionId: this.sessionId,
      text: ending.text,
      did: this.#did.slice(-40),
      ending: ending.type,
      refusedId: this.#refusedId,
      plan: this.#plan,
      stories: [],
    };
  }
}

const emptyMemory = (sessionId: string): Memory => ({
  sessionId,
  text: '',
  did: [],
  ending: 'answered',
  refusedId: null,
  plan: null,
  stories: [],
});

const remember = (memory: Memory): vscode.ChatResult => ({ metadata: { lacuna: memory } });

function resultOf(ending: Ending, memory: Memory): vscode.ChatResult {
  const result = remember(memory);
  return ending.type === 'brain-failed' ? { ...result, errorDetails: { message: ending.message } } : result;
}

/** What can be done about a model that gave no answer. Of a model of others only another one can be picked, which the editor offers. */
function remedies(stream: vscode.ChatResponseStream, model: vscode.LanguageModelChat, why: BrainFailure): void {
  if (model.vendor !== VENDOR || isDemonstration(model)) return;
  if (why === 'wrong-key' || why === 'no-permission')
    stream.button({ command: 'lacuna.setApiKey', title: t('Set API Key…') });
  if (why !== 'rate-limited' && why !== 'cut-off' && why !== 'too-long' && why !== 'refused')
    stream.button({
      command: 'workbench.action.openSettings',
      title: t('Open Settings'),
      arguments: ['lacuna.model'],
    });
}

/** Buttons below an answer, each only where its command is there. */
async function buttons(stream: vscode.ChatResponseStream, sessionId: string): Promise<void> {
  const there = new Set(await vscode.commands.getCommands(true));
  const offered = [
    { command: 'lacuna.audit.open', title: t('Open Audit'), arguments: [sessionId] },
    { command: 'lacuna.checkpoints.restore', title: t('Roll Back…'), arguments: [sessionId] },
  ];
  for (const button of offered) if (there.has(button.command)) stream.button(button);
}
