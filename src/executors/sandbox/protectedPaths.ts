import { lstatSync, readdirSync, type Dirent } from 'node:fs';
import path from 'node:path';
import { sensitivityOf } from '../../core/effects/sensitivePaths.js';
import { isSystemError } from '../fill.js';

/** What stands in a workspace that walls must go around. Canonical paths. */
export interface ProtectedPaths {
  /** Files and folders that hold secrets: not to be read. */
  readonly secrets: readonly string[];
  /** Files and folders that make something run later: not to be changed. */
  readonly persistent: readonly string[];
}

/** Folders that hold what others made: no secret of the person is looked for in them. */
const SKIPPED: ReadonlySet<string> = new Set([
  'node_modules',
  '.venv',
  'venv',
  'target',
  'dist',
  'build',
  '__pycache__',
]);
const MAX_DEPTH = 6;
const MAX_FOLDERS = 3_000;
/** A folder that changed this recently may change again without its time showing it. */
const FRESH_MS = 50;

/** Names that can be special at all, so that most files cost nothing. */
const WORTH_A_LOOK =
  /^\.|secret|credential|password|token|key|env|vault|agent|claude|gemini|qwen|mcp|hook|pipeline|service.?account|\.(?:pem|p12|pfx|p8|jks|kdbx?|ppk|ovpn|tfstate|pth|sublime-project|code-workspace)|jenkinsfile|workspace|keytab|id_|auth|config|mise|netlify|vercel|buildspec|cloudbuild|lefthook|application_default|wallet|history|customize/i;

interface Seen {
  readonly mtimeMs: number;
  readonly lookedAtMs: number;
  readonly secrets: readonly string[];
  readonly persistent: readonly string[];
  readonly folders: readonly string[];
}

function listFolder(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (isSystemError(error)) return [];
    throw error;
  }
}

/** Looks through a folder once: what is special in it, and where to look on. */
function look(folder: string, home: string, mtimeMs: number): Seen {
  const secrets: string[] = [];
  const persistent: string[] = [];
  const folders: string[] = [];
  for (const entry of listFolder(folder)) {
    const file = path.join(folder, entry.name);
    if (WORTH_A_LOOK.test(entry.name) || folder.includes('/.')) {
      const { isSecret, persistence } = sensitivityOf(file, { home });
      if (isSecret) secrets.push(file);
      if (persistence !== null) persistent.push(file);
      if (isSecret || persistence !== null) continue;
    }
    if (entry.isDirectory() && !SKIPPED.has(entry.name)) folders.push(file);
  }
  return { mtimeMs, lookedAtMs: Date.now(), secrets, persistent, folders };
}

/**
 * Finds what must be protected below workspace folders. Remembers each folder's answer while its time of change stays the same,
 * so that a second look costs one `lstat` per folder. Bounded in depth and number; a link is never followed.
 */
export class ProtectedPathFinder {
  readonly #seen = new Map<string, Seen>();
  readonly #home: string;

  constructor(home: string) {
    this.#home = home;
  }

  find(roots: readonly string[]): ProtectedPaths {
    const secrets: string[] = [];
    const persistent: string[] = [];
    let level = roots;
    let left = MAX_FOLDERS;
    for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth += 1) {
      const next: string[] = [];
      for (const folder of level) {
        left -= 1;
        const seen = left >= 0 ? this.#folder(folder) : null;
        if (seen === null) continue;
        secrets.push(...seen.secrets);
        persistent.push(...seen.persistent);
        // Of git's own files only hooks and settings matter, and these stand at its top.
        if (path.basename(folder) !== '.git') next.push(...seen.folders);
      }
      level = next;
    }
    return { secrets, persistent };
  }

  #folder(folder: string): Seen | null {
    const stats = lstatSync(folder, { throwIfNoEntry: false });
    if (stats?.isDirectory() !== true) {
      this.#seen.delete(folder);
      return null;
    }
    const known = this.#seen.get(folder);
    if (known?.mtimeMs === stats.mtimeMs && known.lookedAtMs - known.mtimeMs > FRESH_MS) return known;
    const seen = look(folder, this.#home, stats.mtimeMs);
    if (this.#seen.size > 4 * MAX_FOLDERS) this.#seen.clear();
    this.#seen.set(folder, seen);
    return seen;
  }
}

/** Secrets of the home folder that are hidden from every command in isolation, relative to it. */
const HOME_SECRETS = [
  '.ssh',
  '.gnupg',
  '.aws',
  '.azure',
  '.kube',
  '.docker',
  '.oci',
  '.netrc',
  '.npmrc',
  '.yarnrc.yml',
  '.pypirc',
  '.pgpass',
  '.my.cnf',
  '.git-credentials',
  '.vault-token',
  '.terraformrc',
  '.terraform.d',
  '.password-store',
  '.mozilla',
  '.thunderbird',
  '.bash_history',
  '.zsh_history',
  '.python_history',
  '.node_repl_history',
  '.psql_history',
  '.claude',
  '.claude.json',
  '.codex',
  '.gemini',
  '.copilot',
  '.cursor',
  '.config/gcloud',
  '.config/gh',
  '.config/hub',
  '.config/git/credentials',
  '.config/op',
  '.config/doctl',
  '.config/rclone',
  '.config/google-chrome',
  '.config/chromium',
  '.config/Code',
  '.config/github-copilot',
  '.config/containers',
  '.config/lacuna',
  '.vscode-server/data',
  '.local/share/keyrings',
  '.local/share/code-server',
  '.local/state/lacuna',
  '.local/share/opencode',
  '.cargo/credentials',
  '.cargo/credentials.toml',
  '.gem/credentials',
  '.m2/settings.xml',
  '.gradle/gradle.properties',
  '.composer/auth.json',
  '.cache/huggingface/token',
  '.anthropic',
  '.bitcoin',
  '.ethereum',
  '.electrum',
  'Library/Keychains',
  'Library/Cookies',
  'Library/Application Support/Code',
  'Library/Application Support/Google/Chrome',
  'Library/Application Support/Firefox',
];

/** Secrets of the machine. */
const SYSTEM_SECRETS = ['/etc/shadow', '/etc/gshadow', '/etc/ssl/private', '/etc/wireguard', '/etc/krb5.keytab'];

/** Those of the well-known secrets that are there, outside of workspaces. */
export function knownSecrets(home: string): readonly string[] {
  const places = [...HOME_SECRETS.map((name) => path.join(home, name)), ...SYSTEM_SECRETS];
  return places.filter((place) => lstatSync(place, { throwIfNoEntry: false }) !== undefined);
}
