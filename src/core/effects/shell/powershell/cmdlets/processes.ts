import { fromBase64, utf16 } from '../../../encoding.js';
import { instance, knownText, listValue, UNKNOWN, unknownValue, wordOf, type Value } from '../../../code/value.js';
import { exactWord } from '../../word.js';
import { cmdlet, eachOf, given, type Cmdlet, type CmdletRow } from '../cmdlet.js';
import { putInto, splitArguments } from '../startInfo.js';

const persists =
  (what: string, note: string): Cmdlet =>
  (call) => {
    const name = knownText(given(call, 'taskname', 'name') ?? undefined) ?? what;
    call.run.emit('persist', { type: 'process', process: name }, { note });
    return UNKNOWN;
  };

const kills: Cmdlet = (call) => {
  const target = given(call, 'id', 'name', 'inputobject') ?? call.piped ?? UNKNOWN;
  for (const value of eachOf(target)) {
    // What this session has started itself is its own to stop.
    if (value.kind === 'instance' && value.type === 'OwnProcess') {
      const word = wordOf(value);
      call.run.emit(
        'kill',
        { type: 'process', process: word.text },
        { certainty: word.certainty, traits: ['own-process'] },
      );
      continue;
    }
    const text = knownText(value);
    const isNamed = given(call, 'name') !== null;
    call.run.emit(
      'kill',
      { type: 'process', process: text ?? 'process' },
      {
        certainty: text === null ? 'dynamic' : isNamed ? 'pattern' : 'exact',
        traits: isNamed || text === null ? ['mass'] : [],
      },
    );
  }
  return UNKNOWN;
};

/** `Start-Process file -ArgumentList …`: a program, a document or an address; `-Verb RunAs` takes more rights. */
const starts: Cmdlet = (call) => {
  const file = given(call, 'filepath') ?? call.piped ?? UNKNOWN;
  const list = given(call, 'argumentlist');
  const isElevated = /^runas/i.test(knownText(given(call, 'verb') ?? undefined) ?? '');
  if (isElevated) call.run.emit('privilege', { type: 'process', process: 'runas' });
  const text = knownText(file) ?? '';
  if (/^https?:\/\//i.test(text)) {
    call.run.network(wordOf(file), { method: 'GET' });
    return UNKNOWN;
  }
  for (const [name, op] of [
    ['redirectstandardoutput', 'write'],
    ['redirectstandarderror', 'write'],
    ['redirectstandardinput', 'read'],
  ] as const) {
    const path = given(call, name);
    if (path) call.run[op](wordOf(path));
  }
  const folder = given(call, 'workingdirectory');
  const argv = [wordOf(file), ...splitArguments(list ?? undefined)];
  call.run.carry(argv, { isPrivileged: isElevated, ...(folder === null ? {} : { cwd: wordOf(folder) }) });
  return instance('OwnProcess', file);
};

const evaluates: Cmdlet = (call) => call.evaluate(given(call, 'command') ?? call.piped ?? UNKNOWN);

/** Blocks that run elsewhere or later; on another machine their paths are not of this one. */
const invokes: Cmdlet = (call) => {
  const block = given(call, 'scriptblock', 'command', 'initializationscript') ?? UNKNOWN;
  const machine = given(call, 'computername', 'hostname', 'session', 'vmname', 'containerid', 'connectionuri');
  const file = given(call, 'filepath');
  if (machine !== null) {
    const name = knownText(machine) ?? 'another machine';
    const isOwn = /^(?:localhost|127\.0\.0\.1|\.)$/i.test(name);
    if (!isOwn) {
      call.run.network(wordOf(machine), { traits: ['upload'] });
      call.run.elsewhere({ type: 'url', url: `winrm://${name}`, host: name, port: null, method: null }, [
        exactWord('powershell'),
        exactWord('-Command'),
        blockWord(block),
      ]);
      return unknownValue('output', 'network');
    }
  }
  if (file !== null) {
    call.run.script('powershell', wordOf(file));
    return UNKNOWN;
  }
  const args = given(call, 'argumentlist');
  return block.kind === 'function' || block.kind === 'instance'
    ? call.invoke(block, null, args === null ? [] : eachOf(args))
    : call.evaluate(block);
};

