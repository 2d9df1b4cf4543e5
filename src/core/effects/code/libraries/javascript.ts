import { exactWord } from '../../shell/word.js';
import { decoded } from '../texts.js';
import {
  connect,
  copies,
  deletes,
  evaluates,
  feeds,
  givenAt,
  globs,
  kills,
  lists,
  made,
  makesFolder,
  moves,
  network,
  optionOf,
  privilege,
  quiet,
  reads,
  runProgram,
  runShell,
  same,
  serves,
  shell,
  sqlCommand,
  started,
  table,
  unseen,
  valueAt,
  writes,
} from '../handlers.js';
import { joinedPath } from '../interpreter.js';
import type { Handler, Host, Library, LibraryCall } from '../library.js';
import { javascriptModules } from '../modules.js';
import {
  instance,
  joinedTexts,
  knownText,
  listValue,
  moduleValue,
  optionsOf,
  originOf,
  textValue,
  UNKNOWN,
  unknownValue,
  wordOf,
  wordValue,
  type Value,
} from '../value.js';

/** Whether an option is set to anything but a constant `false`. */
function isSet(call: LibraryCall, name: string): boolean {
  const value = optionOf(call, name);
  return value !== null && !(value.kind === 'list' && value.items.length === 0);
}

/** `fs.rm(path, { recursive: true })`. */
const removes: Handler = (call) => deletes(0, ...(isSet(call, 'recursive') ? (['recursive'] as const) : []))(call);

const copiesAll: Handler = (call) =>
  copies(0, 1, ...(isSet(call, 'recursive') || /\.copy/.test(call.name) ? (['recursive'] as const) : []))(call);

const listsFolder: Handler = (call) => lists(0, isSet(call, 'recursive') ? 'deep' : 'flat', 'names')(call);

const opensFile: Handler = (call) => {
  const flags = call.positional[1] === undefined ? 'r' : (knownText(call.positional[1]) ?? 'r+');
  if (/^r/.test(flags)) reads(0)(call);
  if (/w/.test(flags)) writes(0)(call);
  else if (/a/.test(flags)) writes(0, 'append')(call);
  else if (/\+/.test(flags)) writes(0, 'edit')(call);
  return instance('File', valueAt(call, 0));
};

const writeStream: Handler = (call) => {
  const isAppended = /^a/.test(knownText(optionOf(call, 'flags') ?? undefined) ?? '');
  writes(0, ...(isAppended ? (['append'] as const) : []))(call);
  return instance('File', valueAt(call, 0));
};

const changesMode: Handler = (call) => {
  const mode = call.positional[1];
  const bits = mode?.kind === 'number' ? mode.value : Number.parseInt(knownText(mode) ?? '', 8);
  const opens = Number.isNaN(bits) || (bits & 0o6002) !== 0;
  return writes(0, ...(opens ? (['edit', 'grants-access'] as const) : (['edit'] as const)))(call);
};

/** `spawn(command, words, { shell })`, also with all words in one list. */
const spawns: Handler = (call) => {
  const [command = UNKNOWN, second] = call.positional;
  const words = second?.kind === 'list' ? second.items : [];
  const isOpen = (second?.kind === 'list' && second.isOpen) || second?.kind === 'unknown';
  const all = command.kind === 'list' ? command.items : [command, ...words];
  if (isSet(call, 'shell')) runShell(call, joinedTexts(all, ' '));
  else runProgram(call, all, isOpen);
  return started(isSet(call, 'shell') ? joinedTexts(all, ' ') : listValue(all));
};

const forksScript: Handler = (call) => {
  if (isSet(call, 'eval')) return evaluates(0)(call);
  for (const word of call.host.path(valueAt(call, 0))) call.host.frame.run.script('javascript', word);
  return instance('Child');
};

/** Tagged templates of zx, execa and Bun: the text is a command line. */
const tagged: Handler = (call) => {
  const [text] = call.positional;
  if (text !== undefined && text.kind !== 'map') runShell(call, text);
  return instance('Output');
};

