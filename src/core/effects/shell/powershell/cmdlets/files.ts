import type { Trait } from '../../../effect.js';
import {
  concatenated,
  instance,
  joinedTexts,
  knownText,
  listValue,
  textValue,
  UNKNOWN,
  unknownValue,
  wordOf,
  wordValue,
  type Value,
} from '../../../code/value.js';
import { setVariable } from '../../environmentTraps.js';
import { isSecretName } from '../../secretNames.js';
import { exactWord } from '../../word.js';
import {
  cmdlet,
  eachOf,
  given,
  has,
  passed,
  targets,
  type Cmdlet,
  type CmdletCall,
  type CmdletRow,
} from '../cmdlet.js';
import { isRunKey, registryResource, targetOf, type Target } from '../target.js';

/** Does something to each target by its kind. What has no meaning for a kind is nothing. */
function toEach(
  call: CmdletCall,
  found: readonly Target[],
  file: (word: ReturnType<typeof wordOf>) => void,
  op: 'read' | 'list' | 'write' | 'delete',
): void {
  const { run } = call;
  for (const target of found) {
    switch (target.kind) {
      case 'file':
        file(target.word);
        break;
      case 'registry':
        touchRegistry(call, target.key, op);
        break;
      case 'environment':
        if (op === 'read' || op === 'list') readEnvironment(call, target.name);
        else if (op === 'write') setVariable(run, target.name.toUpperCase(), wordOf(given(call, 'value') ?? UNKNOWN));
        break;
      case 'certificate':
        if (op === 'read')
          run.emit('read', { type: 'remote', service: 'certificates', name: target.name }, { traits: ['secret'] });
        else if (op !== 'list') run.emit(op, { type: 'remote', service: 'certificates', name: target.name });
        break;
      case 'session':
        break;
    }
  }
}

/** Reads and changes of keys; a key that makes something run later is `persist` as well. */
export function touchRegistry(
  call: CmdletCall,
  key: string,
  op: 'read' | 'list' | 'write' | 'delete',
  traits: readonly Trait[] = [],
): void {
  call.run.emit(op, registryResource(key), { traits, reversible: op === 'read' || op === 'list' ? 'yes' : 'no' });
  if (op === 'write' && isRunKey(key))
    call.run.emit('persist', registryResource(key), { note: 'a key of the registry that makes something run' });
}

function readEnvironment(call: CmdletCall, name: string): void {
  if (name === '' || name.includes('*')) {
    call.run.emit('read', { type: 'environment', name: '*' }, { traits: ['secret', 'mass'] });
    return;
  }
  call.run.emit('read', { type: 'environment', name }, { traits: isSecretName(name) ? ['secret'] : [] });
}

const reads: Cmdlet = (call) => {
  toEach(
    call,
    targets(call, 'path', 'filepath', 'inputobject'),
    (word) => {
      call.run.read(word);
      call.read.add(word.text);
    },
    'read',
  );
  return unknownValue('content');
};

/** `Select-String -Path x pattern`; through the pipeline it looks at texts, or at the files that are listed. */
const searches: Cmdlet = (call) => {
  const isListing =
    call.piped !== null && eachOf(call.piped).some((value) => value.kind === 'instance' && value.type === 'Path');
  if (given(call, 'path', 'literalpath') === null && !isListing) return call.piped ?? UNKNOWN;
  return reads(call);
};

const lists: Cmdlet = (call) => {
  const found = targets({ ...call, piped: null }, 'path');
  const start = found.length > 0 ? found : [targetOf(exactWord('.'), true, call.frame.facts)];
  const isDeep = has(call, 'recurse') || given(call, 'depth') !== null || has(call, 's');
  const filter = given(call, 'filter', 'include');
  const filters = filter === null ? [null] : eachOf(filter).map((value) => knownText(value));
  toEach(call, start, (word) => call.run.list(word, { traits: isDeep ? ['recursive'] : [] }), 'list');
  const items = start.flatMap((target): Value[] => {
    if (target.kind !== 'file') return target.kind === 'environment' ? [instance('Environment')] : [UNKNOWN];
    const { word } = target;
    if (word.certainty === 'dynamic') return [instance('Path', unknownValue('item'))];
    // A path with wildcards names the things themselves, as does one of a file.
    const isFile = call.frame.facts.entry(word.text) === 'file';
    if (isFile || (word.certainty === 'pattern' && filter === null && !isDeep))
      return [instance('Path', wordValue(word))];
    return filters.map((name) => instance('Path', wordValue(foundBelow(word, name, isDeep))));
  });
  return listValue(items, true);
};

