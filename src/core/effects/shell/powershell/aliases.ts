/** PowerShell's own aliases, Windows' and others'. Source: Get-Alias of Windows PowerShell 5.1 and PowerShell 7.4. */
const TABLE = `
% ForEach-Object|? Where-Object|ac Add-Content|asnp Add-PSSnapin|cat Get-Content|cd Set-Location|chdir Set-Location|clc Clear-Content
clear Clear-Host|clhy Clear-History|cli Clear-Item|clp Clear-ItemProperty|cls Clear-Host|clv Clear-Variable|compare Compare-Object
copy Copy-Item|cp Copy-Item|cpi Copy-Item|cpp Copy-ItemProperty|cvpa Convert-Path|dbp Disable-PSBreakpoint|del Remove-Item|diff Compare-Object
dir Get-ChildItem|echo Write-Output|epal Export-Alias|epcsv Export-Csv|erase Remove-Item|etsn Enter-PSSession|exsn Exit-PSSession|fc Format-Custom
fhx Format-Hex|fl Format-List|foreach ForEach-Object|ft Format-Table|fw Format-Wide|gal Get-Alias|gbp Get-PSBreakpoint|gc Get-Content
gci Get-ChildItem|gcm Get-Command|gcs Get-PSCallStack|gdr Get-PSDrive|gerr Get-Error|ghy Get-History|gi Get-Item|gin Get-ComputerInfo
gip Get-NetIPConfiguration|gjb Get-Job|gl Get-Location|gm Get-Member|gmo Get-Module|gp Get-ItemProperty|gps Get-Process|gpv Get-ItemPropertyValue
group Group-Object|gsn Get-PSSession|gsv Get-Service|gtz Get-TimeZone|gu Get-Unique|gv Get-Variable|gwmi Get-WmiObject|gcim Get-CimInstance
h Get-History|history Get-History|icm Invoke-Command|icim Invoke-CimMethod|iex Invoke-Expression|ihy Invoke-History|ii Invoke-Item|ipal Import-Alias
ipcsv Import-Csv|ipmo Import-Module|irm Invoke-RestMethod|iwmi Invoke-WmiMethod|iwr Invoke-WebRequest|kill Stop-Process|ls Get-ChildItem
man Get-Help|md mkdir|measure Measure-Object|mi Move-Item|mount New-PSDrive|move Move-Item|mp Move-ItemProperty|mv Move-Item|nal New-Alias
ndr New-PSDrive|ni New-Item|nmo New-Module|nsn New-PSSession|nv New-Variable|ogv Out-GridView|oh Out-Host|popd Pop-Location|ps Get-Process
pushd Push-Location|pwd Get-Location|r Invoke-History|rbp Remove-PSBreakpoint|rcjb Receive-Job|rd Remove-Item|rdr Remove-PSDrive|ren Rename-Item
ri Remove-Item|rjb Remove-Job|rm Remove-Item|rmdir Remove-Item|rmo Remove-Module|rni Rename-Item|rnp Rename-ItemProperty|rp Remove-ItemProperty
rsn Remove-PSSession|rv Remove-Variable|rvpa Resolve-Path|sajb Start-Job|sal Set-Alias|saps Start-Process|sasv Start-Service|sbp Set-PSBreakpoint
sc Set-Content|scb Set-Clipboard|gcb Get-Clipboard|select Select-Object|set Set-Variable|shcm Show-Command|si Set-Item|sl Set-Location|sleep Start-Sleep
sls Select-String|sort Sort-Object|sp Set-ItemProperty|spjb Stop-Job|spps Stop-Process|spsv Stop-Service|start Start-Process|stz Set-TimeZone
sv Set-Variable|tee Tee-Object|tnc Test-NetConnection|type Get-Content|where Where-Object|wjb Wait-Job|write Write-Output|curl Invoke-WebRequest
wget Invoke-WebRequest|help Get-Help|ncim New-CimInstance|rcim Remove-CimInstance|scim Set-CimInstance|trcm Trace-Command|upmo Update-Module|inmo Install-Module
`;

/** Those that are programs of their own where the system has them, so that PowerShell on Linux and macOS leaves them alone. */
const NATIVE_ELSEWHERE = new Set(
  'cat clear cp curl diff echo history kill ls man mount mv ps pwd rm rmdir sleep sort tee wget type start set write where'.split(
    ' ',
  ),
);

const ALIASES: ReadonlyMap<string, string> = new Map(
  TABLE.trim()
    .split(/[|\n]/)
    .map((row): [string, string] => {
      const [alias = '', name = ''] = row.trim().split(' ');
      return [alias, name];
    }),
);

/**
 * The cmdlet that an alias stands for; null when it stands for none. Options in the style of the system's own programs
 * (`curl -sSL`, `rm -rf`) show that a program is meant, wherever one may be installed.
 */
export function aliasOf(name: string, isWindows: boolean, looksNative: boolean): string | null {
  const lower = name.toLowerCase();
  if (!isWindows && NATIVE_ELSEWHERE.has(lower)) return null;
  const cmdlet = ALIASES.get(lower) ?? null;
  return cmdlet !== null && looksNative && NATIVE_ELSEWHERE.has(lower) ? null : cmdlet;
}
