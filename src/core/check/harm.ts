import { freshTerminal, TRAITS, type Analysis, type Effect } from '../effects/effect.js';
import { sensitivityOf } from '../effects/sensitivePaths.js';
import type { View } from '../effects/view.js';
import type { Proposal } from '../lacuna/lacuna.js';
import { isSending } from '../session/traits.js';

type Analyse = (proposal: Proposal, view: View) => Analysis;

const HARMFUL: readonly Effect['traits'][number][] = ['remote-code', 'guard-self', 'catastrophic', 'secret', 'upload'];

/** Why one line would be stopped if it were run now, in words; null when it would not. */
export function harmOf(line: string, view: View, analyse: Analyse): string | null {
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
  const named = [...line.matchAll(/(?<![~\w.-])[~\w.-]*(?:\/[\w.-]+)+|\.\w[\w.-]+/g)].map(
    ([word]) => `${view.facts.home}/${word.replace(/^[~/]+/, '')}`,
  );
  const secret = named.find((path) => sensitivityOf(path, view.facts).isSecret);
  return secret === undefined ? null : `it names ${secret.slice(view.facts.home.length + 1)}, a place of secrets`;
}

const FAR: ReadonlySet<string> = new Set(['home', 'system', 'device']);

/** Why an effect of code that a test or build loads would be stopped, in words; null when it is what code of an application does. */
function graveHarm(effect: Effect, takesSecret: boolean): string | null {
  const { op, resource, traits } = effect;
  for (const trait of ['remote-code', 'guard-self', 'catastrophic'] as const)
    if (traits.includes(trait)) return TRAITS[trait];
  if (op === 'privilege') return 'it takes more rights';
  const isFar = resource.type === 'path' && FAR.has(resource.place);
  if (isFar && traits.includes('secret')) return `it reads ${resource.path}, a place of secrets`;
  if (isFar && ['delete', 'move', 'write', 'persist'].includes(op)) return `it changes ${resource.path}`;
  return takesSecret && isSending(effect) ? 'it sends secrets to another machine' : null;
}

/** The line that runs a text as code of its file's language; null for what is no code that runs by being loaded. */
function lineFor(path: string, text: string): string | null {
  const [, extension = ''] = /\.(\w+)$/.exec(path) ?? [];
  const here = (program: string): string => `${program} - <<'LACUNA-END'\n${text}\nLACUNA-END`;
  if (/\nLACUNA-END\n/.test(text)) return null;
  switch (extension.toLowerCase()) {
    case 'py':
      return here('python3');
    case 'js':
    case 'cjs':
    case 'mjs':
    case 'ts':
    case 'cts':
    case 'mts':
    case 'jsx':
    case 'tsx':
      return here('node');
    case 'rb':
      return here('ruby');
    case 'pl':
      return here('perl');
    case 'php':
      return here('php');
    case 'sh':
    case 'bash':
    case 'zsh':
      return text;
    default:
      return /^#!.*\b(?:ba|z|da|k)?sh\b/.test(text) ? text : null;
  }
}

/** Languages whose code is not followed: what stands in their texts and what they delete is seen all the same. */
const UNFOLLOWED =
  /\.(?:go|rs|c|cc|cpp|cxx|h|hpp|java|kt|kts|scala|swift|cs|dart|ex|exs|lua|jl|r|hs|ml|nim|zig|m|mm|vb|fs|clj|groovy)$/i;
const LITERAL = /"((?:[^"\\\n]|\\.){2,400})"|'((?:[^'\\\n]|\\.){2,400})'|`([^`]{2,400})`/g;
const DELETES_HOME =
  /(?:RemoveAll|remove_dir_all|deleteRecursively|deleteDirectory|Directory\.Delete|remove_all|removeItem)\s*\([^;\n]{0,120}\b(?:HOME|home_dir|UserHomeDir|user\.home|USERPROFILE|UserProfile|homeDirectory|NSHomeDirectory)\b/;
/** Calls that take away what the text behind them names. */
const DELETES =
  /\b(?:RemoveAll|os\.Remove|remove_dir(?:_all)?|remove_file|remove_all|deleteRecursively|delete(?:Directory|File|OnExit|IfExists)?|(?:Directory|File)\.Delete|removeItem|unlink|rmdir|removeDirectoryRecursive|rm_rf!?|remove)\s*\(/i;
const STARTS_PROGRAM =
  /^(?:sudo|doas|sh|bash|zsh|curl|wget|rm|dd|mkfs|ssh|scp|nc|ncat|socat|chmod|chown|tar|python3?|node|perl|powershell|cmd)\b/;

/** Why code of a language that is not followed would be stopped, by the command lines and names in its texts. */
function harmInTexts(text: string, view: View, analyse: Analyse): string | null {
  if (DELETES_HOME.test(text)) return 'it deletes the home folder';
  for (const line of text.split('\n').slice(0, 2_000)) {
    const literals = [...line.matchAll(LITERAL)].map(([, a, b, c]) => (a ?? b ?? c ?? '').replace(/\\(["'\\])/g, '$1'));
    if (literals.length === 0) continue;
    const gone = DELETES.test(line) ? literals.filter((text) => /^[~/]/.test(text)) : [];
    for (const path of gone) {
      const harm = harmOf(`rm -r -- '${path.replaceAll("'", '')}'`, view, analyse);
      if (harm !== null) return harm;
    }
    // Words of one call are often given one by one: `Command("rm", "-rf", home)`.
    for (const candidate of new Set([...literals, literals.join(' ')])) {
      const isNamed = /[~/.]\w/.test(candidate);
      if (!STARTS_PROGRAM.test(candidate) && !isNamed) continue;
      const command = STARTS_PROGRAM.test(candidate) ? candidate : `: ${JSON.stringify(candidate)}`;
      const harm = harmOf(command, view, analyse);
      if (harm !== null) return harm;
    }
  }
  return null;
}

/** Whether a file may be code that is loaded by other code or run by itself. */
export const isCode = (path: string): boolean =>
  UNFOLLOWED.test(path) || /\.(?:py|[cm]?[jt]s|[jt]sx|rb|pl|php|(?:ba|z)?sh)$|\/[^/.]+$/i.test(path);

/** Longer texts are not looked at: they are no scripts that were written in one step. */
const MOST_CHARACTERS = 60_000;

/**
 * Why a file of code would be stopped if it were run by itself, in words; null when it would not, or is no code. Functions that
 * nobody calls do not count. Costs one analysis of the text.
 */
export function harmOfFile(path: string, text: string, view: View, analyse: Analyse): string | null {
  if (text.length > MOST_CHARACTERS) return null;
  if (UNFOLLOWED.test(path)) return harmInTexts(text, view, analyse);
  const line = lineFor(path, text);
  if (line === null) return null;
  const terminal = freshTerminal(view.facts.roots[0] ?? null);
  const { effects } = analyse(
    { kind: 'ExecuteShell', params: { command: line, shell: 'bash' } },
    { ...view, terminal },
  );
  const takesSecret = effects.some(({ op, traits }) => op === 'read' && traits.includes('secret'));
  for (const effect of effects) {
    const harm = graveHarm(effect, takesSecret);
    if (harm !== null) return harm;
  }
  return null;
}