/** What a listing of a folder gives; `name` is the pattern that it leaves. `src\\*.ts` goes on below when it is deep. */
function foundBelow(
  folder: ReturnType<typeof wordOf>,
  name: string | null,
  isDeep: boolean,
): ReturnType<typeof wordOf> {
  const at = folder.text.lastIndexOf('/');
  const last = folder.text.slice(at + 1);
  const isPattern = folder.certainty === 'pattern' && last.includes('*');
  const base = isPattern ? (at < 0 ? '.' : folder.text.slice(0, at)) : folder.text.replace(/\/$/, '');
  const below = `/${isDeep && (name !== null || isPattern) ? '**/' : ''}${name ?? (isPattern ? last : '*')}`;
  const glob = { text: below, raw: below, certainty: 'pattern' as const, quoted: false };
  return concatenated({ ...folder, text: base }, glob);
}

const looksAt: Cmdlet = (call) => {
  const found = targets(call, 'path');
  toEach(call, found, (word) => call.run.list(word), 'list');
  const items = found.map((target) => (target.kind === 'file' ? instance('Path', wordValue(target.word)) : UNKNOWN));
  return listValue(items.length > 0 ? items : [UNKNOWN], true);
};

const removes: Cmdlet = (call) => {
  // `rd /s /q x` is cmd's; whoever writes it here means that.
  const plain = [given(call, 'path'), ...call.binding.rest].flatMap((value) => (value === null ? [] : [wordOf(value)]));
  if (plain.some(({ text }) => /^\/[sqf]$/i.test(text)))
    call.run.code('cmd', { ...exactWord(''), text: ['rd', ...plain.map(({ text }) => text)].join(' ') });
  const traits: Trait[] = [];
  if (has(call, 'recurse')) traits.push('recursive');
  if (has(call, 'force')) traits.push('force', ...(has(call, 'recurse') ? [] : (['unprotects'] as const)));
  const found = targets(call, 'path');
  const filter = given(call, 'filter', 'include');
  if (found.length === 0) call.run.unknown('Remove-Item without a path');
  for (const target of found) {
    if (target.kind === 'file' && filter !== null && target.word.certainty !== 'dynamic') {
      const narrowed = wordOf(
        joinedTexts([wordValue({ ...target.word, text: target.word.text.replace(/\/?\*?$/, '') }), filter], '/'),
      );
      call.run.delete({ ...narrowed, certainty: 'pattern' }, { traits });
    } else if (target.kind === 'environment') {
      call.run.changeTerminal((terminal) => ({
        ...terminal,
        variables: without(terminal.variables, target.name.toUpperCase()),
      }));
    } else toEach(call, [target], (word) => call.run.delete(word, { traits }), 'delete');
  }
  return UNKNOWN;
};

function without<T>(map: ReadonlyMap<string, T>, name: string): ReadonlyMap<string, T> {
  const rest = new Map(map);
  rest.delete(name);
  return rest;
}

function textOf(call: CmdletCall): Value {
  return given(call, 'value', 'inputobject') ?? call.piped ?? UNKNOWN;
}

const writes =
  (mode: 'replace' | 'append'): Cmdlet =>
  (call) => {
    const isAppended = mode === 'append' || has(call, 'append');
    const found = targets({ ...call, piped: null }, 'path', 'filepath');
    const whole = textOf(call);
    const text = whole.kind === 'list' && !whole.isOpen ? joinedTexts(whole.items, '\n') : whole;
    if (text.kind === 'text') call.run.outputs(wordOf(text));
    toEach(
      call,
      found,
      (word) => {
        const isEdited = text.kind !== 'text' && call.read.has(word.text);
        const traits: readonly Trait[] = isAppended ? ['append'] : isEdited ? ['edit'] : [];
        call.run.write(word, { text: wordOf(text), traits });
      },
      'write',
    );
    return UNKNOWN;
  };

/** `New-Item`: a file, a folder, a link or junction, a key. */
const makes: Cmdlet = (call) => {
  const path = given(call, 'path') ?? textValue('.');
  const name = given(call, 'name');
  const whole = name === null ? path : joinedTexts([path, name], '/');
  const type = (knownText(given(call, 'itemtype', 'type') ?? undefined) ?? 'file').toLowerCase();
  const isLink = /link|junction/.test(type);
  for (const value of eachOf(whole)) {
    const target = targetOf(wordOf(value), false, call.frame.facts);
    toEach(
      call,
      [target],
      (word) =>
        call.run.write(word, {
          ...(type === 'directory' || isLink || !has(call, 'force') ? { traits: ['create'] } : {}),
          ...(type === 'file' ? { text: wordOf(given(call, 'value') ?? textValue('')) } : {}),
        }),
      'write',
    );
    if (isLink && target.kind === 'file')
      call.run.list(wordOf(given(call, 'value', 'target') ?? UNKNOWN), { note: 'is linked to' });
  }
  return instance('Path', whole);
};

