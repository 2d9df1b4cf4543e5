/** 123456 → '1,234.56' */
export function format(cents) {
  const [whole, rest] = (cents / 100).toFixed(2).split('.');
  return `${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${rest}`;
}