const requires: Handler = (call) => {
  const name = knownText(call.positional[0]);
  if (name !== null) return call.host.module(name);
  call.host.frame.run.unknown('a module that is chosen when it runs');
  return UNKNOWN;
};

/** `new Function('a', 'body')`: the last text is code. */
const makesFunction: Handler = (call) => evaluates(call.positional.length - 1)(call);

/** `setTimeout('code')`, `setTimeout(fs.rmSync, ms, path)`; a function of the text there is called like any other callback. */
const later: Handler = (call) => {
  const [first] = call.positional;
  if (first?.kind === 'text') return evaluates(0)(call);
  const behind = /^(?:setTimeout|setInterval)$/.test(call.name) ? 2 : 1;
  const isLibrary = first?.kind === 'module' || (first?.kind === 'partial' && first.callee.kind === 'module');
  if (isLibrary) call.host.invoke(first, call.positional.slice(behind));
  return UNKNOWN;
};

/** `Reflect.apply(f, self, [x])`. */
const applies: Handler = (call) => {
  const [callee = UNKNOWN, , args] = call.positional;
  return call.host.invoke(callee, args === undefined ? [UNKNOWN] : call.host.items(args));
};

const buffer: Handler = (call) => {
  const text = knownText(call.positional[0]);
  const coding = knownText(call.positional[1]);
  if (call.positional[0]?.kind === 'list') return joinedTexts(call.positional[0].items.map(characterOf));
  if (text === null) return unknownValue('bytes', originOf(call.positional[0] ?? UNKNOWN));
  return coding === 'base64' || coding === 'base64url'
    ? decoded(text, 'base64')
    : coding === 'hex'
      ? decoded(text, 'hex')
      : textValue(text);
};

const characterOf = (value: Value): Value =>
  value.kind === 'number' && value.value >= 0 && value.value <= 0x10ffff
    ? textValue(String.fromCodePoint(value.value))
    : UNKNOWN;

const decodes =
  (coding: 'base64' | 'url'): Handler =>
  (call) => {
    const text = knownText(call.positional[0]);
    return text === null
      ? unknownValue('text', originOf(call.positional[0] ?? UNKNOWN) ?? 'decoded')
      : decoded(text, coding);
  };

/** `http.request(url | options)`, `fetch(url, options)`. */
const requestTo =
  (method: string | null): Handler =>
  (call) => {
    const [first = UNKNOWN] = call.positional;
    const port = first.kind === 'map' ? first.entries.get('port') : undefined;
    const host =
      first.kind === 'map'
        ? (first.entries.get('url') ??
          first.entries.get('hostname') ??
          first.entries.get('host') ??
          textValue('localhost'))
        : first;
    const target =
      port === undefined || first.kind !== 'map' || first.entries.has('url')
        ? host
        : joinedTexts([host, textValue(':'), port]);
    for (const option of optionsOf(target))
      connect(call, option, method ?? knownText(first.kind === 'map' ? first.entries.get('method') : undefined));
    return instance('Response');
  };

/** `net.connect(port, host)` or with options. */
const connectsSocket: Handler = (call) => {
  const [first = UNKNOWN, second] = call.positional;
  const options = first.kind === 'map' ? first.entries : null;
  const path = options?.get('path') ?? (knownText(first)?.startsWith('/') === true ? first : undefined);
  if (path !== undefined) return instance('Socket');
  const host = options
    ? (options.get('host') ?? textValue('localhost'))
    : second !== undefined && second.kind !== 'function'
      ? second
      : textValue('localhost');
  const port = options ? options.get('port') : first;
  const target = port === undefined ? host : joinedTexts([host, textValue(':'), port]);
  call.host.frame.run.network(wordOf(target), { traits: ['upload'] });
  return instance('Response');
};

