import type { Word } from '../../../effect.js';
import type { ProgramEntry, Run } from '../../run.js';
import { withHidden } from '../../glob.js';
import { escapeGlob, exactWord } from '../../word.js';
import { argumentsOf, HERE, rows } from '../helpers.js';
import { parseOptions, type ParsedOptions } from '../options.js';

/** Predicates that take one argument. Source: find(1), GNU findutils 4.10 and BSD. */
const ONE_ARGUMENT = new Set(
  '-name -iname -path -ipath -wholename -iwholename -lname -ilname -regex -iregex -regextype -type -xtype -size -perm -user -group -uid -gid -links -inum -samefile -newer -anewer -cnewer -newermt -newerat -newerct -newermm -mtime -atime -ctime -mmin -amin -cmin -Bmin -Btime -used -fstype -maxdepth -mindepth -context -printf -files0-from -flags -mnewer -newerXY'.split(
    ' ',
  ),
);
const NO_ARGUMENT = new Set(
  '-empty -executable -readable -writable -nouser -nogroup -true -false -print -print0 -ls -prune -quit -daystart -xdev -mount -d -follow -noleaf -ignore_readdir_race -noignore_readdir_race -warn -nowarn -not -and -a -or -o ! ( ) , -s -x -X -E -sparse -L -H -P'.split(
    ' ',
  ),
);
/** Predicates that keep files out, so that not all that lies below is meant. */
const RESTRICTING =
  /^-(i?name|i?path|i?wholename|i?lname|i?regex|size|perm|user|group|uid|gid|links|inum|samefile|a?c?newer.*|[acm]time|[acm]min|used|empty|executable|nouser|nogroup|maxdepth|prune|fstype)$/;

/** An expression of find, taken apart. */
interface Search {
  readonly paths: readonly Word[];
  /** Glob of the names that can be found; null when any can. */
  readonly name: string | null;
  readonly isRestricted: boolean;
  readonly isShallow: boolean;
  /** Whether names that start with a dot are left out. */
  readonly passesHidden: boolean;
  /** Whether only files are found, and no folder goes as a whole. */
  readonly isOfFiles: boolean;
  /** Whether only what is empty is found. */
  readonly isEmpty: boolean;
  readonly actions: readonly Action[];
}
type Action =
  | { readonly type: 'delete' }
  | { readonly type: 'run'; readonly argv: readonly Word[]; readonly isIn: boolean }
  | { readonly type: 'write'; readonly path: Word };

