import type { Trait } from '../../effect.js';
import { fromBase64, utf16, utf8 } from '../../encoding.js';
import {
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
import { traps } from '../environmentTraps.js';
import type { Run } from '../run.js';
import { isSecretName } from '../secretNames.js';
import { exactWord, NUMBER } from '../word.js';
import { eachOf } from './cmdlet.js';
import { buildCommand, commandBuilder } from './commandBuilder.js';
import { addTo, memberIn, objectWith, splitArguments, startFrom } from './startInfo.js';
import { isRunKey, registryKey, registryResource, targetOf } from './target.js';
import type { Facts } from '../../facts.js';

/** A call of a .NET method, static or on an object. */
export interface MethodCall {
  readonly run: Run;
  readonly facts: Facts;
  /** Lower case, without `System.`: `io.file`. For objects the type they were made of. */
  readonly type: string;
  readonly name: string;
  readonly receiver: Value | null;
  readonly args: readonly Value[];
  /** Paths that the session has read so far. */
  readonly read: Set<string>;
  evaluate(text: Value): Value;
  invoke(block: Value, args: readonly Value[]): Value;
}

type Method = (call: MethodCall) => Value;

const path = (call: MethodCall, value: Value | undefined): ReturnType<typeof wordOf> => {
  const target = targetOf(wordOf(value ?? UNKNOWN), true, call.facts);
  return target.kind === 'file' ? target.word : wordOf(UNKNOWN);
};

const reads: Method = (call) => {
  const word = path(call, call.args[0]);
  call.run.read(word);
  call.read.add(word.text);
  return unknownValue('content');
};
const writes =
  (...traits: readonly Trait[]): Method =>
  (call) => {
    const word = path(call, call.args[0]);
    const text = call.args[1];
    const isEdited = traits.length === 0 && text !== undefined && text.kind !== 'text' && call.read.has(word.text);
    call.run.write(word, {
      traits: isEdited ? ['edit'] : traits,
      ...(text === undefined ? {} : { text: wordOf(text) }),
    });
    return instance('io.stream', call.args[0] ?? null);
  };
const deletes =
  (isFolder: boolean): Method =>
  (call) => {
    const isDeep = isFolder && call.args.length > 1;
    call.run.delete(path(call, call.args[0]), { traits: isDeep ? ['recursive'] : [] });
    return UNKNOWN;
  };
const moves: Method = (call) => {
  call.run.move(path(call, call.args[0]), path(call, call.args[1]));
  return UNKNOWN;
};
const copies: Method = (call) => {
  call.run.copy(path(call, call.args[0]), path(call, call.args[1]));
  return UNKNOWN;
};
const lists: Method = (call) => {
  const word = path(call, call.args[0]);
  const isDeep = call.args.length > 2;
  call.run.list(word, { traits: isDeep ? ['recursive'] : [] });
  const filter = knownText(call.args[1]) ?? '*';
  const below = `/${isDeep && filter !== '*' ? '**/' : ''}${filter}`;
  return listValue(
    [instance('Path', wordValue(concatenated(word, { text: below, raw: below, certainty: 'pattern', quoted: false })))],
    true,
  );
};

const downloads: Method = (call) => {
  call.run.network(wordOf(call.args[0] ?? UNKNOWN), { method: 'GET', traits: ['download'] });
  const file = call.args[1];
  if (/downloadfile/.test(call.name) && file) call.run.write(path(call, file), { traits: ['download'] });
  return unknownValue('content', 'network');
};
const uploads: Method = (call) => {
  call.run.network(wordOf(call.args[0] ?? UNKNOWN), { method: 'POST', traits: ['upload'] });
  if (/uploadfile/.test(call.name)) call.run.read(path(call, call.args.at(-1)));
  return unknownValue('content', 'network');
};
const connects: Method = (call) => {
  const [host = UNKNOWN, port] = call.args;
  if (call.args.length === 0) return instance('socket');
  call.run.network(wordOf(port === undefined ? host : joinedTexts([host, textValue(':'), port])), {
    traits: ['upload'],
  });
  return instance(call.type, host);
};
const starts: Method = (call) => {
  const [file = memberIn(call.receiver ?? UNKNOWN, 'startinfo') ?? UNKNOWN, list] = call.args;
  if (file.kind === 'instance' && file.type === 'startinfo') {
    startFrom(file, call.run);
    return instance('diagnostics.process');
  }
  const words =
    list === undefined
      ? []
      : eachOf(list).flatMap((value) =>
          (knownText(value)?.match(/"[^"]*"|\S+/g) ?? ['$arguments']).map((word) =>
            exactWord(word.replace(/^"|"$/g, '')),
          ),
        );
  call.run.carry([wordOf(file.kind === 'instance' && file.about ? file.about : file), ...words]);
  return instance('diagnostics.process');
};
const kills: Method = (call) => {
  call.run.emit(
    'kill',
    { type: 'process', process: knownText(call.receiver ?? undefined) ?? 'process' },
    { certainty: 'dynamic' },
  );
  return UNKNOWN;
};
const loads: Method = (call) => {
  const name = knownText(call.args[0]);
  if (/partialname/.test(call.name) && name !== null && /^(?:system|microsoft|presentation|windows)/i.test(name))
    return UNKNOWN;
  const origin = call.args[0] === undefined ? null : originOf(call.args[0]);
  call.run.emit(
    'execute',
    { type: 'process', process: name ?? call.type },
    { certainty: 'dynamic', traits: origin === 'network' ? ['unreviewed', 'remote-code'] : ['unreviewed'] },
  );
  return UNKNOWN;
};
const setsEnvironment: Method = (call) => {
  const [name, value = UNKNOWN, scope] = call.args;
  const where = knownText(scope)?.toLowerCase() ?? '';
  const text = knownText(name) ?? '*';
  traps(text, wordOf(value), call.run);
  if (/user|machine/.test(where))
    call.run.emit('persist', { type: 'environment', name: text }, { note: 'a variable for whatever starts later' });
  return UNKNOWN;
};
const getsEnvironment: Method = (call) => {
  const name = knownText(call.args[0]);
  if (call.args.length === 0) {
    call.run.emit('read', { type: 'environment', name: '*' }, { traits: ['secret', 'mass'] });
    return UNKNOWN;
  }
  if (name !== null)
    call.run.emit('read', { type: 'environment', name }, { traits: isSecretName(name) ? ['secret'] : [] });
  return unknownValue(name ?? 'variable');
};
const quiet: Method = (call) => {
  const origin =
    call.args.map(originOf).find((one) => one !== null) ?? (call.receiver ? originOf(call.receiver) : null);
  return unknownValue('result', origin);
};
const same: Method = (call) => call.args[0] ?? call.receiver ?? UNKNOWN;

const setsRegistry: Method = (call) => {
  const key =
    registryKey((knownText(call.args[0]) ?? '').replace(/^(hkey_\w+)/i, 'Registry::$1')) ??
    knownText(call.args[0]) ??
    '?';
  call.run.emit('write', registryResource(key));
  if (isRunKey(key))
    call.run.emit('persist', registryResource(key), { note: 'a key of the registry that makes something run' });
  return UNKNOWN;
};

const decodesText: Method = (call) => {
  const [bytes = UNKNOWN] = call.args;
  const text = knownText(bytes);
  if (text === null) return unknownValue('text', originOf(bytes));
  return textValue(
    /unicode$/.test(call.type) || (call.receiver?.kind === 'instance' && /unicode/.test(call.receiver.type))
      ? utf16(text)
      : (utf8(text) ?? text),
  );
};

/** A part of a name that is made up when it runs and leads nowhere else: a time, a chance. */
export const SOME_NAME: Value = wordValue(NUMBER);

const table = (rows: Readonly<Record<string, Method>>): ReadonlyMap<string, Method> =>
  new Map(
    Object.entries(rows).flatMap(([names, method]) => names.split(' ').map((name): [string, Method] => [name, method])),
  );

const STATIC = table({
  'io.file::delete': deletes(false),
  'io.directory::delete': deletes(true),
  'io.file::writealltext io.file::writeallbytes io.file::writealllines io.file::create io.file::createtext io.file::openwrite io.file::open io.file::writealltextasync io.file::encrypt':
    writes(),
  'io.file::appendalltext io.file::appendalllines io.file::appendtext': writes('append'),
  'io.file::setattributes io.file::setlastwritetime io.file::setcreationtime io.file::setaccesscontrol': writes('edit'),
  'io.file::readalltext io.file::readallbytes io.file::readalllines io.file::readlines io.file::openread io.file::opentext':
    reads,
  'io.file::move io.directory::move io.file::replace': moves,
  'io.file::copy': copies,
  'io.file::createsymboliclink io.directory::createsymboliclink': (call) => {
    call.run.write(path(call, call.args[0]), { traits: ['create'] });
    return UNKNOWN;
  },
  'io.directory::createdirectory': writes('create'),
  'io.directory::getfiles io.directory::getdirectories io.directory::getfilesystementries io.directory::enumeratefiles io.directory::enumeratedirectories':
    lists,
  'io.file::exists io.directory::exists io.file::getlastwritetime io.file::getattributes io.directory::getcurrentdirectory io.directory::getparent':
    quiet,
  'io.path::combine io.path::join': (call) => joinedTexts(call.args, '/'),
  'io.path::getfullpath io.path::normalize': same,
  'io.path::gettemppath io.path::gettempfilename': () =>
    wordValue({ text: '/tmp/tmp*', raw: '/tmp/tmp*', certainty: 'pattern', quoted: false }),
  'io.compression.zipfile::extracttodirectory': (call) => {
    call.run.read(path(call, call.args[0]));
    call.run.write(path(call, call.args[1]), { traits: ['recursive', 'create'] });
    return UNKNOWN;
  },
  'io.compression.zipfile::createfromdirectory': (call) => {
    call.run.read(path(call, call.args[0]), { traits: ['recursive'] });
    call.run.write(path(call, call.args[1]));
    return UNKNOWN;
  },
  'diagnostics.process::start': starts,
  'diagnostics.process::getprocessbyid diagnostics.process::getprocessesbyname diagnostics.process::getprocesses diagnostics.process::getcurrentprocess':
    () => instance('diagnostics.process'),
  'environment::setenvironmentvariable': setsEnvironment,
  'environment::getenvironmentvariable environment::getenvironmentvariables environment::expandenvironmentvariables':
    getsEnvironment,
  'environment::getfolderpath': (call) => {
    const name = knownText(call.args[0])?.toLowerCase() ?? '';
    const below: Readonly<Record<string, string>> = {
      userprofile: '',
      desktop: '/Desktop',
      mydocuments: '/Documents',
      personal: '/Documents',
      applicationdata: '/AppData/Roaming',
      localapplicationdata: '/AppData/Local',
      startup: '/AppData/Roaming/Microsoft/Windows/Start Menu/Programs/Startup',
    };
    return below[name] === undefined ? unknownValue('folder') : textValue(call.facts.home + below[name]);
  },
  'environment::exit environment::newline environment::gethostname environment::getcommandlineargs': quiet,
  'environment::failfast': kills,
  'reflection.assembly::load reflection.assembly::loadfrom reflection.assembly::loadfile reflection.assembly::loadwithpartialname reflection.assembly::unsafeloadfrom appdomain::createdomain activator::createinstance runtime.interopservices.marshal::getdelegateforfunctionpointer':
    loads,
  'guid::newguid io.path::getrandomfilename': () => SOME_NAME,
  'convert::toint32 convert::toint16 convert::toint64 convert::tobyte convert::touint32': (call) => {
    const base = call.args[1]?.kind === 'number' ? call.args[1].value : 10;
    const value = Number.parseInt(knownText(call.args[0]) ?? '', base >= 2 && base <= 16 ? base : 10);
    return Number.isNaN(value) ? unknownValue('number') : { kind: 'number', value };
  },
  'convert::frombase64string': (call) => {
    const text = knownText(call.args[0]);
    const bytes = text === null ? null : fromBase64(text);
    return bytes === null ? unknownValue('bytes', call.args[0] ? originOf(call.args[0]) : null) : textValue(bytes);
  },
  'convert::tobase64string': (call) => unknownValue('encoded', call.args[0] ? originOf(call.args[0]) : null),
  'scriptblock::create management.automation.scriptblock::create': (call) => instance('block', call.args[0] ?? null),
  'powershell::create management.automation.powershell::create': commandBuilder,
  'security.cryptography.protecteddata::unprotect runtime.interopservices.marshal::ptrtostringauto runtime.interopservices.marshal::ptrtostringbstr runtime.interopservices.marshal::ptrtostringuni':
    (call) => {
      call.run.emit('read', { type: 'environment', name: 'protected data' }, { traits: ['secret'] });
      return UNKNOWN;
    },
  'string::join': (call) =>
    joinedTexts(
      call.args.slice(1).flatMap((value) => (value.kind === 'list' ? value.items : [value])),
      knownText(call.args[0]) ?? '',
    ),
  'string::concat': (call) => joinedTexts(call.args),
  'string::format': (call) => formatted(call.args[0] ?? UNKNOWN, call.args.slice(1)),
  'net.dns::gethostaddresses net.dns::gethostentry net.dns::resolve net.dns::gethostbyname': (call) => {
    call.run.network(wordOf(call.args[0] ?? UNKNOWN), {});
    return UNKNOWN;
  },
  'net.webrequest::create net.httpwebrequest::create': (call) => {
    call.run.network(wordOf(call.args[0] ?? UNKNOWN), {});
    return instance('net.webrequest', call.args[0] ?? null);
  },
  'net.sockets.tcpclient::new net.sockets.udpclient::new net.sockets.socket::new': connects,
  'net.sockets.tcplistener::new': (call) => instance('listener', listValue(call.args)),
  'microsoft.win32.registry::setvalue win32.registry::setvalue': setsRegistry,
  'microsoft.win32.registry::getvalue win32.registry::getvalue': (call) => {
    const key = registryKey(`Registry::${knownText(call.args[0]) ?? '?'}`) ?? '?';
    call.run.emit('read', registryResource(key));
    return UNKNOWN;
  },
  'security.principal.windowsidentity::getcurrent': quiet,
  'windows.forms.clipboard::gettext windows.clipboard::gettext': (call) => {
    call.run.emit('read', { type: 'process', process: 'clipboard' }, { traits: ['personal'] });
    return UNKNOWN;
  },
  'windows.forms.sendkeys::sendwait': (call) => {
    call.run.emit('execute', { type: 'process', process: 'keys' }, { traits: ['unreviewed', 'covert'] });
    return UNKNOWN;
  },
});

/** Types whose other members only compute. */
const PURE =
  /^(?:math|datetime|datetimeoffset|timespan|guid|string|char|byte|int|int16|int32|int64|long|double|decimal|float|bool|boolean|uint32|uint64|bigint|version|uri|array|object|void|regex|text\..*|globalization\..*|collections\..*|linq\..*|convert|bitconverter|random|console|consolecolor|stringcomparison|stringsplitoptions|tuple|enum|type|pscustomobject|psobject|psctypes|hashtable|ordered|xml|xml\..*|json.*|net\.http\.headers\..*|net\.ipaddress|net\.servicepointmanager|net\.securityprotocoltype|net\.networkcredential|net\.webutility|web\.httputility|security\.cryptography\..*|runtime\.interopservices\.runtimeinformation|runtime\.interopservices\.osplatform|io\.path|io\.fileinfo|io\.directoryinfo|io\.searchoption|io\.fileaccess|io\.filemode|io\.fileattributes|io\.compression\..*|io\.memorystream|io\.stream\w*|diagnostics\.stopwatch|diagnostics\.fileversioninfo|environment|environmentvariabletarget|environment\+specialfolder|environment\.specialfolder|appdomain|gc|threading\..*|management\.automation\.\w+|security\.principal\.\w+|numerics\..*|drawing\..*|nullable.*|switch|scriptblock|securestring|pscredential|mailaddress|cultureinfo|wmiclass|adsi|ref|parameter|cmdletbinding|validate\w*|allow\w*|outputtype|alias|psmodule\w*)(?:\[.*\])?$/;

/** `[type]::name(args)`; `create` makes an object. What is not known is `unknown`. */
export function callStatic(call: MethodCall): Value {
  const method = STATIC.get(`${call.type}::${call.name}`);
  if (method) return method(call);
  if (call.name === 'new') return create(call.type, call.args, call.run, call.facts);
  if (/^text\.encoding/.test(call.type)) return decodesText(call);
  if (PURE.test(call.type)) return quiet(call);
  call.run.unknown(`[${call.type}]::${call.name} is not known`);
  return UNKNOWN;
}

/** Types of objects that can do something, once made. */
const ACTIVE: ReadonlyMap<string, string> = new Map([
  ['net.webclient', 'web'],
  ['net.http.httpclient', 'web'],
  ['diagnostics.process', 'diagnostics.process'],
  ['diagnostics.processstartinfo', 'startinfo'],
  ['io.fileinfo', 'Path'],
  ['io.directoryinfo', 'Path'],
  ['io.streamwriter', 'writer'],
  ['io.streamreader', 'reader'],
  ['io.filestream', 'writer'],
  ['net.sockets.tcpclient', 'socket'],
  ['net.sockets.udpclient', 'socket'],
  ['net.sockets.tcplistener', 'listener'],
  ['net.httplistener', 'httplistener'],
  ['net.mail.smtpclient', 'mail'],
  ['com wscript.shell', 'wscript'],
  ['com shell.application', 'shellapplication'],
  ['com scripting.filesystemobject', 'filesystemobject'],
  ['com msxml2.xmlhttp', 'xmlhttp'],
  ['com msxml2.serverxmlhttp', 'xmlhttp'],
  ['com winhttp.winhttprequest.5.1', 'xmlhttp'],
  ['com microsoft.xmlhttp', 'xmlhttp'],
  ['com internetexplorer.application', 'browser'],
  ['management.automation.scriptblock', 'block'],
]);

/** An object of a type. Those that can do nothing are not known further. */
export function create(type: string, args: readonly Value[], run: Run, facts: Facts): Value {
  const kind = ACTIVE.get(type);
  const [first, second] = args;
  if (kind === 'startinfo') {
    const members = [
      ...(first ? [['filename', first] as const] : []),
      ...(second ? [['arguments', second] as const] : []),
    ];
    return objectWith('startinfo', members);
  }
  if (kind === 'diagnostics.process') return objectWith(kind, []);
  if (kind === 'writer' && first && first.kind !== 'instance') {
    const target = targetOf(wordOf(first), true, facts);
    if (target.kind === 'file')
      run.write(target.word, args.length > 1 && type !== 'io.filestream' ? { traits: ['append'] } : {});
  } else if (kind === 'reader' && first && first.kind !== 'instance') {
    const target = targetOf(wordOf(first), true, facts);
    if (target.kind === 'file') run.read(target.word);
  } else if (kind === 'socket' && args.length > 0) {
    run.network(
      wordOf(
        args.length > 1 ? joinedTexts([first ?? UNKNOWN, textValue(':'), args[1] ?? UNKNOWN]) : (first ?? UNKNOWN),
      ),
      { traits: ['upload'] },
    );
  }
  if (kind === 'listener') return instance(kind, listValue(args));
  if (type === 'windows.security.credentials.passwordvault') return instance('vault');
  if (kind !== undefined) return instance(kind, first ?? null);
  if (type.startsWith('com ')) {
    run.unknown(`a COM object of type ${type.slice(4)}`);
    return UNKNOWN;
  }
  if (
    PURE.test(type) ||
    /^(?:net|io|windows\.forms|collections|text|management\.automation|componentmodel)\./.test(type)
  )
    return unknownValue('object');
  run.unknown(`an object of type ${type}`);
  return UNKNOWN;
}

const METHODS = table({
  'web.downloadstring web.downloadfile web.downloaddata web.downloadstringasync web.downloadfileasync web.downloadstringtaskasync web.downloadfiletaskasync web.openread web.getstringasync web.getasync web.getbytearrayasync web.getstreamasync':
    downloads,
  'web.uploadstring web.uploadfile web.uploaddata web.uploadvalues web.openwrite web.postasync web.putasync web.sendasync':
    uploads,
  'Path.delete': (call) => {
    call.run.delete(wordOf(call.receiver ?? UNKNOWN), { traits: call.args.length > 0 ? ['recursive'] : [] });
    return UNKNOWN;
  },
  'Path.moveto': (call) => {
    call.run.move(wordOf(call.receiver ?? UNKNOWN), path(call, call.args[0]));
    return UNKNOWN;
  },
  'Path.copyto': (call) => {
    call.run.copy(wordOf(call.receiver ?? UNKNOWN), path(call, call.args[0]));
    return UNKNOWN;
  },
  'Path.create Path.createtext Path.openwrite Path.appendtext Path.setaccesscontrol Path.encrypt': (call) => {
    call.run.write(wordOf(call.receiver ?? UNKNOWN));
    return UNKNOWN;
  },
  'Path.opentext Path.openread': (call) => {
    call.run.read(wordOf(call.receiver ?? UNKNOWN));
    return UNKNOWN;
  },
  'diagnostics.process.kill Process.kill diagnostics.process.closemainwindow': kills,
  'diagnostics.process.start': starts,
  'argumentlist.add': (call) => {
    if (call.receiver) addTo(call.receiver, call.args[0] ?? UNKNOWN);
    return UNKNOWN;
  },
  'wmi.delete wmi.delete_ wmi.delete_async': (call) => {
    deletesObject(
      call.run,
      knownText(call.receiver?.kind === 'instance' ? (call.receiver.about ?? undefined) : undefined),
    );
    return UNKNOWN;
  },
  'wmi.terminate wmi.stopservice wmi.pauseservice wmi.win32shutdown wmi.reboot wmi.shutdown': kills,
  'wmi.create': (call) => {
    call.run.code('cmd', wordOf(call.args[0] ?? UNKNOWN));
    return UNKNOWN;
  },
  'socket.connect socket.connectasync': connects,
  'prefixes.add': (call) => {
    const prefix = call.args[0] ? wordOf(call.args[0]) : null;
    if (prefix === null || /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])\b/i.test(prefix.text)) return UNKNOWN;
    call.run.network(exactWord(prefix.text.replace(/:\/\/[+*]/, '://0.0.0.0')), {
      method: 'LISTEN',
      traits: ['publish', 'outward'],
    });
    return UNKNOWN;
  },
  'listener.start': (call) => {
    const [address, port] =
      call.receiver?.kind === 'instance' && call.receiver.about?.kind === 'list' ? call.receiver.about.items : [];
    const isOwn = /loopback|127\.0\.0\.1|localhost/i.test(address ? wordOf(address).text : '');
    call.run.network(exactWord(`${isOwn ? '127.0.0.1' : '0.0.0.0'}:${port ? wordOf(port).text : ''}`), {
      method: 'LISTEN',
      traits: isOwn ? [] : ['publish', 'outward'],
    });
    return UNKNOWN;
  },
  'socket.getstream': (call) => instance('socketstream', call.receiver),
  'mail.send mail.sendmailasync': (call) => {
    call.run.network(wordOf(call.receiver ?? UNKNOWN), { traits: ['upload', 'publish'] });
    return UNKNOWN;
  },
  'wscript.run wscript.exec': (call) => {
    call.run.code('cmd', wordOf(call.args[0] ?? UNKNOWN));
    return UNKNOWN;
  },
  'shellapplication.shellexecute': (call) => {
    const [file = UNKNOWN, list, , verb] = call.args;
    const isPrivileged = /^runas/i.test(knownText(verb) ?? '');
    if (isPrivileged) call.run.emit('privilege', { type: 'process', process: 'runas' });
    call.run.carry([wordOf(file), ...splitArguments(list)], { isPrivileged });
    return UNKNOWN;
  },
  'wscript.regwrite wscript.regdelete': (call) => {
    const key = registryKey((knownText(call.args[0]) ?? '?').replace(/^(hkey_\w+|hk\w\w)/i, 'Registry::$1')) ?? '?';
    call.run.emit(call.name === 'regwrite' ? 'write' : 'delete', registryResource(key));
    return UNKNOWN;
  },
  'wscript.regread': quiet,
  'wscript.createshortcut': (call) => {
    call.run.write(path(call, call.args[0]));
    return UNKNOWN;
  },
  'filesystemobject.deletefile': deletes(false),
  'filesystemobject.deletefolder': (call) => {
    call.run.delete(path(call, call.args[0]), { traits: ['recursive'] });
    return UNKNOWN;
  },
  'filesystemobject.copyfile filesystemobject.copyfolder': copies,
  'filesystemobject.movefile filesystemobject.movefolder': moves,
  'filesystemobject.createtextfile filesystemobject.opentextfile': writes(),
  'xmlhttp.open': (call) => {
    const method = knownText(call.args[0])?.toUpperCase();
    call.run.network(wordOf(call.args[1] ?? UNKNOWN), method === undefined ? {} : { method });
    return UNKNOWN;
  },
  'browser.navigate browser.navigate2': downloads,
  'shellapplication.namespace shellapplication.windows shellapplication.minimizeall': quiet,
});

