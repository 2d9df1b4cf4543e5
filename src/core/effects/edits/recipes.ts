import { parseJustfile, parseMakefile, type RecipeFile } from '../shell/programs/make.js';
import type { View } from '../view.js';
import { later, newAmong, type Finding, type Sides } from './finding.js';
import { firstHarm } from './lineHarm.js';

const linesOf = ({ recipes, atOnce }: RecipeFile): readonly string[] => [
  ...atOnce,
  ...[...recipes.values()].flatMap(({ lines }) => lines),
];

/** Commands of a Taskfile: `- cmd`, `cmd: x`, `sh: x`, and those of a block below. Source: taskfile.dev 3. */
export function taskLines(text: string): readonly string[] {
  const lines: string[] = [];
  let block: number | null = null;
  for (const line of text.split('\n').slice(0, 20_000)) {
    const indent = line.search(/\S/);
    if (block !== null && indent > block) {
      lines.push(line.trim());
      continue;
    }
    if (indent >= 0) block = null;
    const [, key, value = ''] =
      /^\s*(?:-\s+)?(?:(cmd|cmds|sh|defer|status|preconditions)\s*:)?\s*(.*)$/.exec(line) ?? [];
    const isItem = /^\s*-\s/.test(line);
    if (/^[|>][+-]?\s*$/.test(value) && (isItem || key !== undefined)) block = indent;
    else if (value !== '' && (isItem || key !== undefined) && !/^[\w-]+\s*:(?:\s|$)/.test(value))
      lines.push(value.replace(/^(["'])(.*)\1$/, '$2').replace(/\{\{\s*\.?(\w+)[^}]*\}\}/g, '${$1}'));
  }
  return lines;
}

/** Commands of a Procfile: `web: x`. */
const procLines = (text: string): readonly string[] =>
  text.split('\n').flatMap((line) => /^[\w-]+:\s*(.+)$/.exec(line)?.[1] ?? []);

/** Commands that run while an image is built. Those that go on after a backslash are one. */
const imageLines = (text: string): readonly string[] =>
  text
    .replace(/\\\r?\n/g, ' ')
    .split('\n')
    .flatMap((line) => /^\s*RUN\s+(?:--\S+\s+)*(.+)$/i.exec(line)?.[1] ?? []);

function reader(name: string): ((text: string) => readonly string[]) | null {
  if (/^(?:gnu)?makefile(?:\.\w+)?$|\.mk$/.test(name)) return (text) => linesOf(parseMakefile(text, new Map()));
  if (/^\.?justfile$|\.just$/.test(name)) return (text) => linesOf(parseJustfile(text));
  if (/^taskfile(?:\.dist)?\.ya?ml$/.test(name)) return taskLines;
  if (/^procfile(?:\.\w+)?$/.test(name)) return procLines;
  return null;
}

/**
 * Recipes (Makefile, justfile, Taskfile, Procfile) that do more than builds do. Others are judged when they are run. Linear in lines,
 * with one analysis for each that is new.
 */
export function recipeFindings({ name, before, after }: Sides, view: View): readonly Finding[] {
  const read = reader(name);
  if (read === null) return [];
  const harm = firstHarm(newAmong(read(before), read(after)), view);
  return harm === null
    ? []
    : [later(`a recipe does more than a build: ${harm.why} (${harm.line.trim().slice(0, 100)})`)];
}

/** New lines of a container's image that run code from elsewhere, told with the write: they run inside the container. */
export function imageFindings({ name, before, after }: Sides, view: View): readonly Finding[] {
  if (!/^(?:dockerfile|containerfile)(?:\.\w+)?$|\.dockerfile$/.test(name)) return [];
  const harm = firstHarm(
    newAmong(imageLines(before), imageLines(after)).filter((line) => /\bcurl\b|\bwget\b|https?:/.test(line)),
    view,
  );
  return harm === null
    ? []
    : [{ type: 'mark', trait: 'adds-network', note: `the image runs: ${harm.line.slice(0, 100)}` }];
}
