import type { Platform } from '../facts.js';

/**
 * Folders whose programs are the system's or the user's own installs; a program elsewhere is a file of the project. A relative
 * `bin/` or `scripts/` is the project's own.
 */
const PROGRAM_FOLDER =
  /^(\/|~\/|[A-Z]:\/)(.*\/)?(s?bin|Scripts|System32|shims|libexec)$|(^|\/)(\.bin|(\.?v?env|\.tox\/[^/]+)\/(bin|Scripts))$|^\/(usr|opt|nix|snap)\/|^\/Applications\/|\/node_modules\/|^[A-Z]:\/(Windows|Program Files)/i;

/** Base name of what was written as a program: without folder, `.exe` and the like. `C:\x\git.exe` → `git`. */
export function baseName(text: string, platform: Platform): string {
  const path = platform === 'win32' ? text.replaceAll('\\', '/') : text;
  const base = path.slice(path.lastIndexOf('/') + 1);
  return base.replace(/\.(exe|com|cmd|bat|ps1)$/i, '') || base;
}

/** The name without a version at its end: `python3.11` → `python`, `gcc-12` → `gcc`, `pip3` → `pip`. */
export const withoutVersion = (name: string): string => name.replace(/-?\d+(\.\d+)*$/, '') || name;

/** Whether a program was written as a path to a file that is not in a folder of installed programs: `./deploy.sh`. */
export function isLocalFile(text: string, platform: Platform): boolean {
  const path = platform === 'win32' ? text.replaceAll('\\', '/') : text;
  const at = path.lastIndexOf('/');
  return at >= 0 && !PROGRAM_FOLDER.test(path.slice(0, at) || '/');
}
