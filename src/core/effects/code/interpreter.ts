import type { Word } from '../effect.js';
import { joinPath, isAbsolute } from '../paths.js';
import type { Called, Code, Frame } from '../shell/frame.js';
import { NOTHING_KNOWN } from '../shell/frame.js';
import { detours } from '../shell/environmentTraps.js';
import type { Language } from '../shell/run.js';
import { takesAway } from '../shell/takesAway.js';
import { exactWord } from '../shell/word.js';
import { isEnvironment } from './environment.js';
import type { Host, Library } from './library.js';
import type { FunctionNode, Node, Parameter, Parsed } from './node.js';
import { emptiesClass, isHarmlessMethod, serviceOf } from './services.js';
import { textMethod } from './texts.js';
import {
  choiceOf,
  concatenated,
  instance,
  joinedTexts,
  knownText,
  listValue,
  moduleValue,
  optionsOf,
  originOf,
  partialOf,
  Scope,
  textValue,
  UNKNOWN,
  unknownValue,
  wordOf,
  wordValue,
  type Value,
} from './value.js';

/** Budgets: beyond them the rest is `unknown`. */
const MOST_STEPS = 60_000;
const MOST_CALLS = 4_000;
const MOST_ENTRIES = 60;
const MOST_DEPTH = 12;
const MOST_ITEMS = 40;
const MOST_INCLUDED = 8;
const MOST_MODULES = 6;
const MOST_MODULE_TEXT = 32 * 1024;
const MOST_HANDED_OUT = 4;

/** Methods that make a list longer. */
const GROWING = new Set(['append', 'push', 'extend', 'unshift', 'add', 'concat', '<<']);

type CallNode = Extract<Node, { kind: 'call' }>;

/** Names of variables that hold credentials. */
const SECRET_NAME = /secret|token|passw|pwd|api_?key|access_?key|private_?key|credential|_auth\b|dsn$|database_url/i;

/**
 * Goes through code as if it ran, every branch of it, with the values that can be known: names bound to constants, imports and
 * their aliases, texts put together, functions called with known arguments. Says through the frame what library calls do.
 * What it cannot know is `dynamic`; code that it cannot see is `unreviewed`.
 */
export class Interpreter implements Host {
  folder: Word | null = null;
  readonly positional: readonly Word[];
  file: string | null;
  readonly wasRead = new Set<string>();
  readonly moduleFolders: Word[] = [];
  readonly ownDatabases = new Set<string>();
  /** Modules of the project that were gone through, by path, and what they hand out. */
  readonly #loaded = new Map<string, Value>();
  /** What the module that is gone through hands out by name. */
  #exports: Value | null = null;
  readonly #globals = new Scope(null);
  readonly #methods = new Map<string, Value[]>();
  readonly #reported = new Set<string>();
  #scope = this.#globals;
  #steps = 0;
  #calls = 0;
  #depth = 0;
  #maybe = 0;
  /** Functions that are being gone through, outermost first, and how often each was entered. */
  readonly #entered: FunctionNode[] = [];
  readonly #entries = new Map<FunctionNode, number>();
  readonly #defined: Extract<Value, { kind: 'function' }>[] = [];
  #included = 0;
  #returned: Value[] = [];

  constructor(
    readonly frame: Frame,
    code: Code,
    readonly library: Library,
    readonly language: Language,
    readonly parse: (text: string) => Parsed,
  ) {
    this.positional = code.positional;
    this.file = code.path;
  }

  /** Goes through the whole text. */
  run(text: string): Called {
    this.evaluate(text);
    return NOTHING_KNOWN;
  }

  /** Goes through the whole text, and through each function in it that nothing called, with arguments that are not known. */
  runAll(text: string): Called {
    this.evaluate(text);
    // A function may define others: the list grows while it is gone through.
    for (const value of this.#defined) if (!this.#entries.has(value.node)) this.#apply(value, [], new Map());
    return NOTHING_KNOWN;
  }

  evaluate(text: string): Value {
    this.#included += 1;
    if (this.#included > MOST_INCLUDED) {
      this.#once('code that makes code is nested too deeply');
      return UNKNOWN;
    }
    const { body, trouble } = this.parse(text);
    if (trouble !== '') this.#once(`the code could not be read to its end: ${trouble}`);
    return this.#sequence(body);
  }

  include(path: Word): Value {
    const { run } = this.frame;
    const text = run.textOf(path);
    if (text === null) {
      run.script(this.language, path);
      return UNKNOWN;
    }
    run.read(path);
    const file = this.file;
    this.file = joinPath(this.frame.terminal.cwd ?? '/', path.text, this.frame.facts.platform);
    const value = this.evaluate(text);
    this.file = file;
    return value;
  }

  /** A module of the project whose text is known and that no commit holds, gone through once; null for all others. */
  #projectModule(name: string): Value | null {
    const { modules } = this.library;
    const { facts, terminal } = this.frame;
    if (modules === null) return null;
    const own = this.file?.replace(/\/[^/]*$/, '') ?? terminal.cwd;
    const folders = [own, terminal.cwd, ...this.moduleFolders.map(({ text }) => text)];
    for (const folder of new Set(folders)) {
      if (folder === null) continue;
      for (const path of modules.paths(name)) {
        const full = joinPath(joinPath(terminal.cwd ?? '/', folder, facts.platform), path, facts.platform);
        const known = this.#loaded.get(full);
        if (known) return known;
        const text = this.frame.run.textOf(exactWord(full));
        // Committed code has been looked at: it is code of the project, as its tests are.
        if (text === null || text.length > MOST_MODULE_TEXT || facts.gitState(full) === 'tracked') continue;
        return this.#loaded.size >= MOST_MODULES ? null : this.#load(full, modules.loaded(text));
      }
    }
    return null;
  }

