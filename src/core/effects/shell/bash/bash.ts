import type { Inflow, TerminalState, Word } from '../../effect.js';
import type { SyntaxNode } from '../../syntax.js';
import {
  NO_INPUT,
  NOTHING_KNOWN,
  UNKNOWN_INPUT,
  type Called,
  type Code,
  type Frame,
  type LanguageEntry,
  type Redirect,
} from '../frame.js';
import type { Input, Invocation } from '../run.js';
import { FORK_BOMB } from '../forkBomb.js';
import { exactWord } from '../word.js';
import { bashBuiltins } from './builtins.js';
import { traps } from '../environmentTraps.js';
import { withoutSeveralHeredocs } from './heredocs.js';
import { assignedNames, cannotFail, endsShell, faultsOf, isForkBomb, leavesRunning } from './look.js';
import {
  NO_WORD,
  shapeOf,
  type Command,
  type Item,
  type Pipeline,
  type RedirectNode,
  type Script,
  type WordNodes,
} from './shape.js';
import {
  EMPTY,
  merged,
  oneOf,
  orUnset,
  referredName,
  unknownValue,
  withArray,
  withPositional,
  withVariable,
} from './terminal.js';
import { Expander, type Surroundings } from './words.js';

/** How many rounds of a loop over known words are followed one by one. */
const MAX_ROUNDS = 64;
const NO_NAMES: ReadonlySet<string> = new Set();
const NO_OUTPUT: Called = { index: null, output: exactWord(''), inflows: [] };

/** bash, sh and zsh: parsed by the bash grammar, walked node by node. */
export const bashLanguages: readonly LanguageEntry[] = (['bash', 'sh', 'zsh'] as const).map((language) => ({
  languages: [language],
  analyse: analyseBash,
  builtins: bashBuiltins,
  foldsCase: false,
}));

function analyseBash(given: Code, frame: Frame): Called {
  const parted = withoutSeveralHeredocs(given.text);
  const code = parted === null ? given : { ...given, text: parted };
  const text = mend(code.text);
  const tree = frame.syntax.parse('bash', text);
  if (!tree) {
    frame.run.unknown('the line cannot be parsed: too long, or the parser is not at hand');
    return NOTHING_KNOWN;
  }
  const before = frame.terminal;
  if (code.positional.length > 0) {
    const [zero = EMPTY, ...rest] = code.positional;
    const positioned = withPositional(before, rest);
    frame.terminal = { ...positioned, variables: new Map(positioned.variables).set('0', zero) };
  }
  const walker = new Walker(code.text, frame, code.path);
  const faults = new Set(faultsOf(tree, code.text));
  for (const what of faults) walker.problem(what);
  const called = walker.script(tree.children);
  if (faults.size > 0 || walker.isMisread) readLoosely(code.text, frame);
  if (code.positional.length > 0) frame.terminal = withOldPositional(frame.terminal, before);
  return called;
}

/** Longer texts that cannot be parsed are not read loosely. */
const MAX_LOOSE = 2_048;

/**
 * What a text that cannot be parsed looks like to whoever wrote it: commands between separators, words between blanks. Says more
 * than "unknown", never less; nothing is remembered of it. Not where a here-document could hold what only looks like commands.
 */
function readLoosely(text: string, frame: Frame): void {
  if (text.length > MAX_LOOSE || text.includes('<<')) return;
  const inner = frame.subshell();
  for (const line of text.match(/(?:'[^']*'|"(?:\\.|[^"\\])*"|[^;&|\n'"]|['"])+/g) ?? []) {
    const words = line.match(/(?:'[^']*'|"(?:\\.|[^"\\])*"|[^\s'"]|['"])+/g) ?? [];
    const start = words.findIndex((word) => !LEADING.test(word));
    const argv = words.slice(start < 0 ? words.length : start).map((raw) => looseWord(raw, frame.facts.home));
    if (argv.length === 0 || !inner.step()) continue;
    inner.call({
      argv,
      assignments: new Map(),
      redirects: [],
      input: NO_INPUT,
      output: 'agent',
      pipeline: inner.newPipeline(),
      stage: 0,
      inflows: [],
    });
  }
}

