import type { Inflow, Word } from '../../effect.js';
import {
  choiceOf,
  concatenated,
  instance,
  joinedTexts,
  knownText,
  listValue,
  optionsOf,
  originOf,
  replacedText,
  textValue,
  UNKNOWN,
  unknownValue,
  wordOf,
  wordValue,
  type Value,
} from '../../code/value.js';
import { isAbsolute, joinPath } from '../../paths.js';
import { traps } from '../environmentTraps.js';
import { NOTHING_KNOWN, type Called, type Frame, type Redirect } from '../frame.js';
import type { Input, Run } from '../run.js';
import { exactWord } from '../word.js';
import { aliasOf } from './aliases.js';
import { bind, type Given } from './binding.js';
import { eachOf, type CmdletCall, type CmdletRow } from './cmdlet.js';
import { callMethod, callStatic, create, formatted } from './dotnet.js';
import { parsePowerShell } from './parse.js';
import { changesService, onlyLooks, QUIET, quietCmdlet } from './cmdlets/system.js';
import { memberIn, objectWith, putInto } from './startInfo.js';
import { CMDLETS } from './table.js';
import { isSecretName } from '../secretNames.js';
import { windowsVariable } from '../windowsEnvironment.js';
import { fileWord } from './target.js';
import type { Block, Element, Expression, Redirection, Stage, Statement, TextPart } from './tree.js';

/** What is evaluated once more than this is not followed any further. */
const MOST_STEPS = 8_000;
const MOST_DEPTH = 12;

/** A call that waits for its cmdlet: found again by the first word of the command. */
interface Pending {
  readonly walker: Walker;
  readonly row: CmdletRow | null;
  readonly given: readonly Given[];
  readonly piped: Value | null;
  result: Value;
}

/** Operators that only say whether something is so. */
const COMPARES =
  /^-(?:eq|ne|gt|ge|lt|le|like|notlike|match|notmatch|contains|notcontains|in|notin|is|isnot|and|or|xor)$/;

const PENDING = new WeakMap<Word, Pending>();

/** What a session shares: variables by name, steps taken, blocks by the object that stands for them. */
export interface Session {
  readonly variables: Map<string, Value>;
  readonly blocks: WeakMap<Value, Block>;
  /** Names of classes whose methods have been followed, lower case. */
  readonly classes: Set<string>;
  /** Paths that have been read, as words: who writes what it made of a file back changes it, and does not replace it. */
  readonly read: Set<string>;
  steps: number;
  depth: number;
}

/** Walks a script as if it ran, every branch of it, with the values that can be known. */
export class Walker {
  #pipeline = 0;
  /** Whether what is evaluated only decides between branches, so that no value of it gets out. */
  #isTesting = false;

  constructor(
    readonly frame: Frame,
    readonly session: Session,
    readonly path: string | null,
  ) {}

  /** Statements in order; what the last of them gives. */
  statements(body: readonly Statement[]): Value {
    let value: Value = UNKNOWN;
    for (const statement of body) value = this.#statement(statement);
    return value;
  }

