import { readFileSync } from 'node:fs';
import path from 'node:path';
import { AuditFolder } from '../../adapters/auditFile.js';
import { lookAtFileSystem } from '../../adapters/facts.js';
import { fileIdentity } from '../../adapters/fileIdentity.js';
import { standardSources } from '../../adapters/policyFiles.js';
import { stateFolder } from '../../adapters/stateFolder.js';
import { clock, hasher } from '../../adapters/system.js';
import { describeProposal } from '../../core/audit/describe.js';
import type { AuditRecord } from '../../core/audit/record.js';
import { pastContext } from '../../core/check/pastContext.js';
import { parseProposal } from '../../core/lacuna/lacuna.js';
import { compilePolicy, type CompiledPolicy } from '../../core/policy/compile.js';
import { layersOf } from '../../core/policy/load.js';
import { changeOf, simulateAudit, type ContextAt } from '../../core/policy/simulate.js';
import type { Verdict } from '../../core/policy/verdict.js';
import { answerer, CHECK_FLAGS, loadPolicies, settingsOf, type Settings } from '../check.js';
import { EXIT, only, parseArguments, UsageError, type ExitCode, type Io } from '../io.js';

const HELP = `usage: lacuna policy simulate --policy [LAYER=]FILE… [FLAGS] [SESSION…]
       lacuna policy simulate --policy [LAYER=]FILE… [FLAGS] --traces FILE

Which decisions of past sessions would change under another policy. Without SESSION: all that are kept.
With --traces: a file of traces as "lacuna check" reads them, under the policy as it is and under the other.
Takes the flags of "lacuna check", and:

  --all          also decisions that stay the same
  --json         as JSON, one decision a line
  --state DIR    where audits are kept (default: $XDG_STATE_HOME/lacuna)
`;

const FLAGS = { ...CHECK_FLAGS, all: 'switch', json: 'switch', state: 'value', traces: 'value' } as const;

/** One decision under two policies. */
interface Row {
  readonly where: string;
  readonly what: string;
  readonly before: Verdict;
  readonly after: Verdict;
  readonly change: 'same' | 'stricter' | 'looser';
  readonly rules: readonly string[];
  readonly reason: string;
}

/** `lacuna policy simulate`. */
export async function policySimulate(args: readonly string[], io: Io): Promise<ExitCode> {
  const parsed = parseArguments(args, FLAGS);
  if (parsed.switches.has('help')) {
    io.out(HELP);
    return EXIT.done;
  }
  const settings = settingsOf({ ...parsed, operands: [] });
  if (settings.named.length === 0 && settings.mode === null)
    throw new UsageError('Say what shall be tried: --policy FILE, or --mode.');
  const traces = only(parsed, 'traces');
  const rows =
    traces === undefined
      ? await fromAudit(parsed.operands, path.resolve(only(parsed, 'state') ?? stateFolder()), settings, io)
      : await fromTraces(traces, settings, io);
  const shown = parsed.switches.has('all') ? rows : rows.filter(({ change }) => change !== 'same');
  if (parsed.switches.has('json')) for (const row of shown) io.out(`${JSON.stringify(row)}\n`);
  else print(rows, shown, io);
  return EXIT.done;
}

function print(rows: readonly Row[], shown: readonly Row[], io: Io): void {
  for (const { where, what, before, after, change, rules } of shown)
    io.out(`${change.padEnd(8)} ${before.padEnd(7)} → ${after.padEnd(7)} ${where}  ${what}  [${rules.join(', ')}]\n`);
  const count = (change: Row['change']): string => String(rows.filter((row) => row.change === change).length);
  io.out(
    `${String(rows.length)} decisions: ${count('stricter')} stricter, ${count('looser')} looser, ${count('same')} the same\n`,
  );
}

