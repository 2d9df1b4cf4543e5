import type {
  Brings,
  Certainty,
  Flow,
  Inflow,
  Kept,
  Op,
  Resource,
  Reversibility,
  SimpleCommand,
  Spare,
  TerminalState,
  Trait,
  Word,
} from '../effect.js';
import type { Facts } from '../facts.js';

/** Languages whose code can be carried by a command. `sql` has a dialect of its own program. */
export type Language =
  | 'bash'
  | 'sh'
  | 'zsh'
  | 'powershell'
  | 'cmd'
  | 'python'
  | 'javascript'
  | 'ruby'
  | 'perl'
  | 'php'
  | 'awk'
  | 'sql'
  | Searched;

/** Languages of which only some calls are looked for. */
export type Searched = 'lua' | 'r' | 'julia' | 'elixir' | 'tcl' | 'groovy' | 'swift' | 'scala' | 'elisp';

/** Where the bytes of a command's standard input come from. */
export type Input =
  | { readonly type: 'none' }
  /** Here-document, here-string, or the output of `echo`/`printf`/`cat <<` in the same pipeline, as far as it is known. */
  | { readonly type: 'text'; readonly text: string; readonly certainty: Certainty }
  | { readonly type: 'file'; readonly path: Word }
  /** Output of the command before it in the pipeline, which cannot be known. */
  | { readonly type: 'pipe'; readonly from: number | null; readonly inflows: readonly Inflow[] };

/** One simple command that a program's analyser is asked about. */
export interface Invocation {
  /** Canonical program name; `argv[0]` is what was written. */
  readonly program: string;
  readonly argv: readonly Word[];
  /** `A=1 cmd`: variables set for this command alone, wrappers' included. */
  readonly assignments: ReadonlyMap<string, Word>;
  readonly input: Input;
  /** Absolute; null when it cannot be known. */
  readonly cwd: string | null;
  /** The folders that it is one of, where `cwd` is null and it is known to be in one of a few; else empty. */
  readonly mayBeIn: readonly string[];
  /** Runs with more rights than the agent has (under sudo, doas, su, runas). */
  readonly isPrivileged: boolean;
  /** Where its output goes: the next command of the pipeline, a file, or the agent. */
  readonly output: 'agent' | 'pipe' | 'file' | 'discarded';
}

/** Options of an emission; what is left out has the default in brackets. */
export interface Emission {
  readonly traits?: readonly Trait[]; // [none]
  readonly certainty?: Certainty; // [that of the word]
  readonly reversible?: Reversibility; // [by op and resource]
  readonly note?: string; // ['']
  /**
   * `kept`: a write that leaves the bytes as they are (mode, owner, times, a folder), so that no start-up file is changed by it.
   * `landing`: names taken from elsewhere, so that a glob of them need not name anything that is there.
   */
  readonly content?: 'changed' | 'kept' | 'landing'; // ['changed']
  /** What a write makes where nothing is, for the commands after it. `new folder`: one that was not there, or the program fails. */
  readonly makes?: 'file' | 'folder' | 'new folder'; // ['file']
  /** What a written file holds then, for the commands after it that run it. */
  readonly text?: Word; // [not known]
  /** Names that are left out below a folder. */
  readonly spares?: readonly Spare[]; // [none]
  /** Packages that come along unnamed. */
  readonly brings?: Brings | undefined; // [none]
}

/**
 * What a program's analyser may ask and say. Each call adds to the analysis of the whole line; nothing is returned.
 * Paths are given as words and resolved here: against cwd, through links, with place and git state; a glob word becomes a
 * `pattern` effect, a dynamic word a `dynamic` one; secret, persist and guard paths get their traits here, in one place.
 */
export interface Run {
  readonly facts: Facts;
  readonly invocation: Invocation;
  readonly terminal: TerminalState;
  /** The commands before it in its pipeline, first to last; empty where it reads no other command's output. */
  readonly feeders: readonly SimpleCommand[];

  list(path: Word, emission?: Emission): void;
  read(path: Word, emission?: Emission): void;
  /** Creates, or replaces when something is there. `append` and `edit` are traits. */
  write(path: Word, emission?: Emission): void;
  delete(path: Word, emission?: Emission): void;
  /** Deletes `from` and writes `to`; a flow goes along. */
  move(from: Word, to: Word, emission?: Emission): void;
  /** Reads `from` and writes `to`; a flow goes along. */
  copy(from: Word, to: Word, emission?: Emission): void;
  /** URL or host as a word; host, port, loopback, private and metadata addresses are worked out here. */
  network(target: Word, options: { readonly method?: string } & Emission): void;
  install(ecosystem: string, name: Word, emission?: Emission): void;
  /** Any effect that has no verb above. */
  emit(op: Op, resource: Resource, emission?: Emission): void;
  /** Something here was not understood. `what` says it in words: "option --foo of bar". */
  unknown(what: string): void;
  flow(flow: Flow): void;
  /** Work that git holds once this command has succeeded; null: what it holds is not known any more. */
  keep(kept: Kept | null): void;
  /** A link that the line makes, so that the commands after it see through it. The effects are said apart. */
  link(target: Word, link: Word): void;

  /** Another command that this one runs, as words: `xargs rm`, `find -exec rm {} ;`. Extra words at run time: append a dynamic word. */
  carry(
    argv: readonly Word[],
    options?: {
      readonly cwd?: Word;
      readonly isPrivileged?: boolean;
      readonly assignments?: ReadonlyMap<string, Word>;
      readonly input?: Input;
    },
  ): void;
  /** Another command that this one runs, as text of a language: `bash -c`, `python -c`, a script of package.json. */
  code(
    language: Language,
    text: Word,
    options?: {
      readonly cwd?: Word;
      readonly positional?: readonly Word[];
      readonly environment?: ReadonlyMap<string, Word>;
      /** What it reads; without it, what this command reads. */
      readonly input?: Input;
    },
  ): void;
  /** Code in a file: analysed when facts or the session know its content, else `unreviewed`. */
  script(language: Language, path: Word, options?: { readonly positional?: readonly Word[] }): void;
  /** Code of a language on standard input: analysed when it is known; `unreviewed`, and `remote-code` where it came over the network, when not. */
  standardInput(language: Language, positional: readonly Word[]): void;
  /** Code runs that nobody has seen: `remote-code` too when what flows in came over the network. */
  unreviewed(what: string): void;
  /** The same command elsewhere: a container, a remote host, a chroot. Effects on paths inside are not of this machine. */
  elsewhere(where: Resource, argv: readonly Word[]): void;

  /** Text of a file as this line has left it; null where it cannot be known. Says nothing: the caller says that it is read. */
  textOf(path: Word): string | null;
  /** Text that this command writes to its standard output, when it is known (`echo`, `printf`, `cat` of a here-document). */
  outputs(text: Word): void;
  /** Changes of the terminal that outlive the command (`cd`, `export`, `alias`…). Ignored inside subshells and pipelines. */
  changeTerminal(change: (terminal: TerminalState) => TerminalState): void;
}

/**
 * Says what one program does. Called after wrappers are peeled and words expanded. It must call `run.unknown` for each option
 * or sub-command that it does not know and that could matter; saying nothing means "runs and does nothing else".
 * The `execute` effect of the program itself is emitted by the caller.
 */
export type Program = (run: Run) => void;

/** A row of the table of programs: names it goes by, and its analyser. */
export interface ProgramEntry {
  readonly names: readonly string[];
  readonly analyse: Program;
}