/** Takes an object of the system away: copies of a drive count as backups. */
export function deletesObject(run: Run, className: string | null): void {
  if (className !== null && /shadowcopy/i.test(className))
    run.emit(
      'delete',
      { type: 'remote', service: 'backups', name: 'shadow copies' },
      { traits: ['mass'], note: 'takes the copies away that the system keeps', reversible: 'no' },
    );
  else
    run.emit(
      'delete',
      { type: 'remote', service: 'wmi', name: className ?? '*' },
      { certainty: className === null ? 'dynamic' : 'exact', reversible: 'no' },
    );
}

/** A method of an object. Methods of texts and lists only compute; those of objects that are not known may do anything quiet. */
export function callMethod(call: MethodCall): Value {
  const { receiver, name } = call;
  if (receiver === null) return UNKNOWN;
  if (receiver.kind === 'instance' && receiver.type === 'block') {
    if (/^(?:invoke|invokereturnasis|invokewithcontext)$/.test(name)) return call.invoke(receiver, call.args);
    return receiver;
  }
  if (receiver.kind === 'instance') {
    const method = METHODS.get(`${receiver.type}.${name}`);
    if (method) return method(call);
    const built = receiver.type === 'pipeline' ? buildCommand(receiver, name, call.args) : null;
    if (built !== null) return built === receiver ? built : call.evaluate(built);
  }
  if (name === 'getcommand') return call.args[0] ?? UNKNOWN;
  if (name === 'getnetworkcredential' || name === 'retrievepassword' || name === 'retrieveall') {
    call.run.emit('read', { type: 'environment', name: 'credential' }, { traits: ['secret'] });
    return UNKNOWN;
  }
  if (receiver.kind === 'instance' && receiver.type === 'wmi' && !/^(?:get|is|to|equals)/.test(name)) {
    call.run.emit(
      'write',
      { type: 'remote', service: 'wmi', name: knownText(receiver.about ?? undefined) ?? '*' },
      { traits: ['edit'], note: 'changes an object of the system', reversible: 'no' },
    );
    return UNKNOWN;
  }
  if (/^(?:invokescript|invokecommand|newscriptblock)$/.test(name)) return call.evaluate(call.args[0] ?? UNKNOWN);
  if (/^(?:expandstring)$/.test(name)) return call.args[0] ?? UNKNOWN;
  if (/^(?:delete|kill|terminate|format)$/.test(name)) {
    const op = name === 'delete' ? 'delete' : 'kill';
    if (receiver.kind === 'text') return UNKNOWN;
    if (op === 'delete') call.run.delete(wordOf(receiver));
    else kills(call);
    return UNKNOWN;
  }
  if (/^(?:shellexecute|createprocess|exec|executeshellcommand)$/.test(name)) {
    call.run.code('cmd', wordOf(call.args[0] ?? UNKNOWN));
    return UNKNOWN;
  }
  return ofText(receiver, name, call.args) ?? unknownValue('result', originOf(receiver));
}

