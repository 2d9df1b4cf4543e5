import path from 'node:path';
import { createTwoFilesPatch } from 'diff';
import { changeConfig, backupsFolder, readConfig } from '../adapters/agentConfig.js';
import { thisPlatform } from '../adapters/facts.js';
import { launcherFile, placeLauncher } from '../adapters/launcher.js';
import { stateFolder } from '../adapters/stateFolder.js';
import { AGENT_SET_UPS, SET_UP_AGENTS, type SetUpAgent, type SetUpPlace } from '../hooks/setup/agents.js';
import { placeHere } from '../hooks/setup/here.js';
import {
  planSetUp,
  setUpState,
  type FileChange,
  type ServerStart,
  type SetUpPlan,
  type SetUpState,
  type SetUpWish,
} from '../hooks/setup/plan.js';
import { EXIT, only, UsageError, type ExitCode, type Io, type Parsed } from './io.js';

/** Flags of `lacuna hook` that set agents up instead of answering a call. */
export const SET_UP_FLAGS = {
  'set-up': 'value',
  remove: 'value',
  status: 'switch',
  mcp: 'switch',
  'dry-run': 'switch',
} as const;

/** Whether `lacuna hook` was called to set up, to remove, or to tell. */
export const isSetUp = (args: readonly string[]): boolean =>
  args.some((arg) => /^--(?:set-up|remove|status)(?:=|$)/.test(arg));

const place = (): SetUpPlace => placeHere(launcherFile(stateFolder()), thisPlatform());

/** Our MCP server, started by the Node that runs this. */
const serverHere = (): ServerStart => ({ command: process.execPath, args: [path.join(__dirname, 'cli.js'), 'mcp'] });

/** `lacuna hook --set-up AGENT`, `--remove AGENT`, `--status`. Exit code 1 when a file cannot be read as what it should be. */
export function hookSetUp(parsed: Parsed, io: Io): ExitCode {
  if (parsed.switches.has('status')) return status(io);
  const toSetUp = only(parsed, 'set-up');
  const toRemove = only(parsed, 'remove');
  if ((toSetUp === undefined) === (toRemove === undefined)) throw new UsageError('Give either --set-up or --remove.');
  const agent = agentNamed(toSetUp ?? toRemove ?? '');
  const wish = toSetUp === undefined ? 'nothing' : parsed.switches.has('mcp') ? 'hooks-and-server' : 'hooks';
  const planned = planFor(agent, wish);
  if (typeof planned === 'string') {
    io.error(`${planned} Nothing was changed.\n`);
    return EXIT.failed;
  }
  const { changes } = planned;
  const { name, afterwards } = AGENT_SET_UPS[agent];
  if (changes.length === 0) {
    io.out(`${name}: there is nothing to change.\n`);
    return EXIT.done;
  }
  for (const change of changes) io.out(diffOf(change));
  if (parsed.switches.has('dry-run')) return EXIT.done;
  if (wish !== 'nothing') placeLauncher(stateFolder(), __dirname, process.execPath);
  const done: string[] = [];
  try {
    for (const change of changes) {
      changeConfig(stateFolder(), change);
      done.push(change.file);
    }
  } catch (error) {
    const what = done.length === 0 ? 'Nothing was changed.' : `Changed before: ${done.join(', ')}.`;
    io.error(`${error instanceof Error ? error.message : String(error)}\n${what}\n`);
    return EXIT.failed;
  }
  io.out(`${name}: done. Copies of the files as they were are in ${backupsFolder(stateFolder())}.\n`);
  if (wish !== 'nothing' && afterwards !== '') io.out(`${afterwards}\n`);
  return EXIT.done;
}

/** What would be changed, or a sentence that says why nothing can be. */
function planFor(agent: SetUpAgent, wish: SetUpWish): SetUpPlan | string {
  try {
    const plan = planSetUp(agent, wish, place(), serverHere(), readConfig);
    if (plan.unreadable.length === 0) return plan;
    return `${plan.unreadable.join(', ')}: cannot be read as JSON with hooks in lists and servers by name. Mend it first.`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const WORDS: Readonly<Record<SetUpState, string>> = {
  guarded: 'set up',
  stale: 'set up in an older form: set it up again',
  'not-guarded': 'not set up',
  unreadable: 'its settings cannot be read',
};

/** For telling how things stand: a file that cannot be read is one that holds nothing readable. */
function readOrNothing(file: string): string | null {
  try {
    return readConfig(file);
  } catch (error) {
    if (error instanceof Error) return '';
    throw error;
  }
}

function status(io: Io): ExitCode {
  for (const agent of SET_UP_AGENTS)
    io.out(`${agent.padEnd(8)} ${WORDS[setUpState(agent, place(), serverHere(), readOrNothing)]}\n`);
  return EXIT.done;
}

function agentNamed(name: string): SetUpAgent {
  const agent = SET_UP_AGENTS.find((known) => known === name);
  if (agent === undefined) throw new UsageError(`The agent must be one of: ${SET_UP_AGENTS.join(', ')}.`);
  return agent;
}

const diffOf = ({ file, before, after }: FileChange): string =>
  createTwoFilesPatch(
    before === null ? '/dev/null' : file,
    after === null ? '/dev/null' : file,
    before ?? '',
    after ?? '',
  );
