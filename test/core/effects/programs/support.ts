import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import {
  freshTerminal,
  type GitState,
  type Op,
  type Resource,
  type Trait,
  type Word,
} from '../../../../src/core/effects/effect.js';
import type { Entry, Facts, Repository } from '../../../../src/core/effects/facts.js';
import { canonicalPath, placeOf } from '../../../../src/core/effects/paths.js';
import type { Emission, Input, Program, ProgramEntry, Run } from '../../../../src/core/effects/shell/run.js';

/** One case: a command line of plain and quoted words, what is known of the world, and what it does. */
export interface Case {
  readonly note: string;
  readonly run: string | readonly string[];
  readonly facts?: World;
  readonly input?: string;
  /** Every effect but the start of the program itself; each line is `op resource +trait …`, traits at least these. */
  readonly want: readonly string[];
}

/** What a case says of the world. Files by path; `uncommitted` null when git cannot be asked. */
export interface World {
  readonly files?: Readonly<Record<string, string>>;
  readonly uncommitted?: readonly string[] | null;
  readonly untracked?: readonly string[];
  readonly branch?: string;
  readonly remotes?: Readonly<Record<string, string>>;
  readonly aliases?: Readonly<Record<string, string>>;
  readonly configuration?: Readonly<Record<string, string>>;
  /** Revision → path → text; the empty revision is the index. */
  readonly revisions?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly cwd?: string;
  readonly platform?: 'linux' | 'darwin' | 'win32';
}

const ROOT = '/w';

/** Facts of a small world: workspace `/w` with a repository, home `/home/dev`. */
export function factsOf(world: World): Facts {
  const files = new Map(
    Object.entries(world.files ?? {}).map(([name, text]) => [name.startsWith('/') ? name : `${ROOT}/${name}`, text]),
  );
  const absolute = (names: readonly string[]): readonly string[] => names.map((name) => `${ROOT}/${name}`);
  const isBelow = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);
  const dirty = world.uncommitted === undefined ? [] : world.uncommitted && absolute(world.uncommitted);
  const untracked = absolute(world.untracked ?? []);
  const repository: Repository = {
    root: ROOT,
    gitFolder: `${ROOT}/.git`,
    isLinkedWorktree: false,
    branch: world.branch ?? 'feature',
    remotes: new Map(Object.entries(world.remotes ?? { origin: 'git@git.example.com:acme/shop.git' })),
    aliases: new Map(Object.entries(world.aliases ?? {})),
    configuration: new Map(Object.entries(world.configuration ?? {})),
    textsAt: (revision, paths) => {
      const texts = world.revisions?.[revision];
      if (texts === undefined) return null;
      const named = Object.entries(texts).map(([name, text]) => [`${ROOT}/${name}`, text] as const);
      return new Map(named.filter(([file]) => paths.some((path) => isBelow(file, path))));
    },
  };
  const entry = (path: string): Entry => {
    if (files.has(path)) return 'file';
    return [...files.keys()].some((file) => isBelow(file, path)) ? 'folder' : 'absent';
  };
  return {
    platform: world.platform ?? 'linux',
    home: '/home/dev',
    roots: [ROOT],
    temporary: ['/tmp'],
    isCaseSensitive: true,
    entry,
    realPath: (path) => path,
    readText: (path) => files.get(path) ?? null,
    sizeBytes: (path) => files.get(path)?.length ?? null,
    list: (path) => [
      ...new Set(
        [...files.keys()]
          .filter((file) => file.startsWith(`${path}/`))
          .map((file) => file.slice(path.length + 1).split('/')[0] ?? ''),
      ),
    ],
    gitState: (path): GitState => {
      if (untracked.includes(path)) return 'untracked';
      if (dirty?.includes(path)) return 'modified';
      return entry(path) === 'absent' ? 'absent' : 'tracked';
    },
    uncommitted: (path) => dirty && [...dirty, ...untracked].filter((file) => isBelow(file, path)),
    repository: (path) => (isBelow(path, ROOT) && dirty ? repository : null),
    environment: () => undefined,
  };
}

/** Splits a line at spaces outside quotes. `$x` unquoted is a word that cannot be known; `*` unquoted is a pattern. */
export function wordsOf(line: string | readonly string[]): readonly Word[] {
  if (typeof line !== 'string') return line.map((text) => ({ text, raw: text, certainty: 'exact', quoted: true }));
  return [...line.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([raw]) => {
    const bare = raw.replace(/'[^']*'/g, '');
    const text = raw.replace(
      /"([^"]*)"|'([^']*)'/g,
      (_all, double?: string, single?: string) => double ?? single ?? '',
    );
    const quoted = /["']/.test(raw);
    const certainty = bare.includes('$') ? 'dynamic' : !quoted && /[*?]/.test(raw) ? 'pattern' : 'exact';
    return { text, raw, certainty, quoted };
  });
}

function resourceText(resource: Resource): string {
  switch (resource.type) {
    case 'path':
    case 'agent-config':
      return resource.path;
    case 'url':
      return resource.url;
    case 'process':
      return resource.process;
    case 'package':
      return `${resource.ecosystem}:${resource.name}${resource.version === null ? '' : `@${resource.version}`}`;
    case 'table':
      return `${resource.database}.${resource.table}`;
    case 'environment':
      return resource.name;
    case 'ref':
      return `${resource.remote ?? '.'}:${resource.ref}`;
    case 'tool':
      return resource.tool;
    case 'remote':
      return `${resource.service}:${resource.name}`;
    case 'unknown':
      return resource.what;
  }
}

