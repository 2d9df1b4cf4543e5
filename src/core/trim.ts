/**
 * A text without those of the given characters that stand at its end. Linear, which `/[…]+$/` is not: that looks again from every
 * place in a long run of them.
 */
export function withoutEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
