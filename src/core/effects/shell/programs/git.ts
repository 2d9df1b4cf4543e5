import type { Word } from '../../effect.js';
import { joinPath } from '../../paths.js';
import type { ProgramEntry, Run } from '../run.js';
import { CONFIGURATION } from './git/configuration.js';
import type { GitCommand, GitContext } from './git/context.js';
import { READING } from './git/reading.js';
import { REMOTES } from './git/remotes.js';
import { REWRITING } from './git/rewriting.js';
import { meaningOf, runCovertly, runSetting } from './git/settings.js';
import { WORKING } from './git/working.js';
import { argumentsOf, inFolder, asksForHelp, rows, variableOf, withText } from './helpers.js';
import { exactWord } from '../word.js';
import { parseOptions, type OptionSpec, type ParsedOptions } from './options.js';

/** Options before the sub-command. Source: git(1) 2.48. */
const GLOBAL: OptionSpec = {
  flags:
    '-p|--paginate -P|--no-pager --no-replace-objects --no-lazy-fetch --no-optional-locks --no-advice --bare --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs --html-path --man-path --info-path -v|--version -h|--help',
  values: '-C -c --git-dir --work-tree --namespace --super-prefix --config-env --attr-source --list-cmds',
  optional: '--exec-path',
  stopsAtOperand: true,
};

const COMMANDS: ReadonlyMap<string, GitCommand> = new Map(
  Object.entries({ ...READING, ...WORKING, ...REWRITING, ...REMOTES, ...CONFIGURATION }),
);

/** Variables whose value git runs. Source: git(1), "ENVIRONMENT VARIABLES". */
const RUNNING_VARIABLES: Readonly<Record<string, string>> = {
  GIT_SSH_COMMAND: 'core.sshcommand',
  GIT_SSH: 'core.sshcommand',
  GIT_PAGER: 'core.pager',
  PAGER: 'core.pager',
  GIT_EDITOR: 'core.editor',
  EDITOR: 'core.editor',
  VISUAL: 'core.editor',
  GIT_SEQUENCE_EDITOR: 'sequence.editor',
  GIT_EXTERNAL_DIFF: 'diff.external',
  GIT_ASKPASS: 'core.askpass',
  SSH_ASKPASS: 'core.askpass',
  GIT_PROXY_COMMAND: 'core.gitproxy',
  GIT_EXEC_PATH: 'core.hookspath',
  GIT_TEMPLATE_DIR: 'init.templatedir',
};

/** Says what `-c key=value` and variables of git's own make it run, and gives the settings. Keys in lower case. */
function overridesOf(run: Run, globals: ParsedOptions): ReadonlyMap<string, Word> {
  const overrides = new Map<string, Word>();
  const set = (key: string, value: Word): void => {
    overrides.set(key.toLowerCase(), value);
    const meaning = meaningOf(key);
    if (meaning === 'runs') runSetting(run, key, value);
    else if (meaning === 'redirects' && /^(protocol\.|include|http\..*sslverify|url\.)/i.test(key)) {
      runCovertly(run, value, `git obeys ${key} on this command`);
    } else if (/^http\.(?:.+\.)?proxy$/i.test(key) && value.text !== '')
      run.network(value, { method: 'CONNECT', note: 'the connection really goes there' });
  };
  for (const setting of globals.values('-c')) {
    const at = setting.text.indexOf('=');
    if (setting.certainty === 'dynamic' && at < 0) run.unknown(`a setting of git that cannot be known: ${setting.raw}`);
    else if (at < 0) set(setting.text, withText(setting, 'true'));
    else set(setting.text.slice(0, at), withText(setting, setting.text.slice(at + 1)));
  }
  for (const setting of globals.values('--config-env'))
    set(setting.text.replace(/=.*$/s, ''), { ...setting, certainty: 'dynamic' });
  for (const [name, key] of Object.entries(RUNNING_VARIABLES)) {
    const value = variableOf(run, name);
    if (value) set(key, value);
  }
  const count = Number(variableOf(run, 'GIT_CONFIG_COUNT')?.text ?? 0);
  for (let index = 0; index < Math.min(count, 50); index += 1) {
    const key = variableOf(run, `GIT_CONFIG_KEY_${index}`);
    const value = variableOf(run, `GIT_CONFIG_VALUE_${index}`);
    if (key && value) set(key.text, value);
  }
  for (const name of ['GIT_CONFIG_PARAMETERS', 'GIT_CONFIG_GLOBAL', 'GIT_CONFIG_SYSTEM', 'GIT_CONFIG']) {
    const value = variableOf(run, name);
    if (value && value.text !== '/dev/null' && value.text !== '')
      runCovertly(run, value, `git takes its settings from ${name}`);
  }
  return overrides;
}

