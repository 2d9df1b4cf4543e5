import type { Proposal } from '../lacuna/lacuna.js';
import type { PolicyContext } from './context.js';
import type { RuleSpec } from './schema.js';
import { listOf } from './subject.js';
import { quoteWord } from '../effects/shell/quote.js';
import { withoutEnd } from '../trim.js';

/** What a rule says shall be changed. */
export type RepairSpec = NonNullable<RuleSpec['repair']>;

/** What came of a repair. `nothing-to-do`: the proposal is already as the rule wants it. */
export type RepairResult =
  | { readonly type: 'repaired'; readonly after: Proposal; readonly explanation: string }
  | { readonly type: 'nothing-to-do' }
  | { readonly type: 'impossible'; readonly why: string };

type Step = (proposal: Proposal, spec: RepairSpec, context: PolicyContext) => RepairResult | null;

/**
 * Changes a proposal as a rule says, every part of the rule in turn. A part that does not fit the kind makes the whole
 * repair impossible: half a repair is none. What comes out is judged again from the start.
 */
export function repairProposal(proposal: Proposal, spec: RepairSpec, context: PolicyContext): RepairResult {
  let after = proposal;
  const explanations: string[] = [];
  for (const step of STEPS) {
    const result = step(after, spec, context);
    if (result === null || result.type === 'nothing-to-do') continue;
    if (result.type === 'impossible') return result;
    after = result.after;
    explanations.push(result.explanation);
  }
  return explanations.length === 0
    ? { type: 'nothing-to-do' }
    : { type: 'repaired', after: Object.freeze(after), explanation: explanations.join(', ') };
}

const impossible = (why: string): RepairResult => ({ type: 'impossible', why });
const NOTHING: RepairResult = { type: 'nothing-to-do' };

const limitRows: Step = (proposal, { limitRows: most }) => {
  if (most === undefined) return null;
  if (proposal.kind !== 'QueryDatabase') return impossible('only a query has rows to limit');
  const sql = withoutEnd(proposal.params.sql, '; \t\r\n');
  // Comments and literals could hide or fake a LIMIT, so a statement that holds any is left to the person.
  if (/--|\/\*|'|"|\$\$|;/.test(sql.replace(/'[^']*'/g, ''))) return impossible('the statement cannot be read safely');
  if (!/^\s*(select|with|table|values)\b/i.test(sql)) return impossible('only a reading statement can be limited');
  const found = /\blimit\s+(\d+)(?=\s*(?:offset\s+\d+\s*)?$)/i.exec(sql);
  if (found === null && /\b(limit|fetch)\b/i.test(sql)) return impossible('its limit cannot be read');
  if (found !== null && Number(found[1]) <= most) return NOTHING;
  const limited =
    found === null
      ? `${sql} LIMIT ${String(most)}`
      : `${sql.slice(0, found.index)}LIMIT ${String(most)}${sql.slice(found.index + found[0].length)}`;
  return {
    type: 'repaired',
    after: { kind: 'QueryDatabase', params: { ...proposal.params, sql: limited } },
    explanation: found === null ? `adds LIMIT ${String(most)}` : `lowers LIMIT to ${String(most)}`,
  };
};

const maxTimeout: Step = (proposal, { maxTimeoutSeconds: most }) => {
  if (most === undefined) return null;
  if (proposal.kind !== 'ExecuteShell') return impossible('only a command has a time-out');
  const now = proposal.params.timeoutSeconds;
  if (now !== undefined && now <= most) return NOTHING;
  return {
    type: 'repaired',
    after: { kind: 'ExecuteShell', params: { ...proposal.params, timeoutSeconds: most } },
    explanation: `stops it after ${String(most)} seconds`,
  };
};

/** A word as it is written, and as the program gets it. */
interface PlainWord {
  readonly raw: string;
  readonly text: string;
}

/**
 * Words of a line that is one command of words and quoted text; null for any line in which a word could mean more than it says
 * (expansions, escapes, braces) or that holds more than the command (pipes, redirects, comments).
 */
