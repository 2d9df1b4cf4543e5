import { putsVariable } from '../environment.js';
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
  readsEnvironment,
  runProgram,
  runShell,
  serves,
  shell,
  sqlCommand,
  started,
  table,
  unseen,
  valueAt,
  writes,
} from '../handlers.js';
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

/** A name that PHP opens may be a URL. */
function readsAny(place: number): Handler {
  return (call) => {
    for (const option of optionsOf(valueAt(call, place))) {
      const { text } = wordOf(option);
      if (/^(?:https?|ftp):/i.test(text)) {
        connect(call, option, 'GET');
        return unknownValue('content', 'network');
      }
      if (/^php:\/\/(?:stdin|input)/i.test(text)) return unknownValue('input', 'input');
      for (const word of call.host.path(option)) readPath(call, word);
    }
    return unknownValue('content');
  };
}

const opens: Handler = (call) => {
  const mode = call.positional[1] === undefined ? 'r' : (knownText(call.positional[1]) ?? 'r+');
  if (/^php:\/\//.test(knownText(call.positional[0]) ?? '')) return instance('File');
  if (/r/.test(mode)) readsAny(0)(call);
  if (/[wxc]/.test(mode)) writes(0)(call);
  else if (/a/.test(mode)) writes(0, 'append')(call);
  else if (/\+/.test(mode)) writes(0, 'edit')(call);
  return instance('File', valueAt(call, 0));
};

const putsContents: Handler = (call) => {
  const flags = call.positional[2];
  const isAppended = flags?.kind === 'module' && /append/i.test(flags.name);
  return writes(0, ...(isAppended ? (['append'] as const) : []))(call);
};

const includes: Handler = (call) => {
  for (const option of optionsOf(valueAt(call, 0))) {
    const text = wordOf(option).text;
    if (/^(?:https?|ftp|data|php):/i.test(text)) {
      if (/^(?:https?|ftp):/i.test(text)) connect(call, option, 'GET');
      call.host.frame.run.emit(
        'execute',
        { type: 'process', process: text },
        { certainty: 'dynamic', traits: ['remote-code', 'unreviewed'] },
      );
      continue;
    }
    const isComposer = /vendor\/autoload(?:_runtime)?\.php$/.test(text);
    if (!isComposer) for (const word of call.host.path(option)) call.host.include(word);
  }
  return UNKNOWN;
};

const changesMode: Handler = (call) => {
  const mode = call.positional[1];
  const opens = mode?.kind !== 'number' || (mode.value & 0o6002) !== 0;
  return writes(0, ...(opens ? (['edit', 'grants-access'] as const) : (['edit'] as const)))(call);
};

/** `curl_setopt($c, CURLOPT_URL, $url)`. */
const setsCurl: Handler = (call) => {
  const option = call.positional[1];
  if (option?.kind === 'module' && /curlopt_url/i.test(option.name)) connect(call, call.positional[2] ?? UNKNOWN, null);
  if (option?.kind === 'module' && /curlopt_postfields|curlopt_upload/i.test(option.name)) {
    call.host.frame.run.network(wordOf(UNKNOWN), { traits: ['upload'] });
  }
  return UNKNOWN;
};

const opensPdo: Handler = (call) => {
  const dsn = knownText(call.positional[0]) ?? '';
  const file = /^sqlite:(.+)$/.exec(dsn)?.[1] ?? (call.name === 'sqlite3' ? knownText(call.positional[0]) : null);
  if (file !== null) {
    const path = textValue(file);
    if (file !== ':memory:') for (const word of call.host.path(path)) call.host.frame.run.read(word);
    return instance('SQLite', path);
  }
  const host = /host=([^;]+)/.exec(dsn)?.[1];
  call.host.frame.run.network(wordOf(host === undefined ? (call.positional[0] ?? UNKNOWN) : textValue(host)), {});
  return instance('Database', call.positional[0] ?? null);
};

const calls: Handler = (call) => {
  const [target, ...rest] = call.positional;
  const name = knownText(target);
  const args = call.name === 'call_user_func_array' && rest[0]?.kind === 'list' ? rest[0].items : rest;
  if (name !== null) return call.host.invoke(moduleValue(name), args);
  return target === undefined || target.kind === 'unknown' ? unseen(call) : call.host.invoke(target, args);
};

const decodes =
  (coding: 'base64' | 'hex' | 'rot13' | 'url'): Handler =>
  (call) => {
    const text = knownText(call.positional[0]);
    return text === null
      ? unknownValue('text', originOf(call.positional[0] ?? UNKNOWN) ?? 'decoded')
      : decoded(text, coding);
  };

const folderName: Handler = (call) => {
  const word = wordOf(call.positional[0] ?? UNKNOWN);
  const at = word.text.lastIndexOf('/');
  return word.certainty === 'dynamic'
    ? unknownValue('folder')
    : wordValue({ ...word, text: at > 0 ? word.text.slice(0, at) : at === 0 ? '/' : '.' });
};

const rows: Readonly<Record<string, Handler>> = {
  'unlink rmdir': deletes(0),
  rename: moves(0, 1),
  copy: copies(0, 1),
  move_uploaded_file: writes(1),
  'symlink link': writes(1, 'create'),
  mkdir: makesFolder(0),
  touch: writes(0, 'append'),
  'tempnam tmpfile': () => wordValue({ text: '/tmp/tmp*', raw: '/tmp/tmp*', certainty: 'pattern', quoted: false }),
  chmod: changesMode,
  'chown chgrp lchown': writes(0, 'edit', 'grants-access'),
  'file_get_contents file readfile parse_ini_file simplexml_load_file highlight_file show_source': readsAny(0),
  file_put_contents: putsContents,
  'fopen gzopen splfileobject': opens,
  'opendir scandir dir filesystemiterator directoryiterator recursivedirectoryiterator': lists(0, 'flat', 'names'),
  glob: globs(0, 'paths'),
  'include include_once require require_once': includes,
  'exec shell_exec system passthru popen pcntl_exec_shell': shell(0),
  proc_open: (call) => {
    const [command = UNKNOWN] = call.positional;
    if (command.kind === 'list') runProgram(call, command.items);
    else runShell(call, command);
    return started(command);
  },
  'fwrite fputs': (call) =>
    feeds({ ...call, receiver: call.positional[0] ?? null, positional: call.positional.slice(1) }),
  pcntl_exec: (call) => {
    const words = call.positional[1];
    runProgram(call, [valueAt(call, 0), ...(words?.kind === 'list' ? words.items : [])]);
    return UNKNOWN;
  },
  'eval create_function assert': (call) =>
    call.positional[0]?.kind === 'text' || call.name === 'eval'
      ? evaluates(call.name === 'create_function' ? 1 : 0)(call)
      : UNKNOWN,
  'call_user_func call_user_func_array array_map array_walk usort register_shutdown_function': calls,
  'unserialize dl ffi.cdef ffi.load': unseen,
  base64_decode: decodes('base64'),
  hex2bin: decodes('hex'),
  str_rot13: decodes('rot13'),
  'urldecode rawurldecode': decodes('url'),
  'gzinflate gzuncompress gzdecode': (call) =>
    unknownValue('text', originOf(call.positional[0] ?? UNKNOWN) ?? 'decoded'),
  strrev: (call) => {
    const text = knownText(call.positional[0]);
    return text === null ? UNKNOWN : textValue([...text].reverse().join(''));
  },
  chr: (call) =>
    call.positional[0]?.kind === 'number' ? textValue(String.fromCharCode(call.positional[0].value & 255)) : UNKNOWN,
  'implode join': (call) => {
    const [glue, list] = call.positional;
    return list?.kind === 'list' ? joinedTexts(list.items, knownText(glue) ?? '') : UNKNOWN;
  },
  explode: (call) => {
    const text = knownText(call.positional[1]);
    const glue = knownText(call.positional[0]);
    return text === null || glue === null || glue === '' ? UNKNOWN : listValue(text.split(glue).map(textValue));
  },
  'sprintf vsprintf': (call) => formattedText(call.positional),
  'trim rtrim ltrim strval realpath escapeshellarg escapeshellcmd addslashes htmlspecialchars': (call) =>
    call.positional[0] ?? UNKNOWN,
  dirname: folderName,
  sys_get_temp_dir: () => textValue('/tmp'),
  getcwd: (call) => (call.host.frame.terminal.cwd === null ? UNKNOWN : textValue(call.host.frame.terminal.cwd)),
  chdir: (call) => {
    call.host.folder = call.host.path(valueAt(call, 0))[0] ?? null;
    return UNKNOWN;
  },
  getenv: (call) => {
    if (call.positional.length > 0) return readsEnvironment(call);
    call.host.items(moduleValue('$_ENV'));
    return UNKNOWN;
  },
  putenv: putsVariable,
  'ini_set set_time_limit error_reporting define header setlocale date_default_timezone_set': quiet,
  'print_r var_dump var_export json_encode serialize echo print printf phpinfo': (call) => {
    for (const value of call.positional)
      if (value.kind === 'module' && /^\$_(?:ENV|SERVER)$/.test(value.name))
        call.host.items(moduleValue('process.env'));
    return call.positional[0] ?? UNKNOWN;
  },
  curl_init: (call) => {
    if (call.positional.length > 0) connect(call, call.positional[0] ?? UNKNOWN, null);
    return instance('Curl');
  },
  curl_setopt: setsCurl,
  curl_setopt_array: (call) => {
    const url = optionOf(call, 'curlopt_url');
    if (url) connect(call, url, null);
    return UNKNOWN;
  },
  curl_exec: () => unknownValue('response', 'network'),
  'fsockopen pfsockopen stream_socket_client socket_connect ftp_connect ftp_ssl_connect ssh2_connect imap_open gethostbyname dns_get_record get_headers':
    network(0, null),
  mail: (call) => {
    call.host.frame.run.network(wordOf(textValue('mail')), { traits: ['upload', 'publish'] });
    return UNKNOWN;
  },
  'stream_socket_server socket_bind': serves,
  posix_kill: kills('process'),
  'posix_setuid posix_setgid posix_seteuid posix_setegid': privilege,
  'pdo mysqli mysqli_connect pg_connect mysql_connect sqlite3 redis': opensPdo,
  'mysqli_query pg_query sqlite_exec mysql_query': (call) =>
    sqlCommand(null)({ ...call, positional: call.positional.slice(1) }),
};

const methods: Readonly<Record<string, Handler>> = {
  'SQLite.exec SQLite.query SQLite.prepare SQLite.querySingle': sqlCommand('sqlite'),
  'Database.exec Database.query Database.prepare Database.execute': sqlCommand(null),
  '*.query *.exec *.prepare *.statement': sqlCommand(null),
  '*.get *.request *.post': (call) => {
    const url = call.positional.find((value) => /^https?:/i.test(knownText(value) ?? ''));
    if (url) connect(call, url, /post$/.test(call.name) ? 'POST' : 'GET');
    return unknownValue('response', url ? 'network' : null);
  },
};

/** PHP's own functions. Source: PHP 8.3 manual, function reference. */
export const phpLibrary: Library = {
  functions: table(rows),
  methods: table(methods),
  modules: null,
  canonical: (module) => module.replace(/^\\/, ''),
  isKnown: (module) => !/[/$]/.test(module),
  loadsByItself: true,
  membersAreCalls: false,
  isShared: () => false,
  fills: new Map([['proc_open', 2]]),
  constant,
};

function constant(name: string, host: Host): Value | null {
  switch (name) {
    case '$argv':
      return listValue(host.positional.length > 0 ? host.positional.map(wordValue) : [unknownValue('argument')], true);
    case '__dir__':
      return host.file === null
        ? host.frame.terminal.cwd === null
          ? UNKNOWN
          : textValue(host.frame.terminal.cwd)
        : textValue(host.file.replace(/\/[^/]*$/, ''));
    case '__file__':
      return host.file === null ? UNKNOWN : textValue(host.file);
    case 'directory_separator':
      return textValue('/');
    case 'php_eol':
      return textValue('\n');
    case '$_ENV':
    case '$_SERVER':
      return moduleValue(name);
    case '$_GET':
    case '$_POST':
    case '$_REQUEST':
    case '$_COOKIE':
      return unknownValue('request', 'network');
    default:
      return null;
  }
}
