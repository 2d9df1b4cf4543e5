import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Language, Parser, type Tree, type TreeCursor } from 'web-tree-sitter';
import type { Grammar, LazySyntax, SyntaxNode } from '../core/effects/syntax.js';
import { inBaselineCode } from './baselineCode.js';

/** Names of the WASM files, the same in every folder that holds them. Build and tests copy or find them by these. */
export const WASM_FILES = {
  engine: 'web-tree-sitter.wasm',
  bash: 'tree-sitter-bash.wasm',
} as const satisfies Record<'engine' | Grammar, string>;

/** Where each WASM file is found: one folder for all, or a function from file name to folder. */
export type WasmFolders = string | ((file: string) => string);

/** A text above this is answered with null (syntax.ts). */
const MAX_UNITS = 64 * 1024;
/** A tree deeper than this is answered with null: whoever walks it would run out of stack. */
const MAX_DEPTH = 400;
/** A tree with more nodes than this is answered with null. */
const MAX_NODES = 40_000;
/** Unclosed brackets beyond this make the engine follow too many readings at once, for seconds between two looks at the clock. */
const MAX_OPEN_BRACKETS = 250;
/** Parsing stops when it has worked this long. */
const MAX_PARSE_MS = 40;

/** A parser with its grammars. Loading is asynchronous and happens once; parsing is synchronous. */
export class TreeSitter implements LazySyntax {
  readonly #folders: WasmFolders;
  readonly #parsers = new Map<Grammar, Parser>();
  readonly #loading = new Map<Grammar, Promise<void>>();
  readonly #missed = new Set<Grammar>();

  constructor(folders: WasmFolders) {
    this.#folders = folders;
  }

  /**
   * Loads grammars that are not loaded yet; each is loaded alone.
   * Rejects when a file is missing or does not fit the engine: the caller shows it, and lines of that shell are `unknown`.
   */
  async load(...grammars: readonly Grammar[]): Promise<void> {
    await Promise.all(grammars.map((grammar) => this.#loadOnce(grammar)));
  }

  async catchUp(): Promise<boolean> {
    const missed = [...this.#missed];
    // Before the first await: what others ask for meanwhile is theirs to wait for.
    this.#missed.clear();
    await this.load(...missed);
    return missed.length > 0;
  }

  parse(grammar: Grammar, text: string): SyntaxNode | null {
    const parser = this.#parsers.get(grammar);
    if (!parser) this.#missed.add(grammar);
    // A NUL ends the text for the engine but not for us: what follows it would go unseen.
    if (!parser || text.length > MAX_UNITS || text.includes('\0') || isDeep(text)) return null;
    const allowance = new Allowance(MAX_PARSE_MS);
    let tree: Tree | null = null;
    let cursor: TreeCursor | null = null;
    try {
      // The engine looks up between steps of the parse. One step may run through the whole text, a piece at a time: for such a
      // step the text ends when the allowance does.
      tree = parser.parse((index) => (allowance.isUsedUp() ? '' : text.slice(index)), null, {
        progressCallback: () => allowance.isUsedUp(),
      });
      if (!tree || allowance.isUsedUp()) {
        parser.reset();
        return null;
      }
      cursor = tree.walk();
      return new Copier(cursor).copy();
    } catch (error) {
      // The engine is a guest: a crash inside (out of memory, an aborted scanner) says nothing about the text.
      if (error instanceof Error) return null;
      throw error;
    } finally {
      cursor?.delete();
      tree?.delete();
    }
  }

  #loadOnce(grammar: Grammar): Promise<void> {
    let loading = this.#loading.get(grammar);
    if (!loading) {
      loading = this.#loadGrammar(grammar).catch((error: unknown) => {
        this.#loading.delete(grammar);
        throw error;
      });
      this.#loading.set(grammar, loading);
    }
    return loading;
  }

