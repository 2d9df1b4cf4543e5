import type { Trait } from '../../../effect.js';
import { instance, knownText, UNKNOWN, unknownValue, wordOf } from '../../../code/value.js';
import { exactWord } from '../../word.js';
import { cmdlet, eachOf, given, has, type Cmdlet, type CmdletRow } from '../cmdlet.js';
import { targetOf } from '../target.js';

/** `Invoke-WebRequest`, `Invoke-RestMethod`: where, how, with what, and into which file. */
const requests: Cmdlet = (call) => {
  const uri = given(call, 'uri') ?? call.piped ?? UNKNOWN;
  const body = given(call, 'body', 'form');
  const file = given(call, 'infile');
  const method =
    knownText(given(call, 'method', 'custommethod') ?? undefined)?.toUpperCase() ??
    (body === null && file === null ? 'GET' : 'POST');
  const out = given(call, 'outfile');
  const traits: Trait[] = [];
  if (file !== null) call.run.read(wordOf(file));
  if (file !== null || (body !== null && method !== 'GET')) traits.push('upload');
  if (method === 'GET') traits.push('download');
  if (has(call, 'skipcertificatecheck')) traits.push('removes-check');
  const proxy = given(call, 'proxy');
  for (const value of eachOf(uri)) {
    const word = wordOf(value);
    // A bare host is a web address here.
    const isBare = word.certainty === 'exact' && !/^[a-z][a-z0-9+.-]*:/i.test(word.text) && !word.text.startsWith('//');
    call.run.network(isBare ? { ...word, text: `http://${word.text}` } : word, { method, traits });
  }
  if (proxy) call.run.network(wordOf(proxy), {});
  if (out !== null) {
    const target = targetOf(wordOf(out), true, call.frame.facts);
    if (target.kind === 'file') call.run.write(target.word, { traits: ['download'] });
  }
  return instance('Response');
};

const transfers: Cmdlet = (call) => {
  const source = given(call, 'source') ?? UNKNOWN;
  const target = given(call, 'destination') ?? exactValue('.');
  const isUpload = /^upload/i.test(knownText(given(call, 'transfertype') ?? undefined) ?? '');
  for (const value of eachOf(isUpload ? target : source))
    call.run.network(
      wordOf(value),
      isUpload ? { method: 'PUT', traits: ['upload'] } : { method: 'GET', traits: ['download'] },
    );
  for (const value of eachOf(isUpload ? source : target)) {
    const word = targetOf(wordOf(value), true, call.frame.facts);
    if (word.kind !== 'file') continue;
    if (isUpload) call.run.read(word.word);
    else call.run.write(word.word, { traits: ['download'] });
  }
  return UNKNOWN;
};

const exactValue = (text: string): { readonly kind: 'text'; readonly word: ReturnType<typeof exactWord> } => ({
  kind: 'text',
  word: exactWord(text),
});

const contacts: Cmdlet = (call) => {
  for (const value of eachOf(
    given(call, 'targetname', 'computername', 'name', 'vmname', 'connectionuri', 'hostname') ?? call.piped ?? UNKNOWN,
  ))
    call.run.network(wordOf(value), {});
  return unknownValue('answer', 'network');
};

const opensSession: Cmdlet = (call) => {
  const machine = given(call, 'computername', 'hostname', 'connectionuri', 'vmname', 'containerid');
  if (machine !== null) call.run.network(wordOf(machine), { traits: ['upload'] });
  call.run.emit('execute', { type: 'process', process: 'remote session' }, { traits: ['interactive', 'unreviewed'] });
  return instance('PSSession', machine);
};

const sendsMail: Cmdlet = (call) => {
  for (const value of eachOf(given(call, 'attachments') ?? { kind: 'list', items: [], isOpen: false }))
    call.run.read(wordOf(value));
  call.run.network(wordOf(given(call, 'smtpserver') ?? exactValue('mail')), { traits: ['upload', 'publish'] });
  return UNKNOWN;
};

const installs =
  (ecosystem: string): Cmdlet =>
  (call) => {
    for (const value of eachOf(given(call, 'name', 'packageid', 'path') ?? call.piped ?? UNKNOWN))
      call.run.install(ecosystem, wordOf(value));
    return UNKNOWN;
  };

const publishes: Cmdlet = (call) => {
  call.run.emit(
    'network',
    {
      type: 'url',
      url: 'https://www.powershellgallery.com',
      host: 'www.powershellgallery.com',
      port: 443,
      method: 'PUT',
    },
    { traits: ['outward', 'upload', 'publish'] },
  );
  return UNKNOWN;
};

