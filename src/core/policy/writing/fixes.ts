import { isMap, isPair, isScalar, isSeq, parseDocument, type YAMLMap } from 'yaml';
import { standingAt } from './cursor.js';
import { nearest } from './nearest.js';
import { fieldsAt, valuesAt } from './schemaGuide.js';

/** A change of a policy's text that mends something, or makes it say more. */
export interface Fix {
  readonly title: string;
  readonly edit: { readonly start: number; readonly end: number; readonly text: string };
  /** Whether it mends a mistake; else it is an improvement. */
  readonly isMending: boolean;
}

/** What can be mended at an offset. Empty where nothing is wrong or nothing is near. */
export function fixesFor(text: string, offset: number): readonly Fix[] {
  const found = standingAt(text, offset);
  return [...(found === null ? [] : spelling(found)), ...missingReason(text, offset), ...missingVersion(text)];
}

function spelling({ role, path, text, start, end }: NonNullable<ReturnType<typeof standingAt>>): readonly Fix[] {
  const words = (role === 'field' ? fieldsAt(path.slice(0, -1)) : valuesAt(path)).map((one) => one.text);
  if (words.includes(text)) return [];
  const meant = nearest(text, words);
  return meant === null ? [] : [{ title: `Write "${meant}"`, edit: { start, end, text: meant }, isMending: true }];
}

/** A rule that asks or refuses should say why: the agent and the person both read it. */
function missingReason(text: string, offset: number): readonly Fix[] {
  const rule = ruleAt(text, offset);
  if (rule === null) return [];
  const key = rule.items.find((pair) => isPair(pair) && isScalar(pair.key) && pair.key.value === 'id');
  const after = isScalar(key?.value) ? key.value.range?.[1] : undefined;
  if (after === undefined || !/^(ask|deny)$/.test(String(rule.get('verdict'))) || rule.has('reason')) return [];
  const column = columnOf(text, (isScalar(key?.key) ? key.key.range?.[0] : undefined) ?? 0);
  const insert = rule.flow === true ? ', reason: Say why.' : `\n${' '.repeat(column)}reason: Say why.`;
  return [{ title: 'Say why (add a reason)', edit: { start: after, end: after, text: insert }, isMending: false }];
}

const columnOf = (text: string, offset: number): number => offset - (text.lastIndexOf('\n', offset - 1) + 1);

/** The rule whose text holds the offset; null where there is none. */
function ruleAt(text: string, offset: number): YAMLMap | null {
  const rules = documentOf(text)?.get('rules');
  if (!isSeq(rules)) return null;
  const rule = rules.items.find(
    (item) => isMap(item) && (item.range?.[0] ?? 0) <= offset && offset <= (item.range?.[1] ?? 0),
  );
  return isMap(rule) ? (rule as YAMLMap) : null;
}

function missingVersion(text: string): readonly Fix[] {
  const document = documentOf(text);
  return document === null || !isMap(document.contents) || document.has('version')
    ? []
    : [{ title: 'Add "version: 1"', edit: { start: 0, end: 0, text: 'version: 1\n' }, isMending: true }];
}

function documentOf(text: string): ReturnType<typeof parseDocument> | null {
  try {
    return parseDocument(text, { logLevel: 'silent', strict: false, uniqueKeys: false });
  } catch (error) {
    if (error instanceof Error) return null; // hostile nesting: nothing is mended there
    throw error;
  }
}
