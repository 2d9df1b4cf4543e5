import type { Certainty, Effect, GitState, Place, Reversibility, Spare, Trait, Word } from './effect.js';
import type { Facts } from './facts.js';
import { isIgnoredBy } from './ignoreFiles.js';
import {
  canonicalPath,
  isAbsolute,
  isHarmlessDevice,
  joinPath,
  pathResource,
  placeOf,
  type PathResource,
} from './paths.js';
import {
  eitherSensitivity,
  isNestOfSecrets,
  PERSISTENCE_NOTES,
  sensitivityOf,
  sensitivityOfPattern,
  type Sensitivity,
} from './sensitivePaths.js';
import { expandGlob, nameMatches, pathMatches, withHidden, withoutHidden } from './shell/glob.js';
import { withNumber } from './shell/word.js';
import { isAmbiguouslyBuilt, isVital, looksBuilt, patternTakesVital } from './vital.js';

/** What is done to a path, as a word that is resolved here. */
export interface PathAction {
  readonly op: 'list' | 'read' | 'write' | 'delete' | 'move';
  readonly word: Word;
  /** Absolute; null when it cannot be known. */
  readonly cwd: string | null;
  readonly traits: readonly Trait[];
  readonly note: string;
  /** Null: that of the word. */
  readonly certainty: Certainty | null;
  /** Null: worked out from op, place and git. */
  readonly reversible: Reversibility | null;
  /** Whether a write changes the bytes, or only mode, owner or times; of a delete, `kept` says that what goes is empty. */
  readonly content: 'changed' | 'kept' | 'landing';
  /** Names that are left out below a folder. */
  readonly spares: readonly Spare[];
}

/** An effect that is not yet counted to a command. */
export type PathEffect = Omit<Effect, 'command'>;

/** How many matches of a glob git is asked about. */
const MAX_GIT_QUESTIONS = 40;

/**
 * The effects of one action on one path word: the action itself with place, git state and traits (secret, persist, guard,
 * catastrophic, discards, build-output…), a `persist` effect where what is written makes something run later, and a read of
 * each secret that a recursive read takes along. Empty for devices that hold nothing.
 */
export function pathEffects(action: PathAction, facts: Facts): readonly PathEffect[] {
  const { word, cwd } = action;
  if (word.certainty === 'dynamic' || (cwd === null && !isAbsolute(word.text, facts.platform))) {
    return dynamicEffects(action, facts);
  }
  if (word.certainty === 'pattern') return patternEffects(action, cwd ?? '/', facts);
  const keepsLink = action.op === 'delete' || action.op === 'move';
  // Some of them are links to whatever this very process has open, so they are known by the name that was written.
  const isDevice = isHarmlessDevice(joinPath(cwd ?? '/', word.text, facts.platform), facts.platform);
  if (isDevice && !keepsLink) return [];
  const path = canonicalPath(word.text, cwd ?? '/', facts, keepsLink ? 'keep' : 'follow');
  if (!keepsLink && isHarmlessDevice(path, facts.platform)) return [];
  return exactEffects(action, path, facts);
}

const isWriting = (op: PathAction['op']): boolean => op === 'write' || op === 'delete' || op === 'move';

