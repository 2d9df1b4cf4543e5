import type { Facts } from '../facts.js';

/** Variables that Windows always has, as far as the home folder tells them. `name` is lower case; null for others. */
export function usualEnvironment(name: string, home: string, isWindows: boolean): string | null {
  if (name === 'home' || name === 'userprofile') return home;
  if (!isWindows) return null;
  const user = home.replace(/^.*\//, '');
  const known: Readonly<Record<string, string>> = {
    temp: `${home}/AppData/Local/Temp`,
    tmp: `${home}/AppData/Local/Temp`,
    appdata: `${home}/AppData/Roaming`,
    localappdata: `${home}/AppData/Local`,
    onedrive: `${home}/OneDrive`,
    homepath: home.slice(2),
    homedrive: home.slice(0, 2),
    systemdrive: 'C:',
    systemroot: 'C:/Windows',
    windir: 'C:/Windows',
    programfiles: 'C:/Program Files',
    'programfiles(x86)': 'C:/Program Files (x86)',
    programw6432: 'C:/Program Files',
    programdata: 'C:/ProgramData',
    allusersprofile: 'C:/ProgramData',
    public: 'C:/Users/Public',
    comspec: 'C:/Windows/System32/cmd.exe',
    username: user,
  };
  return known[name] ?? null;
}

/** The value of a variable as Windows programs see it: from the facts, else what is usual; null when it is not known. */
export function windowsVariable(name: string, facts: Facts): string | null {
  const told = facts.environment(name.toUpperCase()) ?? facts.environment(name);
  return typeof told === 'string' ? told : usualEnvironment(name.toLowerCase(), facts.home, facts.platform === 'win32');
}
