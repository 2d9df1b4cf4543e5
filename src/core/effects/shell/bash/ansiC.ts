const SIMPLE: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '?': '?',
};

const ESCAPE =
  /\\(?:([abeEfnrtv\\'"?])|x([0-9a-fA-F]{1,2})|([0-7]{1,3})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|c([\s\S]))/g;

/** The text that `$'…'` stands for, without the quotes. Bytes above 127 are read as Latin-1. Source: bash(1), QUOTING. */
export function ansiC(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(ESCAPE, (_all, simple, hex, octal, short, long, control) => {
    if (simple !== undefined) return SIMPLE[simple as string] ?? '';
    if (control !== undefined) return String.fromCharCode((control as string).charCodeAt(0) & 31);
    const digits = (hex ?? short ?? long ?? octal) as string;
    const code = octal === undefined ? Number.parseInt(digits, 16) : Number.parseInt(digits, 8) & 255;
    return code <= 0x10ffff ? String.fromCodePoint(code) : '';
  });
}