function exactEffects(action: PathAction, path: string, facts: Facts): readonly PathEffect[] {
  const traits = new Set(action.traits);
  if (action.op === 'write') addNovelty(traits, path, action.content, facts);
  const sensitivity = sensitivityOf(path, facts);
  addSensitivity(
    traits,
    action.op,
    leavesSecrets(action, traits, path, facts) ? withoutSecret(sensitivity) : sensitivity,
  );
  const isReadAsWhole = action.op === 'read' && traits.has('recursive');
  if (isReadAsWhole && placeOf(path, facts) !== 'workspace' && isNestOfSecrets(path, facts)) traits.add('secret');
  const replaces = action.op === 'delete' || action.op === 'move' || traits.has('overwrite');
  const resource = pathResource(path, facts, replaces ? 'ask-git' : 'leave-git');
  const isLost = action.op !== 'delete' || action.content !== 'kept';
  if (replaces && isLost) addStakes(traits, action.op, [resource], sensitivity.isSecret, facts);
  if (action.op === 'delete' && traits.has('recursive') && isVital(path, facts)) traits.add('catastrophic');
  if (action.op === 'move' && isVital(path, facts)) traits.add('catastrophic');
  const isShared = (action.op === 'delete' || action.op === 'move') && isTemporaryRoot(path, facts);
  if (action.content === 'kept' && traits.has('recursive') && resource.place !== 'workspace' && isVital(path, facts)) {
    traits.add('catastrophic'); // `chmod -R 777 /` ends a system as surely as a delete.
  }
  // The folder for temporary files as a whole holds what others work with.
  const placed: PathResource = isShared ? { ...resource, place: 'outside' } : resource;
  const effects = [effectOf(action, placed, traits, 'exact')];
  addPersistence(effects, action, resource, sensitivity);
  addHistory(effects, action, resource);
  if (isReadAsWhole) effects.push(...nestedSecrets(path, action.spares, facts));
  return effects;
}

/** Whether a write touches no secret: it makes a file of the workspace that was not there, or changes no byte of it. */
const leavesSecrets = (action: PathAction, traits: ReadonlySet<Trait>, path: string, facts: Facts): boolean =>
  action.op === 'write' &&
  (action.content === 'kept' || traits.has('create') || facts.entry(path) === 'absent') &&
  placeOf(path, facts) === 'workspace';

const withoutSecret = (sensitivity: Sensitivity): Sensitivity => ({ ...sensitivity, isSecret: false });

/** Traits of a write after which what was there is there still. */
const KEEPING: readonly Trait[] = ['append', 'edit', 'create'];

/** Whether a write makes, replaces or keeps what is there. */
function addNovelty(traits: Set<Trait>, path: string, content: PathAction['content'], facts: Facts): void {
  if (traits.has('append') || traits.has('edit') || traits.has('create') || traits.has('overwrite')) return;
  const entry = facts.entry(path);
  if (entry === 'absent') traits.add('create');
  else if ((entry === 'file' || entry === 'link') && content !== 'kept') traits.add('overwrite');
}

