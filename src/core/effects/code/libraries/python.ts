import { exactWord } from '../../shell/word.js';
import { isEnvironment, setsEnvironment } from '../environment.js';
import { decoded, shellWords } from '../texts.js';
import {
  below,
  chain,
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
  program,
  quiet,
  reads,
  readPath,
  readsEnvironment,
  runProgram,
  runShell,
  runsUnseen,
  same,
  serves,
  shell,
  sqlCommand,
  started,
  table,
  unseen,
  valueAt,
  writePath,
  writes,
} from '../handlers.js';
import { joinedPath } from '../interpreter.js';
import type { Handler, Host, Library, LibraryCall } from '../library.js';
import { pythonModules } from '../modules.js';
import {
  choiceOf,
  contentOf,
  instance,
  joinedTexts,
  knownText,
  listValue,
  moduleValue,
  optionsOf,
  originOf,
  partialOf,
  textValue,
  UNKNOWN,
  unknownValue,
  wordOf,
  wordValue,
  type Value,
} from '../value.js';

/** `open(path, mode)`: what it does is in the mode. Also `codecs.open`, `gzip.open`, `Path.open`. */
const opens =
  (place: 0 | 'self'): Handler =>
  (call) => {
    const path =
      place === 'self' ? (call.receiver ?? UNKNOWN) : valueAt(call, 0, 'file', 'filename', 'name', 'fileobj');
    const given = givenAt(call, place === 'self' ? 0 : 1, 'mode', 'flag');
    const mode = given === null ? 'r' : (knownText(given) ?? '');
    const { run } = call.host.frame;
    for (const word of call.host.path(path)) {
      if (/^\d+$/.test(word.text)) continue; // a descriptor
      if (/[rt]/.test(mode) || mode === '' || mode === 'b') if (!/[wax]/.test(mode)) readPath(call, word);
      if (/[wx]/.test(mode)) writePath(call, word);
      else if (/a/.test(mode)) run.write(word, { traits: ['append'] });
      else if (/\+/.test(mode)) run.write(word, { traits: ['edit'] });
    }
    return instance('File', path);
  };

/** `subprocess.run`: a list of words, or with `shell=True` a line. */
const subprocess: Handler = (call) => {
  const command = valueAt(call, 0, 'args', 'cmd');
  const isShell = optionOf(call, 'shell') !== null && !isFalse(optionOf(call, 'shell'));
  const [first = UNKNOWN] = optionsOf(command);
  for (const option of optionsOf(command)) {
    if (isShell && option.kind === 'list') runShell(call, option.items[0] ?? UNKNOWN);
    else if (isShell) runShell(call, option);
    else if (option.kind === 'list') runProgram(call, option.items, option.isOpen);
    else runProgram(call, [option]);
  }
  return started(!isShell && first.kind !== 'list' ? listValue([first]) : first);
};

const isFalse = (value: Value | null): boolean => value?.kind === 'list' && value.items.length === 0;

/** `os.walk`: folders and names below. */
const walks: Handler = (call) => {
  const given = valueAt(call, 0, 'top');
  const folders: Value[] = [];
  for (const word of call.host.path(given)) {
    call.host.frame.run.list(word, { traits: ['recursive'] });
    folders.push(below(word, '**', 'paths'));
  }
  const names = listValue([below(exactWord(''), '', 'names')], true);
  return listValue([listValue([choiceOf(folders), names, names])], true);
};

const changesFolder: Handler = (call) => {
  call.host.folder = call.host.path(valueAt(call, 0, 'path'))[0] ?? null;
  return UNKNOWN;
};

const home = (host: Host): Value => textValue(host.frame.facts.home);

/** `~` at the start becomes the home folder. */
const expandsUser: Handler = (call) => {
  const value = call.positional[0] ?? call.receiver ?? UNKNOWN;
  const text = knownText(value) ?? knownText(value.kind === 'instance' ? (value.about ?? undefined) : undefined);
  if (text === null || !/^~(?=[\\/]|$)/.test(text)) return value;
  const expanded = textValue(call.host.frame.facts.home + text.slice(1));
  return value.kind === 'instance' ? instance('Path', expanded) : expanded;
};

/** `$HOME` and `${HOME}` in a text. */
const expandsVariables: Handler = (call) => {
  const text = knownText(call.positional[0]);
  if (text === null) return call.positional[0] ?? UNKNOWN;
  const pieces = text.split(/\$\{?(\w+)\}?/);
  return joinedTexts(pieces.map((piece, at) => (at % 2 === 1 ? call.host.environment(piece) : textValue(piece))));
};

const makesPath: Handler = (call) => {
  const paths = call.positional.length === 0 ? [textValue('.')] : call.positional;
  return instance('Path', joinedPath(paths));
};

const decodes =
  (coding: 'base64' | 'hex' | 'url'): Handler =>
  (call) => {
    const text = knownText(call.positional[0]);
    return text === null
      ? unknownValue('decoded', originOf(call.positional[0] ?? UNKNOWN) ?? 'decoded')
      : decoded(text, coding);
  };

const character: Handler = (call) => {
  const [code] = call.positional;
  return code?.kind === 'number' && code.value >= 0 && code.value <= 0x10ffff
    ? textValue(String.fromCodePoint(code.value))
    : unknownValue('text');
};

