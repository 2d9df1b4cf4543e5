import path from 'node:path';
import * as vscode from 'vscode';
import { backupsFolder, changeConfig, readConfig } from '../adapters/agentConfig.js';
import { thisPlatform } from '../adapters/facts.js';
import { launcherFile, placeLauncher } from '../adapters/launcher.js';
import { stateFolder } from '../adapters/stateFolder.js';
import { AGENT_SET_UPS, SET_UP_AGENTS, type SetUpAgent } from '../hooks/setup/agents.js';
import { placeHere } from '../hooks/setup/here.js';
import { planSetUp, setUpState, type FileChange, type SetUpState, type SetUpWish } from '../hooks/setup/plan.js';
import type { Guard } from './guard.js';
import type { Pages } from './views/pages.js';

const { t } = vscode.l10n;

const server = { command: process.execPath, args: [path.join(__dirname, 'cli.js'), 'mcp'] };
const place = () => placeHere(launcherFile(stateFolder()), thisPlatform());

/** `Lacuna: Guard Another Agent…`: which, what, the exact change, and then it is done. */
export async function guardAgent({ log }: Guard, pages: Pages): Promise<void> {
  const agent = await pickAgent();
  if (agent === null) return;
  const wish = await pickWish(agent);
  if (wish === null) return;
  const { name, afterwards } = AGENT_SET_UPS[agent];
  const { changes, unreadable } = planSetUp(agent, wish, place(), server, readConfig);
  if (unreadable.length > 0) {
    void vscode.window.showErrorMessage(
      t('{0} cannot be read as JSON. Nothing was changed: mend it first.', unreadable.join(', ')),
    );
    return;
  }
  if (changes.length === 0) {
    void vscode.window.showInformationMessage(t('{0}: there is nothing to change.', name));
    return;
  }
  await show(changes, name, pages);
  if (!(await isToBeWritten(changes, name))) return;
  try {
    if (wish !== 'nothing') placeLauncher(stateFolder(), __dirname, process.execPath);
    for (const change of changes) changeConfig(stateFolder(), change);
  } catch (error) {
    log.error('guard agent', error);
    void vscode.window.showErrorMessage(error instanceof Error ? error.message : String(error));
    return;
  }
  const done = wish === 'nothing' ? t('{0} is no longer guarded.', name) : t('{0} is guarded.', name);
  void vscode.window.showInformationMessage(wish === 'nothing' ? done : `${done} ${afterwards}`.trim());
}

/** Asks beside the shown change, not over it: it can be read and scrolled meanwhile. */
async function isToBeWritten(changes: readonly FileChange[], name: string): Promise<boolean> {
  const files = changes.map(({ file, after }) => (after === null ? t('{0} (removed)', file) : file));
  const cancel = { label: `$(close) ${t('Cancel')}`, detail: t('Nothing is changed.'), isYes: false };
  const write = {
    label: `$(check) ${t('Write')}`,
    description: files.join(', '),
    detail: t('Copies of the files as they are now are kept in {0}.', backupsFolder(stateFolder())),
    isYes: true,
  };
  const answer = await vscode.window.showQuickPick([write, cancel], {
    title: t('Change the settings of {0} as shown?', name),
    placeHolder: t('Read the change below, then choose.'),
    ignoreFocusOut: true,
  });
  return answer?.isYes === true;
}

const STATES = (): Readonly<Record<SetUpState, string>> => ({
  guarded: t('set up'),
  stale: t('set up in an older form'),
  'not-guarded': t('not set up'),
  unreadable: t('its settings cannot be read'),
});

async function pickAgent(): Promise<SetUpAgent | null> {
  const words = STATES();
  const picked = await vscode.window.showQuickPick(
    SET_UP_AGENTS.map((agent) => ({
      agent,
      label: AGENT_SET_UPS[agent].name,
      description: words[setUpState(agent, place(), server, readConfig)],
      detail: AGENT_SET_UPS[agent].folder(place()),
    })),
    { title: t('Guard another agent'), placeHolder: t('VS Code’s own agent is guarded without set-up.') },
  );
  return picked?.agent ?? null;
}

async function pickWish(agent: SetUpAgent): Promise<SetUpWish | null> {
  const state = setUpState(agent, place(), server, readConfig);
  const choices: readonly { readonly wish: SetUpWish; readonly label: string; readonly detail: string }[] = [
    { wish: 'hooks', label: t('Set up its hooks'), detail: t('Each of its calls goes through the gate.') },
    {
      wish: 'hooks-and-server',
      label: t('Set up its hooks and the MCP server'),
      detail: t('Besides its own tools it gets those of Lacuna.'),
    },
    { wish: 'nothing', label: t('Take them out again'), detail: t('All else in its settings stays as it is.') },
  ];
  const picked = await vscode.window.showQuickPick(
    choices.filter(({ wish }) => state !== 'not-guarded' || wish !== 'nothing'),
    { title: AGENT_SET_UPS[agent].name },
  );
  return picked?.wish ?? null;
}

/** Shows each file before and after, side by side. */
async function show(changes: readonly FileChange[], name: string, pages: Pages): Promise<void> {
  for (const { file, before, after } of changes)
    await vscode.commands.executeCommand(
      'vscode.diff',
      pages.put(`before/${path.basename(file)}`, before ?? ''),
      pages.put(`after/${path.basename(file)}`, after ?? ''),
      t('{0}: {1} (proposed)', name, path.basename(file)),
      { preview: false },
    );
}
