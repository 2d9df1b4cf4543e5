import type {
  Flow,
  GitState,
  Inflow,
  Kept,
  Op,
  Resource,
  Reversibility,
  SimpleCommand,
  TerminalState,
  Trait,
  Word,
} from '../effect.js';
import type { Facts } from '../facts.js';
import { destinationOf } from '../net/destination.js';
import { pathEffects, type PathAction, type PathEffect } from '../pathEffects.js';
import { canonicalPath, isAbsolute, isWithin, placeOf } from '../paths.js';
import { sensitivityOf } from '../sensitivePaths.js';
import { MAX_INFLOWS, unknownEffect, type Collector, type Context } from './collector.js';
import { moveElsewhere } from './elsewhere.js';
import type { Called, Code, Redirect } from './frame.js';
import { handledTwice } from './handling.js';
import type { Emission, Input, Invocation, Language, Run } from './run.js';
import { holdsUnpacked, isUnpacking } from './unpacking.js';
import { asCode, dynamicWord, exactWord, NUMBER, OWN_JOB, withNumber } from './word.js';

const MAX_LITERAL = 4_096;
const MAX_OUTPUT = 64 * 1024;

/** Options of {@link Run.carry}. */
export type CarryOptions = NonNullable<Parameters<Run['carry']>[1]>;
/** Options of {@link Run.code}. */
export type CodeOptions = NonNullable<Parameters<Run['code']>[2]>;

/** Starts what a command carries; the frame that the command runs in implements it. */
export interface Spawner {
  carry(run: CommandRun, argv: readonly Word[], options: CarryOptions, where: Resource | null): void;
  code(run: CommandRun, code: Code, options: CodeOptions): void;
}

interface Written {
  readonly path: string;
  readonly isAppend: boolean;
  readonly text: Word | null;
  /** Whether it is what the command prints. */
  takesOutput?: boolean;
}

/**
 * Speaks for one command: resolves words, adds traits, and hands effects and flows to the collector. Where the command runs
 * elsewhere (ssh, a container), its paths become resources of that place.
 */
export class CommandRun implements Run {
  /** Text on standard output, as far as it is known; null when it is not. */
  output: Word | null = null;
  readonly #inflows: Inflow[] = [];
  readonly #sinks: Resource[] = [];
  readonly #traced = new Set<Resource>();
  /** Files that it writes, and what they hold then as far as that is known. */
  readonly #writtenTo: Written[] = [];
  /** Machines whose shares it has been said to reach. */
  readonly #shares = new Set<string>();

  constructor(
    readonly collector: Collector,
    readonly invocation: Invocation,
    /** Index of the command; null for a line as a whole. */
    readonly command: number | null,
    readonly context: Context,
    readonly holder: { terminal: TerminalState },
    readonly facts: Facts,
    readonly spawner: Spawner | null,
  ) {
    this.receive(context.inflows);
  }

  get terminal(): TerminalState {
    return this.holder.terminal;
  }

  get feeders(): readonly SimpleCommand[] {
    const { commands } = this.collector;
    const own = this.command === null ? undefined : commands[this.command];
    if (own === undefined || this.invocation.input.type !== 'pipe') return [];
    return commands.filter((other) => other.pipeline === own.pipeline && other.stage < own.stage);
  }

  // What the caller of programs uses.