function read(run: Run, words: readonly Word[]): Search {
  const paths: Word[] = [];
  const actions: Action[] = [];
  let name: string | null = null;
  let isRestricted = false;
  let isShallow = false;
  let isMixed = false;
  let isOfFiles = false;
  let isEmpty = false;
  let hasChoice = false;
  let at = 0;
  while (/^-[HLPEXdsx]$|^-O\d$|^-D$/.test(words[at]?.text ?? '')) at += words[at]?.text === '-D' ? 2 : 1;
  for (; at < words.length; at += 1) {
    const word = words[at] as Word;
    if (/^[-(!,]/.test(word.text) && !(word.text.startsWith('-') && word.text.length === 1)) break;
    paths.push(word);
  }
  const next = (): Word => {
    at += 1;
    return words[at] ?? exactWord('');
  };
  for (; at < words.length; at += 1) {
    const { text } = words[at] as Word;
    if (RESTRICTING.test(text)) isRestricted = true;
    if (text === '-empty' && !/^(?:!|-not)$/.test(words[at - 1]?.text ?? '')) isEmpty = true;
    if (/^(?:-o|-or|,)$/.test(text)) hasChoice = true;
    if (/^(-o|-or|!|-not|,)$/.test(text)) isMixed = true;
    if (text === '-delete') actions.push({ type: 'delete' });
    else if (/^-(exec|execdir|ok|okdir)$/.test(text)) {
      const argv: Word[] = [];
      for (at += 1; at < words.length; at += 1) {
        const word = words[at] as Word;
        if (word.text === ';' || (word.text === '+' && argv.at(-1)?.text === '{}')) break;
        argv.push(word);
      }
      actions.push({ type: 'run', argv, isIn: text.endsWith('dir') });
    } else if (/^-f(print|print0|ls)$/.test(text)) actions.push({ type: 'write', path: next() });
    else if (text === '-fprintf') {
      actions.push({ type: 'write', path: next() });
      next();
    } else if (text === '-type') isOfFiles = next().text === 'f';
    else if (text === '-maxdepth') isShallow = /^[01]$/.test(next().text);
    else if (text === '-files0-from') run.read(next());
    else if (/^-i?name$/.test(text)) name = next().text;
    else if (text === '-depth')
      at += /^[-+]?\d+$/.test(words[at + 1]?.text ?? '') ? 1 : 0; // The number is BSD's.
    else if (ONE_ARGUMENT.has(text) || /^-newer[aBcm][aBcmt]$/.test(text)) next();
    else if (!NO_ARGUMENT.has(text) && !/^-(help|version|-help|-version)$/.test(text)) run.unknown(`${text} of find`);
  }
  return {
    paths: paths.length === 0 ? [HERE] : paths,
    name: isMixed || name === '*' ? null : name,
    isRestricted,
    isShallow,
    passesHidden: false,
    isOfFiles: isOfFiles && !isMixed,
    isEmpty: isEmpty && !hasChoice,
    actions,
  };
}

/** What a search can find below one path, as a pattern. */
function foundBelow(path: Word, search: Search): Word {
  if (path.certainty === 'dynamic') return { ...path, text: `${path.text}/*`, quoted: true };
  const base = (path.certainty === 'exact' ? escapeGlob(path.text) : path.text).replace(/(?<=.)\/+$/, '');
  const folder = base === '/' ? '' : base;
  const name = search.passesHidden ? (search.name ?? '*') : withHidden(search.name ?? '*');
  const text = search.isShallow ? `${folder}/${name}` : `${folder}/**/${name}`;
  const found: Word = { text, raw: path.raw, certainty: 'pattern', quoted: true };
  return search.isOfFiles && search.name !== null ? { ...found, names: 'files' } : found;
}

function find(run: Run): void {
  const words = argumentsOf(run.invocation);
  // Anywhere else the word may be the value of a test or belong to a command.
  if (/^(--?help|--?version)$/.test(words[0]?.text ?? '')) return;
  const search = read(run, words);
  for (const path of search.paths) run.list(path, { traits: ['recursive'] });
  for (const action of search.actions) {
    if (action.type === 'write') run.write(action.path);
    else for (const path of search.paths) act(run, action, path, search);
  }
  const [only] = search.paths;
  if (only && search.paths.length === 1 && search.actions.length === 0) run.outputs(foundBelow(only, search));
}

function act(run: Run, action: Exclude<Action, { type: 'write' }>, path: Word, search: Search): void {
  const found = foundBelow(path, search);
  const deletes = action.type === 'delete' || /(^|\/)(rm|shred|unlink)$/.test(action.argv[0]?.text ?? '');
  const note = 'all that find finds';
  // Without a condition the folder goes as a whole.
  if (deletes && !search.isRestricted) run.delete(path, { traits: ['recursive', 'mass'], note });
  else if (action.type === 'delete' && search.isEmpty)
    run.delete(found, { content: 'kept', note: 'only what is empty' });
  else if (action.type === 'delete') run.delete(found, { traits: ['mass'], note });
  if (action.type === 'delete') return;
  const filled = action.argv.map((word) => fill(word, found));
  run.carry(filled, action.isIn ? { cwd: { ...found, certainty: 'dynamic', text: '$_' } } : {});
}

/** Puts what was found in place of `{}`. */
function fill(word: Word, found: Word): Word {
  if (!word.text.includes('{}')) return word;
  if (word.text === '{}') return found;
  if (word.certainty === 'exact' && found.certainty === 'pattern' && !/\s/.test(word.text)) {
    return { ...found, text: word.text.split('{}').map(escapeGlob).join(found.text), raw: word.raw };
  }
  // Inside of code: what is found there is known only when it runs.
  return { ...word, text: word.text.replaceAll('{}', '$_'), certainty: 'dynamic' };
}

/** A regular expression as a glob, for the plain ones that people type; null for others, which may name anything. */
function globOf(expression: string): string | null {
  const [, start = '', middle = '', end = ''] = /^(\^?)((?:[\w/ -]|\\[.+-]|\.\*|\.)*)(\$?)$/.exec(expression) ?? [];
  if (middle === '') return null;
  const inner = middle.replace(
    /\.\*|\\(.)|\./g,
    (all, literal: string | undefined) => literal ?? (all === '.' ? '?' : '*'),
  );
  return `${start === '' ? '*' : ''}${inner}${end === '' ? '*' : ''}`.replace(/\*{2,}/g, '*');
}

/** The name that fd looks for, as a glob; null where it may be any. */
function nameSought(parsed: ParsedOptions): string | null {
  const extension = parsed.value('-e');
  if (extension) return `*.${extension.text}`;
  const [pattern] = parsed.operands;
  if (!pattern || pattern.certainty !== 'exact' || parsed.has('-p')) return null;
  if (parsed.has('-g')) return pattern.text;
  return parsed.has('-F') ? `*${escapeGlob(pattern.text)}*` : globOf(pattern.text);
}

/** `fd`: hidden and ignored files are passed over unless it is told not to. Source: fd 10. */
function fd(run: Run): void {
  const words = argumentsOf(run.invocation);
  const start = words.findIndex(({ text }) => /^(-x|-X|--exec|--exec-batch)$/.test(text));
  const parsed = parseOptions(
    {
      flags:
        '-H|--hidden -I|--no-ignore --no-ignore-vcs --no-ignore-parent -u|--unrestricted -s|--case-sensitive -i|--ignore-case -g|--glob --regex -F|--fixed-strings -a|--absolute-path -l|--list-details -L|--follow -p|--full-path -0|--print0 -1 -q|--quiet --show-errors --one-file-system --prune --and --strip-cwd-prefix -h|--help -V|--version',
      values:
        '-d|--max-depth --min-depth --exact-depth -t|--type -e|--extension -E|--exclude -S|--size -o|--owner --changed-within --changed-before --format --batch-size --max-results -j|--threads -c|--color --base-directory --search-path --path-separator --ignore-file',
    },
    start < 0 ? words : words.slice(0, start),
  );
  if (parsed.has('-h', '-V')) return;
  const [, ...paths] = parsed.operands;
  const folders = paths.length > 0 ? paths : [...parsed.values('--search-path'), ...parsed.values('--base-directory')];
  const search: Search = {
    paths: folders.length > 0 ? folders : [HERE],
    name: nameSought(parsed),
    isRestricted: parsed.operands.length > 0 || parsed.has('-e', '-t'),
    isShallow: false,
    passesHidden: !parsed.has('-H', '-u'),
    isOfFiles: parsed.values('-t').length > 0 && parsed.values('-t').every(({ text }) => /^f(?:ile)?$/.test(text)),
    isEmpty: parsed.values('-t').some(({ text }) => /^e(?:mpty)?$/.test(text)),
    actions: [],
  };
  for (const path of search.paths) run.list(path, { traits: ['recursive'] });
  const [only] = search.paths;
  if (start < 0) {
    if (only && search.paths.length === 1 && !parsed.has('-l')) run.outputs(foundBelow(only, search));
    return;
  }
  const end = words.findIndex(({ text }, at) => at > start && text === ';');
  const argv = words.slice(start + 1, end < 0 ? undefined : end);
  for (const path of search.paths) {
    const found = foundBelow(path, search);
    const filled = argv.map((word) =>
      fill({ ...word, text: word.text.replace(/^\{(\/|\/\/|\.|\/\.)\}$/, '{}') }, found),
    );
    run.carry(filled.some((word) => word === found) ? filled : [...filled, found]);
  }
}

/** Programs that find files and run others on them. */
export const finding: readonly ProgramEntry[] = [...rows('find|gfind', find), ...rows('fd|fdfind', fd)];