/** The folder git works in: `-C` parts one after another, then `--work-tree`; null for the command's own. */
function folderOf(run: Run, globals: ParsedOptions): Word | null {
  let folder: Word | null = null;
  for (const { name, value } of globals.options) {
    if (value && (name === '-C' || name === '--work-tree') && value.text !== '') folder = inFolder(folder, value);
  }
  const gitDir = globals.value('--git-dir') ?? variableOf(run, 'GIT_DIR');
  folder ??= variableOf(run, 'GIT_WORK_TREE');
  if (folder === null && gitDir && /\/\.git\/?$/.test(gitDir.text))
    folder = withText(gitDir, gitDir.text.replace(/\/\.git\/?$/, ''));
  return folder;
}

/** An alias of git, given on this command or in the repository. Built-in sub-commands cannot be aliased. */
function aliasOf(
  name: string,
  overrides: ReadonlyMap<string, Word>,
  aliases: ReadonlyMap<string, string> | undefined,
): Word | null {
  const given = overrides.get(`alias.${name.toLowerCase()}`);
  if (given) return given;
  const text = aliases?.get(name) ?? aliases?.get(name.toLowerCase());
  return text === undefined ? null : exactWord(text);
}

const MAX_ALIASES = 8;

function dispatch(
  run: Run,
  globals: ParsedOptions,
  words: readonly Word[],
  overrides: ReadonlyMap<string, Word>,
  depth: number,
): void {
  const [command, ...rest] = words;
  if (!command) return;
  if (command.certainty !== 'exact') {
    run.unknown(`a sub-command of git that cannot be known: ${command.raw}`);
    return;
  }
  const { facts, invocation } = run;
  const folder = folderOf(run, globals);
  const cwd =
    invocation.cwd === null || folder?.certainty === 'dynamic'
      ? null
      : joinPath(invocation.cwd, folder?.text.replace(/^~(?=\/|$)/, facts.home) ?? '.', facts.platform);
  const repository = cwd === null ? null : facts.repository(cwd);
  const name = command.text;
  const git: GitContext = { run, name, words: rest, folder, cwd, repository, overrides };
  const known = COMMANDS.get(name);
  if (known) {
    if (!asksForHelp(rest)) known(git);
    return;
  }
  // Where names of files are not told apart by case, `git RESET` finds the program of `git reset`.
  const folded = COMMANDS.get(name.toLowerCase());
  if (folded && aliasOf(name, overrides, repository?.aliases) === null) {
    run.unknown(`sub-command ${name} of git`);
    folded({
      ...git,
      name: name.toLowerCase(),
      words: rest.map((word) => (/^--/.test(word.text) ? withText(word, word.text.toLowerCase()) : word)),
    });
    return;
  }
  const alias = aliasOf(name, overrides, repository?.aliases);
  if (alias === null || depth >= MAX_ALIASES) {
    run.unknown(`sub-command ${name} of git`);
  } else if (alias.text.startsWith('!')) {
    const text = `${alias.text.slice(1)}${rest.length > 0 ? ' "$@"' : ''}`;
    run.code('sh', { ...alias, text }, { positional: [exactWord('git'), ...rest] });
  } else {
    const parts = alias.text
      .trim()
      .split(/\s+/)
      .map((part) => withText(alias, part));
    const inner = parseOptions(GLOBAL, parts);
    overridesOf(run, inner);
    dispatch(run, globals, [...inner.operands, ...rest], overrides, depth + 1);
  }
}

/**
 * Git: reading is reading refs; changes to branches are refs too (`history` where commits can be lost); files that lose
 * uncommitted work are named one by one as facts tell them; pushing is network and a remote ref. Whatever git can be made to
 * run (settings, variables, aliases, hooks, transports) is analysed as code or marked `covert`.
 * Source: git(1) 2.48 and the pages it names.
 */
function analyseGit(run: Run): void {
  const globals = parseOptions(GLOBAL, argumentsOf(run.invocation));
  if (globals.has('-v', '-h')) return;
  for (const option of globals.unknown) run.unknown(`option ${option.text} of git`);
  const exec = globals.value('--exec-path');
  if (exec) runCovertly(run, exec, 'git takes its own programs from there');
  dispatch(run, globals, globals.operands, overridesOf(run, globals), 0);
}

/** `git-lfs pull` is `git lfs pull`; so for every program of git's that may be called by its own name. */
function analyseOwnName(run: Run): void {
  const name = run.invocation.program.replace(/^.*git-/, '');
  dispatch(run, parseOptions(GLOBAL, []), [exactWord(name), ...argumentsOf(run.invocation)], new Map(), 0);
}

export const git: readonly ProgramEntry[] = [
  { names: ['git'], analyse: analyseGit },
  ...rows([...COMMANDS.keys()].map((name) => `git-${name}`).join(' '), analyseOwnName),
];