  #load(path: string, text: string): Value {
    const before = { scope: this.#scope, file: this.file, exports: this.#exports };
    this.#loaded.set(path, UNKNOWN); // Two that ask for each other come to an end.
    this.#scope = new Scope(null);
    this.file = path;
    this.#exports = null;
    const { body, trouble } = this.parse(text);
    if (trouble !== '') this.#once(`the code could not be read to its end: ${trouble}`);
    this.#sequence(body);
    const entries = new Map(this.#scope.entries());
    const given = this.#handedOut();
    if (given !== null && given.kind === 'map') for (const [name, value] of given.entries) entries.set(name, value);
    if (given !== null && !entries.has('default')) entries.set('default', given);
    const value: Value = given !== null && given.kind !== 'map' ? given : { kind: 'map', entries };
    this.#scope = before.scope;
    this.file = before.file;
    this.#exports = before.exports;
    this.#loaded.set(path, value);
    return value;
  }

  #handedOut(): Value | null {
    return this.#exports;
  }

  /** `module.exports = x`, `exports.name = x`. */
  #export(name: string | null, value: Value): void {
    if (name === null) this.#exports = value;
    else {
      const given = this.#exports;
      this.#exports = {
        kind: 'map',
        entries: new Map([...(given?.kind === 'map' ? given.entries : []), [name, value]]),
      };
    }
  }

  // What handlers ask.

  path(value: Value): readonly Word[] {
    return optionsOf(value).map((option) => {
      const word = wordOf(option);
      const { platform } = this.frame.facts;
      if (this.folder === null || word.certainty === 'dynamic' || isAbsolute(word.text, platform)) return word;
      if (this.folder.certainty !== 'exact')
        return { ...concatenated(concatenated(this.folder, exactWord('/')), word) };
      return word.certainty === 'exact'
        ? exactWord(joinPath(this.folder.text, word.text, platform))
        : concatenated(concatenated(this.folder, exactWord('/')), word);
    });
  }

  invoke(value: Value, args: readonly Value[]): Value {
    return choiceOf(optionsOf(value).map((option) => this.#apply(option, args, new Map())));
  }

  environment(name: string): Value {
    const traits = SECRET_NAME.test(name) ? (['secret'] as const) : [];
    this.frame.run.emit('read', { type: 'environment', name }, { traits });
    const known = this.frame.facts.environment(name);
    return typeof known === 'string' ? textValue(known) : unknownValue(name);
  }

  readonly variables = new Map<string, Word>();

  setVariable(name: string, value: Word): void {
    this.variables.set(name, value);
    detours(name, value, this.frame.run);
  }

  items(value: Value): readonly Value[] {
    switch (value.kind) {
      case 'list':
        return value.items.length > MOST_ITEMS ? [UNKNOWN] : value.items;
      case 'map':
        return [...value.entries.keys()].slice(0, MOST_ITEMS).map(textValue);
      case 'choice':
        return value.options.flatMap((option) => this.items(option));
      case 'instance':
        if (value.type === 'environ') this.allOfEnvironment();
        return [value.type === 'Paths' ? (value.about ?? UNKNOWN) : unknownValue('item', originOf(value))];
      case 'module':
        if (/(?:^|\.)environ$|process\.env$/.test(value.name)) this.allOfEnvironment();
        return [unknownValue('item')];
      default:
        return [unknownValue('item', originOf(value))];
    }
  }

  /** The whole environment is looked at. */
  allOfEnvironment(): void {
    this.frame.run.emit('read', { type: 'environment', name: '*' }, { traits: ['secret', 'mass'] });
  }

  // Evaluation.

  #once(what: string): void {
    if (this.#reported.has(what)) return;
    this.#reported.add(what);
    this.frame.run.unknown(what);
  }

  #sequence(body: readonly Node[]): Value {
    let value: Value = UNKNOWN;
    for (const node of body) value = this.#value(node);
    return value;
  }

  #value(node: Node): Value {
    this.#steps += 1;
    if (this.#steps > MOST_STEPS) {
      this.#once('the code does too much to be followed to its end');
      return UNKNOWN;
    }
    switch (node.kind) {
      case 'string':
        return joinedTexts(node.parts.map((part) => (typeof part === 'string' ? textValue(part) : this.#value(part))));
      case 'exec':
        return this.#exec(node.parts);
      case 'number':
        return { kind: 'number', value: node.value };
      case 'name':
        return this.#name(node.name);
      case 'member':
        return this.#asked(this.#member(this.#value(node.object), node.name));
      case 'index':
        return this.#index(this.#value(node.object), node.key === null ? UNKNOWN : this.#value(node.key));
      case 'call':
        return this.#call(node);
      case 'operation':
        return this.#operation(node.operator, node.left, node.right);
      case 'prefix':
        return this.#prefix(node.operator, node.value);
      case 'assign':
        return this.#assign(node.target, node.operator, node.value);
      case 'list':
        return listValue(node.items.flatMap((item) => this.#spread(item)));
      case 'map':
        return this.#map(node.entries);
      case 'either':
        return choiceOf(node.options.map((option) => this.#value(option)));
      case 'function':
        return this.#function(node);
      case 'class':
        return this.#class(node);
      case 'import':
        return this.#import(node.module, node.member, node.as);
      case 'loop':
        return this.#loop(node.target, node.value, node.body);
      case 'block':
        return this.#block(node.body, node.isMaybe);
      case 'return': {
        const value = node.value === null ? UNKNOWN : this.#value(node.value);
        this.#returned.push(value);
        return value;
      }
    }
  }

  #exec(parts: readonly (string | Node)[]): Value {
    const text = joinedTexts(parts.map((part) => (typeof part === 'string' ? textValue(part) : this.#value(part))));
    for (const option of optionsOf(text)) {
      if (knownText(option)?.trim() !== '') this.frame.run.code('sh', wordOf(option));
    }
    return unknownValue('output');
  }

  #name(name: string): Value {
    const bound = this.#scope.get(name) ?? (name.startsWith('$') ? this.#wholeOf(name) : null);
    if (bound !== null) return bound;
    const constant = this.library.constant(name, this);
    if (constant !== null) return constant;
    if (this.library.functions.has(name) || this.library.isKnown(name)) return moduleValue(name);
    const local = this.#methods.get(name)?.at(-1);
    return local ?? unknownValue(name.replace(/\W/g, ''));
  }

  /** Perl's `$x[0]` and `$x{a}` are parts of `@x` and `%x`. */
  #wholeOf(name: string): Value | null {
    return this.#scope.get(`@${name.slice(1)}`) ?? this.#scope.get(`%${name.slice(1)}`);
  }

  #member(object: Value, name: string): Value {
    if (object.kind === 'choice') return choiceOf(object.options.map((option) => this.#member(option, name)));
    if (object.kind === 'module') {
      if (name === 'default' && !this.library.membersAreCalls) return object;
      const full = object.name === '' ? name : `${object.name}.${name}`;
      return this.library.constant(full, this) ?? moduleValue(full);
    }
    if (object.kind === 'map') return object.entries.get(name) ?? { kind: 'bound', receiver: object, name };
    if (object.kind === 'instance') {
      const constant = this.library.constant(`${object.type}.${name}`, this);
      if (constant !== null) return constant;
      const own = object.type === 'Path' ? pathPart(object, name) : null;
      if (own !== null) return own;
      if (object.type === 'Process' && name === 'stdin') return object;
    }
    const field = object.kind === 'instance' || object.kind === 'unknown' ? this.#fields.get(name) : undefined;
    return field ?? { kind: 'bound', receiver: object, name };
  }

  /** In Ruby asking for a member calls it. */
  #asked(member: Value): Value {
    if (!this.library.membersAreCalls) return member;
    const isCall =
      member.kind === 'bound' ||
      (member.kind === 'module' &&
        (this.library.functions.has(member.name) || takesAway(member.name.replace(/^.*[.:]/, ''))));
    return isCall ? this.#apply(member, [], new Map()) : member;
  }

  #index(object: Value, key: Value): Value {
    if (object.kind === 'choice') return choiceOf(object.options.map((option) => this.#index(option, key)));
    const text = knownText(key);
    if (object.kind === 'module') {
      if (this.library.functions.has(`${object.name}.[]`)) return this.#library(`${object.name}.[]`, [key], new Map());
      if (/(?:^|\.)environ$|process\.env$|^ENV$|^\$_ENV$|^\$_SERVER$/.test(object.name)) {
        if (text === null) this.allOfEnvironment();
        return text === null ? UNKNOWN : this.environment(text);
      }
      return text === null
        ? this.#unseen(`a member of ${object.name} that is chosen when it runs`)
        : this.#member(object, text);
    }
    if (object.kind === 'list' && key.kind === 'number' && !object.isOpen) {
      return object.items.at(key.value) ?? UNKNOWN;
    }
    if (object.kind === 'list') return choiceOf(object.items.length > 0 ? object.items : [UNKNOWN]);
    if (object.kind === 'map' && text !== null) return object.entries.get(text) ?? UNKNOWN;
    if (object.kind === 'instance' && object.type === 'Process') return object;
    if (object.kind === 'instance' && object.type === 'environ' && text !== null) return this.environment(text);
    return text !== null && object.kind === 'bound'
      ? { kind: 'bound', receiver: object, name: text }
      : unknownValue('item', originOf(object));
  }

  #unseen(what: string): Value {
    this.#once(what);
    return UNKNOWN;
  }

  #operation(operator: string, leftNode: Node, rightNode: Node): Value {
    const left = this.#value(leftNode);
    const right = this.#value(rightNode);
    const isText = (value: Value): boolean => optionsOf(value).some(({ kind }) => kind === 'text');
    switch (operator) {
      case '+':
      case '.':
      case '..':
        if (left.kind === 'list' && right.kind === 'list')
          return listValue([...left.items, ...right.items], left.isOpen || right.isOpen);
        if (left.kind === 'number' && right.kind === 'number')
          return { kind: 'number', value: left.value + right.value };
        if (isPath(left)) return instance('Path', joinedPath([left, right]));
        return isText(left) || isText(right)
          ? joinedTexts([left, right])
          : unknownValue('sum', originOf(left) ?? originOf(right));
      case '/':
        if (isPath(left) || isPath(right)) return instance('Path', joinedPath([left, right]));
        return UNKNOWN;
      case '%':
        return isText(left) ? formatted(left, right) : UNKNOWN;
      case '*':
        return repeated(left, right) ?? unknownValue('product');
      case '-':
        return left.kind === 'number' && right.kind === 'number'
          ? { kind: 'number', value: left.value - right.value }
          : UNKNOWN;
      case '^':
        return left.kind === 'number' && right.kind === 'number'
          ? { kind: 'number', value: left.value ^ right.value }
          : UNKNOWN;
      case '||':
      case 'or':
      case '??':
        return choiceOf([left, right]);
      case '&&':
      case 'and':
        return right;
      default:
        return unknownValue('result', originOf(left) ?? originOf(right));
    }
  }

  #prefix(operator: string, node: Node): Value {
    const value = this.#value(node);
    if (operator === '-' && value.kind === 'number') return { kind: 'number', value: -value.value };
    if (/^(?:await|new|my|our|local|yield|@|\\|async|return|throw|raise|&|\*|\*\*|\.\.\.)$/.test(operator))
      return value;
    return unknownValue('result');
  }

  #spread(node: Node): readonly Value[] {
    if (node.kind === 'prefix' && /^(?:\*|\.\.\.)$/.test(node.operator)) {
      const value = this.#value(node.value);
      return value.kind === 'list' ? value.items : [unknownValue('items')];
    }
    return [this.#value(node)];
  }

  #map(entries: readonly (readonly [Node | null, Node])[]): Value {
    const map = new Map<string, Value>();
    for (const [key, node] of entries) {
      const value = this.#value(node);
      if (key === null) {
        if (node.kind === 'name') map.set(node.name, value);
        else if (value.kind === 'map') for (const [name, inner] of value.entries) map.set(name, inner);
        else if (value.kind === 'function' && value.node.name !== null) map.set(value.node.name, value);
        continue;
      }
      const name = key.kind === 'name' ? key.name : (knownText(this.#value(key)) ?? '');
      map.set(name, value);
    }
    return { kind: 'map', entries: map };
  }

  // Names.

  #assign(target: Node, operator: string, valueNode: Node): Value {
    let value = this.#value(valueNode);
    if (operator === '+=' || operator === '.=') value = this.#added(this.#value(target), value);
    else if (operator !== '=' && operator !== ':=')
      value = operator === '||=' || operator === '??=' ? choiceOf([this.#value(target), value]) : UNKNOWN;
    this.#bind(target, value);
    if (target.kind === 'name' && target.name === 'default') this.#handsOut(value);
    return value;
  }

  /** What a file of settings hands out is called by whoever loads it: the hooks of a plugin among it. */
  #handsOut(value: Value, depth = 0): void {
    if (this.#scope !== this.#globals || depth > MOST_HANDED_OUT) return;
    const items = value.kind === 'map' ? [...value.entries.values()] : value.kind === 'list' ? value.items : [];
    for (const item of items.slice(0, MOST_ITEMS)) {
      if (item.kind === 'function') this.#apply(item, [], new Map());
      else this.#handsOut(item, depth + 1);
    }
  }

  #added(left: Value, right: Value): Value {
    if (left.kind === 'list') return listValue([...left.items, ...this.items(right)], true);
    return optionsOf(left).some(({ kind }) => kind === 'text') ? joinedTexts([left, right]) : UNKNOWN;
  }

  #bind(target: Node, value: Value): void {
    switch (target.kind) {
      case 'name':
        this.#set(target.name, value);
        return;
      case 'prefix':
        this.#bind(target.value, value);
        return;
      case 'list':
        target.items.forEach((item, at) => this.#bind(item, this.#index(value, { kind: 'number', value: at })));
        return;
      case 'map':
        for (const [key, inner] of target.entries) {
          const name =
            key === null
              ? inner.kind === 'name'
                ? inner.name
                : inner.kind === 'assign' && inner.target.kind === 'name'
                  ? inner.target.name
                  : ''
              : key.kind === 'name'
                ? key.name
                : '';
          this.#bind(inner.kind === 'assign' ? inner.target : inner, this.#member(value, name));
        }
        return;
      case 'member':
        this.#setMember(target.object, target.name, value);
        return;
      case 'index':
        this.#setIndex(target, value);
        return;
      case 'assign':
        this.#bind(target.target, value);
        return;
      default:
        this.#value(target);
    }
  }

  #set(name: string, value: Value): void {
    const holder = this.library.isShared(name) ? this.#globals : this.#scope.holder(name);
    const before = holder.own(name);
    const isUnsure = this.#maybe > 0 && before !== null && before.kind !== 'unknown' && before.kind !== 'function';
    holder.set(name, isUnsure ? choiceOf([before, value]) : value);
  }

  /** `self.path = x`: known by its name wherever it is asked for, since objects are not told apart. */
  #setMember(object: Node, name: string, value: Value): void {
    const owner = this.#value(object);
    if (isEnvironment(owner)) {
      this.setVariable(name, wordOf(value));
      return;
    }
    if (owner.kind === 'module') {
      const handler = this.library.functions.get(`${owner.name}.${name}=`);
      if (handler) handler({ host: this, name, receiver: owner, positional: [value], named: new Map() });
      if (/^(?:module\.)?exports$/.test(owner.name)) {
        this.#fields.set(name, value);
        this.#export(name, value);
      } else if (owner.name === 'module' && name === 'exports') {
        this.#export(null, value);
        this.#handsOut(value);
      }
      return;
    }
    this.#fields.set(name, value);
  }

  readonly #fields = new Map<string, Value>();

  #setIndex(target: Extract<Node, { kind: 'index' }>, value: Value): void {
    const object = this.#value(target.object);
    const key = target.key === null ? null : knownText(this.#value(target.key));
    if (isEnvironment(object) && key !== null) {
      this.setVariable(key, wordOf(value));
      return;
    }
    if (object.kind === 'map' && key !== null && target.object.kind === 'name') {
      this.#set(target.object.name, { kind: 'map', entries: new Map([...object.entries, [key, value]]) });
    }
  }

  // Structure.

  #block(body: readonly Node[], isMaybe: boolean): Value {
    if (!isMaybe) return this.#sequence(body);
    this.#maybe += 1;
    const value = this.#sequence(body);
    this.#maybe -= 1;
    return value;
  }

  #loop(target: Node, valueNode: Node, body: readonly Node[]): Value {
    const value = this.#value(valueNode);
    const items = value.kind === 'list' && value.items.length === 0 && !value.isOpen ? [] : this.items(value);
    const results: Value[] = [];
    this.#maybe += 1;
    for (const item of items.length === 0 && value.kind !== 'list' ? [UNKNOWN] : items) {
      this.#bindFresh(target, item);
      results.push(this.#sequence(body));
    }
    this.#maybe -= 1;
    return listValue(results, value.kind !== 'list' || value.isOpen);
  }

  /** A loop's name has one value at a time. */
  #bindFresh(target: Node, value: Value): void {
    const maybe = this.#maybe;
    this.#maybe = 0;
    this.#bind(target, value);
    this.#maybe = maybe;
  }

  #function(node: FunctionNode): Value {
    const value: Extract<Value, { kind: 'function' }> = { kind: 'function', node, scope: this.#scope, self: null };
    if (this.#defined.length < MOST_CALLS) this.#defined.push(value);
    if (node.name !== null) {
      this.#scope.set(node.name, value);
      this.#methods.set(node.name, [...(this.#methods.get(node.name) ?? []), value].slice(-4));
      if (
        node.hasDecorator ||
        /^(?:__reduce(?:_ex)?__|__del__|__init_subclass__|__enter__|__exit__|test_?\w*|pytest_\w+|setUp|BEGIN|END)$/.test(
          node.name,
        )
      ) {
        this.#runsByItself(value);
      }
    }
    return value;
  }

  /** What no line of the text calls and that runs all the same; what it gives to the unpickler is called too. */
  #runsByItself(value: Value): void {
    const result = this.#apply(value, [], new Map());
    if (value.kind !== 'function' || !/^__reduce/.test(value.node.name ?? '')) return;
    if (result.kind === 'list' && result.items[0]) {
      const args = result.items[1];
      this.invoke(result.items[0], args?.kind === 'list' ? args.items : []);
    }
  }

  #class(node: Extract<Node, { kind: 'class' }>): Value {
    const bases = node.bases.map((base) => this.#value(base));
    const before = this.#scope;
    this.#scope = new Scope(before);
    this.#sequence(node.body);
    const constructor =
      this.#scope.own('__init__') ??
      this.#scope.own('constructor') ??
      this.#scope.own('initialize') ??
      this.#scope.own('__construct') ??
      this.#scope.own('new');
    const body = new Map(this.#scope.entries());
    this.#scope = before;
    const library = bases.find(({ kind }) => kind === 'module');
    // A library calls methods of classes that are made from its own: threads, commands, test cases.
    if (library)
      for (const [name, method] of body) if (CALLED_BY_LIBRARY.test(name)) this.#apply(method, [], new Map());
    const value: Value = constructor ?? library ?? instance(`class ${node.name}`);
    if (node.name !== '') this.#scope.set(node.name, value);
    return value;
  }

  #import(module: string, member: string | null, as: string): Value {
    const name = this.library.canonical(module);
    const own = this.#ownModule(name, member);
    if (own !== null) {
      if (member === '*' && own.kind === 'map') for (const [key, value] of own.entries) this.#scope.set(key, value);
      else if (as !== '') this.#scope.set(as, own);
      return own;
    }
    this.#announceModule(name);
    if (member === '*') {
      this.#globals.set('*', moduleValue(name));
      for (const known of this.library.functions.keys()) {
        if (known.startsWith(`${name}.`)) this.#scope.set(known.slice(name.length + 1), moduleValue(known));
      }
      return UNKNOWN;
    }
    const full = member === null || member === 'default' ? name : `${name}.${member}`;
    const value = this.library.constant(full, this) ?? moduleValue(full);
    if (as !== '') this.#scope.set(as, value);
    return value;
  }

  /** A module of the project, or what it hands out under a name; null for modules of libraries. */
  #ownModule(name: string, member: string | null): Value | null {
    if (this.library.isKnown(name) && !name.startsWith('.')) return null;
    const module = this.#projectModule(name);
    if (member === null || member === '*') return module;
    if (module === null || (module.kind === 'map' && !module.entries.has(member))) {
      const inner = this.#projectModule(name.endsWith('.') ? name + member : `${name}.${member}`);
      if (inner !== null) return inner;
      return module !== null && member === 'default' ? module : module && unknownValue(member);
    }
    return module.kind === 'map' ? (module.entries.get(member) ?? UNKNOWN) : module;
  }

  /** Says that a module runs whose code is not known here. */
  #announceModule(name: string): void {
    if (name === '' || this.library.isKnown(name) || this.#reported.has(`module ${name}`)) return;
    this.#reported.add(`module ${name}`);
    this.frame.run.emit(
      'execute',
      { type: 'process', process: name },
      { traits: ['unreviewed'], note: 'a module whose code was not looked at' },
    );
  }

  /** A module asked for by a call: `require('fs')`, `__import__('os')`. */
  module(name: string): Value {
    const canonical = this.library.canonical(name);
    const own = this.library.isKnown(canonical) ? null : this.#projectModule(canonical);
    if (own !== null) return own;
    this.#announceModule(canonical);
    return moduleValue(canonical);
  }

  // Calls.

  #call(node: CallNode): Value {
    const { callee: target } = node;
    const callee =
      target.kind === 'member' ? this.#member(this.#value(target.object), target.name) : this.#value(target);
    if (callee.kind === 'bound' && callee.receiver.kind === 'list' && GROWING.has(callee.name))
      return this.#grow(node, callee);
    const positional = node.positional.flatMap((argument) => this.#message(argument) ?? this.#spread(argument));
    const named = new Map(node.named.map(([name, value]) => [name, this.#value(value)]));
    if (node.block) positional.push(this.#function(node.block));
    const value = choiceOf(optionsOf(callee).map((option) => this.#apply(option, positional, named)));
    const filled = callee.kind === 'module' ? this.library.fills.get(callee.name) : undefined;
    const place = filled === undefined ? undefined : node.positional[filled];
    if (place !== undefined && value.kind === 'instance') this.#bind(place, value);
    return value;
  }

  /** Ruby's `&:name`: a method that is called on each. */
  #message(node: Node): Value | null {
    if (!this.library.membersAreCalls || node.kind !== 'prefix' || node.operator !== '&') return null;
    const name = node.value.kind === 'string' ? knownText(this.#value(node.value)) : null;
    return name === null ? null : { kind: 'message', name, positional: [] };
  }

  /** `list.append(x)`: the name stands for a longer list from now on. */
  #grow(node: CallNode, { receiver, name }: Extract<Value, { kind: 'bound' }>): Value {
    const added = node.positional.flatMap((argument) => this.#spread(argument));
    const items = name === 'extend' || name === 'concat' ? added.flatMap((value) => this.items(value)) : added;
    if (receiver.kind !== 'list' || receiver.items.length > 200) return UNKNOWN;
    const longer = listValue(
      name === 'unshift' ? [...items, ...receiver.items] : [...receiver.items, ...items],
      receiver.isOpen || this.#maybe > 0,
    );
    if (node.callee.kind === 'member' && node.callee.object.kind === 'name') {
      this.#scope.holder(node.callee.object.name).set(node.callee.object.name, longer);
    }
    return longer;
  }

  #apply(callee: Value, positional: readonly Value[], named: ReadonlyMap<string, Value>): Value {
    this.#calls += 1;
    if (this.#calls > MOST_CALLS) return this.#unseen('the code calls too much to be followed to its end');
    switch (callee.kind) {
      case 'function':
        return this.#enter(callee, positional, named);
      case 'module':
        return this.#library(callee.name, positional, named);
      case 'bound':
        return this.#method(callee, positional, named);
      case 'partial':
        return this.#apply(callee.callee, [...callee.positional, ...positional], new Map([...callee.named, ...named]));
      case 'message': {
        const [object = UNKNOWN, ...rest] = positional;
        return this.#apply(this.#member(object, callee.name), [...callee.positional, ...rest], named);
      }
      case 'instance':
        return callee.type.startsWith('class ')
          ? this.#made(callee.type.slice(6), named)
          : callee.type !== 'Service' && this.#methods.has('__call__')
            ? this.#apply(this.#methods.get('__call__')?.at(-1) ?? UNKNOWN, positional, named)
            : callee.type === 'Service'
              ? callee
              : unknownValue('result', originOf(callee));
      case 'text':
        return this.#applyNamed(callee.word, positional, named);
      case 'list':
        // `(0, eval)('…')` calls the last of them.
        return this.#apply(callee.items.at(-1) ?? UNKNOWN, positional, named);
      default:
        this.#callbacks('', positional, named, UNKNOWN);
        return unknownValue('result', [callee, ...positional].map(originOf).find((origin) => origin !== null) ?? null);
    }
  }

  /** An object of a class without a constructor of its own: what is named becomes its members, as a data class has it. */
  #made(type: string, named: ReadonlyMap<string, Value>): Value {
    for (const [name, value] of named) this.#fields.set(name, value);
    return instance(type);
  }

  /** PHP and Perl call what a text names. */
  #applyNamed(name: Word, positional: readonly Value[], named: ReadonlyMap<string, Value>): Value {
    const own = this.#methods.get(name.text)?.at(-1);
    if (name.certainty !== 'exact') return this.#unseen('a function that is chosen when it runs');
    if (own?.kind === 'function') return this.#enter(own, positional, named);
    const full = name.text.replace(/^(?:CORE::(?:GLOBAL::)?|\\)/, '');
    return this.library.functions.has(full) ? this.#library(full, positional, named) : UNKNOWN;
  }

  #enter(
    callee: Extract<Value, { kind: 'function' }>,
    positional: readonly Value[],
    named: ReadonlyMap<string, Value>,
  ): Value {
    const { node, scope, self } = callee;
    // A function that calls itself does the same again, one step further down.
    const isRepeated = this.#entered.filter((open) => open === node).length >= 2;
    const count = (this.#entries.get(node) ?? 0) + 1;
    this.#entries.set(node, count);
    if (this.#depth >= MOST_DEPTH || isRepeated) return unknownValue('result');
    if (count > MOST_ENTRIES) {
      this.#once(`function ${node.name ?? ''} is called too often to be followed each time`);
      return unknownValue('result');
    }
    const before = { scope: this.#scope, returned: this.#returned, maybe: this.#maybe };
    this.#scope = new Scope(scope);
    this.#returned = [];
    this.#maybe = 0;
    this.#depth += 1;
    this.#entered.push(node);
    const takesSelf = /^(?:self|cls|this|\$this)$/.test(node.parameters[0]?.name ?? '');
    const values = takesSelf ? [self ?? instance('self'), ...positional] : positional;
    node.parameters.forEach((parameter, at) => this.#bindParameter(node, parameter, values.slice(at), named));
    this.#scope.set('@_', listValue(positional, positional.length === 0));
    const last = this.#sequence(node.body);
    const makes = /^(?:__init__|constructor|initialize|__construct)$/.test(node.name ?? '');
    const result = makes ? instance('self') : this.#returned.length > 0 ? choiceOf(this.#returned) : last;
    this.#depth -= 1;
    this.#entered.pop();
    this.#scope = before.scope;
    this.#returned = before.returned;
    this.#maybe = before.maybe;
    return result;
  }

  #bindParameter(
    { parameters }: FunctionNode,
    { name, fallback, pattern, takes }: Parameter,
    left: readonly Value[],
    named: ReadonlyMap<string, Value>,
  ): void {
    if (takes === 'rest') this.#scope.set(name, listValue(left, left.length === 0));
    else if (takes === 'named') {
      const entries = [...named].filter(([key]) => !parameters.some((one) => one.name === key));
      this.#scope.set(name, { kind: 'map', entries: new Map(entries) });
    } else {
      const given = named.get(name) ?? left[0];
      const value = given ?? (fallback === null ? unknownValue(name.replace(/\W/g, '')) : this.#value(fallback));
      if (pattern) this.#bind(pattern, value);
      else this.#scope.set(name, value);
    }
  }

  #library(name: string, positional: readonly Value[], named: ReadonlyMap<string, Value>): Value {
    if (name === 'shift' && positional.length === 0) return this.#shift();
    const handler = this.library.functions.get(name);
    if (handler) {
      const value = handler({ host: this, name, receiver: null, positional, named });
      this.#callbacks(HOLDS.test(name) ? name : '', positional, named, value);
      return value;
    }
    const last = name.slice(name.lastIndexOf('.') + 1);
    const owner = name.slice(0, Math.max(0, name.lastIndexOf('.')));
    const called = this.#calledBy(owner, last, positional, named);
    if (called !== null) return called;
    if (last === 'then' && owner !== '') {
      for (const value of positional) this.#callbacks('then', [value], new Map(), moduleValue(owner));
      return moduleValue(owner);
    }
    const type = this.library.methods.has(`*.${last}`) ? `*.${last}` : null;
    if (type !== null && RUNS_SQL.test(last) && positional.length > 0)
      this.library.methods.get(type)?.({ host: this, name: type, receiver: null, positional, named });
    const service = this.#serviceOf(moduleValue(name));
    if (service !== null) {
      this.#takesFromService(service, last.charAt(0).toLowerCase() + last.slice(1));
      this.#callbacks(last, positional, named, UNKNOWN);
      return instance('Service', textValue(service));
    }
    if (
      /\.|::/.test(name) &&
      (this.library.loadsByItself || !this.library.isKnown(name.slice(0, name.lastIndexOf('.'))))
    )
      this.#takesFromService(null, last, true);
    const origin = positional.map(originOf).find((one) => one !== null) ?? null;
    this.#callbacks(name, positional, named, unknownValue('result', origin));
    if (type !== null && name.includes('.')) {
      return (
        this.library.methods.get(type)?.({ host: this, name: type, receiver: moduleValue(name), positional, named }) ??
        UNKNOWN
      );
    }
    return unknownValue(last.replace(/\W/g, ''), origin);
  }

  /** `f.call(this, x)`, `f.apply(this, [x])`, `f.bind(this, x)`, and `Type.method(object)`, which calls the method on the object. */
  #calledBy(owner: string, how: string, positional: readonly Value[], named: ReadonlyMap<string, Value>): Value | null {
    const [first, ...rest] = positional;
    if (this.library.functions.has(owner)) {
      const args = this.library.membersAreCalls ? positional : rest;
      if (how === 'call' || how === 'to_proc')
        return how === 'call' ? this.#library(owner, args, named) : moduleValue(owner);
      if (how === 'apply') return this.#library(owner, rest[0] === undefined ? [UNKNOWN] : this.items(rest[0]), named);
      if (how === 'bind') return partialOf(moduleValue(owner), rest, named);
    }
    const type = owner.slice(owner.lastIndexOf('.') + 1);
    if (!/^[A-Z]/.test(type) || first === undefined || !this.library.methods.has(`${type}.${how}`)) return null;
    return this.#method({ kind: 'bound', receiver: retyped(first, type), name: how }, rest, named);
  }

  /** Perl's `shift` takes the first argument of the function. */
  #shift(): Value {
    const args = this.#scope.get('@_');
    if (args?.kind !== 'list') return this.library.constant('@ARGV', this) ?? UNKNOWN;
    this.#scope.set('@_', listValue(args.items.slice(1), args.isOpen));
    return args.items[0] ?? UNKNOWN;
  }

  #method(
    { receiver, name }: Extract<Value, { kind: 'bound' }>,
    positional: readonly Value[],
    named: ReadonlyMap<string, Value>,
  ): Value {
    const type =
      receiver.kind === 'instance'
        ? receiver.type
        : receiver.kind === 'list'
          ? 'list'
          : receiver.kind === 'text'
            ? 'text'
            : '';
    const handler = this.library.methods.get(`${type}.${name}`);
    if (handler) {
      const value = handler({ host: this, name: `${type}.${name}`, receiver, positional, named });
      this.#callbacks('', positional, named, value);
      return value;
    }
    const callable = receiver.kind === 'partial' || receiver.kind === 'message' || this.#ownFunction(receiver) !== null;
    if (callable && /^(?:new|call|apply|bind|to_proc)$/.test(name))
      return this.#functionMethod(receiver, name, positional, named);
    if (name === 'new' && receiver.kind === 'instance' && receiver.type.startsWith('class ')) return instance('self');
    const own = this.#ownMethod(receiver, name);
    if (own !== null) return this.#enter({ ...own, self: receiver }, positional, named);
    const text = textMethod(receiver, name, positional, this);
    if (text !== null) return text;
    if (receiver.kind === 'instance') this.#missing(name, positional);
    const each =
      receiver.kind === 'list' || (receiver.kind === 'instance' && receiver.type === 'Paths')
        ? choiceOf(this.items(receiver))
        : unknownValue('item', originOf(receiver));
    this.#eachCallback(name, receiver, positional, named, each);
    const service = this.#serviceOf(receiver);
    if (service !== null || receiver.kind === 'unknown') this.#takesFromService(service, name);
    const loose = this.library.methods.get(`*.${name}`);
    if (loose) return loose({ host: this, name: `*.${name}`, receiver, positional, named });
    if (service !== null) return instance('Service', textValue(service));
    return unknownValue('result', originOf(receiver) ?? positional.map(originOf).find((one) => one !== null) ?? null);
  }

  /** `call`, `apply` and `bind` of a function: the first argument is the object it belongs to, but in Ruby. */
  #functionMethod(callee: Value, name: string, positional: readonly Value[], named: ReadonlyMap<string, Value>): Value {
    const args = this.library.membersAreCalls || name === 'new' ? positional : positional.slice(1);
    if (name === 'bind') return partialOf(callee, args, named);
    if (name === 'to_proc') return callee;
    return this.#apply(callee, name === 'apply' && args[0] !== undefined ? this.items(args[0]) : args, named);
  }

  /** The service that a value speaks to: what a library for one made, or a part of that. Null for other values. */
  #serviceOf(value: Value): string | null {
    if (value.kind === 'bound') return this.#serviceOf(value.receiver);
    if (value.kind === 'module') return serviceOf(value.name);
    if (value.kind !== 'instance' || !/^(?:Service|Database)$/.test(value.type)) return null;
    return value.about === null ? value.type : wordOf(value.about).text;
  }

  /** `client.deleteIndex('x')`. Of a receiver that is not known only where the code stands in the command itself. */
  #takesFromService(service: string | null, name: string, isClass = false): void {
    if (!takesAway(name) || isHarmlessMethod(name)) return;
    if (service === null && (this.file !== null || !(/[A-Z_]/.test(name) || (isClass && emptiesClass(name))))) return;
    this.frame.run.emit(
      'delete',
      { type: 'remote', service: service ?? 'sdk', name },
      { certainty: 'dynamic', reversible: 'no', note: 'by the name of the call' },
    );
  }

  /** A method that the text itself defines; objects are not told apart, so the name alone decides. */
  #ownMethod(receiver: Value, name: string): Extract<Value, { kind: 'function' }> | null {
    const known =
      receiver.kind === 'map'
        ? receiver.entries.get(name)
        : (this.#fields.get(name) ?? this.#methods.get(name)?.at(-1));
    return known?.kind === 'function' ? known : null;
  }

  /** A method that no class has is given to the one for all others, by its name. */
  #missing(name: string, positional: readonly Value[]): void {
    const spread = this.#methods.get('method_missing')?.at(-1);
    const listed = (this.#methods.get('__call') ?? this.#methods.get('__callStatic'))?.at(-1);
    if (spread) this.#apply(spread, [textValue(name), ...positional], new Map());
    if (listed) this.#apply(listed, [textValue(name), listValue(positional)], new Map());
  }

  #eachCallback(
    by: string,
    receiver: Value,
    positional: readonly Value[],
    named: ReadonlyMap<string, Value>,
    each: Value,
  ): void {
    if (receiver.kind !== 'list' || receiver.items.length > MOST_ITEMS) {
      this.#callbacks(by, positional, named, each);
      return;
    }
    for (const item of receiver.items.length === 0 ? [UNKNOWN] : receiver.items)
      this.#callbacks(by, positional, named, item);
  }

  /** Functions that are handed over are called, with what the call gives; one of a library where it is handed over to be called. */
  #callbacks(by: string, positional: readonly Value[], named: ReadonlyMap<string, Value>, given: Value): void {
    const target = named.get('target');
    const args = named.get('args');
    const values = [...positional, ...named.values()];
    if (HOLDS.test(by)) return;
    for (const [at, value] of values.entries()) {
      const own = this.#ownFunction(value.kind === 'partial' ? value.callee : value);
      if (own !== null)
        this.#apply(
          value.kind === 'partial' ? value : own,
          value === target && args?.kind === 'list' ? args.items : [given, given],
          new Map(),
        );
      else if (value === target && (value.kind === 'module' || value.kind === 'partial' || value.kind === 'bound'))
        this.#apply(value, args?.kind === 'list' ? args.items : [], new Map());
      else if (value.kind === 'message') this.#apply(value, [given], new Map());
      else if (CALLS.test(by) && this.#isLibraryFunction(value))
        this.#apply(value, handedOver(positional.slice(at + 1), args, given), new Map());
    }
  }

  /** A function of a library that is known, with or without its first arguments, or a method of what a library made. */
  #isLibraryFunction(value: Value): boolean {
    switch (value.kind) {
      case 'module':
        return this.library.functions.has(value.name) || this.library.methods.has(typeAndMethod(value.name));
      case 'partial':
        return true;
      case 'bound':
        return value.receiver.kind === 'instance' && this.library.methods.has(`${value.receiver.type}.${value.name}`);
      default:
        return false;
    }
  }

  /** A function of the text, or a method of it: `Thread(target=self.run)`, `setTimeout(this.run.bind(this))`. */
  #ownFunction(value: Value): Extract<Value, { kind: 'function' }> | null {
    if (value.kind === 'function') return value;
    if (value.kind !== 'bound') return null;
    const own = this.#ownMethod(value.receiver, value.name);
    return own && { ...own, self: value.receiver };
  }
}

