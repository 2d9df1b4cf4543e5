import type { Analysis, Inflow, Resource, TerminalState, Word } from '../effect.js';
import { exportedFunction, freshTerminal } from '../effect.js';
import type { Facts } from '../facts.js';
import type { KeptWork } from '../keptWork.js';
import { canonicalPath, isAbsolute, placeOf, isWithin } from '../paths.js';
import type { Syntax } from '../syntax.js';
import { Collector, MAX_DEPTH, MAX_INFLOWS, ROOT_CONTEXT, type Context } from './collector.js';
import { CommandRun, type CarryOptions, type CodeOptions, type Spawner } from './commandRun.js';
import { factsElsewhere } from './elsewhere.js';
import {
  NO_INPUT,
  NOTHING_KNOWN,
  type Call,
  type Called,
  type Code,
  type Frame,
  type Left,
  type LanguageEntry,
  type Redirect,
  type Streams,
  type Tables,
} from './frame.js';
import { merged } from './bash/terminal.js';
import { withCountsOnly, withNamesOnly } from './namesOnly.js';
import { traps } from './environmentTraps.js';
import { FORK_BOMB } from './forkBomb.js';
import { handlingOf } from './handling.js';
import { takesAway } from './takesAway.js';
import { baseName, isLocalFile, withoutVersion } from './names.js';
import type { Input, Invocation, Language, ProgramEntry } from './run.js';
import type { View } from '../view.js';
import { peel, type Peeled } from './wrappers.js';

/** Says what a text of a language does when it is run in `view.terminal`. Total: never throws for any text. */
export function analyseCode(language: Language, text: string, view: View, tables: Tables): Analysis {
  const collector = new Collector(view, tables);
  const holder = holderOf(view.terminal);
  const invocation: Invocation = {
    program: '',
    argv: [],
    assignments: new Map(),
    input: NO_INPUT,
    cwd: view.terminal.cwd,
    mayBeIn: view.terminal.mayBeIn,
    isPrivileged: false,
    output: 'agent',
  };
  const entry = tables.languages.get(language);
  const start = new CommandRun(collector, invocation, null, ROOT_CONTEXT, holder, collector.facts, null);
  if (entry) {
    // Code that is no shell starts processes through its run, which therefore needs a frame of its own to start them in.
    const spawner = new ShellFrame(collector, holder, entry, start, ROOT_CONTEXT, collector.facts, NO_INPUT, 'agent');
    const run = new CommandRun(collector, invocation, null, ROOT_CONTEXT, holder, collector.facts, spawner);
    const frame = new ShellFrame(collector, holder, entry, run, ROOT_CONTEXT, collector.facts, NO_INPUT, 'agent');
    entry.analyse({ language, text, positional: [], environment: new Map(), path: null }, frame);
  } else start.unknown(`${language} cannot be analysed`);
  const { commands } = collector;
  const named = withNamesOnly(collector.effects, commands, collector.flows);
  const { effects, flows } = withCountsOnly(named.effects, commands, named.flows);
  const { said } = collector.kept;
  return { effects, commands, flows, terminal: holder.terminal, ...(said.length === 0 ? {} : { kept: said }) };
}

/** A frame over the collector. Frames of one shell share its terminal; each process has its own. */
/** What the frames of one shell share. */
interface Holder {
  terminal: TerminalState;
  readonly left: Left;
}

const holderOf = (terminal: TerminalState): Holder => ({ terminal, left: { loop: [], body: [] } });

class ShellFrame implements Frame, Spawner {
  constructor(
    readonly collector: Collector,
    readonly holder: Holder,
    readonly language: LanguageEntry,
    readonly run: CommandRun,
    readonly context: Context,
    readonly facts: Facts,
    readonly input: Input,
    readonly output: Invocation['output'],
  ) {}

  get syntax(): Syntax {
    return this.collector.syntax;
  }

  get terminal(): TerminalState {
    return this.holder.terminal;
  }

  set terminal(terminal: TerminalState) {
    this.holder.terminal = terminal;
  }

  get left(): Left {
    return this.holder.left;
  }

  newPipeline(): number {
    return this.collector.newPipeline();
  }

  step(): boolean {
    return this.collector.step();
  }

  subshell(streams: Streams = {}): Frame {
    return this.#with(this.run, holderOf(this.holder.terminal), streams);
  }