const listens: Handler = (call) => {
  const host = call.positional.find((value) => knownText(value) !== null && value.kind === 'text');
  return serves({
    ...call,
    positional: [],
    named: new Map([['host', host ?? optionOf(call, 'host') ?? textValue('127.0.0.1')]]),
  });
};

const database: Handler = (call) => {
  const path = valueAt(call, 0);
  if (knownText(path) !== ':memory:' && call.positional.length > 0)
    for (const word of call.host.path(path)) call.host.frame.run.read(word);
  return instance('SQLite', path);
};

const remoteDatabase: Handler = (call) => {
  const [first] = call.positional;
  const target =
    first?.kind === 'map'
      ? (first.entries.get('connectionString') ?? first.entries.get('host') ?? textValue('localhost'))
      : (first ?? textValue('localhost'));
  call.host.frame.run.network(wordOf(target), {});
  return instance('Postgres', target);
};

const homeFolder: Handler = (call) => textValue(call.host.frame.facts.home);

const joins: Handler = (call) => joinedPath(call.positional, false);

/** `path.resolve(a, b)`: an absolute part begins anew; `__dirname` and the folder that the code runs in are known as far as facts tell. */
const resolves: Handler = (call) => joinedPath(call.positional);

const folderName: Handler = (call) => {
  const word = wordOf(call.positional[0] ?? UNKNOWN);
  const at = word.text.lastIndexOf('/');
  return word.certainty === 'dynamic'
    ? unknownValue('folder')
    : wordValue({ ...word, text: at > 0 ? word.text.slice(0, at) : at === 0 ? '/' : '.' });
};

const printsAll: Handler = (call) => {
  for (const value of call.positional)
    if (value.kind === 'module' && value.name === 'process.env') call.host.items(value);
  return call.positional[0] ?? UNKNOWN;
};

const shellJs =
  (what: 'rm' | 'cp' | 'mv'): Handler =>
  (call) => {
    runProgram(call, [
      textValue(what),
      ...call.positional.flatMap((value) => (value.kind === 'list' ? value.items : [value])),
    ]);
    return UNKNOWN;
  };

/** Each function of `fs` goes by three names: with callback, `Sync`, and under `promises`. */
function fileSystem(rows: Readonly<Record<string, Handler>>): ReadonlyMap<string, Handler> {
  const found = new Map<string, Handler>();
  for (const [names, handler] of Object.entries(rows)) {
    for (const name of names.split(' '))
      for (const full of [`fs.${name}`, `fs.${name}Sync`, `fs.promises.${name}`]) found.set(full, handler);
  }
  return found;
}

const files = fileSystem({
  'unlink rimraf': deletes(0),
  'rm rmdir': removes,
  'remove emptyDir emptydir': deletes(0, 'recursive'),
  'writeFile outputFile writeJson writeJSON outputJson outputJSON': writes(0),
  appendFile: writes(0, 'append'),
  createWriteStream: writeStream,
  truncate: writes(0, 'overwrite'),
  open: opensFile,
  'mkdir mkdirp mkdirs ensureDir ensureFile createFile': makesFolder(0),
  'mkdtemp mkdtempDisposable': () =>
    wordValue({ text: '/tmp/tmp*', raw: '/tmp/tmp*', certainty: 'pattern', quoted: false }),
  'rename move': moves(0, 1),
  'copyFile cp copy': copiesAll,
  'symlink link ensureSymlink ensureLink': writes(1, 'create'),
  'chmod lchmod': changesMode,
  'chown lchown': writes(0, 'edit', 'grants-access'),
  'readFile readJson readJSON createReadStream readv': reads(0),
  'readdir opendir': listsFolder,
  glob: globs(0, 'paths'),
  'stat lstat access exists pathExists realpath watch watchFile utimes readlink': quiet,
});