/** Functions and methods that call what is handed to them: at once for each item, later, at the end, or in another thread. */
const CALLS =
  /(?:^|\.)(?:setTimeout|setInterval|setImmediate|queueMicrotask|nextTick|forEach|map|filter|reduce|some|every|flatMap|then|starmap|imap|imap_unordered|map_async|apply_async|submit|Timer|register|call_later|call_soon|call_soon_threadsafe|run_in_executor|to_thread|start_new_thread|callback|each)$/;

/** Methods that libraries call on classes made from theirs, and that take no more than the object. */
const CALLED_BY_LIBRARY =
  /^(?:run|initialize_options|finalize_options|setUp(?:Class|TestData)?|tearDown(?:Class)?|asyncSetUp|asyncTearDown|setup_method|teardown_method)$/;

/** Functions that keep what is handed to them for later, with arguments of its own, and do not call it. */
const HOLDS = /^(?:functools\.(?:partial|partialmethod|wraps|cache|lru_cache)|Reflect\.(?:apply|construct))$/;

/** What a function that is handed over is called with: the values behind it without a delay, or the list that they are in; else what is given. */
function handedOver(behind: readonly Value[], named: Value | undefined, given: Value): readonly Value[] {
  if (named?.kind === 'list') return named.items;
  const values = behind[0]?.kind === 'number' ? behind.slice(1) : behind;
  const [first, ...more] = values;
  if (first === undefined) return [given];
  return first.kind === 'list' && more.length === 0 ? first.items : values;
}

