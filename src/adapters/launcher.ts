import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ownFolder } from './stateFolder.js';

/** Place of the start script that other agents' configurations name: it stays the same from version to version. */
export const launcherFile = (state: string): string =>
  path.join(state, process.platform === 'win32' ? 'hook.cmd' : 'hook.sh');

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Hands on to the start script of the installed version; says what to do, and blocks, when that is gone. */
const posix = (script: string): string => `#!/bin/sh
# Starts Lacuna's hook process. Written by Lacuna when it starts or sets an agent up; changes are lost.
script=${quoted(script)}
if [ -r "$script" ]; then exec sh "$script" "$@"; fi
cat >/dev/null
echo 'Lacuna is no longer where it was. Open the editor once, or take its hooks out of the settings of this agent.' >&2
exit 2
`;

const windows = (script: string): string => `@echo off
rem Starts Lacuna's hook process. Written by Lacuna when it starts or sets an agent up; changes are lost.
if exist "${script}" (
  call "${script}" %*
  exit /b %errorlevel%
)
echo Lacuna is no longer where it was. Open the editor once, or take its hooks out of the settings of this agent. 1>&2
exit /b 2
`;

/**
 * Writes the start script for the version whose bundles lie in `dist`, and where its Node is. Leaves them as they are when nothing
 * has changed. Returns the place of the script.
 */
export function placeLauncher(state: string, dist: string, runtime: string): string {
  const isWindows = process.platform === 'win32';
  const script = path.join(dist, '..', 'plugin', isWindows ? 'hook.cmd' : 'hook.sh');
  const file = launcherFile(state);
  put(file, isWindows ? windows(script).replaceAll('\n', '\r\n') : posix(script), 0o700);
  put(path.join(state, 'runtime'), runtime, 0o600);
  return file;
}

/** Writes a file at once, so that a hook that starts now reads the old or the new one, never half of it. */
function put(file: string, text: string, mode: number): void {
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  ownFolder(path.dirname(file));
  const draft = `${file}.${String(process.pid)}`;
  writeFileSync(draft, text, { mode });
  renameSync(draft, file);
}
