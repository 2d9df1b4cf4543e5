import type { Analysis, Effect } from '../effects/effect.js';
import { sensitivityOf } from '../effects/sensitivePaths.js';
import type { View } from '../effects/view.js';
import { freshTerminal } from '../effects/effect.js';
import type { Proposal } from '../lacuna/lacuna.js';
import { isOutward } from '../session/traits.js';
import { harmOf, harmOfFile, isCode } from './harm.js';
import { codeIn, type LaterCode } from './laterCode.js';
import { strangeSource } from './sources.js';
import { taskLines, taskLinesIn } from './taskFiles.js';

type Analyse = (proposal: Proposal, view: View) => Analysis;

const QUIET: ReadonlySet<Effect['op']> = new Set(['list', 'read', 'execute', 'write']);

/** Whether an effect of later code is what any build, check or alias does. */
const isQuiet = (effect: Effect): boolean =>
  QUIET.has(effect.op) &&
  !isOutward(effect) &&
  !effect.traits.some((trait) =>
    ['secret', 'personal', 'remote-code', 'guard-self', 'catastrophic', 'download', 'daemon', 'hidden-text'].includes(
      trait,
    ),
  ) &&
  (effect.resource.type !== 'path' || effect.op !== 'write' || ['workspace', 'temp'].includes(effect.resource.place));

/** Most lines of a file that are looked at one by one. */
const MOST_LINES = 200;

const BUILDERS = /^(?:npm|pnpm|yarn|make|npx|node|python\d?|pip\d?|pytest|cargo|go|mvn|gradle)$/;

/** Whether an effect is of a build or check, or of what one of them carries: what they run is the project's own. */
function isOwnBuild(effect: Effect, analysis: Analysis): boolean {
  for (let at = effect.command; at !== null;) {
    const command = analysis.commands[at];
    if (command === undefined) return false;
    if (BUILDERS.test(command.program)) return true;
    at = command.carrier;
  }
  return false;
}

/** Whether a package manager fetches what the project lists. */
const isFetch = (effect: Effect, analysis: Analysis): boolean =>
  (effect.op === 'install' || (effect.op === 'network' && effect.traits.includes('download'))) &&
  !effect.traits.some((trait) => ['upload', 'publish', 'remote-code', 'secret'].includes(trait)) &&
  isOwnBuild(effect, analysis);

/** Names that mean a program of the system: an alias or function over one of them hides it. */
const SHADOWED =
  /^(?:sudo|su|doas|ssh|scp|git|curl|wget|rm|cp|mv|cat|npm|pip3?|python3?|node|docker|kubectl|passwd|gpg|chmod|chown|kill)$/;

/** Whether all that the code would do is quiet. Bodies of aliases and functions that it defines count as run. */
export function isHarmlessCode(code: LaterCode, view: View, analyse: Analyse): boolean {
  if (code === null) return false;
  const terminal = freshTerminal(view.facts.roots[0] ?? null);
  const pending = code.filter((text) => text.trim() !== '').map((text) => ({ text, depth: 0 }));
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const analysis = analyse(
      { kind: 'ExecuteShell', params: { command: next.text, shell: 'bash' } },
      { ...view, terminal },
    );
    const isFine = (effect: Effect): boolean =>
      isQuiet(effect) || (effect.op === 'unknown' && isOwnBuild(effect, analysis)) || isFetch(effect, analysis);
    if (!analysis.effects.every(isFine)) return false;
    if (analysis.effects.some((effect) => effect.traits.includes('unreviewed') && !isOwnBuild(effect, analysis)))
      return false;
    for (const [name, body] of [...analysis.terminal.aliases, ...analysis.terminal.functions]) {
      if (SHADOWED.test(name) || next.depth > 3) return false;
      pending.push({ text: body, depth: next.depth + 1 });
    }
  }
  return true;
}

