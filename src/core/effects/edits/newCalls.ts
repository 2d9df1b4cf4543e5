import type { Effect } from '../effect.js';
import { freshTerminal } from '../effect.js';
import { wholeCodeLanguages } from '../code/languages.js';
import { TABLES } from '../shell/analyseShell.js';
import type { Tables } from '../shell/frame.js';
import type { Language } from '../shell/run.js';
import { analyseCode } from '../shell/shellFrame.js';
import type { View } from '../view.js';
import { mark, newAmong, shownNames, type Finding, type Sides } from './finding.js';

/** As the usual tables, but functions that nothing in the text calls are gone through too. */
const WHOLE: Tables = {
  ...TABLES,
  languages: new Map([
    ...TABLES.languages,
    ...wholeCodeLanguages.flatMap((entry) => entry.languages.map((name) => [name, entry] as const)),
  ]),
};

const BY_EXTENSION: readonly (readonly [RegExp, Language])[] = [
  [/\.(?:py|pyw|pyi)$/, 'python'],
  [/\.(?:[cm]?js|jsx|[cm]?ts|tsx)$/, 'javascript'],
  [/\.(?:rb|rake|gemspec)$|^(?:rakefile|gemfile|podfile|fastfile|vagrantfile)$/, 'ruby'],
  [/\.(?:pl|pm)$/, 'perl'],
  [/\.php$/, 'php'],
  [/\.(?:sh|bash|zsh|ksh)$/, 'bash'],
  [/\.(?:ps1|psm1)$/, 'powershell'],
  [/\.(?:bat|cmd)$/, 'cmd'],
];
const BY_FIRST_LINE: readonly (readonly [RegExp, Language])[] = [
  [/^#!.*\bpython/, 'python'],
  [/^#!.*\b(?:node|deno|bun|tsx)\b/, 'javascript'],
  [/^#!.*\bruby/, 'ruby'],
  [/^#!.*\bperl/, 'perl'],
  [/^#!.*\bphp/, 'php'],
  [/^#!.*\b(?:ba|z|da|k)?sh\b/, 'bash'],
];

/** The language of a file by its name, else by its first line; null when it is none that is read. */
export function languageOf({ name, before, after }: Sides): Language | null {
  const [, byName] = BY_EXTENSION.find(([pattern]) => pattern.test(name)) ?? [];
  if (byName !== undefined) return byName;
  if (/\.[a-z0-9]+$/.test(name)) return null;
  const first = (after || before).split('\n', 1)[0] ?? '';
  return BY_FIRST_LINE.find(([pattern]) => pattern.test(first))?.[1] ?? null;
}

/** Nothing that starts a program or a connection does without one of these; most texts hold none, and need no analysis. */
const MAY_CALL =
  /subprocess|popen|system|spawn|exec|fork|shell|child_process|\beval\b|socket|http|request|fetch|axios|\bgot\b|\bnet\b|urlopen|urllib|websocket|curl|wget|smtp|paramiko|ftp|\bdns\b|open3|`|\bqx\b|passthru|proc_open|fsockopen|\bDeno\b|\bBun\b|execa|shelljs|zx\b|sendBeacon|EventSource|\$\(/i;

/** Longer texts are machine-made, and nobody's edit. */
const MOST_CHARACTERS = 64 * 1024;
const UNSEEN_MODULE = 'a module whose code was not looked at';

/** Programs that a text starts and hosts that it speaks to, by name; `?` where the name is known only when it runs. */
interface Calls {
  readonly programs: ReadonlySet<string>;
  readonly hosts: ReadonlySet<string>;
}

function callsOf(language: Language, text: string, view: View): Calls {
  const programs = new Set<string>();
  const hosts = new Set<string>();
  if (!MAY_CALL.test(text)) return { programs, hosts };
  const terminal = freshTerminal(view.facts.roots[0] ?? null);
  for (const effect of analyseCode(language, text, { ...view, terminal }, WHOLE).effects) {
    const program = programOf(effect);
    if (program !== null) programs.add(program);
    if (effect.op === 'network' && effect.resource.type === 'url' && !effect.traits.includes('loopback'))
      hosts.add(effect.resource.host || '?');
  }
  return { programs, hosts };
}

function programOf({ op, resource, note, certainty }: Effect): string | null {
  if (op !== 'execute' || resource.type !== 'process' || note === UNSEEN_MODULE) return null;
  if (resource.process.startsWith('/dev/')) return null;
  return certainty === 'dynamic' || /[$]/.test(resource.process) || resource.process === '' ? '?' : resource.process;
}

const named = (names: readonly string[], unknown: string): string =>
  shownNames([...names.filter((name) => name !== '?'), ...(names.includes('?') ? [unknown] : [])]);

/**
 * Programs that code starts and hosts that it speaks to after a change and did not before, wherever in the text, functions that
 * nothing calls included. Costs two analyses of the text, none where no word in it could start anything.
 */
export function newCalls(sides: Sides, view: View): readonly Finding[] {
  const language = languageOf(sides);
  if (language === null || sides.after.length > MOST_CHARACTERS || sides.after === sides.before) return [];
  const after = callsOf(language, sides.after, view);
  if (after.programs.size === 0 && after.hosts.size === 0) return [];
  const before =
    sides.before.length > MOST_CHARACTERS
      ? { programs: new Set<string>(), hosts: new Set<string>() }
      : callsOf(language, sides.before, view);
  const programs = newAmong(before.programs, after.programs);
  const hosts = newAmong(before.hosts, after.hosts);
  return [
    ...(programs.length > 0
      ? [
          mark(
            'adds-process',
            `its code starts what it did not before: ${named(programs, 'a program known only when it runs')}`,
          ),
        ]
      : []),
    ...(hosts.length > 0
      ? [
          mark(
            'adds-network',
            `its code speaks to hosts it did not before: ${named(hosts, 'one known only when it runs')}`,
          ),
        ]
      : []),
  ];
}