/** Methods that run the SQL that they are given, whatever library they are of. */
const RUNS_SQL =
  /^(?:execute|exec_query|exec_update|exec_delete|select_all|statement|unprepared|\$executeRawUnsafe|\$queryRawUnsafe)$/;

/** The last two parts of a full name: `pathlib.Path.unlink` → `Path.unlink`. */
const typeAndMethod = (name: string): string => /[^.]+\.[^.]+$/.exec(name)?.[0] ?? name;

/** A value taken for one of a type, as `Path.unlink(x)` takes it. */
const retyped = (value: Value, type: string): Value =>
  value.kind === 'instance' && value.type === type ? value : instance(type, value);

const isPath = (value: Value): boolean => value.kind === 'instance' && value.type === 'Path';

/** Paths one below the other; an absolute one begins anew, as Python and Node's `resolve` have it. */
export function joinedPath(values: readonly Value[], restartsAtAbsolute = true): Value {
  let parts: Value[] = [];
  for (const value of values) {
    const text = wordOf(value).text;
    if (restartsAtAbsolute && /^(?:[\\/]|[A-Za-z]:)/.test(text)) parts = [];
    parts.push(value);
  }
  return joinedTexts(parts, '/');
}

/** `%s` and `%d` in a text, Python's way. */
function formatted(left: Value, right: Value): Value {
  const text = knownText(left);
  if (text === null) return unknownValue('text');
  const values = right.kind === 'list' ? right.items : [right];
  const pieces = text.split(/%(?:\(\w+\))?[-+ #0]*\d*(?:\.\d+)?[sdifrx]/);
  return joinedTexts(
    pieces.flatMap((piece, at) => (at === 0 ? [textValue(piece)] : [values[at - 1] ?? UNKNOWN, textValue(piece)])),
  );
}

function repeated(left: Value, right: Value): Value | null {
  const [text, count] = left.kind === 'number' ? [right, left] : [left, right];
  const known = knownText(text);
  if (count.kind !== 'number') return null;
  if (text.kind === 'number') return { kind: 'number', value: text.value * count.value };
  if (known === null || count.value < 0 || known.length * count.value > 10_000) return null;
  return textValue(known.repeat(count.value));
}

/** Parts of a path: `p.parent`, `p.name`. */
function pathPart(path: Value, name: string): Value | null {
  const word = wordOf(path);
  switch (name) {
    case 'parent': {
      if (word.certainty === 'dynamic') return instance('Path', unknownValue('parent'));
      const at = word.text.replace(/\/+$/, '').lastIndexOf('/');
      const text = at > 0 ? word.text.slice(0, at) : at === 0 ? '/' : '.';
      return instance('Path', wordValue({ ...word, text }));
    }
    case 'name':
    case 'stem':
    case 'suffix':
      return word.certainty === 'exact' ? textValue(word.text.replace(/^.*\//, '')) : unknownValue(name);
    default:
      return null;
  }
}
