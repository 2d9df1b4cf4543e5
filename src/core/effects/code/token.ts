/** Part of a string: text as it is, or the source of an expression whose value stands there. */
export type Part = string | { readonly code: string };

/**
 * A token of program text. `exec` is a string that the language runs as a command (backticks); `words` a list of quoted words
 * (`%w[a b]`, `qw(a b)`); `regex` a pattern literal, whose value is not looked at; `glob` a pattern of file names (Perl's `<*.c>`).
 */
export interface Token {
  readonly type: 'name' | 'number' | 'string' | 'exec' | 'words' | 'regex' | 'glob' | 'sign' | 'end-of-line';
  /** Name, number or sign as written; for strings their text when it is wholly known, else empty. */
  readonly text: string;
  /** Parts of a string; empty for other types. */
  readonly parts: readonly Part[];
  /** Column of the first token of its line, counted in spaces; a tab counts eight. */
  readonly indent: number;
  readonly isFirstOfLine: boolean;
  readonly hasSpaceBefore: boolean;
}

/** How one kind of string is written. */
export interface StringRule {
  /** Sticky. Group `close` is the end when it is not the `close` below. */
  readonly open: RegExp;
  /** The end for an opening; receives the match. `nests` when it is a bracket that may occur balanced inside. */
  readonly close: (match: RegExpExecArray) => { readonly end: string; readonly nests: string | null };
  readonly type: 'string' | 'exec' | 'words' | 'regex' | 'glob';
  /** `c`: backslash escapes as in C; `quote`: only the end and the backslash; `none`: none at all. */
  readonly escapes: (match: RegExpExecArray) => 'c' | 'quote' | 'none';
  /** Sticky patterns of an expression inside; the source is what group `code` holds. Null for none. */
  readonly inside: ((match: RegExpExecArray) => Interpolation) | null;
  /** Whether it can begin where an operand could not: after a name, a number or a closing bracket. */
  readonly isOperator: boolean;
}

/** A string between two of one mark, with expressions in it or none. */
export function quotedBy(
  mark: string,
  {
    type,
    escapes,
    inside,
    isOperator,
  }: Pick<StringRule, 'type' | 'isOperator'> & {
    readonly escapes: ReturnType<StringRule['escapes']>;
    readonly inside: Interpolation | null;
  },
): StringRule {
  return {
    open: new RegExp(mark, 'y'),
    close: () => ({ end: mark, nests: null }),
    type,
    escapes: () => escapes,
    inside: inside && (() => inside),
    isOperator,
  };
}

/** How expressions stand in strings: `braces` after a mark (`${`, `#{`, `{`), and names with a sigil (`$x`). */
export interface Interpolation {
  readonly mark: string | null;
  readonly name: RegExp | null;
}

/** What differs between languages for cutting text into tokens. */
export interface LexicalRules {
  readonly comment: RegExp;
  /** Every character that a comment can begin with, and every one that a string can: others need not be tried. */
  readonly commentStarts: string;
  readonly stringStarts: string;
  readonly name: RegExp;
  readonly strings: readonly StringRule[];
  /** Sticky; group `mark` is the word that ends the here-document, group `quote` its quote, group `dash` says that it may be indented. Null for none. */
  readonly hereDocument: RegExp | null;
  /** Whether text in an unquoted here-document is interpolated, and how. */
  readonly hereInside: Interpolation;
  /** Words after which an operand follows: a slash behind them begins a pattern. */
  readonly operators: ReadonlySet<string>;
}
