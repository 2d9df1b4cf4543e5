import { Document, isMap, isScalar, isSeq, visit, type Node } from 'yaml';
import type { RuleSpec } from './schema.js';

/** How rules are laid out: a line is as long as it has to be, so that nothing is folded in places that nobody chose. */
export const RULE_LAYOUT = { lineWidth: 0 } as const;

/** A rule as a node of a policy, as a person would write it: one field a line, short lists of names in one line. */
export function ruleNode(document: Document, rule: RuleSpec): Node {
  const node = document.createNode(rule);
  visit(node, {
    Collection: (_key, collection) => {
      const isList = isSeq(collection) && collection.items.every((item) => isScalar(item));
      if (isList || (isMap(collection) && collection.items.length === 0)) collection.flow = true;
    },
  });
  return node;
}

/** A rule as the entry of `rules:` that it becomes when it is written into a policy. */
export function ruleText(rule: RuleSpec): string {
  const document = new Document([]);
  document.contents = document.createNode([]);
  if (isSeq(document.contents)) document.contents.add(ruleNode(document, rule));
  return document.toString(RULE_LAYOUT);
}