  #step(): boolean {
    this.session.steps += 1;
    if (this.session.steps === MOST_STEPS) this.frame.run.unknown('the script does too much to be followed to its end');
    return this.session.steps < MOST_STEPS;
  }

  #statement(statement: Statement): Value {
    if (!this.#step()) return UNKNOWN;
    switch (statement.kind) {
      case 'pipeline':
        return this.#stages(statement.stages, statement.isBackground);
      case 'assignment':
        return this.#assignment(statement.target, statement.operator, this.#statement(statement.value));
      case 'branches': {
        if (statement.subject) this.session.variables.set('_', this.#statement(statement.subject));
        for (const condition of statement.conditions) this.#tested(() => this.#statement(condition));
        return choiceOf(statement.branches.map((branch) => this.statements(branch)));
      }
      case 'foreach': {
        const items = eachOf(this.#statement(statement.items)).slice(0, 40);
        const results = items.map((item) => {
          this.session.variables.set(statement.variable, item);
          return this.statements(statement.body);
        });
        return listValue(results, true);
      }
      case 'function': {
        const { terminal } = this.frame;
        this.frame.terminal = {
          ...terminal,
          functions: new Map(terminal.functions).set(statement.name.toLowerCase(), statement.raw),
        };
        return UNKNOWN;
      }
      case 'class':
        this.session.classes.add(statement.name.toLowerCase());
        for (const method of statement.methods) this.#enter(method, null, [], []);
        return UNKNOWN;
      case 'leave':
        return statement.value === null ? UNKNOWN : this.#statement(statement.value);
      case 'nothing':
        return UNKNOWN;
    }
  }

  #tested<T>(evaluate: () => T, isTesting = true): T {
    const before = this.#isTesting;
    this.#isTesting = isTesting;
    const value = evaluate();
    this.#isTesting = before;
    return value;
  }

  // Variables.

  variable(name: string): Value {
    const plain = name.replace(/^(?:global|script|local|private|using|variable):/, '');
    if (plain.startsWith('env:')) return this.#environment(plain.slice(4));
    if (/^(?:function|alias):/.test(plain)) return unknownValue('value');
    if (/^[a-z]:/.test(plain)) {
      // `${C:\file}` is the content of a file.
      this.frame.run.read(fileWord(exactWord(plain), true, this.frame.facts));
      return unknownValue('content');
    }
    const known = this.session.variables.get(plain);
    if (known !== undefined) return known;
    const { facts, terminal } = this.frame;
    switch (plain) {
      case 'home':
        return textValue(facts.home);
      case 'pwd':
        return terminal.cwd === null ? unknownValue('pwd') : textValue(terminal.cwd);
      case 'null':
        return { kind: 'unknown', hint: 'null', origin: null };
      case 'true':
        return { kind: 'number', value: 1 };
      case 'false':
        return { kind: 'number', value: 0 };
      case 'profile':
        return this.#profile('currentusercurrenthost') ?? UNKNOWN;
      case 'psscriptroot':
        return this.path === null
          ? terminal.cwd === null
            ? unknownValue('folder')
            : textValue(terminal.cwd)
          : textValue(this.path.replace(/\/[^/]*$/, ''));
      case 'pscommandpath':
        return this.path === null ? unknownValue('file') : textValue(this.path);
      case 'iswindows':
      case 'islinux':
      case 'ismacos':
      case 'psversiontable':
      case 'host':
      case 'error':
      case 'matches':
      case 'lastexitcode':
      case '?':
        return unknownValue(plain.replace(/\W/g, ''));
      default:
        return unknownValue(plain.replace(/\W/g, ''));
    }
  }

  /** `$PROFILE` and its members: what runs when a session starts. Source: about_Profiles. */
  #profile(member: string): Value | null {
    const { facts } = this.frame;
    const isWindows = facts.platform === 'win32';
    const own = `${facts.home}/${isWindows ? 'Documents/PowerShell' : '.config/powershell'}`;
    const everybody = isWindows ? 'C:/Program Files/PowerShell/7' : '/opt/microsoft/powershell/7';
    const scope = /^(currentuser|allusers)(currenthost|allhosts)$/.exec(member);
    if (!scope) return null;
    const name = scope[2] === 'allhosts' ? 'profile.ps1' : 'Microsoft.PowerShell_profile.ps1';
    return textValue(`${scope[1] === 'allusers' ? everybody : own}/${name}`);
  }

  #environment(name: string): Value {
    const { facts, terminal, run } = this.frame;
    for (const [known, word] of terminal.variables) {
      if (terminal.exported.has(known) && known.toLowerCase() === name) return wordValue(word);
    }
    const value = windowsVariable(name, facts);
    if (isSecretName(name) && facts.environment(name.toUpperCase()) !== null)
      run.emit(
        'read',
        { type: 'environment', name: name.toUpperCase() },
        { traits: this.#isTesting ? [] : ['secret'] },
      );
    return value === null ? unknownValue(name.replace(/\W/g, '_')) : textValue(value);
  }

  #assignment(target: Expression, operator: string, given: Value): Value {
    let value = given;
    if (operator === '+=' && target.kind === 'variable') {
      const before = this.variable(target.name);
      value =
        before.kind === 'list' || given.kind === 'list'
          ? listValue([...listed(before), ...listed(given)], true)
          : joinedTexts([before, given]);
    } else if (operator !== '=') value = choiceOf([this.expression(target), given]);
    this.#bind(target, value);
    return UNKNOWN;
  }

  #bind(target: Expression, value: Value): void {
    switch (target.kind) {
      case 'variable':
        this.assign(target.name, value);
        return;
      case 'cast':
        this.#bind(target.value, target.type === 'scriptblock' ? this.#asBlock(value) : value);
        return;
      case 'array':
        target.items.forEach((item, at) =>
          this.#bind(item, value.kind === 'list' ? (value.items[at] ?? UNKNOWN) : UNKNOWN),
        );
        return;
      case 'member':
        this.#assignMember(target, value);
        return;
      default:
        this.expression(target);
    }
  }

  assign(name: string, value: Value): void {
    const plain = name.replace(/^(?:global|script|local|private|variable):/, '');
    if (plain.startsWith('env:')) {
      const variable = plain.slice(4).toUpperCase();
      const { terminal } = this.frame;
      this.frame.terminal = {
        ...terminal,
        variables: new Map(terminal.variables).set(variable, wordOf(value)),
        exported: new Set(terminal.exported).add(variable),
      };
      traps(variable, wordOf(value), this.frame.run);
      return;
    }
    if (plain.startsWith('function:') || plain.startsWith('alias:')) {
      this.frame.run.unknown('a function or alias that is set by its drive');
      return;
    }
    if (/^[a-z]:/.test(plain)) {
      this.frame.run.write(fileWord(exactWord(plain), true, this.frame.facts));
      return;
    }
    this.session.variables.set(plain, value);
    if (value.kind !== 'text') return;
    const { terminal } = this.frame;
    this.frame.terminal = { ...terminal, variables: new Map(terminal.variables).set(plain, value.word) };
  }

  /** `$x.Name = …`: what is put into a process's start data and into a file's attributes matters. */
  #assignMember(target: Extract<Expression, { kind: 'member' }>, value: Value): void {
    const object = this.expression(target.object);
    if (typeof target.name === 'string') putInto(object, target.name, value);
    for (const one of eachOf(object))
      if (one.kind === 'instance' && one.type === 'Path' && target.name !== 'length')
        this.frame.run.write(wordOf(one), { traits: ['edit'] });
  }

  // Expressions.

  expression(node: Expression): Value {
    if (!this.#step()) return UNKNOWN;
    switch (node.kind) {
      case 'text':
        return this.#text(node.parts);
      case 'number':
        return { kind: 'number', value: node.value };
      case 'variable':
        return this.variable(node.name);
      case 'array':
        return listValue(node.items.flatMap((item) => listed(this.expression(item))));
      case 'hash':
        return {
          kind: 'map',
          entries: new Map(
            node.entries.map(([key, value]) => [
              (knownText(this.expression(key)) ?? '').toLowerCase(),
              this.#statement(value),
            ]),
          ),
        };
      case 'block':
        return this.#blockValue(node.block);
      case 'group':
        return this.#group(node.body, node.sign);
      case 'type':
        return { kind: 'module', name: node.name };
      case 'cast':
        return this.#cast(node.type, this.expression(node.value));
      case 'member':
        return this.#member(node);
      case 'invoke':
        return this.#invocation(node);
      case 'index':
        return this.#index(this.expression(node.object), this.expression(node.key));
      case 'unary':
        return node.operator === 'not' || node.operator === '!'
          ? this.#unary(
              node.operator,
              this.#tested(() => this.expression(node.value)),
            )
          : this.#unary(node.operator, this.expression(node.value));
      case 'binary':
        return this.#operation(node);
    }
  }

  #operation({ operator, left, right }: Extract<Expression, { kind: 'binary' }>): Value {
    const evaluate = (node: Expression): Value => this.expression(node);
    if (COMPARES.test(operator)) return this.#tested(() => this.#binary(operator, evaluate(left), evaluate(right)));
    const chooses = operator === '?:' ? this.#tested(() => evaluate(left)) : evaluate(left);
    return this.#binary(operator, chooses, evaluate(right));
  }

  #text(parts: readonly TextPart[]): Value {
    const separator = knownText(this.session.variables.get('ofs')) ?? ' ';
    return joinedTexts(
      parts.map((part) => (typeof part === 'string' ? textValue(part) : flat(this.expression(part), separator))),
    );
  }

  #group(body: readonly Statement[], sign: string): Value {
    if (sign === '(' || body.length <= 1) {
      const value = this.statements(body);
      return sign === '@('
        ? listValue(listed(value), value.kind === 'list' ? value.isOpen : value.kind === 'unknown')
        : value;
    }
    return listValue(
      body.flatMap((statement) => listed(this.#statement(statement))),
      true,
    );
  }

  #blockValue(block: Block): Value {
    const value = instance('block', textValue(block.raw));
    this.session.blocks.set(value, block);
    return value;
  }

  /** A text or value as a block of code. */
  #asBlock(value: Value): Value {
    return value.kind === 'instance' && value.type === 'block' ? value : instance('block', value);
  }

  #cast(type: string, value: Value): Value {
    if (type === 'scriptblock') return this.#asBlock(value);
    if (/^(?:io\.(?:file|directory)info)$/.test(type)) return instance('Path', value);
    if (type === 'char' && value.kind === 'number')
      return textValue(String.fromCodePoint(Math.min(Math.max(value.value, 0), 0x10ffff)));
    if (type === 'char[]' && value.kind === 'list') {
      return listValue(
        value.items.map((item) =>
          item.kind === 'number' ? textValue(String.fromCodePoint(Math.min(Math.max(item.value, 0), 0x10ffff))) : item,
        ),
        value.isOpen,
      );
    }
    if (/^(?:int|int32|byte|long|int64)$/.test(type)) {
      const text = knownText(value);
      return text !== null && /^(?:0x)?[\da-f]+$/i.test(text) ? { kind: 'number', value: Number(text) } : value;
    }
    if (type === 'wmiclass' || type === 'wmi') return instance('wmi', value);
    if (type === 'adsi') this.frame.run.unknown(`an object by [${type}]`);
    if (type === 'diagnostics.processstartinfo' && value.kind === 'map') return objectWith('startinfo', value.entries);
    return value;
  }

  #member(node: Extract<Expression, { kind: 'member' }>): Value {
    const object = this.expression(node.object);
    const name =
      typeof node.name === 'string' ? node.name : (knownText(this.expression(node.name))?.toLowerCase() ?? '');
    if (object.kind === 'map') return object.entries.get(name) ?? UNKNOWN;
    if (node.object.kind === 'variable' && node.object.name === 'profile') return this.#profile(name) ?? object;
    if (object.kind === 'list' && name !== 'length' && name !== 'count')
      return listValue(
        object.items.map((item) => this.#memberOf(item, name)),
        object.isOpen,
      );
    return this.#memberOf(object, name);
  }

  #memberOf(object: Value, name: string): Value {
    if (object.kind === 'module') {
      if (/^text\.encoding/.test(object.name)) return instance(`text.encoding.${name}`);
      if (object.name === 'environment' && name === 'newline') return textValue('\n');
      return textValue(name);
    }
    // `(Get-Alias x).Definition` is what the alias stands for.
    if (/^(?:definition|resolvedcommand|resolvedcommandname)$/.test(name) && object.kind === 'text')
      return textValue(aliasOf(object.word.text, true, false) ?? object.word.text);
    if (name === 'length' || name === 'count') {
      const text = knownText(object);
      if (object.kind === 'list' && !object.isOpen) return { kind: 'number', value: object.items.length };
      if (text !== null) return { kind: 'number', value: name === 'count' ? 1 : text.length };
    }
    if (object.kind !== 'instance') return unknownValue(name.replace(/\W/g, ''), originOf(object));
    if (object.type === 'OwnProcess' && name === 'id') return object;
    if (object.type === 'httplistener' && name === 'prefixes') return instance('prefixes');
    const own = memberIn(object, name);
    if (own !== null) return own;
    if (object.type === 'PSReadLine')
      return name === 'historysavepath' ? (object.about ?? UNKNOWN) : unknownValue(name);
    switch (name) {
      case 'fullname':
      case 'pspath':
      case 'path':
      case 'name':
      case 'basename':
      case 'versioninfo':
        return object.type === 'Path' ? object : unknownValue(name);
      case 'directory':
      case 'directoryname':
      case 'parent':
      case 'psparentpath':
        return object.type === 'Path' ? instance('Path', parentOf(object)) : unknownValue(name);
      case 'content':
      case 'rawcontent':
        return unknownValue(name, originOf(object));
      default:
        return unknownValue(name.replace(/\W/g, ''), originOf(object));
    }
  }

  /** A member by its name alone, as `ForEach-Object Delete` asks for it: one that does something is called. */
  memberOf(receiver: Value, name: string, args: readonly Value[]): Value {
    const isMethod = /^(?:delete|kill|terminate|moveto|copyto|create|start|stop|close|invoke|run|exec)$/.test(name);
    if (!isMethod && args.length === 0) return this.#memberOf(receiver, name);
    return callMethod({
      run: this.frame.run,
      facts: this.frame.facts,
      type: receiver.kind === 'instance' ? receiver.type : '',
      name,
      receiver,
      args,
      read: this.session.read,
      evaluate: (text) => this.evaluate(text),
      invoke: (block, values) => this.invoke(block, null, values),
    });
  }

  #invocation(node: Extract<Expression, { kind: 'invoke' }>): Value {
    const receiver = this.expression(node.object);
    const name =
      typeof node.name === 'string' ? node.name : (knownText(this.expression(node.name))?.toLowerCase() ?? '');
    const asks = /^isnullor(?:empty|whitespace)$/.test(name);
    const args = node.args.map((argument) => this.#tested(() => this.expression(argument), asks));
    const { run, facts } = this.frame;
    if (name === '') {
      run.unknown('a method that is chosen when it runs');
      return UNKNOWN;
    }
    const call = {
      run,
      facts,
      name,
      args,
      read: this.session.read,
      evaluate: (text: Value) => this.evaluate(text),
      invoke: (block: Value, values: readonly Value[]) => this.invoke(block, null, values),
    };
    if (receiver.kind === 'module' && this.session.classes.has(receiver.name)) return unknownValue('result');
    if (receiver.kind === 'module') return callStatic({ ...call, type: receiver.name, receiver: null });
    if (receiver.kind === 'instance' && receiver.type.startsWith('text.encoding.'))
      return callStatic({ ...call, type: receiver.type, receiver });
    const results = eachOf(receiver)
      .slice(0, 40)
      .map((one) => {
        if (/^(?:foreach|where)$/.test(name) && args[0]) return this.invoke(args[0], one);
        return callMethod({ ...call, type: one.kind === 'instance' ? one.type : '', receiver: one });
      });
    return receiver.kind === 'list' ? listValue(results, true) : (results[0] ?? UNKNOWN);
  }

  #index(object: Value, key: Value): Value {
    if (object.kind === 'map') return object.entries.get((knownText(key) ?? '').toLowerCase()) ?? UNKNOWN;
    if (object.kind === 'list' && key.kind === 'list')
      return listValue(key.items.map((one) => this.#index(object, one)));
    if (object.kind === 'list' && key.kind === 'number' && !object.isOpen) return object.items.at(key.value) ?? UNKNOWN;
    const text = knownText(object);
    if (text !== null && key.kind === 'number') return textValue([...text].at(key.value) ?? '');
    if (text !== null && key.kind === 'list') return listValue(key.items.map((one) => this.#index(object, one)));
    return object.kind === 'list'
      ? choiceOf(object.items.length === 0 ? [UNKNOWN] : object.items)
      : unknownValue('item', originOf(object));
  }

  #unary(operator: string, value: Value): Value {
    if (operator === 'join') return joinedTexts(listed(value));
    if (operator === '-' && value.kind === 'number') return { kind: 'number', value: -value.value };
    if (operator === ',') return listValue([value]);
    return operator === 'not' || operator === '!' ? UNKNOWN : value;
  }

  #binary(operator: string, left: Value, right: Value): Value {
    switch (operator) {
      case '+':
        if (left.kind === 'list') return listValue([...left.items, ...listed(right)], left.isOpen);
        if (left.kind === 'number' && right.kind === 'number')
          return { kind: 'number', value: left.value + right.value };
        return joinedTexts([left, flat(right)]);
      case '-':
        return left.kind === 'number' && right.kind === 'number'
          ? { kind: 'number', value: left.value - right.value }
          : UNKNOWN;
      case '*': {
        const text = knownText(left);
        return text !== null && left.kind === 'text' && right.kind === 'number' && text.length * right.value < 4_000
          ? textValue(text.repeat(Math.max(0, right.value)))
          : UNKNOWN;
      }
      case '-bxor':
        return left.kind === 'number' && right.kind === 'number'
          ? { kind: 'number', value: left.value ^ right.value }
          : UNKNOWN;
      case '-f':
        return formatted(left, listed(right));
      case '-join':
        return joinedTexts(listed(left), knownText(right) ?? '');
      case '-split': {
        const text = knownText(left);
        const separator = knownText(right);
        return text === null || separator === null || separator === ''
          ? UNKNOWN
          : listValue(text.split(separator).map(textValue));
      }
      case '-replace': {
        const text = knownText(left);
        const [from, to] = listed(right).map((value) => knownText(value));
        // Patterns of one plain text are followed; others could give anything.
        const isPlain = typeof from === 'string' && /^[\w\s/:@!#~,;'"=-]+$/.test(from);
        return text !== null && isPlain ? replacedText(text, from, to ?? '') : unknownValue('text');
      }
      case '..':
        if (left.kind !== 'number' || right.kind !== 'number' || Math.abs(left.value - right.value) > 200)
          return unknownValue('range');
        return listValue(range(left.value, right.value));
      case '??':
        return choiceOf([left, right]);
      case '?:':
        return choiceOf(listed(right));
      case '-as':
        return left;
      default:
        return UNKNOWN;
    }
  }

  // Code in texts and blocks.

  /** Runs a text in this session: `Invoke-Expression`. What is not known is `unreviewed`, worse when it came over the network. */
  evaluate(value: Value): Value {
    return choiceOf(
      optionsOf(value.kind === 'list' ? joinedTexts(value.items, '\n') : value).map((option) => {
        if (option.kind === 'instance' && option.type === 'block') return this.invoke(option, null);
        const text = knownText(option);
        if (text !== null && this.session.depth < MOST_DEPTH) return this.#nested(parsePowerShell(text));
        const origin = originOf(option);
        this.frame.run.emit(
          'execute',
          { type: 'process', process: 'Invoke-Expression' },
          { certainty: 'dynamic', traits: origin === 'network' ? ['unreviewed', 'remote-code'] : ['unreviewed'] },
        );
        return UNKNOWN;
      }),
    );
  }

  #nested(script: ReturnType<typeof parsePowerShell>): Value {
    for (const problem of script.problems) this.frame.run.unknown(problem);
    this.session.depth += 1;
    const value = this.statements(script.block.body);
    this.session.depth -= 1;
    return value;
  }

  /** Runs a block with `$_` and arguments. */
  invoke(block: Value, underscore: Value | null, args: readonly Value[] = []): Value {
    const known = this.session.blocks.get(block);
    if (!known) {
      const text = block.kind === 'instance' && block.type === 'block' ? block.about : block;
      return text === null ? UNKNOWN : this.evaluate(text);
    }
    if (this.session.depth >= MOST_DEPTH) {
      this.frame.run.unknown('blocks are nested too deeply to be followed');
      return UNKNOWN;
    }
    return this.#enter(known, underscore, args, []);
  }

  #enter(block: Block, underscore: Value | null, args: readonly Value[], given: readonly Given[]): Value {
    const { variables } = this.session;
    const names = ['_', 'psitem', 'args', 'input', ...block.parameters.map(({ name }) => name)];
    const before = names.map((name) => variables.get(name));
    if (underscore !== null) {
      variables.set('_', underscore);
      variables.set('psitem', underscore);
      variables.set('input', underscore);
    }
    const named = new Map(
      given.flatMap((one) =>
        one.kind === 'parameter' && one.value !== null ? [[one.name.toLowerCase(), one.value] as const] : [],
      ),
    );
    const free = [...args, ...given.flatMap((one) => (one.kind === 'argument' ? [one.value] : []))];
    for (const { name, fallback } of block.parameters) {
      const value =
        named.get(name) ?? free.shift() ?? (fallback === null ? unknownValue(name) : this.expression(fallback));
      variables.set(name, value);
    }
    variables.set('args', listValue(free, free.length === 0));
    this.session.depth += 1;
    const result = this.statements(block.body);
    this.session.depth -= 1;
    names.forEach((name, at) => {
      const old = before[at];
      if (old === undefined) variables.delete(name);
      else variables.set(name, old);
    });
    return result;
  }

  // Pipelines and commands.

  #stages(stages: readonly Stage[], isBackground: boolean): Value {
    this.#pipeline = this.frame.newPipeline();
    const pipeline = this.#pipeline;
    let piped: Value | null = null;
    let called: Called = NOTHING_KNOWN;
    stages.forEach((stage, at) => {
      const isLast = at === stages.length - 1;
      if (stage.kind === 'expression') {
        piped = this.expression(stage.value);
        called = { index: null, output: piped.kind === 'text' ? piped.word : null, inflows: [] };
        for (const redirect of this.#redirects(stage.redirections)) {
          this.frame.redirect(redirect, inflowsOf(piped), null);
          if (redirect.kind === 'replace' && redirect.target.certainty === 'exact')
            this.frame.remember(this.#folder(redirect.target.text), wordOf(lines(piped)), inflowsOf(piped));
        }
        return;
      }
      const input: Input = at === 0 ? { type: 'none' } : pipeInput(called, piped);
      const seat = { pipeline, stage: at, input, isLast, piped };
      const [value, result] = this.#command(stage, seat);
      piped = value;
      called = result;
    });
    void isBackground;
    return piped ?? UNKNOWN;
  }

  #folder(path: string): string {
    const { terminal, facts } = this.frame;
    return joinPath(terminal.cwd ?? facts.roots[0] ?? '/', path, facts.platform);
  }

  #redirects(redirections: readonly Redirection[]): Redirect[] {
    return redirections.flatMap((redirection): Redirect[] => {
      const { kind, target, stream } = redirection;
      if (kind === 'merge' || target === null) return [];
      if (target.kind === 'variable' && target.name === 'null') return [];
      const word = fileWord(wordOf(flat(this.expression(target))), true, this.frame.facts);
      if (word.certainty === 'exact' && /^(?:nul|\/dev\/null)$/i.test(word.text)) return [];
      return [{ kind, target: word, descriptor: stream === 0 ? 1 : stream }];
    });
  }

  #command(stage: Extract<Stage, { kind: 'command' }>, seat: Seat): readonly [Value, Called] {
    return this.#tested(() => this.#run(stage, seat), false);
  }

  #run(stage: Extract<Stage, { kind: 'command' }>, seat: Seat): readonly [Value, Called] {
    const nameValue = this.expression(stage.name);
    if (stage.operator !== '' && nameValue.kind === 'instance' && nameValue.type === 'block') {
      const given = stage.elements.flatMap((element) => this.#given(element));
      const value = this.invoke(
        nameValue,
        seat.piped,
        given.flatMap((one) => (one.kind === 'argument' ? [one.value] : [])),
      );
      return [value, NOTHING_KNOWN];
    }
    const written = wordOf(nameValue.kind === 'list' ? (nameValue.items[0] ?? UNKNOWN) : nameValue);
    if (written.certainty !== 'exact') return this.#call({ ...written, raw: stage.raw }, stage, seat, null);
    const { terminal, facts } = this.frame;
    const lower = written.text.toLowerCase();
    const ownAlias = terminal.aliases.get(lower);
    const looksNative = stage.elements.some(
      ({ raw }) =>
        /^--?[a-z]{2,}[A-Z]|^--\w|^-[a-z]{1,4}$/.test(raw) && !/^-(?:[a-z]|rec|re|ea|wa|fo|db|vb|wi|cf)$/.test(raw),
    );
    const name =
      this.#meant(ownAlias) ??
      (stage.operator === '&' && /[\\/]/.test(written.text)
        ? null
        : aliasOf(
            written.text,
            facts.platform === 'win32',
            looksNative &&
              !/^(?:ls|dir|rm|cp|mv|cat|del|type|copy|move|rd|rmdir|kill|ps|sleep|sort|tee|diff|echo|set|start|where|mount|man|history|clear|pwd)$/.test(
                lower,
              ),
          )) ??
      written.text;
    const definition = terminal.functions.get(name.toLowerCase());
    if (definition !== undefined) return this.#ownFunction(definition, stage, seat);
    const row = CMDLETS.get(name.toLowerCase()) ?? null;
    const isQuiet =
      QUIET.has(name.toLowerCase()) || onlyLooks(name.toLowerCase()) || changesService(name.toLowerCase()) !== null;
    if (row === null && !isQuiet) return this.#call({ ...written, text: name, raw: stage.raw }, stage, seat, null);
    const pending: Pending = {
      walker: this,
      row,
      given: stage.elements.flatMap((element) => this.#given(element)),
      piped: seat.piped,
      result: UNKNOWN,
    };
    return this.#call({ ...exactWord(row?.name ?? name), raw: written.raw }, stage, seat, pending);
  }

  /** What an alias of the session's own stands for in the end: it may name another one. */
  #meant(alias: string | undefined): string | null {
    const { terminal, facts } = this.frame;
    let name = alias ?? null;
    for (let hop = 0; name !== null && hop < 5; hop += 1) {
      const next: string | null =
        terminal.aliases.get(name.toLowerCase()) ?? aliasOf(name, facts.platform === 'win32', false);
      if (next === null) break;
      name = next;
    }
    return name;
  }

  #ownFunction(definition: string, stage: Extract<Stage, { kind: 'command' }>, seat: Seat): readonly [Value, Called] {
    const script = parsePowerShell(definition);
    const [statement] = script.block.body;
    const block = statement?.kind === 'function' ? statement.block : script.block;
    if (this.session.depth >= MOST_DEPTH || this.frame.following.has(definition)) return [UNKNOWN, NOTHING_KNOWN];
    this.frame.following.add(definition);
    const value = this.#enter(
      block,
      seat.piped,
      [],
      stage.elements.flatMap((element) => this.#given(element)),
    );
    this.frame.following.delete(definition);
    return [value, NOTHING_KNOWN];
  }

  #call(
    name: Word,
    stage: Extract<Stage, { kind: 'command' }>,
    seat: Seat,
    pending: Pending | null,
  ): readonly [Value, Called] {
    const first: Word = { ...name };
    if (pending) PENDING.set(first, pending);
    const argv = [first, ...stage.elements.flatMap((element) => this.#words(element, pending))];
    const redirects = this.#redirects(stage.redirections);
    const called = this.frame.call({
      argv: pending || name.certainty !== 'exact' ? argv : [programWord(first), ...argv.slice(1)],
      assignments: new Map(),
      redirects,
      input: seat.input,
      output: redirects.some(({ descriptor }) => descriptor === 1) ? 'file' : seat.isLast ? this.frame.output : 'pipe',
      pipeline: seat.pipeline,
      stage: seat.stage,
      inflows: [],
    });
    const value = pending
      ? pending.result
      : called.output === null
        ? unknownValue('output', called.inflows.some(({ from }) => from.type === 'url') ? 'network' : null)
        : wordValue(called.output);
    return [value, called];
  }

  #given(element: Element): readonly Given[] {
    if (element.kind === 'argument') {
      if (element.value.kind === 'variable' && element.value.isSplat)
        return this.#splat(this.variable(element.value.name));
      return [{ kind: 'argument', value: this.#argument(element.value) }];
    }
    const value = element.value === null ? null : this.#argument(element.value);
    const isOff = element.value?.kind === 'variable' && element.value.name === 'false';
    return [{ kind: 'parameter', name: element.name, value, isOff }];
  }

  /** A bare word that is a number stays a text: it may be a name. */
  #argument(expression: Expression): Value {
    return this.expression(expression);
  }

  #splat(value: Value): readonly Given[] {
    if (value.kind === 'map') {
      return [...value.entries].map(([name, one]): Given => ({
        kind: 'parameter',
        name,
        value: one,
        isOff: one.kind === 'number' && one.value === 0,
      }));
    }
    return listed(value).map((one): Given => ({ kind: 'argument', value: one }));
  }

  /** An element as words of a program that is no cmdlet. Blocks and lists of cmdlets are only shown. */
  #words(element: Element, pending: Pending | null): readonly Word[] {
    if (element.kind === 'parameter') {
      if (element.value === null) return [{ ...exactWord(element.raw), quoted: false }];
      const value = pending ? null : this.expression(element.value);
      return [
        value === null
          ? exactWord(element.raw)
          : concatenated(exactWord(element.raw.slice(0, element.raw.indexOf(':') + 1)), wordOf(value)),
      ];
    }
    if (pending) return [{ ...exactWord(element.raw), raw: element.raw }];
    const isQuoted = element.value.kind === 'text' && !element.value.isBare;
    return listed(this.expression(element.value)).map((value) => {
      const word = wordOf(value);
      return { ...word, raw: element.raw, quoted: isQuoted };
    });
  }
}