const copies: Cmdlet = (call) => {
  const traits: Trait[] = [];
  if (has(call, 'recurse')) traits.push('recursive');
  if (has(call, 'force')) traits.push('force');
  transfer(call, traits, (from, to) => call.run.copy(from, to, { traits }));
  return passed(call);
};

const moves: Cmdlet = (call) => {
  const traits: Trait[] = has(call, 'force') ? ['force'] : [];
  transfer(call, traits, (from, to) => call.run.move(from, to, { traits }));
  return passed(call);
};

function transfer(
  call: CmdletCall,
  traits: readonly Trait[],
  file: (from: ReturnType<typeof wordOf>, to: ReturnType<typeof wordOf>) => void,
): void {
  const destination = given(call, 'destination', 'newname') ?? textValue('.');
  for (const from of targets(call, 'path')) {
    for (const value of eachOf(destination)) {
      const to = targetOf(wordOf(value), true, call.frame.facts);
      if (from.kind === 'file' && to.kind === 'file') {
        const word = call.name.startsWith('Rename') ? beside(from.word, to.word) : to.word;
        file(from.word, word);
      } else {
        toEach(call, [from], (word) => call.run.read(word, { traits }), 'read');
        toEach(call, [to], (word) => call.run.write(word), 'write');
      }
    }
  }
}

/** The new name of a renamed file stands in the folder of the old one. */
function beside(from: ReturnType<typeof wordOf>, name: ReturnType<typeof wordOf>): ReturnType<typeof wordOf> {
  const at = from.text.lastIndexOf('/');
  return at < 0 || name.text.includes('/') ? name : concatenated({ ...from, text: from.text.slice(0, at + 1) }, name);
}

const clears: Cmdlet = (call) => {
  toEach(call, targets(call, 'path'), (word) => call.run.write(word, { traits: ['overwrite'] }), 'write');
  return UNKNOWN;
};

/** Values of registry keys, and attributes of files. */
const setsProperty: Cmdlet = (call) => {
  const name = knownText(given(call, 'name') ?? undefined) ?? '';
  for (const target of targets(call, 'path')) {
    if (target.kind === 'registry') {
      const isPolicy =
        /\\(?:executionpolicy|enablelua|disableantispyware|disablerealtimemonitoring|enablefirewall)$/i.test(
          `${target.key}\\${name}`,
        );
      touchRegistry(
        call,
        target.key,
        /^(?:Remove|Clear)/.test(call.name) ? 'delete' : 'write',
        isPolicy ? ['removes-check'] : [],
      );
    } else toEach(call, [target], (word) => call.run.write(word, { traits: ['edit'] }), 'write');
  }
  return UNKNOWN;
};

const compresses: Cmdlet = (call) => {
  toEach(call, targets(call, 'path'), (word) => call.run.read(word, { traits: ['recursive'] }), 'read');
  const target = targetOf(wordOf(given(call, 'destinationpath') ?? UNKNOWN), true, call.frame.facts);
  toEach(call, [target], (word) => call.run.write(word, has(call, 'update') ? { traits: ['edit'] } : {}), 'write');
  return UNKNOWN;
};

const expands: Cmdlet = (call) => {
  toEach(call, targets(call, 'path'), (word) => call.run.read(word), 'read');
  const target = targetOf(wordOf(given(call, 'destinationpath') ?? textValue('.')), true, call.frame.facts);
  const traits: Trait[] = has(call, 'force') ? ['recursive', 'force'] : ['recursive', 'create'];
  toEach(call, [target], (word) => call.run.write(word, { traits }), 'write');
  return UNKNOWN;
};

const changesRights: Cmdlet = (call) => {
  toEach(
    { ...call, piped: null },
    targets({ ...call, piped: null }, 'path'),
    (word) => call.run.write(word, { traits: ['edit', 'grants-access'] }),
    'write',
  );
  return UNKNOWN;
};

const joinsPath: Cmdlet = (call) => {
  const parts = [
    given(call, 'path') ?? call.piped ?? UNKNOWN,
    given(call, 'childpath'),
    given(call, 'additionalchildpath'),
  ];
  return joinedTexts(
    parts
      .filter((part): part is Value => part !== null)
      .flatMap((part) => (part.kind === 'list' ? part.items : [part])),
    '/',
  );
};

