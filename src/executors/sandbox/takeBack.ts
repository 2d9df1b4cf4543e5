import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  cpSync,
} from 'node:fs';
import path from 'node:path';
import { isSystemError } from '../fill.js';

/** Settings of git that make it run something. Source: git-config(1). */
const RUNNING_SETTINGS =
  /^[ \t]*(?:fsmonitor|hookspath|sshcommand|pager|editor|askpass|gitproxy|external|textconv|clean|smudge|process|driver|helper|program|command|uploadpack|receivepack|insteadof|[\w-]+[ \t]*=[ \t]*!)/im;

/** Whether what stands new at a path that makes something run does so: a fresh repository's own harmless files do not. */
function isHarmless(file: string): boolean {
  const inGit = /\/\.git\/([^/]+)$/.exec(file)?.[1];
  if (inGit === 'hooks') return readdirSync(file).every((name) => name.endsWith('.sample'));
  if (inGit === 'config') return !RUNNING_SETTINGS.test(readFileSync(file, 'utf8'));
  return inGit === 'info';
}

const isThere = (file: string): boolean => lstatSync(file, { throwIfNoEntry: false }) !== undefined;

function moveAside(file: string, aside: string): void {
  mkdirSync(path.dirname(aside), { recursive: true });
  try {
    renameSync(file, aside);
  } catch (error) {
    if (!isSystemError(error) || error.code !== 'EXDEV') throw error;
    cpSync(file, aside, { recursive: true, verbatimSymlinks: true });
    rmSync(file, { recursive: true });
  }
}

/** A folder that was made for what was taken goes with it. */
function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (error) {
    if (!isSystemError(error)) throw error; // something else is in it: it stays
  }
}

/**
 * Takes what came into being at protected paths out of the workspace again, into a quarantine folder that a person can look
 * into. Walls cannot stand where nothing is; this is the wall's other half. Returns what was taken.
 */
export function takeBack(
  before: readonly string[],
  after: readonly string[],
  quarantine: string,
): readonly { readonly path: string; readonly aside: string }[] {
  const known = new Set(before);
  const taken: { path: string; aside: string }[] = [];
  for (const file of after) {
    if (known.has(file) || !isThere(file) || isHarmless(file)) continue;
    let aside = path.join(quarantine, file);
    for (let copy = 1; existsSync(aside); copy += 1) aside = path.join(quarantine, `${file}.${String(copy)}`);
    moveAside(file, aside);
    removeIfEmpty(path.dirname(file));
    taken.push({ path: file, aside });
  }
  return taken;
}
