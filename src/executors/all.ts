import type { TerminalState } from '../core/effects/effect.js';
import type { Executor, Executors } from '../core/gate/executor.js';
import type { Kind } from '../core/lacuna/kinds.js';
import type { Lacuna } from '../core/lacuna/lacuna.js';
import type { Confinement } from '../core/policy/decision.js';
import type { FactsSource } from '../core/ports.js';
import { noJournal, type Journal } from '../core/unfinished.js';
import { callToolExecutor, type Tools } from './callTool.js';
import { noSecrets, type Secrets } from './credentials.js';
import { databaseExecutor, type NamedDatabase } from './database.js';
import { executor } from './fill.js';
import { deleteFileExecutor } from './files/deleteFile.js';
import { editFileExecutor } from './files/editFile.js';
import { listFilesExecutor } from './files/listFiles.js';
import { moveFileExecutor } from './files/moveFile.js';
import { noOpenTexts, type FilesOptions, type OpenTexts } from './files/place.js';
import { readFileExecutor } from './files/readFile.js';
import { searchFilesExecutor } from './files/searchFiles.js';
import { writeFileExecutor } from './files/writeFile.js';
import { httpExecutor } from './http.js';
import { systemResolve, type Resolve } from './http/resolve.js';
import { maskFoundSecrets, type Mask } from './output.js';
import { BackgroundCommands } from './process/background.js';
import type { Sandbox } from './sandbox/sandbox.js';
import { shellExecutor } from './shell.js';

/** What the executors need from whoever puts the program together. What is left out has the default in brackets. */
export interface ExecutorOptions {
  readonly facts: FactsSource;
  /** [whatever the core takes for a secret] */
  readonly mask?: Mask;
  /** Isolation for a confinement; null when there is none that fits. [none] */
  readonly sandboxFor?: (confinement: Confinement) => Sandbox | null;
  /** The terminal in which a line was judged. [a fresh one for each line] */
  readonly terminalOf?: (lacuna: Lacuna<'ExecuteShell'>) => TerminalState | null;
  /** Credential values by key. [none] */
  readonly secrets?: Secrets;
  /** [this process's variables] */
  readonly environment?: () => Readonly<Record<string, string | undefined>>;
  /** Unsaved texts of the editor. [none] */
  readonly open?: OpenTexts;
  /** Tools of other extensions and MCP servers. [none] */
  readonly tools?: Tools;
  /** [the system's] */
  readonly resolve?: Resolve;
  /** Hosts of the person's own network. [none] */
  readonly internalHosts?: () => readonly string[];
  /** Databases that the settings name. [none: SQLite files only] */
  readonly databases?: () => readonly NamedDatabase[];
  /** Where background commands are kept. [a new registry] */
  readonly background?: BackgroundCommands;
  /** Where acts of several steps are noted, for the next start after a crash. [nowhere] */
  readonly journal?: Journal;
  /** An executor for sub-agents, which needs the agent loop. [unavailable] */
  readonly delegate?: Executor<'Delegate'>;
}

/** A kind that cannot be filled here, and why. */
const unavailable = <K extends Kind>(why: string): Executor<K> =>
  executor<K>((_spent, { report }) => Promise.resolve(report.unavailable(why)));

/** One executor for every kind, through the file system and the operating system, without an editor. */
export function createExecutors(options: ExecutorOptions): Executors {
  const mask = options.mask ?? maskFoundSecrets;
  const environment = options.environment ?? (() => process.env);
  const secrets = options.secrets ?? noSecrets;
  const look = (): ReturnType<FactsSource['look']> => options.facts.look();
  const files: FilesOptions = { look, open: options.open ?? noOpenTexts, journal: options.journal ?? noJournal };
  return {
    ListFiles: listFilesExecutor(files, mask),
    ReadFile: readFileExecutor(files, mask),
    SearchFiles: searchFilesExecutor(files, mask),
    WriteFile: writeFileExecutor(files),
    EditFile: editFileExecutor(files),
    DeleteFile: deleteFileExecutor(files),
    MoveFile: moveFileExecutor(files),
    ExecuteShell: shellExecutor({
      look,
      mask,
      sandboxFor: options.sandboxFor ?? (() => null),
      terminalOf: options.terminalOf ?? (() => null),
      environment,
      secrets,
      background: options.background ?? new BackgroundCommands(),
    }),
    HttpRequest: httpExecutor({
      mask,
      secrets,
      environment,
      resolve: options.resolve ?? systemResolve,
      internalHosts: options.internalHosts ?? (() => []),
    }),
    QueryDatabase: databaseExecutor({ look, mask, secrets, databases: options.databases ?? (() => []) }),
    CallTool: callToolExecutor(options.tools ?? null, mask),
    Delegate: options.delegate ?? unavailable('Sub-agents are at hand in the editor only.'),
  };
}
