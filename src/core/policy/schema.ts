import { z } from 'zod';
import { OPS, TRAITS, type Trait } from '../effects/effect.js';
import { KIND_NAMES } from '../lacuna/kinds.js';
import { CONFIDENTIALITIES, INTEGRITIES } from '../session/label.js';
import { FINDINGS, type Finding } from './context.js';
import { PROMPT_POLICIES } from './promptWords.js';
import { MODES, VERDICTS } from './verdict.js';

// No transforms here: the JSON Schema that the editor completes from is made of these (house style §9).

const text = z.string().min(1).max(1000);
const oneOrMany = <T extends z.ZodType>(item: T) => z.union([item, z.array(item).min(1).max(500)]);
const words = <const T extends string>(list: readonly T[]) => z.enum(list as [T, ...T[]]);
const traits = words(Object.keys(TRAITS) as Trait[]);
const findings = words(Object.keys(FINDINGS) as Finding[]);
const labels = words([...CONFIDENTIALITIES, ...INTEGRITIES]);

const comparison = z.union([
  z.number(),
  z
    .string()
    .regex(/^\s*(<=|>=|<|>|=)?\s*-?\d+(\.\d+)?\s*$/, 'expected a number or a comparison such as ">=3"')
    .describe('A number, or a comparison such as ">=3".'),
]);

const effectMatch = z
  .strictObject({
    op: oneOrMany(words([...OPS, 'none']))
      .optional()
      .describe('What is done. `none`: the analysis found that nothing is done.'),
    path: oneOrMany(text)
      .optional()
      .describe('Path globs, anchored at the workspace root; `~` and absolute ones as they are.'),
    host: oneOrMany(text)
      .optional()
      .describe('Hosts, port optional; `*.x` is any depth below x; an address range such as 10.0.0.0/8.'),
    package: oneOrMany(text).optional().describe('`ecosystem:name`, such as `npm:left-pad` or `pypi:*`.'),
    table: oneOrMany(text).optional().describe('`table` or `database.table`.'),
    ref: oneOrMany(text).optional().describe('Branch or tag, local or remote, such as `main` or `release/*`.'),
    remote: oneOrMany(text).optional().describe('Name of the git remote whose ref is changed; `*` for any remote.'),
    process: oneOrMany(text).optional().describe('Program or process.'),
    environment: oneOrMany(text).optional().describe('Name of an environment variable.'),
    service: oneOrMany(text).optional().describe('`service` or `service:name` of something that a service holds.'),
    certainty: oneOrMany(words(['exact', 'pattern', 'dynamic'])).optional(),
    reversible: oneOrMany(words(['yes', 'checkpoint', 'no'])).optional(),
    trait: oneOrMany(traits).optional().describe('Any of these traits of the effect.'),
    place: oneOrMany(words(['workspace', 'temp', 'home', 'system', 'device', 'outside', 'unknown']))
      .optional()
      .describe('Where the path lies.'),
    git: oneOrMany(words(['tracked', 'modified', 'untracked', 'ignored', 'absent', 'mixed', 'none', 'unknown']))
      .optional()
      .describe('How git sees the path.'),
    resource: oneOrMany(
      words([
        'path',
        'url',
        'process',
        'package',
        'table',
        'environment',
        'ref',
        'agent-config',
        'tool',
        'remote',
        'unknown',
      ]),
    )
      .optional()
      .describe('Type of the resource.'),
  })
  .describe('What the action does. All parts hold of one and the same effect.');

