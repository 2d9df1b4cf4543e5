import { statSync } from 'node:fs';
import path from 'node:path';

/** Executable names of desktop VS Code, the released one first. */
const NAMES = process.platform === 'win32' ? ['code.cmd', 'code-insiders.cmd'] : ['code', 'code-insiders', 'codium'];
const MAC = '/Applications/Visual Studio Code.app/Contents/Resources/app/bin/code';

/**
 * Command that starts desktop VS Code on this machine: the one in `LACUNA_VSCODE`, one on PATH, or the application on a
 * Mac. Null where there is none, or no screen to show it on, or where it would only talk to a window elsewhere (a remote
 * terminal has a `code` too).
 */
export function findDesktop(): string | null {
  const named = process.env['LACUNA_VSCODE'];
  if (named !== undefined && named !== '') return named;
  if (process.platform === 'linux' && !process.env['DISPLAY'] && !process.env['WAYLAND_DISPLAY']) return null;
  const folders = (process.env['PATH'] ?? '').split(path.delimiter).filter((folder) => !folder.includes('remote-cli'));
  const candidates = [...folders.flatMap((folder) => NAMES.map((name) => path.join(folder, name))), MAC];
  return candidates.find(isExecutable) ?? null;
}

function isExecutable(file: string): boolean {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat !== undefined && stat.isFile() && (process.platform === 'win32' || (stat.mode & 0o111) !== 0);
}
