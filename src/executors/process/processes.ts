import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { isSystemError } from '../fill.js';

/** A process as the system lists it. `rssKiB` is the memory it holds. */
export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  readonly rssKiB: number;
}

const PAGE_KIB = 4;

/** Text of a file below /proc; null when the process is gone or not ours to look at. */
function readProc(file: string): string | null {
  try {
    return readFileSync(file, 'latin1');
  } catch (error) {
    if (isSystemError(error)) return null;
    throw error;
  }
}

const pids = (): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);

/** One line of /proc/PID/stat. The name in brackets may hold anything, brackets too. Source: proc(5). */
function parseStat(pid: number, text: string): ProcessRow | null {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, parent, group, session] = fields;
  const rss = fields[21];
  if (state === undefined || state === 'Z' || parent === undefined || group === undefined) return null;
  return {
    pid,
    parent: Number(parent),
    group: Number(group),
    session: Number(session ?? 0),
    rssKiB: Number(rss ?? 0) * PAGE_KIB,
  };
}

function listLinux(): readonly ProcessRow[] {
  return pids().flatMap((pid) => {
    const text = readProc(`/proc/${String(pid)}/stat`);
    const row = text === null ? null : parseStat(pid, text);
    return row === null ? [] : [row];
  });
}

function listByPs(): Promise<readonly ProcessRow[]> {
  return new Promise((resolve) => {
    const options = { timeout: 2_000, maxBuffer: 8 * 1024 * 1024 };
    execFile('/bin/ps', ['-A', '-o', 'pid=,ppid=,pgid=,sess=,rss='], options, (error, text) => {
      if (error) {
        resolve([]);
        return;
      }
      const rows = text.split('\n').flatMap((line): ProcessRow[] => {
        const [pid, parent, group, session, rss] = line.trim().split(/\s+/).map(Number);
        if (!pid || parent === undefined || group === undefined) return [];
        return [{ pid, parent, group, session: session ?? 0, rssKiB: rss ?? 0 }];
      });
      resolve(rows);
    });
  });
}

/** All processes that live now; none where the system has no list (Windows). */
export async function listProcesses(): Promise<readonly ProcessRow[]> {
  if (process.platform === 'linux') return listLinux();
  return process.platform === 'win32' ? [] : listByPs();
}

/** The process, all that descend from it, and all of its group and session. */
export function treeOf(root: number, rows: readonly ProcessRow[]): readonly ProcessRow[] {
  const children = new Map<number, ProcessRow[]>();
  for (const row of rows) children.set(row.parent, [...(children.get(row.parent) ?? []), row]);
  const found = new Map<number, ProcessRow>();
  const queue = rows.filter((row) => row.pid === root || row.group === root || row.session === root);
  for (let row = queue.pop(); row !== undefined; row = queue.pop()) {
    if (found.has(row.pid)) continue;
    found.set(row.pid, row);
    queue.push(...(children.get(row.pid) ?? []));
  }
  return [...found.values()];
}

/**
 * Whether a process has more than `most` descendants. Far quicker than a list of all processes, and it stops counting there: what
 * doubles every few milliseconds has to be seen in its first ones. Linux only, and only where the kernel tells children; else false.
 */
export function hasMoreThan(root: number, most: number): boolean {
  if (process.platform !== 'linux') return false;
  const queue = [String(root)];
  for (let at = 0; at < queue.length; at += 1) {
    if (at > most) return true;
    const task = `/proc/${queue[at] ?? ''}/task`;
    // Nearly all have one thread, which goes by the number of the process.
    const text = readProc(`${task}/${queue[at] ?? ''}/children`);
    if (text !== null) queue.push(...text.split(' ').filter((pid) => pid !== ''));
  }
  return false;
}

/**
 * Processes whose environment holds this variable with this value, wherever they were adopted: a daemon that left its group
 * and session still has it. Linux only; elsewhere none are found.
 */
export function markedProcesses(name: string, value: string): readonly number[] {
  if (process.platform !== 'linux') return [];
  const wanted = `\0${name}=${value}\0`;
  return pids().filter((pid) => {
    if (pid === process.pid) return false;
    const text = readProc(`/proc/${String(pid)}/environ`);
    return text !== null && `\0${text}`.includes(wanted);
  });
}

/** Sends a signal to a process, or to a group when negative. False when there is none. */
export function signal(pid: number, name: 'SIGTERM' | 'SIGKILL'): boolean {
  try {
    return process.kill(pid, name);
  } catch (error) {
    if (isSystemError(error)) return false;
    throw error;
  }
}