const contextMatch = z
  .strictObject({
    mode: oneOrMany(words(MODES)).optional(),
    risk: comparison.optional().describe('Cumulative risk of the session.'),
    actionRisk: oneOrMany(
      z
        .string()
        .regex(
          /^\s*(<=|>=|<|>|=)?\s*(low|medium|high|critical)\s*$/,
          'expected low, medium, high or critical, with a comparison if you like',
        ),
    )
      .optional()
      .describe('Risk of this action. A plain word means "this or more"; in an allow rule "this or less".'),
    plan: oneOrMany(words(['planned', 'exploratory', 'off-plan', 'none'])).optional(),
    agent: oneOrMany(text).optional(),
    subagent: oneOrMany(text).optional().describe('Name of the sub-agent; `*` for any.'),
    depth: comparison.optional(),
    branch: oneOrMany(text).optional(),
    worktree: z.boolean().optional().describe('Whether the tree is a linked git worktree.'),
    user: oneOrMany(text).optional(),
    time: oneOrMany(
      z
        .string()
        .regex(
          /^(?:(?:sun|mon|tue|wed|thu|fri|sat)(?:-(?:sun|mon|tue|wed|thu|fri|sat))?)?\s*(?:(?:[01]?\d|2[0-4]):[0-5]\d-(?:[01]?\d|2[0-4]):[0-5]\d)?$/i,
          'expected a range such as "09:00-17:30", "mon-fri" or "mon-fri 09:00-17:30"',
        ),
    )
      .optional()
      .describe('Local time, such as "mon-fri 09:00-17:30".'),
    git: words(['clean', 'dirty']).optional(),
    headless: z.boolean().optional(),
    trusted: z.boolean().optional().describe('Whether the workspace is trusted.'),
    sandbox: z.boolean().optional().describe('Whether a sandbox is at hand.'),
    finding: oneOrMany(findings).optional().describe('What the session has to say about this Lacuna.'),
  })
  .describe('The circumstances.');

const pattern = z.union([
  text,
  z.strictObject({ regex: text.describe('RE2 syntax: no back-references, no look-around.') }),
]);

const matchShape = {
  kind: oneOrMany(words(KIND_NAMES)).optional().describe('Kind of Lacuna; any when absent.'),
  effect: effectMatch.optional(),
  command: oneOrMany(pattern)
    .optional()
    .describe(
      'Words of one simple command: `*` is one word or part of one, `**` any number. Example: "git push ** main".',
    ),
  tool: oneOrMany(text).optional().describe('`tool` or `server.tool`, for CallTool.'),
  server: oneOrMany(text).optional().describe('MCP server, for CallTool.'),
  annotations: z
    .strictObject({
      readOnlyHint: z.boolean().optional(),
      destructiveHint: z.boolean().optional(),
      idempotentHint: z.boolean().optional(),
      openWorldHint: z.boolean().optional(),
    })
    .optional()
    .describe("An MCP tool's own hints; a missing one counts as its default."),
  params: z
    .record(text, z.union([pattern, z.number(), z.boolean()]))
    .optional()
    .describe('Parameters by dotted path: a glob, {regex}, a number, or a comparison such as ">60".'),
  labels: oneOrMany(labels).optional().describe('Any of these labels, carried by the session or the resource.'),
  context: contextMatch.optional(),
};

/** What a rule looks for, without the parts that nest. */
export type FlatMatch = z.infer<z.ZodObject<typeof matchShape>>;
/** What a rule looks for. */
export type MatchSpec = FlatMatch & {
  readonly not?: MatchSpec | undefined;
  readonly any?: MatchSpec[] | undefined;
  readonly all?: MatchSpec[] | undefined;
};

/** Shape of `match:`. Recursive. */
export const matchSchema: z.ZodType<MatchSpec> = z.strictObject({
  ...matchShape,
  get not() {
    return matchSchema.optional();
  },
  get any() {
    return z.array(matchSchema).min(1).max(100).optional();
  },
  get all() {
    return z.array(matchSchema).min(1).max(100).optional();
  },
});

const sandbox = z
  .strictObject({
    network: z
      .union([z.boolean(), z.array(text).max(200)])
      .optional()
      .describe('false: none. A list: these hosts only. true: the hosts that its effects name.'),
    writable: z.array(text).max(100).optional().describe('Paths that may be written besides the workspace.'),
    unreadable: z.array(text).max(100).optional().describe('Paths that may not be read, besides the built-in secrets.'),
    timeoutSeconds: z.number().positive().max(86_400).optional(),
    memoryMiB: z.number().positive().max(1_048_576).optional(),
    processes: z.int().positive().max(100_000).optional(),
    fileSizeMiB: z.number().positive().max(1_048_576).optional(),
    image: text.optional().describe('Container image; chooses the container back end.'),
    backend: words(['auto', 'sandbox-runtime', 'container']).optional(),
  })
  .describe('Isolation to fill under.');

