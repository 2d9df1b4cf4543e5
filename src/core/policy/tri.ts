/** Three-valued truth: `unknown` is what a fact that could not be had makes of a match (product.md §4, "no verdict"). */
export type Tri = 'yes' | 'no' | 'unknown';

/** Truth of a known claim. */
export const tri = (claim: boolean): Tri => (claim ? 'yes' : 'no');

/** Conjunction: one `no` settles it, whatever is unknown. Empty is `yes`. */
export function allOf(values: Iterable<Tri>): Tri {
  let result: Tri = 'yes';
  for (const value of values) {
    if (value === 'no') return 'no';
    if (value === 'unknown') result = 'unknown';
  }
  return result;
}

/** Disjunction: one `yes` settles it, whatever is unknown. Empty is `no`. */
export function anyOf(values: Iterable<Tri>): Tri {
  let result: Tri = 'no';
  for (const value of values) {
    if (value === 'yes') return 'yes';
    if (value === 'unknown') result = 'unknown';
  }
  return result;
}

/** Negation; what is unknown stays unknown. */
export const negate = (value: Tri): Tri => (value === 'yes' ? 'no' : value === 'no' ? 'yes' : 'unknown');
