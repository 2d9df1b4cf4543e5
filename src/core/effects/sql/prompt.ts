import { unknownAction, type SqlAction } from './action.js';
import { actionsOfScript } from './statement.js';
import type { Dialect } from './tokens.js';

/** What a line of a database's own prompt does; `script` is a file of SQL that is run. */
export type PromptAction = SqlAction | { readonly type: 'script'; readonly path: string };

const QUIET: Readonly<Partial<Record<Dialect, RegExp>>> = {
  sqlite:
    /^\.(?:tables?|schema|fullschema|indexes|indices|databases|dbinfo|headers?|mode|width|timer|echo|help|quit|exit|show|stats|nullvalue|separator|bail|changes|eqp|explain|expert|limit|print|prompt|parameter|progress|timeout|trace|vfs\w*|version|lint|selftest|sha3sum|cd|connection|auth|binary|crlf|check|intck|filectrl|scanstats|testcase|dbconfig|unmodule|maxrows|columns|rows|large_number_rendering)\b/,
  postgres:
    /^\\(?:d\w*\+?|l\+?|z|sf\+?|sv\+?|x|q|t|a|h|\?|timing|conninfo|c|connect|encoding|pset|echo|qecho|warn|set|unset|prompt|errverbose|gset|gdesc|g|gx|watch|crosstabview|if|elif|else|endif|bind|parse|close|H|C|f|T|r|p|password|p)(?:\s|$)/,
  mysql:
    /^(?:\\[cgGhqsuUWwCprx#aeR?]|(?:use|status|help|quit|exit|warnings|nowarning|prompt|delimiter|clear|go|ego|print|rehash|charset)\b)/i,
};

const FILES: Readonly<Partial<Record<Dialect, readonly (readonly [RegExp, 'read' | 'write'])[]>>> = {
  sqlite: [
    [/^\.(?:output|once|o|log|backup|save|clone|open|recover|session|archive|ar|excel|www)\b/, 'write'],
    [/^\.(?:restore|import)\b/, 'read'],
  ],
  postgres: [
    [/^\\(?:o|out|w|write|g|gx|s|lo_export)\b/, 'write'],
    [/^\\lo_import\b/, 'read'],
  ],
  mysql: [[/^(?:\\T|tee\b)/i, 'write']],
};

const SHELL = /^(?:\.(?:shell|system)|\\!|system\b)\s*(.*)$/is;
const PIPE = /^\S+\s+(?:-\S+\s+)*["']?\|\s*(.*?)["']?$/s;
const SCRIPT = /^(?:\.read|\\i|\\ir|\\include|\\include_relative|\\\.|source)\s+["']?([^"']+)/i;

/** Reads a line as a command of the prompt: psql's backslash, sqlite3's dot, mysql's words. Null when it is SQL. */
export function promptCommand(line: string, dialect: Dialect): readonly PromptAction[] | null {
  const text = line.trim();
  if (!isPrompt(text, dialect)) return null;
  const command = SHELL.exec(text);
  if (command) return [{ type: 'command', by: 'prompt', text: command[1] ?? '', note: "by the database's prompt" }];
  const piped = /^\.(?:output|once|import|read)|^\\(?:o|g|gx|w)\s|^(?:pager|\\P)\b/i.test(text)
    ? PIPE.exec(text)
    : null;
  const pager = /^(?:pager|\\P)\s+(.+)$/i.exec(text);
  const program = piped?.[1] ?? pager?.[1];
  if (program !== undefined)
    return [{ type: 'command', by: 'prompt', text: program, note: "by the database's prompt" }];
  const script = SCRIPT.exec(text);
  if (script) return [{ type: 'script', path: (script[1] ?? '').trim() }];
  if (/^\\copy\b/.test(text)) return actionsOfScript(text.slice(1), '', dialect);
  return fileActions(text, dialect) ?? (QUIET[dialect]?.test(text) ? [] : quietOrUnknown(text));
}

function isPrompt(text: string, dialect: Dialect): boolean {
  if (text.startsWith('.')) return dialect === 'sqlite';
  if (text.startsWith('\\')) return dialect === 'postgres' || dialect === 'mysql';
  return dialect === 'mysql' && /^(?:system|source|tee|pager|notee|nopager|edit)\b/i.test(text);
}

function quietOrUnknown(text: string): readonly PromptAction[] {
  if (/^\.dump\b/.test(text)) return [readAll()];
  return /^(?:notee|nopager)\b/i.test(text)
    ? []
    : [unknownAction(`a command of the database's prompt: ${text.slice(0, 60)}`)];
}

const readAll = (): SqlAction => ({
  type: 'effect',
  op: 'read',
  resource: { type: 'table', database: '', table: '*' },
  certainty: 'exact',
  reversible: 'yes',
  traits: ['rows-unbounded'],
  note: 'all tables',
});

/** `.restore file`: what the database held is gone. */
const replacesAll = (): SqlAction => ({
  type: 'effect',
  op: 'delete',
  resource: { type: 'table', database: '', table: '*' },
  certainty: 'exact',
  reversible: 'no',
  traits: ['mass', 'rows-unbounded'],
  note: 'another database takes its place',
});

function fileActions(text: string, dialect: Dialect): readonly PromptAction[] | null {
  for (const [pattern, op] of FILES[dialect] ?? []) {
    if (!pattern.test(text)) continue;
    const words = text
      .split(/\s+/)
      .slice(1)
      .filter((word) => !word.startsWith('-'));
    const path = words[0]?.replace(/^["']|["']$/g, '') ?? '';
    if (path === '' || path === 'stdout' || path === 'off') return [];
    const file: PromptAction = { type: 'file', op, path, note: "by the database's prompt" };
    return /^\.restore\b/.test(text) ? [file, replacesAll()] : [file];
  }
  return null;
}