/**
 * For an effect that changes what a package manager or build runs or takes in: why one of the new scripts would be stopped if it
 * were run now, or from where a new dependency would come. Null for all other effects, and for what was there before.
 */
export function harmLater(
  proposal: Proposal,
  analysis: Analysis,
  view: View,
  analyse: Analyse,
): (effect: number) => string | null {
  return (index) => {
    const effect = analysis.effects[index];
    if (effect === undefined || !('path' in effect.resource)) return null;
    const { path } = effect.resource;
    const known = view.facts.readText(path);
    const text = wholeText(path, known, proposal, analysis);
    const source = strangeSource(path, known, text ?? wordsOf(effect, analysis));
    if (source !== null) return source;
    const words = text === null && effect.op !== 'read' ? wordsOf(effect, analysis) : null;
    const lines = text === null ? taskLinesIn(path, words?.split('\n') ?? []) : taskLines(path, text);
    if (lines.length === 0) return null;
    const before = new Set(known === null ? [] : taskLines(path, known));
    for (const line of lines.slice(0, MOST_LINES)) {
      const harm = before.has(line) ? null : harmOf(line, view, analyse);
      if (harm !== null) return harm;
    }
    return null;
  };
}

/**
 * For each file of code that is written: why it would be stopped if it were run by itself; null when it would not, undefined when
 * its text is not known. Costs an analysis of the text, once for each path.
 */
export function harmWritten(
  proposal: Proposal,
  analysis: Analysis,
  view: View,
  analyse: Analyse,
): (path: string) => string | null | undefined {
  return (path) => {
    if (!isCode(path)) return null;
    const text = wholeText(path, view.facts.readText(path), proposal, analysis);
    return text === null ? undefined : harmOfFile(path, text, view, analyse);
  };
}

/** The whole text after the proposal where the one before is known; else the part that the proposal puts there. */
const wholeText = (path: string, known: string | null, proposal: Proposal, analysis: Analysis): string | null =>
  proposal.kind === 'EditFile' && known !== null
    ? proposal.params.edits.reduce((whole, { oldText, newText }) => whole.replace(oldText, () => newText), known)
    : textFor(path, proposal, analysis);

/** The words of the command that changes a file in a way that cannot be told: what it puts there is among them. */
function wordsOf(effect: Effect, analysis: Analysis): string | null {
  const command = effect.command === null ? undefined : analysis.commands[effect.command];
  return command === undefined ? null : command.argv.map(({ text }) => text).join('\n');
}

/** The text that a proposal puts at a path, as far as it shows. */
function textFor(path: string, proposal: Proposal, analysis: Analysis): string | null {
  if (proposal.kind === 'WriteFile') return proposal.params.content;
  if (proposal.kind === 'EditFile') return proposal.params.edits.map((edit) => edit.newText).join('\n');
  const texts = analysis.flows.flatMap((flow) =>
    flow.from.type === 'literal' && 'path' in flow.to && flow.to.path === path ? [flow.from.text] : [],
  );
  return texts.length === 0 ? null : texts.join('\n');
}

/**
 * For each effect that makes something run later: whether what it would run is known and harmless. False for all other effects.
 * Costs an analysis of the code, so it is asked lazily.
 */
export function harmlessLater(
  proposal: Proposal,
  analysis: Analysis,
  view: View,
  analyse: Analyse,
): (effect: number) => boolean {
  const known = new Map<string, boolean>();
  return (index) => {
    const effect = analysis.effects[index];
    if (effect === undefined || !('path' in effect.resource)) return false;
    const { path } = effect.resource;
    if (sensitivityOf(path, view.facts).persistence === null) return false;
    const before = known.get(path);
    if (before !== undefined) return before;
    const text = wholeText(path, view.facts.readText(path), proposal, analysis);
    const answer = text !== null && isHarmlessCode(codeIn(path, text), view, analyse);
    known.set(path, answer);
    return answer;
  };
}
