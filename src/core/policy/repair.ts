import type { Proposal } from '../lacuna/lacuna.js';
import type { PolicyContext } from './context.js';
import type { RuleSpec } from './schema.js';
import { listOf } from './subject.js';

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
  const sql = proposal.params.sql.replace(/(?:\s|;)+$/, '');
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

/** Words of a line that holds nothing but plain words; null for any line in which a word could mean more than it says. */
function plainWords(command: string): string[] | null {
  if (!/^[A-Za-z0-9_@%+=:,./ -]+$/.test(command)) return null;
  return command.split(/ +/).filter((word) => word !== '');
}

const dropOptions: Step = (proposal, { dropOptions: drop }) => {
  if (drop === undefined) return null;
  if (proposal.kind !== 'ExecuteShell') return impossible('only a command has options');
  const words = plainWords(proposal.params.command);
  if (words === null) return impossible('the line is more than plain words, so an option cannot be dropped safely');
  const unwanted = new Set(listOf<string>(drop));
  const dropped: string[] = [];
  const kept = words.flatMap((word) => {
    const name = word.startsWith('--') ? (word.split('=', 1)[0] ?? word) : word;
    if (unwanted.has(name)) {
      dropped.push(word);
      return [];
    }
    if (!/^-[A-Za-z]{2,}$/.test(word)) return [word];
    const letters = [...word.slice(1)].filter((letter) => !unwanted.has(`-${letter}`));
    if (letters.length === word.length - 1) return [word];
    dropped.push(word);
    return letters.length === 0 ? [] : [`-${letters.join('')}`];
  });
  if (dropped.length === 0) return NOTHING;
  return {
    type: 'repaired',
    after: { kind: 'ExecuteShell', params: { ...proposal.params, command: kept.join(' ') } },
    explanation: `drops ${dropped.join(' ')}`,
  };
};

const addOptions: Step = (proposal, { addOptions: add }) => {
  if (add === undefined) return null;
  if (proposal.kind !== 'ExecuteShell') return impossible('only a command has options');
  const words = plainWords(proposal.params.command);
  if (words === null) return impossible('the line is more than plain words, so an option cannot be added safely');
  const missing = listOf<string>(add).filter((option) => !words.includes(option));
  if (missing.length === 0) return NOTHING;
  return {
    type: 'repaired',
    after: { kind: 'ExecuteShell', params: { ...proposal.params, command: [...words, ...missing].join(' ') } },
    explanation: `adds ${missing.join(' ')}`,
  };
};

/** Programs that leave paths out of a recursive read, and how they are told to. */
const EXCLUDES: ReadonlyMap<string, (path: string) => string> = new Map([
  ['rg', (path) => `--glob=!${path}`],
  ['tar', (path) => `--exclude=${path}`],
  ['rsync', (path) => `--exclude=${path}`],
  ['du', (path) => `--exclude=${path}`],
  ['tree', (path) => `-I ${path}`],
]);

const exclude: Step = (proposal, { exclude: paths }) => {
  if (paths === undefined) return null;
  if (proposal.kind !== 'ExecuteShell') return impossible('only a command can leave paths out');
  const words = plainWords(proposal.params.command);
  const program = words?.[0];
  if (words === null || program === undefined) return impossible('the line is more than plain words');
  const option = EXCLUDES.get(program) ?? (program === 'grep' ? grepExclude : null);
  if (option === null) return impossible(`${program} has no known way to leave paths out`);
  const wanted = listOf<string>(paths).map((path) => quoted(option(path.replace(/\/\*\*$/, ''))));
  if (wanted.every((word) => proposal.params.command.includes(word))) return NOTHING;
  return {
    type: 'repaired',
    after: {
      kind: 'ExecuteShell',
      params: { ...proposal.params, command: [program, ...wanted, ...words.slice(1)].join(' ') },
    },
    explanation: `leaves out ${listOf<string>(paths).join(', ')}`,
  };
};

/** GNU grep knows folders and files by their last names only. */
const grepExclude = (path: string): string => {
  const name = path.split('/').pop() ?? path;
  return name.includes('.') && !name.startsWith('.') ? `--exclude=${name}` : `--exclude-dir=${name}`;
};
const quoted = (word: string): string => (/^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : `'${word}'`);

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
