import type { ToolCall } from '../../core/agent/brain.js';
import { err, ok } from '../../core/result.js';

/** A piece of a tool call as servers stream it. Some leave out the index, some send the arguments as an object. */
export interface CallDelta {
  readonly index?: number | null | undefined;
  readonly id?: string | null | undefined;
  readonly function?: { readonly name?: string | null | undefined; readonly arguments?: unknown } | null | undefined;
}

interface Slot {
  id: string;
  name: string;
  text: string;
}

/** Puts streamed pieces together into whole calls, in the order in which they began. */
export class CallAssembler {
  readonly #slots = new Map<number, Slot>();
  #last = -1;

  add(delta: CallDelta): void {
    const slot = this.#slotOf(delta);
    if (delta.id) slot.id = delta.id;
    const { name, arguments: piece } = delta.function ?? {};
    // A name comes whole; servers that repeat it with every piece must not have it doubled.
    if (name && slot.name === '') slot.name = name;
    if (typeof piece === 'string') slot.text += piece;
    else if (piece !== undefined && piece !== null) slot.text = JSON.stringify(piece);
  }

  /** All calls, whole. Call it when the stream has ended well; before that they may be half. */
  calls(): readonly ToolCall[] {
    return [...this.#slots.values()].map(({ id, name, text }) => ({ id, name, input: inputOf(text) }));
  }

  get isEmpty(): boolean {
    return this.#slots.size === 0;
  }

  #slotOf({ index, id }: CallDelta): Slot {
    const at = index ?? this.#indexFor(id ?? '');
    this.#last = at;
    const slot = this.#slots.get(at) ?? { id: '', name: '', text: '' };
    this.#slots.set(at, slot);
    return slot;
  }

  /** Without an index, a new id begins a new call, and no id goes on with the last one. */
  #indexFor(id: string): number {
    if (id === '') return Math.max(0, this.#last);
    for (const [at, slot] of this.#slots) if (slot.id === id) return at;
    return this.#slots.size;
  }
}

/** Arguments as an object. Nothing at all means none; anything else that is no object stays raw. */
export function inputOf(text: string): ToolCall['input'] {
  if (text.trim() === '') return ok({});
  try {
    const value: unknown = JSON.parse(text);
    if (value !== null && typeof value === 'object' && !Array.isArray(value))
      return ok(value as Readonly<Record<string, unknown>>);
    return err({ raw: text });
  } catch (error) {
    if (error instanceof SyntaxError) return err({ raw: text });
    throw error;
  }
}