interface Seat {
  readonly pipeline: number;
  readonly stage: number;
  readonly input: Input;
  readonly isLast: boolean;
  readonly piped: Value | null;
}

/** Runs the cmdlet whose call waits under the first word of the command. */
export function runCmdlet(run: Run, frame: Frame): void {
  const [first] = run.invocation.argv;
  const pending = first === undefined ? undefined : PENDING.get(first);
  if (!pending || !first) {
    run.unknown(`a cmdlet that is called from elsewhere: ${first?.text ?? ''}`);
    return;
  }
  const { row, walker } = pending;
  const inner = new Walker(frame, walker.session, walker.path);
  if (row === null) {
    const blocks = pending.given.flatMap((one) =>
      one.value?.kind === 'instance' && one.value.type === 'block' ? [one.value] : [],
    );
    for (const block of blocks) inner.invoke(block, pending.piped);
    const binding = {
      given: namedValues(pending.given),
      switches: new Set<string>(),
      rest: pending.given.flatMap((one) => (one.value === null ? [] : [one.value])),
      unknown: [],
    };
    const name = first.text.toLowerCase();
    pending.result = (QUIET.get(name) ?? changesService(name) ?? quietCmdlet)(
      callOf(first.text, run, frame, binding, pending.piped, inner),
    );
    return;
  }
  const binding = bind(row.parameters, pending.given);
  for (const name of binding.unknown) run.unknown(`parameter ${name} of ${row.name}`);
  if (row.changes && binding.switches.has('whatif')) return;
  pending.result = row.run(callOf(row.name, run, frame, binding, pending.piped, inner));
}