  redirected(streams: Streams): Frame {
    return this.#with(this.run, this.holder, streams);
  }

  /** This frame as a builtin sees it: what it says and includes counts to its own command. */
  for(run: CommandRun): ShellFrame {
    return this.#with(run, this.holder, { input: run.invocation.input, output: run.invocation.output });
  }

  include(code: Code, inflows: readonly Inflow[]): Called {
    if (this.context.depth >= MAX_DEPTH) {
      this.run.unknown('code is nested too deeply to be followed');
      return NOTHING_KNOWN;
    }
    if (!this.collector.step(code.text.length)) return NOTHING_KNOWN;
    const { collector, holder, run, facts, input, output } = this;
    const context: Context = {
      ...this.context,
      carrier: run.command ?? this.context.carrier,
      depth: this.context.depth + 1,
      inflows: [...this.context.inflows, ...inflows].slice(0, MAX_INFLOWS),
    };
    const entry = collector.tables.languages.get(code.language) ?? this.language;
    return entry.analyse(code, new ShellFrame(collector, holder, entry, run, context, facts, input, output));
  }

  includeFile(path: Word, positional: readonly Word[]): Called {
    const language = this.language.languages[0] ?? 'sh';
    const { input } = this.run.invocation;
    if (/^\/dev\/(stdin|fd\/0)$/.test(path.text) && input.type === 'text' && input.certainty === 'exact') {
      return this.include({ language, text: input.text, positional, environment: new Map(), path: null }, []);
    }
    const file = this.run.open(path);
    if (!file) return NOTHING_KNOWN;
    const code: Code = { language, text: file.text, positional, environment: new Map(), path: file.path };
    const called = this.collector.within(language, file.text, () => this.include(code, []));
    if (called === null) this.run.unknown('code that runs itself');
    return called ?? NOTHING_KNOWN;
  }

  remember(path: string, text: Word | null, inflows: readonly Inflow[]): void {
    this.collector.written.set(path, { text: text?.certainty === 'exact' ? text.text : null, inflows });
  }

  nextDescriptorPath(): string {
    return this.collector.nextDescriptorPath();
  }

  isMade(path: string): boolean {
    return [...this.collector.made.keys()].some((folder) => isWithin(folder, path, this.facts));
  }

  get following(): Set<string> {
    return this.collector.following;
  }

  get locals(): Set<string>[] {
    return this.collector.locals;
  }

  get kept(): KeptWork {
    return this.collector.kept;
  }

  get spread(): { count: number } {
    return this.collector.spread;
  }

  redirect(redirect: Redirect, inflows: readonly Inflow[], command: number | null): void {
    if (!this.collector.step()) return;
    const { cwd, mayBeIn } = this.terminal;
    const invocation: Invocation = { ...this.run.invocation, cwd, mayBeIn, output: 'file' };
    const run = new CommandRun(this.collector, invocation, command, this.context, this.holder, this.facts, null);
    run.redirect(redirect);
    run.receive(inflows);
    run.finish('verbatim');
  }

  call(call: Call): Called {
    return this.step() ? this.#start(call) : NOTHING_KNOWN;
  }

  carry(run: CommandRun, argv: readonly Word[], options: CarryOptions, where: Resource | null): void {
    const inner = this.#process(run, options.assignments ?? new Map(), where, options.isPrivileged ?? false);
    if (!inner) return;
    const input = options.input ?? run.invocation.input;
    if (options.cwd)
      inner.terminal = { ...inner.terminal, cwd: folderOf(options.cwd, run.invocation.cwd, inner.facts) };
    inner.redirected({ input }).call({
      argv,
      assignments: options.assignments ?? new Map(),
      redirects: [],
      input,
      output: run.invocation.output,
      pipeline: this.newPipeline(),
      stage: 0,
      inflows: [],
    });
  }

  code(run: CommandRun, code: Code, options: CodeOptions): void {
    const inner = this.#process(run, code.environment, null, false, this.collector.tables.languages.get(code.language));
    if (!inner) return;
    if (options.cwd)
      inner.terminal = { ...inner.terminal, cwd: folderOf(options.cwd, run.invocation.cwd, inner.facts) };
    if (TAKES_FUNCTIONS.has(code.language)) inner.terminal = withExportedFunctions(inner.terminal, run.terminal);
    const { language } = inner;
    if (!this.collector.step(code.text.length)) return;
    if (!language.languages.includes(code.language)) {
      run.unknown(`${code.language} code cannot be analysed`);
      return;
    }
    const frame = options.input === undefined ? inner : inner.redirected({ input: options.input });
    const called = this.collector.within(code.language, code.text, () => language.analyse(code, frame));
    if (called) run.adopt(called);
    else run.unknown('code that runs itself');
  }