/** `getattr(os, 'system')`: a member by its name. */
const getsMember: Handler = (call) => {
  const [object, name] = call.positional;
  const text = knownText(name);
  if (object?.kind === 'module' && text !== null) return moduleValue(`${object.name}.${text}`);
  if (object?.kind === 'module') {
    call.host.frame.run.unknown(`a member of ${object.name} that is chosen when it runs`);
    return UNKNOWN;
  }
  return object !== undefined && text !== null ? { kind: 'bound', receiver: object, name: text } : UNKNOWN;
};

const importsModule: Handler = (call) => {
  const name = knownText(call.positional[0]);
  if (name !== null) return call.host.module(name);
  call.host.frame.run.unknown('a module that is chosen when it runs');
  return UNKNOWN;
};

/** Runs a file of Python. */
const runsFile: Handler = (call) => {
  for (const word of call.host.path(valueAt(call, 0, 'path_name'))) call.host.include(word);
  return UNKNOWN;
};

/** Prints or turns into text: the whole environment is read where that is what is printed. */
const prints: Handler = (call) => {
  for (const value of call.positional) {
    if (isEnvironment(value)) call.host.items(value);
  }
  const file = call.named.get('file');
  if (file?.kind === 'instance' && file.type === 'Process') feeds({ ...call, receiver: file, named: new Map() });
  return call.positional[0] ?? UNKNOWN;
};

const keepsEnvironment: Handler = (call) => {
  const [value] = call.positional;
  return value !== undefined && isEnvironment(value)
    ? instance('environ')
    : (value ?? { kind: 'map', entries: call.named });
};

/** Unpickling runs what the data says. Data that the same text has pickled is its own. */
const unpickles: Handler = (call) => {
  const [data] = call.positional;
  if (data?.kind === 'instance' && data.type === 'Pickled') return data.about ?? UNKNOWN;
  const text = knownText(data);
  if (text !== null) callsOfPickle(call, text);
  runsUnseen(call, call.name, data === undefined ? null : originOf(data));
  return UNKNOWN;
};

/** The function that a pickle names and the texts behind it, which it is called with. Source: pickletools, GLOBAL and SHORT_BINUNICODE. */
function callsOfPickle(call: LibraryCall, text: string): void {
  const pickled =
    /(?:\b|c)(posix|nt|os|subprocess|builtins|__builtin__|shutil|commands|pty)[\n\u0000-\u001f\u0080-\u00ff\ufffd]+\W?([a-z_]\w*)(.*)$/s.exec(
      text,
    );
  const [, module = '', name = '', rest = ''] = pickled ?? [];
  if (module === '') return;
  const argument = /[SVX]['"]([^'"\n]+)['"]/.exec(rest) ?? /V([^\n]+)\n/.exec(rest) ?? /([ -~]{4,})/.exec(rest);
  const owner = pythonLibrary.canonical(module);
  call.host.invoke(moduleValue(owner === '' ? name : `${owner}.${name}`), [textValue((argument?.[1] ?? '').trim())]);
}

const connectsSocket: Handler = (call) => {
  const [address] = call.positional;
  const host = address?.kind === 'list' ? (address.items[0] ?? UNKNOWN) : (address ?? UNKNOWN);
  const port = address?.kind === 'list' ? knownText(address.items[1]) : null;
  if (knownText(host)?.startsWith('/') === true) return UNKNOWN; // a local socket
  const target = port === null ? host : joinedTexts([host, textValue(`:${port}`)]);
  call.host.frame.run.network(wordOf(target), { traits: ['upload'] });
  return instance('Response');
};

const sendsTo: Handler = (call) => connectsSocket({ ...call, positional: call.positional.slice(-1) });

const forks: Handler = () => instance('process');

/** A session or client with a base URL: `httpx.Client(base_url=…)`. */
const client: Handler = (call) => instance('Session', optionOf(call, 'base_url'));

const requestVia: Handler = (call) => {
  const verb = knownText(call.positional[0])?.toUpperCase() ?? null;
  for (const url of optionsOf(valueAt(call, 1, 'url'))) connect(call, url, verb);
  return instance('Response');
};

/** `urlretrieve(url, file)`: brings a file onto this machine. */
const retrieves: Handler = (call) => {
  connect(call, valueAt(call, 0, 'url'), 'GET');
  const file = givenAt(call, 1, 'filename', 'out', 'output');
  if (file !== null) for (const word of call.host.path(file)) call.host.frame.run.write(word, { traits: ['download'] });
  return UNKNOWN;
};

/** A method of a data frame or figure that writes a file when a name is given. */
const exports: Handler = (call) => {
  const file = givenAt(call, 0, 'path_or_buf', 'path', 'fname', 'excel_writer', 'fp');
  if (file === null || file.kind === 'instance' || file.kind === 'unknown') return unknownValue('text');
  for (const word of call.host.path(file)) call.host.frame.run.write(word);
  return UNKNOWN;
};

