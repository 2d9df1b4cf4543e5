import type { ParamsOf } from '../../lacuna/kinds.js';
import { SHELLS, type Shell } from '../../lacuna/kinds/executeShell.js';
import type { Language } from '../shell/run.js';
import { quoteWord } from '../shell/quote.js';

/** What a tool's input asks for, read from the names and values of its parameters. */
export type Asked =
  | { readonly type: 'command'; readonly text: string; readonly shell: Shell | null; readonly cwd: string | null }
  | { readonly type: 'code'; readonly language: Language | null; readonly text: string }
  | { readonly type: 'path'; readonly path: string; readonly hasContent: boolean; readonly content: string }
  | { readonly type: 'move'; readonly from: string; readonly to: string; readonly isCopy: boolean }
  | { readonly type: 'url'; readonly url: string; readonly method: string | null; readonly body: string | null }
  | { readonly type: 'sql'; readonly sql: string; readonly database: string }
  /** There is more, or it lies deeper, than is read. */
  | { readonly type: 'more' };

type Input = ParamsOf['CallTool']['input'];
type Json = Input[string];

/** Deeper or more than this is no list of parameters any more: what is left is not known. */
const MOST_DEPTH = 5;
const MOST_ASKED = 60;
/** How many parameters, at whatever depth, are looked at. */
const MOST_PARAMETERS = 5_000;

const COMMAND =
  /^(?:command|cmd|commandline|shellcommand|bash|shellscript|script|commands|cmdline|program|executable|argv|(?:cli|aws|az|azure|gcloud|git|docker|terminal|exec|run|raw|full|remote|ssh)(?:command|cmd))$/;
/** A list of words rather than of lines: `argv: ["git", "push"]`, `command: ["rm", "-r", "x"]`. */
const ONE_COMMAND = /^(?!commands$)/;
const CODE = /^(?:code|sourcecode|python|javascript|snippet|expression|function|cellsource|cellcontent)$/;
/** Tools whose `source` is the text of a cell. */
const CELLS = /cell|notebook|jupyter|kernel/i;
const PATH =
  /^(?:path|paths|file|files|filepath|filepaths|filename|absolutepath|absolutefilepath|relativepath|relativeworkspacepath|dir|directory|directorypath|dirpath|folder|folderpath|targetfile|notebookpath|rootpath|outputpath|outputfile|inputpath|inputfile|savepath|fileuri)$/;
const URL_NAME = /^(?:\w{0,20}ur[il]s?|href|link|links|endpoint|webhook|host|hostname|domain|website|address)$/;
const SQL_NAME = /^(?:sql|sqls|query|queries|statement|statements|sqlquery|sqlstatement)$/;
const SQL_VERB =
  /^[\s(]*(?:--[^\n]*\n\s*)*(?:select|insert|update|delete|with|drop|create|alter|truncate|grant|revoke|merge|replace|explain|copy|call|exec|pragma|attach|vacuum|show|set|begin|load|do)\b[\s\S]*\S/i;
const DATABASE =
  /^(?:database|db|dbname|connection|connectionstring|connectionname|datasource|cluster|instance|dbpath|databaseurl|dsn)$/;
const CONTENT =
  /^(?:content|contents|text|filetext|newcontent|newtext|newstring|newstr|data|body|edits|patch|diff|replacement|codeedit)$/;
const CWD = /^(?:cwd|workdir|workingdirectory|workingdir|directory|dir)$/;
const METHODS = /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/i;

const LANGUAGES: readonly (readonly [RegExp, Language])[] = [
  [/python|py(?:odide)?\b|jupyter|ipython|cell\b|notebook/i, 'python'],
  [/javascript|typescript|node|deno|\bjs\b|\bts\b|browser|playwright|puppeteer/i, 'javascript'],
  [/ruby/i, 'ruby'],
  [/perl/i, 'perl'],
  [/php/i, 'php'],
  [/powershell|pwsh/i, 'powershell'],
  [/bash|shell|\bsh\b/i, 'bash'],
  [/\bsql\b/i, 'sql'],
];

/** A parameter's name without case and separators: `filePath`, `file_path` and `file-path` are one. */
const plain = (name: string): string => name.toLowerCase().replace(/[-_ ]/g, '');

/** Reads a tool's input by its shape. What has no known shape asks for nothing here; the call itself is judged all the same. */
export function askedBy(tool: string, input: Input): readonly Asked[] {
  const reading: Reading = { tool, asked: [], left: MOST_PARAMETERS };
  const isWhole = readObject(reading, input, 0);
  return isWhole ? reading.asked : [...reading.asked.slice(0, MOST_ASKED), { type: 'more' }];
}

interface Reading {
  readonly tool: string;
  readonly asked: Asked[];
  /** How many parameters may still be looked at. */
  left: number;
}

/** False when something was left out. */
function readObject(reading: Reading, input: Input, depth: number): boolean {
  const { tool, asked } = reading;
  const entries = Object.entries(input).map(([name, value]): [string, Json] => [plain(name), value]);
  const fields = new Map(entries);
  const move = moveIn(tool, fields);
  if (move) asked.push(move);
  let isWhole = true;
  for (const [name, value] of entries) {
    if (move && /^(?:from|to|source|destination|src|dst|dest|oldpath|newpath|sourcepath|destinationpath)$/.test(name))
      continue;
    const words = COMMAND.test(name) && ONE_COMMAND.test(name) && Array.isArray(value) ? textsOf(value) : [];
    const texts = words.length > 1 && words.length < 200 ? [words.map(quoteWord).join(' ')] : textsOf(value);
    for (const text of texts) {
      reading.left -= 1;
      if (asked.length > MOST_ASKED || reading.left < 0) return false;
      const one = readText(tool, name, text, fields);
      const lines = one?.type === 'code' ? linesForShell(one.text) : [];
      if (one?.type === 'code' && lines.length > 0) {
        const rest = /^\s*%%/.test(one.text) ? '' : one.text.replace(MAGIC, '');
        asked.push({ ...one, text: rest }, ...lines);
      } else if (one) asked.push(one);
    }
    for (const inner of objectsOf(value))
      isWhole = depth < MOST_DEPTH && readObject(reading, inner, depth + 1) && isWhole;
  }
  return isWhole && asked.length <= MOST_ASKED;
}

const isObject = (value: Json): value is Input => typeof value === 'object' && value !== null && !Array.isArray(value);

const textsOf = (value: Json): readonly string[] =>
  typeof value === 'string' ? [value] : Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];