  /** A frame for a process that a command starts; null when processes are nested too deeply. */
  #process(
    run: CommandRun,
    assignments: ReadonlyMap<string, Word>,
    where: Resource | null,
    isPrivileged: boolean,
    language: LanguageEntry = this.language,
  ): ShellFrame | null {
    if (run.context.depth >= MAX_DEPTH) {
      run.unknown('commands are nested too deeply to be followed');
      return null;
    }
    const context: Context = {
      carrier: run.command ?? run.context.carrier,
      depth: run.context.depth + 1,
      isPrivileged: isPrivileged || run.invocation.isPrivileged,
      where: where ?? run.context.where,
      inflows: run.outflows('verbatim'),
    };
    const facts = where === null ? run.facts : factsElsewhere(run.facts);
    const terminal = where === null ? childTerminal(run, assignments) : freshTerminal(null);
    const { input, output } = run.invocation;
    return new ShellFrame(this.collector, holderOf(terminal), language, run, context, facts, input, output);
  }

  #with(run: CommandRun, holder: Holder, streams: Streams): ShellFrame {
    const { collector, language, context, facts } = this;
    const { input = this.input, output = this.output } = streams;
    return new ShellFrame(collector, holder, language, run, context, facts, input, output);
  }

  /** Peels wrappers, records the command, and asks function, shell or program what it does. */
  #start(call: Call): Called {
    const { collector, facts, terminal } = this;
    const peeled = peel(this.#spelled(call.argv), facts.platform);
    const name = this.#nameOf(peeled.inner[0]);
    const cwd = peeled.cwd === null ? terminal.cwd : folderOf(peeled.cwd, terminal.cwd, facts);
    const index = collector.addCommand({
      program: name.program,
      argv: peeled.inner,
      carrier: this.context.carrier,
      pipeline: call.pipeline,
      stage: call.stage,
      cwd,
      wrappers: peeled.names,
      ...(call.isAside === true ? { isAside: true } : {}),
    });
    if (index === null) return NOTHING_KNOWN;
    const invocation: Invocation = {
      program: name.program,
      argv: peeled.inner,
      assignments:
        peeled.assignments.size === 0 ? call.assignments : new Map([...call.assignments, ...peeled.assignments]),
      input: call.input.type === 'none' ? this.input : call.input,
      cwd,
      mayBeIn: peeled.cwd === null ? terminal.mayBeIn : [],
      isPrivileged: this.context.isPrivileged || peeled.privileges.length > 0,
      output: call.output,
    };
    const run = new CommandRun(collector, invocation, index, this.context, this.holder, facts, this);
    run.receive(call.inflows);
    run.receiveInput(invocation.input);
    for (const redirect of call.redirects) if (collector.step()) run.redirect(redirect);
    announce(run, peeled);
    for (const [variable, value] of invocation.assignments) traps(variable, value, run);
    this.#dispatch(run, name, !peeled.names.some((wrapper) => wrapper === 'command' || wrapper === 'builtin'));
    const how = handlingOf(name.program);
    run.finish(how);
    const goesElsewhere = call.redirects.some(({ kind, descriptor }) => descriptor === 1 && kind !== 'read');
    return goesElsewhere ? { ...NOTHING_KNOWN, index } : { index, output: run.output, inflows: run.outflows(how) };
  }

  /** Git Bash gives `//c` to a program of Windows as `/c`, since it would take `/c` for a drive. */
  #spelled(argv: readonly Word[]): readonly Word[] {
    if (this.facts.platform !== 'win32' || this.language.foldsCase) return argv;
    return argv.map((word, at) =>
      at > 0 && /^\/\/[a-z?][^/\\]*$/i.test(word.text) ? { ...word, text: word.text.slice(1) } : word,
    );
  }

  #nameOf(word: Word | undefined): ProgramName {
    if (!word || word.certainty === 'dynamic') return { program: '', entry: null, word: word ?? null };
    const { platform, isCaseSensitive } = this.facts;
    const { programs } = this.collector.tables;
    // `=rm` is the path of rm to zsh.
    const isPath = this.language.languages[0] === 'zsh' && /^=\w/.test(word.text);
    const base = baseName(isPath ? word.text.slice(1) : word.text, platform);
    const key = isCaseSensitive ? base : base.toLowerCase();
    const entry = programs.get(key) ?? programs.get(withoutVersion(key)) ?? programs.get(key.toLowerCase()) ?? null;
    return { program: entry?.names[0] ?? base, entry, word };
  }

  #callFunction(run: CommandRun, name: string, body: string): void {
    const { following, locals, spread, spreadAt } = this.collector;
    const key = `function ${name}`;
    if (following.has(key)) {
      run.unknown(`function ${name} calls itself`);
      // One that starts itself directly has been found where it was defined.
      const isDirect = [...following].at(-1) === key;
      if (!isDirect && spread.count > (spreadAt.get(key) ?? 0))
        run.emit('execute', { type: 'process', process: name }, FORK_BOMB);
      return;
    }
    following.add(key);
    spreadAt.set(key, spread.count);
    const before = this.terminal;
    const own = new Set<string>();
    locals.push(own);
    const code: Code = {
      language: this.language.languages[0] ?? 'sh',
      text: body,
      positional: run.invocation.argv,
      environment: run.invocation.assignments,
      path: null,
    };
    const { left } = this;
    const outer = { ...left };
    Object.assign(left, { loop: [], body: [] });
    run.adopt(this.for(run).include(code, []));
    if (left.body.length > 0) this.terminal = merged(before, [this.terminal, ...left.body]);
    Object.assign(left, outer);
    following.delete(key);
    locals.pop();
    if (own.size > 0) this.terminal = withNames(this.terminal, own, before);
  }

  #dispatch(run: CommandRun, { word, program, entry }: ProgramName, mayBeFunction: boolean): void {
    if (!word) return;
    if (program === '' || word.certainty !== 'exact') {
      run.emit('execute', { type: 'process', process: program }, { certainty: 'dynamic', traits: ['unreviewed'] });
      run.unknown(`the program is known only when it runs: ${word.raw}`);
      if (entry) entry.analyse(run);
      if (looksLikeRemoval(run.invocation.argv)) {
        for (const path of run.invocation.argv.slice(1))
          if (!path.text.startsWith('-'))
            run.delete(path, { traits: ['recursive', 'force'], note: 'if the program is one that removes' });
      }
      // `$SUDO rm x`: where the variable is empty the next word is the program.
      if (!word.quoted && run.invocation.argv.length > 1) run.carry(run.invocation.argv.slice(1));
      return;
    }
    const { language } = this;
    const body = mayBeFunction ? this.terminal.functions.get(word.text) : undefined;
    if (body !== undefined) {
      this.#callFunction(run, word.text, body);
      return;
    }
    const builtin = language.builtins.get(language.foldsCase ? word.text.toLowerCase() : word.text);
    run.execute(program);
    if (builtin) builtin(run, this.for(run));
    else if (isLocalFile(word.text, this.facts.platform)) runLocalFile(run, this.#withEnding(run, word), entry);
    else if (entry === null && language.languages.includes('cmd') && this.#withEnding(run, word) !== word)
      runLocalFile(run, this.#withEnding(run, word), entry);
    else if (entry) entry.analyse(run);
    else if (!asksAboutItself(run.invocation.argv)) this.#stranger(run, program);
  }

  /** Windows looks for `x.ps1`, `x.bat` and `x.cmd` where `x` is started, and cmd in the folder it is in. */
  #withEnding(run: CommandRun, word: Word): Word {
    const { cwd } = run.invocation;
    if (this.facts.platform !== 'win32' || cwd === null) return word;
    for (const ending of ['', '.ps1', '.bat', '.cmd']) {
      const path = canonicalPath(word.text + ending, cwd, this.facts, 'follow');
      if (!run.collector.written.has(path) && this.facts.entry(path) !== 'file') continue;
      return ending === '' && /[\\/]/.test(word.text) ? word : { ...word, text: word.text + ending };
    }
    return word;
  }

  /** Whether a word behind a program that is not known is a program that it may be made to run: `retry -t 3 rm -rf x`. */
  #isCarried(word: Word): boolean {
    return word.certainty === 'exact' && !word.text.startsWith('-') && CARRIED.test(this.#nameOf(word).program);
  }

  /** A program that is not known: what its words show all the same. */
  #stranger(run: CommandRun, program: string): void {
    run.unknown(`program ${program} is not known`);
    const [name] = run.invocation.argv;
    if (name && isInstaller(name, run)) run.install('installer', name);
    const words = run.invocation.argv.slice(1);
    const line = run.invocation.argv.map(({ text }) => text).join(' ');
    // A line for a database's prompt, typed where a shell may stand.
    if (isStatement(line)) run.code('sql', { text: line, raw: line, certainty: 'exact', quoted: true });
    const call = methodOf(program);
    if (call)
      run.emit(
        'delete',
        { type: 'remote', service: 'sdk', name: call },
        { certainty: 'dynamic', note: 'by the name of the call' },
      );
    // `tool … -- cmd` carries a command; so does a misspelt assignment before one.
    const carried = words.findIndex((word, at) => at > 0 && this.#isCarried(word));
    const dashes = words.findIndex(({ text }) => text === '--');
    if (dashes >= 0) run.carry(words.slice(dashes + 1));
    else if (carried > 0 && carried < words.length - 1) run.carry(words.slice(carried));
    else if (/=/.test(program) && words.length > 0) run.carry(words);
  }
}

