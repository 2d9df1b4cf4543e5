import { parseDocument } from 'yaml';
import type { Word } from '../../effect.js';
import { joinPath } from '../../paths.js';
import type { ProgramEntry, Run } from '../run.js';
import { exactWord } from '../word.js';
import { argumentsOf, isHelpOnly, rows } from './helpers.js';
import { parseOptions } from './options.js';
import { runTomlTask } from './packages/tomlTasks.js';
import { folderOf, isCheckOrBuild } from './packages/scripts.js';

/** A rule of a makefile or a recipe of a justfile. */
export interface Recipe {
  readonly needs: readonly string[];
  /** Lines as the shell gets them, variables of the makefile filled in as far as they are known. */
  readonly lines: readonly string[];
}

/** What a file of recipes says. */
export interface RecipeFile {
  readonly recipes: ReadonlyMap<string, Recipe>;
  /** Run when none is named; null when there is none. */
  readonly first: string | null;
  /** Commands that run while the file is read: `$(shell …)`, `` X := `…` ``. */
  readonly atOnce: readonly string[];
  /** It takes more from files that are not looked at. */
  readonly isPartial: boolean;
}

const MAX_LINES = 20_000;
const MAX_RECIPES = 60;

/** Reads a makefile as far as text allows: rules, simple variables, recipes. Source: GNU make manual 4.4. */
export function parseMakefile(text: string, given: ReadonlyMap<string, string>): RecipeFile {
  const recipes = new Map<string, { needs: string[]; lines: string[] }>();
  const variables = new Map<string, string>();
  const atOnce: string[] = [];
  let first: string | null = null;
  let isPartial = false;
  let current: string[] = [];
  const fill = (line: string, target: string, needs: readonly string[]): string =>
    fillIn(line, (name) => {
      if (name === '@') return target;
      if (name === '<') return needs[0] ?? '';
      if (name === '^' || name === '+') return needs.join(' ');
      return given.get(name) ?? variables.get(name) ?? null;
    });
  for (const line of text.replace(/\\\r?\n\s*/g, ' ').split(/\r?\n/, MAX_LINES)) {
    if (line.startsWith('\t')) {
      for (const name of current) {
        const recipe = recipes.get(name);
        recipe?.lines.push(fill(line.slice(1).replace(/^[@+\s-]+/, ''), name, recipe.needs));
      }
      continue;
    }
    for (const [, command] of line.matchAll(/\$\(shell\s+([^()]*(?:\([^()]*\)[^()]*)*)\)/g))
      if (command) atOnce.push(fill(command, '', []));
    const assignment = /^\s*(?:export\s+|override\s+)?([\w.-]+)\s*(:{0,3}=|\?=|\+=|!=)\s*(.*)$/.exec(line);
    if (assignment) {
      const [, name = '', kind = '', value = ''] = assignment;
      if (kind === '!=') atOnce.push(value);
      else if (kind === '+=') variables.set(name, `${variables.get(name) ?? ''} ${value}`.trim());
      else if (kind !== '?=' || !variables.has(name)) variables.set(name, value);
      continue;
    }
    if (/^\s*-?(include|sinclude)\s/.test(line)) isPartial = true;
    const rule = /^([^#\s:=][^#:=]*)::?(?!\s*=)([^#;]*)(?:;\s*(.*))?$/.exec(line);
    if (!rule) {
      if (line.trim() !== '' && !line.trim().startsWith('#')) current = [];
      continue;
    }
    const needs = fill(rule[2] ?? '', '', [])
      .split(/\s+/)
      .filter((part) => part !== '' && part !== '|');
    current = fill(rule[1] ?? '', '', [])
      .split(/\s+/)
      .filter((part) => part !== '');
    for (const name of current) {
      const known = recipes.get(name) ?? { needs: [], lines: [] };
      known.needs.push(...needs);
      if (rule[3]) known.lines.push(fill(rule[3], name, known.needs));
      recipes.set(name, known);
      if (first === null && !name.startsWith('.')) first = name;
    }
  }
  return { recipes, first, atOnce, isPartial };
}

/** A line does not grow beyond this by what is filled in; what would make it grow further stays as a variable. */
const MOST_FILLED = 64 * 1024;

/** Fills in `$(X)`, `${X}` and `$X`; `$$` becomes `$`. A name without a value stays as a variable that cannot be known. */
function fillIn(
  text: string,
  valueOf: (name: string) => string | null,
  depth = 0,
  budget = { characters: MOST_FILLED },
): string {
  if (depth > 6) return text;
  return text.replace(
    /\$(?:\$|\(([\w.@<^+*?%-]+)\)|\{([\w.@<^+*?%-]+)\}|([\w@<^+*?%]))/g,
    (all, round?: string, curly?: string, single?: string) => {
      if (all === '$$') return '$';
      const name = round ?? curly ?? single ?? '';
      if (name === 'MAKE') return 'make';
      const value = budget.characters > 0 ? valueOf(name) : null;
      budget.characters -= value?.length ?? 0;
      return value === null
        ? `\${${name.replace(/\W/g, '_') || 'MAKE_VARIABLE'}}`
        : fillIn(value, valueOf, depth + 1, budget);
    },
  );
}

/** Reads a justfile: recipes with indented lines, dependencies, `{{variables}}`. Source: just manual 1.36. */
export function parseJustfile(text: string): RecipeFile {
  const recipes = new Map<string, { needs: string[]; lines: string[] }>();
  const variables = new Map<string, string>();
  const atOnce: string[] = [];
  let first: string | null = null;
  let current: { needs: string[]; lines: string[] } | null = null;
  let isPartial = false;
  for (const line of text.split(/\r?\n/, MAX_LINES)) {
    if (/^\s+\S/.test(line) && current) {
      current.lines.push(
        line
          .trim()
          .replace(/^[@-]+/, '')
          .replace(
            /\{\{([^{}]*)\}\}/g,
            (_all, inner: string) => variables.get(inner.trim()) ?? `\${${inner.trim().replace(/\W/g, '_')}}`,
          ),
      );
      continue;
    }
    const assignment = /^(?:export\s+)?([\w-]+)\s*:=\s*(.*)$/.exec(line);
    if (assignment) {
      const value = (assignment[2] ?? '').trim();
      const command = /^`([^`]*)`$/.exec(value)?.[1];
      if (command !== undefined) atOnce.push(command);
      else if (/^(['"]).*\1$/.test(value)) variables.set(assignment[1] ?? '', value.slice(1, -1));
      continue;
    }
    const alias = /^alias\s+([\w-]+)\s*:=\s*([\w-]+)/.exec(line);
    if (alias) recipes.set(alias[1] ?? '', { needs: [alias[2] ?? ''], lines: [] });
    if (/^(import|mod)\b/.test(line)) isPartial = true;
    const head = /^@?([\w-]+)(\s[^:]*)?:(?!=)\s*(.*)$/.exec(line);
    if (!head) continue;
    const name = head[1] ?? '';
    current = {
      needs: (head[3] ?? '')
        .replace(/[()]/g, ' ')
        .split(/\s+/)
        .filter((part) => /^[\w-]+$/.test(part)),
      lines: [],
    };
    recipes.set(name, current);
    first ??= name;
  }
  return { recipes, first, atOnce, isPartial };
}

/** Reads a Taskfile: commands, dependencies, `{{.VARIABLES}}`. Null where it is no YAML of that shape. Source: taskfile.dev 3. */
export function parseTaskfile(text: string): RecipeFile | null {
  const root = record(parseYaml(text));
  const tasks = record(root?.['tasks'] ?? null);
  if (root === null || tasks === null) return null;
  const variables = new Map(
    Object.entries(record(root['vars'] ?? null) ?? {}).flatMap(([name, value]): [string, string][] =>
      typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : [],
    ),
  );
  const filled = (line: string): string =>
    line.replace(/\{\{\s*\.?(\w+)[^}]*\}\}/g, (_all, name: string) => variables.get(name) ?? `\${${name}}`);
  const recipes = new Map<string, Recipe>();
  for (const [name, value] of Object.entries(tasks)) recipes.set(name, taskRecipe(value, filled));
  // `sh:` of variables runs before anything else does.
  const atOnce = Object.values(record(root['vars'] ?? null) ?? {}).flatMap((value) => {
    const line = record(value)?.['sh'];
    return typeof line === 'string' ? [filled(line)] : [];
  });
  return { recipes, first: recipes.has('default') ? 'default' : null, atOnce, isPartial: 'includes' in root };
}

const record = (value: unknown): Readonly<Record<string, unknown>> | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;

/** A task is a line, a list of lines, or a table with `cmds`, `cmd` and `deps`; a line may be another task. */
function taskRecipe(value: unknown, filled: (line: string) => string): Recipe {
  const table = record(value);
  const given = table === null ? value : (table['cmds'] ?? table['cmd'] ?? []);
  const items: readonly unknown[] = Array.isArray(given) ? given : [given];
  const deps: readonly unknown[] = Array.isArray(table?.['deps']) ? (table['deps'] as unknown[]) : [];
  const lines: string[] = [];
  const needs: string[] = [];
  for (const item of items) {
    const inner = record(item);
    const line = inner === null ? item : (inner['cmd'] ?? inner['defer']);
    if (typeof line === 'string') lines.push(filled(line));
    if (typeof inner?.['task'] === 'string') needs.push(inner['task']);
  }
  for (const dep of deps) {
    const name = record(dep)?.['task'] ?? dep;
    if (typeof name === 'string') needs.push(name);
  }
  return { needs, lines };
}

/** The value of a YAML text; null when it is none. */
function parseYaml(text: string): unknown {
  const document = parseDocument(text, { logLevel: 'silent' });
  return document.errors.length > 0 ? null : document.toJS({ maxAliasCount: 50 });
}

/** Runs recipes and what they need, each once, needs first. Those that are not found run unseen code, or make nothing. */
function runRecipes(run: Run, file: RecipeFile, names: readonly string[], folder: Word | null, what: string): void {
  const done = new Set<string>();
  const options = folder ? { cwd: folder } : {};
  for (const command of file.atOnce.slice(0, 20)) run.code('sh', exactWord(command), options);
  const visit = (name: string): void => {
    if (done.has(name) || done.size > MAX_RECIPES) return;
    done.add(name);
    const recipe = file.recipes.get(name) ?? patternRecipe(file, name);
    if (!recipe) return;
    recipe.needs.forEach(visit);
    const [first = ''] = recipe.lines;
    if (first.startsWith('#!')) {
      const language = /python/.test(first)
        ? 'python'
        : /node|deno|bun/.test(first)
          ? 'javascript'
          : /perl/.test(first)
            ? 'perl'
            : /ruby/.test(first)
              ? 'ruby'
              : 'bash';
      run.code(language, exactWord(recipe.lines.slice(1).join('\n')), options);
    } else
      for (const line of recipe.lines)
        if (line.trim() !== '' && !line.trim().startsWith('#')) run.code('sh', exactWord(line), options);
  };
  for (const name of names) {
    if (!file.recipes.has(name) && !patternRecipe(file, name)) unseen(run, `${what} ${name}`);
    visit(name);
  }
  if (file.isPartial) unseen(run, what);
}

/** `%.o` fits `main.o`. */
function patternRecipe(file: RecipeFile, name: string): Recipe | undefined {
  for (const [pattern, recipe] of file.recipes) {
    const at = pattern.indexOf('%');
    if (
      at >= 0 &&
      name.length >= pattern.length &&
      name.startsWith(pattern.slice(0, at)) &&
      name.endsWith(pattern.slice(at + 1))
    )
      return recipe;
  }
  return undefined;
}

function unseen(run: Run, what: string): void {
  const [, ...targets] = what.split(' ');
  const builds = targets.every((name) => /^(?:all|clean)$/.test(name) || isCheckOrBuild(name));
  run.emit(
    'execute',
    { type: 'process', process: what },
    { traits: builds ? ['unreviewed', 'project-code'] : ['unreviewed'], note: 'runs code of the project' },
  );
}

/** The first of some files whose text is known. */
function textOf(run: Run, folder: string | null, names: readonly string[]): string | null {
  if (folder === null) return null;
  for (const name of names) {
    const text = run.textOf(exactWord(joinPath(folder, name, run.facts.platform)));
    if (text !== null) return text;
  }
  return null;
}

function make(run: Run): void {
  const words = argumentsOf(run.invocation);
  if (isHelpOnly(words)) return;
  const parsed = parseOptions(
    {
      flags:
        '-b -m -B|--always-make -d -e|--environment-overrides -i|--ignore-errors -k|--keep-going -L -n|--just-print|--dry-run|--recon -p|--print-data-base -q|--question -r -R -s|--silent|--quiet -S -t|--touch -v -w|--print-directory --no-print-directory --trace --no-silent --warn-undefined-variables',
      values: '-C|--directory -f|--file|--makefile -I|--include-dir -o|--old-file -W|--what-if --eval -E --shuffle0',
      optional: '-j|--jobs -l|--load-average -O|--output-sync --debug --shuffle',
      abbreviates: true,
    },
    words,
  );
  if (parsed.has('-q', '-p', '-v')) return;
  const folder = parsed.value('-C');
  const names = parsed.operands.filter(({ text }) => !text.includes('='));
  const given = new Map(
    parsed.operands
      .filter(({ text }) => text.includes('='))
      .map(({ text }): [string, string] => [
        text.slice(0, text.indexOf('=')).replace(/[:+?]$/, ''),
        text.slice(text.indexOf('=') + 1),
      ]),
  );
  const shell = given.get('SHELL');
  if (shell !== undefined)
    run.emit('execute', { type: 'process', process: shell }, { traits: ['covert'], note: 'recipes run in it' });
  for (const text of [...parsed.values('--eval'), ...parsed.values('-E')]) {
    run.emit(
      'execute',
      { type: 'process', process: 'make --eval' },
      { traits: ['covert', 'unreviewed'], certainty: text.certainty },
    );
    runRecipes(run, parseMakefile(text.text, given), [], folder, 'make');
  }
  const file = parsed.value('-f');
  const { input } = run.invocation;
  const isFed =
    /^(?:-|\/dev\/(?:stdin|fd\/0))$/.test(file?.text ?? '') && input.type === 'text' && input.certainty === 'exact';
  const text = isFed
    ? input.text
    : textOf(run, folderOf(run, folder), file ? [file.text] : ['GNUmakefile', 'makefile', 'Makefile']);
  if (file && file.text !== '-') run.read(file);
  if (text === null || names.some(({ certainty }) => certainty !== 'exact')) {
    if (!parsed.has('-n')) unseen(run, `make ${names.map((name) => name.text).join(' ')}`.trim());
    return;
  }
  const makefile = parseMakefile(text, given);
  const isTrial = parsed.has('-n', '-t');
  // With -n the recipes are only printed, but what runs while the file is read still runs.
  const targets = names.length > 0 ? names.map((name) => name.text) : makefile.first === null ? [] : [makefile.first];
  runRecipes(run, makefile, isTrial ? [] : targets, folder, 'make');
}

function just(run: Run): void {
  const words = argumentsOf(run.invocation);
  if (isHelpOnly(words)) return;
  const parsed = parseOptions(
    {
      flags:
        '-l|--list -n|--dry-run -s0 --summary --dump --evaluate --choose --fmt --check --init -q|--quiet -v|--verbose --yes --variables --groups --unstable -g --changelog --no-deps',
      values:
        '-f|--justfile -d|--working-directory --set --shell --shell-arg -c|--command --dotenv-path --color -s|--show --completions',
      stopsAtOperand: true,
    },
    words,
  );
  const command = parsed.value('-c');
  if (command) {
    // Words behind it that look like options are the command's.
    run.carry(words.slice(words.indexOf(command)));
    return;
  }
  if (parsed.has('-l', '-n', '--summary', '--dump', '--variables', '--groups', '-s', '--changelog')) return;
  const shell = parsed.value('--shell');
  if (shell)
    run.emit('execute', { type: 'process', process: shell.text }, { traits: ['covert'], note: 'recipes run in it' });
  const folder = parsed.value('-d');
  const file = parsed.value('-f');
  const text = textOf(run, folderOf(run, folder), file ? [file.text] : ['justfile', 'Justfile', '.justfile']);
  const [name] = parsed.operands;
  if (text === null || name?.certainty === 'dynamic') unseen(run, `just ${name?.text ?? ''}`.trim());
  else {
    const recipes = parseJustfile(text);
    const wanted = parsed.operands
      .map((word) => word.text)
      .filter((word, index) => index === 0 || recipes.recipes.has(word));
    runRecipes(
      run,
      recipes,
      wanted.length > 0 ? wanted : recipes.first === null ? [] : [recipes.first],
      folder,
      'just',
    );
  }
}

const TASKFILES = [
  'Taskfile.yml',
  'taskfile.yml',
  'Taskfile.yaml',
  'taskfile.yaml',
  'Taskfile.dist.yml',
  'Taskfile.dist.yaml',
];

/** `task X`: the commands of the task and of those it needs. Words behind `--` are for the task. */
function task(run: Run): void {
  const all = argumentsOf(run.invocation);
  const end = all.findIndex(({ text }) => text === '--');
  const words = end < 0 ? all : all.slice(0, end);
  if (isHelpOnly(words)) return;
  const parsed = parseOptions(
    {
      flags:
        '-l|--list -a|--list-all -f|--force -s|--silent -v|--verbose -w|--watch -y|--yes -p|--parallel -n|--dry --status --summary -i|--init -x|--exit-code -g|--global --version -j|--json --no-status --nested --insecure --offline --download --clear-cache -C0',
      values:
        '-d|--dir -t|--taskfile -o|--output -c|--color -C|--concurrency -I|--interval --sort --completion --timeout',
    },
    words,
  );
  if (parsed.has('-l', '-a', '-n', '--status', '--summary', '-i', '--version', '--completion')) return;
  const folder = parsed.value('-d');
  const file = parsed.value('-t');
  const text = textOf(run, folderOf(run, folder), file ? [file.text] : TASKFILES);
  const tasks = text === null ? null : parseTaskfile(text);
  const names = parsed.operands.filter((word) => !/^\w+=/.test(word.text));
  if (tasks === null || names.some(({ certainty }) => certainty !== 'exact')) {
    unseen(run, `task ${names.map((name) => name.text).join(' ')}`.trim());
    return;
  }
  runRecipes(run, tasks, names.length > 0 ? names.map((name) => name.text) : ['default'], folder, 'task');
}

/** `honcho start`, `foreman start`, `overmind s`: the lines of a Procfile. */
function procfile(run: Run): void {
  const words = argumentsOf(run.invocation);
  const [verb, ...names] = words.filter(({ text }) => !text.startsWith('-')).map(({ text }) => text);
  if (verb === 'run' && names.length > 0) {
    run.carry(words.slice(words.findIndex(({ text }) => text === 'run') + 1));
    return;
  }
  if (isHelpOnly(words) || !/^(?:start|s|)$/.test(verb ?? '')) return;
  const text = textOf(run, run.invocation.cwd, ['Procfile', 'Procfile.dev']);
  const lines = [...(text ?? '').matchAll(/^([\w-]+):\s*(.+)$/gm)];
  if (lines.length === 0) unseen(run, run.invocation.program);
  for (const [, name = '', line = ''] of lines)
    if (names.length === 0 || names.includes(name)) run.code('sh', exactWord(line));
}

/** Task runners whose files are not read: they run what the project says. */
const taskRunner = (run: Run): void => {
  const words = argumentsOf(run.invocation);
  if (
    isHelpOnly(words) ||
    words.some(({ text }) => /^(--list|-l|--list-all|-a|--summary|--dry|-n|--dry-run|--status|tasks|list)$/.test(text))
  )
    return;
  unseen(run, `${run.invocation.program} ${words.map(({ text }) => text).join(' ')}`.trim());
};

/** `poe X`, `task X` of taskipy: a task that pyproject.toml holds. */
function poe(run: Run): void {
  const words = argumentsOf(run.invocation);
  const [name, ...rest] = parseOptions(
    { values: '-C|--directory -e|--executor', stopsAtOperand: true },
    words,
  ).operands;
  if (isHelpOnly(words) || !name) return;
  if (!runTomlTask(run, ['pyproject.toml', 'poe_tasks.toml'], /^(?:tool\.poe\.)?tasks$/, name.text, rest))
    unseen(run, `poe ${name.text}`);
}

export const makePrograms: readonly ProgramEntry[] = [
  ...rows('make|gmake bmake mingw32-make nmake remake', make),
  ...rows('just', just),
  ...rows('task|go-task', task),
  ...rows('poe', poe),
  ...rows('honcho foreman overmind hivemind', procfile),
  ...rows('cargo-make earthly dagger act-run mask nur procfile runme', taskRunner),
];
