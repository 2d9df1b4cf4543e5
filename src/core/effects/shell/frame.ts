import type { Inflow, TerminalState, Word } from '../effect.js';
import type { Facts } from '../facts.js';
import type { KeptWork } from '../keptWork.js';
import type { Syntax } from '../syntax.js';
import type { Input, Invocation, Language, ProgramEntry, Run } from './run.js';

/** Nothing comes in. */
export const NO_INPUT: Input = { type: 'none' };
/** Something comes in that cannot be known. */
export const UNKNOWN_INPUT: Input = { type: 'pipe', from: null, inflows: [] };

/** Text of a language, to be analysed. */
export interface Code {
  readonly language: Language;
  readonly text: string;
  /** What the code sees as its arguments: `$0`, `$1`… of a shell, `sys.argv` of Python. */
  readonly positional: readonly Word[];
  /** Variables that were set for it alone. */
  readonly environment: ReadonlyMap<string, Word>;
  /** File that holds it, canonical; null for code in a command's own words or input. */
  readonly path: string | null;
}

/** A redirection of one command, or of a group of commands. */
export interface Redirect {
  /** `replace` is `>`, `>|` and `Out-File`; `both` is `<>`. */
  readonly kind: 'read' | 'replace' | 'append' | 'both';
  readonly target: Word;
  /** 0 is standard input, 1 standard output, 2 standard error. */
  readonly descriptor: number;
}

/** One simple command as a shell would start it: words expanded, wrappers not yet peeled. */
export interface Call {
  readonly argv: readonly Word[];
  readonly assignments: ReadonlyMap<string, Word>;
  readonly redirects: readonly Redirect[];
  readonly input: Input;
  readonly output: Invocation['output'];
  /** From {@link Frame.newPipeline}; commands whose output is substituted into a word take the number of the command. */
  readonly pipeline: number;
  readonly stage: number;
  /** Whether its output goes where errors go (`>&2`); absent: it does not. */
  readonly isAside?: boolean;
  /** Where what was substituted into its words comes from. */
  readonly inflows: readonly Inflow[];
}

/** What is known after a command was called. */
export interface Called {
  /** Index in {@link Analysis.commands}; null when none was recorded. */
  readonly index: number | null;
  /** What it writes to standard output, when that is known. */
  readonly output: Word | null;
  /** Where what it writes to standard output may come from. */
  readonly inflows: readonly Inflow[];
}

/**
 * Where code was left early: the terminals of that moment. Shared by all frames of one shell; whoever follows a loop or the body of a
 * function starts anew.
 */
export interface Left {
  /** `isFar`: the loop around it was left too. */
  loop: { readonly terminal: TerminalState; readonly isFar: boolean }[];
  body: TerminalState[];
}

/**
 * What an analyser of a language works with: the terminal as it is at this point of the code, and the ways to say what the code
 * does. Simple commands go through `call`; effects that the language has itself (`open(x, 'w')`, `[IO.File]::Delete`) go
 * through `run`, which speaks for the command that carries the code.
 */
export interface Frame {
  readonly facts: Facts;
  readonly syntax: Syntax;
  readonly run: Run;
  /** As the code so far left it. Assign to change it. */
  terminal: TerminalState;
  /** Terminals as they were where the code left the loop or the function it is in before its end. */
  readonly left: Left;
  /** What commands read that have no input of their own. */
  readonly input: Input;
  /** Where commands write that have no output of their own. */
  readonly output: Invocation['output'];

  newPipeline(): number;
  /** Records a simple command, peels its wrappers and asks its program what it does. */
  call(call: Call): Called;
  /** The same code in a process of its own: what it changes in the terminal is lost. */
  subshell(streams?: Streams): Frame;
  /** The same code and terminal with other streams, for a group or loop that is redirected. */
  redirected(streams: Streams): Frame;
  /** Says what a redirection of a group does. `inflows` flow into what is written; `command` is the one it is counted to. */
  redirect(redirect: Redirect, inflows: readonly Inflow[], command: number | null): void;
  /** Analyses more code in this very terminal (`eval`, `source`): what it changes stays. */
  include(code: Code, inflows: readonly Inflow[]): Called;
  /** The same for a file: its text where facts or this line know it; else an `execute` of something unreviewed. */
  includeFile(path: Word, positional: readonly Word[]): Called;
  /** Makes a text known under a path of this line: a process substitution, a here-document on a descriptor. Null: not known. */
  remember(path: string, text: Word | null, inflows: readonly Inflow[]): void;
  /** A path of its own for the next process substitution: `/dev/fd/63`, `/dev/fd/62`… */
  nextDescriptorPath(): string;
  /** Whether a folder was made by this line, so that it may not be there yet. */
  isMade(path: string): boolean;
  /** Names of functions and aliases that are being followed, so that one that calls itself ends. Shared by the whole line. */
  readonly following: Set<string>;
  /** For each function that is being followed, innermost last: the names that are its own. Shared by the whole line. */
  readonly locals: Set<string>[];
  /** What the line has given git to hold. Shared by the whole line. */
  readonly kept: KeptWork;
  /** How often the line has left something running in the background or split itself in a pipe. Shared by the whole line. */
  readonly spread: { count: number };
  /** Takes one step of the budget for the line. False when it is used up; then an `unknown` effect has been added and the analyser should return. */
  step(): boolean;
}

/** What differs in a frame made from another one. */
export interface Streams {
  readonly input?: Input;
  readonly output?: Invocation['output'];
}

/** A command that is part of a shell and may change the terminal or run code in it: `cd`, `eval`, a cmdlet. */
export type Builtin = (run: Run, frame: Frame) => void;

/** A row of the table of languages. */
export interface LanguageEntry {
  readonly languages: readonly Language[];
  /** Says what a text of the language does. Total, like every analyser: what it does not understand it calls `unknown`. */
  readonly analyse: (code: Code, frame: Frame) => Called;
  /** Commands of the shell itself, which come before programs. Lower-case names when `foldsCase`. Empty for languages that are no shells. */
  readonly builtins: ReadonlyMap<string, Builtin>;
  /** Whether names of commands are the same in upper and lower case. */
  readonly foldsCase: boolean;
}

/** The two tables an analysis runs on. */
export interface Tables {
  /** By base name, lower case, without `.exe` and version. */
  readonly programs: ReadonlyMap<string, ProgramEntry>;
  readonly languages: ReadonlyMap<Language, LanguageEntry>;
}

/** Nothing is known of what was called. */
export const NOTHING_KNOWN: Called = { index: null, output: null, inflows: [] };
