import { parseJson } from '../../json.js';
import { BUILD_TOOLS } from '../shell/programs/build.js';
import type { View } from '../view.js';
import { later, mark, newAmong, shownNames, type Finding, type Sides } from './finding.js';
import { lineHarm } from './lineHarm.js';

/** Scripts that a package manager runs by itself. Source: npm 10 scripts, yarn 4 lifecycle, Composer events. */
const BY_ITSELF =
  /^(?:(?:pre|post)?(?:install|uninstall|prepare|publish|pack|version|update-cmd|install-cmd|autoload-dump)|prepublishOnly|dependencies|pnpm:devPreinstall|(?:pre|post)-(?:install|update|autoload|root-package|create-project|package|status)[\w-]*)$/;

/** Parts of a manifest by which something runs at a commit, an install or a build. */
const HOOKS = [
  'husky',
  'lint-staged',
  'simple-git-hooks',
  'gitHooks',
  'ghooks',
  'pre-commit',
  'pre-push',
  'nano-staged',
  'git-hooks',
];

/** Names that people and scripts call and expect to know. */
const TAKEN =
  /^(?:sudo|doas|su|ssh|scp|git|gh|curl|wget|rm|cp|mv|ls|cat|grep|find|sed|awk|tar|npm|npx|pnpm|yarn|bun|node|pip\d?|python\d?|docker|podman|kubectl|make|bash|sh|zsh|env|code|vim|nano|tsc|cargo|go)$/;

interface Manifest {
  readonly scripts: ReadonlyMap<string, string>;
  readonly hooks: ReadonlyMap<string, string>;
  readonly bins: ReadonlySet<string>;
  /** Dependencies that come from elsewhere than the registry: `name from https://…`. */
  readonly strange: ReadonlySet<string>;
}

const NOTHING: Manifest = { scripts: new Map(), hooks: new Map(), bins: new Set(), strange: new Set() };

const record = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};

/** A script as one line: composer and others allow lists. */
const lineOf = (value: unknown): string =>
  Array.isArray(value)
    ? value.filter((part) => typeof part === 'string').join(' && ')
    : typeof value === 'string'
      ? value
      : '';

