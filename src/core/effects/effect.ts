/**
 * What an action does. `list` is the one word added to product.md §3: it reads names only, and a rule on `read` does not
 * match it (product.md §5: listing names is not reading).
 */
export const OPS = [
  'list',
  'read',
  'write',
  'delete',
  'move',
  'execute',
  'network',
  'install',
  'kill',
  'privilege',
  'history',
  'persist',
  'unknown',
] as const;
export type Op = (typeof OPS)[number];

/** `exact`: this very resource. `pattern`: those that match a glob. `dynamic`: cannot be known before it runs. */
export type Certainty = 'exact' | 'pattern' | 'dynamic';

/** `yes`: nothing is lost. `checkpoint`: a restore brings it back. `no`: nothing here can undo it. */
export type Reversibility = 'yes' | 'checkpoint' | 'no';

/** Where a path lies. `system` and `home` are outside the workspace too; `device` is a block or raw device. */
export type Place = 'workspace' | 'temp' | 'home' | 'system' | 'device' | 'outside' | 'unknown';

/** How git sees a path. `mixed`: a folder that holds several states. `none`: no repository. `unknown`: not to be had. */
export type GitState = 'tracked' | 'modified' | 'untracked' | 'ignored' | 'absent' | 'mixed' | 'none' | 'unknown';

/** The thing acted upon. Every `path` is canonical: absolute, `/`-separated, NFC, links resolved as far as facts tell. */
export type Resource =
  | { readonly type: 'path'; readonly path: string; readonly place: Place; readonly git: GitState }
  /** `host` is normalised (lower case, IP addresses in one spelling); empty when it cannot be known. */
  | {
      readonly type: 'url';
      readonly url: string;
      readonly host: string;
      readonly port: number | null;
      readonly method: string | null;
    }
  | { readonly type: 'process'; readonly process: string }
  /** `name` is normalised as the ecosystem does; `package` in policies is `ecosystem:name`. */
  | { readonly type: 'package'; readonly ecosystem: string; readonly name: string; readonly version: string | null }
  | { readonly type: 'table'; readonly database: string; readonly table: string }
  | { readonly type: 'environment'; readonly name: string }
  /** `remote` is null for a local ref. */
  | { readonly type: 'ref'; readonly remote: string | null; readonly ref: string }
  /** Configuration of an agent or of Lacuna itself. */
  | { readonly type: 'agent-config'; readonly path: string }
  /** A tool of an MCP server or extension. */
  | { readonly type: 'tool'; readonly server: string | null; readonly tool: string }
  /** Something that a service holds: a bucket, an instance, a cluster object, a release, an issue. */
  | { readonly type: 'remote'; readonly service: string; readonly name: string }
  /** Nothing that could be named; `what` says in words why. */
  | { readonly type: 'unknown'; readonly what: string };

/**
 * Facts about an effect that rules need and that op and resource do not carry. A closed list: a word used here has one
 * meaning everywhere. Add a line, with its meaning, before you use a new one.
 */
export const TRAITS = {
  recursive: 'reaches everything below the folder',
  below: 'reaches what lies below the folder, but for hidden, ignored or left-out files',
  force: 'overrides a check the program would have made',
  unprotects: 'takes what is marked read-only or hidden along with the rest',
  mass: 'touches many things at once, or all of a kind; of something unknown: more than could be looked at',
  overwrite: 'replaces content that was there',
  append: 'adds to content and keeps what was there',
  create: 'makes something that was not there',
  edit: 'changes passages and shows them in the diff view',
  secret: 'the path or the content is a credential, a key or a token',
  personal: 'holds personal data in bulk',
  outward: 'data can leave the machine by it',
  upload: 'data of this machine is in what is sent',
  download: 'brings content from elsewhere onto this machine',
  publish: 'others can see it afterwards',
  loopback: 'stays on this machine',
  'own-service': 'the program speaks to no other service than the one it is made for or the project is set up with',
  'private-address': 'goes to a private network address',
  metadata: 'goes to a cloud metadata address',
  'remote-code': 'runs code that came from elsewhere in the same action',
  'own-process': 'stops only what the same shell started',
  'own-code': 'runs code that the agent wrote in this session',
  unreviewed: 'runs code whose content could not be seen',
  'project-code': 'builds, tests or checks the project by a tool made for that, which runs code of the project',
  covert: 'runs a command through an option or setting of a program that is not made for running commands',
  'dry-run': 'says what it would do and does nothing',
  'build-output': 'is made by a build and can be made again',
  'protected-ref': 'a branch or tag that others rely on',
  'guard-self': "Lacuna's own files, settings or hooks",
  catastrophic: 'destroys the system, the home folder, or the workspace with its history',
  'hidden-text': 'holds characters that a reader cannot see or that look like others',
  'removes-check': 'takes away a check, a test or a safety setting',
  'fewer-checks': 'takes tests, validations or lint rules away, or has them passed over, as a change of code may',
  'adds-process': 'puts a start of programs into code that was not in it before',
  'adds-network': 'puts an address into code or settings that they did not speak to before',
  'grants-access': 'gives someone or something more rights',
  daemon: 'goes on running after the action',
  'rows-unbounded': 'reads or changes rows without a condition or limit',
  interactive: 'waits for a person at the terminal',
  discards: 'throws away work that no commit holds',
} as const;
export type Trait = keyof typeof TRAITS;

