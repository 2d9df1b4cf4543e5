import type { Trait, Word } from '../effect.js';
import { joinPath } from '../paths.js';
import { UNKNOWN_INPUT } from '../shell/frame.js';
import type { Input } from '../shell/run.js';
import { exactWord, dynamicWord } from '../shell/word.js';
import { analyseSql, dialectOf } from '../sql.js';
import { isThrowaway } from '../sql/throwaway.js';
import type { Dialect } from '../sql/tokens.js';
import { environmentOf, isEnvironment, lineEnvironment } from './environment.js';
import type { Handler, LibraryCall } from './library.js';
import {
  choiceOf,
  contentOf,
  instance,
  joinedTexts,
  knownText,
  listValue,
  optionsOf,
  originOf,
  UNKNOWN,
  unknownValue,
  wordOf,
  wordValue,
  type Origin,
  type Value,
} from './value.js';

/** Where a handler finds what it is about: a position, names of a named argument, or `self` for the receiver. */
export type Place = number | string | 'self';

/** The value of the first of several places that was given; unknown when none was. */
export function valueAt(call: LibraryCall, ...places: readonly Place[]): Value {
  return givenAt(call, ...places) ?? UNKNOWN;
}

/** The same; null when none was given. */
export function givenAt(call: LibraryCall, ...places: readonly Place[]): Value | null {
  for (const place of places) {
    if (place === 'self') return call.receiver;
    const value = typeof place === 'number' ? call.positional[place] : call.named.get(place);
    if (value !== undefined) return value;
  }
  return null;
}

const PATH_NAMES = [
  'path',
  'src',
  'filename',
  'file',
  'name',
  'fname',
  'filepath',
  'top',
  'dir',
  'directory',
  'fp',
  'fd',
] as const;

const paths = (call: LibraryCall, place: Place): readonly Word[] =>
  // A list of paths is each of them.
  optionsOf(valueAt(call, place, ...(typeof place === 'number' && place === 0 ? PATH_NAMES : []))).flatMap((value) =>
    value.kind === 'list' ? call.host.items(value).flatMap((item) => call.host.path(item)) : call.host.path(value),
  );

/** Gives back nothing of interest. */
export const quiet: Handler = (call) =>
  unknownValue('result', call.positional.map(originOf).find((origin) => origin !== null) ?? null);

/** Gives back its first argument, or the receiver of a method, as it is. */
export const same: Handler = (call) => call.positional[0] ?? call.receiver ?? UNKNOWN;

/** Gives back what was called, for calls in a row. */
export const chain: Handler = (call) => call.receiver ?? UNKNOWN;

export const made =
  (type: string, place: Place | null = null): Handler =>
  (call) =>
    instance(type, place === null ? null : valueAt(call, place));

export function deletes(place: Place, ...traits: readonly Trait[]): Handler {
  return (call) => {
    for (const word of paths(call, place)) call.host.frame.run.delete(word, { traits });
    return UNKNOWN;
  };
}

export function reads(place: Place, ...traits: readonly Trait[]): Handler {
  return (call) => {
    const words = paths(call, place);
    for (const word of words) readPath(call, word, traits);
    const [word, ...others] = words;
    return word === undefined || others.length > 0 ? unknownValue('content') : contentOf(word);
  };
}

export function writes(place: Place, ...traits: readonly Trait[]): Handler {
  return (call) => {
    for (const word of paths(call, place)) writePath(call, word, traits);
    return UNKNOWN;
  };
}

/** The code reads a path. */
export function readPath(call: LibraryCall, word: Word, traits: readonly Trait[] = []): void {
  if (word.certainty !== 'dynamic') call.host.wasRead.add(word.text);
  call.host.frame.run.read(word, { traits });
}