/** What stands behind each parameter of a cmdlet whose parameters are not known: a value, if one does. */
const namedValues = (given: readonly Given[]): ReadonlyMap<string, Value> =>
  new Map(
    given.flatMap((one, at) => {
      if (one.kind !== 'parameter') return [];
      const next = given[at + 1];
      const value = one.value ?? (next?.kind === 'argument' ? next.value : null);
      return value === null ? [] : [[one.name.toLowerCase(), value] as const];
    }),
  );

const callOf = (
  name: string,
  run: Run,
  frame: Frame,
  binding: ReturnType<typeof bind>,
  piped: Value | null,
  walker: Walker,
): CmdletCall => ({
  name,
  run,
  frame,
  binding,
  piped,
  invoke: (block, underscore, args) => walker.invoke(block, underscore, args),
  evaluate: (text) => walker.evaluate(text),
  folder: (path) =>
    isAbsolute(path, frame.facts.platform)
      ? joinPath('/', path, frame.facts.platform)
      : joinPath(frame.terminal.cwd ?? frame.facts.roots[0] ?? '/', path, frame.facts.platform),
  assign: (variable, value) => walker.assign(variable, value),
  variable: (variable) => walker.variable(variable),
  create: (type, args) => create(type, args, run, frame.facts),
  read: walker.session.read,
  member: (receiver, member, args) => walker.memberOf(receiver, member, args),
});