/** Methods of texts whose result can be known. */
function ofText(receiver: Value, name: string, args: readonly Value[]): Value | null {
  const [option] = optionsOf(receiver);
  if (option?.kind === 'text' && option.word.certainty === 'pattern' && /^(?:tostring|substring)$/.test(name))
    return option;
  const text = knownText(option);
  if (text === null) return null;
  const first = knownText(args[0]);
  const second = knownText(args[1]);
  switch (name) {
    case 'tolower':
    case 'tolowerinvariant':
      return textValue(text.toLowerCase());
    case 'toupper':
    case 'toupperinvariant':
      return textValue(text.toUpperCase());
    case 'trim':
    case 'trimstart':
    case 'trimend':
    case 'tostring':
      return textValue(name === 'tostring' ? text : text.trim());
    case 'replace':
      return first === null || second === null || first === '' ? null : replacedText(text, first, second);
    case 'split':
      return first === null || first === '' ? null : listValue(text.split(first).map(textValue));
    case 'substring': {
      const [from, length] = args;
      if (from?.kind !== 'number') return null;
      return textValue(text.slice(from.value, length?.kind === 'number' ? from.value + length.value : undefined));
    }
    case 'tochararray':
      return text.length > 200 ? null : listValue([...text].map(textValue));
    case 'insert':
      return args[0]?.kind === 'number' && second !== null
        ? textValue(text.slice(0, args[0].value) + second + text.slice(args[0].value))
        : null;
    default:
      return null;
  }
}

/** `'{0} {1}' -f a, b`. */
export function formatted(format: Value, values: readonly Value[]): Value {
  const text = knownText(format);
  if (text === null) return unknownValue('text');
  const items = values.length === 1 && values[0]?.kind === 'list' ? values[0].items : values;
  const pieces = text.split(/\{(\d+)(?:[,:][^}]*)?\}/);
  return joinedTexts(pieces.map((piece, at) => (at % 2 === 1 ? (items[Number(piece)] ?? UNKNOWN) : textValue(piece))));
}
