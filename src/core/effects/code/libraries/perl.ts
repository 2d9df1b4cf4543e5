import { decoded, formattedText } from '../texts.js';
import {
  connect,
  copies,
  deletes,
  evaluates,
  feeds,
  globs,
  kills,
  lists,
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

/** `system "line"` runs a shell, `system "word", "word"` a program. */
const runs: Handler = (call) => {
  const words = call.positional.flatMap((value) => (value.kind === 'list' ? value.items : [value]));
  if (words.length > 1) runProgram(call, words);
  else if (words[0]) runShell(call, words[0]);
  return started(words.length === 1 ? (words[0] ?? UNKNOWN) : listValue(words));
};

/** `open($fh, '>', $path)`, `open($fh, '-|', @command)`, and the old `open(FH, ">$path")`, `open(FH, "command |")`. */
const opens: Handler = (call) => {
  const [, second = UNKNOWN, third] = call.positional;
  const mode = knownText(second)?.trim() ?? '';
  if (third !== undefined && /^(?:-\||\|-)/.test(mode)) return runs({ ...call, positional: call.positional.slice(2) });
  if (third !== undefined) {
    openAs(call, mode, third);
    return UNKNOWN;
  }
  for (const option of optionsOf(second)) {
    const word = wordOf(option);
    const text = word.text.trim();
    const sign = /^(?:\+?[<>]{1,2}|\|)/.exec(text)?.[0] ?? '';
    const isPipe = text.length > sign.length && text.endsWith('|');
    const value = wordValue({ ...word, text: text.slice(sign.length, isPipe ? -1 : undefined).trim() });
    if (sign === '|' || isPipe) runShell(call, value);
    else openAs(call, sign, value);
  }
  return UNKNOWN;
};

function openAs(call: Parameters<Handler>[0], mode: string, path: Value): void {
  for (const word of call.host.path(path)) {
    if (mode.startsWith('+<')) call.host.frame.run.write(word, { traits: ['edit'] });
    else if (mode.includes('>>')) call.host.frame.run.write(word, { traits: ['append'] });
    else if (mode.includes('>')) writePath(call, word);
    else readPath(call, word);
  }
}

/** `unlink @list`, `unlink 'a', 'b'`, and `$_` when nothing is given. */
const unlinks: Handler = (call) => {
  const values = call.positional.length > 0 ? call.positional : [UNKNOWN];
  for (const value of values) deletes(0)({ ...call, positional: [value] });
  return UNKNOWN;
};

const removesTree: Handler = (call) => {
  for (const value of call.positional)
    if (value.kind !== 'map') deletes(0, 'recursive')({ ...call, positional: [value] });
  return UNKNOWN;
};

const requires: Handler = (call) => {
  const name = knownText(call.positional[0]);
  if (name === null) return UNKNOWN;
  for (const word of call.host.path(textValue(name))) call.host.include(word);
  return UNKNOWN;
};

const requestVia =
  (method: string | null): Handler =>
  (call) => {
    const url =
      call.positional.find((value) => /^(?:https?|ftp):/i.test(wordOf(value).text) || value.kind === 'unknown') ??
      UNKNOWN;
    connect(call, url, method);
    return instance('Response');
  };

const storesPage: Handler = (call) => {
  connect(call, valueAt(call, 0), 'GET');
  for (const word of call.host.path(valueAt(call, 1))) call.host.frame.run.write(word, { traits: ['download'] });
  return UNKNOWN;
};

const changesMode: Handler = (call) => {
  const [mode, ...files] = call.positional;
  const opens = mode?.kind !== 'number' || (mode.value & 0o6002) !== 0;
  for (const file of files)
    writes(0, ...(opens ? (['edit', 'grants-access'] as const) : (['edit'] as const)))({ ...call, positional: [file] });
  return UNKNOWN;
};

const database: Handler = (call) => {
  const dsn = knownText(call.positional[0]) ?? knownText(call.positional[1]) ?? '';
  const file = /^dbi:SQLite:(?:dbname=)?([^;]+)/i.exec(dsn)?.[1];
  if (file !== undefined) {
    for (const word of call.host.path(textValue(file))) call.host.frame.run.read(word);
    return instance('SQLite', textValue(file));
  }
  call.host.frame.run.network(wordOf(textValue(/host=([^;]+)/.exec(dsn)?.[1] ?? 'localhost')), {});
  return instance('Database');
};

/** A name that the library chooses in the folder for temporary files. */
const TEMPORARY = wordValue({ text: '/tmp/tmp*', raw: '/tmp/tmp*', certainty: 'pattern', quoted: false });

const rows: Readonly<Record<string, Handler>> = {
  'system exec': runs,
  open: opens,
  'unlink rmdir': unlinks,
  'rmtree remove_tree File::Path::rmtree File::Path::remove_tree': removesTree,
  'mkdir mkpath make_path File::Path::mkpath File::Path::make_path': makesFolder(0),
  'rename move File::Copy::move mv': moves(0, 1),
  'copy File::Copy::copy cp': copies(0, 1),
  'symlink link': writes(1, 'create'),
  'truncate sysopen': writes(0),
  chmod: changesMode,
  chown: (call) => writes(2, 'edit', 'grants-access')(call),
  opendir: (call) => lists(0, 'flat', 'names')({ ...call, positional: call.positional.slice(1) }),
  'find File::Find::find finddepth': (call) => {
    const folders = call.positional.slice(1);
    for (const value of folders) lists(0, 'deep', 'paths')({ ...call, positional: [value] });
    return UNKNOWN;
  },
  glob: (call) => {
    const text = knownText(call.positional[0]);
    const path =
      text !== null && /^~(?=\/|$)/.test(text) ? textValue(call.host.frame.facts.home + text.slice(1)) : null;
    return globs(0, 'paths')(path === null ? call : { ...call, positional: [path] });
  },
  sprintf: (call) => formattedText(call.positional),
  'slurp read_file File::Slurp::read_file read_text': reads(0),
  'spew write_file File::Slurp::write_file write_text': writes(0),
  append_file: writes(0, 'append'),
  eval: evaluates(0),
  'do require': requires,
  chdir: (call) => {
    call.host.folder = call.host.path(valueAt(call, 0))[0] ?? null;
    return UNKNOWN;
  },
  kill: (call) => kills('process')({ ...call, positional: call.positional.slice(1) }),
  'fork wait waitpid sleep exit die printf push pop shift unshift splice keys values each length substr index lc uc defined exists delete sort':
    quiet,
  'print say warn': (call) => {
    for (const value of call.positional)
      if (value.kind === 'module' && value.name === 'ENV') call.host.items(moduleValue('process.env'));
    return UNKNOWN;
  },
  'decode_base64 MIME::Base64::decode_base64': (call) => {
    const text = knownText(call.positional[0]);
    return text === null
      ? unknownValue('text', originOf(call.positional[0] ?? UNKNOWN) ?? 'decoded')
      : decoded(text, 'base64');
  },
  pack: (call) => {
    const form = knownText(call.positional[0]) ?? '';
    const text = knownText(call.positional[1]);
    if (/^H/.test(form) && text !== null) return decoded(text, 'hex');
    return /^[CcUW]\*$/.test(form)
      ? joinedTexts(
          call.positional
            .slice(1)
            .map((value) => (value.kind === 'number' ? textValue(String.fromCharCode(value.value & 0xffff)) : UNKNOWN)),
        )
      : unknownValue('text');
  },
  unpack: (call) => {
    const text = knownText(call.positional[1]);
    return text !== null && knownText(call.positional[0]) === 'u' ? unknownValue('text', 'decoded') : UNKNOWN;
  },
  chr: (call) =>
    call.positional[0]?.kind === 'number' ? textValue(String.fromCharCode(call.positional[0].value & 0xffff)) : UNKNOWN,
  join: (call) => {
    const [glue, ...rest] = call.positional;
    const items = rest.flatMap((value) => (value.kind === 'list' ? value.items : [value]));
    return joinedTexts(items, knownText(glue) ?? '');
  },
  reverse: (call) => {
    const text = knownText(call.positional[0]);
    return text === null ? UNKNOWN : textValue([...text].reverse().join(''));
  },
  'get getprint LWP::Simple::get HTTP::Tiny.get': requestVia('GET'),
  'getstore mirror LWP::Simple::getstore': storesPage,
  'LWP::UserAgent.new HTTP::Tiny.new LWP::UserAgent->new Mojo::UserAgent.new WWW::Mechanize.new': () =>
    instance('Agent'),
  'IO::Socket::INET.new IO::Socket::SSL.new IO::Socket.new IO::Socket::IP.new Net::FTP.new Net::SMTP.new Net::SSH.new':
    (call) => {
      const host = optionOf(call, 'PeerAddr') ?? optionOf(call, 'PeerHost') ?? call.positional[0] ?? UNKNOWN;
      const port = optionOf(call, 'PeerPort');
      call.host.frame.run.network(wordOf(port === null ? host : joinedTexts([host, textValue(':'), port])), {
        traits: ['upload'],
      });
      return instance('Response');
    },
  'gethostbyname inet_aton': network(0, null),
  connect: (call) => {
    const target = call.positional[1] ?? UNKNOWN;
    call.host.frame.run.network(wordOf(target.kind === 'list' ? (target.items[1] ?? UNKNOWN) : target), {
      traits: ['upload'],
    });
    return UNKNOWN;
  },
  'sockaddr_in pack_sockaddr_in': (call) => listValue(call.positional),
  'POSIX::setuid setuid': privilege,
  'DBI.connect': database,
  'Storable::retrieve retrieve thaw Storable::thaw': unseen,
  syscall: unseen,
  'catfile catdir File::Spec.catfile File::Spec.catdir': (call) => joinedPath(call.positional, false),
  'dirname File::Basename::dirname': (call) => {
    const word = wordOf(call.positional[0] ?? UNKNOWN);
    const at = word.text.lastIndexOf('/');
    return word.certainty === 'dynamic'
      ? unknownValue('folder')
      : wordValue({ ...word, text: at > 0 ? word.text.slice(0, at) : '.' });
  },
  readline: () => unknownValue('line', 'input'),
  'getcwd cwd Cwd::getcwd Cwd::cwd': (call) =>
    call.host.frame.terminal.cwd === null ? UNKNOWN : textValue(call.host.frame.terminal.cwd),
  'tempdir File::Temp.new File::Temp::tempdir': () => TEMPORARY,
  'tempfile File::Temp::tempfile': () => listValue([instance('File', TEMPORARY), TEMPORARY]),
};

const methods: Readonly<Record<string, Handler>> = {
  'Process.print Process.printf Process.say': feeds,
  'Agent.get Agent.head': requestVia('GET'),
  'Agent.post Agent.post_form': requestVia('POST'),
  'Agent.put': requestVia('PUT'),
  'Agent.delete': requestVia('DELETE'),
  'Agent.request': requestVia(null),
  'Agent.mirror': storesPage,
  'SQLite.do SQLite.prepare SQLite.selectall_arrayref': sqlCommand('sqlite'),
  'Database.do Database.prepare': sqlCommand(null),
  '*.do *.prepare': sqlCommand(null),
  '*.remove *.remove_tree': (call) => {
    call.host.frame.run.delete(wordOf(call.receiver ?? UNKNOWN), { traits: ['recursive'] });
    return UNKNOWN;
  },
};

const KNOWN =
  /^(?:strict|warnings|utf8|feature|lib|vars|constant|parent|base|integer|bytes|open|autodie|English|Carp|Cwd|Config|Data::Dumper|DateTime|Digest::.*|Encode.*|Env|Errno|Exporter|Fcntl|File::.*|FindBin|Getopt::.*|Hash::Util|HTTP::.*|IO(?:::.*)?|IPC::.*|JSON(?:::.*)?|List::.*|LWP(?:::.*)?|Math::.*|MIME::.*|Mojo(?:::.*)?|Net::.*|Path::Tiny|Pod::.*|POSIX|Scalar::.*|Socket|Storable|Sys::.*|Term::.*|Test::.*|Text::.*|Tie::.*|Time::.*|Time::HiRes|Unicode::.*|URI(?:::.*)?|WWW::.*|XML::.*|YAML(?:::.*)?|DBI|DBD::.*|Moose|Moo|Try::Tiny|[$@%].*)$/;

/** Perl's own functions and the modules that come with it. Source: perlfunc and perlmodlib of Perl 5.38. */
export const perlLibrary: Library = {
  functions: table(rows),
  methods: table(methods),
  modules: null,
  canonical: (module) => module,
  isKnown: (module) => module === '' || KNOWN.test(module.replace(/\.[a-z]\w*$/, '')),
  loadsByItself: false,
  membersAreCalls: false,
  isShared: () => false,
  fills: new Map([['open', 0]]),
  constant,
};

function constant(name: string, host: Host): Value | null {
  switch (name) {
    case '@ARGV':
    case '$ARGV':
      return listValue(host.positional.length > 0 ? host.positional.map(wordValue) : [unknownValue('argument')], true);
    case '%ENV':
    case '$ENV':
      return moduleValue('ENV');
    case '$0':
    case '__FILE__':
      return host.file === null ? UNKNOWN : textValue(host.file);
    case '$_':
    case '@_':
      return null;
    default:
      return null;
  }
}