const blockWord = (block: Value): ReturnType<typeof wordOf> =>
  block.kind === 'instance' && block.type === 'block' && block.about ? wordOf(block.about) : wordOf(block);

const jobs: Cmdlet = (call) => {
  invokes(call);
  return instance('Job');
};

/** Each item through a block, in `ForEach-Object`; a text names a member. */
const forEach: Cmdlet = (call) => {
  const blocks = ['begin', 'process', 'parallel', 'end', 'scriptblock']
    .map((name) => given(call, name))
    .filter((value): value is Value => value !== null);
  const more = call.binding.rest.filter((value) => value.kind === 'instance' && value.type === 'block');
  const items = call.piped === null ? [UNKNOWN] : eachOf(call.piped).slice(0, 40);
  const results: Value[] = [];
  for (const block of [...blocks, ...more]) {
    if (block.kind === 'text') {
      const args = given(call, 'argumentlist');
      for (const item of items)
        results.push(call.member(item, wordOf(block).text.toLowerCase(), args === null ? [] : eachOf(args)));
    } else for (const item of items) results.push(call.invoke(block, item));
  }
  const name = given(call, 'membername');
  if (name) for (const item of items) results.push(call.member(item, wordOf(name).text.toLowerCase(), []));
  return listValue(results, true);
};

/** Keeps some of what comes; the block is only asked, but may do things. */
const filters: Cmdlet = (call) => {
  const block = given(call, 'filterscript');
  const items = call.piped === null ? [UNKNOWN] : eachOf(call.piped).slice(0, 40);
  if (block?.kind === 'instance') for (const item of items) call.invoke(block, item);
  return call.piped ?? UNKNOWN;
};

const measures: Cmdlet = (call) => {
  const block = given(call, 'expression');
  return block === null ? UNKNOWN : call.invoke(block, null);
};

/** Source code of C# or an assembly: it runs in this process, and is not looked into. */
const addsType: Cmdlet = (call) => {
  const name = knownText(given(call, 'assemblyname') ?? undefined);
  if (name !== null && /^(?:System|Microsoft|Presentation|Windows)/i.test(name)) return UNKNOWN;
  call.run.emit(
    'execute',
    { type: 'process', process: name ?? 'Add-Type' },
    { certainty: 'dynamic', traits: ['unreviewed'] },
  );
  return UNKNOWN;
};

const importsModule: Cmdlet = (call) => {
  for (const value of eachOf(given(call, 'name', 'path', 'assembly') ?? UNKNOWN)) {
    const text = knownText(value);
    if (text !== null && /[\\/]|\.psm?1$|\.dll$/i.test(text)) {
      if (/\.psm?1$/i.test(text)) call.run.script('powershell', wordOf(value));
      else
        call.run.emit('execute', { type: 'process', process: text }, { certainty: 'dynamic', traits: ['unreviewed'] });
    } else
      // A module that is installed would be loaded by the first of its cmdlets anyway.
      call.run.emit(
        'execute',
        { type: 'process', process: text ?? 'module' },
        text === null ? { certainty: 'dynamic', traits: ['unreviewed'] } : {},
      );
  }
  return UNKNOWN;
};

const changesService: Cmdlet = (call) => {
  const name = knownText(given(call, 'name', 'displayname', 'inputobject') ?? call.piped ?? undefined) ?? 'service';
  const isEnd = /^(?:Stop|Remove|Suspend)/.test(call.name);
  if (isEnd) call.run.emit('kill', { type: 'process', process: name }, { note: 'a service' });
  else if (/^(?:New|Set)/.test(call.name))
    call.run.emit('persist', { type: 'process', process: name }, { note: 'a service that the system starts' });
  else call.run.emit('execute', { type: 'process', process: name }, { traits: ['daemon'] });
  return UNKNOWN;
};

const restarts: Cmdlet = (call) => {
  call.run.emit(
    'kill',
    { type: 'process', process: 'system' },
    { traits: ['mass'], note: 'stops or restarts the machine' },
  );
  return UNKNOWN;
};