function plainWords(command: string): PlainWord[] | null {
  const words: PlainWord[] = [];
  const pattern = /\s*((?:[^\s'"]|'[^']*'|"[^"]*")+)\s*/gy;
  const line = command.trim();
  if (/[$`\\\n]/.test(line)) return null;
  while (pattern.lastIndex < line.length) {
    const raw = pattern.exec(line)?.[1];
    if (raw === undefined) return null; // a quote that is never closed
    if (/[;|&<>(){}]|^#/.test(raw.replace(/'[^']*'|"[^"]*"/g, ''))) return null;
    words.push({ raw, text: raw.replace(/'([^']*)'|"([^"]*)"/g, '$1$2') });
  }
  return words;
}

const lineOf = (words: readonly PlainWord[]): string => words.map(({ raw }) => raw).join(' ');

const dropOptions: Step = (proposal, { dropOptions: drop }) => {
  if (drop === undefined) return null;
  if (proposal.kind !== 'ExecuteShell') return impossible('only a command has options');
  const words = plainWords(proposal.params.command);
  if (words === null) return impossible('the line is more than plain words, so an option cannot be dropped safely');
  const unwanted = new Set(listOf<string>(drop));
  const dropped: string[] = [];
  const kept = words.flatMap((word): PlainWord[] => {
    const { text } = word;
    const name = text.startsWith('--') ? (text.split('=', 1)[0] ?? text) : text;
    if (unwanted.has(name)) {
      dropped.push(text);
      return [];
    }
    if (!/^-[A-Za-z]{2,}$/.test(text)) return [word];
    const letters = [...text.slice(1)].filter((letter) => !unwanted.has(`-${letter}`));
    if (letters.length === text.length - 1) return [word];
    dropped.push(text);
    const left = `-${letters.join('')}`;
    return letters.length === 0 ? [] : [{ raw: left, text: left }];
  });
  if (dropped.length === 0) return NOTHING;
  return {
    type: 'repaired',
    after: { kind: 'ExecuteShell', params: { ...proposal.params, command: lineOf(kept) } },
    explanation: `drops ${dropped.join(' ')}`,
  };
};

const addOptions: Step = (proposal, { addOptions: add }) => {
  if (add === undefined) return null;
  if (proposal.kind !== 'ExecuteShell') return impossible('only a command has options');
  const words = plainWords(proposal.params.command);
  if (words === null) return impossible('the line is more than plain words, so an option cannot be added safely');
  const missing = listOf<string>(add).filter((option) => !words.some(({ text }) => text === option));
  if (missing.length === 0) return NOTHING;
  return {
    type: 'repaired',
    after: { kind: 'ExecuteShell', params: { ...proposal.params, command: [lineOf(words), ...missing].join(' ') } },
    explanation: `adds ${missing.join(' ')}`,
  };
};

/**
 * Programs that leave paths out of a recursive read, and the options that tell them to. GNU grep knows files and folders by
 * their last names only, so it may leave out more than was said.
 */
const EXCLUDES: ReadonlyMap<string, (path: string, isFolder: boolean) => readonly string[]> = new Map([
  ['grep', grepExcludes],
  ['rg', (path) => [`--glob=!${path.includes('/') && !path.startsWith('**/') ? `**/${path}` : path}`]],
  ['tar', (path) => [`--exclude=${path}`]],
  ['rsync', (path) => [`--exclude=${path}`]],
  ['du', (path) => [`--exclude=${path}`]],
]);

function grepExcludes(path: string, isFolder: boolean): readonly string[] {
  const name = path.split('/').pop() ?? path;
  return [...(isFolder ? [] : [`--exclude=${name}`]), `--exclude-dir=${name}`];
}

const exclude: Step = (proposal, { exclude: paths }) => {
  if (paths === undefined) return null;
  if (proposal.kind !== 'ExecuteShell') return impossible('only a command can leave paths out');
  const words = plainWords(proposal.params.command);
  const program = words?.[0]?.text;
  if (words === null || program === undefined) return impossible('the line is more than plain words');
  const options = EXCLUDES.get(program);
  if (options === undefined) return impossible(`${program} has no known way to leave paths out`);
  const list = listOf<string>(paths);
  if (list.some((path) => /^[~/]|^[A-Za-z]:|(^|\/)\.\.(\/|$)|'/.test(path)))
    return impossible('only paths of the workspace can be left out');
  const wanted = list.flatMap((path) => options(path.replace(/\/\*{0,2}$/, ''), /\/\*{0,2}$/.test(path)));
  const missing = wanted.filter((option) => !words.some(({ text }) => text === option));
  if (missing.length === 0) return NOTHING;
  const at = placeOfOptions(words);
  if (at === null) return impossible('where an option could stand cannot be told');
  const command = [lineOf(words.slice(0, at)), ...missing.map(quoteWord), lineOf(words.slice(at))].join(' ').trimEnd();
  return {
    type: 'repaired',
    after: { kind: 'ExecuteShell', params: { ...proposal.params, command } },
    explanation: `leaves out ${list.join(', ')}`,
  };
};

/** Where options can be put: after the program; after the archive where tar has its letters first, without a dash. */
function placeOfOptions(words: readonly PlainWord[]): number | null {
  const letters = words[1]?.text ?? '';
  if (words[0]?.text !== 'tar' || letters.startsWith('-')) return 1;
  return /^[a-zA-Z]*f$/.test(letters) && !/[CTXIFbHKLNVg]/.test(letters) && words.length > 2 ? 3 : null;
}

const narrowTo: Step = (proposal, { narrowTo: path }) => {
  if (path === undefined) return null;
  switch (proposal.kind) {
    case 'ListFiles':
    case 'SearchFiles': {
      if (proposal.params.path === path) return NOTHING;
      const explanation = `narrows it to ${path}`;
      return proposal.kind === 'ListFiles'
        ? { type: 'repaired', after: { kind: 'ListFiles', params: { ...proposal.params, path } }, explanation }
        : { type: 'repaired', after: { kind: 'SearchFiles', params: { ...proposal.params, path } }, explanation };
    }
    default:
      return impossible('only listing and searching can be narrowed to a path');
  }
};

const STEPS: readonly Step[] = [limitRows, maxTimeout, dropOptions, addOptions, exclude, narrowTo];
