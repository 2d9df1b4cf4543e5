import type { Facts } from './facts.js';
import type { Syntax } from './syntax.js';
import type { TerminalState } from './effect.js';

/** Everything an analysis may look at: facts, a parser, and the terminal as earlier steps left it. */
export interface View {
  readonly facts: Facts;
  readonly syntax: Syntax;
  readonly terminal: TerminalState;
}
