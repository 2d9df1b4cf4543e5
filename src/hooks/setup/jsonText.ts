import {
  createScanner,
  findNodeAtLocation,
  getNodeValue,
  parse,
  parseTree,
  type JSONPath,
  type Node,
  type ParseError,
} from 'jsonc-parser';

/** Objects by key. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The value as an object; null when it is none. */
export const objectOf = (value: unknown): JsonObject | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : null;

/** The value as a list; empty when it is none. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/**
 * A JSON text that a person wrote, changed in place: every other character stays as it is, comments, order and commas at the end
 * included. What is put in and taken out again leaves no trace. (The edits of `jsonc-parser` itself lay out the neighbours anew.)
 */
export class JsonText {
  #text: string;
  readonly #unit: string;
  readonly #eol: string;
  readonly #isOneLine: boolean;

  private constructor(text: string) {
    this.#text = text;
    this.#unit = /\n([ \t]+)\S/.exec(text)?.[1]?.replace(/\t+/, '\t') ?? '  ';
    this.#eol = text.includes('\r\n') ? '\r\n' : '\n';
    this.#isOneLine = !text.trim().includes('\n') && text.trim() !== '{}';
  }

  /** Opens a text; null when it is not an object in JSON, comments and trailing commas allowed. */
  static open(text: string): JsonText | null {
    const errors: ParseError[] = [];
    const value: unknown = parse(text, errors, { allowTrailingComma: true });
    return errors.length === 0 && objectOf(value) !== null ? new JsonText(text) : null;
  }

  get text(): string {
    return this.#text;
  }

  /** The value at a path; undefined when nothing is there. */
  at(...path: JSONPath): unknown {
    const node = this.#find(path);
    return node === undefined ? undefined : (getNodeValue(node) as unknown);
  }

  /** Puts a value at a path of keys; objects on the way that are missing are made. */
  set(path: readonly string[], value: unknown): void {
    const known = this.#find([...path]);
    if (known !== undefined) {
      this.#replace(known.offset, known.offset + known.length, this.#laidOut(value, this.#indentAt(known.offset)));
      return;
    }
    let depth = path.length - 1;
    while (depth > 0 && this.#find([...path.slice(0, depth)]) === undefined) depth -= 1;
    const nested = path.slice(depth + 1).reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
    this.#insert([...path.slice(0, depth)], `${JSON.stringify(path[depth])}:${this.#isOneLine ? '' : ' '}`, nested);
  }

  /** Puts a value at the end of the list at a path; makes the list when there is none. */
  append(path: readonly string[], value: unknown): void {
    if (Array.isArray(this.at(...path))) this.#insert([...path], '', value);
    else this.set(path, [value]);
  }

  /** Takes away what is at a path, and the objects and lists above it that are empty then. */
  remove(path: JSONPath): void {
    const node = this.#find(path);
    if (node === undefined) return;
    const member = node.parent?.type === 'property' ? node.parent : node;
    const container = member.parent;
    if (container === undefined) return;
    const siblings = container.children ?? [];
    if (siblings.length === 1) {
      if (path.length > 1) return this.remove(path.slice(0, -1));
      this.#replace(container.offset + 1, container.offset + container.length - 1, '');
      return;
    }
    this.#cut(siblings, siblings.indexOf(member));
  }

  #find(path: JSONPath): Node | undefined {
    const root = parseTree(this.#text, [], { allowTrailingComma: true });
    return root === undefined || path.length === 0 ? root : findNodeAtLocation(root, path);
  }

  /** Takes one member out of several, with the comma that it brought. */
  #cut(siblings: readonly Node[], at: number): void {
    const member = siblings[at];
    const [previous, next] = [siblings[at - 1], siblings[at + 1]];
    if (member === undefined) return;
    const end = member.offset + member.length;
    const ownComma = this.#commaAfter(end, next?.offset ?? this.#text.length);
    if (previous === undefined) {
      this.#replace(member.offset, next?.offset ?? end, '');
      return;
    }
    const previousEnd = previous.offset + previous.length;
    const gap = this.#text.slice(previousEnd, member.offset);
    const from = member.offset - (/\s*$/.exec(gap)?.[0].length ?? 0);
    if (ownComma !== null) {
      this.#replace(from, ownComma + 1, '');
      return;
    }
    const comma = this.#commaAfter(previousEnd, member.offset);
    this.#replace(from, end, '');
    if (comma !== null) this.#replace(comma, comma + 1, '');
  }

  /** Where the next comma is that stands in no comment; null when something else, or nothing, comes first. */
  #commaAfter(from: number, to: number): number | null {
    const scanner = createScanner(this.#text, true);
    scanner.setPosition(from);
    scanner.scan();
    const at = scanner.getTokenOffset();
    return at < to && this.#text[at] === ',' ? at : null;
  }

  /** Puts a member at the end of an object or list. */
  #insert(path: JSONPath, label: string, value: unknown): void {
    const container = this.#find(path);
    if (container === undefined) return;
    const close = container.offset + container.length - 1;
    const last = container.children?.at(-1);
    if (last === undefined) {
      const outer = this.#indentAt(container.offset);
      const inner = `${outer}${this.#unit}`;
      const laidOut = `${label}${this.#laidOut(value, inner)}`;
      const framed = this.#isOneLine ? laidOut : `${this.#eol}${inner}${laidOut}${this.#eol}${outer}`;
      this.#replace(container.offset + 1, close, framed);
      return;
    }
    const lastEnd = last.offset + last.length;
    const comma = this.#commaAfter(lastEnd, close);
    const isInline = !this.#text.slice(container.offset, close).includes('\n');
    const indent = isInline ? '' : this.#indentAt(last.offset);
    const space = isInline ? (this.#isOneLine ? '' : ' ') : `${this.#eol}${indent}`;
    const written = isInline ? JSON.stringify(value) : this.#laidOut(value, indent);
    // A comment behind the last member stays with it: what is new comes after it.
    const gap = this.#text.slice(lastEnd, close);
    const place = lastEnd + gap.trimEnd().length;
    this.#replace(place, place, `${space}${label}${written}${comma === null ? '' : ','}`);
    if (comma === null) this.#replace(lastEnd, lastEnd, ',');
  }

  /** A value as text, its lines after the first indented. */
  #laidOut(value: unknown, indent: string): string {
    if (this.#isOneLine) return JSON.stringify(value);
    return JSON.stringify(value, null, this.#unit).replaceAll('\n', `${this.#eol}${indent}`);
  }

  /** White space at the begin of the line in which an offset lies. */
  #indentAt(offset: number): string {
    const line = this.#text.slice(this.#text.lastIndexOf('\n', offset - 1) + 1, offset);
    return /^[ \t]*/.exec(line)?.[0] ?? '';
  }

  #replace(from: number, to: number, by: string): void {
    this.#text = this.#text.slice(0, from) + by + this.#text.slice(to);
  }
}