/** Runs one program's analyser alone and lists what it said, a line each. */
export function record(
  analyse: Program,
  line: string | readonly string[],
  world: World,
  text?: string,
): readonly string[] {
  const said: string[] = [];
  const facts = factsOf(world);
  const argv = [...wordsOf(line)];
  const assignments = new Map<string, Word>();
  while (argv[0] && /^\w+=/.test(argv[0].text)) {
    const word = argv.shift() as Word;
    const at = word.text.indexOf('=');
    assignments.set(word.text.slice(0, at), { ...word, text: word.text.slice(at + 1) });
  }
  const cwd = world.cwd ?? ROOT;
  const input: Input = text === undefined ? { type: 'none' } : { type: 'text', text, certainty: 'exact' };
  const shown = (word: Word): string =>
    word.certainty === 'dynamic'
      ? `~${word.text}`
      : canonicalPath(word.text.replace(/^~(?=\/|$)/, facts.home), cwd, facts, 'keep');
  const say = (what: string, traits: readonly Trait[] = []): void => {
    said.push([what, ...traits.map((trait) => `+${trait}`)].join(' '));
  };
  const path =
    (op: Op) =>
    (word: Word, emission?: Emission): void =>
      say(`${op} ${shown(word)}`, emission?.traits);
  const run: Run = {
    facts,
    feeders: [],
    invocation: {
      program: (argv[0]?.text ?? '').replace(/^.*\//, ''),
      argv,
      assignments,
      input,
      cwd,
      mayBeIn: [],
      isPrivileged: false,
      output: 'agent',
    },
    terminal: freshTerminal(cwd),
    list: path('list'),
    read: path('read'),
    write: path('write'),
    delete: path('delete'),
    move: (from, to, emission) => say(`move ${shown(from)} ${shown(to)}`, emission?.traits),
    copy: (from, to, emission) => say(`copy ${shown(from)} ${shown(to)}`, emission?.traits),
    network: (target, options) =>
      say(
        `network ${target.certainty === 'dynamic' ? '~' : ''}${options.method ?? ''}${options.method ? ' ' : ''}${target.text}`,
        options.traits,
      ),
    install: (ecosystem, name, emission) => say(`install ${ecosystem}:${name.text}`, emission?.traits),
    emit: (op, resource, emission) => say(`${op} ${resourceText(resource)}`, emission?.traits),
    unknown: (what) => say(`unknown ${what}`),
    flow: () => undefined,
    link: () => undefined,
    keep: () => undefined,
    carry: (words) => say(`carry ${words.map((word) => word.text).join(' ')}`),
    code: (language, word) => say(`code ${language} ${word.text}`),
    script: (language, word) => say(`script ${language} ${shown(word)}`),
    standardInput: (language) => say(`stdin ${language}`),
    unreviewed: (what) => say(`unreviewed ${what}`),
    elsewhere: (where, words) => say(`elsewhere ${resourceText(where)} ${words.map((word) => word.text).join(' ')}`),
    textOf: (path) => (path.certainty === 'exact' ? facts.readText(shown(path)) : null),
    outputs: () => undefined,
    changeTerminal: () => undefined,
  };
  assert.equal(placeOf(ROOT, facts), 'workspace');
  analyse(run);
  return said;
}

const traitsOf = (line: string): readonly string[] => [...line.matchAll(/ \+(\S+)/g)].map(([, trait]) => trait ?? '');
const bareOf = (line: string): string => line.replace(/ \+\S+/g, '');

/** Whether one thing that was said is what a case wants. A want that ends in `*` is a beginning. */
function fits(said: string, want: string): boolean {
  const bare = bareOf(want);
  const isSame = bare.endsWith('*') ? bareOf(said).startsWith(bare.slice(0, -1)) : bareOf(said) === bare;
  return isSame && traitsOf(want).every((trait) => traitsOf(said).includes(trait));
}

/** Defines the tests of a case table. Everything that is said must be wanted, and everything wanted said. */
export function describeCases(title: string, url: URL, entries: readonly ProgramEntry[]): void {
  const programs = new Map(entries.flatMap((entry) => entry.names.map((name) => [name, entry.analyse] as const)));
  const cases = parse(readFileSync(url, 'utf8')) as Case[];
  describe(title, () => {
    for (const { note, run, facts, input, want } of cases) {
      it(note, () => {
        const words = wordsOf(run);
        const name = words.find((word) => !/^\w+=/.test(word.text))?.text.replace(/^.*\//, '') ?? '';
        const analyse = programs.get(name);
        assert.ok(analyse, `no program ${name}`);
        const said = record(analyse, run, facts ?? {}, input);
        for (const line of want)
          assert.ok(
            said.some((one) => fits(one, line)),
            `wanted: ${line}\nsaid:\n  ${said.join('\n  ')}`,
          );
        for (const one of said)
          assert.ok(
            want.some((line) => fits(one, line)),
            `not wanted: ${one}\nall:\n  ${said.join('\n  ')}`,
          );
      });
    }
  });
}