const REQUEST =
  '|Uri|Method CustomMethod Body Form InFile OutFile Headers ContentType UserAgent Credential Proxy ProxyCredential TimeoutSec MaximumRedirection SessionVariable WebSession Authentication Token TransferEncoding CertificateThumbprint Certificate SslProtocol HttpVersion MaximumRetryCount RetryIntervalSec StatusCodeVariable ResponseHeadersVariable MaximumFollowRelLink UnixSocket OperationTimeoutSeconds ConnectionTimeoutSeconds|UseBasicParsing UseDefaultCredentials DisableKeepAlive PassThru SkipCertificateCheck SkipHttpErrorCheck SkipHeaderValidation AllowUnencryptedAuthentication AllowInsecureRedirect PreserveAuthorizationOnRedirect PreserveHttpMethodOnRedirect NoProxy Resume ProxyUseDefaultCredentials FollowRelLink';

/** Cmdlets that reach other machines, and that bring packages from them. Source: Microsoft.PowerShell.Utility, BitsTransfer, PowerShellGet, PackageManagement. */
export const networkCmdlets: readonly CmdletRow[] = [
  ...cmdlet(`Invoke-WebRequest Invoke-RestMethod${REQUEST}`, requests, 'reads'),
  ...cmdlet(
    'Start-BitsTransfer|Source Destination|DisplayName Description TransferType Priority ProxyUsage ProxyList Credential Authentication|Asynchronous Suspended Dynamic',
    transfers,
  ),
  ...cmdlet(
    'Test-Connection Test-NetConnection Test-WSMan|TargetName ComputerName|Count Delay BufferSize TimeToLive TimeoutSeconds TcpPort Port CommonTCPPort InformationLevel Source Protocol MaxHops Hops|Quiet Repeat TraceRoute IPv4 IPv6 Traceroute DontFragment MtuSize ResolveDestination DiagnoseRouting',
    contacts,
    'reads',
  ),
  ...cmdlet(
    'Resolve-DnsName|Name Type|Server|DnsOnly CacheOnly NoHostsFile QuickTimeout TcpOnly DnssecOk',
    contacts,
    'reads',
  ),
  ...cmdlet(
    'Enter-PSSession New-PSSession Connect-PSSession|ComputerName|HostName Session Credential Port ConnectionUri VMName ContainerId UserName KeyFilePath ConfigurationName Name Authentication SessionOption|UseSSL EnableNetworkAccess SSHTransport',
    opensSession,
    'reads',
  ),
  ...cmdlet(
    'Send-MailMessage|To Subject Body SmtpServer|From Attachments Cc Bcc Credential Port Priority Encoding|BodyAsHtml UseSsl',
    sendsMail,
  ),
  ...cmdlet(
    'Install-Module Install-Script Install-PSResource Update-Module Update-Script Update-PSResource Save-Module Save-Script Save-PSResource|Name|Repository RequiredVersion MinimumVersion MaximumVersion Version Scope Credential InputObject Path LiteralPath Proxy|Force AllowClobber SkipPublisherCheck AllowPrerelease AcceptLicense TrustRepository Reinstall PassThru NoClobber Prerelease',
    installs('powershell'),
  ),
  ...cmdlet(
    'Install-Package Save-Package|Name|Source ProviderName RequiredVersion MinimumVersion MaximumVersion Destination Scope InputObject|Force ForceBootstrap SkipDependencies AllowPrereleaseVersions',
    installs('nuget'),
  ),
  ...cmdlet(
    'Install-PackageProvider|Name|RequiredVersion MinimumVersion MaximumVersion Scope Source|Force ForceBootstrap AllVersions',
    installs('powershell'),
  ),
  ...cmdlet(
    'Add-AppxPackage Add-AppxProvisionedPackage|Path|DependencyPath ExternalPackages OptionalPackagePaths Volume PackagePath LicensePath|AllowUnsigned Register DisableDevelopmentMode ForceApplicationShutdown ForceUpdateFromAnyVersion Online SkipLicense Update',
    installs('appx'),
  ),
  ...cmdlet(
    'Install-WindowsFeature Enable-WindowsOptionalFeature Add-WindowsCapability|Name FeatureName|Source ComputerName PackageName LogPath|Online All IncludeAllSubFeature IncludeManagementTools Restart NoRestart LimitAccess',
    installs('windows-feature'),
  ),
  ...cmdlet(
    'Publish-Module Publish-Script Publish-PSResource|Name Path|NuGetApiKey ApiKey Repository RequiredVersion Tags ReleaseNotes|Force SkipDependenciesCheck',
    publishes,
  ),
];
