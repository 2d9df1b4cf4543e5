import type { Op, Trait } from '../../../effect.js';
import { instance, knownText, textValue, UNKNOWN, unknownValue, wordOf } from '../../../code/value.js';
import { cmdlet, eachOf, given, has, type Cmdlet, type CmdletRow } from '../cmdlet.js';
import { deletesObject, SOME_NAME } from '../dotnet.js';

/** One effect on something that the system holds, named by the first parameter that was given. */
const on =
  (op: Op, service: string, traits: readonly Trait[], note: string, ...names: readonly string[]): Cmdlet =>
  (call) => {
    const target = given(call, ...names, 'name', 'inputobject') ?? call.piped;
    const values = target === null ? [textValue('*')] : eachOf(target);
    for (const value of values) {
      const text = knownText(value);
      call.run.emit(
        op,
        { type: 'remote', service, name: text ?? '*' },
        { traits, note, certainty: text === null ? 'dynamic' : 'exact', reversible: 'no' },
      );
    }
    return UNKNOWN;
  };

const privilege =
  (note: string, ...traits: readonly Trait[]): Cmdlet =>
  (call) => {
    call.run.emit('privilege', { type: 'process', process: call.name }, { traits, note });
    return UNKNOWN;
  };

/** Where PSReadLine keeps what was typed, below the home folder. */
const HISTORY = 'AppData/Roaming/Microsoft/Windows/PowerShell/PSReadLine/ConsoleHost_history.txt';

/** Wipes a drive or a part of one. */
const wipes: Cmdlet = (call) => {
  const target =
    given(call, 'driveletter', 'number', 'disknumber', 'path', 'inputobject', 'partitionnumber') ?? call.piped;
  const name = knownText(target ?? undefined) ?? '*';
  const path = /^[a-z]$/i.test(name) ? `${name.toUpperCase()}:/` : `//./PhysicalDrive${name}`;
  call.run.emit(
    'delete',
    { type: 'path', path, place: 'device', git: 'none' },
    { traits: ['catastrophic', 'recursive'], reversible: 'no', note: 'wipes a drive' },
  );
  return UNKNOWN;
};

const asks: Cmdlet = (call) => {
  call.run.emit('execute', { type: 'process', process: call.name }, { traits: ['interactive'] });
  return unknownValue('input', 'input');
};

const readsClipboard: Cmdlet = (call) => {
  call.run.emit('read', { type: 'process', process: 'clipboard' }, { traits: ['personal'] });
  return unknownValue('clipboard');
};

const executesMethod: Cmdlet = (call) => {
  const method = knownText(given(call, 'methodname', 'name') ?? undefined);
  const name = knownText(given(call, 'classname', 'class', 'path') ?? undefined) ?? 'object';
  const args = given(call, 'arguments', 'argumentlist');
  if (method !== null && /^(?:terminate|stopservice|pauseservice|win32shutdown|reboot|shutdown)$/i.test(method)) {
    call.run.emit('kill', { type: 'process', process: name }, { certainty: 'dynamic', traits: ['mass'] });
    return UNKNOWN;
  }
  if (method !== null && /^delete/i.test(method)) {
    deletesObject(call.run, name);
    return UNKNOWN;
  }
  if (method !== null && /^create$/i.test(method) && /process/i.test(name) && args) {
    const line = args.kind === 'map' ? args.entries.get('commandline') : args;
    call.run.code('cmd', wordOf(line ?? UNKNOWN));
    return UNKNOWN;
  }
  call.run.emit(
    'execute',
    { type: 'process', process: `${name}.${method ?? '?'}` },
    { certainty: method === null ? 'dynamic' : 'exact', traits: ['unreviewed'] },
  );
  return UNKNOWN;
};

/** `Get-CimInstance Win32_ShadowCopy`: objects whose methods and removal change the system. */
const getsObjects: Cmdlet = (call) => instance('wmi', given(call, 'classname', 'class', 'query', 'inputobject'));

const removesObjects: Cmdlet = (call) => {
  const target = given(call, 'classname', 'class', 'query', 'inputobject') ?? call.piped;
  const about = target?.kind === 'instance' ? target.about : target;
  deletesObject(call.run, knownText(about ?? undefined));
  return UNKNOWN;
};

const gone = on('delete', 'event-log', ['mass'], 'takes away what the system has logged', 'logname', 'log');

