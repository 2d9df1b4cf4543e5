import { parse as parseJsonc, type ParseError } from 'jsonc-parser';
import type { Proposal } from '../lacuna/lacuna.js';
import type { Analysis, Effect, SimpleCommand } from './effect.js';
import type { Facts } from './facts.js';
import { isWithin } from './paths.js';
import { sensitivityOf } from './sensitivePaths.js';
import { pathMatches } from './shell/glob.js';
import type { View } from './view.js';

/**
 * Files in which agents and editors are told to call the guard. Relative to a workspace folder and to the home folder alike; a
 * trailing slash stands for all JSON files of a folder.
 */
const HOOK_FILES = [
  '.claude/settings.json',
  '.claude/settings.local.json',
  '.claude.json',
  '.codex/hooks.json',
  '.codex/config.toml',
  '.copilot/hooks/',
  '.copilot/settings.json',
  '.copilot/mcp-config.json',
  '.cursor/hooks.json',
  '.cursor/mcp.json',
  '.gemini/settings.json',
  '.github/hooks/',
  '.github/copilot/settings.json',
  '.github/copilot/settings.local.json',
  '.mcp.json',
  '.vscode/settings.json',
  '.vscode/mcp.json',
] as const;

/** Settings that switch hooks on, with another value than `true`. */
const SWITCHES_ON =
  /["'[]?\b(?:chat\.useHooks|chat\.plugins\.enabled|enableHooks)\b["'\]]*\s*[:=](?!\s*true\b)[^,}\n]*/g;
/** Settings that switch hooks off, or say where they are looked for, with another value than `false`. */
const SWITCHES_OFF =
  /\b(?:chat\.hookFilesLocations|chat\.disableAllHooks|disableAllHooks|allowManagedHooksOnly|chat\.hooks\.allowManagedOnly)\b["'\]]*\s*[:=](?!\s*false\b)[^,}\n]*/g;
/** Codex and Gemini: a feature of this name, and a list of hooks that are not to run. */
const SWITCHES_OTHER =
  /(?:^|[\n.{,])[ \t]*(?:codex_)?hooks[ \t]*=\s*false\b|"hooksConfig"\s*:\s*\{[^}]{0,2000}"(?:enabled"\s*:\s*false|disabled")[^}]*/g;
/** Our own settings. */
const OWN_SETTINGS = /["'[]lacuna\.[a-zA-Z][\w.]*["'\]]*\s*[:=][^,}\n]*/g;

const NAMES_US = /lacuna/i;

/** Switches in a settings file that turn hooks off or say how strict the guard is, each with its value. */
const thrownIn = (text: string): readonly string[] =>
  [SWITCHES_ON, SWITCHES_OFF, SWITCHES_OTHER, OWN_SETTINGS].flatMap((pattern) =>
    [...text.matchAll(pattern)].map(([found]) => found.replace(/\s+/g, '')),
  );

/** Whether any of these switches is named at all, as in `jq '."chat.useHooks" = $x'`. */
const NAMES_SWITCH =
  /chat\.useHooks|chat\.plugins\.enabled|chat\.hookFilesLocations|disableAllHooks|allowManaged(?:Hooks)?Only|hooksConfig|enableHooks|\blacuna\.[a-z]/i;

/** Whether a file is of the kind that can hold hooks or the switches of hooks. */
function holdsSettings(path: string, facts: Facts): boolean {
  const { persistence } = sensitivityOf(path, facts);
  return persistence === 'agent' || persistence === 'editor';
}

const record = (value: unknown): Readonly<Record<string, unknown>> | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : null;

/** The passages of a file that speak of us, each with where it stands: a hook with its matcher, a server, a setting. */
function ownEntries(path: string, text: string): readonly string[] {
  if (!NAMES_US.test(text)) return [];
  if (path.toLowerCase().endsWith('.toml')) return tomlEntries(text);
  const errors: ParseError[] = [];
  const root = record(parseJsonc(text, errors, { allowTrailingComma: true }));
  // What cannot be read is ours as a whole.
  if (root === null || errors.length > 0) return [text];
  return Object.entries(root).flatMap(([key, value]) =>
    Object.entries(record(value) ?? { '': value }).flatMap(([name, inner]) =>
      (Array.isArray(inner) ? inner : [inner])
        .map((item: unknown) => `${key}.${name}=${JSON.stringify(item)}`)
        .filter((entry) => NAMES_US.test(entry)),
    ),
  );
}

/** Tables of a TOML file that speak of us, as their text. */
const tomlEntries = (text: string): readonly string[] =>
  text
    .split(/\n(?=[ \t]*\[)/)
    .map((table) => table.trim())
    .filter((table) => NAMES_US.test(table));

/**
 * Whether a change of a file takes the guard away: a hook, server or setting of ours is gone or different afterwards, or a switch
 * is thrown that turns hooks off. `after` is null when it is not known.
 */
export function changesGuard(
  path: string,
  change: { readonly before: string | null; readonly after: string | null; readonly added: string },
  facts: Facts,
): boolean {
  if (!holdsSettings(path, facts)) return false;
  const before = change.before ?? '';
  const thrown = new Set(thrownIn(before));
  if (thrownIn(change.after ?? change.added).some((one) => !thrown.has(one))) return true;
  const ours = ownEntries(path, before);
  if (ours.length === 0 || change.after === null) return false;
  const kept = new Set(ownEntries(path, change.after));
  return ours.some((entry) => !kept.has(entry));
}

/** Where the guard's own files and the files that call it may lie: policies, hooks and settings. Folders stand for all in them. */
export const guardPlaces = (facts: Facts): readonly string[] =>
  [...facts.roots, facts.home].flatMap((folder) =>
    ['.lacuna', ...HOOK_FILES].map((name) => `${folder}/${name.replace(/\/$/, '')}`),
  );

/**
 * Whether a hook file that is there and speaks of us is among what is taken away. Names are compared first, and files looked at
 * only where one fits: hardly ever is what goes near a hook file.
 */
function takesHookFile({ certainty }: Effect, path: string, facts: Facts): boolean {
  const isPattern = certainty === 'pattern';
  const isTaken = (file: string): boolean =>
    isWithin(file, path, facts) || (isPattern && pathMatches(path, file, facts));
  const isOurs = (file: string): boolean =>
    isTaken(file) && facts.entry(file) !== 'absent' && NAMES_US.test(facts.readText(file) ?? '');
  const isNear = (folder: string): boolean =>
    isPattern || isWithin(folder, path, facts) || isWithin(path, folder, facts);
  const inFolder = (folder: string): boolean =>
    isNear(folder) && (facts.list(folder) ?? []).some((file) => file.endsWith('.json') && isOurs(`${folder}/${file}`));
  return [...facts.roots, facts.home].some((base) =>
    HOOK_FILES.some((name) =>
      name.endsWith('/') ? inFolder(`${base}/${name.slice(0, -1)}`) : isOurs(`${base}/${name}`),
    ),
  );
}

/** Where audit, checkpoints and sockets are when the environment puts them elsewhere than usual. */
function stateFolder(facts: Facts): string | null {
  const base = facts.environment(facts.platform === 'win32' ? 'LOCALAPPDATA' : 'XDG_STATE_HOME');
  return typeof base === 'string' && base !== '' ? `${base.replaceAll('\\', '/').replace(/\/+$/, '')}/lacuna` : null;
}

const TAKES_AWAY: ReadonlySet<Effect['op']> = new Set(['delete', 'move']);
const CHANGES: ReadonlySet<Effect['op']> = new Set(['write', 'delete', 'move', 'persist']);

/** Whether one effect touches the guard where its path alone does not say so. */
function touchesGuard(effect: Effect, { analysis, view, isShown }: Context): boolean {
  const { op, resource } = effect;
  if (!CHANGES.has(op) || (resource.type !== 'path' && resource.type !== 'agent-config')) return false;
  const { facts } = view;
  const { path } = resource;
  const state = stateFolder(facts);
  if (state !== null && (isWithin(path, state, facts) || (TAKES_AWAY.has(op) && isWithin(state, path, facts))))
    return true;
  if (TAKES_AWAY.has(op)) return takesHookFile(effect, path, facts);
  // A file kind shows what will stand there: it was compared passage by passage.
  if (isShown || !holdsSettings(path, facts)) return false;
  if (NAMES_US.test(facts.readText(path) ?? '')) return true;
  return (
    analysis.flows.some(
      ({ from, to }) => from.type === 'literal' && 'path' in to && to.path === path && thrownIn(from.text).length > 0,
    ) || analysis.commands.some(({ argv }) => argv.some(({ text }) => NAMES_SWITCH.test(text)))
  );
}

const EDITORS = /^(?:code|code-insiders|codium|vscodium|code-server|cursor|windsurf|code-oss|openvscode-server)$/;

/** `code --uninstall-extension lacuna.lacuna` and the like. */
function removesExtension({ program, argv }: SimpleCommand): boolean {
  if (!EDITORS.test(program.toLowerCase())) return false;
  const line = argv.map(({ text }) => text).join(' ');
  return /--(?:uninstall|disable)-extension\b/.test(line) && NAMES_US.test(line);
}

/** `lacuna hook --remove claude`, however the command line is started: only a person takes the guard away. */
function removesHooks({ argv }: SimpleCommand): boolean {
  const words = argv.map(({ text }) => text);
  const isOurs = words.some((word) => /(?:^|[\\/])lacuna$|lacuna.*cli\.js$|[\\/]dist[\\/]cli\.js$/i.test(word));
  return isOurs && words.includes('hook') && words.some((word) => word.startsWith('--remove'));
}

/** A tool that runs the editor's commands, told to take the extension away or to switch it off. */
function asksForRemoval(proposal: Proposal): boolean {
  if (proposal.kind !== 'CallTool') return false;
  const text = `${proposal.params.tool} ${JSON.stringify(proposal.params.input)}`;
  return (
    NAMES_US.test(text) && /uninstall|disable|reset|delete|remove/i.test(text) && /extension|plugin|hook/i.test(text)
  );
}

const REMOVAL: Omit<Effect, 'command'> = {
  op: 'delete',
  resource: { type: 'agent-config', path: 'lacuna.lacuna' },
  certainty: 'exact',
  reversible: 'no',
  traits: ['guard-self'],
  note: 'takes the guard away',
};

interface Context {
  readonly analysis: Analysis;
  readonly view: View;
  /** Whether the proposal shows the content of what it writes. */
  readonly isShown: boolean;
}

/**
 * Marks what would change the guard itself by another way than its own folders: a hook file of an agent that calls it, a folder
 * with one in it, a setting that switches hooks off, the extension taken out of the editor. Whichever way it is done, the mark is
 * the same, and the protections answer. Linear in effects, with a few files looked at when something is deleted or moved.
 */
export function markGuard(proposal: Proposal, analysis: Analysis, view: View): Analysis {
  const context: Context = { analysis, view, isShown: proposal.kind === 'WriteFile' || proposal.kind === 'EditFile' };
  const isNew = (effect: Effect): boolean => !effect.traits.includes('guard-self') && touchesGuard(effect, context);
  const removals = [
    ...analysis.commands.flatMap((command, at) =>
      removesExtension(command) || removesHooks(command) ? [{ ...REMOVAL, command: at }] : [],
    ),
    ...(asksForRemoval(proposal) ? [{ ...REMOVAL, command: null }] : []),
  ];
  const found = new Set(analysis.effects.filter(isNew));
  if (removals.length === 0 && found.size === 0) return analysis;
  return {
    ...analysis,
    effects: [
      ...analysis.effects.map((effect): Effect =>
        found.has(effect) ? { ...effect, traits: [...effect.traits, 'guard-self'] } : effect,
      ),
      ...removals,
    ],
  };
}
