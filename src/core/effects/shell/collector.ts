import type { Effect, Flow, Inflow, Resource, SimpleCommand } from '../effect.js';
import type { Facts } from '../facts.js';
import { KeptWork } from '../keptWork.js';
import type { Syntax, SyntaxNode } from '../syntax.js';
import type { View } from '../view.js';
import type { Tables } from './frame.js';
import { readPlainLine } from './bash/plainLine.js';
import { factsOfLine } from './lineFacts.js';

/** Budgets of one line. Beyond them the rest of the line is `unknown`: a guard that thinks forever guards nothing. */
const MAX_STEPS = 1_500;
const MAX_COMMANDS = 250;
const MAX_EFFECTS = 600;
const MAX_FLOWS = 400;
const MAX_TREES = 64;
/** How deep code may carry code. */
export const MAX_DEPTH = 14;
/** How many sources one command's data is traced to. */
export const MAX_INFLOWS = 24;

/** Commands that are being recorded; the index is the place in the list. */
export type MutableCommand = { -readonly [K in keyof SimpleCommand]: SimpleCommand[K] };

/** What has been written by this very line, for the commands after it that read or run it. */
export interface Written {
  /** Null when the text is not known. */
  readonly text: string | null;
  readonly inflows: readonly Inflow[];
  /** Whether it came out of a decoder or an archive; absent when it did not. */
  readonly isUnpacked?: boolean;
}

/**
 * Collects what a line does: effects, commands, flows. Language-neutral: analysers of languages say what they find through a
 * {@link Frame}, programs through a {@link Run}; both end here. One collector serves one analysis.
 */
export class Collector {
  readonly effects: Effect[] = [];
  readonly commands: MutableCommand[] = [];
  readonly flows: Flow[] = [];
  readonly written = new Map<string, Written>();
  /** What this line makes, and its links with where they lead. */
  readonly made = new Map<string, 'file' | 'folder'>();
  readonly links = new Map<string, string>();
  /** Folders that were not there before this line, and hold nothing that was. */
  readonly fresh = new Set<string>();
  /** Files that the line has taken away, by name. */
  readonly gone = new Set<string>();
  /** Where the line has moved work to that no commit holds. */
  readonly movedWork = new Set<string>();
  /** What the line has given git to hold. */
  readonly kept: KeptWork;
  /** Functions and aliases that are being followed. */
  readonly following = new Set<string>();
  /** Code that is being followed, by language and text: where it comes up again inside itself, it is not gone into. */
  readonly #running = new Set<string>();
  /** Names that are local to them. */
  readonly locals: Set<string>[] = [];
  readonly spread = { count: 0 };
  /** For each function being followed: how far the line had spread when it was called. */
  readonly spreadAt = new Map<string, number>();
  /** Flows that were said, as text, so that each is said once. */
  readonly #flowTexts = new Set<string>();
  #pipelines = 0;
  #descriptors = 0;
  #steps = 0;
  #isExhausted = false;

  /** The facts as this line leaves them while it runs. */
  readonly facts: Facts;

  constructor(
    readonly view: View,
    readonly tables: Tables,
  ) {
    this.kept = new KeptWork(view.facts);
    this.facts = factsOfLine(view.facts, this.made, this.links, this.fresh, this.kept, (file) =>
      this.gone.has(file) ? null : this.written.get(file)?.text,
    );
  }

  /** The parser, which is asked for nothing plain, and not twice for one text: a function is read once and called often. */
  readonly syntax: Syntax = {
    parse: (grammar, text) => {
      const key = `${grammar} ${text}`;
      const known = this.#parsed.get(key);
      if (known !== undefined) return known;
      const tree = readPlainLine(text) ?? this.view.syntax.parse(grammar, text);
      if (this.#parsed.size < MAX_TREES) this.#parsed.set(key, tree);
      return tree;
    },
  };
  readonly #parsed = new Map<string, SyntaxNode | null>();

  nextDescriptorPath(): string {
    this.#descriptors += 1;
    return `/dev/fd/${64 - this.#descriptors}`;
  }

  newPipeline(): number {
    this.#pipelines += 1;
    return this.#pipelines;
  }

  /** Takes a step of the budget, or more for a long text; false when it is used up. */
  step(length = 0): boolean {
    this.#steps += 1 + Math.floor(length / 256);
    if (this.#steps > MAX_STEPS) this.#exhaust();
    return !this.#isExhausted;
  }

  /** Whether a budget is used up: what is still said goes nowhere. */
  get isExhausted(): boolean {
    return this.#isExhausted;
  }

  #exhaust(): void {
    if (this.#isExhausted) return;
    this.#isExhausted = true;
    const what = 'the line is too long or does too much to be followed to its end';
    // In a script or task that a line starts, length is usual; a line of a thousand commands hides what stands at its end.
    const isOfTheLine = (this.commands.at(-1)?.carrier ?? null) === null;
    this.effects.push(isOfTheLine ? excessEffect(what) : unknownEffect(what, null));
  }

  /** Follows code, unless it is being followed already: then null. */
  within<T>(language: string, text: string, follow: () => T): T | null {
    const key = `${language} ${text}`;
    if (this.#running.has(key)) return null;
    this.#running.add(key);
    const value = follow();
    this.#running.delete(key);
    return value;
  }

  /** Puts another effect in the place of one that was said before. */
  replace(old: Effect, effect: Effect): void {
    const at = this.effects.indexOf(old);
    if (at >= 0) this.effects[at] = effect;
  }

  add(effect: Effect): void {
    if (this.effects.length >= MAX_EFFECTS) this.#exhaust();
    else this.effects.push(effect);
  }

  addCommand(command: MutableCommand): number | null {
    if (this.commands.length >= MAX_COMMANDS) {
      this.#exhaust();
      return null;
    }
    this.commands.push(command);
    return this.commands.length - 1;
  }

  addFlow(flow: Flow): void {
    if (this.flows.length >= MAX_FLOWS) return;
    const text = JSON.stringify(flow);
    if (this.#flowTexts.has(text)) return;
    this.#flowTexts.add(text);
    this.flows.push(flow);
  }
}

/** What stands in for whatever was not understood. */
export const unknownEffect = (what: string, command: number | null): Effect => ({
  op: 'unknown',
  resource: { type: 'unknown', what },
  certainty: 'dynamic',
  reversible: 'no',
  traits: [],
  command,
  note: '',
});

/** Where there is more than can be looked at: what was not reached may be anything, so no policy of ours passes it by itself. */
export const excessEffect = (what: string): Effect => ({ ...unknownEffect(what, null), traits: ['mass'] });

/** What surrounds a command: who carries it, how deep, with which rights, and whether it runs on this machine at all. */
export interface Context {
  readonly carrier: number | null;
  readonly depth: number;
  readonly isPrivileged: boolean;
  /** The machine or container it runs on; null for this machine. */
  readonly where: Resource | null;
  /** What flows into everything that runs here: the inflows of the command that carries it. */
  readonly inflows: readonly Inflow[];
}

/** The context of the line itself. */
export const ROOT_CONTEXT: Context = { carrier: null, depth: 0, isPrivileged: false, where: null, inflows: [] };
