import path from 'node:path';
import * as vscode from 'vscode';
import { readConfig } from '../adapters/agentConfig.js';
import { thisPlatform } from '../adapters/facts.js';
import { launcherFile } from '../adapters/launcher.js';
import { runHook } from '../adapters/probe.js';
import { stateFolder } from '../adapters/stateFolder.js';
import type { HookAgent } from '../hooks/hookEvent.js';
import { AGENT_SET_UPS, SET_UP_AGENTS, type SetUpAgent } from '../hooks/setup/agents.js';
import { hookCommand } from '../hooks/setup/command.js';
import { placeHere } from '../hooks/setup/here.js';
import { setUpState } from '../hooks/setup/plan.js';
import { isStoppedBy, probesOf, WAYS, type Way } from '../hooks/setup/probes.js';
import type { HookTrouble } from '../hooks/setup/switches.js';
import type { Guard } from './guard.js';
import { troublesNow, troubleWords } from './hookSwitches.js';
import type { Pages } from './views/pages.js';

const { t } = vscode.l10n;
const TIMEOUT_MS = 30_000;

/** What a probe came to. `open`: the host would have gone on with what has to be stopped. */
type Found = 'ok' | 'open' | 'no-answer' | 'not-asked';

interface Row {
  readonly name: string;
  /** Why it was not tried; null when it was. */
  readonly why: string | null;
  readonly found: ReadonlyMap<Way, Found>;
}

/** `Lacuna: Test What the Guard Sees`: asks the guard, as each agent's host would, about calls that nobody makes. */
export async function testCoverage(guard: Guard, pages: Pages): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? guard.roots()[0] ?? stateFolder();
  const rows = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: t('Lacuna asks itself what it would be asked…') },
    () => Promise.all([builtIn(folder), ...SET_UP_AGENTS.map((agent) => other(agent, folder))]),
  );
  const text = page(rows, troublesNow());
  await vscode.window.showTextDocument(
    await vscode.workspace.openTextDocument(pages.put('What the guard sees.md', text)),
  );
}

/** The agent that VS Code brings, by the command line of our plugin. */
function builtIn(folder: string): Promise<Row> {
  const script = path.join(__dirname, '..', 'plugin', process.platform === 'win32' ? 'hook.cmd' : 'hook.sh');
  const command = process.platform === 'win32' ? `cmd /d /c "${script}"` : `exec sh "${script}"`;
  return probed('vscode', t('VS Code’s own agent'), `${command} --agent vscode --deadline 20`, folder);
}

/** Another agent, by the command line that stands in its settings. */
async function other(agent: SetUpAgent, folder: string): Promise<Row> {
  const { name } = AGENT_SET_UPS[agent];
  const launcher = launcherFile(stateFolder());
  const untried = (why: string): Row => ({ name, why, found: new Map() });
  switch (setUpState(agent, placeHere(launcher, thisPlatform()), { command: '', args: [] }, readConfig)) {
    case 'not-guarded':
      return untried(t('not set up'));
    case 'unreadable':
      return untried(t('its settings cannot be read'));
    case 'stale':
      return untried(t('set up in an older form: set it up again'));
    case 'guarded':
      return probed(agent, name, hookCommand(launcher, agent, 'call', thisPlatform()), folder);
  }
}

async function probed(agent: HookAgent, name: string, command: string, cwd: string): Promise<Row> {
  const run = crypto.randomUUID();
  const found = new Map<Way, Found>(WAYS.map((way) => [way, 'not-asked']));
  for (const { way, want, input } of probesOf(agent, cwd.replaceAll('\\', '/'), run)) {
    const ended = await runHook(command, input, { cwd, timeoutMs: TIMEOUT_MS });
    if (ended === null) found.set(way, 'no-answer');
    else found.set(way, isStoppedBy(agent, ended) === (want === 'stopped') && ended.code !== null ? 'ok' : 'open');
  }
  return { name, why: null, found };
}

const FOUND = (): Readonly<Record<Found, string>> => ({
  ok: t('reaches the gate'),
  open: t('**NOT STOPPED**'),
  'no-answer': t('**no answer**'),
  'not-asked': t('has no such call'),
});

function page(rows: readonly Row[], troubles: readonly HookTrouble[]): string {
  const words = FOUND();
  const sentences = troubleWords();
  const tried = rows.filter(({ why }) => why === null);
  return [
    `# ${t('What the guard sees')}`,
    '',
    t(
      'Each agent’s hook was asked about calls that nobody makes: one that destroys, by each way in which the agent can act, and a read.',
    ),
    '',
    `| ${t('Agent')} | ${WAYS.join(' | ')} |`,
    `| --- |${WAYS.map(() => ' --- |').join('')}`,
    ...tried.map(
      ({ name, found }) => `| ${name} | ${WAYS.map((way) => words[found.get(way) ?? 'not-asked']).join(' | ')} |`,
    ),
    '',
    ...rows.filter(({ why }) => why !== null).map(({ name, why }) => `- ${name}: ${why ?? ''}`),
    '',
    ...(troubles.length === 0
      ? [t('In this window hooks are switched on.')]
      : troubles.map((trouble) => `- **${t('Warning')}**: ${sentences[trouble]}`)),
    '',
    t(
      'Whether an agent’s host calls its hooks at all, only that host can tell: what it runs without asking, and tells of afterwards, raises an alarm.',
    ),
    '',
  ].join('\n');
}