/** One thing that an action does. Frozen, JSON, comparable. Source: product.md §3. */
export interface Effect {
  readonly op: Op;
  readonly resource: Resource;
  readonly certainty: Certainty;
  readonly reversible: Reversibility;
  readonly traits: readonly Trait[];
  /** Index into {@link Analysis.commands} of the simple command that does it; null for kinds other than a shell line. */
  readonly command: number | null;
  /** In words for people, when op and resource do not say it all; empty otherwise. */
  readonly note: string;
  /** What a command that reaches below a folder is told to leave out; absent: nothing. */
  readonly spares?: readonly Spare[];
  /**
   * Packages that it brings along without naming them (`npm ci`, `pip install -r`); absent: none. They are no effects of their own,
   * since what comes from the project's own manifest is judged by how it comes; rules of people on packages hear them.
   */
  readonly brings?: Brings;
}

/** Packages of an ecosystem, by a glob over their names: `{lodash,express}`, or `*` where they are not known. */
export interface Brings {
  readonly ecosystem: string;
  readonly names: string;
}

/** What is left out at any depth: a glob over a name, or over names joined by `/`; of files, of folders with all in them, or of both. */
export interface Spare {
  readonly glob: string;
  readonly what: 'files' | 'folders' | 'both';
}

/**
 * A word of a simple command after expansion. `text` is the best known value; `raw` is what was written. In a `pattern` word
 * the text is a glob in which backslash takes a special character literally; in a `dynamic` one each part that cannot be known
 * begins with `$` (`/srv/$NAME/x`); in an `exact` one every character stands for itself.
 */
export interface Word {
  readonly text: string;
  readonly raw: string;
  readonly certainty: Certainty;
  /** Whether any part was quoted: a quoted `*` is no pattern, a quoted `-x` is still an option. */
  readonly quoted: boolean;
  /** Of a `pattern`: it names files only (`find -type f`), so that no folder goes with all in it; absent: whatever fits. */
  readonly names?: 'files';
}

/** One program with its arguments, wrappers peeled. */
export interface SimpleCommand {
  /** Base name without folder, version-insensitive alias or `.exe`: `rm`, `git`, `python`. Empty when dynamic. */
  readonly program: string;
  /** argv[0] as written first. */
  readonly argv: readonly Word[];
  /** Command that carries this one (`npm test` → `mocha`, `xargs` → `rm`); null at the top of the line. */
  readonly carrier: number | null;
  /** Commands of one pipeline share a number, as do those whose output is substituted into one of its words. */
  readonly pipeline: number;
  /** Position in the pipeline, from 0. */
  readonly stage: number;
  /** Folder it runs in; null when it cannot be known. */
  readonly cwd: string | null;
  /** Wrappers that were peeled off, outermost first: `['sudo', 'env']`. */
  readonly wrappers: readonly string[];
  /** Its output goes round the pipe, to where errors go (`>&2`); absent: it does not. */
  readonly isAside?: true;
}

/** Data that moves from one place to another inside one action. Labels follow it (product.md §6). */
export interface Flow {
  readonly from: Resource | { readonly type: 'literal'; readonly text: string } | { readonly type: 'stdin' };
  readonly to: Resource | { readonly type: 'output' };
  /** `verbatim` copies, `encode` keeps it recoverable (base64, gzip, tar), `digest` does not let it be recovered. */
  readonly how: 'verbatim' | 'encode' | 'derive' | 'digest';
}

/** The first half of a flow, while it is not known yet where the data goes. */
export type Inflow = Omit<Flow, 'to'>;

/** Work that git holds after a command: in its index until a commit takes it, in a commit, or in a stash. */
export interface Kept {
  readonly in: 'index' | 'commit' | 'stash';
  /** Absolute paths: what lies at or below them. A commit also takes what is in the index. */
  readonly below: readonly string[];
  readonly what: 'modified' | 'untracked' | 'all';
}

/** What a Lacuna would do. Total: there is an effect for whatever could not be understood. */
export interface Analysis {
  readonly effects: readonly Effect[];
  readonly commands: readonly SimpleCommand[];
  readonly flows: readonly Flow[];
  /** The terminal after the action, if it runs in one; the same object when nothing changed. */
  readonly terminal: TerminalState;
  /** Work that git is given to hold, in order; null where it is not known any more what it holds. Absent: none. */
  readonly kept?: readonly (Kept | null)[];
}

/** What a terminal remembers from one line to the next. Values are what is known; a name that is absent is unset. */
export interface TerminalState {
  /** Absolute; null when it cannot be known. */
  readonly cwd: string | null;
  /** Absolute: where it is when `cwd` cannot be known, if it can be told that it is in one of a few folders; else empty. */
  readonly mayBeIn: readonly string[];
  readonly previousCwd: string | null;
  readonly directoryStack: readonly string[];
  /** Variables set in this terminal. `dynamic` ones have a value that cannot be known. */
  readonly variables: ReadonlyMap<string, Word>;
  /** Where the values of variables came from, where that matters: `X=$(cat .env)`. */
  readonly origins: ReadonlyMap<string, readonly Inflow[]>;
  /** Names of variables, and of functions as {@link exportedFunction} gives them. */
  readonly exported: ReadonlySet<string>;
  /** Name → the body's text, analysed again at each use. */
  readonly aliases: ReadonlyMap<string, string>;
  readonly functions: ReadonlyMap<string, string>;
  /** Shell options that change meaning: `noglob`, `nounset`, `extglob`, `nullglob`… */
  readonly options: ReadonlySet<string>;
}

/** How an exported function is named among what is exported: a variable may have the same name. */
export const exportedFunction = (name: string): string => `${name}()`;

/** A new terminal in `cwd`, with nothing set beyond what the facts say of the environment. */
export const freshTerminal = (cwd: string | null): TerminalState => ({
  cwd,
  previousCwd: null,
  mayBeIn: [],
  directoryStack: [],
  variables: new Map(),
  origins: new Map(),
  exported: new Set(),
  aliases: new Map(),
  functions: new Map(),
  options: new Set(),
});