/** Cmdlets that change the system: disks, accounts, protection, the network's rules. Source: Microsoft's module references. */
export const systemCmdlets: readonly CmdletRow[] = [
  ...cmdlet(
    'Format-Volume Clear-Disk Initialize-Disk Remove-Partition Remove-VirtualDisk Reset-PhysicalDisk Remove-StoragePool|DriveLetter Number|DiskNumber PartitionNumber Path FileSystem FileSystemLabel NewFileSystemLabel AllocationUnitSize InputObject UniqueId FriendlyName PartitionStyle|Force Full Compress RemoveData RemoveOEM Confirm AsJob',
    wipes,
  ),
  ...cmdlet(
    'Resize-Partition Set-Partition New-Partition Set-Disk Set-Volume Dismount-DiskImage Mount-DiskImage New-VHD Optimize-Volume Repair-Volume|DriveLetter|DiskNumber PartitionNumber Size ImagePath Path NewDriveLetter FileSystemLabel Number IsOffline|UseMaximumSize AssignDriveLetter PassThru',
    on('write', 'disk', ['edit'], 'changes a drive', 'driveletter', 'disknumber', 'imagepath', 'path'),
  ),
  ...cmdlet(
    'Clear-EventLog Remove-EventLog Limit-EventLog|LogName|ComputerName Source RetentionDays OverflowAction MaximumSize|',
    gone,
  ),
  ...cmdlet(
    'Clear-History|Id|CommandLine Count|Newest',
    on('delete', 'history', [], 'takes away the record of commands', 'id'),
  ),
  ...cmdlet('Set-ExecutionPolicy|ExecutionPolicy Scope||Force', (call) =>
    // For this one process: what it runs is looked at anyway.
    /^process$/i.test(knownText(given(call, 'scope') ?? undefined) ?? '')
      ? UNKNOWN
      : privilege('lets unsigned scripts run', 'removes-check')(call),
  ),
  ...cmdlet(
    'Set-MpPreference Add-MpPreference Remove-MpPreference|ExclusionPath|ExclusionProcess ExclusionExtension DisableRealtimeMonitoring DisableBehaviorMonitoring DisableIOAVProtection DisableScriptScanning DisableBlockAtFirstSeen SubmitSamplesConsent MAPSReporting PUAProtection EnableControlledFolderAccess AttackSurfaceReductionRules_Ids AttackSurfaceReductionRules_Actions|Force',
    privilege('changes the virus protection', 'removes-check'),
  ),
  ...cmdlet(
    'Disable-WindowsOptionalFeature Uninstall-WindowsFeature Remove-WindowsFeature Remove-WindowsCapability|FeatureName Name|PackageName ComputerName|Online Remove NoRestart Restart',
    on('delete', 'windows-feature', [], 'takes a part of the system away', 'featurename'),
  ),
  ...cmdlet(
    'New-NetFirewallRule Set-NetFirewallRule Remove-NetFirewallRule Disable-NetFirewallRule Enable-NetFirewallRule Set-NetFirewallProfile|DisplayName Name|Direction Action Protocol LocalPort RemotePort Program Profile Enabled DefaultInboundAction DefaultOutboundAction RemoteAddress LocalAddress Group Description PolicyStore All InputObject DisplayGroup|PassThru',
    privilege('changes the firewall', 'grants-access'),
  ),
  ...cmdlet(
    'Enable-PSRemoting Set-WSManQuickConfig Disable-PSRemoting Set-WSManInstance Register-PSSessionConfiguration Set-PSSessionConfiguration Enable-WSManCredSSP|Name|ResourceURI ValueSet Role DelegateComputer Path|Force SkipNetworkProfileCheck UseSSL NoServiceRestart',
    privilege('lets others in over the network', 'grants-access'),
  ),
  ...cmdlet(
    'New-LocalUser Set-LocalUser Remove-LocalUser Enable-LocalUser Disable-LocalUser Add-LocalGroupMember Remove-LocalGroupMember New-LocalGroup Remove-LocalGroup New-ADUser Set-ADUser Remove-ADUser Add-ADGroupMember Set-ADAccountPassword Enable-ADAccount Unlock-ADAccount|Name Member|Group Identity Members Password NewPassword AccountPassword SID FullName Description SamAccountName|NoPassword PasswordNeverExpires AccountNeverExpires Reset',
    privilege('changes accounts', 'grants-access'),
  ),
  ...cmdlet(
    'Invoke-CimMethod Invoke-WmiMethod|ClassName MethodName Arguments|Class Name Path Namespace InputObject Query ComputerName ArgumentList CimSession|',
    executesMethod,
  ),
  ...cmdlet(
    'Set-CimInstance New-CimInstance Set-WmiInstance|InputObject|ClassName Class Query Namespace Property ComputerName Path Arguments CimSession|PassThru',
    on('write', 'wmi', ['edit'], 'changes an object of the system', 'classname', 'class', 'query'),
  ),
  ...cmdlet(
    'Remove-CimInstance Remove-WmiObject|InputObject|ClassName Class Query Namespace ComputerName Path CimSession|AsJob PassThru',
    removesObjects,
  ),
  ...cmdlet(
    'Get-CimInstance Get-WmiObject|ClassName Filter|Class Query Namespace Property ComputerName InputObject CimSession ResourceUri KeyOnly Credential QueryDialect OperationTimeoutSec|Shallow List Recurse Amended AsJob DirectRead EnableAllPrivileges',
    getsObjects,
    'reads',
  ),
  ...cmdlet(
    'Get-PSReadLineOption||',
    (call) => instance('PSReadLine', textValue(`${call.frame.facts.home}/${HISTORY}`)),
    'reads',
  ),
  ...cmdlet('ConvertFrom-SecureString|SecureString|SecureKey Key|AsPlainText', (call) => {
    if (has(call, 'asplaintext'))
      call.run.emit('read', { type: 'environment', name: 'secure string' }, { traits: ['secret'] });
    return unknownValue('text');
  }),
  ...cmdlet(
    'Remove-AppxPackage Uninstall-Package Uninstall-Module Uninstall-Script Uninstall-PSResource Remove-AppxProvisionedPackage|Name Package|PackageName RequiredVersion AllVersions InputObject User Version|Force AllUsers Online',
    on('delete', 'packages', [], 'takes a package away', 'package', 'packagename'),
  ),
  ...cmdlet(
    'Set-PSRepository Register-PSRepository Unregister-PSRepository Register-PackageSource Register-PSResourceRepository Set-PSResourceRepository|Name SourceLocation|InstallationPolicy ProviderName Location PublishLocation Uri Priority|Trusted PSGallery Default Force',
    on('persist', 'package-sources', [], 'changes where packages come from'),
  ),
  ...cmdlet(
    'Import-Certificate Import-PfxCertificate|FilePath CertStoreLocation|Password|Exportable',
    on('write', 'certificates', ['grants-access'], 'trusts a certificate', 'certstorelocation'),
  ),
  ...cmdlet(
    'Export-Certificate Export-PfxCertificate|Cert FilePath|Password Type ChainOption ProtectTo|Force NoClobber',
    on('read', 'certificates', ['secret'], 'gives out a certificate or key', 'cert'),
  ),
  ...cmdlet(
    'Get-Credential Read-Host Out-GridView Show-Command Get-Help|Prompt|Credential Message UserName Title Name Category Component Functionality Role Parameter Path|AsSecureString MaskInput PassThru Wait OutputMode Full Detailed Examples Online ShowWindow',
    (call) => (call.name === 'Get-Help' || call.name === 'Out-GridView' ? (call.piped ?? UNKNOWN) : asks(call)),
    'reads',
  ),
  ...cmdlet(
    'Invoke-Sqlcmd Invoke-DbaQuery Invoke-SqlQuery Invoke-MySqlQuery|Query ServerInstance Database|InputFile SqlInstance Username Password Credential ConnectionString Variable QueryTimeout As SqlParameter CommandType File|TrustServerCertificate EncryptConnection',
    (call) => {
      const statement = given(call, 'query');
      const file = given(call, 'inputfile', 'file');
      const database = given(call, 'database');
      const positional = database === null ? [] : [wordOf(database)];
      if (statement !== null) call.run.code('sql', wordOf(statement), { positional });
      if (file !== null) call.run.script('sql', wordOf(file), { positional });
      return UNKNOWN;
    },
  ),
  ...cmdlet('Get-Clipboard||Format TextFormatType Delimiter|Raw', readsClipboard, 'reads'),
  ...cmdlet('Set-Clipboard|Value|Path LiteralPath|Append AsOSC52', () => UNKNOWN),
  ...cmdlet(
    'Set-Date Set-TimeZone Rename-Computer Add-Computer Remove-Computer Checkpoint-Computer Restore-Computer Reset-ComputerMachinePassword|Date Name NewName|Id Adjust DisplayHint DomainName WorkgroupName Credential ComputerName RestorePoint Description RestorePointType|Force Restart PassThru',
    privilege('changes the machine itself'),
  ),
  ...cmdlet(
    'Disable-ComputerRestore Enable-ComputerRestore|Drive||',
    privilege('changes whether the system can be restored', 'removes-check'),
  ),
  ...cmdlet('New-PSDrive Remove-PSDrive|Name PSProvider Root|Description Scope Credential|Persist Force', (call) => {
    const root = given(call, 'root');
    if (root !== null && /^(?:\\\\|\/\/)/.test(wordOf(root).text)) call.run.network(wordOf(root), {});
    return UNKNOWN;
  }),
  ...cmdlet(
    'New-SmbShare Set-SmbShare Grant-SmbShareAccess Remove-SmbShare New-SmbMapping|Name Path|FullAccess ChangeAccess ReadAccess NoAccess AccountName AccessRight RemotePath LocalPath ScopeName|Force Temporary',
    privilege('shares a folder over the network', 'grants-access'),
  ),
  ...cmdlet(
    'New-NetIPAddress Set-NetIPAddress Remove-NetIPAddress Set-DnsClientServerAddress New-NetRoute Remove-NetRoute Disable-NetAdapter Enable-NetAdapter Restart-NetAdapter Set-NetAdapter Set-NetConnectionProfile|InterfaceAlias Name IPAddress|InterfaceIndex ServerAddresses DestinationPrefix NextHop DefaultGateway PrefixLength AddressFamily NetworkCategory|ResetServerAddresses PassThru',
    privilege('changes the network settings'),
  ),
  ...cmdlet(
    'Enable-BitLocker Disable-BitLocker Clear-BitLockerAutoUnlock Suspend-BitLocker Enable-PnpDevice Disable-PnpDevice Set-PrinterProperty Update-MpSignature Start-MpScan|MountPoint InstanceId|InputObject Name|Force AsJob',
    privilege('changes a device or its encryption'),
  ),
];

