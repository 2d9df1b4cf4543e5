/** Grammars that can be parsed. */
export type Grammar = 'bash';

/** A node of a concrete syntax tree, as plain data. Offsets count UTF-16 units of the text that was parsed. */
export interface SyntaxNode {
  readonly type: string;
  /** Name of the field of the parent that it fills; null when none. */
  readonly field: string | null;
  readonly isNamed: boolean;
  /** Inserted by the parser to go on: the text does not hold it. */
  readonly isMissing: boolean;
  /** It or something below it could not be parsed. */
  readonly hasError: boolean;
  readonly start: number;
  readonly end: number;
  readonly children: readonly SyntaxNode[];
}

/**
 * Turns text into a tree. The adapter owns the parser, its memory and its limits. `null`: the grammar is not loaded, the
 * text is above 64 KiB, or parsing took too long: the caller must answer `unknown`. Plain lines are not its business
 * (`shell/bash/plainLine.ts`).
 */
export interface Syntax {
  parse(grammar: Grammar, text: string): SyntaxNode | null;
}

/** A parser that loads its grammars when they are wanted: parsing cannot wait for that, whoever judges can. */
export interface LazySyntax extends Syntax {
  /**
   * Loads the grammars that were asked for since the last call and were not at hand. True when there were any: what was judged
   * without them is to be judged again. Rejects when one cannot be loaded.
   */
  catchUp(): Promise<boolean>;
}
