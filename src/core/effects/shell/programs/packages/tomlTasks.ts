import { joinPath } from '../../../paths.js';
import type { Run } from '../../run.js';
import { exactWord } from '../../word.js';
import type { Word } from '../../../effect.js';

const MAX_LINES = 5_000;

/** Keys under which a task keeps its command. Sources: references of mise, pdm, poethepoet, hatch, pixi, taskipy, 2025. */
const COMMAND_KEYS = /^(?:run|cmd|shell|command|commands|script|composite|sequence|windows|linux)$/;

/** The strings of a TOML value, each as one line of a command: a string, an array of them, or a table with a command in it. */
function stringsOf(value: string): readonly string[] {
  const table = /^\{(.*)\}$/s.exec(value.trim())?.[1];
  if (table !== undefined) {
    const command = /(?:^|,)\s*"?(?:run|cmd|shell|command|script|sequence)"?\s*=\s*(.+)$/s.exec(table)?.[1];
    if (command === undefined) return [];
    return command.startsWith('[')
      ? stringsIn(command.slice(0, command.indexOf(']') + 1))
      : stringsIn(command).slice(0, 1);
  }
  return stringsIn(value);
}

const stringsIn = (value: string): readonly string[] =>
  [...value.matchAll(/"""([\s\S]*?)"""|'''([\s\S]*?)'''|"((?:[^"\\]|\\.)*)"|'([^']*)'/g)].map(
    ([, long, literalLong, basic, literal]) =>
      long ??
      literalLong ??
      (basic === undefined ? (literal ?? '') : basic.replace(/\\(["\\])/g, '$1').replace(/\\n/g, '\n')),
  );

/** Whether brackets and triple quotes of a value are closed, so that it does not go on in the next line. */
function isWhole(value: string): boolean {
  if ((value.match(/"""|'''/g) ?? []).length % 2 === 1) return false;
  const bare = value.replace(/"(?:[^"\\]|\\.)*"|'[^']*'/g, '');
  return (bare.match(/[[{]/g) ?? []).length <= (bare.match(/[\]}]/g) ?? []).length;
}

/**
 * Tasks of a TOML file by name, each with its command lines: `name = "line"` in a table whose name fits `tables`, and tables
 * `[table.name]` with a command in them. No TOML parser: what is written otherwise is not found. Linear in the text.
 */
export function tasksInToml(text: string, tables: RegExp): ReadonlyMap<string, readonly string[]> {
  const tasks = new Map<string, readonly string[]>();
  let table = '';
  let pending = '';
  for (const line of text.split(/\r?\n/, MAX_LINES)) {
    const whole = pending === '' ? line : `${pending}\n${line}`;
    if (!isWhole(whole) && !/^\s*\[[^\]=]*\]\s*(?:#.*)?$/.test(line)) {
      pending = whole;
      continue;
    }
    pending = '';
    const head = /^\s*\[\[?\s*([^\]]+?)\s*\]\]?\s*(?:#.*)?$/.exec(whole)?.[1];
    if (head !== undefined) {
      table = head.replace(/["'\s]/g, '');
      continue;
    }
    const [, key = '', value = ''] = /^\s*"?([\w:.-]+)"?\s*=\s*([\s\S]*)$/.exec(whole) ?? [];
    if (key === '') continue;
    if (tables.test(table)) tasks.set(key.replace(/\.(?:cmd|shell|run)$/, ''), stringsOf(value));
    else {
      const at = table.lastIndexOf('.');
      if (at > 0 && tables.test(table.slice(0, at)) && COMMAND_KEYS.test(key))
        tasks.set(table.slice(at + 1), stringsOf(value));
    }
  }
  return tasks;
}

/** Runs a task of the first of some TOML files that has it; false where none of them is known to. */
export function runTomlTask(
  run: Run,
  files: readonly string[],
  tables: RegExp,
  name: string,
  rest: readonly Word[] = [],
): boolean {
  const { cwd } = run.invocation;
  if (cwd === null) return false;
  for (const file of files) {
    const text = run.textOf(exactWord(joinPath(cwd, file, run.facts.platform)));
    const lines = text === null ? undefined : tasksInToml(text, tables).get(name);
    if (lines === undefined) continue;
    const positional = [exactWord(name), ...rest];
    for (const line of lines) run.code('sh', exactWord(rest.length > 0 ? `${line} "$@"` : line), { positional });
    return true;
  }
  return false;
}
