import { parseJson } from '../json.js';

/** A passage of JSON, made whole by the brackets that it lacks; null when it cannot be. */
function closedJson(passage: string): string | null {
  const text = passage.trim().replace(/,\s*$/, '');
  const open: string[] = [];
  let isText = false;
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (character === '\\') i += 1;
    else if (character === '"') isText = !isText;
    else if (!isText && (character === '{' || character === '[')) open.push(character === '{' ? '}' : ']');
    else if (!isText && (character === '}' || character === ']') && open.pop() !== character) return null;
  }
  return isText ? null : text + open.reverse().join('');
}

const hasKey = (value: unknown, key: string): boolean =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key);

/**
 * A package.json of which only a passage is known: the passage in the place where it stands, so that scripts in it are found by
 * name. Null when the passage is no such thing.
 */
function packageOf(passage: string): string | null {
  const closed = closedJson(passage);
  if (closed === null) return null;
  const inRoot = parseJson(`{${closed}}`) ?? parseJson(closed);
  if (hasKey(inRoot, 'scripts') || hasKey(inRoot, 'dependencies') || hasKey(inRoot, 'devDependencies')) {
    return JSON.stringify(inRoot);
  }
  // A line of the scripts, or of anything else: as scripts it can be found by name, and nothing is run that no one names.
  return inRoot === undefined ? null : JSON.stringify({ scripts: inRoot });
}

/**
 * The best text for a file of which only this passage is known: the passage, put where the reader of the file looks for it. What
 * else stands in the file is not the agent's doing.
 */
export function wholeOf(path: string, passage: string): string | null {
  return /\/package\.json$/.test(path) ? packageOf(passage) : passage;
}
