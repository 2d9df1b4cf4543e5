import { closeSync, fstatSync, lstatSync, openSync, readdirSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { PolicyFiles, PolicySource, PolicyText } from '../core/policy/load.js';
import { signatureProblem } from './policySignature.js';

/** Above this a policy is not read at all; the parser has the exact limit. */
const MAX_BYTES = 4 * 1024 * 1024;

/** Policy files on this machine. */
export const policyFiles = {
  readText(file: string, source?: PolicySource): PolicyText {
    try {
      const handle = openSync(file, 'r');
      try {
        const stats = fstatSync(handle);
        if (!stats.isFile()) return { type: 'unreadable', message: 'it is not a file' };
        if (stats.size > MAX_BYTES) return { type: 'too-large' };
        const bytes = readFileSync(handle);
        const problem = source?.key === undefined ? null : signatureProblem(source.key, file, bytes);
        return problem === null ? decoded(bytes) : { type: 'unreadable', message: problem };
      } finally {
        closeSync(handle);
      }
    } catch (error) {
      if (!(error instanceof Error && 'code' in error)) throw error;
      return error.code === 'ENOENT' ? missing(file) : { type: 'unreadable', message: wordsOf(error) };
    }
  },
} satisfies PolicyFiles;

/** Nothing there is no policy; a link to nothing is one that went missing. */
function missing(file: string): PolicyText {
  const isLink = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  return isLink ? { type: 'unreadable', message: 'it is a link to a file that is not there' } : { type: 'absent' };
}

/** Why a file cannot be opened, without its path, which is told beside it. */
function wordsOf(error: Error & { readonly code: unknown }): string {
  const known: Readonly<Record<string, string>> = {
    EACCES: 'you have no permission to',
    EPERM: 'you have no permission to',
    ENOTDIR: 'a file stands where its folder should be',
    ELOOP: 'it is a link that leads in a circle',
    ENAMETOOLONG: 'its path is too long',
  };
  const code = String(error.code);
  return Object.hasOwn(known, code) ? (known[code] ?? code) : error.message;
}

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

/** Where an administrator puts the organisation's policy: a folder that nobody else can write. */
const organisationFolder = (): string =>
  process.platform === 'win32'
    ? `${(process.env['ProgramData'] ?? 'C:/ProgramData').replaceAll('\\', '/')}/lacuna`
    : '/etc/lacuna';

/** The organisation's policy: `policy.yaml` of a folder that only an administrator can write. */
export const organisationPolicyFile = (): string => `${organisationFolder()}/policy.yaml`;

/** How the files of an organisation are looked for. */
export interface OrganisationOptions {
  /** Public key that all must be signed with; null when they need not be. */
  readonly key: string | null;
  /** Whether somebody named the place, so that it is a mistake when nothing is there. */
  readonly isNamed?: boolean; // [false]
  /** What is kept of files that were good: what a folder held that is out of reach, is a source still. */
  readonly kept?: KeptFiles; // [nothing]
}

/** What is known of files that are kept, by the folder that held them. */
export interface KeptFiles {
  readonly below: (folder: string, layer: PolicySource['layer']) => readonly string[];
  readonly forget: (source: PolicySource) => void;
}

/**
 * Sources of an organisation at a path: the file, or each YAML file of the folder. What cannot be looked into stays one source, so
 * that it is told. What a person took out of the folder is forgotten.
 */
export function organisationSources(place: string, options: OrganisationOptions): readonly PolicySource[] {
  const { key, isNamed = false, kept } = options;
  const path = place.replaceAll('\\', '/').replace(/(?<=.)\/+$/, '');
  const sourceAt = (file: string): PolicySource => ({
    layer: 'organisation',
    path: file,
    name: file,
    ...(key === null ? {} : { key }),
    ...(isNamed ? { isRequired: true } : {}),
  });
  const found = filesOf(path);
  const before = kept?.below(path, 'organisation') ?? [];
  if (isNamed && lstatSync(path, { throwIfNoEntry: false }) === undefined) return [path, ...before].map(sourceAt);
  for (const file of before) if (!found.includes(file)) kept?.forget(sourceAt(file));
  return found.map(sourceAt);
}

function filesOf(place: string): readonly string[] {
  try {
    return readdirSync(place)
      .filter((name) => /\.ya?ml$/i.test(name))
      .sort()
      .map((name) => `${place}/${name}`);
  } catch (error) {
    if (error instanceof Error && 'code' in error) return [place]; // a file, absent, or not to be looked into
    throw error;
  }
}

/** The key beside the organisation's policy, `policy.pub`; null when there is none, so that nothing has to be signed. */
function standardKey(): string | null {
  try {
    return readFileSync(`${organisationFolder()}/policy.pub`, 'utf8');
  } catch (error) {
    // A key that is there and cannot be read is one that nothing fits.
    if (error instanceof Error && 'code' in error) return error.code === 'ENOENT' ? null : '';
    throw error;
  }
}

/**
 * Where policies of a workspace are looked for when nothing else is said: the organisation's file and its folder `policy.d`, the
 * person's, and each workspace folder's.
 */
export function standardSources(roots: readonly string[]): readonly PolicySource[] {
  const key = standardKey();
  const more = filesOf(`${organisationFolder()}/policy.d`).filter((file) => !file.endsWith('/policy.d'));
  return [
    ...[organisationPolicyFile(), ...more].flatMap((file) => organisationSources(file, { key })),
    { layer: 'user', path: userPolicyFile(), name: '~/.config/lacuna/policy.yaml' },
    ...roots.map((root): PolicySource => ({
      layer: 'workspace',
      path: `${root}/${WORKSPACE_POLICY}`,
      name: WORKSPACE_POLICY,
    })),
  ];
}