  /** Data that comes into the command besides what it reads itself. */
  receive(inflows: readonly Inflow[]): void {
    for (const inflow of inflows) if (this.#inflows.length < MAX_INFLOWS) this.#inflows.push(inflow);
  }

  /** Data on its standard input. */
  receiveInput(input: Input): void {
    if (input.type === 'pipe') this.receive(input.inflows);
    else if (input.type === 'text') this.receive([{ from: literalSource(input.text), how: 'verbatim' }]);
    else if (input.type === 'file') this.read(input.path);
  }

  /** Takes over what code that ran in its place is known to have written. */
  adopt(called: Called): void {
    this.output = called.output;
    this.receive(called.inflows);
  }

  /** What its output may hold, each with what became of it on the way. */
  outflows(how: Flow['how']): readonly Inflow[] {
    return this.#inflows.map((inflow) => ({ from: inflow.from, how: handledTwice(inflow.how, how) }));
  }

  /** Whether something that flows in came over the network. */
  get isFedFromAfar(): boolean {
    return this.#inflows.some(({ from }) => from.type === 'url');
  }

  /** Says what a redirection does. Must come before the program speaks, as the shell opens files first. */
  redirect({ kind, target, descriptor }: Redirect): void {
    const socket = /^\/dev\/(?:tcp|udp)\/([^/]+)\/(\w+)$/.exec(target.text);
    if (socket) {
      this.network(exactWord(`${socket[1]}:${socket[2]}`), {
        traits: kind === 'read' ? ['outward'] : ['outward', 'upload'],
      });
      return;
    }
    if (kind === 'read' || kind === 'both') this.read(target);
    if (kind === 'append') this.write(target, { traits: ['append'] });
    else if (kind === 'replace') this.write(target);
    // What is printed goes over the beginning of what is there.
    else if (kind === 'both') this.write(target, descriptor === 1 ? {} : { traits: ['edit'] });
    const last = this.#writtenTo.at(-1);
    if (kind !== 'read' && descriptor === 1 && last) last.takesOutput = true;
  }

  /** Closes the command: its data flows into what it wrote or sent. */
  finish(how: Flow['how']): void {
    const inflows = this.outflows(how);
    this.#markSecrets(inflows);
    for (const to of this.#sinks) {
      if (this.#traced.has(to)) continue;
      for (const { from, how: kind } of inflows)
        if (!isSamePlace(from, to)) this.collector.addFlow({ from, to, how: kind });
    }
    if (this.invocation.output === 'agent') {
      for (const inflow of inflows) {
        if (inflow.from.type !== 'literal') {
          this.collector.addFlow({ from: inflow.from, to: { type: 'output' }, how: inflow.how });
        }
      }
    }
    for (const { path, isAppend, text, takesOutput } of this.#writtenTo) {
      this.#remember(path, takesOutput ? this.output : text, inflows, isAppend);
    }
  }

  /** Data that is sent and comes from the whole environment or a file of secrets: the request itself holds a secret. */
  #markSecrets(inflows: readonly Inflow[]): void {
    const isBulk = ({ from }: Inflow): boolean =>
      (from.type === 'environment' && from.name === '*') ||
      (from.type === 'path' && sensitivityOf(from.path, this.facts).isSecret);
    if (!inflows.some((inflow) => inflow.how !== 'digest' && isBulk(inflow))) return;
    for (const effect of [...this.collector.effects]) {
      const isSent = effect.op === 'network' && effect.traits.includes('upload') && !effect.traits.includes('secret');
      if (isSent && this.#sinks.includes(effect.resource))
        this.collector.replace(effect, { ...effect, traits: [...effect.traits, 'secret'] });
    }
  }

  #remember(path: string, text: Word | null, inflows: readonly Inflow[], isAppend: boolean): void {
    const before = isAppend ? this.collector.written.get(path) : { text: '', inflows: [] };
    const known = before?.text ?? (isAppend ? this.facts.readText(path) : null);
    const isJob = text?.text.trim() === OWN_JOB.text;
    const added = text?.certainty === 'exact' || isJob ? text.text : null;
    this.collector.written.set(path, {
      text: known === null || added === null ? null : known + added,
      inflows: [...(before?.inflows ?? []), ...inflows].slice(0, MAX_INFLOWS),
      isUnpacked: (before?.isUnpacked ?? false) || this.#isUnpacking(),
    });
  }

  #isUnpacking(): boolean {
    const own = this.command === null ? undefined : this.collector.commands[this.command];
    return own !== undefined && isUnpacking(own);
  }

  /** The `execute` effect of the program itself. */
  execute(program: string): void {
    this.emit('execute', { type: 'process', process: program }, {});
  }

  // Run: what programs say.

  list(path: Word, emission: Emission = {}): void {
    this.#path('list', path, emission);
  }

  read(path: Word, emission: Emission = {}): void {
    for (const { resource } of this.#path('read', path, emission)) {
      this.receive([{ from: resource, how: 'verbatim' }]);
      const written = resource.type === 'path' ? this.collector.written.get(resource.path) : undefined;
      if (written) this.receive(written.inflows);
    }
  }