/** Programs whose names no other program has for words of its own: behind one that is not known they are what it runs. */
const CARRIED =
  /^(?:bash|chmod|chown|curl|dash|dd|find|git|mkfs|node|perl|python|rm|rsync|ruby|scp|sh|shred|ssh|sudo|tar|truncate|wget|xargs|zsh)$/;

/** The terminal with some variables as they were before: what was local to a function ends with it. */
function withNames(terminal: TerminalState, names: ReadonlySet<string>, before: TerminalState): TerminalState {
  const variables = new Map(terminal.variables);
  for (const name of names) {
    const old = before.variables.get(name);
    if (old) variables.set(name, old);
    else variables.delete(name);
  }
  return { ...terminal, variables };
}

interface ProgramName {
  /** Canonical name; empty when it cannot be known. */
  readonly program: string;
  readonly entry: ProgramEntry | null;
  /** As written; null when the command has no words. */
  readonly word: Word | null;
}

/** Whether a line begins as a statement of SQL that changes something. */
const isStatement = (line: string): boolean =>
  /^(?:DELETE\s+FROM|DROP\s+(?:TABLE|DATABASE|SCHEMA|INDEX|VIEW|USER|ROLE|COLLECTION)|TRUNCATE\s+\w|GRANT\s+.+\s+TO\s|REVOKE\s+.+\s+FROM\s|ALTER\s+(?:TABLE|DATABASE|USER|ROLE)|UPDATE\s+\S+\s+SET\s|INSERT\s+INTO)/i.test(
    line,
  );