const splitsPath: Cmdlet = (call) => {
  const word = wordOf(given(call, 'path', 'literalpath') ?? call.piped ?? UNKNOWN);
  if (word.certainty === 'dynamic') return unknownValue('path');
  const text = word.text.replaceAll('\\', '/').replace(/\/+$/, '');
  const at = text.lastIndexOf('/');
  if (has(call, 'leaf') || has(call, 'leafbase')) return textValue(text.slice(at + 1));
  return wordValue({ ...word, text: at > 0 ? text.slice(0, at) : at === 0 ? '/' : '.' });
};

const changesFolder: Cmdlet = (call) => {
  const [target] = targets(call, 'path');
  if (target?.kind === 'file')
    call.run.changeTerminal((terminal) => ({ ...terminal, ...moved(terminal, target.word, call) }));
  else if (target) call.run.changeTerminal((terminal) => ({ ...terminal, cwd: null, mayBeIn: [] }));
  return UNKNOWN;
};

function moved(
  terminal: Parameters<Parameters<CmdletCall['run']['changeTerminal']>[0]>[0],
  word: ReturnType<typeof wordOf>,
  call: CmdletCall,
): Partial<typeof terminal> {
  const stack =
    /^Push/.test(call.name) && terminal.cwd !== null
      ? [...terminal.directoryStack, terminal.cwd]
      : terminal.directoryStack;
  if (word.certainty !== 'exact') return { cwd: null, mayBeIn: [], previousCwd: terminal.cwd, directoryStack: stack };
  if (word.text === '-')
    return { cwd: terminal.previousCwd, mayBeIn: [], previousCwd: terminal.cwd, directoryStack: stack };
  const { facts } = call.frame;
  const cwd = call.folder(word.text);
  return { cwd: facts.realPath(cwd), mayBeIn: [], previousCwd: terminal.cwd, directoryStack: stack };
}

const popsFolder: Cmdlet = (call) => {
  call.run.changeTerminal((terminal) => ({
    ...terminal,
    cwd: terminal.directoryStack.at(-1) ?? null,
    mayBeIn: [],
    previousCwd: terminal.cwd,
    directoryStack: terminal.directoryStack.slice(0, -1),
  }));
  return UNKNOWN;
};

const opensItem: Cmdlet = (call) => {
  for (const target of targets(call, 'path')) {
    if (target.kind !== 'file') continue;
    if (/\.ms[ipu]$/i.test(target.word.text)) call.run.install('msi', target.word);
    else if (/\.(?:ps1|bat|cmd|exe|com|vbs|js|wsf|py|lnk|hta|scr)$/i.test(target.word.text))
      call.run.carry([target.word]);
    else call.run.read(target.word);
  }
  return UNKNOWN;
};

const tees: Cmdlet = (call) => {
  if (given(call, 'filepath', 'literalpath') !== null) writes(has(call, 'append') ? 'append' : 'replace')(call);
  return call.piped ?? UNKNOWN;
};