  write(path: Word, emission: Emission = {}): void {
    for (const { op, resource, certainty } of this.#path('write', path, emission)) {
      if (op !== 'write') continue;
      this.#sinks.push(resource);
      this.collector.kept.touch(certainty === 'exact' && resource.type === 'path' ? resource.path : null);
      if (resource.type !== 'path') continue;
      if (
        emission.makes === 'new folder' &&
        /^(?:absent|unknown)$/.test(this.collector.view.facts.entry(resource.path))
      )
        this.collector.fresh.add(resource.path);
      const isFolder = emission.makes === 'folder' || emission.makes === 'new folder';
      this.collector.made.set(resource.path, isFolder ? 'folder' : 'file');
      if (isFolder || emission.content === 'kept') continue;
      const isAppend = emission.traits?.includes('append') ?? false;
      this.#writtenTo.push({ path: resource.path, isAppend, text: emission.text ?? null });
    }
  }

  delete(path: Word, emission: Emission = {}): void {
    const target = path.certainty === 'exact' ? this.#canonical(path) : null;
    const takesWork =
      target !== null && [...this.collector.movedWork].some((moved) => isWithin(moved, target, this.facts));
    const traits = emission.traits ?? [];
    this.#path('delete', path, takesWork ? { ...emission, traits: [...traits, 'discards'] } : emission);
  }

  move(from: Word, to: Word, emission: Emission = {}): void {
    const origins = this.#path(this.#leaves(from, to) ? 'delete' : 'move', from, originOf(emission));
    this.#transfer(origins, to, emission, from);
  }

  /** Whether many things leave the workspace for a folder of temporary files: moving them there is deleting them. */
  #leaves(from: Word, to: Word): boolean {
    const target = from.certainty === 'pattern' ? this.#canonical(to) : null;
    return target !== null && placeOf(target.replace(/[^/]*[*?[].*$/, ''), this.facts) === 'temp';
  }

  copy(from: Word, to: Word, emission: Emission = {}): void {
    const origins = this.#path('read', from, originOf(emission));
    this.#transfer(origins, to, emission, from);
  }

  network(target: Word, options: { readonly method?: string } & Emission): void {
    const destination = destinationOf(target, options.method ?? null);
    if (destination.type === 'nothing') return;
    if (destination.type === 'file') {
      this.read(exactWord(destination.path), options);
      return;
    }
    const traits = new Set<Trait>([...destination.traits, ...(options.traits ?? [])]);
    this.emit('network', destination.resource, {
      traits: [...traits],
      certainty: options.certainty ?? destination.certainty,
      note: options.note ?? destination.note,
      ...(options.reversible ? { reversible: options.reversible } : {}),
      brings: options.brings,
    });
    if (traits.has('upload') || traits.has('outward')) this.#sinks.push(destination.resource);
    if (!traits.has('upload') || traits.has('download'))
      this.receive([{ from: destination.resource, how: 'verbatim' }]);
  }

  install(ecosystem: string, name: Word, emission: Emission = {}): void {
    const [, base = name.text, version = null] = /^(@?[^@]+)@(.+)$/.exec(name.text) ?? [];
    this.emit(
      'install',
      { type: 'package', ecosystem, name: normalisedPackage(ecosystem, base), version },
      { certainty: base === '*' && name.certainty === 'exact' ? 'pattern' : name.certainty, ...emission },
    );
  }

