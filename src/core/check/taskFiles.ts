import { parseDocument } from 'yaml';
import { scriptCode } from './laterCode.js';

/** Files in which runners of tasks find what to run, and how their lines are told. */
const READERS: readonly (readonly [RegExp, (text: string) => readonly string[]])[] = [
  [/\/(?:package|composer)\.json$/i, (text) => scriptCode(text) ?? []],
  [/\/deno\.jsonc?$/i, (text) => scriptCode(text.replace(/"tasks"\s*:/, '"scripts":')) ?? []],
  [/\/(?:tox\.ini|setup\.cfg)$/i, (text) => valuesOf(text, /^\s*(?:commands\w*|list_dependencies_command)\s*=/)],
  [/\/\.?justfile$|\/[^/]+\.just$/i, (text) => indented(text)],
  [/\/Taskfile\.ya?ml$/i, (text) => commandsIn(parsedYaml(text))],
  [/\/(?:pyproject|pixi|mise|\.mise|Makefile|rust-toolchain)\.toml$/i, (text) => quotedValues(text)],
];

/** Command lines that runners of tasks would run by a file, as far as they show; empty for a file that is none of theirs. */
export function taskLines(path: string, text: string): readonly string[] {
  const reader = READERS.find(([names]) => names.test(path));
  return reader === undefined ? [] : reader[1](text);
}

/**
 * Command lines that a command puts into such a file by its own words: `npm pkg set scripts.test=…`, or a passage of JSON that
 * `sed` or `jq` puts there.
 */
export function taskLinesIn(path: string, words: readonly string[]): readonly string[] {
  if (!/\/(?:package|composer)\.json$/i.test(path)) return [];
  return words.flatMap((word) => {
    const set = /^scripts[.[][^=]*=([^]+)$/.exec(word)?.[1];
    return set === undefined ? [...(scriptCode(word) ?? []), ...assigned(word)] : [set];
  });
}

/** `.scripts.test = "…"`, as jq writes it. */
const assigned = (word: string): readonly string[] =>
  [...word.matchAll(/\.scripts\b[^=]*=\s*"((?:[^"\\]|\\.)*)"/g)].map(([, value = '']) =>
    value.replace(/\\(["\\])/g, '$1'),
  );

/** Lines of a key of an INI file: what stands behind the sign, and what is indented below. */
function valuesOf(text: string, key: RegExp): readonly string[] {
  const found: string[] = [];
  let isInside = false;
  for (const line of text.split('\n')) {
    const isKey = key.test(line);
    if (isKey || (isInside && /^\s+\S/.test(line))) found.push(isKey ? line.replace(key, '') : line);
    isInside = isKey || (isInside && /^\s*(?:$|\S)/.test(line) && /^(?:\s|$)/.test(line));
  }
  return found.map((line) => line.trim().replace(/^-\s*/, '')).filter((line) => line !== '');
}

const indented = (text: string): readonly string[] =>
  [...text.matchAll(/^[ \t]+[@-]*(\S.*)$/gm)].map(([, line = '']) => line);

/** Tables of a TOML file in which tasks stand. */
const TASKS = /task|script|poe|\brun\b|\bcommands?\b/i;

/** Strings that stand as values in tables of tasks, in single, double and triple quotes. */
const quotedValues = (text: string): readonly string[] =>
  text
    .split(/^(?=\s*\[)/m)
    .filter((table) => TASKS.test(/^\s*\[+([^\]\n]*)\]/.exec(table)?.[1] ?? ''))
    .flatMap((table) => [
      ...table.matchAll(/[=,[{]\s*(?:"{3}([^]*?)"{3}|'{3}([^]*?)'{3}|"((?:[^"\\\n]|\\.)*)"|'([^'\n]*)')/g),
    ])
    .map(([, a, b, c, d]) => a ?? b ?? c ?? d ?? '');

function parsedYaml(text: string): unknown {
  const document = parseDocument(text);
  return document.errors.length > 0 ? null : document.toJS({ maxAliasCount: 20 });
}

/** What stands under `cmd` and `cmds` anywhere. */
function commandsIn(value: unknown, isCommand = false): readonly string[] {
  if (typeof value === 'string') return isCommand ? [value] : [];
  if (Array.isArray(value)) return value.flatMap((one: unknown) => commandsIn(one, isCommand));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) =>
    commandsIn(one, /^(?:cmds?|sh|preconditions|status)$/.test(key)),
  );
}