/** Cmdlets that only compute, format or ask: they give back what comes. */
const quietNames =
  'Write-Output Write-Host Write-Error Write-Warning Write-Verbose Write-Debug Write-Information Write-Progress Out-Null Out-Host Out-String Out-Default Format-Table Format-List Format-Wide Format-Custom Select-Object Sort-Object Group-Object Measure-Object Compare-Object Get-Unique Get-Member Get-Date Get-Random Get-Host Get-Process Get-Service Get-Command Get-Module Get-Alias Get-History Get-Culture Get-UICulture Get-TimeZone Get-Job Get-PSSession Get-Event Get-EventLog Get-WinEvent Get-ComputerInfo Get-Uptime Get-NetIPAddress Get-NetAdapter Get-NetTCPConnection Get-Volume Get-Disk Get-Partition Get-ScheduledTask Get-HotFix Get-LocalUser Get-LocalGroup Get-LocalGroupMember Get-ExecutionPolicy Get-PackageProvider Get-Package Get-InstalledModule Get-Error Get-Verb Get-TypeData Get-FormatData Get-PSCallStack Get-PSBreakpoint Get-PSRepository Find-Module Find-Package Find-Script ConvertTo-Json ConvertFrom-Json ConvertTo-Csv ConvertFrom-Csv ConvertTo-Html ConvertTo-Xml ConvertFrom-StringData ConvertTo-SecureString ConvertFrom-Markdown Show-Markdown Test-Json Select-Xml Start-Sleep Clear-Host Set-StrictMode Set-PSDebug Start-Transcript Stop-Transcript New-TimeSpan New-Guid New-ScheduledTaskAction New-ScheduledTaskTrigger New-ScheduledTaskPrincipal New-ScheduledTaskSettingsSet New-PSSessionOption New-WebServiceProxy Update-FormatData Update-TypeData Remove-Variable Clear-Variable Remove-Module Remove-PSSession Exit-PSSession Disconnect-PSSession Export-ModuleMember New-Module New-Event Wait-Event Unregister-Event Add-Member Push-OutputBinding Get-Member Get-PnpDevice Get-Printer Get-SmbShare Get-NetFirewallRule Get-MpPreference Get-MpComputerStatus Get-AppxPackage Get-WindowsOptionalFeature Get-ChildEnvironment Join-String Wait-Process Import-LocalizedData Get-DscResource Invoke-Pester Invoke-ScriptAnalyzer Test-ModuleManifest Test-ScriptFileInfo Use-Transaction';