/** The code writes a path; one that it has read is changed in place, as an editor does. */
export function writePath(call: LibraryCall, word: Word, traits: readonly Trait[] = []): void {
  const { facts, terminal } = call.host.frame;
  const path = word.certainty === 'exact' ? joinPath(terminal.cwd ?? '/', word.text, facts.platform) : null;
  const isChanged =
    traits.length === 0 && call.host.wasRead.has(word.text) && (path === null || facts.entry(path) !== 'absent');
  call.host.frame.run.write(word, { traits: isChanged ? ['edit'] : traits });
}

/** Makes a folder: nothing is lost where one is already. */
export const makesFolder = (place: Place): Handler => writes(place, 'create');

export function moves(from: Place, to: Place): Handler {
  return (call) => {
    const targets = paths(call, to);
    for (const word of paths(call, from)) for (const target of targets) call.host.frame.run.move(word, target);
    return UNKNOWN;
  };
}

export function copies(from: Place, to: Place, ...traits: readonly Trait[]): Handler {
  return (call) => {
    const targets = paths(call, to);
    for (const word of paths(call, from))
      for (const target of targets) call.host.frame.run.copy(word, target, { traits });
    return UNKNOWN;
  };
}

/** Lists names; what comes back stands for whatever lies there. */
export function lists(place: Place, isRecursive: 'deep' | 'flat', makes: 'names' | 'paths' | 'Path'): Handler {
  return (call) => {
    const given = givenAt(call, place, ...PATH_NAMES);
    const items: Value[] = [];
    for (const word of given === null ? [exactWord('.')] : call.host.path(given)) {
      call.host.frame.run.list(word, { traits: isRecursive === 'deep' ? ['recursive'] : [] });
      items.push(below(word, makes === 'names' ? '' : isRecursive === 'deep' ? '**/*' : '*', makes));
    }
    return listValue(items, true);
  };
}

/** What stands for the things below a folder: a glob, or for bare names something unknown. */
export function below(folder: Word, glob: string, makes: 'names' | 'paths' | 'Path'): Value {
  if (glob === '') return wordValue({ text: '*', raw: '*', certainty: 'pattern', quoted: false });
  const value =
    folder.certainty === 'dynamic'
      ? wordValue(dynamicWord(`${folder.text}/*`))
      : joinedTexts(
          [wordValue(folder), wordValue({ text: glob, raw: glob, certainty: 'pattern', quoted: false })],
          '/',
        );
  return makes === 'Path' ? instance('Path', value) : value;
}