const repair = z
  .strictObject({
    limitRows: z.int().positive().max(1_000_000).optional().describe('Adds or lowers LIMIT of a query.'),
    exclude: oneOrMany(text).optional().describe('Leaves these paths out of a recursive read.'),
    dropOptions: oneOrMany(text).optional().describe('Options to drop from the command, such as "--force".'),
    addOptions: oneOrMany(text)
      .optional()
      .describe('Options to add after the program or sub-command, such as "--dry-run".'),
    narrowTo: text.optional().describe('Path that replaces a wider one.'),
    maxTimeoutSeconds: z
      .number()
      .positive()
      .max(86_400)
      .optional()
      .describe('Adds or lowers the time-out of a command.'),
  })
  .describe('A change before it is judged again; shown before and after.');

const credential = z
  .strictObject({
    secret: text.optional().describe("Key in the editor's secret storage."),
    environment: text.optional().describe("Variable of Lacuna's own environment."),
    header: text.optional().describe('Header of the request that gets it.'),
    variable: text.optional().describe('Variable of the command that gets it.'),
    template: text.optional().describe('`{}` stands for the value, as in "Bearer {}".'),
  })
  .describe('A credential that the executor adds and the agent never sees.');

const verdict = words(VERDICTS);
const ruleId = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,79}$/i, 'expected letters, digits, ".", "_" and "-"')
  .describe('Unique in its file; shown in every decision.');

const rule = z.strictObject({
  id: ruleId,
  match: matchSchema.describe('When the rule speaks. All parts bind to one and the same effect.'),
  verdict,
  priority: z
    .int()
    .min(-1000)
    .max(1000)
    .optional()
    .describe('In a layer the highest wins, on a tie the stricter. Default 0.'),
  reason: text.optional().describe('For people: why.'),
  advice: text.optional().describe('For the agent: what it may do instead.'),
  clearable: z.boolean().optional().describe('Whether the reviewer may lower an ask.'),
  onFailure: words(['ask', 'deny']).optional().describe('Answer when the rule cannot be evaluated. Default ask.'),
  firm: z
    .boolean()
    .optional()
    .describe('Packs only: not replaced by a looser rule that does not list it in `overrides`.'),
  overrides: z.array(ruleId).max(200).optional().describe('Firm rules of packs that this rule replaces.'),
  sandbox: sandbox.optional(),
  repair: repair.optional(),
  credentials: z.array(credential).max(20).optional(),
  limits: z
    .strictObject({
      timeoutSeconds: z.number().positive().max(86_400).optional(),
      outputKiB: z.number().positive().max(1_048_576).optional(),
      rows: z.int().positive().max(1_000_000).optional(),
    })
    .optional()
    .describe('Limits of the filling, whatever the verdict.'),
  maskColumns: z.array(text).max(200).optional().describe('Columns whose values are masked in results.'),
  retries: z.int().min(0).max(10).optional().describe('How often a failed filling may be tried again.'),
  checkpoint: z.boolean().optional().describe('Take a checkpoint first.'),
});
/** One rule as written. */
export type RuleSpec = z.infer<typeof rule>;

const label = z.strictObject({
  path: oneOrMany(text),
  confidentiality: words(CONFIDENTIALITIES).optional(),
  integrity: words(INTEGRITIES).optional(),
});
/** Labels that a policy puts on paths. */
export type LabelSpec = z.infer<typeof label>;

const effectFact = z
  .strictObject({
    op: words(OPS),
    path: text.optional(),
    url: text.optional(),
    method: text.optional(),
    process: text.optional(),
    package: text.optional(),
    table: text.optional(),
    ref: text.optional(),
    remote: text.optional(),
    environment: text.optional(),
    service: text.optional(),
    tool: text.optional(),
    agentConfig: text.optional(),
    unknown: text.optional(),
    place: words(['workspace', 'temp', 'home', 'system', 'device', 'outside', 'unknown']).optional(),
    git: words(['tracked', 'modified', 'untracked', 'ignored', 'absent', 'mixed', 'none', 'unknown']).optional(),
    certainty: words(['exact', 'pattern', 'dynamic']).optional(),
    reversible: words(['yes', 'checkpoint', 'no']).optional(),
    traits: z.array(traits).optional(),
  })
  .describe('An effect, given instead of being found by analysis.');