const STRANGE = /^(?:https?:|git(?:\+\w+)?:|ssh:|[\w.-]+\/[\w.-]+(?:#|$)|github:|gitlab:|bitbucket:|gist:)/;

function read(text: string): Manifest | null {
  if (text.trim() === '') return NOTHING;
  const parsed = record(parseJson(text));
  if (Object.keys(parsed).length === 0) return null;
  const scripts = { ...record(parsed['scripts']), ...record(parsed['tasks']) };
  const { bin } = parsed;
  return {
    scripts: new Map(
      Object.entries(scripts).map(([name, value]) => [name, lineOf(value) || lineOf(record(value)['command'])]),
    ),
    hooks: new Map(HOOKS.filter((name) => name in parsed).map((name) => [name, JSON.stringify(parsed[name])])),
    bins: new Set(
      typeof bin === 'string' ? [String(parsed['name'] ?? '').replace(/^@[^/]*\//, '')] : Object.keys(record(bin)),
    ),
    strange: new Set(
      ['dependencies', 'devDependencies', 'optionalDependencies', 'overrides', 'resolutions']
        .flatMap((part) => Object.entries(record(parsed[part])))
        .flatMap(([name, value]) =>
          typeof value === 'string' && STRANGE.test(value) ? [`${name} from ${value}`] : [],
        ),
    ),
  };
}

/** Pairs of a passage that could not be read as a whole: `"name": "text"`. Which part they stand in is not known. */
function readPassage(text: string): Manifest {
  const pairs = [...text.matchAll(/"([^"\\\n]+)"\s*:\s*"((?:[^"\\\n]|\\.)*)"/g)].map(
    ([, name = '', value = '']): [string, string] => [name, String(parseJson(`"${value}"`) ?? value)],
  );
  const hooks = HOOKS.filter((name) => new RegExp(`"${name}"\\s*:`).test(text)).map((name): [string, string] => [
    name,
    text,
  ]);
  return {
    // A version or an address is no line of a shell, and harmless as one.
    scripts: new Map(
      pairs.filter(
        ([name, value]) => (BY_ITSELF.test(name) && !/^[\^~<>=v]*\d+(?:\.\d+)/.test(value)) || /[\s;&|$`]/.test(value),
      ),
    ),
    hooks: new Map(hooks.filter(([name]) => !pairs.some(([key, value]) => key === name && /^[\^~<>=\d*]/.test(value)))),
    bins: new Set(),
    strange: new Set(pairs.filter(([, value]) => STRANGE.test(value)).map(([name, value]) => `${name} from ${value}`)),
  };
}

const changed = (
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): readonly [string, string][] => [...after].filter(([name, text]) => text !== '' && before.get(name) !== text);

/** A script that says nothing is wrong whatever is. */
const GIVES_UP = /^(?:exit 0|true|:|echo\b[^&|;]*)$|\|\|\s*(?:true|exit 0|:)\s*$/;
const CHECKS = /^(?:(?:pre|post)?(?:test|lint|check|typecheck|type-check|audit|verify|validate|ci)(?::.*)?)$/;

/**
 * What a change of a manifest (package.json, composer.json, deno.json) makes run later: scripts that run by themselves, hooks of git,
 * a name that is called and known, and any script that does more than builds do. Other scripts are judged when they are run.
 */
export function manifestFindings({ name, before, after, isNew }: Sides, view: View): readonly Finding[] {
  if (!/^(?:package|composer|deno)\.jsonc?$/.test(name)) return [];
  const [was, is] = [read(before), read(after)];
  const isRead = was !== null && is !== null;
  return compared(isRead ? was : readPassage(before), isRead ? is : readPassage(after), isNew, view);
}

/** Whether a script does nothing but call well-known tools and other scripts of the manifest, which are judged when they run. */
const isOnlyBuilding = (text: string): boolean =>
  text
    .split(/\s*(?:&&|\|\||;)\s*/)
    .every((line) => /^(?:(?:npm|pnpm|yarn|bun) run|yarn) [\w:-]+$/.test(line) || isWellKnown(line));

function isWellKnown(line: string): boolean {
  const [program = '', ...words] = line.replace(/^(?:npx|pnpm exec|yarn exec) /, '').split(' ');
  return (
    (BUILD_TOOLS.has(program) || /^(?:patch-package|is-ci|rimraf|true|exit)$/.test(program)) &&
    words.every((word) => /^[\w@./:=,*-]+$/.test(word) && !/\.\.|^\//.test(word))
  );
}

function compared(was: Manifest, is: Manifest, isNew: boolean, view: View): readonly Finding[] {
  const findings: Finding[] = [];
  const scripts = changed(was.scripts, is.scripts);
  for (const [script, text] of scripts.slice(0, 60)) {
    const harm = lineHarm(text, view);
    if (harm !== null) findings.push(later(`the script ${script} does more than a build: ${harm}`));
    else if (BY_ITSELF.test(script) && !isOnlyBuilding(text))
      findings.push(later(`the script ${script} runs by itself: ${text.slice(0, 120)}`));
  }
  const hooks = changed(was.hooks, is.hooks).map(([hook]) => hook);
  if (hooks.length > 0) findings.push(later(`runs at commits: ${shownNames(hooks)}`));
  const bins = newAmong(was.bins, is.bins);
  const shadowing = bins.filter((bin) => TAKEN.test(bin));
  if (shadowing.length > 0) findings.push(later(`answers to the name of a known program: ${shownNames(shadowing)}`));
  else if (bins.length > 0 && !isNew) findings.push(mark(null, `is found and run by name: ${shownNames(bins)}`));
  const strange = newAmong(was.strange, is.strange);
  if (strange.length > 0)
    findings.push(mark('adds-network', `takes code from elsewhere than the registry: ${shownNames(strange)}`));
  const given = scripts.filter(
    ([script, text]) => CHECKS.test(script) && GIVES_UP.test(text) && was.scripts.has(script),
  );
  if (given.length > 0)
    findings.push(
      mark('removes-check', `a check that cannot fail any more: ${shownNames(given.map(([script]) => script))}`),
    );
  return findings;
}

/** The same for scripts that a command sets, `npm pkg set scripts.x=y`, beside those that the manifest has; null: it cannot be read. */
export function scriptFindings(
  scripts: readonly (readonly [string, string])[],
  manifest: string | null,
  view: View,
): readonly Finding[] {
  const was = (manifest === null ? null : read(manifest)) ?? NOTHING;
  return compared(was, { ...was, scripts: new Map([...was.scripts, ...scripts]) }, true, view);
}

/** A script that runs by itself and is set to what only the command knows while it runs. */
export const unseenScript = (name: string): readonly Finding[] =>
  name === '*' || BY_ITSELF.test(name)
    ? [
        later(
          `${name === '*' ? 'its scripts are' : `the script ${name}, which runs by itself, is`} set to what cannot be seen`,
        ),
      ]
    : [];
