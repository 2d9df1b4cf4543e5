import type { Analysis, Effect, SimpleCommand } from '../effect.js';
import type { View } from '../view.js';
import { changeFindings } from './changeFindings.js';
import type { FileChange, Finding } from './finding.js';
import { scriptFindings, unseenScript } from './manifest.js';
import { scriptsInCode } from './scriptsInCode.js';
import { withFindings } from './withFindings.js';

/** A line that writes more files than this is a program's work, not an edit. */
const MOST_FILES = 12;

/** A write of a file in the workspace by a command, by its place among the effects. */
interface Written {
  readonly index: number;
  readonly path: string;
  readonly effect: Effect;
}

/**
 * The same for files that a command line writes as for files that are edited: by a here-document or `echo`, by `sed -i`, by a copy
 * of what is known, by `npm pkg set`, by a program that sets scripts of a manifest. What a line writes that cannot be known is not
 * spoken of here. `line` is the line as written. Total; one look at each file, twelve at most.
 */
export function markChanges(analysis: Analysis, line: string, view: View): Analysis {
  const written = analysis.effects.flatMap((effect, index): Written[] => {
    const { op, resource, certainty } = effect;
    const isFile =
      op === 'write' && resource.type === 'path' && resource.place === 'workspace' && certainty === 'exact';
    return isFile ? [{ index, path: resource.path, effect }] : [];
  });
  if (written.length === 0) return analysis;
  const found = new Map<number, readonly Finding[]>();
  for (const one of written.slice(0, MOST_FILES)) {
    const findings = findingsOf(one, analysis, line, view);
    if (
      findings.length > 0 &&
      ![...found.keys()].some((index) => analysis.effects[index]?.resource === one.effect.resource)
    )
      found.set(one.index, findings);
  }
  if (found.size === 0) return analysis;
  const effects = analysis.effects.flatMap((effect, index) => {
    const findings = found.get(index);
    return findings === undefined ? [effect] : withFindings([effect], findings);
  });
  return { ...analysis, effects };
}

function findingsOf({ path, effect }: Written, analysis: Analysis, line: string, view: View): readonly Finding[] {
  const command = analysis.commands[effect.command ?? -1];
  const before = view.facts.readText(path);
  const isManifest = path.endsWith('/package.json');
  const scripts = command === undefined || !isManifest ? [] : scriptsSet(command);
  if (scripts.length > 0) return scriptFindings(scripts, before, view);
  const change =
    written(path, effect, analysis, before) ??
    copied(path, analysis, before, view) ??
    (command === undefined ? null : substituted(path, command, before));
  const findings = change === null ? [] : changeFindings(change, path, view);
  return isManifest && (change?.after ?? null) === null
    ? [...findings, ...bySomeProgram(path, analysis, line, before, view)]
    : findings;
}

/** A manifest that a program writes: what its code and its filters say about scripts. */
function bySomeProgram(
  path: string,
  analysis: Analysis,
  line: string,
  before: string | null,
  view: View,
): readonly Finding[] {
  const set = scriptsInCode(line);
  const known = set.flatMap(({ name, text }) => (text === null ? [] : [[name, text] as const]));
  const unseen = set.flatMap(({ name, text }) => (text === null ? unseenScript(name) : []));
  const source = copySource(path, analysis);
  const isStrange =
    source !== null &&
    view.facts.entry(source) !== 'absent' &&
    !analysis.effects.some(
      ({ op, resource }) => op === 'write' && resource.type === 'path' && resource.path === source,
    );
  return [...scriptFindings(known, before, view), ...unseen, ...(isStrange ? unseenScript('*') : [])];
}

/** The one file that is copied or moved to a path as it is; null where there is none, or more than one. */
function copySource(path: string, { flows }: Analysis): string | null {
  const into = flows.filter(({ to }) => to.type === 'path' && to.path === path);
  const [only] = into;
  return into.length === 1 && only?.how === 'verbatim' && only.from.type === 'path' && only.from.path !== path
    ? only.from.path
    : null;
}

/** A copy of a file whose text is known. */
function copied(path: string, analysis: Analysis, before: string | null, view: View): FileChange | null {
  const source = copySource(path, analysis);
  const isCopy = analysis.commands.some(({ program }) => /^(?:mv|cp|install|rsync|ln)$/.test(program));
  const after = source === null || !isCopy ? null : view.facts.readText(source);
  return after === null ? null : { path, before, after, added: after, removed: before ?? '' };
}

/** What literal texts of the line put into the file; null where none does, or something else does too. */
function written(path: string, effect: Effect, { flows }: Analysis, before: string | null): FileChange | null {
  const into = flows.filter(({ to }) => to.type === 'path' && to.path === path);
  if (into.length === 0) return null;
  const added = into.flatMap(({ from }) => (from.type === 'literal' ? [from.text] : [])).join('');
  if (added === '') return null;
  const isAll = into.every(({ from }) => from.type === 'literal');
  if (effect.traits.includes('append'))
    return { path, before, after: before === null ? null : before + added, added, removed: '' };
  return { path, before, after: isAll ? added : null, added, removed: before ?? '' };
}

const SUBSTITUTION = /(?:^|[\s;{])s([/|#,@!])((?:\\.|(?!\1)[^\\\n])*)\1((?:\\.|(?!\1)[^\\\n])*)\1/g;
const plain = (text: string): string => text.replace(/\\(.)/g, '$1');

/** `sed -i 's/a/b/' file`: applied where the pattern is plain text that the file holds, else looked at by its two sides. */
function substituted(path: string, { program, argv }: SimpleCommand, before: string | null): FileChange | null {
  if (!/^(?:g?sed|perl|ruby|sd)$/.test(program)) return null;
  const pairs = argv
    .flatMap(({ text }) => [...text.matchAll(SUBSTITUTION)])
    .map(([, , from = '', to = '']) => ({ from: plain(from), to: plain(to) }));
  if (pairs.length === 0) return null;
  const added = pairs.map(({ to }) => to).join('\n');
  const removed = pairs.map(({ from }) => from).join('\n');
  const isKnown = before !== null && pairs.every(({ from }) => from !== '' && before.includes(from));
  const after = isKnown ? pairs.reduce((text, { from, to }) => text.replaceAll(from, () => to), before) : null;
  return { path, before: isKnown ? before : null, after, added, removed };
}

/** Scripts that `npm pkg set scripts.x=y` and `npm set-script x y` put into the manifest. */
function scriptsSet({ program, argv }: SimpleCommand): readonly (readonly [string, string])[] {
  if (!/^(?:npm|pnpm|yarn|bun)$/.test(program)) return [];
  const words = argv.slice(1).map(({ text }) => text);
  const at = words.indexOf('set-script');
  if (at >= 0) return [[words[at + 1] ?? '', words.slice(at + 2).join(' ')]];
  if (!words.includes('pkg') || !words.includes('set')) return [];
  return words.flatMap((word) => {
    const [, name, text] = /^scripts(?:\.|\[["']?)([\w:.-]+?)["']?\]?=([\s\S]*)$/.exec(word) ?? [];
    return name === undefined ? [] : [[name, text ?? ''] as const];
  });
}
