import type { GitState, Place, Resource } from './effect.js';
import type { Facts, Platform } from './facts.js';

/** A path resource: the one kind of resource that this file makes. */
export type PathResource = Extract<Resource, { type: 'path' }>;

/** Folders that belong to the operating system, not to a person. Source: FHS 3.0, hier(7), Apple's file system guide. */
export const SYSTEM_FOLDERS: Readonly<Record<Platform, readonly string[]>> = {
  linux: [
    '/bin',
    '/boot',
    '/etc',
    '/lib',
    '/lib32',
    '/lib64',
    '/libx32',
    '/opt',
    '/proc',
    '/root',
    '/run',
    '/sbin',
    '/snap',
    '/srv',
    '/sys',
    '/usr',
    '/var',
  ],
  darwin: [
    '/Applications',
    '/Library',
    '/System',
    '/bin',
    '/cores',
    '/etc',
    '/opt',
    '/private/etc',
    '/private/var',
    '/sbin',
    '/usr',
    '/var',
  ],
  win32: [
    'C:/Windows',
    'C:/Program Files',
    'C:/Program Files (x86)',
    'C:/ProgramData',
    'C:/Recovery',
    'C:/Boot',
    'C:/EFI',
  ],
};

/** Folders for temporary files besides those that the facts name. */
const TEMPORARY_FOLDERS: Readonly<Record<Platform, readonly string[]>> = {
  // The folders of macOS too: on Linux nothing else has these names.
  linux: ['/tmp', '/var/tmp', '/dev/shm', '/private/tmp', '/var/folders', '/private/var/folders'],
  darwin: ['/tmp', '/private/tmp', '/var/tmp', '/var/folders', '/private/var/folders'],
  // Git Bash has `/tmp`, which reads as a folder of the drive.
  win32: ['C:/Windows/Temp', 'C:/Temp', 'C:/tmp'],
};

/** Character devices that hold nothing and keep nothing: writing to them loses nothing, reading tells nothing. */
const HARMLESS_DEVICES =
  /^\/dev\/(null|zero|full|random|urandom|tty|ptmx|std(in|out|err)|fd(\/\d+)?)$|^\/proc\/self\/fd\/\d+$/;

/** Whether a path names a sink or source without content of its own, such as `/dev/null` (Git Bash has it too) or Windows' `NUL`. */
export const isHarmlessDevice = (path: string, platform: Platform): boolean =>
  platform === 'win32'
    ? /^(.*\/)?(nul|con|conin\$|conout\$)(:|\.[^/]*)?$/i.test(path) ||
      HARMLESS_DEVICES.test(path.replace(/^[a-z]:/i, ''))
    : HARMLESS_DEVICES.test(path);

/** Whether a text is an absolute path on the platform. `C:x` is not: it is relative to a folder of drive C. */
export function isAbsolute(text: string, platform: Platform): boolean {
  if (platform === 'win32') return /^([a-z]:[\\/]|[\\/])/i.test(text);
  return text.startsWith('/');
}

