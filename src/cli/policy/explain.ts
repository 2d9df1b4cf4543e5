import { explain, explanationLines } from '../../core/policy/explain.js';
import { answerer, CHECK_FLAGS, settingsOf, type Seen } from '../check.js';
import { EXIT, only, parseArguments, type ExitCode, type Io } from '../io.js';
import { quoteWord } from '../../core/effects/shell/quote.js';

const HELP = `usage: lacuna policy explain [FLAGS] < TRACES
       lacuna policy explain [FLAGS] -- COMMAND

Tells for each step of a trace (as "lacuna check" reads them), or for one command, what it does, every rule that speaks
for it, and why the winner won. Takes the flags of "lacuna check", and:

  --all             also rules that were considered and do not match, and which part of them does not
  --json            decision and rules as JSON, one line a step
  --workspace DIR   the workspace of the command (default: the current folder)
`;

const FLAGS = { ...CHECK_FLAGS, all: 'switch', json: 'switch', workspace: 'value' } as const;

/** `lacuna policy explain`. */
export async function policyExplain(args: readonly string[], io: Io): Promise<ExitCode> {
  const parsed = parseArguments(args, FLAGS);
  if (parsed.switches.has('help')) {
    io.out(HELP);
    return EXIT.done;
  }
  let seen: Seen[] = [];
  const answer = answerer(settingsOf(parsed), io, (one) => seen.push(one));
  for await (const line of parsed.rest.length > 0 ? ownTrace(parsed.rest, only(parsed, 'workspace')) : io.lines()) {
    if (line.trim() === '') continue;
    seen = [];
    const result = await answer(line);
    if (typeof result === 'object' && result !== null && 'error' in result) {
      io.out(`${String(result.error)}\n`);
      continue;
    }
    for (const { policy, proposal, analysis, context } of seen) {
      const explanation = explain(policy, proposal, analysis, context);
      if (parsed.switches.has('json')) io.out(`${JSON.stringify({ proposal, ...explanation })}\n`);
      else {
        io.out(`${proposal.kind} ${JSON.stringify(proposal.params)}\n`);
        const detail = parsed.switches.has('all') ? 'all' : 'matched';
        for (const text of explanationLines(explanation, detail)) io.out(`  ${text}\n`);
      }
    }
  }
  return EXIT.done;
}

/** One command as a trace of one step. */
async function* ownTrace(words: readonly string[], workspace: string | undefined): AsyncGenerator<string> {
  const command = words.length === 1 ? (words[0] ?? '') : words.map(quoteWord).join(' ');
  yield await Promise.resolve(
    JSON.stringify({
      id: 'command',
      workspace: workspace ?? process.cwd().replaceAll('\\', '/'),
      steps: [{ kind: 'ExecuteShell', params: { command } }],
    }),
  );
}
