import { discounted } from './discount.js';

/** A cart holds lines of { name, cents, pieces }. */
export class Cart {
  #lines = [];

  add(name, cents, pieces = 1) {
    this.#lines.push({ name, cents, pieces });
    return this;
  }

  get pieces() {
    return this.#lines.reduce((sum, line) => sum + line.pieces, 0);
  }

  /** Total in cents, with the discount for the whole order. */
  get total() {
    const cents = this.#lines.reduce((sum, line) => sum + line.cents * line.pieces, 0);
    return discounted(cents, this.pieces);
  }

  // TODO: show the discount on a line of its own.
  toString() {
    return this.#lines.map((line) => `${line.pieces} × ${line.name}`).join(', ');
  }
}