  async #loadGrammar(grammar: Grammar): Promise<void> {
    await startEngine(this.#pathOf(WASM_FILES.engine));
    const parser = new Parser();
    parser.setLanguage(await Language.load(readFileSync(this.#pathOf(WASM_FILES[grammar]))));
    // The engine compiles its code when it is first used; no text has to answer for that time.
    inBaselineCode(() => parser.parse(WARMING)?.delete());
    this.#parsers.set(grammar, parser);
  }

  #pathOf(file: string): string {
    return path.join(typeof this.#folders === 'string' ? this.#folders : this.#folders(file), file);
  }
}

/** Whether brackets are open too deep at some place, quoted or not. */
function isDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x28 || code === 0x7b || code === 0x5b) depth += 1;
    else if ((code === 0x29 || code === 0x7d || code === 0x5d) && depth > 0) depth -= 1;
    if (depth > MAX_OPEN_BRACKETS) return true;
  }
  return false;
}

/** How long something is taken for working all the time, before the system is asked: that costs more than most texts do. */
const UNASKED_MS = 10;

/**
 * How long this process may work on something. A time in which the machine did something else does not count, nor what other
 * threads work meanwhile: neither is the text's fault. Only of the first milliseconds all counts.
 */
class Allowance {
  readonly #startMs = nowMs();
  /** What the process had worked when the system was first asked, less what is counted by then; null before. */
  #startMicros: number | null = null;
  #isUsedUp = false;

  constructor(readonly mostMs: number) {}

  /** Once it is, it stays so. */
  isUsedUp(): boolean {
    this.#isUsedUp ||= this.#isOver(nowMs() - this.#startMs);
    return this.#isUsedUp;
  }

  #isOver(passedMs: number): boolean {
    if (passedMs <= UNASKED_MS) return false;
    this.#startMicros ??= workedMicros() - Math.min(passedMs, UNASKED_MS) * 1_000;
    return passedMs > this.mostMs && workedMicros() - this.#startMicros > this.mostMs * 1_000;
  }
}

/** A line with the usual parts of one. */
const WARMING = 'a=1 b "$c" > d | e && { f; }\n';

/** A clock that is never set back. Not `performance`, which loads a module that a short process does not need otherwise. */
const nowMs = (): number => Number(process.hrtime.bigint() / 1_000n) / 1_000;

function workedMicros(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

let engine: Promise<void> | null = null;

/** The engine is one per process: a second copy would read the first one's memory. */
function startEngine(file: string): Promise<void> {
  engine ??= Parser.init({ wasmBinary: new Uint8Array(readFileSync(file)).buffer }).catch((error: unknown) => {
    engine = null;
    throw error;
  });
  return engine;
}

/** Copies a tree into plain data through a cursor, which crosses into WASM less often than nodes do. */
class Copier {
  #count = 0;

  constructor(readonly cursor: TreeCursor) {}

  /** Null when the tree is too deep or too large. */
  copy(): SyntaxNode | null {
    return this.#copy(0);
  }

  #copy(depth: number): (SyntaxNode & { hasError: boolean }) | null {
    const { cursor } = this;
    this.#count += 1;
    if (depth > MAX_DEPTH || this.#count > MAX_NODES) return null;
    const type = cursor.nodeType;
    const isMissing = cursor.nodeIsMissing;
    const children: SyntaxNode[] = [];
    const node = {
      type,
      field: cursor.currentFieldName,
      isNamed: cursor.nodeIsNamed,
      isMissing,
      hasError: type === 'ERROR' || isMissing,
      start: cursor.startIndex,
      end: cursor.endIndex,
      children,
    };
    if (!cursor.gotoFirstChild()) return node;
    do {
      const child = this.#copy(depth + 1);
      if (!child) return null;
      if (child.hasError) node.hasError = true;
      children.push(child);
    } while (cursor.gotoNextSibling());
    cursor.gotoParent();
    return node;
  }
}

/** Folders of the WASM files as installed by npm, below a folder with `node_modules`. */
export const installedWasm =
  (root: string): WasmFolders =>
  (file) =>
    file === WASM_FILES.engine
      ? path.join(root, 'node_modules/web-tree-sitter')
      : path.join(root, 'node_modules/@vscode/tree-sitter-wasm/wasm');
