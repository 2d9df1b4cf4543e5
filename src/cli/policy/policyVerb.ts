import { EXIT, UsageError, type ExitCode, type Io } from '../io.js';

const HELP = `usage: lacuna policy test [[LAYER=]FILE…]      runs the tests in policies; exit code 1 when one fails
       lacuna policy explain [FLAGS] < TRACES  why each step of a trace is decided so, with every rule considered
       lacuna policy explain [FLAGS] -- COMMAND
       lacuna policy simulate [FLAGS]          which decisions of past sessions or traces another policy would change
       lacuna policy schema                    the JSON Schema of a policy file

"lacuna policy VERB --help" tells more.
`;

/** Sub-verbs, each loaded only when it is called. */
const VERBS: ReadonlyMap<string, () => Promise<(args: readonly string[], io: Io) => Promise<ExitCode>>> = new Map([
  ['test', async () => (await import('./test.js')).policyTest],
  ['explain', async () => (await import('./explain.js')).policyExplain],
  ['simulate', async () => (await import('./simulate.js')).policySimulate],
  ['schema', async () => (await import('./schema.js')).policySchemaVerb],
]);

/** `lacuna policy`: test, explain, simulate, schema (product.md §11). */
export async function policyVerb(args: readonly string[], io: Io): Promise<ExitCode> {
  const [name, ...rest] = args;
  if (name === undefined || name === '--help') {
    io.out(HELP);
    return name === undefined ? EXIT.unusable : EXIT.done;
  }
  const load = VERBS.get(name);
  if (load === undefined) throw new UsageError(`There is no "policy ${name}": use test, explain, simulate or schema.`);
  return await (
    await load()
  )(rest, io);
}