const objectsOf = (value: Json): readonly Input[] =>
  Array.isArray(value) ? value.filter(isObject) : isObject(value) ? [value] : [];

function readText(tool: string, name: string, text: string, fields: ReadonlyMap<string, Json>): Asked | null {
  if (text.trim() === '') return null;
  if (COMMAND.test(name)) return commandOf(text, fields);
  if (CODE.test(name) || (name === 'source' && CELLS.test(tool))) {
    const named = firstText(fields, /^(?:language|lang|runtime|kernel|interpreter)$/) ?? `${tool} ${name}`;
    return {
      type: 'code',
      text: called(text),
      language: LANGUAGES.find(([pattern]) => pattern.test(named))?.[1] ?? null,
    };
  }
  if (SQL_NAME.test(name) && (name.startsWith('sql') || SQL_VERB.test(text))) {
    return { type: 'sql', sql: text, database: firstText(fields, DATABASE) ?? tool };
  }
  if (/^file:\/\//i.test(text)) return pathOf(text.replace(/^file:\/\/(?:localhost)?/i, ''), fields);
  if (URL_NAME.test(name) && /^[a-z][a-z0-9+.-]*:\/\/|^[\w-]+(?:\.[\w-]+)+|^localhost/i.test(text)) {
    const method = firstText(fields, /^(?:method|httpmethod|verb)$/);
    const body = firstText(fields, /^(?:body|data|payload|content|json)$/);
    return {
      type: 'url',
      url: text,
      method: method !== null && METHODS.test(method) ? method.toUpperCase() : null,
      body,
    };
  }
  return PATH.test(name) ? pathOf(text, fields) : null;
}

/** A function that is given to be called: `() => document.title`, `async (page) => { … }`. */
const called = (text: string): string =>
  /^\s*(?:async\s+)?(?:function\b|\([^()]*\)\s*=>|[\w$]+\s*=>)/.test(text)
    ? `(${text.trim().replace(/;$/, '')})()`
    : text;

/** A cell without the lines that are no code of its language. */
const MAGIC = /^[ \t]*(?:\w+[ \t]*=[ \t]*)?(?:![^=!]|%[A-Za-z]).*$/gm;

/** Lines of a notebook's cell that its shell runs: `!ls`, and all behind `%%bash`. Source: IPython 8, "Magic commands". */
function linesForShell(text: string): readonly Asked[] {
  const cell = /^\s*%%(?:bash|sh|script\b.*)\s*\n([\s\S]*)$/.exec(text)?.[1];
  const lines =
    cell === undefined
      ? [...text.matchAll(/^\s*(?:\w+\s*=\s*)?!(?![=!])(.+)$/gm)].map(([, line = '']) => line)
      : [cell];
  return lines.map((line): Asked => ({ type: 'command', text: line, shell: null, cwd: null }));
}

function commandOf(text: string, fields: ReadonlyMap<string, Json>): Asked {
  const shell = SHELLS.find((known) => known === fields.get('shell')) ?? null;
  const args = textsOf(fields.get('args') ?? fields.get('arguments') ?? null).map(quoteWord);
  const line = [text, ...args].join(' ');
  // With a host beside it, it runs there.
  const host = firstText(fields, /^(?:host|hostname|sshhost|remotehost)$/);
  const isHere = host === null || /^(?:localhost|127\.[\d.]+|::1)$/.test(host);
  return {
    type: 'command',
    text: isHere ? line : `ssh ${quoteWord(host)} ${quoteWord(line)}`,
    shell,
    cwd: firstText(fields, CWD),
  };
}

function pathOf(path: string, fields: ReadonlyMap<string, Json>): Asked {
  const contents = [...fields].filter(([name]) => CONTENT.test(name));
  return {
    type: 'path',
    path,
    hasContent: contents.length > 0,
    content: contents.map(([, value]) => (typeof value === 'string' ? value : JSON.stringify(value))).join('\n'),
  };
}

function moveIn(tool: string, fields: ReadonlyMap<string, Json>): Asked | null {
  const from = firstText(fields, /^(?:from|source|src|oldpath|sourcepath)$/);
  const to = firstText(fields, /^(?:to|destination|dest|dst|newpath|destinationpath)$/);
  if (from === null || to === null || !/move|rename|copy|file/i.test(tool)) return null;
  return { type: 'move', from, to, isCopy: /copy/i.test(tool) };
}

function firstText(fields: ReadonlyMap<string, Json>, name: RegExp): string | null {
  for (const [key, value] of fields) if (name.test(key) && typeof value === 'string' && value !== '') return value;
  return null;
}
