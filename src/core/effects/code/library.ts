import type { Word } from '../effect.js';
import type { Frame } from '../shell/frame.js';
import type { ModuleRules } from './modules.js';
import type { Value } from './value.js';

/** One call of a library function or method, with its arguments as far as they are known. */
export interface LibraryCall {
  readonly host: Host;
  /** Full name: `os.remove`, `Path.unlink`. */
  readonly name: string;
  /** What the method belongs to; null for functions. */
  readonly receiver: Value | null;
  readonly positional: readonly Value[];
  readonly named: ReadonlyMap<string, Value>;
}

/** Says what a library function does and what it gives back. */
export type Handler = (call: LibraryCall) => Value;

/** What handlers may ask of whoever reads the code. */
export interface Host {
  readonly frame: Frame;
  /** File that holds the code, canonical; null when it is in a command's words. */
  readonly file: string | null;
  /** Words that the code sees as its arguments. */
  readonly positional: readonly Word[];
  /** The word of a path argument, against the folder that the code has changed to. */
  path(value: Value): readonly Word[];
  /** What the code changed its folder to; null while it has not. */
  folder: Word | null;
  /** Calls a value with arguments: a callback, a thread's target. */
  invoke(value: Value, args: readonly Value[]): Value;
  /** Reads more code of the same language in the same scope. */
  evaluate(text: string): Value;
  /** Reads a file of the same language in the same scope, where its text is known; else says that it runs unseen. */
  include(path: Word): Value;
  /** Folders, besides the file's own and the one it runs in, that modules are looked for in. */
  readonly moduleFolders: Word[];
  /** A value for an environment variable; says that it is read. */
  environment(name: string): Value;
  /** Variables that the code has set, for itself and for what it starts. */
  readonly variables: ReadonlyMap<string, Word>;
  setVariable(name: string, value: Word): void;
  /** A module asked for by a call; says that it runs when it is not known. */
  module(name: string): Value;
  /** Texts of paths that the code has read so far: what it writes there afterwards is a change in place. */
  readonly wasRead: Set<string>;
  /** Databases that the code itself makes: what it puts into them changes nothing that was there. */
  readonly ownDatabases: Set<string>;
  /** Items of a value that is gone through; a single unknown one where they are not known. */
  items(value: Value): readonly Value[];
}

/** What is known of a language's own functions and of libraries. */
export interface Library {
  readonly functions: ReadonlyMap<string, Handler>;
  /** `Type.method`, or `*.method` for a receiver of which nothing is known. */
  readonly methods: ReadonlyMap<string, Handler>;
  /** Values of members that are no functions: `sys.argv`, `process.env.X`. Null when there is none. */
  constant(name: string, host: Host): Value | null;
  /** How modules of the project are found; null where a file is included by its path. */
  readonly modules: ModuleRules | null;
  /** The module's name in this table: `node:fs/promises` → `fs`. */
  canonical(module: string): string;
  /** Whether a module is known, so that what is not in the table does nothing worth saying. */
  isKnown(module: string): boolean;
  /** Whether classes of the project are there without being loaded by name, as in Ruby under Rails and in PHP. */
  readonly loadsByItself: boolean;
  /** Whether `x.y` without brackets calls `y`, as in Ruby. */
  readonly membersAreCalls: boolean;
  /** Functions that put what they make into one of their arguments, and into which: Perl's `open(my $f, …)`. */
  readonly fills: ReadonlyMap<string, number>;
  /** Whether a name means the same in all functions without being declared: Ruby's `@x` and `$x`. */
  isShared(name: string): boolean;
}
