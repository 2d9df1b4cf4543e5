/** A loose syntax tree that all five languages share: enough to see calls, constants, names and who calls whom. */
export type Node =
  | { readonly kind: 'string'; readonly parts: readonly (string | Node)[] }
  /** Backticks: runs a command and gives its output. */
  | { readonly kind: 'exec'; readonly parts: readonly (string | Node)[] }
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'member'; readonly object: Node; readonly name: string }
  | { readonly kind: 'index'; readonly object: Node; readonly key: Node | null }
  | {
      readonly kind: 'call';
      readonly callee: Node;
      readonly positional: readonly Node[];
      readonly named: readonly (readonly [string, Node])[];
      /** A block or trailing function that is handed over: Ruby's `do |x| … end`. */
      readonly block: FunctionNode | null;
    }
  | { readonly kind: 'operation'; readonly operator: string; readonly left: Node; readonly right: Node }
  | { readonly kind: 'prefix'; readonly operator: string; readonly value: Node }
  | { readonly kind: 'assign'; readonly target: Node; readonly operator: string; readonly value: Node }
  | { readonly kind: 'list'; readonly items: readonly Node[] }
  | { readonly kind: 'map'; readonly entries: readonly (readonly [Node | null, Node])[] }
  /** One of several, by a condition that is not looked at. */
  | { readonly kind: 'either'; readonly options: readonly Node[] }
  | FunctionNode
  | { readonly kind: 'class'; readonly name: string; readonly bases: readonly Node[]; readonly body: readonly Node[] }
  /** `module` under the name `as`; `member` is null for the module itself, `*` for all of its names. */
  | { readonly kind: 'import'; readonly module: string; readonly member: string | null; readonly as: string }
  /** The target stands for each item of the value in turn (`each`), or for the value itself (`as`). */
  | { readonly kind: 'loop'; readonly target: Node; readonly value: Node; readonly body: readonly Node[] }
  /** Statements in order; `maybe`: they run only on a condition. */
  | { readonly kind: 'block'; readonly body: readonly Node[]; readonly isMaybe: boolean }
  | { readonly kind: 'return'; readonly value: Node | null };

/** A function: `name` is null for one without. */
export interface FunctionNode {
  readonly kind: 'function';
  readonly name: string | null;
  readonly parameters: readonly Parameter[];
  readonly body: readonly Node[];
  readonly hasDecorator: boolean;
}

export interface Parameter {
  readonly name: string;
  readonly fallback: Node | null;
  /** `{ a, b }` or `[a, b]` in the place of a name. */
  readonly pattern?: Node; // [a name alone]
  /** What it takes of the arguments: one of them, all that are left (`*args`), or all left that are named (`**options`). */
  readonly takes?: 'rest' | 'named'; // [one]
}

/** What a parser understood, and what it did not. */
export interface Parsed {
  readonly body: readonly Node[];
  /** In words; empty when all was read. */
  readonly trouble: string;
}