/** An effect as a test writes it. */
export type EffectFact = z.infer<typeof effectFact>;

const test = z.strictObject({
  name: text.optional(),
  when: z.strictObject({
    kind: words(KIND_NAMES),
    params: z.record(z.string(), z.json()),
  }),
  effects: z.array(effectFact).optional().describe('Effects to judge instead of those that analysis finds.'),
  files: z.record(text, z.string()).optional().describe('Files of the workspace (path → text), committed and clean.'),
  untracked: z.array(text).optional().describe('Files that git does not know.'),
  modified: z.array(text).optional().describe('Files with changes that are not committed.'),
  ignored: z.array(text).optional().describe('Files that git ignores.'),
  labels: z.array(labels).optional().describe('Labels that the session carries.'),
  context: z
    .strictObject({
      mode: words(MODES).optional(),
      risk: z.number().optional(),
      plan: words(['planned', 'exploratory', 'off-plan', 'none']).optional(),
      agent: text.optional(),
      subagent: text.optional(),
      depth: z.int().min(0).optional(),
      branch: text.optional(),
      worktree: z.boolean().optional(),
      user: text.optional(),
      time: z
        .string()
        .regex(/^(?:(?:sun|mon|tue|wed|thu|fri|sat) )?(?:[01]?\d|2[0-3]):[0-5]\d$/i)
        .optional(),
      git: words(['clean', 'dirty']).optional(),
      headless: z.boolean().optional(),
      trusted: z.boolean().optional(),
      sandbox: z.boolean().optional(),
      findings: z.array(findings).optional(),
    })
    .optional(),
  platform: words(['linux', 'darwin', 'win32']).optional(),
  expect: oneOrMany(verdict).describe('The verdict, or several that are all right.'),
  rule: ruleId.optional().describe('The rule that must be among those that decide.'),
});
/** A test as written in a policy file. */
export type TestSpec = z.infer<typeof test>;

const modeTable = z.record(ruleId, verdict);

/** A policy file. Source: product.md §5. */
export const policySchema = z.strictObject({
  $schema: z.string().optional(),
  version: z.literal(1).describe('Version of the language.'),
  name: text.optional(),
  description: z.string().max(10_000).optional(),
  extends: oneOrMany(text).optional().describe('Packs (`lacuna:git`) and files relative to this one.'),
  mode: words(MODES).optional().describe('How strict; a weaker layer can only raise it.'),
  modes: z
    .strictObject({ relaxed: modeTable.optional(), strict: modeTable.optional(), lockdown: modeTable.optional() })
    .optional()
    .describe('Verdicts of rules, by id, where a mode differs from balanced.'),
  labels: z.array(label).max(1000).optional().describe('Labels of paths.'),
  session: z
    .strictObject({
      lacunas: z.int().positive().optional().describe('Most Lacunas of a session.'),
      depth: z.int().min(0).optional().describe('Deepest delegation.'),
      seconds: z.number().positive().optional().describe('Longest wall time.'),
      tokens: z.int().positive().optional(),
      strictAtRisk: z.number().min(0).optional().describe('Session risk at which the mode steps up to strict.'),
      lockdownAtRisk: z.number().min(0).optional().describe('Session risk at which the mode steps up to lockdown.'),
      secretsToModel: words(PROMPT_POLICIES)
        .optional()
        .describe(
          'Secrets in what a model on another machine is told: masked (the default), asked about too, or withheld.',
        ),
    })
    .optional()
    .describe('Limits of a session; the smallest of all layers holds, and the strictest word.'),
  rules: z.array(rule).max(5000).optional(),
  tests: z.array(test).max(5000).optional(),
});
/** A policy file as written, after its shape was checked. */
export type PolicySpec = z.infer<typeof policySchema>;