function patternEffects(action: PathAction, cwd: string, facts: Facts): readonly PathEffect[] {
  const written = absoluteGlob(action.word.text, cwd, facts);
  const glob = withoutHidden(written);
  const traits = new Set(action.traits);
  const taken = action.op === 'read' ? written : glob;
  const matches = expandGlob(taken, facts);
  // What is read is there already: where the files are known, they tell, and not what else the glob could name.
  const isKnown = action.op === 'read' && matches !== null && matches.length > 0;
  let sensitivity = isKnown
    ? sensitivityOf(matches[0] ?? glob, facts)
    : sensitivityOfPattern(glob, facts, (path) => pathMatches(taken, path, facts));
  for (const path of matches ?? []) sensitivity = eitherSensitivity(sensitivity, sensitivityOf(path, facts));
  addSensitivity(traits, action.op, sensitivity);
  let resource: PathResource = { type: 'path', path: glob, place: placeOfGlob(glob, facts), git: 'unknown' };
  // What a glob names is there already: writing to it replaces it, unless the program says that it only adds or changes.
  // A name with a number in it, or a date, is made up for one file.
  const isMadeUp = action.content === 'landing' || withNumber(action.word, '') !== null;
  const replaces =
    action.op === 'write' &&
    action.content !== 'kept' &&
    matches?.length !== 0 &&
    (matches !== null || !isMadeUp) &&
    KEEPING.every((trait) => !traits.has(trait));
  if (replaces) traits.add('overwrite');
  if (replaces || action.op === 'delete' || action.op === 'move') {
    const isLost = action.content !== 'kept';
    if (isLost && (matches === null || matches.length > 1)) traits.add('mass');
    const loose = matches === null ? looseBelow(written, facts) : null;
    const asked = (loose ?? matches ?? []).slice(0, MAX_GIT_QUESTIONS);
    const resources = asked.map((path) => pathResource(path, facts, 'ask-git'));
    const isNoneLoose = loose?.length === 0;
    const isUnseen = matches === null && (loose === null || isNoneLoose);
    if (isLost && loose !== null && foundSecrets(written, action.spares, facts).length > 0) traits.add('secret');
    const git = !isUnseen
      ? mergedGit(resources.map((one) => one.git))
      : isNoneLoose && isLeftOut(glob, facts)
        ? 'ignored'
        : gitOfAll(glob, facts);
    resource = { ...resource, git };
    const staked = isUnseen ? [resource] : resources;
    if (isLost) addStakes(traits, action.op, staked, sensitivity.isSecret, facts);
    if (looksBuilt(glob, facts)) traits.add('build-output');
    // What lands somewhere takes the names that it has, and not all that is there.
    const isWhole = action.word.names !== 'files' && (action.op !== 'write' || action.content !== 'landing');
    if (isWhole && (patternTakesVital(glob, facts) || (matches ?? []).some((path) => isVital(path, facts))))
      traits.add('catastrophic');
    if (/\/(\*\*\/)?\*+$/.test(glob) && isTemporaryRoot(glob.replace(/\/(\*\*\/)?\*+$/, ''), facts))
      resource = { ...resource, place: 'outside' };
  }
  const effects = [effectOf(action, resource, traits, 'pattern')];
  addPersistence(effects, action, resource, sensitivity);
  addHistory(effects, action, resource);
  if (action.op === 'read' && matches === null) effects.push(...foundSecrets(written, action.spares, facts));
  return effects;
}

