import * as vscode from 'vscode';
import { organisationSources, standardSources, type KeptFiles } from '../../adapters/policyFiles.js';
import type { PolicySource } from '../../core/policy/load.js';
import { settings } from '../settings.js';

/**
 * Policy files by layer: the machine's standard places, and those that the person's settings name. `kept`: what is kept of files
 * that were good, for a folder of the organisation that is out of reach.
 */
export function policySources(roots: readonly string[], kept?: KeptFiles): readonly PolicySource[] {
  const named: PolicySource[] = [];
  const organisation = settings.policy.organisation();
  const user = settings.policy.user();
  if (organisation !== null) {
    const key = settings.policy.organisationKey();
    named.push(...organisationSources(organisation, { key, isNamed: true, ...(kept === undefined ? {} : { kept }) }));
  }
  if (user !== null) named.push({ layer: 'user', path: user.replaceAll('\\', '/'), name: user, isRequired: true });
  const standard = standardSources(roots);
  return [...standard.filter(({ layer }) => layer !== 'user' || user === null), ...named];
}

/** Documents that may be policies: the language features ask {@link sourceOf} for each. */
export const MAYBE_POLICY: vscode.DocumentSelector = [
  { pattern: '**/.lacuna/*.{yaml,yml}' },
  { pattern: '**/policy.{yaml,yml}' },
  { pattern: '**/lacuna*.{yaml,yml}' },
];

/**
 * The source that a document is; null when it is no policy. A file in `.lacuna` counts as one of the workspace, also when only
 * another one extends it.
 */
export function sourceOf(document: vscode.TextDocument, roots: readonly string[]): PolicySource | null {
  const { scheme, fsPath } = document.uri;
  if (scheme !== 'file' && scheme !== 'untitled') return null;
  const path = fsPath.replaceAll('\\', '/');
  const known = policySources(roots).find((source) => source.path === path);
  if (known !== undefined) return known;
  return /\/\.lacuna\/[^/]+\.ya?ml$/.test(path)
    ? { layer: 'workspace', path, name: vscode.workspace.asRelativePath(document.uri, false) }
    : null;
}