const rows: Readonly<Record<string, Handler>> = {
  'rimraf rimraf.sync rimraf.rimraf rimraf.rimrafSync del del.sync del.deleteAsync del.deleteSync trash': deletes(
    0,
    'recursive',
  ),
  'glob.glob glob.globSync glob.sync glob fast-glob fast-glob.sync fast-glob.glob globby globby.globby globby.globbySync tinyglobby.glob tinyglobby.globSync':
    globs(0, 'paths'),
  'dotenv.config dotenv.configDotenv': (call) => {
    for (const word of call.host.path(optionOf(call, 'path') ?? textValue('.env'))) call.host.frame.run.read(word);
    return UNKNOWN;
  },
  'process.loadEnvFile': (call) => {
    for (const word of call.host.path(givenAt(call, 0) ?? textValue('.env'))) call.host.frame.run.read(word);
    return UNKNOWN;
  },
  'child_process.exec child_process.execSync promisify.exec execa.execaCommand execa.execaCommandSync execa.command shelljs.exec node-pty.spawn':
    shell(0),
  'child_process.spawn child_process.spawnSync child_process.execFile child_process.execFileSync cross-spawn cross-spawn.sync cross-spawn.spawn execa execa.execa execa.execaSync execa.sync tinyexec.x tinyexec.exec nano-spawn Bun.spawn Bun.spawnSync':
    spawns,
  'child_process.fork': forksScript,
  'worker_threads.Worker Worker': forksScript,
  '$ zx.$ execa.$ Bun.$ dax-sh.$ dax-sh': tagged,
  'shelljs.rm': shellJs('rm'),
  'shelljs.cp': shellJs('cp'),
  'shelljs.mv': shellJs('mv'),
  'shelljs.cd process.chdir zx.cd cd Deno.chdir': (call) => {
    call.host.folder = call.host.path(valueAt(call, 0))[0] ?? null;
    return UNKNOWN;
  },
  'process.kill': kills('process'),
  'process.setuid process.setgid process.seteuid process.setegid process.initgroups': privilege,
  'process.binding process._linkedBinding': (call) => {
    unseen(call);
    return instance('Binding');
  },
  'process.dlopen ffi-napi.Library bun:ffi.dlopen Deno.dlopen': unseen,
  'process.cwd Deno.cwd': (call) => {
    const folder =
      call.host.folder ?? (call.host.frame.terminal.cwd === null ? null : exactWord(call.host.frame.terminal.cwd));
    return folder === null ? unknownValue('cwd') : wordValue(folder);
  },
  'eval vm.runInThisContext vm.runInNewContext vm.runInContext vm.Script vm.compileFunction': evaluates(0),
  'Function Function.constructor AsyncFunction': makesFunction,
  'setTimeout setInterval setImmediate queueMicrotask process.nextTick': later,
  'Reflect.apply': applies,
  Proxy: same,
  'module.createRequire module.createRequireFromPath': () => moduleValue('require'),
  'require import module._load module.require process.getBuiltinModule': requires,
  'Buffer.from Buffer': buffer,
  'zlib.inflateSync zlib.inflateRawSync zlib.gunzipSync zlib.unzipSync zlib.brotliDecompressSync': (call) =>
    unknownValue('text', originOf(call.positional[0] ?? UNKNOWN) ?? 'decoded'),
  atob: decodes('base64'),
  'decodeURIComponent unescape decodeURI': decodes('url'),
  'String.fromCharCode String.fromCodePoint': (call) => joinedTexts(call.positional.map(characterOf)),
  'fetch node-fetch node-fetch.default undici.fetch undici.request undici.stream ky got got.stream superagent request request-promise axios axios.default axios.request needle ofetch.ofetch ofetch.$fetch $fetch':
    requestTo(null),
  'http.get https.get axios.get got.get superagent.get request.get ky.get needle.get axios.head': requestTo('GET'),
  'axios.post got.post superagent.post request.post ky.post needle.post axios.postForm': requestTo('POST'),
  'axios.put got.put superagent.put request.put ky.put needle.put': requestTo('PUT'),
  'axios.patch got.patch superagent.patch request.patch ky.patch': requestTo('PATCH'),
  'axios.delete got.delete superagent.delete superagent.del request.delete ky.delete needle.delete':
    requestTo('DELETE'),
  'http.request https.request http2.connect': requestTo(null),
  'axios.create got.extend ky.create': made('Client'),
  'net.connect net.createConnection tls.connect': connectsSocket,
  'net.Socket tls.TLSSocket': made('Socket'),
  'dgram.createSocket': made('Datagram'),
  'WebSocket ws ws.WebSocket EventSource socket.io-client socket.io-client.io navigator.sendBeacon Deno.connect': (
    call,
  ) =>
    knownText(call.positional[0]) === null && call.positional[0]?.kind === 'map'
      ? connectsSocket(call)
      : network(0, null)(call),
  'dns.lookup dns.resolve dns.resolve4 dns.resolveTxt dns.promises.lookup dns.promises.resolve': network(0, null),
  'nodemailer.createTransport': requestTo(null),
  'better-sqlite3 sqlite3.Database node:sqlite.DatabaseSync sqlite.DatabaseSync sqlite.open bun:sqlite.Database':
    database,
  'pg.Client pg.Pool mysql2.createConnection mysql2.createPool mysql.createConnection mongodb.MongoClient redis.createClient ioredis postgres':
    remoteDatabase,
  'puppeteer.launch playwright.chromium.launch chromium.launch': made('Browser'),
  'path.join path.posix.join path.win32.join': joins,
  'path.resolve path.posix.resolve': resolves,
  'path.normalize path.toNamespacedPath url.fileURLToPath url.pathToFileURL': same,
  'path.dirname path.posix.dirname': folderName,
  'path.basename': (call) => {
    const text = knownText(call.positional[0]);
    return text === null ? unknownValue('name') : textValue(text.replace(/^.*\//, ''));
  },
  'URL url.URL': (call) => {
    const [given = UNKNOWN, base] = call.positional;
    const text = base === undefined ? null : knownText(base);
    return text !== null && text.startsWith('/')
      ? joinedPath([folderName({ ...call, positional: [base ?? UNKNOWN] }), given])
      : given;
  },
  'os.homedir': homeFolder,
  'os.tmpdir Deno.makeTempDir Deno.makeTempDirSync': () => textValue('/tmp'),
  'os.hostname os.platform os.userInfo os.cpus os.networkInterfaces os.release os.arch os.type os.totalmem os.freemem os.EOL':
    quiet,
  'console.log console.error console.info console.warn console.dir console.table JSON.stringify String util.inspect Object.entries Object.values process.stdout.write':
    printsAll,
  'Object.keys Object.assign Object.fromEntries structuredClone Array.from Promise.all Promise.allSettled Promise.race Promise.resolve Array.of':
    (call) => call.positional[0] ?? UNKNOWN,
  'util.promisify': (call) => call.positional[0] ?? UNKNOWN,
  'Deno.remove Deno.removeSync': removes,
  'Deno.writeTextFile Deno.writeTextFileSync Deno.writeFile Deno.writeFileSync Deno.create Bun.write': (call) => {
    const [target] = call.positional;
    return writes(0)(target?.kind === 'instance' ? { ...call, positional: [target.about ?? UNKNOWN] } : call);
  },
  'Deno.readTextFile Deno.readTextFileSync Deno.readFile Deno.readFileSync': reads(0),
  'Deno.rename Deno.renameSync': moves(0, 1),
  'Deno.copyFile Deno.copyFileSync': copies(0, 1),
  'Deno.mkdir Deno.mkdirSync': makesFolder(0),
  'Deno.readDir Deno.readDirSync': lists(0, 'flat', 'names'),
  'Deno.Command Deno.run': (call) => {
    const words = optionOf(call, 'args') ?? optionOf(call, 'cmd');
    const [command = UNKNOWN] = call.positional;
    const list = words?.kind === 'list' ? words.items : [];
    runProgram(call, command.kind === 'map' ? list : [command, ...list], words?.kind === 'unknown');
    return started(listValue(command.kind === 'map' ? list : [command, ...list]));
  },
  'Deno.env.get': (call) => {
    const name = knownText(call.positional[0]);
    return name === null ? UNKNOWN : call.host.environment(name);
  },
  'Deno.env.toObject': (call) => {
    call.host.items(moduleValue('process.env'));
    return UNKNOWN;
  },
  'Bun.file': made('BunFile', 0),
  'Deno.exit process.exit process.on process.once process.hrtime process.memoryUsage process.uptime': quiet,
};

const methods: Readonly<Record<string, Handler>> = {
  'BunFile.text BunFile.json BunFile.arrayBuffer BunFile.stream': reads('self'),
  'BunFile.delete BunFile.unlink': deletes('self'),
  'Response.text Response.json Response.arrayBuffer Response.body Response.on Response.end Response.write Response.send Response.then':
    (call) => {
      for (const value of call.positional)
        if (value.kind === 'function') call.host.invoke(value, [unknownValue('data', 'network')]);
      return unknownValue('data', 'network');
    },
  'Process.kill Process.terminate': quiet,
  'Process.write Process.end Process.send': feeds,
  'Binding.spawn': (call) => {
    const file = optionOf(call, 'file');
    const args = optionOf(call, 'args');
    runProgram(call, [file ?? UNKNOWN, ...(args?.kind === 'list' ? args.items.slice(1) : [UNKNOWN])]);
    return UNKNOWN;
  },
  'Socket.connect': connectsSocket,
  'Datagram.send': (call) => {
    const texts = call.positional.filter(
      (value) => value.kind === 'text' || value.kind === 'number' || value.kind === 'unknown',
    );
    call.host.frame.run.network(wordOf(texts.at(-1) ?? UNKNOWN), { traits: ['upload'] });
    return UNKNOWN;
  },
  'Client.get Client.head': requestTo('GET'),
  'Client.post': requestTo('POST'),
  'Client.put': requestTo('PUT'),
  'Client.patch': requestTo('PATCH'),
  'Client.delete': requestTo('DELETE'),
  'SQLite.exec SQLite.run SQLite.prepare SQLite.query SQLite.get SQLite.all': sqlCommand('sqlite'),
  'Postgres.query Postgres.execute': sqlCommand('postgres'),
  '*.listen': listens,
  '*.goto *.setInputFiles': network(0, 'GET'),
  '*.open': (call) => {
    const url = knownText(call.positional[1]);
    if (url !== null && /^https?:/i.test(url)) connect(call, textValue(url), knownText(call.positional[0]));
    return UNKNOWN;
  },
  '*.query *.execute *.raw *.$queryRawUnsafe *.$executeRawUnsafe': sqlCommand(null),
  '*.constructor': (call) =>
    call.positional.length > 0 ? evaluates(call.positional.length - 1)(call) : moduleValue('Function'),
};

const BUILT_IN =
  'assert async_hooks buffer child_process cluster console constants crypto dgram diagnostics_channel dns domain events fs http http2 https inspector module net os path perf_hooks process punycode querystring readline repl sqlite stream string_decoder sys test timers tls trace_events tty url util v8 vm wasi worker_threads zlib bun Deno Bun globalThis window document navigator JSON Math Object Array String Number Boolean Date RegExp Promise Map Set WeakMap Symbol Reflect Proxy Intl Buffer URL URLSearchParams AbortController TextEncoder TextDecoder performance Error Function exports this'.split(
    ' ',
  );

const POPULAR =
  'lodash underscore ramda chalk picocolors kleur colors commander yargs minimist cac ora inquirer prompts debug semver uuid nanoid dayjs date-fns moment luxon zod joi ajv yup yaml js-yaml toml ini json5 jsonc-parser fs-extra graceful-fs glob fast-glob globby tinyglobby minimatch picomatch micromatch ignore rimraf del trash mkdirp tmp tempy execa cross-spawn tinyexec nano-spawn zx shelljs dax-sh node-fetch undici axios got ky superagent request request-promise needle ofetch ws socket.io socket.io-client express koa fastify hono cors body-parser helmet typescript esbuild vite rollup webpack postcss autoprefixer tailwindcss sass less terser prettier eslint vitest jest mocha chai sinon ava tap playwright puppeteer cheerio jsdom marked markdown-it remark unified gray-matter react react-dom vue svelte next nuxt astro solid-js preact rxjs immer redux zustand graphql dotenv cross-env concurrently nodemailer pg mysql mysql2 mongodb redis ioredis postgres sqlite3 better-sqlite3 prisma drizzle-orm knex sequelize typeorm mongoose sharp jimp canvas three d3 csv-parse papaparse xlsx archiver tar adm-zip unzipper open which acorn esprima estree-walker magic-string recast jscodeshift ts-node tsx node-pty web-tree-sitter tree-sitter fast-check'.split(
    ' ',
  );

const KNOWN = new Set([...BUILT_IN, ...POPULAR]);

const ALIASES: ReadonlyMap<string, string> = new Map([
  ['fs/promises', 'fs'],
  ['fs-extra', 'fs'],
  ['fs-extra/esm', 'fs'],
  ['graceful-fs', 'fs'],
  ['node:fs/promises', 'fs'],
  ['path/posix', 'path'],
  ['dns/promises', 'dns'],
  ['timers/promises', 'timers'],
  ['mysql2/promise', 'mysql2'],
  ['globalThis', ''],
]);

/** The platform of Node.js, Deno and Bun, and the packages that agents use. Source: Node.js 20 API. */
export const javascriptLibrary: Library = {
  functions: new Map([...files, ...table(rows)]),
  methods: table(methods),
  modules: javascriptModules,
  canonical: (module) => {
    const plain = module.replace(/^(?:node|npm|jsr):/, '').replace(/^((?:@[^/@]+\/)?[^/@]+)@[^/]+/, '$1');
    return ALIASES.get(plain) ?? plain;
  },
  isKnown: (module) =>
    module === '' ||
    /\.(?:json|css|svg|png)$/.test(module) ||
    KNOWN.has(module.split(/[/.]/)[0] ?? '') ||
    KNOWN.has(module),
  loadsByItself: false,
  membersAreCalls: false,
  isShared: () => false,
  fills: new Map(),
  constant,
};

function constant(name: string, host: Host): Value | null {
  const variable = /^(?:process|Bun|import\.meta)\.env\.(\w+)$/.exec(name);
  if (variable) return host.environment(variable[1] ?? '');
  switch (name) {
    case 'process.argv':
      return listValue(
        [
          textValue('node'),
          ...(host.positional.length > 0
            ? host.positional.map(wordValue)
            : [unknownValue('script'), unknownValue('argument')]),
        ],
        true,
      );
    case 'Deno.args':
    case 'Bun.argv':
      return listValue([unknownValue('argument')], true);
    case '__filename':
    case 'import.meta.filename':
    case 'import.meta.url':
    case 'import.meta.path':
      return host.file === null ? unknownValue('file') : textValue(host.file);
    case '__dirname':
    case 'import.meta.dirname':
    case 'import.meta.dir':
      return host.file === null ? folderOf(host) : textValue(host.file.replace(/\/[^/]*$/, ''));
    case 'path.sep':
      return textValue('/');
    case 'globalThis':
    case 'global':
    case 'window':
    case 'self':
      return moduleValue('');
    case 'fs.promises':
      return moduleValue('fs');
    case 'process.mainModule.require':
      return moduleValue('require');
    case 'this':
      return instance('self');
    default:
      return null;
  }
}

const folderOf = (host: Host): Value => {
  const { cwd } = host.frame.terminal;
  return cwd === null ? unknownValue('folder') : textValue(cwd);
};
