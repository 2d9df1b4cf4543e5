import { parseDocument } from 'yaml';
import { parse as parseJsonc } from 'jsonc-parser';
import type { Analysis, Effect } from '../effects/effect.js';
import { sensitivityOf } from '../effects/sensitivePaths.js';
import type { View } from '../effects/view.js';
import { freshTerminal, TRAITS } from '../effects/effect.js';
import type { Proposal } from '../lacuna/lacuna.js';
import { isOutward } from '../session/traits.js';

/** Command lines that a file would run later, as far as they can be told. Null: it cannot be told what it runs. */
export type LaterCode = readonly string[] | null;

type Analyse = (proposal: Proposal, view: View) => Analysis;

const record = (value: unknown): Readonly<Record<string, unknown>> | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : null;

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Steps of a GitHub workflow. Triggers that hand secrets to strangers, secrets in commands and foreign actions are no plain steps. */
function workflowCode(text: string): LaterCode {
  const document = parseDocument(text);
  const root = document.errors.length > 0 ? null : record(document.toJS({ maxAliasCount: 20 }));
  if (root === null || /pull_request_target|workflow_run|\bsecrets\b|toJson|self-hosted|github\.event\./i.test(text))
    return null;
  const commands: string[] = [];
  for (const job of Object.values(record(root['jobs']) ?? {})) {
    for (const step of list(record(job)?.['steps'])) {
      const { run, uses } = record(step) ?? {};
      if (typeof uses === 'string' && !/^(?:actions|github)\/[\w.-]+(?:\/[\w./-]+)?@/.test(uses)) return null;
      if (typeof run === 'string') commands.push(run);
    }
  }
  return commands;
}

/** Tasks of the editor that run when a person starts them. One that runs by itself is not plain. */
function taskCode(text: string): LaterCode {
  const root = record(parseJsonc(text, [], { allowTrailingComma: true }));
  if (root === null || /folderOpen|runOn/.test(text)) return null;
  return list(root['tasks']).map((task) => {
    const { command, args } = record(task) ?? {};
    return [command, ...list(args)].filter((word) => typeof word === 'string').join(' ');
  });
}

/** Scripts of a package.json, or of the passage of one that an edit shows. */
function scriptCode(text: string): LaterCode {
  const whole = record(parseJsonc(text));
  const scripts = record(whole?.['scripts']);
  if (scripts !== null) return Object.values(scripts).filter((script) => typeof script === 'string');
  // A passage: whatever stands as a value may be a script.
  return [...text.matchAll(/:\s*"((?:[^"\\]|\\.)*)"/g)].map(([, value]) => (value ?? '').replace(/\\(["\\/])/g, '$1'));
}

function codeIn(path: string, text: string): LaterCode {
  if (/\/\.github\/workflows\/[^/]+\.ya?ml$/i.test(path)) return workflowCode(text);
  if (/\/\.vscode\/tasks\.json$/i.test(path)) return taskCode(text);
  if (/\/package\.json$/i.test(path)) return scriptCode(text);
  if (
    /\/(?:\.git\/hooks|\.husky|hooks)\/[\w-]+$|\.(?:sh|bash|zsh)$|\/\.(?:bash|zsh|profile|z?login|bash_aliases|zshrc|bashrc)[\w.]*$/i.test(
      path,
    )
  ) {
    const shebang = /^#!.*?(\w+)\s*$/m.exec(text)?.[1];
    return shebang === undefined || /^(?:ba|z|da|k)?sh$/.test(shebang) ? [text] : null;
  }
  return null;
}

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

const HARMFUL: readonly Effect['traits'][number][] = ['remote-code', 'guard-self', 'catastrophic', 'secret', 'upload'];

/** Why one line would be stopped if it were run now, in words; null when it would not. */
function harmOf(line: string, view: View, analyse: Analyse): string | null {
  const terminal = freshTerminal(view.facts.roots[0] ?? null);
  const { effects } = analyse(
    { kind: 'ExecuteShell', params: { command: line, shell: 'bash' } },
    { ...view, terminal },
  );
  for (const effect of effects) {
    const trait = effect.traits.find((candidate) => HARMFUL.includes(candidate));
    if (trait !== undefined && !effect.traits.includes('loopback')) return TRAITS[trait];
    if (effect.op === 'privilege') return 'it takes more rights';
    const isFar = effect.resource.type === 'path' && ['home', 'system', 'device'].includes(effect.resource.place);
    if (isFar && (effect.op === 'delete' || effect.op === 'write'))
      return `it changes ${effect.resource.type === 'path' ? effect.resource.path : ''}`;
  }
  // Code of another language inside the line: what it names is seen even where it cannot be followed.
  const named = [...line.matchAll(/[~\w.-]*(?:\/[\w.-]+)+|\.\w[\w.-]+/g)].map(
    ([word]) => `${view.facts.home}/${word.replace(/^[~/]+/, '')}`,
  );
  const secret = named.find((path) => sensitivityOf(path, view.facts).isSecret);
  return secret === undefined ? null : `it names ${secret.slice(view.facts.home.length + 1)}, a place of secrets`;
}

/**
 * For an effect that changes the scripts of a package.json: why one of the new ones would be stopped if it were run now. Null for
 * all other effects, and for scripts that were there before.
 */
export function harmLater(
  proposal: Proposal,
  analysis: Analysis,
  view: View,
  analyse: Analyse,
): (effect: number) => string | null {
  return (index) => {
    const effect = analysis.effects[index];
    if (effect === undefined || !('path' in effect.resource) || !/\/package\.json$/.test(effect.resource.path))
      return null;
    const { path } = effect.resource;
    const known = view.facts.readText(path);
    const text =
      proposal.kind === 'EditFile' && known !== null
        ? proposal.params.edits.reduce((whole, { oldText, newText }) => whole.replace(oldText, () => newText), known)
        : textFor(path, proposal, analysis);
    const before = new Set(scriptCode(known ?? '{}') ?? []);
    for (const line of (text === null ? null : scriptCode(text)) ?? []) {
      const harm = before.has(line) ? null : harmOf(line, view, analyse);
      if (harm !== null) return harm;
    }
    return null;
  };
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
    const text = textFor(path, proposal, analysis);
    const answer = text !== null && isHarmlessCode(codeIn(path, text), view, analyse);
    known.set(path, answer);
    return answer;
  };
}