/** `New-Object Net.WebClient`, `New-Object -ComObject WScript.Shell`. */
const makesObject: Cmdlet = (call) => {
  const com = given(call, 'comobject');
  const type = knownText(given(call, 'typename') ?? com ?? undefined);
  if (type === null) {
    call.run.unknown('an object of a type that is chosen when it runs');
    return UNKNOWN;
  }
  const name = type.toLowerCase().replace(/^system\./, '');
  const args = given(call, 'argumentlist');
  const object = call.create(com === null ? name : `com ${name}`, args === null ? [] : eachOf(args));
  const members = given(call, 'property');
  if (members?.kind === 'map') for (const [member, value] of members.entries) putInto(object, member, value);
  return object;
};

const setsAlias: Cmdlet = (call) => {
  const name = knownText(given(call, 'name') ?? undefined);
  const value = knownText(given(call, 'value') ?? undefined);
  if (name === null || value === null) {
    call.run.unknown('an alias that is not known');
    return UNKNOWN;
  }
  call.run.changeTerminal((terminal) => ({
    ...terminal,
    aliases: new Map(terminal.aliases).set(name.toLowerCase(), value),
  }));
  return UNKNOWN;
};

const setsVariable: Cmdlet = (call) => {
  const name = knownText(given(call, 'name') ?? undefined);
  if (name !== null) call.assign(name.toLowerCase(), given(call, 'value') ?? call.piped ?? UNKNOWN);
  return UNKNOWN;
};

const getsVariable: Cmdlet = (call) => {
  const name = knownText(given(call, 'name') ?? undefined);
  return name === null ? UNKNOWN : call.variable(name.toLowerCase());
};

/** Decodes what `-EncodedCommand` takes: base64 of UTF-16 with the low byte first. */
export function encodedCommand(text: string): string | null {
  const bytes = fromBase64(text);
  return bytes === null || bytes.length < 2 ? null : utf16(bytes);
}

const runsHistory: Cmdlet = (call) => {
  call.run.unknown('a line of the history');
  return UNKNOWN;
};

const readsPipeline: Cmdlet = (call) => call.piped ?? UNKNOWN;