/** A glob of file names, as `glob.glob` takes it: a pattern in which nothing is escaped. */
export function globs(place: Place, makes: 'paths' | 'Path', under: Place | null = null): Handler {
  return (call) => {
    const items = optionsOf(valueAt(call, place, 'pattern')).flatMap((value) => {
      const word = wordOf(value);
      const glob: Word =
        word.certainty === 'dynamic' || !/[*?[]/.test(word.text) ? word : { ...word, certainty: 'pattern' };
      const bases = under === null ? [null] : call.host.path(valueAt(call, under));
      return bases.map((base) =>
        base === null ? wordValue(glob) : joinedTexts([wordValue(base), wordValue(glob)], '/'),
      );
    });
    for (const item of items) for (const word of call.host.path(item)) call.host.frame.run.list(word);
    return makes === 'Path'
      ? listValue(
          items.map((item) => instance('Path', item)),
          true,
        )
      : listValue(items, true);
  };
}

/** Runs a text as a line of the system's shell. */
export function shell(place: Place, ...names: readonly string[]): Handler {
  return (call) => {
    const line = valueAt(call, place, ...names);
    runShell(call, line);
    return started(line);
  };
}

/** A text that the system's shell runs, in the folder that `cwd` names. */
export function runShell(call: LibraryCall, value: Value): void {
  const { run } = call.host.frame;
  const cwd = folderOf(call);
  const language = call.host.frame.facts.platform === 'win32' ? 'cmd' : 'sh';
  const environment = lineEnvironment(call);
  for (const option of optionsOf(value.kind === 'list' ? joinedTexts(value.items, ' ') : value)) {
    if (originOf(option) === 'decoded') runsUnseen(call, call.name, 'decoded');
    const text = fileText(call, option);
    run.code(language, text === null ? wordOf(option) : exactWord(text), {
      input: inputOf(call),
      environment,
      ...(cwd === null ? {} : { cwd }),
    });
  }
}

/** Runs a program with words: a list, or the arguments from a place on. */
export function program(first: Place, rest: 'list' | 'spread'): Handler {
  return (call) => {
    const head = valueAt(call, first, 'args', 'cmd', 'command');
    const words =
      rest === 'list'
        ? head.kind === 'list'
          ? head.items
          : [head]
        : call.positional
            .slice(typeof first === 'number' ? first : 0)
            .flatMap((value) => (value.kind === 'list' ? value.items : [value]));
    runProgram(call, words, head.kind === 'list' && head.isOpen);
    return started(listValue(words));
  };
}

/** A process that code has started, as the receiver of what is written to it: a program's words, or a line of the shell. */
export const started = (command: Value): Value =>
  instance('Process', command.kind === 'list' ? command : { kind: 'map', entries: new Map([['line', command]]) });

/** `process.communicate(text)`, `process.stdin.write(text)`, `io.puts(text)`: the program reads what it is given. */
export const feeds: Handler = (call) => {
  const command = call.receiver?.kind === 'instance' ? call.receiver.about : null;
  const text = optionOf(call, 'input') ?? call.positional[0] ?? null;
  if (command === null || text === null || knownText(text) === null) return call.receiver ?? UNKNOWN;
  const fed: LibraryCall = { ...call, positional: [], named: new Map([['input', text]]) };
  const line = command.kind === 'map' ? command.entries.get('line') : undefined;
  if (command.kind === 'list') runProgram(fed, command.items);
  else if (line) runShell(fed, line);
  return call.receiver ?? UNKNOWN;
};

/** Carries a command of words; `isOpen` adds one that is not known. */
export function runProgram(call: LibraryCall, words: readonly Value[], isOpen = false): void {
  const cwd = folderOf(call);
  const argv = words.filter((value) => value.kind !== 'map' && value.kind !== 'function').map(wordOf);
  if (isOpen) argv.push(dynamicWord('$arguments'));
  const assignments = environmentOf(call);
  call.host.frame.run.carry(argv, { input: inputOf(call), assignments, ...(cwd === null ? {} : { cwd }) });
}

/** What a process that code starts reads: the text that the call gives it, else whatever the code may write to it later. */
function inputOf(call: LibraryCall): Input {
  const given = optionOf(call, 'input');
  const [word, ...others] = given === null ? [] : optionsOf(given).map(wordOf);
  return word?.certainty === 'exact' && others.length === 0
    ? { type: 'text', text: word.text, certainty: 'exact' }
    : UNKNOWN_INPUT;
}

function folderOf(call: LibraryCall): Word | null {
  const options = call.positional.findLast((value) => value.kind === 'map');
  const given = call.named.get('cwd') ?? (options?.kind === 'map' ? options.entries.get('cwd') : undefined);
  return given === undefined ? call.host.folder : (call.host.path(given)[0] ?? null);
}

/** Whether an option is set among named arguments or in a map of options. */
export function optionOf(call: LibraryCall, name: string): Value | null {
  const named = call.named.get(name);
  if (named) return named;
  for (const value of call.positional) {
    if (value.kind === 'map') {
      const found = value.entries.get(name);
      if (found) return found;
    }
  }
  return null;
}

const SENDING = new Set(['POST', 'PUT', 'PATCH']);

/** Connects to a URL or host. `method` is an HTTP verb, or the place where it is given. */
export function network(place: Place, method: string | null, ...names: readonly string[]): Handler {
  return (call) => {
    for (const option of optionsOf(valueAt(call, place, 'url', 'host', 'uri', ...names))) connect(call, option, method);
    return instance('Response');
  };
}

/** One connection, with what the arguments say of the data that goes along. */
export function connect(call: LibraryCall, value: Value, method: string | null): void {
  const target =
    value.kind === 'map'
      ? (value.entries.get('url') ?? value.entries.get('host') ?? value.entries.get('hostname') ?? UNKNOWN)
      : value;
  const given = knownText(optionOf(call, 'method') ?? undefined)?.toUpperCase() ?? method;
  for (const value of [...call.positional, ...call.named.values()]) if (isEnvironment(value)) call.host.items(value);
  const hasData = ['data', 'json', 'files', 'body', 'content', 'form'].some((name) => optionOf(call, name) !== null);
  const verb = given ?? (hasData ? 'POST' : null);
  const sends = hasData || (verb !== null && SENDING.has(verb));
  const traits: Trait[] = sends ? ['upload'] : [];
  call.host.frame.run.network(wordOf(target), {
    ...(verb === null ? {} : { method: verb }),
    traits: verb === 'GET' ? [...traits, 'download'] : traits,
  });
}

/** Runs a text as code of the same language. What is not known is `unreviewed`, worse when it came over the network. */
export function evaluates(place: Place): Handler {
  return (call) => {
    const value = valueAt(call, place, 'source', 'code', 'expression');
    const results = optionsOf(value).map((option) => {
      const text = knownText(option) ?? fileText(call, option);
      if (text !== null) return call.host.evaluate(text);
      runsUnseen(call, call.name, originOf(option));
      return UNKNOWN;
    });
    return results[0] ?? UNKNOWN;
  };
}

/** The text of a file that a value is the content of, where it is known; null for any other value. */
const fileText = (call: LibraryCall, value: Value): string | null =>
  value.kind === 'unknown' && value.file ? call.host.frame.run.textOf(value.file) : null;

/** Code runs that cannot be seen. */
export function runsUnseen(call: LibraryCall, what: string, origin: Origin): void {
  call.host.frame.run.emit(
    'execute',
    { type: 'process', process: what },
    {
      certainty: 'dynamic',
      traits: [
        'unreviewed',
        ...(origin === 'network' ? (['remote-code'] as const) : origin === 'decoded' ? (['covert'] as const) : []),
      ],
      note: origin === 'decoded' ? 'the code is decoded in the same action, so that nobody can read it' : '',
    },
  );
}

/** Always runs code that cannot be seen here: unpicklers, loaders of native libraries. */
export const unseen: Handler = (call) => {
  const origin =
    [...call.positional, ...(call.receiver ? [call.receiver] : [])].map(originOf).find((one) => one !== null) ?? null;
  runsUnseen(call, call.name, origin);
  return UNKNOWN;
};

export const kills =
  (what: string): Handler =>
  (call) => {
    const target = call.positional[0];
    const name = target === undefined ? what : wordOf(target).text;
    call.host.frame.run.emit(
      'kill',
      { type: 'process', process: name },
      { certainty: knownText(target) === null ? 'dynamic' : 'exact' },
    );
    return UNKNOWN;
  };

export const privilege: Handler = (call) => {
  call.host.frame.run.emit('privilege', { type: 'process', process: call.name });
  return UNKNOWN;
};

/** Reads one environment variable. */
export const readsEnvironment: Handler = (call) => {
  const name = knownText(call.positional[0]);
  if (name === null) return UNKNOWN;
  const value = call.host.environment(name);
  const fallback = call.positional[1];
  return value.kind === 'unknown' && fallback && knownText(fallback) !== '' ? choiceOf([value, fallback]) : value;
};

/** Listens for others on a port. */
export const serves: Handler = (call) => {
  const address = call.positional[0];
  const host = address?.kind === 'list' ? knownText(address.items[0]) : knownText(call.named.get('host') ?? undefined);
  const port = address?.kind === 'list' ? knownText(address.items[1]) : null;
  // A port that the system picks is asked for to learn a free one; nobody else knows it.
  const isOpen = port !== '0' && (host === '0.0.0.0' || host === '' || host === '::');
  call.host.frame.run.emit(
    'network',
    {
      type: 'url',
      url: `tcp://${host ?? 'localhost'}`,
      host: isOpen ? '0.0.0.0' : '127.0.0.1',
      port: null,
      method: null,
    },
    { traits: isOpen ? ['daemon'] : ['loopback', 'daemon'], note: 'waits for connections' },
  );
  return UNKNOWN;
};

/** Whether a file is not there: a database of that name is only made now. */
const isAbsent = (call: LibraryCall, file: string): boolean => {
  const { facts, terminal } = call.host.frame;
  return terminal.cwd !== null && facts.entry(joinPath(terminal.cwd, file, facts.platform)) === 'absent';
};

const IS_SQL =
  /^\s*(?:select|insert|update|delete|create|drop|alter|truncate|with|pragma|replace|grant|copy|attach|merge)\b/i;

/** The text of SQL with a name in the place of each part that is not known; null where it does not begin as SQL. */
function sqlOf(value: Value): string | null {
  const known = knownText(value);
  if (known !== null || value.kind !== 'text') return known;
  const text = value.word.text.replace(/\$\(?[\w.*-]*\)?|\*/g, 'unknown');
  return IS_SQL.test(text) ? text : null;
}

/** Runs SQL on a database; a text that is no SQL is something else's `execute`. */
export function sqlCommand(dialect: Dialect | null): Handler {
  return (call) => {
    const value = call.positional[0] ?? UNKNOWN;
    if (value.kind === 'choice') {
      for (const option of value.options)
        sqlCommand(dialect)({ ...call, positional: [option, ...call.positional.slice(1)] });
      return instance('Rows');
    }
    const file = fileText(call, value);
    const isKnown = file !== null || knownText(value) !== null;
    const text = file ?? sqlOf(value);
    const about =
      call.receiver?.kind === 'instance' && call.receiver.about !== null
        ? wordOf(call.receiver.about).text
        : 'database';
    if (text === null || (dialect === null && !IS_SQL.test(text))) return UNKNOWN;
    const name = about.replace(/^.*[\\/]/, '');
    const { run } = call.host.frame;
    const actions = analyseSql(text, name, dialect ?? dialectOf(about));
    const isThrown = dialect === 'sqlite' && isThrowaway(about, run.invocation.cwd, run.facts);
    if (dialect === 'sqlite' && isAbsent(call, about)) call.host.ownDatabases.add(about);
    const isOwn = call.host.ownDatabases.has(about);
    const isChanged = actions.some((action) => action.type === 'effect' && action.op !== 'read');
    if (dialect === 'sqlite' && isChanged && call.receiver !== null && about !== ':memory:') {
      for (const word of call.host.path(call.receiver)) run.write(word, { traits: ['edit'] });
    }
    for (const action of actions) {
      if (action.type === 'effect' && (isKnown || action.op !== 'read'))
        run.emit(action.op, action.resource, {
          ...action,
          ...(isKnown ? {} : { certainty: 'dynamic' as const }),
          traits: isThrown || (isOwn && action.op === 'write') ? [...action.traits, 'build-output'] : action.traits,
        });
      else if (action.type === 'effect') continue;
      else if (action.type === 'command') run.code('sh', exactWord(action.text));
      else if (action.op === 'read') run.read(exactWord(action.path), { note: action.note });
      else run.write(exactWord(action.path), { note: action.note });
    }
    return instance('Rows');
  };
}

/** One handler for each of several names. */
export const table = (rows: Readonly<Record<string, Handler>>): ReadonlyMap<string, Handler> =>
  new Map(
    Object.entries(rows).flatMap(([names, handler]) =>
      names.split(' ').map((name): [string, Handler] => [name, handler]),
    ),
  );
