import { parseJson } from '../../../../json.js';
import type { Brings, Trait, Word } from '../../../effect.js';
import { canonicalPath, joinPath } from '../../../paths.js';
import { toolFolder, type ToolManager } from '../../../toolFolders.js';
import type { Run } from '../../run.js';
import { exactWord } from '../../word.js';

/** What is read of a manifest: the texts of its scripts, and the names of what the project depends on. */
export interface Manifest {
  readonly scripts: ReadonlyMap<string, string>;
  readonly dependencies: ReadonlySet<string>;
  readonly workspaces: readonly string[];
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const textsOf = (value: unknown): ReadonlyMap<string, string> =>
  new Map(
    isRecord(value)
      ? Object.entries(value).flatMap(([name, text]): [string, string][] => {
          if (typeof text === 'string') return [[name, text]];
          if (Array.isArray(text))
            return [[name, text.filter((part): part is string => typeof part === 'string').join(' && ')]];
          return isRecord(text) && typeof text['command'] === 'string' ? [[name, text['command']]] : [];
        })
      : [],
  );

/** Reads a manifest in JSON (comments allowed, as in deno.jsonc); null when it is absent, unknown or not JSON. */
export function readManifest(run: Run, folder: string | null, name: string): Manifest | null {
  if (folder === null) return null;
  const text = run.facts.readText(joinPath(folder, name, run.facts.platform));
  if (text === null) return null;
  const parsed = parseJson(text) ?? parseJson(text.replace(/^[ \t]*\/\/.*$/gm, '').replace(/,(\s*[}\]])/g, '$1'));
  if (!isRecord(parsed)) return null;
  const dependencies = [
    'dependencies',
    'devDependencies',
    'optionalDependencies',
    'peerDependencies',
    'require',
    'require-dev',
  ].flatMap((key) => (isRecord(parsed[key]) ? Object.keys(parsed[key]) : []));
  const workspaces = Array.isArray(parsed['workspaces'])
    ? parsed['workspaces'].filter((one): one is string => typeof one === 'string')
    : [];
  return { scripts: textsOf(parsed['scripts'] ?? parsed['tasks']), dependencies: new Set(dependencies), workspaces };
}

/** The folder that a command works in when an option names another one; null when it cannot be known. */
export function folderOf(run: Run, option: Word | null): string | null {
  const { cwd } = run.invocation;
  if (cwd === null || option?.certainty === 'dynamic') return null;
  return option ? canonicalPath(option.text, cwd, run.facts, 'follow') : cwd;
}

const CHECKS_OR_BUILDS =
  /^(?:ci:)?(?:test|tests|build|lint|clean|jest|vitest|mocha|biome|format|fmt|type-?check|types|check|compile|tsc|coverage|unit|e2e|bundle|prettier|eslint)(?:[:-][\w:-]+)?$/;

/** Whether projects keep a build, tests or checks under such a name. */
export const isCheckOrBuild = (name: string): boolean => CHECKS_OR_BUILDS.test(name);

/**
 * Runs a script of a manifest, with those that go before and after it. `rest` are words added at its end. Says `unreviewed`
 * where the text is not known. `hasHooks`: npm and yarn 1 run `preX` and `postX` too.
 */
export function runScript(
  run: Run,
  manifest: Manifest | null,
  name: string,
  rest: readonly Word[],
  folder: Word | null,
  hasHooks = true,
): boolean {
  const text = manifest?.scripts.get(name);
  if (text === undefined) {
    if (manifest !== null) return false;
    run.emit(
      'execute',
      { type: 'process', process: `script ${name}` },
      {
        traits: isCheckOrBuild(name) ? ['unreviewed', 'project-code'] : ['unreviewed'],
        note: 'a script of the project whose text is not known',
      },
    );
    return true;
  }
  const options = { positional: [exactWord(name), ...rest], ...(folder ? { cwd: folder } : {}) };
  if (hasHooks) before(run, manifest, `pre${name}`, options);
  run.code('sh', exactWord(rest.length > 0 ? `${text} "$@"` : text), options);
  if (hasHooks) before(run, manifest, `post${name}`, options);
  return true;
}

function before(run: Run, manifest: Manifest | null, name: string, options: Parameters<Run['code']>[2]): void {
  const text = manifest?.scripts.get(name);
  if (text !== undefined) run.code('sh', exactWord(text), options);
}

/** Verbs by which a tool does more than build, test or check. */
const MORE = /\b(?:install|run|exec|start|serve|publish|generate|update|upgrade|add|fix|deploy|release|console|repl)\b/;

/** A build or test of the project: its code runs, which nobody has read in this action, and writes in the workspace. */
export function buildsProject(run: Run, what: string, brings?: Brings): void {
  runsProject(run, what, MORE.test(what) ? ['unreviewed'] : ['unreviewed', 'project-code'], brings);
}

function runsProject(run: Run, what: string, traits: readonly Trait[], brings?: Brings): void {
  run.emit('execute', { type: 'process', process: what }, { traits, note: 'runs code of the project', brings });
}

/** A tool for every project of the machine: where it lands is a write outside the workspace, judged by itself. */
export function landsOutside(run: Run, manager: ToolManager): void {
  run.write(exactWord(toolFolder(manager, run.facts)), {
    traits: ['create', 'recursive'],
    note: 'for every project of this machine',
  });
}

/** Packages that a lock file or manifest names come from the registry; their own scripts may run. `brings`: which, as far as known. */
export function restoresPackages(
  run: Run,
  registry: string,
  folder: string,
  what: string,
  brings: Brings | undefined,
): void {
  run.network(exactWord(`https://${registry}`), { method: 'GET', traits: ['download', 'own-service'], brings });
  if (folder !== '') run.write(exactWord(folder), { traits: ['recursive', 'create'] });
  runsProject(run, what, ['unreviewed']);
}

/** Packages that go: out of the project, whose manifest and folder of packages are in its checkpoint, or off the machine. */
export function removesPackages(
  run: Run,
  ecosystem: string,
  names: readonly Word[],
  from: 'project' | 'machine',
): void {
  for (const name of names)
    run.emit(
      'delete',
      { type: 'package', ecosystem, name: name.text, version: null },
      { certainty: name.certainty, reversible: 'checkpoint', traits: from === 'project' ? ['build-output'] : [] },
    );
}
