import { isSeq, parseDocument } from 'yaml';
import { err, ok, type Result } from '../result.js';
import { parsePolicy } from './parse.js';
import { problemLine } from './problem.js';
import { RULE_LAYOUT, ruleNode } from './ruleText.js';
import type { RuleSpec } from './schema.js';

/**
 * Text of a policy file with one more rule at its end; comments and order stay. `text` is null where there is no file yet.
 * An error, in words for people, where the file is broken or has a rule of that id: nothing is mended behind its owner's back.
 */
export function appendRule(name: string, text: string | null, rule: RuleSpec): Result<string, string> {
  const before = text === null || text.trim() === '' ? 'version: 1\n' : text;
  const parsed = parsePolicy(name, before);
  if (!parsed.ok) {
    const [first] = parsed.error;
    return err(`The policy has mistakes; mend them first. ${first === undefined ? name : problemLine(first)}`);
  }
  const rules = parsed.value.spec.rules ?? [];
  if (rules.some(({ id }) => id === rule.id)) return err(`${name} already has a rule with the id "${rule.id}".`);
  const document = parseDocument(before);
  if (!document.has('rules')) document.set('rules', document.createNode([]));
  const list = document.get('rules');
  if (!isSeq(list)) return err(`The rules of ${name} are not written as a list; add this one by hand.`);
  if (list.items.length === 0) list.flow = false;
  list.add(ruleNode(document, rule));
  const after = document.toString(RULE_LAYOUT);
  const again = parsePolicy(name, after);
  return again.ok && again.value.spec.rules?.length === rules.length + 1
    ? ok(after)
    : err(`The rule does not fit into ${name}; add it by hand.`);
}
