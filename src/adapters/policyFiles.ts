import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { PolicyFiles, PolicySource, PolicyText } from '../core/policy/load.js';

/** Above this a policy is not read at all; the parser has the exact limit. */
const MAX_BYTES = 4 * 1024 * 1024;

/** Policy files on this machine. */
export const policyFiles: PolicyFiles = {
  readText(file: string): PolicyText {
    try {
      const handle = openSync(file, 'r');
      try {
        const stats = fstatSync(handle);
        if (!stats.isFile()) return { type: 'unreadable', message: 'it is not a file' };
        if (stats.size > MAX_BYTES) return { type: 'too-large' };
        return decoded(readFileSync(handle));
      } finally {
        closeSync(handle);
      }
    } catch (error) {
      if (!(error instanceof Error && 'code' in error)) throw error;
      return error.code === 'ENOENT' || error.code === 'ENOTDIR'
        ? { type: 'absent' }
        : { type: 'unreadable', message: error.message };
    }
  },
};

/** A letter that cannot be read would make a pattern that never matches, so text that is not UTF-8 is no policy. */
function decoded(bytes: Uint8Array): PolicyText {
  try {
    return { type: 'text', text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch (error) {
    if (error instanceof TypeError) return { type: 'unreadable', message: 'it is not UTF-8 text' };
    throw error;
  }
}

/** Name of the workspace's policy file, below a workspace folder. */
export const WORKSPACE_POLICY = '.lacuna/policy.yaml';

/** The person's own policy: `$XDG_CONFIG_HOME/lacuna/policy.yaml`, `%APPDATA%\lacuna\policy.yaml` on Windows. */
export function userPolicyFile(environment: NodeJS.ProcessEnv = process.env): string {
  const own = process.platform === 'win32' ? environment['APPDATA'] : environment['XDG_CONFIG_HOME'];
  const base = own !== undefined && path.isAbsolute(own) ? own : path.join(os.homedir(), '.config');
  return path.join(base, 'lacuna', 'policy.yaml').replaceAll('\\', '/');
}

/** The organisation's policy: a place that only an administrator can write. */
export const organisationPolicyFile = (): string =>
  process.platform === 'win32'
    ? `${(process.env['ProgramData'] ?? 'C:/ProgramData').replaceAll('\\', '/')}/lacuna/policy.yaml`
    : '/etc/lacuna/policy.yaml';

/** Where policies of a workspace are looked for when nothing else is said: organisation, user, and each workspace folder. */
export const standardSources = (roots: readonly string[]): readonly PolicySource[] => [
  { layer: 'organisation', path: organisationPolicyFile(), name: organisationPolicyFile() },
  { layer: 'user', path: userPolicyFile(), name: '~/.config/lacuna/policy.yaml' },
  ...roots.map((root): PolicySource => ({
    layer: 'workspace',
    path: `${root}/${WORKSPACE_POLICY}`,
    name: WORKSPACE_POLICY,
  })),
];
