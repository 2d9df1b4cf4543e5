import { codeLanguages } from '../code/languages.js';
import { searchedLanguages } from '../code/searched.js';
import { sql } from '../sql/language.js';
import { bashLanguages } from './bash/bash.js';
import { cmd } from './cmd/cmd.js';
import { powershell } from './powershell/powershell.js';
import type { LanguageEntry } from './frame.js';
import { awkLanguage } from './programs/files/awk.js';
import type { Language } from './run.js';

/** All languages that can be analysed. A new one is a file that exports an entry, and a line here. */
const ENTRIES: readonly LanguageEntry[] = [
  ...bashLanguages,
  awkLanguage,
  ...codeLanguages,
  ...searchedLanguages,
  powershell,
  cmd,
  sql,
];

/** Languages by name. */
export const LANGUAGES: ReadonlyMap<Language, LanguageEntry> = new Map(
  ENTRIES.flatMap((entry) => entry.languages.map((name): [Language, LanguageEntry] => [name, entry])),
);
