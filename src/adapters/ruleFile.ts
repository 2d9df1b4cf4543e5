import { mkdirSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { appendRule } from '../core/policy/appendRule.js';
import type { RuleSpec } from '../core/policy/schema.js';
import { withFileLock } from './fileLock.js';
import { policyFiles } from './policyFiles.js';
import { replaceFile } from './replaceFile.js';

/**
 * Adds a rule at the end of a policy file, which is made when it is not there. The file is either as before or has the rule:
 * it is written beside and moved into place. Rejects with words for people where the file is broken or has such an id already.
 */
export async function addRuleToFile(file: string, rule: RuleSpec): Promise<void> {
  mkdirSync(path.dirname(file), { recursive: true });
  await withFileLock(`${file}.lock`, () => {
    const read = policyFiles.readText(file);
    if (read.type === 'too-large') throw new Error(`${file} is too large; nothing was added.`);
    if (read.type === 'unreadable') throw new Error(`${file} cannot be read: ${read.message}`);
    const added = appendRule(file, read.type === 'absent' ? null : read.text, rule);
    if (!added.ok) throw new Error(added.error);
    // A link stays a link: what it names is replaced.
    if (read.type === 'absent') replaceFile(file, added.value, 0o644);
    else replaceFile(realpathSync(file), added.value, statSync(file).mode & 0o777);
  });
}