/** Reads a file or URL of data. */
const imports: Handler = (call) => {
  const source = valueAt(call, 0, 'filepath_or_buffer', 'path', 'io', 'file');
  if (source.kind === 'instance') return unknownValue('data');
  for (const option of optionsOf(source)) {
    if (/^(?:https?|ftp|s3|gs):/i.test(wordOf(option).text)) connect(call, option, 'GET');
    else for (const word of call.host.path(option)) call.host.frame.run.read(word);
  }
  return unknownValue('data');
};

const archive: Handler = (call) => {
  const mode = knownText(givenAt(call, 1, 'mode') ?? undefined) ?? 'r';
  const path = valueAt(call, 0, 'name', 'file');
  for (const word of call.host.path(path)) {
    if (/[wax]/.test(mode)) call.host.frame.run.write(word);
    else call.host.frame.run.read(word);
  }
  return instance('Archive', path);
};

const extracts: Handler = (call) => {
  const target = givenAt(call, 0, 'path') ?? textValue('.');
  for (const word of call.host.path(target)) call.host.frame.run.write(word, { traits: ['recursive', 'create'] });
  return UNKNOWN;
};

const addsToArchive: Handler = (call) => {
  for (const word of call.host.path(valueAt(call, 0, 'name', 'filename')))
    call.host.frame.run.read(word, { traits: ['recursive'] });
  return UNKNOWN;
};

const packs: Handler = (call) => {
  for (const word of call.host.path(givenAt(call, 2, 'root_dir') ?? textValue('.')))
    call.host.frame.run.read(word, { traits: ['recursive'] });
  for (const word of call.host.path(valueAt(call, 0, 'base_name'))) call.host.frame.run.write(word);
  return UNKNOWN;
};

const unpacks: Handler = (call) => {
  for (const word of call.host.path(valueAt(call, 0, 'filename'))) call.host.frame.run.read(word);
  return extracts({
    ...call,
    positional: call.positional.slice(1),
    named: new Map([['path', optionOf(call, 'extract_dir') ?? call.positional[1] ?? textValue('.')]]),
  });
};

/** `chmod`: who may do more afterwards is in the bits. */
const changesMode: Handler = (call) => {
  const place = call.receiver?.kind === 'instance' ? 'self' : 0;
  const mode = givenAt(call, place === 'self' ? 0 : 1, 'mode');
  const bits = mode?.kind === 'number' ? mode.value : null;
  const opens = bits === null || (bits & 0o6002) !== 0;
  return writes(place, ...(opens ? (['edit', 'grants-access'] as const) : (['edit'] as const)))(call);
};

/** Opens an SQLite file; what is written shows in the statements. `file:x.db?mode=ro` names a file too. */
const database: Handler = (call) => {
  const given = valueAt(call, 0, 'database');
  const text = knownText(given);
  const path = text === null ? given : textValue(text.replace(/^file:(?:\/\/(?=\/))?/, '').replace(/\?.*$/s, ''));
  if (text !== ':memory:') for (const word of call.host.path(path)) call.host.frame.run.read(word);
  return instance('SQLite', path);
};

const connection =
  (type: string): Handler =>
  (call) => {
    const host = optionOf(call, 'host') ?? optionOf(call, 'dsn') ?? call.positional[0];
    const named = /host=(\S+)/.exec(knownText(host ?? undefined) ?? '');
    call.host.frame.run.network(wordOf(named ? textValue(named[1] ?? '') : (host ?? textValue('localhost'))), {});
    return instance(type, optionOf(call, 'database') ?? optionOf(call, 'dbname') ?? host ?? null);
  };