/** `\\\\.\\PhysicalDrive0`, `\\\\.\\C:`, `\\\\?\\GLOBALROOT\\…`: a device itself, not a file by its long name. */
const DEVICE_PATH =
  /^\/\/(?:\.\/(?!(?:[a-z]:\/|nul\b|con\b|unc\/))|\?\/(?=globalroot|volume\{|physicaldrive|harddisk))./i;

/** Windows spellings of one path brought together: separators, `\\?\`, drive letter, alternate stream, trailing dots. */
function windowsForm(text: string): string {
  let path = text.replaceAll('\\', '/');
  if (DEVICE_PATH.test(path)) return path.replace(/^\/\/\?/, '//.');
  path = path.replace(/^\/\/[?.]\/(UNC\/)?/i, (_all, unc: string | undefined) => (unc ? '//' : ''));
  path = path.replace(/^\/\?\?\//, '');
  // The forms of MSYS and Git Bash, of Cygwin, and of a Linux on Windows.
  if (text.startsWith('/')) path = path.replace(/^\/(?:cygdrive\/|mnt\/)?([a-z])(?=\/|$)/i, '$1:');
  path = path.replace(/^([a-z]):/i, (_all, drive: string) => `${drive.toUpperCase()}:`);
  const prefix = /^([A-Z]:)?/.exec(path)?.[0] ?? '';
  const parts = path
    .slice(prefix.length)
    .split('/')
    .map((part) => (part === '.' || part === '..' ? part : part.replace(/:.*$/, '').replace(/[. ]+$/, '')));
  return prefix + parts.join('/');
}

/**
 * Joins and normalises without looking at anything: `.`, `..`, doubled separators, NFC. Links are not followed, so the answer
 * is where the path points if no part of it is a link. `cwd` must be absolute.
 */
export function joinPath(cwd: string, text: string, platform: Platform): string {
  const form = platform === 'win32' ? windowsForm(text) : text;
  if (platform === 'win32' && DEVICE_PATH.test(form)) return form;
  let base = cwd;
  if (isAbsolute(form, platform)) {
    base =
      platform === 'win32' && form.startsWith('/') && !form.startsWith('//') ? (/^[A-Z]:/.exec(cwd)?.[0] ?? 'C:') : '';
  }
  const whole = base === '' ? form : `${base}/${form}`;
  const isUnc = platform === 'win32' && whole.startsWith('//');
  const drive = platform === 'win32' ? (/^[A-Z]:/.exec(whole)?.[0] ?? '') : '';
  const parts: string[] = [];
  for (const part of whole.slice(drive.length).split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..') parts.pop();
    else parts.push(part);
  }
  return (isUnc ? '//' : `${drive}/`) + parts.join('/').normalize('NFC');
}

/** Folds a path for comparing where the file system does not tell case apart. */
const folded = (path: string, facts: Pick<Facts, 'isCaseSensitive'>): string =>
  facts.isCaseSensitive ? path : path.toLowerCase();

/** Whether `path` is `folder` or lies below it. Both canonical. */
export function isWithin(path: string, folder: string, facts: Pick<Facts, 'isCaseSensitive'>): boolean {
  const inner = folded(path, facts);
  const outer = folded(folder, facts);
  return inner === outer || inner.startsWith(outer.endsWith('/') ? outer : `${outer}/`);
}

/** Whether something below `folder` could be `path` or the other way round: what is done to a folder is done to all in it. */
export const overlaps = (a: string, b: string, facts: Pick<Facts, 'isCaseSensitive'>): boolean =>
  isWithin(a, b, facts) || isWithin(b, a, facts);

const temporaryFolders = (facts: Facts): readonly string[] => [
  ...facts.temporary,
  ...TEMPORARY_FOLDERS[facts.platform],
  ...(facts.platform === 'win32' ? [`${facts.home}/AppData/Local/Temp`] : []),
];

const isTemporary = (path: string, facts: Facts): boolean =>
  temporaryFolders(facts).some((folder) => isWithin(path, folder, facts));

/** Where a canonical path lies. The workspace comes first, so a workspace in the home folder is `workspace`. */
export function placeOf(path: string, facts: Facts): Place {
  const isIn = (folders: readonly string[]): boolean => folders.some((folder) => isWithin(path, folder, facts));
  if (isIn(facts.roots)) return 'workspace';
  // A home that lies in a folder for temporary files is a home all the same.
  if (isTemporary(facts.home, facts) && isWithin(path, facts.home, facts)) return 'home';
  if (isIn(temporaryFolders(facts))) return 'temp';
  if (isWithin(path, facts.home, facts)) return 'home';
  if (facts.platform === 'win32') {
    if (DEVICE_PATH.test(path)) return 'device';
    return isIn(SYSTEM_FOLDERS.win32) || /^[A-Z]:\/?$/.test(path) ? 'system' : 'outside';
  }
  if (isWithin(path, '/dev', facts)) return 'device';
  return path === '/' || isIn(SYSTEM_FOLDERS[facts.platform]) ? 'system' : 'outside';
}

/** What to do with a link that stands last: reading and writing go through it, deleting and moving do not. */
export type LastLink = 'follow' | 'keep';

/**
 * The canonical form of a path as facts tell it: absolute, normalised, links followed as far as they are known. `keep` leaves a
 * link in last place as it is, since `rm link` takes the link and not what it points at.
 */
export function canonicalPath(text: string, cwd: string, facts: Facts, lastLink: LastLink): string {
  const joined = joinPath(cwd, text, facts.platform);
  if (lastLink === 'follow' || /[\\/]$/.test(text)) return facts.realPath(joined);
  const at = joined.lastIndexOf('/');
  if (at <= 0 || at === joined.length - 1) return joined;
  const folder = facts.realPath(joined.slice(0, at));
  return folder.endsWith('/') ? folder + joined.slice(at + 1) : `${folder}/${joined.slice(at + 1)}`;
}

/** Whether git is asked how it sees the path. It costs milliseconds, so only where work is at stake. */
export type GitQuestion = 'ask-git' | 'leave-git';

/** A path resource for a canonical path: place, and git state when it is asked for. */
export function pathResource(path: string, facts: Facts, git: GitQuestion): PathResource {
  const place = placeOf(path, facts);
  const state: GitState = git === 'ask-git' && place === 'workspace' ? facts.gitState(path) : 'unknown';
  return { type: 'path', path, place, git: state };
}

/** A path for people: relative to its workspace folder, with `~` for the home folder, else as it is. */
export function shownPath(path: string, facts: Pick<Facts, 'roots' | 'home' | 'isCaseSensitive'>): string {
  for (const root of facts.roots) {
    if (folded(path, facts) === folded(root, facts)) return '.';
    if (isWithin(path, root, facts)) return path.slice(root.endsWith('/') ? root.length : root.length + 1);
  }
  if (isWithin(path, facts.home, facts)) return `~${path.slice(facts.home.length)}`;
  return path;
}
