/**
 * Percentage off an order, by its number of pieces.
 * Price list: 5 % from 10 pieces on, 10 % from 50 pieces on.
 */
export function discountFor(pieces) {
  if (pieces >= 50) return 10;
  if (pieces > 10) return 5;
  return 0;
}

/** Price in cents after the discount, rounded to whole cents. */
export function discounted(cents, pieces) {
  var percent = discountFor(pieces);
  return Math.round((cents * (100 - percent)) / 100);
}