/** Cmdlets on files, folders, registry keys and other drives. Source: Microsoft.PowerShell.Management and .Utility 7.4. */
export const fileCmdlets: readonly CmdletRow[] = [
  ...cmdlet(
    'Get-Content Import-Csv Import-Clixml Import-PowerShellDataFile Format-Hex Get-FileHash Test-FileCatalog|Path|LiteralPath FilePath InputObject TotalCount First Head Tail Last ReadCount Delimiter Encoding Stream Filter Include Exclude Credential Algorithm Header Count Offset|Wait Raw AsByteStream Force UseCulture',
    reads,
    'reads',
  ),
  ...cmdlet(
    'Select-String|Pattern Path|LiteralPath InputObject Include Exclude Context Encoding Culture|SimpleMatch CaseSensitive Quiet List NoEmphasis NotMatch AllMatches Raw',
    searches,
    'reads',
  ),
  ...cmdlet(
    'Get-ChildItem|Path Filter|LiteralPath Include Exclude Depth Attributes Credential|Recurse Force Name Directory File Hidden ReadOnly System FollowSymlink s',
    lists,
    'reads',
  ),
  ...cmdlet(
    'Get-Item Get-ItemProperty Get-ItemPropertyValue Get-Acl Test-Path Resolve-Path Convert-Path Get-PSDrive Get-AuthenticodeSignature|Path Name|LiteralPath Filter Include Exclude Credential PathType Stream InputObject NewerThan OlderThan RelativeBasePath PSProvider Scope|Force Relative IsValid Audit AllCentralAccessPolicies',
    looksAt,
    'reads',
  ),
  ...cmdlet('Remove-Item|Path|LiteralPath Filter Include Exclude Credential Stream|Recurse Force', removes),
  ...cmdlet(
    'Set-Content Out-File Export-Csv Export-Clixml Export-Alias|Path Value|LiteralPath FilePath InputObject Encoding Filter Include Exclude Credential Stream Delimiter Depth Width QuoteFields UseQuotes|Force NoNewline AsByteStream Append NoClobber NoTypeInformation IncludeTypeInformation UseCulture NoHeader',
    writes('replace'),
  ),
  ...cmdlet(
    'Add-Content|Path Value|LiteralPath Encoding Filter Include Exclude Credential Stream|Force NoNewline AsByteStream PassThru',
    writes('append'),
  ),
  ...cmdlet('Tee-Object|FilePath|LiteralPath InputObject Variable Encoding|Append', tees),
  ...cmdlet('New-Item|Path|Name ItemType Type Value Target Credential|Force', makes),
  ...cmdlet('mkdir|Path|Name Value Credential|Force p', (call) =>
    makes({
      ...call,
      binding: { ...call.binding, given: new Map([...call.binding.given, ['itemtype', textValue('directory')]]) },
    }),
  ),
  ...cmdlet('New-TemporaryFile||', () =>
    wordValue({ text: '/tmp/tmp*', raw: '/tmp/tmp*', certainty: 'pattern', quoted: false }),
  ),
  ...cmdlet(
    'Copy-Item|Path Destination|LiteralPath Filter Include Exclude Credential FromSession ToSession|Recurse Force PassThru Container',
    copies,
  ),
  ...cmdlet('Move-Item|Path Destination|LiteralPath Filter Include Exclude Credential|Force PassThru', moves),
  ...cmdlet('Rename-Item|Path NewName|LiteralPath Credential|Force PassThru', moves),
  ...cmdlet('Clear-Content Clear-Item|Path|LiteralPath Filter Include Exclude Credential Stream|Force', clears),
  ...cmdlet('Set-Item|Path Value|LiteralPath Filter Include Exclude Credential|Force PassThru', clears),
  ...cmdlet(
    'Set-ItemProperty New-ItemProperty Remove-ItemProperty Clear-ItemProperty Rename-ItemProperty Copy-ItemProperty Move-ItemProperty|Path Name Value|LiteralPath PropertyType Type InputObject Filter Include Exclude Credential NewName Destination|Force PassThru',
    setsProperty,
  ),
  ...cmdlet('Compress-Archive|Path DestinationPath|LiteralPath CompressionLevel|Update Force PassThru', compresses),
  ...cmdlet('Expand-Archive|Path DestinationPath|LiteralPath|Force PassThru', expands),
  ...cmdlet(
    'Set-Acl|Path AclObject|LiteralPath InputObject Filter Include Exclude|Passthru ClearCentralAccessPolicy',
    changesRights,
  ),
  ...cmdlet('Unblock-File|Path|LiteralPath|', (call) => {
    toEach(call, targets(call, 'path'), (word) => call.run.write(word, { traits: ['edit', 'removes-check'] }), 'write');
    return UNKNOWN;
  }),
  ...cmdlet('Join-Path|Path ChildPath AdditionalChildPath|Credential|Resolve', joinsPath, 'reads'),
  ...cmdlet(
    'Split-Path|Path|LiteralPath Credential|Parent Leaf LeafBase Extension Qualifier NoQualifier Resolve IsAbsolute',
    splitsPath,
    'reads',
  ),
  ...cmdlet('Set-Location Push-Location|Path|LiteralPath StackName|PassThru', changesFolder, 'reads'),
  ...cmdlet('Pop-Location||StackName|PassThru', popsFolder, 'reads'),
  ...cmdlet(
    'Get-Location||PSProvider PSDrive StackName|Stack',
    (call) => (call.frame.terminal.cwd === null ? UNKNOWN : textValue(call.frame.terminal.cwd)),
    'reads',
  ),
  ...cmdlet('Invoke-Item|Path|LiteralPath Filter Include Exclude Credential|', opensItem),
  ...cmdlet('Clear-RecycleBin|DriveLetter||Force', (call) => {
    call.run.emit('delete', { type: 'remote', service: 'recycle-bin', name: 'all' }, { traits: ['mass'] });
    return UNKNOWN;
  }),
];
