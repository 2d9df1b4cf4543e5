import { EXIT, UsageError, type ExitCode, type Io } from './io.js';

export { processIo } from './io.js';

/** One verb: its arguments in, its exit code out. */
type Verb = (args: readonly string[], io: Io) => Promise<ExitCode>;

/** Every verb, loaded only when it is called: the command line must start fast. */
const VERBS: ReadonlyMap<string, { readonly summary: string; readonly load: () => Promise<Verb> }> = new Map([
  [
    'check',
    {
      summary: 'judge traces from standard input; executes nothing',
      load: async () => (await import('./check.js')).check,
    },
  ],
  ['run', { summary: 'put one real Lacuna through the gate', load: async () => (await import('./run.js')).run }],
  [
    'eval',
    { summary: 'judge labelled corpora and print rates', load: async () => (await import('./eval.js')).evaluate },
  ],
  [
    'review',
    { summary: 'ask the local reviewer about traces', load: async () => (await import('./review.js')).review },
  ],
  [
    'hook',
    { summary: "answer another agent's hook; set agents up", load: async () => (await import('./hook.js')).hook },
  ],
  [
    'mcp',
    { summary: 'serve the guarded tools to agents that speak MCP', load: async () => (await import('./mcp.js')).mcp },
  ],
  [
    'checkpoint',
    {
      summary: 'list, show and restore checkpoints',
      load: async () => (await import('./checkpoint.js')).checkpoint,
    },
  ],
  [
    'policy',
    {
      summary: 'test, explain and simulate policies, and print their schema',
      load: async () => (await import('./policy/policyVerb.js')).policyVerb,
    },
  ],
  [
    'baseline',
    {
      summary: 'show or forget what agents usually do in a workspace',
      load: async () => (await import('./baseline.js')).baseline,
    },
  ],
  ['audit', { summary: 'verify, show or export the audit', load: async () => (await import('./audit.js')).audit }],
]);

/** For the bundle of the hook process, which loads this one when no engine answers. */
export const judgeAlone = async (): Promise<typeof import('./hook.js')> => import('./hook.js');

function usage(): string {
  const width = Math.max(...[...VERBS.keys()].map((name) => name.length));
  const rows = [...VERBS].map(([name, verb]) => `  ${name.padEnd(width)}  ${verb.summary}`);
  return `usage: lacuna VERB [FLAGS]\n\n${rows.join('\n')}\n\nlacuna VERB --help tells the flags of a verb.\n`;
}

/** Runs one verb. Expected errors are one sentence; faults of our own are told as such, with the stack. */
export async function main(args: readonly string[], io: Io): Promise<ExitCode> {
  const [name, ...rest] = args;
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    io.out(usage());
    return name === undefined ? EXIT.unusable : EXIT.done;
  }
  const verb = VERBS.get(name);
  if (verb === undefined) {
    io.error(`lacuna: there is no verb "${name}".\n\n${usage()}`);
    return EXIT.unusable;
  }
  try {
    return await (
      await verb.load()
    )(rest, io);
  } catch (error) {
    if (error instanceof UsageError) {
      io.error(`lacuna ${name}: ${error.message}\n`);
      return EXIT.unusable;
    }
    io.error(
      `lacuna ${name}: internal failure: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
    return EXIT.internal;
  }
}