/** What stands before a command without being one. */
const LEADING = /^(?:[({!]|then|do|else|elif|if|while|until|time|coproc|\{\w+\}?[<>].*)$/;

/** A word of such a text: the home folder and globs mean what they mean anywhere, where nothing is quoted. */
function looseWord(raw: string, home: string): Word {
  const bare = raw.replace(/^(['"])(.*)\1$/s, '$2');
  if (/[$`]/.test(bare)) return { text: bare, raw, certainty: 'dynamic', quoted: true };
  if (/['"\\]/.test(raw)) return { text: bare, raw, certainty: 'exact', quoted: true };
  const text = bare
    .replace(/^\(/, '')
    .replace(/(?<=.)\)+$/, '')
    .replace(/^~(?=\/|$)/, home);
  return { text, raw, certainty: /[*?[]/.test(text) ? 'pattern' : 'exact', quoted: true };
}

/** A word that begins with a brace where a command begins; the grammar takes the brace for a group, which needs a blank behind it. */
const BRACED_NAME = /(^|[;&|(`\n{!]|\b(?:then|do|else|elif|if|while|until)\b)([ \t]*)\{(?=[^\s{}])/g;

/** An extended glob behind a word, or as a part of one; where a command begins `!(` opens a subshell. The grammar knows none. */
const EXTENDED = /(?<=[\w./'"$}*-][ \t]?)[!@+?*]\([^()\s;&<>"'`$]*\)/g;

/** A string like `$'\\\\'`. The grammar takes the last backslash for one that escapes the quote, and reads on to the next quote. */
const ANSI_C = /\$'(?:\\[\s\S]|[^\\'])*'/g;

/** Gaps of the grammar closed, without moving anything: only the shape is taken from this text, words from the text itself. */
function mend(text: string): string {
  let mended = text;
  if (mended.includes(';&')) mended = mended.replaceAll(';;&', ';; ').replaceAll(';&', ';;');
  if (mended.includes('\\\\')) {
    mended = mended.replace(ANSI_C, (string) =>
      string.replace(/\\[\s\S]/g, (escape) => (escape === '\\\\' ? '__' : escape)),
    );
  }
  if (/[!@+?*]\(/.test(mended)) mended = mended.replace(EXTENDED, (glob) => '*'.padEnd(glob.length, '_'));
  if (/\{[^\s{}]/.test(mended)) mended = mended.replace(BRACED_NAME, '$1$2_');
  return mended;
}

/** After a function or script the caller's own parameters are back. */
function withOldPositional(terminal: TerminalState, before: TerminalState): TerminalState {
  const variables = new Map(terminal.variables);
  for (const name of variables.keys()) if (/^(\d+|@)$/.test(name)) variables.delete(name);
  for (const [name, value] of before.variables) if (/^(\d+|@)$/.test(name)) variables.set(name, value);
  return { ...terminal, variables };
}

/** Where a command stands: its pipeline, its streams. */
interface Seat {
  readonly frame: Frame;
  readonly pipeline: number;
  readonly stage: number;
  readonly input: Input;
  readonly output: Invocation['output'];
}

/** What redirections of one command come to. */
interface Streams {
  /** Null: that of the seat. */
  readonly input: Input | null;
  /** Null: that of the seat. */
  readonly output: Invocation['output'] | null;
  readonly redirects: readonly Redirect[];
  /** Whether what is printed goes where errors go. */
  readonly isAside: boolean;
}

/** Walks one text. A walker for a subshell shares the text and has a frame of its own. */
class Walker implements Surroundings {
  readonly expander: Expander;
  #pipeline = 0;
  readonly #problems = new Set<string>();
  /** Whether some of it has a shape that no shell text has. */
  isMisread = false;

  constructor(
    readonly text: string,
    readonly frame: Frame,
    readonly path: string | null,
  ) {
    this.expander = new Expander(this);
  }

  /** All statements among sibling nodes. */
  script(nodes: readonly SyntaxNode[]): Called {
    const shape: Script = shapeOf(nodes, this.text);
    for (const what of shape.problems.slice(0, 3)) this.problem(what);
    if (shape.problems.includes(NO_WORD)) this.isMisread = true;
    return this.#items(shape.items, this.frame, this.frame.input, this.frame.output);
  }

  problem(what: string): void {
    if (this.#problems.size < 8 && !this.#problems.has(what)) this.frame.run.unknown(what);
    this.#problems.add(what);
  }

  substitute(node: SyntaxNode): Called {
    const own = this.text.slice(node.start, node.end);
    const frame = this.frame.subshell({ output: 'pipe' });
    if (own.startsWith('`') && own.includes('\\')) return this.#backticks(own, frame);
    const walker = new Walker(this.text, frame, this.path);
    walker.#pipeline = this.#pipeline;
    const file = /^\$\(\s*<\s*[^<>|&;()]*\)$/s.exec(own);
    const called = walker.script(node.children.slice(1, -1));
    return file ? { ...called, output: null } : called;
  }

  /** In backticks a backslash before `$`, a backtick or itself goes away before the text is read. */
  #backticks(own: string, frame: Frame): Called {
    const text = own.slice(1, -1).replace(/\\([$`\\])/g, '$1');
    return frame.include({ language: 'bash', text, positional: [], environment: new Map(), path: this.path }, []);
  }

  substitutedFile(node: SyntaxNode): Word {
    const path = this.frame.nextDescriptorPath();
    const isRead = this.text.charAt(node.start) !== '>';
    const streams = isRead ? { output: 'pipe' as const } : { input: UNKNOWN_INPUT };
    const walker = new Walker(this.text, this.frame.subshell(streams), this.path);
    const called = walker.script(node.children.slice(1, -1));
    if (isRead) {
      this.frame.remember(path, called.output, called.inflows);
      this.expander.inflows.push(...called.inflows);
    }
    return exactWord(path);
  }

  untabbed(body: string): Word {
    const delimiter = 'LACUNA_END';
    const text = `cat <<${delimiter}\n${body}\n${delimiter}\n`;
    const tree = this.frame.syntax.parse('bash', text);
    const walker = new Walker(text, this.frame, this.path);
    walker.#pipeline = this.#pipeline;
    const [item] = tree ? shapeOf(tree.children, text).items : [];
    const stage = item?.pipelines[0]?.stages[0];
    const node = stage?.redirects[0];
    const word = node
      ? walker.#hereText({ ...node, heredoc: node.heredoc && { ...node.heredoc, stripsTabs: false } })
      : null;
    this.expander.inflows.push(...walker.expander.inflows);
    if (word) return word;
    this.problem('a here-document cannot be parsed');
    return unknownValue('here-document');
  }

  // Lists and pipelines.

  #items(items: readonly Item[], frame: Frame, input: Input, output: Invocation['output']): Called {
    let text: string | null = '';
    const inflows: Inflow[] = [];
    let index: number | null = null;
    for (const item of items) {
      if (!frame.step()) return NOTHING_KNOWN;
      const called = this.#item(item, frame, input, output);
      text = text === null || called.output?.certainty !== 'exact' ? null : text + called.output.text;
      if (items.length === 1) return called;
      inflows.push(...called.inflows);
      index = called.index;
    }
    return { index, output: text === null ? null : exactWord(text), inflows: inflows.slice(0, 48) };
  }

  #item(item: Item, frame: Frame, input: Input, output: Invocation['output']): Called {
    if (item.isBackground) {
      frame.spread.count += 1;
      const inner = new Walker(this.text, frame.subshell(), this.path);
      return inner.#chain(item, inner.frame, input, output);
    }
    const { cwd, mayBeIn } = frame.terminal;
    const called = this.#chain(item, frame, input, output);
    const entered = frame.terminal.cwd;
    if (entered !== cwd && entered !== null && !frame.terminal.options.has('errexit')) {
      // `cd gone; rm -rf *`: when the folder is not there, the next command runs where the shell was.
      if (frame.facts.entry(entered) === 'absent' && !frame.isMade(entered)) {
        const left = cwd === null ? mayBeIn : [cwd];
        frame.terminal = { ...frame.terminal, cwd: null, mayBeIn: left.length === 0 ? [] : oneOf([...left, entered]) };
      }
    }
    return called;
  }

  /** `a && b || c`: what follows `&&` runs after success, what follows `||` after failure. */
  #chain(item: Item, frame: Frame, input: Input, output: Invocation['output']): Called {
    const [first, ...rest] = item.pipelines;
    if (!first) return NO_OUTPUT;
    let before = frame.terminal;
    const held = frame.kept.mark();
    let called = this.#pipelineOf(first, frame, input, output);
    let hasAlternative = false;
    /** What is set where a command before failed; null while none can fail. */
    let whenFailed: TerminalState | null = null;
    let last = first;
    rest.forEach((pipeline, at) => {
      if (!cannotFail(last, this.text)) whenFailed ??= frame.terminal;
      last = pipeline;
      if (item.operators[at] === '&&') {
        frame.kept.succeeded(held);
        before = frame.terminal;
        const next = this.#pipelineOf(pipeline, frame, input, output);
        called = joined(called, next);
        return;
      }
      hasAlternative = true;
      frame.kept.forgetSince(held);
      const succeeded = frame.terminal;
      frame.terminal = before;
      const next = this.#pipelineOf(pipeline, frame, input, output);
      const failed = frame.terminal;
      frame.terminal =
        endsShell(pipeline, this.text) || failed === before ? succeeded : merged(before, [succeeded, failed]);
      called = joined(called, next);
    });
    if (frame.terminal.options.has('errexit') && !hasAlternative) frame.kept.succeeded(held);
    else frame.kept.forgetSince(held);
    if (whenFailed) frame.terminal = orUnset(frame.terminal, whenFailed);
    return hasAlternative ? { ...called, output: null } : called;
  }

  #pipelineOf(pipeline: Pipeline, frame: Frame, input: Input, output: Invocation['output']): Called {
    const number = frame.newPipeline();
    const [only] = pipeline.stages;
    if (pipeline.stages.length === 1 && only) {
      return this.#command(only, { frame, pipeline: number, stage: 0, input, output });
    }
    let next = input;
    let called: Called = NO_OUTPUT;
    pipeline.stages.forEach((stage, at) => {
      const isLast = at === pipeline.stages.length - 1;
      const inner = new Walker(this.text, frame.subshell(), this.path);
      const seat: Seat = {
        frame: inner.frame,
        pipeline: number,
        stage: at,
        input: next,
        output: isLast ? output : 'pipe',
      };
      called = inner.#command(stage, seat);
      next = called.output
        ? { type: 'text', text: called.output.text, certainty: called.output.certainty }
        : { type: 'pipe', from: called.index, inflows: called.inflows };
    });
    return called;
  }

  #command(command: Command, seat: Seat): Called {
    this.#pipeline = seat.pipeline;
    if (command.type === 'simple') return this.#simple(command, seat);
    this.expander.inflows = [];
    const streams = this.#streams(command.redirects);
    const inner = this.#redirected(seat, streams);
    const called =
      command.type === 'group'
        ? inner.#items(command.items, inner.frame, inner.frame.input, inner.frame.output)
        : inner.#compound(command.node);
    for (const redirect of streams.redirects) seat.frame.redirect(redirect, called.inflows, called.index);
    return streams.output === null || streams.output === 'agent' ? called : { ...NO_OUTPUT, index: called.index };
  }

  /** A walker for what is inside of a redirected or piped group. */
  #redirected(seat: Seat, streams: Streams): Walker {
    const input = streams.input ?? seat.input;
    const frame = seat.frame.redirected({ input, output: streams.output ?? seat.output });
    const walker = new Walker(this.text, frame, this.path);
    walker.#pipeline = seat.pipeline;
    return walker;
  }

  // Simple commands.

  #simple(command: Extract<Command, { type: 'simple' }>, seat: Seat): Called {
    const { expander } = this;
    expander.inflows = [];
    const arithmetic = command.words.length === 1 ? command.words[0]?.[0] : undefined;
    if (arithmetic?.type === 'arithmetic_expansion' && this.text.startsWith('((', arithmetic.start)) {
      return this.#command({ type: 'compound', node: arithmetic, redirects: command.redirects }, seat);
    }
    const aliased = this.#alias(command.words, seat);
    expander.ownNames = new Set(command.assignments.map((node) => this.#nameOf(node)));
    const wasTesting = expander.isTesting;
    // What `test` compares comes to nobody's eyes; what is substituted in it may.
    if (this.#isTest(command.words)) expander.isTesting = true;
    const argv = this.#words(command.words);
    expander.isTesting = wasTesting;
    expander.ownNames = NO_NAMES;
    const assignments = this.#assignments(command.assignments, argv.length === 0 ? 'terminal' : 'command');
    const streams = this.#streams(command.redirects);
    const inflows = expander.inflows.slice(0, 48);
    expander.inflows = [];
    if (argv.length === 0) {
      for (const redirect of streams.redirects) seat.frame.redirect(redirect, inflows, null);
      if (streams.input?.type === 'file')
        seat.frame.redirect({ kind: 'read', target: streams.input.path, descriptor: 0 }, [], null);
      return aliased ?? NO_OUTPUT;
    }
    const called = seat.frame.call({
      argv,
      assignments,
      redirects: streams.redirects,
      input: streams.input ?? seat.input,
      output: streams.output ?? seat.output,
      pipeline: seat.pipeline,
      stage: seat.stage,
      isAside: streams.isAside,
      inflows,
    });
    return aliased ? joined(aliased, { ...called, output: null }) : called;
  }

  #isTest(words: readonly WordNodes[]): boolean {
    const [first] = words[0] ?? [];
    const last = words.at(-1)?.at(-1);
    if (words[0]?.length !== 1 || first === undefined || last === undefined) return false;
    const text = this.text.slice(first.start, last.end);
    return /^(?:test|\[)\s/.test(text) && !/[(`]/.test(text);
  }

  #words(words: readonly WordNodes[]): Word[] {
    const argv: Word[] = [];
    for (const nodes of words) {
      const [node] = nodes;
      if (node?.type === 'variable_assignment' && this.#declareArray(node)) continue;
      argv.push(...this.expander.fields(nodes));
    }
    return argv;
  }

  /** `declare -a X=(…)` sets the array here; the builtin itself sees words only. */
  #declareArray(node: SyntaxNode): boolean {
    const value = node.children.find(({ field }) => field === 'value');
    if (value?.type !== 'array') return false;
    this.#assign(node);
    return true;
  }

  #assignments(nodes: readonly SyntaxNode[], to: 'terminal' | 'command'): ReadonlyMap<string, Word> {
    const values = new Map<string, Word>();
    const before = this.frame.terminal;
    for (const node of nodes) {
      if (to === 'terminal') {
        this.#assign(node);
        continue;
      }
      const value = node.children.find(({ field }) => field === 'value');
      const name = this.#nameOf(node);
      if (value?.type === 'array') this.expander.elements(value);
      else {
        const own = value ? this.expander.value(value) : EMPTY;
        const word = node.children.some(({ type }) => type === '+=') ? this.#appended(name, own) : own;
        values.set(name, word);
        // `a=1 b=$a cmd`: the next one sees it.
        this.frame.terminal = withVariable(this.frame.terminal, name, word, []);
      }
    }
    if (values.size > 0) this.#takeBack(values.keys(), before);
    return values;
  }

  #appended(name: string, word: Word): Word {
    const old = this.expander.lookup(name);
    return old === undefined ? unknownValue(name) : old ? concatenated(old, word) : word;
  }

  /** What was set for one command only is as it was before. */
  #takeBack(names: Iterable<string>, before: TerminalState): void {
    const variables = new Map(this.frame.terminal.variables);
    for (const name of names) {
      const old = before.variables.get(name);
      if (old) variables.set(name, old);
      else variables.delete(name);
    }
    this.frame.terminal = { ...this.frame.terminal, variables, origins: before.origins };
  }

  #nameOf(assignment: SyntaxNode): string {
    const name = assignment.children.find(({ field }) => field === 'name');
    return name ? this.text.slice(name.start, name.end) : '';
  }

  #assign(node: SyntaxNode): void {
    const { expander, frame } = this;
    const before = expander.inflows;
    expander.inflows = [];
    const target = node.children.find(({ field }) => field === 'name');
    if (target?.type === 'subscript') expander.arithmetic(target);
    const name = this.#nameOf(node);
    const value = node.children.find(({ field }) => field === 'value');
    const isAppended = node.children.some(({ type }) => type === '+=');
    if (value?.type === 'array') {
      const elements = expander.elements(value);
      const old = isAppended ? this.#elements(name) : [];
      frame.terminal = withArray(frame.terminal, name, [...old, ...elements], expander.inflows);
    } else {
      const word = value ? expander.value(value) : EMPTY;
      const whole = isAppended ? this.#appended(name, word) : word;
      const set = referredName(name, frame.terminal.variables);
      frame.terminal = withVariable(frame.terminal, set, whole, expander.inflows);
      traps(set, whole, frame.run);
    }
    expander.inflows = [...before, ...expander.inflows];
  }

  #elements(name: string): readonly Word[] {
    const found: Word[] = [];
    for (const [key, value] of this.frame.terminal.variables) if (key.startsWith(`${name}[`)) found.push(value);
    return found;
  }

  /**
   * An alias, followed as text. A shell that is not interactive does not expand aliases, so the command is looked at as written too.
   */
  #alias(words: readonly WordNodes[], seat: Seat): Called | null {
    const [first] = words;
    const node = first?.length === 1 ? first[0] : undefined;
    if (node?.type !== 'word') return null;
    const name = this.text.slice(node.start, node.end);
    const body = this.frame.terminal.aliases.get(name);
    const key = `alias ${name}`;
    if (body === undefined || this.frame.following.has(key)) return null;
    const end = words.at(-1)?.at(-1)?.end ?? node.end;
    this.frame.following.add(key);
    const frame = seat.frame.redirected({ input: seat.input, output: seat.output });
    const text = body + this.text.slice(node.end, end);
    const called = frame.include({ language: 'bash', text, positional: [], environment: new Map(), path: null }, []);
    this.frame.following.delete(key);
    return called;
  }

  // Redirections.

  #streams(nodes: readonly RedirectNode[]): Streams {
    let input: Input | null = null;
    let output: Invocation['output'] | null = null;
    const redirects: Redirect[] = [];
    let isAside = false;
    for (const node of nodes) {
      const { operator, heredoc } = node;
      const number = node.numbers === null ? node.descriptor : this.#numbered(node.numbers);
      if (operator === '<<' || operator === '<<-' || operator === '<<<') {
        const text = this.#hereText(node);
        if ((node.descriptor ?? 0) === 0) input = { type: 'text', text: text.text, certainty: text.certainty };
        else this.frame.remember(`/dev/fd/${number}`, text, []);
        continue;
      }
      if (heredoc !== null || node.target.length === 0) continue;
      const target = this.expander.target(node.target);
      if (operator === '<&') {
        const isKnown = /^\d+$/.test(target.text);
        if (isKnown) input = { type: 'file', path: exactWord(`/dev/fd/${target.text}`) };
        else if (target.certainty === 'dynamic') input = UNKNOWN_INPUT;
        continue;
      }
      if (operator === '>&' && /^(\d+-?|-)$/.test(target.text)) {
        if (target.text === '2' && (node.descriptor ?? 1) === 1) isAside = true;
        continue;
      }
      const descriptor = node.descriptor ?? (operator.startsWith('<') ? 0 : 1);
      if (operator === '<' && descriptor === 0 && !/^\/dev\/(tcp|udp)\//.test(target.text)) {
        input = { type: 'file', path: target };
        continue;
      }
      if (operator === '<') {
        const text = this.frame.run.textOf(target);
        this.frame.remember(`/dev/fd/${number}`, text === null ? null : exactWord(text), []);
      }
      redirects.push({ kind: KINDS[operator] ?? 'replace', target, descriptor });
      if (descriptor === 1 && operator !== '<>') output = target.text === '/dev/null' ? 'discarded' : 'file';
    }
    return { input, output, redirects, isAside };
  }

  /** The number that the shell picks for a descriptor and puts into a variable. */
  #numbered(name: string): string {
    const number = this.frame.nextDescriptorPath().replace(/^.*\//, '');
    this.frame.terminal = withVariable(this.frame.terminal, name, exactWord(number), []);
    return number;
  }

  #hereText({ heredoc, target }: RedirectNode): Word {
    if (!heredoc) {
      const word = this.expander.single(target);
      return { ...word, text: `${word.text}\n` };
    }
    return heredoc.body ? this.expander.heredoc(heredoc.body, heredoc.isLiteral, heredoc.stripsTabs) : EMPTY;
  }

  // Compound commands.

  #compound(node: SyntaxNode): Called {
    switch (node.type) {
      case 'subshell': {
        const walker = new Walker(this.text, this.frame.subshell(), this.path);
        walker.#pipeline = this.#pipeline;
        return walker.script(inside(node));
      }
      case 'compound_statement':
        if (node.children[0]?.type === '((') return this.#arithmeticCommand(node);
        return this.script(inside(node));
      case 'if_statement':
        return this.#if(node);
      case 'while_statement':
        return this.#while(node);
      case 'for_statement':
        return this.#for(node);
      case 'c_style_for_statement':
        return this.#countingFor(node);
      case 'case_statement':
        return this.#case(node);
      case 'function_definition':
        return this.#function(node);
      case 'test_command':
      case 'arithmetic_expansion':
        return this.#arithmeticCommand(node);
      default:
        this.problem(`${node.type.replaceAll('_', ' ')} is not understood`);
        return NOTHING_KNOWN;
    }
  }

  /** `[[ … ]]`, `[ … ]` and `(( … ))`: what they substitute runs; names in arithmetic may be set. */
  #arithmeticCommand(node: SyntaxNode): Called {
    const isArithmetic = this.text.startsWith('((', node.start);
    const wasTesting = this.expander.isTesting;
    this.expander.isTesting = !isArithmetic && !this.text.slice(node.start, node.end).includes('(');
    if (isArithmetic || /-(eq|ne|lt|le|gt|ge|v)\b/.test(this.text.slice(node.start, node.end))) {
      this.expander.arithmetic(node);
    } else this.expander.evaluate(node);
    this.expander.isTesting = wasTesting;
    if (isArithmetic) this.#forget(assignedNames(node, this.text));
    return NO_OUTPUT;
  }

  #forget(names: Iterable<string>): void {
    const { frame } = this;
    for (const name of names) frame.terminal = withVariable(frame.terminal, name, unknownValue(name), []);
  }

  #if(node: SyntaxNode): Called {
    const { frame } = this;
    const results: Called[] = [];
    const branches: TerminalState[] = [];
    const condition: SyntaxNode[] = [];
    const body: SyntaxNode[] = [];
    let isBody = false;
    const close = (): void => {
      results.push(this.script(condition));
      const { terminal } = frame;
      results.push(this.script(body));
      if (!endsShell(shapeOf(body, this.text).items.at(-1)?.pipelines.at(-1), this.text)) branches.push(frame.terminal);
      frame.terminal = terminal;
    };
    for (const child of node.children) {
      if (child.type === 'if' || child.type === 'fi') continue;
      if (child.type === 'then') isBody = true;
      else if (child.type === 'elif_clause' || child.type === 'else_clause') break;
      else (isBody ? body : condition).push(child);
    }
    close();
    for (const clause of node.children) {
      if (clause.type === 'elif_clause') results.push(this.#elif(clause, branches));
      else if (clause.type === 'else_clause') {
        const { terminal } = frame;
        results.push(this.script(clause.children.filter(({ type }) => type !== 'else')));
        branches.push(frame.terminal);
        frame.terminal = terminal;
      }
    }
    if (!node.children.some(({ type }) => type === 'else_clause')) branches.push(frame.terminal);
    frame.terminal = merged(frame.terminal, branches);
    return together(results);
  }

  #elif(clause: SyntaxNode, branches: TerminalState[]): Called {
    const at = clause.children.findIndex(({ type }) => type === 'then');
    const condition = this.script(clause.children.slice(0, at).filter(({ type }) => type !== 'elif'));
    const { terminal } = this.frame;
    const body = this.script(clause.children.slice(at + 1));
    branches.push(this.frame.terminal);
    this.frame.terminal = terminal;
    return together([condition, body]);
  }

  /** One round of a loop. What is known after it holds also where `break` or `continue` left it in the middle. */
  #round(body: SyntaxNode): Called {
    const { left, terminal } = this.frame;
    const outer = left.loop;
    left.loop = [];
    const called = this.script(inside(body));
    const early = left.loop;
    left.loop = [...outer, ...early.filter(({ isFar }) => isFar)];
    if (early.length > 0)
      this.frame.terminal = merged(terminal, [this.frame.terminal, ...early.map((one) => one.terminal)]);
    return called;
  }

  #while(node: SyntaxNode): Called {
    const body = node.children.find(({ type }) => type === 'do_group');
    const condition = node.children.filter(({ type }) => !['while', 'until', 'do_group'].includes(type));
    const lines = this.#knownLines(condition);
    if (lines && body) {
      const results = lines.map((line) => {
        const frame = this.frame.redirected({ input: { type: 'text', text: line, certainty: 'exact' } });
        new Walker(this.text, frame, this.path).script(condition);
        const inner = new Walker(this.text, this.frame.redirected({ input: NO_INPUT }), this.path);
        return inner.#round(body);
      });
      return together(results);
    }
    if (body) this.#endless(node, condition, body);
    const before = this.frame.terminal;
    this.#forget(assignedNames(node, this.text));
    const results = [this.script(condition)];
    if (body) results.push(this.#round(body));
    this.frame.terminal = merged(before, [before, this.frame.terminal]);
    return together(results);
  }

  /** A loop without end that leaves a process running in each round. */
  #endless(node: SyntaxNode, condition: readonly SyntaxNode[], body: SyntaxNode): void {
    const test = condition.map(({ start, end }) => this.text.slice(start, end)).join('');
    const isUntil = this.text.startsWith('until', node.start);
    if ((isUntil ? NEVER : ALWAYS).test(test) && leavesRunning(inside(body), this.text))
      this.frame.run.emit('execute', { type: 'process', process: isUntil ? 'until' : 'while' }, FORK_BOMB);
  }

  /** Lines that `while read x` goes through, where the input is known. */
  #knownLines(condition: readonly SyntaxNode[]): readonly string[] | null {
    const { input } = this.frame;
    const [first] = condition;
    if (!first || !/^(IFS=\S*\s+)?read\b(?!.*\s-u)/.test(this.text.slice(first.start, first.end))) return null;
    const isKnown = input.type === 'text' && input.certainty === 'exact';
    const text = isKnown ? input.text : input.type === 'file' ? this.frame.run.textOf(input.path) : null;
    if (text === null) return null;
    const lines = text.replace(/\n$/, '').split('\n', MAX_ROUNDS + 1);
    if (lines.length > MAX_ROUNDS) return null;
    if (input.type === 'file') this.frame.redirect({ kind: 'read', target: input.path, descriptor: 0 }, [], null);
    return lines;
  }

  #for(node: SyntaxNode): Called {
    const variable = node.children.find(({ field }) => field === 'variable');
    const body = node.children.find(({ field }) => field === 'body');
    const name = variable ? this.text.slice(variable.start, variable.end) : '';
    const isOverParameters = !node.children.some(({ type }) => type === 'in');
    this.expander.inflows = [];
    const words = isOverParameters ? this.#parameters() : this.#words(this.#valuesOf(node));
    const { inflows } = this.expander;
    const isMenu = node.children[0]?.type === 'select';
    const before = this.frame.terminal;
    const isFollowed = !isMenu && words.length <= MAX_ROUNDS;
    const rounds = isFollowed ? words : [unknownValue(name)];
    if (!isFollowed || words.some((word) => isSeveral(word))) this.#forget(assignedNames(node, this.text));
    const results = rounds.map((word) => {
      this.frame.terminal = withVariable(this.frame.terminal, name, { ...word, quoted: true }, inflows);
      return body ? this.#round(body) : NO_OUTPUT;
    });
    const isSure = isFollowed && words.length > 0 && !words.some((word) => isSeveral(word));
    if (!isSure) this.frame.terminal = merged(before, [before, this.frame.terminal]);
    return together(results);
  }

  #parameters(): Word[] {
    const { variables } = this.frame.terminal;
    if (variables.has('@')) return [unknownValue('@')];
    return [...variables].filter(([name]) => /^[1-9]\d*$/.test(name)).map(([, value]) => value);
  }

  /** Words of `for x in …`, those that touch each other as one. */
  #valuesOf(node: SyntaxNode): readonly WordNodes[] {
    const words: SyntaxNode[][] = [];
    for (const child of node.children) {
      if (child.field !== 'value') continue;
      const last = words.at(-1);
      if (last && last.at(-1)?.end === child.start) last.push(child);
      else words.push([child]);
    }
    return words;
  }

  #countingFor(node: SyntaxNode): Called {
    const body = node.children.find(({ field }) => field === 'body');
    const head = node.children.filter((child) => child !== body);
    for (const part of head) this.expander.arithmetic(part);
    if (
      body &&
      /^for\s*\(\([^;]*;\s*1?\s*;/.test(this.text.slice(node.start, body.start)) &&
      leavesRunning(inside(body), this.text)
    )
      this.frame.run.emit('execute', { type: 'process', process: 'for' }, FORK_BOMB);
    const before = this.frame.terminal;
    const number: Word = { text: '[0-9]*', raw: '', certainty: 'pattern', quoted: true };
    this.#forget(assignedNames(node, this.text));
    for (const part of head) {
      for (const name of assignedNames(part, this.text)) {
        this.frame.terminal = withVariable(this.frame.terminal, name, number, []);
      }
    }
    const called = body ? this.#round(body) : NO_OUTPUT;
    this.frame.terminal = merged(before, [before, this.frame.terminal]);
    return together([called]);
  }

  #case(node: SyntaxNode): Called {
    const value = node.children.find(({ field }) => field === 'value');
    if (value) this.expander.evaluate(value);
    const before = this.frame.terminal;
    const branches: TerminalState[] = [before];
    const results: Called[] = [];
    let isReached = false;
    for (const item of node.children) {
      if (item.type !== 'case_item') continue;
      this.frame.terminal = isReached ? merged(before, [before, this.frame.terminal]) : before;
      const at = item.children.findIndex(({ type }) => type === ')');
      for (const pattern of item.children.slice(0, at)) this.expander.evaluate(pattern);
      const body = item.children
        .slice(at + 1)
        .filter(({ field }) => field !== 'termination' && field !== 'fallthrough');
      results.push(this.script(body));
      branches.push(this.frame.terminal);
      // Behind `;&` and `;;&` the next branch may run after this one.
      isReached = item.children.some(
        ({ type, start }) => type === ';;' && /^;;?&/.test(this.text.slice(start, start + 3)),
      );
    }
    this.frame.terminal = merged(before, branches);
    return together(results);
  }

  #function(node: SyntaxNode): Called {
    const name = node.children.find(({ field }) => field === 'name');
    const body = node.children.find(({ field }) => field === 'body');
    if (!name || !body) {
      this.problem('a function has no body');
      return NOTHING_KNOWN;
    }
    const own = this.text.slice(name.start, name.end);
    const { frame } = this;
    if (isForkBomb(own, body, this.text)) {
      frame.run.emit('execute', { type: 'process', process: own }, FORK_BOMB);
    }
    if (HANDLERS.has(own)) {
      const before = frame.terminal;
      this.frame.include(
        {
          language: 'bash',
          text: this.text.slice(body.start, node.end),
          positional: [],
          environment: new Map(),
          path: null,
        },
        [],
      );
      frame.terminal = before;
    }
    const functions = new Map(frame.terminal.functions).set(own, this.text.slice(body.start, node.end));
    if (functions.size <= 200) frame.terminal = { ...frame.terminal, functions };
    return NO_OUTPUT;
  }
}