/** Secrets that a read of what a program found below a folder takes along. */
function foundSecrets(glob: string, spares: readonly Spare[], facts: Facts): readonly PathEffect[] {
  const [, folder, name] = /^(.*?)\/\*\*\/(\*\*[^/]+)$/.exec(glob) ?? [];
  if (folder === undefined || name === undefined || /[*?[\\]/.test(folder)) return [];
  return nestedSecrets(folder === '' ? '/' : folder, spares, facts, name);
}

function dynamicEffects(action: PathAction, facts: Facts): readonly PathEffect[] {
  const { word, cwd } = action;
  const inTemporary = withTemporary(word, facts);
  if (inTemporary) return pathEffects({ ...action, word: inTemporary }, facts);
  const traits = new Set(action.traits);
  const sensitivity = sensitivityOf(withUsualFolder(word.text, facts.home), facts);
  addSensitivity(traits, action.op, sensitivity);
  const isAnchored = cwd !== null || isAbsolute(word.text, facts.platform);
  const path = isAnchored && !word.text.startsWith('$') ? joinPath(cwd ?? '/', word.text, facts.platform) : word.text;
  const resource: PathResource = { type: 'path', path, place: 'unknown', git: 'unknown' };
  const note = action.note || (isWriting(action.op) ? reachWhenEmpty(word) : '');
  const effects = [effectOf({ ...action, note }, resource, traits, 'dynamic')];
  addPersistence(effects, action, resource, sensitivity);
  const fallback = withDefaults(word);
  if (fallback && isWriting(action.op)) effects.push(...pathEffects({ ...action, word: fallback, note }, facts));
  return effects;
}

/**
 * `$TMPDIR/x` is in the folder for temporary files, or, where the variable is not set, `/x`. Null where that would be something of
 * the system, and where more than this one part cannot be known.
 */
function withTemporary(word: Word, facts: Facts): Word | null {
  const [head, fallback] = /^\$(?:TMPDIR|\{TMPDIR(?::?-([^${}]*))?\})(?=\/|$)/.exec(word.text) ?? [];
  const [folder] = facts.temporary;
  if (head === undefined || folder === undefined) return null;
  const rest = word.text.slice(head.length);
  if (/\$|(^|\/)\.\.?(\/|$)/.test(rest)) return null;
  const isSure = fallback !== undefined && placeOf(fallback || '/', facts) === 'temp';
  if (!isSure && (rest === '' || /^\/[^/]*[*?[{]/.test(rest) || !/^\/[^/]/.test(rest))) return null;
  const unset = `${fallback ?? ''}${rest}`;
  if (!isSure && (isVital(unset, facts) || placeOf(unset, facts) === 'system')) return null;
  return { ...word, text: folder + rest, certainty: /[*?[]/.test(rest) ? 'pattern' : 'exact' };
}

/** Variables that name a folder of settings, and where that is when nobody sets them. Source: XDG base directories 0.8; the tools' manuals. */
const USUAL_FOLDERS: ReadonlyMap<string, string> = new Map([
  ['XDG_CONFIG_HOME', '.config'],
  ['XDG_DATA_HOME', '.local/share'],
  ['XDG_STATE_HOME', '.local/state'],
  ['ZDOTDIR', ''],
  ['GNUPGHOME', '.gnupg'],
  ['CARGO_HOME', '.cargo'],
  ['CODEX_HOME', '.codex'],
  ['CLAUDE_CONFIG_DIR', '.claude'],
  ['DOCKER_CONFIG', '.docker'],
]);

/** `$XDG_CONFIG_HOME/x` as the path that it mostly is, for what its name says. */
function withUsualFolder(text: string, home: string): string {
  const [head, plain, braced] = /^\$(?:(\w+)|\{(\w+)(?::?-[^}]*)?\})(?=\/)/.exec(text) ?? [];
  const folder = USUAL_FOLDERS.get(plain ?? braced ?? '');
  return head === undefined || folder === undefined
    ? text
    : `${home}${folder === '' ? '' : `/${folder}`}${text.slice(head.length)}`;
}

/** `${X:-/srv/a}/b` is `/srv/a/b` where X is not set, which is what its author expects; null without defaults. */
function withDefaults(word: Word): Word | null {
  const text = word.text.replace(/\$\{\w+:?[-=]([^${}]*)\}/g, '$1');
  if (text === word.text || text.includes('$') || text === '') return null;
  return { ...word, text, certainty: /[*?[]/.test(text) ? 'pattern' : 'exact' };
}

/** `$X/*` is `/*` when X is empty: what a dynamic word would reach then, in words; empty when that is nothing. */
function reachWhenEmpty(word: Word): string {
  const rest = /^\$(\w+|\{[^}]*\}|\([^)]*\))(\/.*)$/s.exec(word.text)?.[2];
  return rest === undefined
    ? ''
    : `it is ${rest.replace(/\\(.)/g, '$1')} if ${word.text.slice(0, -rest.length)} is empty`;
}

/** A glob word as an absolute glob: its literal folders joined to cwd and their links resolved. */
function absoluteGlob(text: string, cwd: string, facts: Facts): string {
  const at = text.search(/[*?[{\\]/);
  const slash = text.lastIndexOf('/', at);
  const folder = canonicalPath(slash < 0 ? '.' : text.slice(0, slash + 1), cwd, facts, 'follow');
  const rest = text.slice(slash + 1);
  if (facts.platform !== 'win32') return joinPath(folder, rest.replace(/^\/+/, ''), facts.platform);
  // A backslash escapes in a glob and parts a path of Windows: the glob is joined by the other rules, behind the folder.
  return folder.replace(/\/$/, '') + joinPath('/', rest, 'linux');
}

/** The folder that a glob names before its first sign; empty for the root. */
const literalFolder = (glob: string): string => glob.slice(0, glob.search(/[*?[{\\]/)).replace(/\/[^/]*$/, '');

/** Where all matches lie; what a glob matches can lie in the workspace even when its folder is above it. */
function placeOfGlob(glob: string, facts: Facts): Place {
  const folder = literalFolder(glob) || '/';
  return placeOf(folder, facts);
}

function addSensitivity(traits: Set<Trait>, op: PathAction['op'], sensitivity: Sensitivity): void {
  if (op !== 'list') {
    if (sensitivity.isSecret) traits.add('secret');
    if (sensitivity.isPersonal) traits.add('personal');
    if (sensitivity.isControlSocket) traits.add('grants-access');
  }
  if (sensitivity.isGuard && isWriting(op)) traits.add('guard-self');
}

function addStakes(
  traits: Set<Trait>,
  op: PathAction['op'],
  resources: readonly PathResource[],
  isSecret: boolean,
  facts: Facts,
): void {
  if (resources.length === 0) return;
  const isBuilt = ({ path, git }: PathResource): boolean => {
    if (!looksBuilt(path, facts)) return git === 'ignored' && !isSecret;
    if (git === 'tracked' || git === 'modified') return false;
    return !(git === 'untracked' && isAmbiguouslyBuilt(path, facts));
  };
  if (resources.every(isBuilt)) {
    traits.add('build-output');
    return;
  }
  if (op === 'move') return; // What is moved is still there.
  if (resources.some((resource) => !isBuilt(resource) && losesWork(resource, facts))) traits.add('discards');
}

/** Whether something below is in no commit. A folder of several states is asked for its uncommitted files. */
function losesWork({ path, git }: PathResource, facts: Facts): boolean {
  if (git === 'modified' || git === 'untracked') return true;
  return git === 'mixed' && (facts.uncommitted(path)?.length ?? 1) > 0;
}

/** What git says of a glob that was not expanded: only where its folder is ignored as a whole or is not there, it says anything. */
function gitOfAll(glob: string, facts: Facts): GitState {
  const folder = literalFolder(glob);
  if (placeOf(folder || '/', facts) !== 'workspace' || facts.roots.includes(folder)) return 'unknown';
  const state = facts.gitState(folder);
  return state === 'ignored' || (state === 'absent' && facts.entry(folder) === 'absent') ? state : 'unknown';
}

/** More files than this without a commit are not told one by one. Source: {@link Facts.uncommitted}. */
const MAX_LOOSE = 1_000;

/**
 * Of a glob that goes through folders at any depth: the files that it takes and no commit holds. Null where git cannot say, where it
 * would say too many, and where a folder of the workspace that git does not see into could be meant.
 */
function looseBelow(glob: string, facts: Facts): readonly string[] | null {
  const folder = literalFolder(glob) || '/';
  if (placeOf(folder, facts) !== 'workspace' || facts.repository(folder) === null) return null;
  const loose = facts.uncommitted(folder);
  if (loose === null || loose.length >= MAX_LOOSE) return null;
  const isTaken = (path: string): boolean => {
    for (let at = path.length; at > folder.length; at = path.lastIndexOf('/', at - 1))
      if (pathMatches(glob, path.slice(0, at), facts)) return true;
    return false;
  };
  return loose.filter(isTaken);
}

/** Whether git leaves out by name whatever a glob could name below its folder: `*.log`, with such a line in the `.gitignore` at the top. */
function isLeftOut(glob: string, facts: Facts): boolean {
  const root = facts.repository(literalFolder(glob))?.root;
  if (root === undefined || !glob.startsWith(`${root}/`)) return false;
  const text = facts.readText(`${root}/.gitignore`);
  const sample = glob
    .slice(root.length + 1)
    .replaceAll('**/', 'x/')
    .replace(/[*?]+/g, 'x');
  return text !== null && !/[[{\\]/.test(sample) && isIgnoredBy(text, sample, facts);
}

/** One git state for several paths. */
function mergedGit(states: readonly GitState[]): GitState {
  const [first, ...rest] = new Set(states);
  return first === undefined ? 'absent' : rest.length === 0 ? first : 'mixed';
}

function addPersistence(
  effects: PathEffect[],
  action: PathAction,
  resource: PathResource,
  sensitivity: Sensitivity,
): void {
  if (action.op !== 'write' || action.content === 'kept' || sensitivity.persistence === null) return;
  effects.push({
    op: 'persist',
    resource: sensitivity.isAgentConfig ? { type: 'agent-config', path: resource.path } : resource,
    certainty: effects[0]?.certainty ?? 'exact',
    reversible: reversibility('write', resource, new Set()),
    traits: [...(effects[0]?.traits ?? [])],
    note: PERSISTENCE_NOTES[sensitivity.persistence],
  });
}

/** What git keeps its commits, branches and index in; the lock files that it leaves behind when it breaks off are no part of it. */
const GIT_DATA = /\/\.git\/(?:objects|refs|packed-refs|logs|HEAD|ORIG_HEAD|index|worktrees|modules|shallow)(?:\/|$)/;

function addHistory(effects: PathEffect[], action: PathAction, resource: PathResource): void {
  if (!isWriting(action.op) || action.content === 'kept') return;
  if (!GIT_DATA.test(resource.path) || resource.path.endsWith('.lock')) return;
  effects.push({
    op: 'history',
    resource: { type: 'ref', remote: null, ref: '*' },
    certainty: effects[0]?.certainty ?? 'exact',
    reversible: 'no',
    traits: ['discards'],
    note: "it reaches into git's own data",
  });
}

const isTemporaryRoot = (path: string, facts: Facts): boolean =>
  facts.temporary.includes(path) ||
  /^(?:\/private)?(?:\/var)?\/tmp$/.test(path) ||
  (facts.platform === 'win32' && /^[a-z]:\/(?:windows\/)?te?mp$|\/appdata\/local\/temp$/i.test(path));

/** Secrets that lie directly in a folder that is read as a whole. Deeper ones are found by policy on the paths themselves. */
function nestedSecrets(
  path: string,
  spares: readonly Spare[],
  facts: Facts,
  pattern = withHidden('*'),
): readonly PathEffect[] {
  const names = facts.list(path) ?? [];
  const base = path.endsWith('/') ? path : `${path}/`;
  return names
    .filter((name) => nameMatches(pattern, name, facts.isCaseSensitive))
    .filter((name) => sensitivityOf(base + name, facts).isSecret && !isSpared(name, spares, facts))
    .slice(0, 8)
    .map((name) => ({
      op: 'read',
      resource: pathResource(base + name, facts, 'leave-git'),
      certainty: 'exact',
      reversible: 'yes',
      traits: ['secret'],
      note: 'taken along by a read of the whole folder',
    }));
}

/** Whether a file of this name is left out. */
const isSpared = (name: string, spares: readonly Spare[], facts: Facts): boolean =>
  spares.some(({ glob, what }) => what !== 'folders' && pathMatches(glob, name, facts));

function reversibility(op: PathAction['op'], { place }: PathResource, traits: ReadonlySet<Trait>): Reversibility {
  if (op === 'list' || op === 'read' || traits.has('create')) return 'yes';
  return place === 'workspace' ? 'checkpoint' : 'no';
}

function effectOf(
  action: PathAction,
  resource: PathResource,
  traits: ReadonlySet<Trait>,
  certainty: Certainty,
): PathEffect {
  return {
    op: action.op,
    resource,
    certainty: action.certainty ?? certainty,
    reversible: action.reversible ?? reversibility(action.op, resource, traits),
    traits: [...traits],
    note: action.note,
    ...(action.spares.length === 0 ? {} : { spares: action.spares }),
  };
}
