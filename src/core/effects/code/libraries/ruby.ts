import { setsEnvironment } from '../environment.js';
import { decoded, shellWords } from '../texts.js';
import {
  connect,
  copies,
  deletes,
  evaluates,
  feeds,
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
  readPath,
  reads,
  runProgram,
  runShell,
  same,
  serves,
  sqlCommand,
  started,
  table,
  unseen,
  valueAt,
  writePath,
  writes,
} from '../handlers.js';
import { joinedPath } from '../interpreter.js';
import type { Handler, Host, Library } from '../library.js';
import {
  instance,
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

/** `system "line"` runs a shell, `system "word", "word"` a program. */
const runs: Handler = (call) => {
  const given = call.positional.filter(({ kind }) => kind !== 'map' && kind !== 'function');
  // `IO.popen(command, mode)`: the second word says how the pipe is opened, and the words are one list.
  const words = call.name === 'IO.popen' ? given.slice(0, 1).flatMap(wordsOf) : given;
  if (words.length > 1 || given[0]?.kind === 'list') runProgram(call, words);
  else if (words[0]) runShell(call, words[0]);
  return started(words.length === 1 && given[0]?.kind !== 'list' ? (words[0] ?? UNKNOWN) : listValue(words));
};

const wordsOf = (value: Value): readonly Value[] => (value.kind === 'list' ? value.items : [value]);

/** `open('| command')` runs it; `open('https://…')` fetches it. */
const opens: Handler = (call) => {
  const [path = UNKNOWN, given] = call.positional;
  for (const option of optionsOf(path)) {
    const { text } = wordOf(option);
    if (text.startsWith('|')) {
      runShell(call, textValue(text.slice(1)));
      continue;
    }
    if (/^https?:/i.test(text)) {
      connect(call, option, 'GET');
      return unknownValue('content', 'network');
    }
    const mode = given === undefined || given.kind === 'function' ? 'r' : (knownText(given) ?? 'r+');
    for (const word of call.host.path(option)) {
      if (/r/.test(mode)) readPath(call, word);
      if (/w/.test(mode)) writePath(call, word);
      else if (/a/.test(mode)) call.host.frame.run.write(word, { traits: ['append'] });
      else if (/\+/.test(mode)) call.host.frame.run.write(word, { traits: ['edit'] });
    }
  }
  return instance('File', path);
};

const requires: Handler = (call) => {
  const name = knownText(call.positional[0]);
  if (name === null) return unseen(call);
  if (call.name !== 'require') {
    const path = textValue(/\.rb$/.test(name) ? name : `${name}.rb`);
    const folder = call.name === 'require_relative' ? call.host.file?.replace(/\/[^/]*$/, '') : undefined;
    const found = folder === undefined ? path : joinedPath([textValue(folder), path]);
    for (const word of call.host.path(found)) call.host.include(word);
    return UNKNOWN;
  }
  return call.host.module(name);
};

const reading = (method: string | null): Handler => network(0, method);

const expands: Handler = (call) => {
  const text = knownText(call.positional[0]);
  if (text !== null && /^~(?=\/|$)/.test(text)) return textValue(call.host.frame.facts.home + text.slice(1));
  const base = call.positional[1];
  return base === undefined ? (call.positional[0] ?? UNKNOWN) : joinedPath([base, call.positional[0] ?? UNKNOWN]);
};

const sends: Handler = (call) => {
  const name = knownText(call.positional[0]);
  const { receiver } = call;
  if (name === null || receiver === null) return unseen(call);
  const target = methodNamed(receiver, name);
  return /method$/.test(call.name) ? target : call.host.invoke(target, call.positional.slice(1));
};

/** A method of a value or of a module; `send` and `method` are the last part of the module's name then. */
function methodNamed(receiver: Value, name: string): Value {
  if (receiver.kind !== 'module')
    return receiver.kind === 'instance' ? { kind: 'bound', receiver, name } : moduleValue(name);
  const owner = receiver.name.replace(/(?:^|\.)(?:send|public_send|__send__|method|public_method)$/, '');
  return moduleValue(owner === '' ? name : `${owner}.${name}`);
}

/** `Object.const_get("FileUtils")`, `"FileUtils".constantize`. */
const constantNamed: Handler = (call) => {
  const name = knownText(call.positional[0]) ?? knownText(call.receiver ?? undefined);
  return name === null ? unseen(call) : moduleValue(name.replaceAll('::', '.'));
};

const changesFolder: Handler = (call) => {
  const before = call.host.folder;
  call.host.folder = call.host.path(valueAt(call, 0))[0] ?? null;
  const block = call.positional.find(({ kind }) => kind === 'function');
  if (block) {
    call.host.invoke(block, []);
    call.host.folder = before;
  }
  return UNKNOWN;
};

const rows: Readonly<Record<string, Handler>> = {
  'system exec spawn Kernel.system Kernel.exec Kernel.spawn Process.spawn IO.popen Open3.capture2 Open3.capture3 Open3.capture2e Open3.popen3 Open3.popen2 Open3.popen2e PTY.spawn sh':
    runs,
  'eval instance_eval class_eval module_eval Kernel.eval': evaluates(0),
  'require require_relative load autoload': requires,
  'File.delete File.unlink Dir.delete Dir.rmdir Dir.unlink FileUtils.rm FileUtils.rm_f FileUtils.remove FileUtils.remove_file FileUtils.rmdir FileUtils.safe_unlink rm rm_f':
    deletes(0),
  'FileUtils.rm_r FileUtils.rm_rf FileUtils.rmtree FileUtils.remove_dir FileUtils.remove_entry FileUtils.remove_entry_secure rm_rf rm_r':
    deletes(0, 'recursive'),
  'File.write IO.write File.binwrite IO.binwrite File.truncate FileUtils.touch': writes(0),
  'File.rename FileUtils.mv FileUtils.move mv': moves(0, 1),
  'FileUtils.cp FileUtils.copy FileUtils.copy_file FileUtils.install IO.copy_stream': copies(0, 1),
  'FileUtils.cp_r FileUtils.copy_entry': copies(0, 1, 'recursive'),
  'File.symlink File.link FileUtils.ln FileUtils.ln_s': writes(1, 'create'),
  'FileUtils.ln_sf': writes(1),
  'FileUtils.mkdir FileUtils.mkdir_p FileUtils.makedirs Dir.mkdir mkdir_p': makesFolder(0),
  'File.chmod FileUtils.chmod FileUtils.chmod_R': writes(1, 'edit', 'grants-access'),
  'FileUtils.chown FileUtils.chown_R': writes(2, 'edit', 'grants-access'),
  'File.read IO.read File.readlines IO.readlines File.foreach IO.foreach File.binread YAML.load_file JSON.load_file CSV.read CSV.foreach':
    reads(0),
  'open File.open File.new Kernel.open URI.open IO.open': opens,
  'Dir.entries Dir.children Dir.each_child Dir.foreach Dir.new Dir.open Find.find': lists(0, 'flat', 'names'),
  'Dir.glob Dir.[] Pathname.glob': globs(0, 'paths'),
  'Dir.chdir FileUtils.cd FileUtils.chdir': changesFolder,
  'Dir.home': (call) => textValue(call.host.frame.facts.home),
  'Dir.pwd Dir.getwd': (call) =>
    call.host.frame.terminal.cwd === null ? UNKNOWN : textValue(call.host.frame.terminal.cwd),
  'Dir.tmpdir Dir.mktmpdir Tempfile.new Tempfile.create': () =>
    wordValue({ text: '/tmp/tmp*', raw: '/tmp/tmp*', certainty: 'pattern', quoted: false }),
  'File.join': (call) => joinedPath(call.positional, false),
  'File.expand_path File.absolute_path File.realpath': expands,
  'File.dirname': (call) => {
    const word = wordOf(call.positional[0] ?? UNKNOWN);
    const at = word.text.lastIndexOf('/');
    return word.certainty === 'dynamic'
      ? unknownValue('folder')
      : wordValue({ ...word, text: at > 0 ? word.text.slice(0, at) : '.' });
  },
  'Pathname.new Pathname': made('Path', 0),
  'Pathname.pwd': (call) =>
    instance('Path', call.host.frame.terminal.cwd === null ? UNKNOWN : textValue(call.host.frame.terminal.cwd)),
  'method public_method': (call) => {
    const name = knownText(call.positional[0]);
    return name === null ? UNKNOWN : moduleValue(name);
  },
  'send public_send __send__': (call) => {
    const name = knownText(call.positional[0]);
    return name === null ? unseen(call) : call.host.invoke(moduleValue(name), call.positional.slice(1));
  },
  'Object.const_get Kernel.const_get Module.const_get': constantNamed,
  'Shellwords.split Shellwords.shellsplit Shellwords.shellwords': (call) => {
    const text = knownText(call.positional[0]);
    return text === null ? UNKNOWN : listValue(shellWords(text).map(textValue));
  },
  'Zlib.inflate Zlib.gunzip Zlib.Inflate.inflate': (call) =>
    unknownValue('text', originOf(call.positional[0] ?? UNKNOWN) ?? 'decoded'),
  'URI URI.parse URI.join': same,
  'Net.HTTP.get Net.HTTP.get_response Net.HTTP.get_print HTTParty.get Faraday.get RestClient.get Excon.get HTTP.get URI.open':
    reading('GET'),
  'Net.HTTP.post Net.HTTP.post_form HTTParty.post Faraday.post RestClient.post Excon.post HTTP.post': reading('POST'),
  'HTTParty.put RestClient.put HTTP.put': reading('PUT'),
  'HTTParty.delete RestClient.delete HTTP.delete': reading('DELETE'),
  'Net.HTTP.start Net.HTTP.new Net.FTP.open Net.FTP.new Net.SMTP.start Net.SSH.start TCPSocket.new TCPSocket.open TCPSocket Socket.tcp UDPSocket.new Resolv.getaddress':
    (call) => {
      const [host = UNKNOWN] = call.positional;
      call.host.frame.run.network(wordOf(host), { traits: /Socket|tcp/.test(call.name) ? ['upload'] : [] });
      return instance('Response');
    },
  'TCPServer.new TCPServer.open WEBrick.HTTPServer.new': serves,
  'Process.kill': (call) => kills('process')({ ...call, positional: call.positional.slice(1) }),
  'Process.setuid Process.UID.change_privilege Process.Sys.setuid': privilege,
  'Marshal.load Marshal.restore YAML.unsafe_load Fiddle.dlopen': unseen,
  'YAML.load Psych.load JSON.parse YAML.safe_load JSON.load': quiet,
  'Base64.decode64 Base64.strict_decode64 Base64.urlsafe_decode64': (call) => {
    const text = knownText(call.positional[0]);
    return text === null ? unknownValue('text', originOf(call.positional[0] ?? UNKNOWN)) : decoded(text, 'base64');
  },
  'ENV.store ENV.update ENV.merge!': setsEnvironment,
  'ENV.fetch ENV.dig': (call) => {
    const name = knownText(call.positional[0]);
    return name === null ? UNKNOWN : call.host.environment(name);
  },
  'ENV.to_h ENV.to_a ENV.inspect ENV.each ENV.to_hash ENV.map ENV.each_pair ENV.values': (call) => {
    call.host.items(moduleValue('process.env'));
    return UNKNOWN;
  },
  'puts p print pp printf warn': (call) => {
    for (const value of call.positional)
      if (value.kind === 'module' && value.name === 'ENV') call.host.items(moduleValue('process.env'));
    return UNKNOWN;
  },
  'gets STDIN.read STDIN.gets $stdin.read ARGF.read': () => unknownValue('input', 'input'),
  'SQLite3.Database.new SQLite3.Database': (call) => {
    const path = valueAt(call, 0);
    if (knownText(path) !== ':memory:') for (const word of call.host.path(path)) call.host.frame.run.read(word);
    return instance('SQLite', path);
  },
  'PG.connect PG.Connection.new Mysql2.Client.new Sequel.connect': (call) => {
    call.host.frame.run.network(wordOf(optionOf(call, 'host') ?? call.positional[0] ?? textValue('localhost')), {});
    return instance('Database');
  },
};

const methods: Readonly<Record<string, Handler>> = {
  'SQLite.execute SQLite.execute_batch SQLite.query': sqlCommand('sqlite'),
  'Database.exec Database.query Database.exec_params': sqlCommand(null),
  '*.execute *.exec_query': sqlCommand(null),
  '*.send *.public_send *.__send__ *.method': sends,
  '*.rmtree *.delete_recursively': deletes('self', 'recursive'),
  '*.constantize *.safe_constantize': constantNamed,
  '*.instance_eval *.class_eval': evaluates(0),
  'Process.puts Process.write Process.print Process.<< Process.syswrite': feeds,
  'Path.delete Path.unlink Path.rmdir': deletes('self'),
  'Path.rmtree': deletes('self', 'recursive'),
  'Path.write Path.binwrite': writes('self'),
  'Path.truncate': writes('self', 'overwrite'),
  'Path.read Path.readlines Path.binread Path.each_line': reads('self'),
  'Path.mkpath Path.mkdir': makesFolder('self'),
  'Path.rename': moves('self', 0),
  'Path.children Path.each_child Path.entries Path.each_entry': lists('self', 'flat', 'Path'),
  'Path.find': lists('self', 'deep', 'Path'),
  'Path.glob': globs(0, 'Path', 'self'),
  'Path.join': (call) => instance('Path', joinedPath([call.receiver ?? UNKNOWN, ...call.positional])),
  'Path.dirname': (call) => call.receiver ?? UNKNOWN,
  'Path.expand_path Path.realpath Path.cleanpath Path.to_s Path.to_path Path.to_str': same,
  'Response.post Response.request Response.write Response.puts Response.print': (call) => call.receiver ?? UNKNOWN,
};

const KNOWN = new Set(
  'abbrev base64 benchmark bigdecimal cgi csv date delegate digest drb English erb etc expect fiddle fileutils find forwardable getoptlong io/console io/wait ipaddr irb json logger matrix minitest monitor net/http net/https net/ftp net/smtp net/ssh net/imap nkf objspace observer open-uri open3 openssl optparse ostruct pathname pp prettyprint prime pstore psych pty racc rake rdoc readline reline resolv rexml ripper rubygems securerandom set shellwords singleton socket stringio strscan syslog tempfile time timeout tmpdir tsort un uri weakref win32ole yaml zlib bundler bundler/setup rspec test/unit rails active_support nokogiri httparty faraday rest-client sinatra rack thor pry byebug sqlite3 pg mysql2 redis sequel activerecord active_record dotenv octokit colorize tty-prompt'.split(
    ' ',
  ),
);
const CONSTANTS =
  /^(?:\$\w+|[A-Z]\w*|File|Dir|IO|ENV|Process|Kernel|FileUtils|Net|URI|Open3|JSON|YAML|Marshal|Base64|STDIN|STDOUT|STDERR)(?:\.|$)/;

/** Ruby's core and standard library, and gems that agents use. Source: ruby-doc.org, Ruby 3.3. */
export const rubyLibrary: Library = {
  functions: table(rows),
  methods: table(methods),
  modules: null,
  canonical: (module) => module,
  isKnown: (module) => module === '' || KNOWN.has(module) || CONSTANTS.test(module),
  loadsByItself: true,
  membersAreCalls: true,
  isShared: (name) => /^[@$]/.test(name),
  fills: new Map(),
  constant,
};

function constant(name: string, host: Host): Value | null {
  switch (name) {
    case 'ARGV':
    case '$ARGV':
      return listValue(host.positional.length > 0 ? host.positional.map(wordValue) : [unknownValue('argument')], true);
    case '__FILE__':
    case '$0':
    case '$PROGRAM_NAME':
      return host.file === null ? UNKNOWN : textValue(host.file);
    case '__dir__':
      return host.file === null
        ? host.frame.terminal.cwd === null
          ? UNKNOWN
          : textValue(host.frame.terminal.cwd)
        : textValue(host.file.replace(/\/[^/]*$/, ''));
    case 'self':
      return instance('self');
    case 'Dir.home':
      return textValue(host.frame.facts.home);
    default:
      return null;
  }
}