const paths: Readonly<Record<string, Handler>> = {
  'os.path.join': (call) => joinedPath(call.positional),
  'os.path.expanduser': expandsUser,
  'os.path.expandvars': expandsVariables,
  'os.path.abspath os.path.realpath os.path.normpath os.fspath os.fsdecode': (call) => {
    const value = call.positional[0] ?? UNKNOWN;
    return call.host.folder === null ? value : choiceOf(call.host.path(value).map(wordValue));
  },
  'os.path.dirname': (call) => {
    const word = wordOf(call.positional[0] ?? UNKNOWN);
    const at = word.text.lastIndexOf('/');
    return word.certainty === 'dynamic'
      ? unknownValue('folder')
      : wordValue({ ...word, text: at > 0 ? word.text.slice(0, at) : at === 0 ? '/' : '.' });
  },
  'os.path.basename': (call) => {
    const text = knownText(call.positional[0]);
    return text === null ? unknownValue('name') : textValue(text.replace(/^.*\//, ''));
  },
  'os.getcwd os.getcwdb pathlib.Path.cwd Path.cwd': (call) => {
    const folder =
      call.host.folder ?? (call.host.frame.terminal.cwd === null ? null : exactWord(call.host.frame.terminal.cwd));
    const value = folder === null ? unknownValue('cwd') : wordValue(folder);
    return call.name.includes('Path') ? instance('Path', value) : value;
  },
  'pathlib.Path.home Path.home': (call) => instance('Path', home(call.host)),
  'pathlib.Path pathlib.PurePath pathlib.PosixPath pathlib.WindowsPath pathlib.PurePosixPath': makesPath,
  'tempfile.gettempdir': () => textValue('/tmp'),
  'tempfile.mkdtemp tempfile.TemporaryDirectory tempfile.mkstemp tempfile.NamedTemporaryFile tempfile.TemporaryFile tempfile.mktemp tempfile.SpooledTemporaryFile':
    () =>
      instance('Temporary', wordValue({ text: '/tmp/tmp*', raw: '/tmp/tmp*', certainty: 'pattern', quoted: false })),
};

const files: Readonly<Record<string, Handler>> = {
  'open io.open codecs.open gzip.open bz2.open lzma.open tokenize.open io.FileIO aiofiles.open smart_open.open':
    opens(0),
  'os.open': (call) => {
    const flags = call.positional[1];
    for (const word of call.host.path(valueAt(call, 0))) {
      call.host.frame.run.read(word);
      if (flags?.kind !== 'module' || !/O_RDONLY$/.test(flags.name))
        call.host.frame.run.write(word, { traits: ['edit'] });
    }
    return instance('File');
  },
  'os.remove os.unlink os.rmdir os.removedirs send2trash.send2trash': deletes(0),
  'shutil.rmtree distutils.dir_util.remove_tree setuptools._distutils.dir_util.remove_tree': deletes(0, 'recursive'),
  'os.rename os.renames os.replace shutil.move': moves(0, 1),
  'shutil.copy shutil.copy2 shutil.copyfile': copies(0, 1),
  'shutil.copytree distutils.dir_util.copy_tree': copies(0, 1, 'recursive'),
  'os.symlink os.link': writes(1, 'create'),
  'os.truncate os.mknod os.mkfifo': writes(0),
  'os.mkdir os.makedirs': makesFolder(0),
  'os.chmod os.lchmod': changesMode,
  'os.chown os.lchown shutil.chown': writes(0, 'edit', 'grants-access'),
  'os.listdir': lists(0, 'flat', 'names'),
  'os.scandir': lists(0, 'flat', 'Path'),
  'os.walk os.fwalk': walks,
  'glob.glob glob.iglob': globs(0, 'paths'),
  'linecache.getline linecache.getlines fileinput.input': reads(0),
  'dotenv.load_dotenv dotenv.dotenv_values': (call) => {
    for (const word of call.host.path(givenAt(call, 0, 'dotenv_path') ?? textValue('.env')))
      call.host.frame.run.read(word);
    return unknownValue('settings');
  },
  'zipfile.ZipFile tarfile.open tarfile.TarFile': archive,
  'shutil.make_archive': packs,
  'shutil.unpack_archive': unpacks,
  'logging.FileHandler logging.handlers.RotatingFileHandler shelve.open dbm.open': writes(0, 'append'),
  'logging.basicConfig': (call) => {
    const file = call.named.get('filename');
    if (file) for (const word of call.host.path(file)) call.host.frame.run.write(word, { traits: ['append'] });
    return UNKNOWN;
  },
  'numpy.save numpy.savez numpy.savez_compressed numpy.savetxt joblib.dump matplotlib.pyplot.savefig imageio.imwrite cv2.imwrite soundfile.write scipy.io.savemat':
    writes(0),
  'torch.save': writes(1),
  'numpy.load numpy.loadtxt numpy.genfromtxt PIL.Image.open cv2.imread imageio.imread soundfile.read librosa.load':
    reads(0),
  'pandas.read_csv pandas.read_json pandas.read_excel pandas.read_parquet pandas.read_table pandas.read_html pandas.read_xml pandas.read_feather polars.read_csv polars.read_parquet':
    imports,
  'configparser.read': reads(0),
};

const processes: Readonly<Record<string, Handler>> = {
  'os.system os.popen commands.getoutput commands.getstatusoutput subprocess.getoutput subprocess.getstatusoutput asyncio.create_subprocess_shell popen2.popen2 platform.popen invoke.run fabric.api.local':
    shell(0, 'command', 'cmd'),
  'pexpect.spawn pexpect.run pexpect.spawnu': (call) => {
    const words = call.positional[1];
    if (words?.kind === 'list') runProgram(call, [valueAt(call, 0), ...words.items]);
    else runShell(call, valueAt(call, 0));
    return started(words?.kind === 'list' ? listValue([valueAt(call, 0), ...words.items]) : valueAt(call, 0));
  },
  'subprocess.run subprocess.call subprocess.check_call subprocess.check_output subprocess.Popen': subprocess,
  'os.execl os.execlp os.execle os.execlpe': (call) => {
    runProgram(call, [valueAt(call, 0), ...call.positional.slice(2)]);
    return UNKNOWN;
  },
  'os.execv os.execvp os.execve os.execvpe os.posix_spawn os.posix_spawnp': (call) => {
    const words = call.positional[1];
    runProgram(
      call,
      [valueAt(call, 0), ...(words?.kind === 'list' ? words.items.slice(1) : [])],
      words?.kind !== 'list',
    );
    return UNKNOWN;
  },
  'os.spawnl os.spawnlp os.spawnle': (call) => {
    runProgram(call, [valueAt(call, 1), ...call.positional.slice(3)]);
    return UNKNOWN;
  },
  'os.spawnv os.spawnvp os.spawnve': (call) => {
    const words = call.positional[2];
    runProgram(call, [valueAt(call, 1), ...(words?.kind === 'list' ? words.items.slice(1) : [])]);
    return UNKNOWN;
  },
  'asyncio.create_subprocess_exec': program(0, 'spread'),
  'pty.spawn': program(0, 'list'),
  'os.startfile webbrowser.open': (call) => {
    const target = knownText(call.positional[0]) ?? '';
    if (/^https?:/i.test(target)) connect(call, textValue(target), 'GET');
    else runProgram(call, [textValue('xdg-open'), valueAt(call, 0)]);
    return UNKNOWN;
  },
  'os.fork': forks,
  'os.kill os.killpg signal.pthread_kill': kills('process'),
  'os.setuid os.seteuid os.setgid os.setegid os.setreuid os.setresuid os.setgroups os.initgroups elevate.elevate':
    privilege,
  'psutil.process_iter psutil.pids': () => listValue([instance('System')], true),
  'psutil.Process': made('System'),
  'os.abort sys.exit os._exit exit quit': quiet,
};

const code: Readonly<Record<string, Handler>> = {
  'eval exec execfile': evaluates(0),
  compile: same,
  'runpy.run_path execfile': runsFile,
  'runpy.run_module importlib.reload': unseen,
  '__import__ importlib.import_module importlib.__import__': importsModule,
  getattr: getsMember,
  'operator.attrgetter': (call) => partialOf(moduleValue('operator.attrgetter.of'), call.positional.slice(0, 1)),
  'operator.attrgetter.of': (call) => getsMember({ ...call, positional: [...call.positional].reverse() }),
  'globals locals vars': (call) => call.positional[0] ?? moduleValue('builtins'),
  'code.interact code.InteractiveConsole pdb.set_trace breakpoint': quiet,
  'pickle.loads pickle.load cPickle.loads cPickle.load _pickle.loads dill.loads dill.load cloudpickle.loads cloudpickle.load marshal.loads marshal.load shelve.Shelf jsonpickle.decode jsonpickle.loads yaml.unsafe_load yaml.full_load torch.load joblib.load pandas.read_pickle':
    unpickles,
  'pickle.dumps cPickle.dumps dill.dumps cloudpickle.dumps marshal.dumps jsonpickle.encode': (call) =>
    instance('Pickled', call.positional[0] ?? null),
  'yaml.load': (call) => {
    const loader = optionOf(call, 'Loader') ?? call.positional[1];
    const isSafe = loader?.kind === 'module' && /Safe|Base/.test(loader.name);
    return isSafe ? UNKNOWN : unseen(call);
  },
  'ctypes.CDLL ctypes.cdll.LoadLibrary ctypes.WinDLL ctypes.PyDLL cffi.FFI': (call) => {
    unseen(call);
    return instance('Native');
  },
  'types.FunctionType types.CodeType': unseen,
};

const web: Readonly<Record<string, Handler>> = {
  'requests.get requests.head requests.options httpx.get httpx.head urllib.request.urlopen urllib2.urlopen urllib.urlopen aiohttp.request feedparser.parse':
    network(0, 'GET'),
  'requests.post httpx.post': network(0, 'POST'),
  'requests.put httpx.put': network(0, 'PUT'),
  'requests.patch httpx.patch': network(0, 'PATCH'),
  'requests.delete httpx.delete': network(0, 'DELETE'),
  'requests.request httpx.request httpx.stream urllib3.request': requestVia,
  'urllib.request.Request urllib2.Request': (call) => {
    const url = valueAt(call, 0, 'url');
    return givenAt(call, 1, 'data') === null ? url : (connect(call, url, 'POST'), url);
  },
  'urllib.request.urlretrieve urllib.urlretrieve wget.download': retrieves,
  'requests.Session requests.session httpx.Client httpx.AsyncClient aiohttp.ClientSession urllib3.PoolManager cloudscraper.create_scraper requests_html.HTMLSession':
    client,
  'http.client.HTTPConnection http.client.HTTPSConnection httplib.HTTPConnection httplib.HTTPSConnection': network(
    0,
    null,
  ),
  'smtplib.SMTP smtplib.SMTP_SSL ftplib.FTP ftplib.FTP_TLS telnetlib.Telnet paramiko.Transport imaplib.IMAP4_SSL poplib.POP3_SSL websocket.create_connection websockets.connect xmlrpc.client.ServerProxy':
    network(0, null, 'hostname'),
  'socket.socket': made('Socket'),
  'socket.create_connection asyncio.open_connection': (call) =>
    connectsSocket(call.name.startsWith('asyncio') ? { ...call, positional: [listValue(call.positional)] } : call),
  'socket.gethostbyname socket.getaddrinfo socket.gethostbyname_ex dns.resolver.resolve dns.resolver.query': network(
    0,
    null,
  ),
  'socket.gethostname socket.getfqdn platform.node platform.platform platform.system getpass.getuser os.uname os.getlogin':
    quiet,
  'paramiko.SSHClient': made('SSH'),
  'socketserver.TCPServer socketserver.UDPServer http.server.HTTPServer http.server.ThreadingHTTPServer uvicorn.run asyncio.start_server wsgiref.simple_server.make_server':
    serves,
  'boto3.client boto3.resource boto3.Session google.cloud.storage.Client openai.OpenAI anthropic.Anthropic': (call) => {
    call.host.frame.run.network(
      exactWord(
        /^boto3/.test(call.name)
          ? 'amazonaws.com'
          : /google/.test(call.name)
            ? 'googleapis.com'
            : `api.${call.name.split('.')[0] ?? ''}.com`,
      ),
      {},
    );
    return instance('Service', textValue(call.name.split('.')[0] ?? ''));
  },
};

const values: Readonly<Record<string, Handler>> = {
  'os.getenv os.environ.get': readsEnvironment,
  'os.environ.copy': () => instance('environ'),
  'os.environ.items os.environ.values os.environ.keys': (call) => {
    call.host.items(moduleValue('os.environ'));
    return UNKNOWN;
  },
  'os.putenv os.environ.setdefault os.environ.update': setsEnvironment,
  'os.unsetenv os.environ.pop': quiet,
  dict: keepsEnvironment,
  'str repr print json.dumps pprint.pprint pprint.pformat ascii': prints,
  'bytes bytearray': (call) => {
    const [value] = call.positional;
    const codes = value?.kind === 'list' && !value.isOpen ? value.items : [];
    const isKnown = codes.length > 0 && codes.every(({ kind }) => kind === 'number');
    return isKnown ? joinedTexts(codes.map((code) => character({ ...call, positional: [code] }))) : prints(call);
  },
  'staticmethod classmethod property': same,
  'list tuple sorted set frozenset iter reversed enumerate zip': (call) => {
    const [value] = call.positional;
    if (value === undefined) return listValue([]);
    if (isEnvironment(value)) call.host.items(value);
    if (call.name === 'enumerate')
      return value.kind === 'list'
        ? listValue(
            value.items.map((item, at) => listValue([{ kind: 'number', value: at }, item])),
            value.isOpen,
          )
        : UNKNOWN;
    return call.name === 'zip' ? UNKNOWN : value;
  },
  map: (call) => {
    const [callback, list] = call.positional;
    return list?.kind === 'list' && callback
      ? listValue(
          list.items.map((item) => call.host.invoke(callback, [item])),
          list.isOpen,
        )
      : UNKNOWN;
  },
  'base64.b64decode base64.urlsafe_b64decode base64.standard_b64decode base64.decodebytes binascii.a2b_base64':
    decodes('base64'),
  'bytes.fromhex bytearray.fromhex binascii.unhexlify binascii.a2b_hex': decodes('hex'),
  'urllib.parse.unquote urllib.parse.unquote_plus': decodes('url'),
  'codecs.decode': (call) => {
    const text = knownText(call.positional[0]);
    const coding = knownText(call.positional[1]) ?? '';
    if (text === null) return UNKNOWN;
    return /rot.?13/i.test(coding)
      ? decoded(text, 'rot13')
      : /base64/i.test(coding)
        ? decoded(text, 'base64')
        : /hex/i.test(coding)
          ? decoded(text, 'hex')
          : textValue(text);
  },
  'zlib.decompress gzip.decompress bz2.decompress lzma.decompress': (call) =>
    unknownValue('decompressed', originOf(call.positional[0] ?? UNKNOWN) ?? 'decoded'),
  'shlex.split': (call) => {
    const text = knownText(call.positional[0]);
    return text === null
      ? listValue([call.positional[0] ?? UNKNOWN], true)
      : listValue(shellWords(text).map(textValue));
  },
  'shlex.quote pipes.quote': same,
  'functools.partial functools.partialmethod': (call) => {
    const [callee = UNKNOWN, ...rest] = call.positional;
    return partialOf(callee, rest, call.named);
  },
  'functools.wraps functools.cache functools.lru_cache': same,
  'operator.methodcaller': (call) => {
    const name = knownText(call.positional[0]);
    return name === null ? UNKNOWN : { kind: 'message', name, positional: call.positional.slice(1) };
  },
  'chr unichr': character,
  ord: (call) => {
    const text = knownText(call.positional[0]);
    return text === null ? UNKNOWN : { kind: 'number', value: text.codePointAt(0) ?? 0 };
  },
  'input raw_input sys.stdin.read sys.stdin.readline getpass.getpass': () => unknownValue('input', 'input'),
  get_ipython: made('IPython'),
  'sys.path.insert sys.path.append': (call) => {
    const word = call.host.path(call.positional.at(-1) ?? UNKNOWN)[0];
    if (word?.certainty === 'exact') call.host.moduleFolders.push(word);
    return UNKNOWN;
  },
  'os.chdir contextlib.chdir': changesFolder,
  'sqlite3.connect aiosqlite.connect apsw.Connection duckdb.connect': database,
  'psycopg2.connect psycopg.connect asyncpg.connect pg8000.connect': connection('Postgres'),
  'mysql.connector.connect pymysql.connect MySQLdb.connect mariadb.connect': connection('MySQL'),
  'sqlalchemy.create_engine pymongo.MongoClient redis.Redis redis.from_url': connection('Database'),
  'sqlalchemy.text': same,
  'crontab.CronTab': made('Crontab'),
  'keyring.get_password': (call) => {
    call.host.frame.run.emit('read', { type: 'environment', name: 'keyring' }, { traits: ['secret'] });
    return UNKNOWN;
  },
  'pyperclip.paste pyautogui.screenshot PIL.ImageGrab.grab mss.mss pynput.keyboard.Listener keyboard.on_press keyboard.record keyboard.hook':
    (call) => {
      call.host.frame.run.emit(
        'read',
        { type: 'process', process: call.name },
        { traits: ['personal'], note: 'reads the screen, the keys or the clipboard' },
      );
      return UNKNOWN;
    },
  'winreg.SetValueEx winreg.CreateKey winreg.DeleteKey winreg.DeleteValue': (call) => {
    call.host.frame.run.emit('persist', { type: 'process', process: 'registry' }, { note: 'changes the registry' });
    return UNKNOWN;
  },
  'importlib.resources.files importlib.metadata.version': quiet,
};

const methods: Readonly<Record<string, Handler>> = {
  'Path.unlink Path.rmdir': deletes('self'),
  'Path.rmtree Path.remove_tree': deletes('self', 'recursive'),
  'Path.write_text Path.write_bytes Path.touch Path.symlink_to Path.hardlink_to Temporary.write_text': writes('self'),
  'Path.mkdir': makesFolder('self'),
  'Path.chmod Path.lchmod': changesMode,
  'Path.read_text Path.read_bytes': reads('self'),
  'Path.open': opens('self'),
  'Path.rename Path.replace': moves('self', 0),
  'Path.iterdir': lists('self', 'flat', 'Path'),
  'Path.glob': globs(0, 'Path', 'self'),
  'Path.rglob': (call) => {
    const given = call.positional[0] ?? textValue('*');
    return globs(0, 'Path', 'self')({ ...call, positional: [joinedTexts([textValue('**/'), given])] });
  },
  'Path.walk': walks,
  'Path.joinpath': (call) => instance('Path', joinedPath([call.receiver ?? UNKNOWN, ...call.positional])),
  'Path.with_suffix Path.with_name Path.with_stem Path.relative_to': (call) => {
    const word = wordOf(call.receiver ?? UNKNOWN);
    const name = knownText(call.positional[0]) ?? '';
    if (word.certainty !== 'exact') return instance('Path', unknownValue('path'));
    return instance(
      'Path',
      textValue(
        call.name.endsWith('suffix') ? word.text.replace(/(\.[^./]*)?$/, name) : word.text.replace(/[^/]*$/, name),
      ),
    );
  },
  'Path.expanduser': expandsUser,
  'Path.resolve Path.absolute Path.as_posix Path.__str__': chain,
  'File.readline File.readlines': () => unknownValue('content'),
  'File.read': (call) => {
    const [word] = call.host.path(call.receiver ?? UNKNOWN);
    return word ? contentOf(word) : unknownValue('content');
  },
  'IPython.system IPython.getoutput IPython.getoutput_split': shell(0),
  'IPython.run_cell': evaluates(0),
  'Temporary.__enter__ Temporary.name': chain,
  'Socket.connect Socket.connect_ex': connectsSocket,
  'Socket.sendto': sendsTo,
  'Socket.bind': serves,
  'Socket.recv Socket.recvfrom': () => unknownValue('data', 'network'),
  'Session.get Session.head Session.options': network(0, 'GET'),
  'Session.post': network(0, 'POST'),
  'Session.put': network(0, 'PUT'),
  'Session.patch': network(0, 'PATCH'),
  'Session.delete': network(0, 'DELETE'),
  'Session.request': requestVia,
  'SSH.connect': network(0, null, 'hostname'),
  'SSH.exec_command': shell(0, 'command'),
  'Response.json Response.read Response.text Response.content Response.iter_content': (call) =>
    call.receiver ?? UNKNOWN,
  'System.kill System.terminate System.suspend System.send_signal': kills('process'),
  'Process.communicate Process.write Process.writelines Process.sendline Process.send': feeds,
  'Native.system Native.popen Native.execlp': shell(0),
  'Native.unlink Native.remove Native.rmdir': deletes(0),
  'Archive.extractall': extracts,
  'Archive.extract': (call) => extracts({ ...call, positional: call.positional.slice(1) }),
  'Archive.add Archive.write': addsToArchive,
  'SQLite.cursor Postgres.cursor MySQL.cursor Database.connect Database.begin SQLite.__enter__ Postgres.__enter__':
    chain,
  'SQLite.execute SQLite.executescript SQLite.executemany': sqlCommand('sqlite'),
  'Postgres.execute Postgres.executemany': sqlCommand('postgres'),
  'MySQL.execute MySQL.executemany': sqlCommand('mysql'),
  '*.execute *.executescript *.raw *.text': sqlCommand(null),
  'environ.items environ.values environ.keys environ.__str__': (call) => {
    call.host.items(instance('environ'));
    return UNKNOWN;
  },
  'environ.get': readsEnvironment,
  'environ.update environ.setdefault': setsEnvironment,
  'environ.copy environ.pop': chain,
  'Crontab.write Crontab.new': (call) => {
    call.host.frame.run.emit('persist', { type: 'process', process: 'crontab' }, { note: 'runs by the clock' });
    return UNKNOWN;
  },
  '*.to_csv *.to_json *.to_excel *.to_parquet *.to_pickle *.to_html *.to_feather *.savefig *.write_csv *.write_image *.write_html':
    exports,
  '*.unlink *.rmtree': (call) => {
    call.host.frame.run.delete(wordOf(call.receiver ?? UNKNOWN));
    return UNKNOWN;
  },
  '*.write_text *.write_bytes': (call) => {
    call.host.frame.run.write(wordOf(call.receiver ?? UNKNOWN));
    return UNKNOWN;
  },
};

/** The standard library, by the first part of the name; what is not in the tables above does nothing worth saying. */
const STANDARD =
  'builtins __future__ abc argparse array ast asyncio atexit base64 binascii bisect bz2 calendar cmath cmd code codecs collections colorsys concurrent configparser contextlib contextvars copy copyreg csv ctypes curses dataclasses datetime dbm decimal difflib dis distutils doctest email encodings enum errno faulthandler fcntl filecmp fileinput fnmatch fractions ftplib functools gc getopt getpass gettext glob graphlib grp gzip hashlib heapq hmac html http imaplib importlib inspect io ipaddress itertools json keyword linecache locale logging lzma mailbox marshal math mimetypes mmap multiprocessing netrc numbers operator optparse os pathlib pdb pickle pickletools pkgutil platform plistlib poplib posixpath pprint profile pstats pty pwd py_compile pyclbr pydoc queue quopri random re readline resource runpy sched secrets select selectors shelve shlex shutil signal site smtplib socket socketserver sqlite3 ssl stat statistics string stringprep struct subprocess symtable sys sysconfig syslog tarfile tempfile termios textwrap threading time timeit tkinter token tokenize tomllib trace traceback tracemalloc tty types typing unicodedata unittest urllib urllib2 uuid venv warnings wave weakref webbrowser wsgiref xml xmlrpc zipfile zipimport zlib zoneinfo winreg msvcrt commands httplib cPickle StringIO cStringIO __main__ _pickle'.split(
    ' ',
  );

/** Libraries that are used everywhere and do nothing by being imported; their reaching functions are in the tables above. */
const POPULAR =
  'numpy pandas scipy matplotlib seaborn sklearn plotly polars yaml ruamel toml tomli tomlkit rich click typer tqdm tabulate colorama jinja2 markupsafe markdown bs4 lxml html5lib requests httpx aiohttp urllib3 certifi idna chardet pydantic attr attrs typing_extensions dateutil pytz regex packaging pytest hypothesis nltk sympy networkx PIL cv2 torch torchvision tensorflow keras transformers datasets tiktoken openai anthropic sqlalchemy psycopg2 psycopg pymysql MySQLdb mysql mariadb asyncpg aiosqlite duckdb pymongo redis boto3 botocore google flask fastapi starlette uvicorn django werkzeug jsonschema orjson ujson simplejson msgpack cryptography Crypto nacl jwt dotenv environs psutil pexpect paramiko fabric invoke send2trash aiofiles feedparser websocket websockets dns cloudscraper requests_html wget imageio soundfile librosa joblib dill cloudpickle jsonpickle crontab keyring pyperclip pyautogui pynput keyboard mss elevate setuptools pkg_resources wheel IPython ipykernel nbformat openpyxl xlrd xlsxwriter docx pptx PyPDF2 pypdf fitz reportlab shapely geopandas astropy numba cffi smart_open pg8000 apsw'.split(
    ' ',
  );

const KNOWN = new Set([...STANDARD, ...POPULAR]);
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['posix', 'os'],
  ['nt', 'os'],
  ['ntpath', 'os.path'],
  ['posixpath', 'os.path'],
  ['_io', 'io'],
  ['builtins', ''],
  ['__builtin__', ''],
]);