  emit(op: Op, resource: Resource, emission: Emission = {}): void {
    this.#add({
      op,
      resource,
      certainty: emission.certainty ?? 'exact',
      reversible: emission.reversible ?? DEFAULT_REVERSIBLE[op],
      traits: emission.traits ?? [],
      note: emission.note ?? '',
      ...(emission.brings === undefined ? {} : { brings: emission.brings }),
    });
    if (op === 'history') this.keep(null);
    if (op === 'kill') this.#sinks.push(resource);
    if (op === 'read' && resource.type !== 'process') this.receive([{ from: resource, how: 'verbatim' }]);
  }

  unknown(what: string): void {
    this.collector.add(unknownEffect(what, this.command));
  }

  flow(flow: Flow): void {
    this.collector.addFlow(flow);
  }

  keep(kept: Kept | null): void {
    if (this.context.where !== null) return;
    if (kept === null) this.collector.kept.clear();
    else this.collector.kept.add(kept);
  }

  link(target: Word, link: Word): void {
    const path = this.#canonical(link);
    const to = target.certainty === 'exact' ? this.#canonical(target) : null;
    if (path !== null && to !== null) this.collector.links.set(path, to);
  }

  carry(argv: readonly Word[], options: CarryOptions = {}): void {
    if (argv.length > 0) this.spawner?.carry(this, argv, options, null);
  }

  elsewhere(where: Resource, argv: readonly Word[]): void {
    if (argv.length > 0) this.spawner?.carry(this, argv, {}, where);
  }

  code(language: Language, text: Word, options: CodeOptions = {}): void {
    const settled = settledIn(language, text);
    if (settled.certainty !== 'exact') this.unreviewed(language);
    const { positional = [], environment = new Map<string, Word>() } = options;
    const known = new Map([...unknownNames(settled), ...environment]);
    const code: Code = { language, text: asCode(settled).text, positional, environment: known, path: null };
    this.spawner?.code(this, code, options);
  }

  script(language: Language, path: Word, options: { readonly positional?: readonly Word[] } = {}): void {
    if (path.certainty === 'exact' && /^\/dev\/(stdin|fd\/0)$|^-$/.test(path.text)) {
      this.standardInput(language, options.positional ?? []);
      return;
    }
    const file = this.open(path);
    if (!file) return;
    const positional = [path, ...(options.positional ?? [])];
    this.spawner?.code(this, { language, text: file.text, positional, environment: new Map(), path: file.path }, {});
  }

  /** Reads a file that is run. Null, and an `execute` of something unreviewed, where its text is not known. */
  open(path: Word): { readonly text: string; readonly path: string } | null {
    this.read(path);
    const canonical = path.certainty === 'exact' ? this.#canonical(path) : null;
    const written = this.collector.written.get(path.text) ?? this.collector.written.get(canonical ?? path.text);
    if (written) this.receive(written.inflows);
    const text = written ? written.text : canonical === null ? null : this.facts.readText(canonical);
    if (text !== null) return { text, path: canonical ?? path.text };
    if (written?.isUnpacked)
      this.emit(
        'execute',
        { type: 'process', process: path.text },
        {
          certainty: 'dynamic',
          traits: ['unreviewed', 'covert'],
          note: 'it was decoded or unpacked in the same action',
        },
      );
    else if (
      canonical !== null &&
      placeOf(canonical, this.facts) === 'workspace' &&
      !this.isFedFromAfar &&
      (this.#asksForHelp(path) || (!written && (isTestByName(canonical, this.facts) || isActivation(canonical))))
    )
      this.emit(
        'execute',
        { type: 'process', process: path.text },
        {
          traits: ['unreviewed', 'project-code'],
          note: 'a test of the project, or a program of it asked about itself',
        },
      );
    else this.unreviewed(path.text);
    return null;
  }

  /** Whether the words behind a program ask it what it can do. */
  #asksForHelp({ text }: Word): boolean {
    const { argv } = this.invocation;
    const words = argv.slice(argv.findIndex((word) => word.text === text) + 1).map((word) => word.text);
    const [first = '', second] = words;
    return (
      words.includes('--help') || first === 'help' || (second === undefined && /^(?:-h|--version|version)$/.test(first))
    );
  }

  textOf(path: Word): string | null {
    const canonical = path.certainty === 'exact' && this.context.where === null ? this.#canonical(path) : null;
    if (canonical === null) return null;
    // What stands behind a descriptor is known by the name that it was remembered under.
    const written = this.collector.written.get(path.text) ?? this.collector.written.get(canonical);
    return written ? written.text : this.facts.readText(canonical);
  }

  standardInput(language: Language, positional: readonly Word[]): void {
    const { input } = this.invocation;
    switch (input.type) {
      case 'none':
        return;
      case 'text':
        this.code(
          language,
          { text: input.text, raw: input.text, certainty: input.certainty, quoted: true },
          { positional },
        );
        return;
      case 'file':
        this.script(language, input.path, { positional });
        return;
      case 'pipe':
        this.unreviewed(language);
    }
  }

  unreviewed(what: string): void {
    const traits: Trait[] = ['unreviewed'];
    if (this.isFedFromAfar) traits.push('remote-code');
    const isHidden = this.#isFedByUnpacking();
    if (isHidden) traits.push('covert');
    const note = isHidden ? 'the code is decoded or unpacked in the same action, so that nobody can read it' : '';
    this.emit('execute', { type: 'process', process: what }, { certainty: 'dynamic', traits, note });
  }

  /** Whether what runs comes out of a decoder, an archive or the history: in its pipe, its words, or that of its carrier. */
  #isFedByUnpacking(): boolean {
    const { commands } = this.collector;
    let at: number | null = this.command;
    for (let hop = 0; at !== null && hop < 8; hop += 1) {
      const own: SimpleCommand | undefined = commands[at];
      if (!own) return false;
      if (holdsUnpacked(own.argv)) return true;
      if (commands.some((other) => other !== own && other.pipeline === own.pipeline && isUnpacking(other))) return true;
      at = own.carrier;
    }
    return false;
  }

  outputs(text: Word): void {
    this.output = text.text.length > MAX_OUTPUT ? null : text;
    if (this.output?.certainty === 'exact') this.receive([{ from: literalSource(text.text), how: 'verbatim' }]);
    else if (text.text.trim() === OWN_JOB.text)
      this.receive([{ from: { type: 'process', process: OWN_JOB.text }, how: 'verbatim' }]);
  }

  changeTerminal(change: (terminal: TerminalState) => TerminalState): void {
    this.holder.terminal = change(this.holder.terminal);
  }

  // What they share.

  #transfer(origins: readonly PathEffect[], to: Word, emission: Emission, from: Word): void {
    const written = this.#path(
      'write',
      to,
      from.certainty === 'pattern' ? { content: 'landing', ...emission } : emission,
    );
    for (const { op, resource, certainty } of written) {
      if (op !== 'write') continue;
      this.collector.kept.touch(certainty === 'exact' && resource.type === 'path' ? resource.path : null);
      this.#traced.add(resource);
      for (const origin of origins) this.collector.addFlow({ from: origin.resource, to: resource, how: 'verbatim' });
    }
    for (const { op, resource } of written) {
      const isWork = origins.some(
        (origin) => origin.op === 'move' && origin.resource.type === 'path' && isLoose(origin.resource.git),
      );
      // What is moved into a folder was there before the folder was.
      if (op === 'write' && resource.type === 'path' && origins.some((origin) => origin.op === 'move'))
        for (const folder of this.collector.fresh)
          if (isWithin(resource.path, folder, this.facts)) this.collector.fresh.delete(folder);
      if (op === 'write' && resource.type === 'path' && isWork)
        this.collector.movedWork.add(literalFolder(resource.path));
    }
    const source = from.certainty === 'exact' ? this.#canonical(from) : null;
    const target = written[0]?.resource;
    if (source === null || target?.type !== 'path') return;
    const before = this.collector.written.get(source);
    this.collector.written.set(target.path, {
      text: before ? before.text : this.facts.readText(source),
      inflows: before?.inflows ?? [],
    });
  }

  #canonical(word: Word): string | null {
    const { cwd } = this.invocation;
    if (cwd === null && !isAbsolute(word.text, this.facts.platform)) return null;
    return canonicalPath(word.text, cwd ?? '/', this.facts, 'follow');
  }

  #path(op: PathAction['op'], word: Word, emission: Emission): readonly PathEffect[] {
    if (this.collector.isExhausted) return [];
    const action = {
      op,
      word,
      traits: emission.traits ?? [],
      note: emission.note ?? '',
      certainty: emission.certainty ?? null,
      reversible: emission.reversible ?? null,
      content: emission.content ?? 'changed',
      spares: emission.spares ?? [],
    };
    const effects = this.#foldersOf(op, word).flatMap((cwd) => pathEffects({ ...action, cwd }, this.facts));
    for (const effect of effects) {
      this.#add(effect);
      if (effect.resource.type !== 'path' || effect.certainty !== 'exact' || effect.traits.includes('dry-run'))
        continue;
      if (effect.op === 'delete' || effect.op === 'move') this.collector.gone.add(effect.resource.path);
      else if (effect.op === 'write') this.collector.gone.delete(effect.resource.path);
    }
    if (this.facts.platform === 'win32') this.#reachShare(word);
    return effects;
  }

  /** A path of another machine is reached over the network, with the person's own name. */
  #reachShare(word: Word): void {
    const host = /^[\\/]{2}(?![?.][\\/])([^\\/@]+)(?:@[^\\/]*)?[\\/]/.exec(word.text)?.[1];
    if (host === undefined || this.#shares.has(host) || /^(?:localhost|127\.0\.0\.1|wsl\$|wsl\.localhost)$/i.test(host))
      return;
    this.#shares.add(host);
    this.network({ ...word, text: `smb://${host}/` }, {});
  }

  /**
   * Where a word may begin: the folder, or each of those that it may be. What is changed stays unknown where the folder is:
   * `cd gone; rm *` was not meant for the folder it began in.
   */
  #foldersOf(op: PathAction['op'], word: Word): readonly (string | null)[] {
    const { cwd, mayBeIn } = this.invocation;
    const isFree = cwd === null && (op === 'read' || op === 'list') && !isAbsolute(word.text, this.facts.platform);
    return isFree && mayBeIn.length > 0 ? mayBeIn : [cwd];
  }

  #add(effect: PathEffect): void {
    const { where } = this.context;
    const placed = where === null ? effect : moveElsewhere(effect, where);
    this.collector.add({ ...placed, command: this.command });
  }
}

