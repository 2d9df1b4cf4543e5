import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { describeEffect } from '../core/audit/describe.js';
import { openSession } from '../core/gate/openSession.js';
import type { Outcome } from '../core/gate/outcome.js';
import type { Kind } from '../core/lacuna/kinds.js';
import { parseProposal, type Proposal } from '../core/lacuna/lacuna.js';
import { headlessApprover, terminalApprover } from './askOnTerminal.js';
import { openEngine } from './engine.js';
import { EXIT, only, parseArguments, UsageError, type ExitCode, type Io, type Parsed } from './io.js';
import { quoteWord } from '../core/effects/shell/quote.js';

const HELP = `usage: lacuna run [--workspace DIR] [FLAGS] -- COMMAND…
       lacuna run [--workspace DIR] [FLAGS] --lacuna JSON

Puts one real Lacuna through the gate: judged, asked about on the terminal, filled, recorded.

  --workspace DIR   the workspace (default: the current folder)
  --lacuna JSON     {"kind":"ReadFile","params":{"path":"a.txt"}}, for any kind
  --request TEXT    what the person asked for, which state and reviewer look at
  --session ID      a session to go on with (default: a new one)
  --state DIR       where audit and state are kept (default: $XDG_STATE_HOME/lacuna)
  --headless        nobody can be asked: ask becomes deny
  --json            decision and outcome as JSON
  --exit-code       1 also where it was not filled as asked, or the command did not end with 0
`;

const FLAGS = {
  workspace: 'value',
  lacuna: 'value',
  request: 'value',
  session: 'value',
  state: 'value',
  headless: 'switch',
  json: 'switch',
  'exit-code': 'switch',
  help: 'switch',
} as const;

/** `lacuna run`: exit code 0 whatever the verdict, 1 when it was let through and failed, or as `--exit-code` says. */
export async function run(args: readonly string[], io: Io): Promise<ExitCode> {
  const parsed = parseArguments(args, FLAGS);
  if (parsed.switches.has('help')) {
    io.out(HELP);
    return EXIT.done;
  }
  const proposal = proposalOf(parsed);
  const workspace = path.resolve(only(parsed, 'workspace') ?? '.');
  if (!existsSync(workspace) || !statSync(workspace).isDirectory())
    throw new UsageError(`There is no folder ${workspace}.`);
  const isHeadless = parsed.switches.has('headless') || !io.isInteractive;
  const state = only(parsed, 'state');
  const engine = await openEngine({
    workspace,
    isHeadless,
    approver: isHeadless ? headlessApprover : terminalApprover,
    warn: io.error,
    ...(state === undefined ? {} : { state: path.resolve(state) }),
  });
  const sessionId = only(parsed, 'session') ?? engine.ids.next();
  const { gate, ledger } = await openSession({ sessionId, mode: 'balanced' }, engine);
  const request = only(parsed, 'request') ?? '';
  if (request !== '') await ledger.event({ type: 'request', atMs: engine.clock.nowMs(), text: request });
  const cancel = new AbortController();
  const stop = (): void => cancel.abort();
  process.once('SIGINT', stop);
  try {
    const lacuna = gate.open({
      proposal,
      origin: { agent: 'cli', subagent: null, request, requestId: null },
      parentId: null,
      depth: 0,
      description: '',
      planStep: null,
    });
    const isJson = parsed.switches.has('json');
    let shown = '';
    const show = (text: string): void => {
      if (!isJson) io.out((shown = text));
    };
    const passed = await gate.pass(lacuna, cancel.signal, { output: show });
    const effects = ledger.entry(passed.lacuna.id)?.analysis?.effects ?? [];
    if (isJson) io.out(`${JSON.stringify({ sessionId, ...passed, effects })}\n`);
    else {
      // A command's output has come as it ran; what else was filled gives its result at the end.
      if (shown === '' && 'output' in passed.outcome) show(passed.outcome.output.text);
      if (shown !== '' && !shown.endsWith('\n')) show('\n');
      io.error(`${passed.decision.verdict} by ${passed.decision.decidedBy}: ${passed.decision.reason}\n`);
      if (passed.outcome.type === 'refused')
        io.error(effects.map((effect) => `  ${describeEffect(effect)}\n`).join(''));
      io.error(outcomeText(passed.outcome));
    }
    return hasFailed(passed.lacuna.kind, passed.outcome, parsed.switches.has('exit-code')) ? EXIT.failed : EXIT.done;
  } finally {
    process.off('SIGINT', stop);
    await engine.close();
  }
}

/** Whether the caller is told of a failure; strictly, of anything else than what was asked for, done and ended well. */
function hasFailed(kind: Kind, outcome: Outcome, isStrict: boolean): boolean {
  if (!isStrict) return outcome.type === 'failed' || outcome.type === 'timed-out';
  if (outcome.type !== 'filled') return true;
  const status = outcome.status ?? 0;
  return kind === 'HttpRequest' ? status >= 400 : status !== 0;
}

function proposalOf(parsed: Parsed): Proposal {
  const json = only(parsed, 'lacuna');
  if (json !== undefined && parsed.rest.length > 0) throw new UsageError('Give either --lacuna or a command after --.');
  if (json === undefined) {
    if (parsed.rest.length === 0) throw new UsageError('Give a command after --, or a Lacuna by --lacuna.');
    const command = parsed.rest.length === 1 ? (parsed.rest[0] ?? '') : parsed.rest.map(quoteWord).join(' ');
    return { kind: 'ExecuteShell', params: { command } };
  }
  const value = parseJson(json);
  const fields = new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
  const kind: unknown = fields.get('kind');
  if (typeof kind !== 'string') throw new UsageError('--lacuna must be JSON with "kind" and "params".');
  const proposal = parseProposal(kind, fields.get('params'));
  if (proposal.ok) return proposal.value;
  throw new UsageError(
    proposal.error.type === 'unknown-kind'
      ? `There is no kind ${kind}.`
      : `${kind}: ${proposal.error.issues.join('; ')}.`,
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw new UsageError(`--lacuna is not JSON: ${error.message}.`);
    throw error;
  }
}

function outcomeText(outcome: Outcome): string {
  switch (outcome.type) {
    case 'filled':
      return '';
    case 'refused':
      return `refused by ${outcome.by}. ${outcome.advice}\n`;
    default:
      return `${outcome.type}: ${'message' in outcome ? outcome.message : ''}\n`;
  }
}