async function fromTraces(file: string, settings: Settings, io: Io): Promise<readonly Row[]> {
  const now = answerer({ ...settings, named: [], mode: null }, io);
  const then = answerer(settings, io);
  const rows: Row[] = [];
  for (const line of readLines(file)) {
    const before = stepsOf(await now(line));
    const after = stepsOf(await then(line));
    const proposals = proposalsOf(line);
    for (const [index, step] of after.entries()) {
      const old = before[index];
      const proposal = proposals[index];
      if (old === undefined || proposal === undefined) continue;
      rows.push({
        where: `${proposal.trace}/${String(index)}`,
        what: proposal.what,
        before: old.verdict,
        after: step.verdict,
        change: changeOf(old.verdict, step.verdict),
        rules: step.rules.map(({ id }) => id),
        reason: step.reason,
      });
    }
  }
  return rows;
}

function readLines(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line.trim() !== '');
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

interface Step {
  readonly verdict: Verdict;
  readonly rules: readonly { readonly id: string }[];
  readonly reason: string;
}

/** Steps of an answer; none when the line could not be read, which `lacuna check` tells better. */
const stepsOf = (answer: unknown): readonly Step[] =>
  typeof answer === 'object' && answer !== null && 'steps' in answer ? (answer.steps as readonly Step[]) : [];

function proposalsOf(line: string): readonly { readonly trace: string; readonly what: string }[] {
  const trace = JSON.parse(line) as { id: string; steps: { kind: string; params: unknown }[] };
  return trace.steps.map(({ kind, params }) => {
    const proposal = parseProposal(kind, params);
    return { trace: trace.id, what: proposal.ok ? describeProposal(proposal.value) : kind };
  });
}

async function fromAudit(
  sessions: readonly string[],
  state: string,
  settings: Settings,
  io: Io,
): Promise<readonly Row[]> {
  const folder = new AuditFolder(path.join(state, 'audit'), { hasher, clock });
  const names = sessions.length > 0 ? sessions : folder.sessions().map(({ sessionId }) => sessionId);
  const rows: Row[] = [];
  for (const name of names) {
    const { records, faults } = folder.verify(name);
    for (const fault of faults) io.error(`lacuna policy simulate: ${name}: ${fault.message}\n`);
    const roots = rootsOf(records);
    if (roots.length === 0) continue;
    const policy = await policyFor(roots, settings, io);
    for (const one of simulateAudit(records, policy, contextAt(policy, roots, settings)))
      rows.push({
        where: `${one.sessionId}/${one.lacunaId}`,
        what: describeProposal(one.lacuna),
        before: one.before,
        after: one.after,
        change: one.change,
        rules: one.rules,
        reason: one.reason,
      });
  }
  return rows;
}

function rootsOf(records: readonly AuditRecord[]): readonly string[] {
  for (const record of records)
    if (record.type === 'session' && record.event.type === 'started') return record.event.roots;
  return [];
}

async function policyFor(roots: readonly string[], settings: Settings, io: Io): Promise<CompiledPolicy> {
  const replaced = new Set(settings.named.map(({ layer }) => layer));
  const standard = standardSources(roots).filter(({ layer }) => !replaced.has(layer));
  const warn = (line: string): void => io.error(`lacuna policy simulate: ${line}\n`);
  const loaded = await loadPolicies(standard, settings.named, warn);
  return compilePolicy(layersOf(loaded, { isTrusted: settings.isTrusted }));
}

/** Circumstances of past Lacunas of a session, in the mode that a flag says. */
function contextAt(policy: CompiledPolicy, roots: readonly string[], settings: Settings): ContextAt {
  const past = pastContext(policy, {
    facts: lookAtFileSystem({ roots, environment: 'unknown' }),
    identity: fileIdentity,
    circumstances: {
      user: null,
      time: null,
      isHeadless: settings.isHeadless,
      isTrusted: settings.isTrusted,
      hasSandbox: settings.hasSandbox,
    },
  });
  return (...args) => {
    const context = past(...args);
    return settings.mode === null ? context : { ...context, mode: settings.mode };
  };
}