/** A program as other analysers read it: slashes forward. */
const programWord = (word: Word): Word => ({ ...word, text: word.text.replaceAll('\\', '/') });

const listed = (value: Value): readonly Value[] => (value.kind === 'list' ? value.items : [value]);

/** A list as one text, as an expandable string shows it. */
const flat = (value: Value, separator = ' '): Value =>
  value.kind === 'list' ? joinedTexts(value.items, separator) : value;

function parentOf(path: Value): Value {
  const word = wordOf(path);
  const at = word.text.replace(/\/+$/, '').lastIndexOf('/');
  return word.certainty === 'dynamic' || at <= 0
    ? unknownValue('folder')
    : wordValue({ ...word, text: word.text.slice(0, at) });
}

function range(from: number, to: number): Value[] {
  const step = from <= to ? 1 : -1;
  return Array.from({ length: Math.abs(to - from) + 1 }, (_, at): Value => ({
    kind: 'number',
    value: from + at * step,
  }));
}

/** A list as the text of a file that is written from it. */
const lines = (value: Value): Value =>
  value.kind === 'list' && !value.isOpen ? joinedTexts(value.items, '\n') : value;

const inflowsOf = (value: Value): readonly Inflow[] =>
  value.kind === 'text' ? [{ from: { type: 'literal', text: value.word.text }, how: 'verbatim' }] : [];

function pipeInput(called: Called, piped: Value | null): Input {
  if (piped?.kind === 'text' && called.index === null)
    return { type: 'text', text: piped.word.text, certainty: piped.word.certainty };
  return { type: 'pipe', from: called.index, inflows: called.inflows };
}
