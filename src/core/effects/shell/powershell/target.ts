import type { Resource, Word } from '../../effect.js';
import type { Facts } from '../../facts.js';
import { dynamicWord, exactWord } from '../word.js';

/** What a path of PowerShell leads to: besides files there are drives of other kinds. */
export type Target =
  | { readonly kind: 'file'; readonly word: Word }
  /** `HKLM:\\Software`, `Registry::HKEY_CURRENT_USER\\…`; hives in their short form. */
  | { readonly kind: 'registry'; readonly key: string }
  | { readonly kind: 'environment'; readonly name: string }
  /** Variables, functions and aliases of the session. */
  | { readonly kind: 'session' }
  | { readonly kind: 'certificate'; readonly name: string };

const HIVES: readonly (readonly [RegExp, string])[] = [
  [/^(?:hklm:?|hkey_local_machine)(?=[\\/]|$)/i, 'HKLM'],
  [/^(?:hkcu:?|hkey_current_user)(?=[\\/]|$)/i, 'HKCU'],
  [/^(?:hkcr:?|hkey_classes_root)(?=[\\/]|$)/i, 'HKCR'],
  [/^(?:hku:?|hkey_users)(?=[\\/]|$)/i, 'HKU'],
  [/^(?:hkcc:?|hkey_current_config)(?=[\\/]|$)/i, 'HKCC'],
];

/** Keys that make something run by itself. Source: Microsoft's list of run keys, Winlogon and image file options. */
const RUN_KEYS =
  /\\(?:currentversion\\(?:run|runonce|runonceex|runservices|runservicesonce|policies\\explorer\\run|winlogon|image file execution options|app ?paths|explorer\\(?:shell folders|user shell folders))|currentcontrolset\\(?:services|control\\session manager)|shell\\open\\command|environment|command processor|powershell\\.*executionpolicy|windows\\load|inprocserver32|scripts)(?:\\|$)/i;

/** A key in one spelling: short hive, backslashes. Null when the text names none. */
export function registryKey(text: string): string | null {
  const plain = text.replace(/^(?:microsoft\.powershell\.core\\)?registry::/i, '').replaceAll('/', '\\');
  const isQualified = plain !== text.replaceAll('/', '\\');
  for (const [pattern, hive] of HIVES) {
    const match = pattern.exec(plain);
    if (match && (isQualified || match[0].endsWith(':') || /^hkey_/i.test(match[0]))) {
      return hive + plain.slice(match[0].length).replace(/\\+/g, '\\').replace(/\\$/, '');
    }
  }
  return null;
}

/** Whether a key, or a value below it, makes something run later. */
export const isRunKey = (key: string): boolean => RUN_KEYS.test(key);

/** A key as a resource: policies write `registry:HKLM*`. */
export const registryResource = (key: string): Resource => ({ type: 'remote', service: 'registry', name: key });

/** What a path leads to. `isLiteral`: wildcards stand for themselves. Backslashes are separators on every system. */
export function targetOf(word: Word, isLiteral: boolean, facts: Facts): Target {
  const text = word.text.replace(/^(?:microsoft\.powershell\.core\\)?filesystem::/i, '');
  const key = registryKey(text);
  if (key !== null) return { kind: 'registry', key };
  const drive = /^([a-z][a-z0-9]+):[\\/]*(.*)$/is.exec(text);
  switch (drive?.[1]?.toLowerCase()) {
    case 'env':
      return { kind: 'environment', name: drive?.[2] ?? '' };
    case 'variable':
    case 'function':
    case 'alias':
    case 'wsman':
      return { kind: 'session' };
    case 'cert':
      return { kind: 'certificate', name: drive?.[2] ?? '' };
    case 'temp':
      return { kind: 'file', word: exactWord(`${facts.home}/AppData/Local/Temp/${drive?.[2] ?? ''}`) };
    default:
  }
  return { kind: 'file', word: fileWord({ ...word, text }, isLiteral, facts) };
}

/** A path as a word that the rest of the analysis reads: slashes, `~`, a pattern where it holds wildcards. */
export function fileWord(word: Word, isLiteral: boolean, facts: Facts): Word {
  if (word.certainty === 'dynamic') return { ...word, text: slashed(word.text) };
  const text = expanded(slashed(word.text), facts);
  // A drive without a root means its current folder, and a drive of more than a letter is somebody's own.
  if (/^[a-z]:(?![/])./i.test(text) || (/^[a-z]\w+:/i.test(text) && !/^\/\//.test(text)))
    return dynamicWord(`$${text}`);
  const isPattern = word.certainty === 'pattern' || (!isLiteral && /[*?[]/.test(text));
  return { ...word, text, certainty: isPattern ? 'pattern' : 'exact' };
}

/** Slashes forward, and the long form of a path (`\\\\?\\C:\\x`) as the short one. */
const slashed = (text: string): string =>
  text
    .replaceAll('\\', '/')
    .replace(/^\/\/[?.]\/UNC\//i, '//')
    .replace(/^\/\/[?.]\/(?=[a-z]:\/|nul$)/i, '');

const expanded = (text: string, facts: Facts): string => (/^~(?=\/|$)/.test(text) ? facts.home + text.slice(1) : text);
