import * as vscode from 'vscode';
import { WORKSPACE_POLICY } from '../../adapters/policyFiles.js';
import type { WrittenLayer } from '../../core/policy/load.js';
import { settings } from '../settings.js';

/** Where a rule that a person accepts is written. */
export interface RuleTarget {
  readonly path: string;
  readonly layer: WrittenLayer;
  /** Whether a rule there is heard: what an untrusted folder allows is not. */
  readonly counts: boolean;
}

/** The person's own policy if one is set, else that of the first folder. */
export function ruleTarget(roots: readonly string[]): RuleTarget {
  const own = settings.policy.user();
  return own !== null
    ? { path: own, layer: 'user', counts: true }
    : {
        path: `${roots[0] ?? ''}/${WORKSPACE_POLICY}`,
        layer: 'workspace',
        counts: roots.length > 0 && vscode.workspace.isTrusted,
      };
}