/** `client.customer.delete('x')` typed as a program: a line for a prompt of a language. Null for other names. */
function methodOf(program: string): string | null {
  const [, receiver = '', method = ''] = /^([A-Za-z_][\w.]*)\.(\w+)\(/.exec(program) ?? [];
  return takesAway(method) ? `${receiver}.${method}` : null;
}

/** `$X -rf /`, `& $x path -Recurse -Force`: whatever the program is, its options are those of a removal. */
const looksLikeRemoval = (argv: readonly Word[]): boolean =>
  /^-(?:[rR]f|f[rR])v?$/.test(argv[1]?.text ?? '') ||
  (argv.length > 2 && argv.some(({ text }) => /^-rec(?:u(?:r(?:s(?:e)?)?)?)?$/i.test(text))) ||
  (argv.some(({ text }) => /^-r$/i.test(text)) && argv.some(({ text }) => /^-fo(?:r(?:c(?:e)?)?)?$/i.test(text)));

/** A sole argument that makes nearly every program say something about itself and end. */
const asksAboutItself = (argv: readonly Word[]): boolean =>
  argv.length === 2 && /^(--version|--help|-V|-version|-help|\/\?)$/.test(argv[1]?.text ?? '');

function announce(run: CommandRun, peeled: Peeled): void {
  for (const wrapper of peeled.privileges) run.emit('privilege', { type: 'process', process: wrapper });
  for (const what of peeled.unknown) run.unknown(what);
  // `strace -o '|cmd'` gives its trace to a command.
  for (const file of peeled.writes)
    if (/^[|!]/.test(file.text)) run.code('sh', { ...file, text: file.text.slice(1) });
    else run.write(file);
}

/** Languages by the interpreter in a script's first line. */
const INTERPRETERS: readonly (readonly [RegExp, Language])[] = [
  [/\b(ba|da|k|a)?sh\b/, 'bash'],
  [/\bzsh\b/, 'zsh'],
  [/\bpython[\d.]*\b/, 'python'],
  [/\b(node|deno|bun|tsx|ts-node)\b/, 'javascript'],
  [/\bruby\b/, 'ruby'],
  [/\bperl\b/, 'perl'],
  [/\bphp\b/, 'php'],
  [/\bpwsh\b/, 'powershell'],
  [/\b[gmn]?awk\b/, 'awk'],
];

/** A program written as a path into the project: its text is analysed when it is a script; a known tool's own wrapper counts as it. */
function runLocalFile(run: CommandRun, word: Word, entry: ProgramEntry | null): void {
  const path = canonicalPath(word.text, run.invocation.cwd ?? '/', run.facts, 'follow');
  const written = run.collector.written.get(path);
  const text = written ? written.text : run.facts.readText(path);
  // The build's own wrapper, as it was committed or as nothing else is known of it: what it runs is the build.
  if (
    entry !== null &&
    !written &&
    /(^|[\\/])(?:gradlew|mvnw)(?:\.bat|\.cmd)?$/i.test(word.text) &&
    placeOf(path, run.facts) === 'workspace' &&
    (text === null || run.facts.gitState(path) === 'tracked')
  ) {
    run.read(word);
    entry.analyse(run);
    return;
  }
  const first = text?.startsWith('#!') ? text.slice(2, text.indexOf('\n') + 1 || undefined) : null;
  const language = first === null ? byExtension(path) : INTERPRETERS.find(([name]) => name.test(first))?.[1];
  if (/\.ms[ipu]$/i.test(path) || isInstaller(word, run)) run.install('installer', word);
  run.script(language ?? 'sh', word, { positional: run.invocation.argv.slice(1) });
  if (entry) entry.analyse(run);
}

/** `setup.exe /S`: a program that by its name installs another one. */
const isInstaller = (word: Word, run: CommandRun): boolean =>
  run.facts.platform === 'win32' && /(?:setup|install(?:er)?)[^\\/]*\.exe$/i.test(word.text);

const EXTENSIONS: Readonly<Record<string, Language>> = {
  py: 'python',
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  ts: 'javascript',
  rb: 'ruby',
  pl: 'perl',
  php: 'php',
  ps1: 'powershell',
  bat: 'cmd',
  cmd: 'cmd',
};

const byExtension = (path: string): Language => EXTENSIONS[/\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? ''] ?? 'sh';

/** A folder given as a word; null when it cannot be known. */
function folderOf(word: Word, cwd: string | null, facts: Facts): string | null {
  if (word.certainty !== 'exact') return null;
  if (cwd === null && !isAbsolute(word.text, facts.platform)) return null;
  return canonicalPath(word.text, cwd ?? '/', facts, 'follow');
}

/** What a process sees of the terminal that starts it: its folder and what is exported. */
function childTerminal(run: CommandRun, assignments: ReadonlyMap<string, Word>): TerminalState {
  const { terminal } = run;
  const variables = new Map<string, Word>();
  for (const name of terminal.exported) {
    const value = terminal.variables.get(name);
    if (value) variables.set(name, value);
  }
  for (const [name, value] of [...run.invocation.assignments, ...assignments]) variables.set(name, value);
  return {
    ...freshTerminal(run.invocation.cwd),
    variables,
    origins: terminal.origins,
    exported: new Set(variables.keys()),
  };
}

const TAKES_FUNCTIONS: ReadonlySet<Language> = new Set<Language>(['bash', 'sh', 'zsh']);

/** The terminal of a shell that another one starts, with the functions that were exported to it. */
function withExportedFunctions(child: TerminalState, { exported, functions }: TerminalState): TerminalState {
  const taken = [...functions].filter(([name]) => exported.has(exportedFunction(name)));
  if (taken.length === 0) return child;
  const names = taken.map(([name]) => exportedFunction(name));
  return { ...child, functions: new Map(taken), exported: new Set([...child.exported, ...names]) };
}