/** Nouns of cmdlets that give out a secret of a store: `Get-Secret`, `Get-AzKeyVaultSecret`, `Get-StoredCredential`. */
const HOLDS_SECRETS =
  /^get-\w*(?:secret|secretvalue|credential|password|accesstoken|apikey|storageaccountkey|passphrase)$/i;

/** Cmdlets whose name says that they fetch something else than what they are given. */
const FETCHES = /^(?:get|find|search|test|measure|read|resolve|watch)-/i;
/** Those of them whose result is named by their argument, or that only pass on what comes. */
const NAMES_ITSELF = /^(?:get-command|get-alias|get-unique|get-member|measure-object|test-json)$/i;

const quiet: Cmdlet = (call) => {
  const own = FETCHES.test(call.name) && !NAMES_ITSELF.test(call.name);
  const first = own ? null : (call.piped ?? given(call, 'inputobject') ?? call.binding.rest[0] ?? null);
  if (/^Write-(?:Output|Host)$/.test(call.name) && first?.kind === 'text') call.run.outputs(wordOf(first));
  const dumps = [call.piped, ...call.binding.rest].some(
    (value) => value?.kind === 'instance' && value.type === 'Environment',
  );
  if (HOLDS_SECRETS.test(call.name))
    call.run.emit('read', { type: 'environment', name: call.name.slice(4) }, { traits: ['secret'] });
  if (dumps) call.run.emit('read', { type: 'environment', name: '*' }, { traits: ['secret', 'mass'] });
  if (/^(?:new-guid|get-random)$/i.test(call.name)) return SOME_NAME;
  // A time as it is shown has no separators of paths but where it is asked for with them.
  if (/^get-date$/i.test(call.name) && call.binding.rest.every((value) => !/[\\/:]/.test(knownText(value) ?? '/')))
    return call.binding.rest.length > 0 ? SOME_NAME : unknownValue('date');
  // A process is named by what it was asked for.
  if (/^get-process$/i.test(call.name)) return instance('Process', call.binding.rest[0] ?? null);
  return first ?? UNKNOWN;
};