/** Cmdlets that run code and programs, and change what runs. Source: Microsoft.PowerShell.Core, .Management and ScheduledTasks. */
export const processCmdlets: readonly CmdletRow[] = [
  ...cmdlet('Stop-Process|Id|Name InputObject|Force PassThru', kills),
  ...cmdlet(
    'Start-Process|FilePath ArgumentList|WorkingDirectory Credential Verb WindowStyle RedirectStandardOutput RedirectStandardError RedirectStandardInput Environment|Wait NoNewWindow PassThru LoadUserProfile UseNewEnvironment',
    starts,
  ),
  ...cmdlet('Invoke-Expression|Command||', evaluates, 'reads'),
  ...cmdlet(
    'Invoke-Command|ScriptBlock|ComputerName HostName Session FilePath ArgumentList Credential Port VMName ContainerId ConnectionUri ThrottleLimit InputObject UserName KeyFilePath Authentication JobName ConfigurationName|AsJob UseSSL NoNewScope HideComputerName RunAsAdministrator InDisconnectedSession',
    invokes,
    'reads',
  ),
  ...cmdlet(
    'Start-Job Start-ThreadJob|ScriptBlock|FilePath Name ArgumentList InitializationScript WorkingDirectory InputObject Credential ThrottleLimit PSVersion|RunAs32',
    jobs,
    'reads',
  ),
  ...cmdlet(
    'ForEach-Object|Process|Begin End RemainingScripts Parallel MemberName ArgumentList InputObject ThrottleLimit TimeoutSeconds|AsJob UseNewRunspace',
    forEach,
    'reads',
  ),
  ...cmdlet(
    'Where-Object|FilterScript Value|Property InputObject|EQ NE GT GE LT LE Like NotLike Match NotMatch Contains NotContains In NotIn Is IsNot Not CEQ CNE CMatch CLike',
    filters,
    'reads',
  ),
  ...cmdlet(
    'Measure-Command Trace-Command|Expression|InputObject Name FilePath Option ListenerOption|PSHost Debugger Force',
    measures,
    'reads',
  ),
  ...cmdlet(
    'Add-Type|TypeDefinition|Name MemberDefinition Namespace UsingNamespace Path LiteralPath AssemblyName ReferencedAssemblies Language OutputAssembly OutputType CompilerOptions|PassThru IgnoreWarnings',
    addsType,
    'reads',
  ),
  ...cmdlet(
    'Import-Module|Name|Path Assembly ModuleInfo Function Cmdlet Variable Alias Prefix MinimumVersion MaximumVersion RequiredVersion ArgumentList Scope PSSession CimSession|Force Global PassThru AsCustomObject NoClobber DisableNameChecking SkipEditionCheck UseWindowsPowerShell',
    importsModule,
    'reads',
  ),
  ...cmdlet('Add-PSSnapin|Name||PassThru', importsModule, 'reads'),
  ...cmdlet(
    'Stop-Service Start-Service Restart-Service Suspend-Service Resume-Service Set-Service New-Service Remove-Service|Name BinaryPathName|DisplayName InputObject Include Exclude StartupType Status Description Credential ComputerName DependsOn SecurityDescriptorSddl|Force NoWait PassThru',
    changesService,
  ),
  ...cmdlet(
    'Restart-Computer Stop-Computer Suspend-Computer|ComputerName|Credential Timeout Delay For Protocol|Force Wait AsJob',
    restarts,
  ),
  ...cmdlet('New-Object|TypeName ArgumentList|ComObject Property|Strict', makesObject, 'reads'),
  ...cmdlet('Set-Alias New-Alias|Name Value|Description Option Scope|Force PassThru', setsAlias, 'reads'),
  ...cmdlet(
    'Set-Variable New-Variable|Name Value|Description Option Scope Visibility Include Exclude|Force PassThru',
    setsVariable,
    'reads',
  ),
  ...cmdlet('Get-Variable|Name|Scope Include Exclude|ValueOnly', getsVariable, 'reads'),
  ...cmdlet('Invoke-History|Id||', runsHistory, 'reads'),
  ...cmdlet(
    'Register-ScheduledTask Set-ScheduledTask Enable-ScheduledTask Register-ScheduledJob Set-ScheduledJob Add-JobTrigger Enable-ScheduledJob|TaskName Action Trigger|Name TaskPath Principal Settings User Password Description InputObject Xml ScriptBlock FilePath RunLevel|Force AsJob',
    persists('scheduled task', 'runs by the clock'),
  ),
  ...cmdlet(
    'Unregister-ScheduledTask Disable-ScheduledTask Unregister-ScheduledJob|TaskName|Name TaskPath InputObject|AsJob Force',
    (call) => {
      call.run.emit('delete', {
        type: 'remote',
        service: 'scheduled-tasks',
        name: knownText(given(call, 'taskname', 'name') ?? undefined) ?? '*',
      });
      return UNKNOWN;
    },
  ),
  ...cmdlet('Start-ScheduledTask|TaskName|TaskPath InputObject|AsJob', (call) => {
    call.run.emit(
      'execute',
      { type: 'process', process: knownText(given(call, 'taskname') ?? undefined) ?? 'scheduled task' },
      { traits: ['unreviewed'] },
    );
    return UNKNOWN;
  }),
  ...cmdlet(
    'Register-ObjectEvent Register-WmiEvent Register-CimIndicationEvent Register-EngineEvent|InputObject EventName Query|SourceIdentifier Action MessageData Class ClassName Namespace Timeout MaxTriggerCount ComputerName|SupportEvent Forward',
    (call) => {
      const action = given(call, 'action');
      if (action) call.invoke(action, UNKNOWN);
      call.run.emit('persist', { type: 'process', process: call.name }, { note: 'runs when something happens' });
      return UNKNOWN;
    },
  ),
  ...cmdlet(
    'Receive-Job Wait-Job|Job|Id Name InstanceId Session ComputerName Location Timeout State|Keep Wait Any Force AutoRemoveJob WriteEvents',
    readsPipeline,
    'reads',
  ),
  ...cmdlet('Stop-Job Remove-Job Suspend-Job|Job|Id Name InstanceId State Filter|Force PassThru', () => UNKNOWN),
  ...cmdlet('Debug-Process|Id|Name InputObject|', (call) => {
    call.run.emit('execute', { type: 'process', process: 'debugger' }, { traits: ['interactive'] });
    return UNKNOWN;
  }),
];
