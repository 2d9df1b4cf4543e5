import { freshTerminal, TRAITS, type Effect, type Trait } from '../effect.js';
import { TABLES } from '../shell/analyseShell.js';
import { analyseCode } from '../shell/shellFrame.js';
import type { Language } from '../shell/run.js';
import type { View } from '../view.js';

/** What nobody's build or test line does. */
const GRAVE: readonly Trait[] = ['remote-code', 'catastrophic', 'guard-self', 'metadata', 'covert', 'grants-access'];
const FAR: ReadonlySet<string> = new Set(['home', 'system', 'device', 'outside']);

/** Programs that send what they are given wherever they are told; a deploy or a push goes where the project is set up with. */
const SENDERS =
  /^(?:curl|wget|nc|ncat|netcat|socat|telnet|s?ftp|scp|https?|xh|openssl|python|node|deno|bun|perl|ruby|php|invoke-webrequest|invoke-restmethod|)$/i;

/** Why a line that is put where it runs later is more than a line of a build, in words; null when it is none. */
function harmOf(effect: Effect, program: string): string | null {
  const { op, resource, traits } = effect;
  if (traits.includes('loopback') || traits.includes('dry-run')) return null;
  const grave = GRAVE.find((trait) => traits.includes(trait));
  if (grave !== undefined) return TRAITS[grave];
  if (op === 'privilege') return 'it takes more rights';
  if (op === 'network' && traits.includes('upload') && resource.type === 'url' && SENDERS.test(program))
    return `it sends data to ${resource.host || 'a host'}`;
  if (resource.type !== 'path') return null;
  const isChange = op === 'delete' || op === 'write' || op === 'move' || op === 'persist';
  if (op === 'read' && traits.includes('secret') && FAR.has(resource.place)) return `it reads ${resource.path}`;
  return isChange && FAR.has(resource.place) ? `it changes ${resource.path}` : null;
}

/** What a line of a file would do that nobody expects of it, in words; null where it does no more than builds do. */
export function lineHarm(line: string, view: View, language: Language = 'sh'): string | null {
  if (line.length > 8_000) return 'it is too long to be read';
  const terminal = freshTerminal(view.facts.roots[0] ?? null);
  const { effects, commands } = analyseCode(language, line, { ...view, terminal }, TABLES);
  for (const effect of effects) {
    const harm = harmOf(effect, commands[effect.command ?? -1]?.program ?? '');
    if (harm !== null) return harm;
  }
  return null;
}

/** Findings cost an analysis each; a file with more new lines than this is looked at as far as this. */
const MOST_LINES = 200;

/** The first harm among lines, with the line; null when there is none. */
export function firstHarm(
  lines: readonly string[],
  view: View,
): { readonly line: string; readonly why: string } | null {
  for (const line of lines.slice(0, MOST_LINES)) {
    const why = lineHarm(line, view);
    if (why !== null) return { line, why };
  }
  return null;
}