/** Functions that the shell itself calls: bash where a command is not found, zsh before and after commands. */
const HANDLERS: ReadonlySet<string> = new Set([
  'command_not_found_handle',
  'command_not_found_handler',
  'precmd',
  'preexec',
  'chpwd',
  'periodic',
  'zshexit',
]);

/** Conditions that always, or never, hold. */
const ALWAYS =
  /^\s*(?:(?:\/\S*\/)?true|:|\(\(\s*[1-9]\d*\s*\)\)|\[\[?\s+(?:[1-9]\d*|true|-n\s+\S+|1\s*(?:-eq|=|==)\s*1)\s+\]?\])[\s;]*$/;
const NEVER = /^\s*(?:(?:\/\S*\/)?false|\(\(\s*0\s*\)\)|\[\[?\s+-z\s+\w+\s+\]?\])[\s;]*$/;

const KINDS: Readonly<Record<string, Redirect['kind']>> = {
  '<': 'read',
  '>': 'replace',
  '>|': 'replace',
  '>&': 'replace',
  '&>': 'replace',
  '>>': 'append',
  '&>>': 'append',
  '<>': 'both',
};

/** Statements of a construct without the tokens that open and close it. */
const inside = (node: SyntaxNode): readonly SyntaxNode[] =>
  node.children.filter(({ type }) => !['do', 'done', '{', '}', '(', ')'].includes(type));

/** Whether one word may stand for any number of words when the line runs. */
const isSeveral = (word: Word): boolean => word.certainty !== 'exact' && !word.quoted;

/** Two commands after each other: their output is known when that of both is. */
const joined = (a: Called, b: Called): Called => ({
  index: b.index ?? a.index,
  output:
    a.output?.certainty === 'exact' && b.output?.certainty === 'exact'
      ? exactWord(a.output.text + b.output.text)
      : null,
  inflows: [...a.inflows, ...b.inflows].slice(0, 48),
});

/** Branches and rounds: which of them run cannot be known, so neither can their output, unless there is none. */
function together(results: readonly Called[]): Called {
  const isSilent = results.every(({ output }) => output?.text === '' && output.certainty === 'exact');
  return {
    index: results.findLast(({ index }) => index !== null)?.index ?? null,
    output: isSilent ? exactWord('') : null,
    inflows: results.flatMap(({ inflows }) => inflows).slice(0, 48),
  };
}

const concatenated = (a: Word, b: Word): Word => ({
  text: a.text + b.text,
  raw: a.raw + b.raw,
  certainty: a.certainty === 'exact' ? b.certainty : a.certainty,
  quoted: a.quoted || b.quoted,
});