/** Rows whose parameters do not matter: any name is taken, and nothing but blocks in their values can do anything. */
export const QUIET: ReadonlyMap<string, Cmdlet> = new Map(
  quietNames.split(' ').map((name): [string, Cmdlet] => [name.toLowerCase(), quiet]),
);

/** Nouns of modules for directories, clouds and parts of Windows: `Remove-AzVM`, `Set-SmbServerConfiguration`. */
const SERVICE_NOUN =
  /^(?:az|azurerm|azuread|ad|mg|msol|exo|mailbox|spo|pnp|cs|team|s3|ec2|iam|lm|rds|cfn|sts|ssm|gc|gcs|smb|net|dns|dhcp|vpn|mp|tpm|bitlocker|secureboot|uev|wsus|cluster|vm|vhd|iis|web|website|webapppool|dsc|local|pnp|printer|print|windows|appx|storage|physical|virtual|partition|disk|volume|cim|wmi|ssas|sql|dba|dbatools|kube|helm|docker|container|vi|vmhost|processmitigation|provisioned|delivery|app|event|winevent|auth|audit|gpo|gplink|gpregistry|certificate)[a-z0-9]*$/;
const TAKING_VERBS =
  /^(?:remove|uninstall|clear|disable|stop|revoke|unregister|dismount|reset|deny|block|suspend|lock)$/;
const CHANGING_VERBS =
  /^(?:set|new|add|enable|update|start|restart|grant|register|publish|send|import|move|rename|restore|install|mount|unlock|unblock|resume|invoke|approve|edit|merge|initialize|repair|optimize|sync|push|submit|undo|switch|connect)$/;

/** What a cmdlet of a service that has no row does, by its verb; null for other names. Source: Approved Verbs for PowerShell Commands. */
export function changesService(name: string): Cmdlet | null {
  const [, verb = '', noun = ''] = /^([a-z]+)-([a-z0-9]+)$/.exec(name) ?? [];
  if (!SERVICE_NOUN.test(noun)) return null;
  if (TAKING_VERBS.test(verb)) return on('delete', noun, [], 'by the verb of its name');
  return CHANGING_VERBS.test(verb) ? on('write', noun, ['edit'], 'by the verb of its name') : null;
}

/** Verbs that only look, by PowerShell's own rules for names: a cmdlet that is not known but named so is taken at its word. */
const LOOKING_VERBS =
  /^(?:get|test|find|measure|compare|format|select|sort|group|convertfrom|convertto|convert|write|show|resolve|search|join|split|wait|trace|watch|read|out|use|assert|confirm|debug|ping|search|skip|step|redo)-\w+$/;

/** Whether a name is that of a cmdlet that only looks. Source: Approved Verbs for PowerShell Commands. */
export const onlyLooks = (name: string): boolean => LOOKING_VERBS.test(name);

export const quietCmdlet: Cmdlet = quiet;