/** Python's own functions and the libraries that agents use. Source: The Python Library Reference 3.13. */
export const pythonLibrary: Library = {
  functions: new Map([
    ...table(paths),
    ...table(files),
    ...table(processes),
    ...table(code),
    ...table(web),
    ...table(values),
  ]),
  methods: table(methods),
  modules: pythonModules,
  canonical: (module) => ALIASES.get(module) ?? module,
  isKnown: (module) =>
    module === '' || module === '*' || module.startsWith('.') || KNOWN.has(module.split('.')[0] ?? ''),
  loadsByItself: false,
  membersAreCalls: false,
  isShared: () => false,
  fills: new Map(),
  constant,
};

function constant(name: string, host: Host): Value | null {
  switch (name) {
    case 'sys.argv':
      return listValue(host.positional.length > 0 ? host.positional.map(wordValue) : [unknownValue('argument')], true);
    case '__file__':
      return host.file === null ? unknownValue('file') : textValue(host.file);
    case '__builtins__':
      return moduleValue('');
    case 'os.sep':
      return textValue('/');
    case 'os.curdir':
      return textValue('.');
    case 'os.environ.__dict__':
      return instance('environ');
    case 'os.devnull':
      return textValue('/dev/null');
    case 'Path.home':
      return null;
    case 'Temporary.name':
      return wordValue({ text: '/tmp/tmp*', raw: '/tmp/tmp*', certainty: 'pattern', quoted: false });
    case 'Response.text':
    case 'Response.content':
      return unknownValue('response', 'network');
    default:
      return null;
  }
}