/** Whether git holds no copy of something in that state. */
const isLoose = (git: GitState): boolean =>
  git === 'untracked' || git === 'modified' || git === 'mixed' || git === 'none';

/** A path, or the folder in which what a glob names lies. */
const literalFolder = (path: string): string => {
  const at = path.search(/[*?[{\\]/);
  return at < 0 ? path : path.slice(0, path.lastIndexOf('/', at)) || '/';
};

/** What is said of a transfer, without what is about its target alone. */
const originOf = (emission: Emission): Emission => ({
  ...emission,
  traits: (emission.traits ?? []).filter((trait) => !/^(create|overwrite|append|grants-access)$/.test(trait)),
});

/** Where all that is not known of a code are numbers, it is known well enough: any number stands for them, in a shell a glob of one. */
function settledIn(language: Language, text: Word): Word {
  const plain =
    text.certainty === 'pattern' ? withNumber(text, /^(?:bash|sh|zsh)$/.test(language) ? NUMBER.text : '1') : null;
  return plain === null ? text : { ...text, text: plain, certainty: 'exact' };
}

/** `bash -c "rm $X"` with an unknown X: in the text that the child sees, `$X` is that unknown value and not the child's own variable. */
function unknownNames(text: Word): ReadonlyMap<string, Word> {
  if (text.certainty === 'exact') return new Map();
  const names = [...text.text.matchAll(/\$\{?(\w+)/g)].map(([, name]) => name ?? '');
  return new Map(names.filter((name) => name !== '').map((name) => [name, dynamicWord(`$${name}`)]));
}

/** Whether a file of the project is a test by its name or folder: to run it is what a test runner would do. */
const isTestByName = (path: string, { roots }: Facts): boolean => {
  const inside = roots.reduce((rest, root) => (rest.startsWith(`${root}/`) ? rest.slice(root.length) : rest), path);
  return /\/(?:tests?|specs?|__tests__)\/|\/test_[^/]*$|[_.-](?:test|spec)\.\w+$/.test(inside);
};

/** `.venv/bin/activate` and its kin, which venv and virtualenv write: they only set the path. */
const isActivation = (path: string): boolean =>
  /\/\.?v?env\/(?:bin|scripts)\/activate(?:\.fish|\.csh|\.ps1|\.bat)?$/i.test(path);

/** Data that comes back from where it was asked for has not travelled. */
const isSamePlace = (from: Inflow['from'], to: Resource): boolean =>
  from === to || (from.type === 'url' && to.type === 'url' && from.url === to.url);

const literalSource = (text: string): Inflow['from'] => ({ type: 'literal', text: text.slice(0, MAX_LITERAL) });

/** PyPI takes `Foo_Bar` and `foo-bar` for one (PEP 503); npm and most others tell case apart or forbid capitals. */
const normalisedPackage = (ecosystem: string, name: string): string =>
  ecosystem === 'pypi' ? name.toLowerCase().replace(/[-_.]+/g, '-') : name.trim();

const DEFAULT_REVERSIBLE: Readonly<Record<Op, Reversibility>> = {
  list: 'yes',
  read: 'yes',
  write: 'checkpoint',
  delete: 'no',
  move: 'checkpoint',
  execute: 'yes',
  network: 'yes',
  install: 'checkpoint',
  kill: 'no',
  privilege: 'yes',
  history: 'checkpoint',
  persist: 'checkpoint',
  unknown: 'no',
};
