/** Part of an expandable text. */
export type TextPart = string | Expression;

/** An expression. Names of variables, members, types and operators are lower case where PowerShell does not tell case apart. */
export type Expression =
  /** `isBare`: an argument without quotes, whose wildcards count. */
  | { readonly kind: 'text'; readonly parts: readonly TextPart[]; readonly isBare: boolean; readonly raw: string }
  | { readonly kind: 'number'; readonly value: number; readonly raw: string }
  /** `env:path`, `home`, `_`, `script:x`. `isSplat`: `@args`. */
  | { readonly kind: 'variable'; readonly name: string; readonly isSplat: boolean }
  | { readonly kind: 'array'; readonly items: readonly Expression[] }
  | { readonly kind: 'hash'; readonly entries: readonly (readonly [Expression, Statement])[] }
  | { readonly kind: 'block'; readonly block: Block }
  /** `( … )`, `$( … )`, `@( … )`. */
  | { readonly kind: 'group'; readonly sign: '(' | '$(' | '@('; readonly body: readonly Statement[] }
  | { readonly kind: 'type'; readonly name: string }
  | { readonly kind: 'cast'; readonly type: string; readonly value: Expression }
  | {
      readonly kind: 'member';
      readonly object: Expression;
      readonly name: Expression | string;
      readonly isStatic: boolean;
    }
  | {
      readonly kind: 'invoke';
      readonly object: Expression;
      readonly name: Expression | string;
      readonly isStatic: boolean;
      readonly args: readonly Expression[];
    }
  | { readonly kind: 'index'; readonly object: Expression; readonly key: Expression }
  | { readonly kind: 'unary'; readonly operator: string; readonly value: Expression }
  | { readonly kind: 'binary'; readonly operator: string; readonly left: Expression; readonly right: Expression };

/** A word behind a command's name. */
export type Element =
  /** `-Name`, `-Name:value`; `raw` as it was written, for programs that are no cmdlets. */
  | { readonly kind: 'parameter'; readonly name: string; readonly value: Expression | null; readonly raw: string }
  | { readonly kind: 'argument'; readonly value: Expression; readonly raw: string };

export interface Redirection {
  /** 1 to 6, or 0 for all (`*>`). */
  readonly stream: number;
  readonly kind: 'replace' | 'append' | 'read' | 'merge';
  readonly target: Expression | null;
}

/** One stage of a pipeline. */
export type Stage =
  | {
      readonly kind: 'command';
      /** `&` and `.` run what their operand names. */
      readonly operator: '' | '&' | '.';
      readonly name: Expression;
      readonly elements: readonly Element[];
      readonly redirections: readonly Redirection[];
      readonly raw: string;
    }
  | { readonly kind: 'expression'; readonly value: Expression; readonly redirections: readonly Redirection[] };

export type Statement =
  | { readonly kind: 'pipeline'; readonly stages: readonly Stage[]; readonly isBackground: boolean }
  | { readonly kind: 'assignment'; readonly target: Expression; readonly operator: string; readonly value: Statement }
  /** Statements that may run or not, after conditions that do: if, switch, try, while, do. */
  | {
      readonly kind: 'branches';
      readonly conditions: readonly Statement[];
      readonly branches: readonly (readonly Statement[])[];
      /** In a switch `$_` is the value. */
      readonly subject: Statement | null;
    }
  | {
      readonly kind: 'foreach';
      readonly variable: string;
      readonly items: Statement;
      readonly body: readonly Statement[];
    }
  | { readonly kind: 'function'; readonly name: string; readonly block: Block; readonly raw: string }
  /** A class; `methods` are the bodies of those that it has, and of its properties' values. */
  | { readonly kind: 'class'; readonly name: string; readonly methods: readonly Block[] }
  | { readonly kind: 'leave'; readonly word: string; readonly value: Statement | null }
  /** Something that was read and means nothing here. */
  | { readonly kind: 'nothing' };

/** `{ param(…) begin { } process { } end { } }`. */
export interface Block {
  readonly parameters: readonly { readonly name: string; readonly fallback: Expression | null }[];
  readonly body: readonly Statement[];
  readonly raw: string;
}

export interface Script {
  readonly block: Block;
  /** What could not be read, in words. */
  readonly problems: readonly string[];
}
