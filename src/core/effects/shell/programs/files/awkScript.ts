/** A place where an awk program reaches outside of its stream. `text` is null when it is not one literal string. */
export interface Reach {
  readonly type: 'run' | 'read' | 'write' | 'append' | 'unknown';
  readonly text: string | null;
}

type Token =
  | { readonly type: 'string'; readonly text: string }
  | { readonly type: 'name'; readonly text: string }
  | { readonly type: 'sign'; readonly text: string }
  | { readonly type: 'end' };

/**
 * Where an awk program runs commands, reads or writes files: `system(…)`, `print > f`, `cmd | getline`, `getline < f`, `print | cmd`,
 * `|&`, gawk's `@load`, `/inet/`. Linear. Source: gawk manual 5.3.
 */
export function reachesOf(program: string): readonly Reach[] {
  const tokens = tokensOf(program);
  if (!tokens) return [{ type: 'unknown', text: null }];
  const reaches: Reach[] = [];
  /** Depth of parentheses inside of a print statement; null outside of one. */
  let printing: number | null = null;
  tokens.forEach((token, at) => {
    const next = tokens[at + 1];
    if (token.type === 'end') printing = null;
    else if (token.type === 'name') {
      if (token.text === 'print' || token.text === 'printf') printing = 0;
      else if (token.text === 'system') reaches.push({ type: 'run', text: argumentAt(tokens, at + 1) });
      else if (token.text === 'getline') getline(tokens, at, reaches);
      else if (/^@(load|include)$/.test(token.text)) reaches.push({ type: 'unknown', text: null });
      else if (token.text.startsWith('@')) reaches.push({ type: 'unknown', text: null }); // A call through a variable.
    } else if (token.type === 'sign') {
      if (printing !== null && token.text === '(') printing += 1;
      else if (printing !== null && token.text === ')') printing -= 1;
      else if (/^[{}]$/.test(token.text)) printing = null;
      else if (printing === 0 && /^>>?$/.test(token.text)) {
        reaches.push({ type: token.text === '>' ? 'write' : 'append', text: operandAt(tokens, at + 1) });
      } else if (/^\|&?$/.test(token.text) && !(next?.type === 'name' && next.text === 'getline')) {
        reaches.push({ type: 'run', text: operandAt(tokens, at + 1) });
      }
    }
  });
  return reaches;
}

function getline(tokens: readonly Token[], at: number, reaches: Reach[]): void {
  const before = tokens[at - 1];
  if (before?.type === 'sign' && /^\|&?$/.test(before.text)) {
    const command = tokens[at - 2];
    const isAlone = isStart(tokens[at - 3]);
    reaches.push({ type: 'run', text: command?.type === 'string' && isAlone ? command.text : null });
    return;
  }
  for (let next = at + 1; next < at + 4; next += 1) {
    const token = tokens[next];
    if (token?.type === 'sign' && token.text === '<') {
      reaches.push({ type: 'read', text: operandAt(tokens, next + 1) });
      return;
    }
    if (!token || token.type === 'end') return;
  }
}

const isStart = (token: Token | undefined): boolean =>
  token === undefined || token.type === 'end' || (token.type === 'sign' && /^[{}();=,!&|]+$/.test(token.text));

/** The literal string that stands alone at a place; null when something else is joined to it. */
function operandAt(tokens: readonly Token[], at: number): string | null {
  const token = tokens[at];
  const next = tokens[at + 1];
  if (token?.type === 'sign' && token.text === '(') return argumentAt(tokens, at);
  const isAlone = next === undefined || next.type === 'end' || (next.type === 'sign' && /^[{});,]$/.test(next.text));
  return token?.type === 'string' && isAlone ? token.text : null;
}

/** The literal string in `( "…" )`; null when there is anything else. */
function argumentAt(tokens: readonly Token[], at: number): string | null {
  const [open, inner, close] = tokens.slice(at, at + 3);
  const isOpen = open?.type === 'sign' && open.text === '(';
  const isClosed = close?.type === 'sign' && close.text === ')';
  return isOpen && isClosed && inner?.type === 'string' ? inner.text : null;
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '"': '"',
  '\\': '\\',
  '/': '/',
  a: '\x07',
};

function tokensOf(program: string): readonly Token[] | null {
  const tokens: Token[] = [];
  const matcher =
    /(\\\r?\n|[ \t\r]+|#[^\n]*)|"((?:[^"\\\n]|\\[\s\S])*)"|(@?[A-Za-z_]\w*(?:::\w+)?)|(\n|;)|(\d[\w.]*|\$)|(>>|\|&|\|\||&&|[-+*/%^!=<>]=|\*\*=?|\+\+|--|!~|[{}()[\],<>|!~?:+\-*%^=&/])|([\s\S])/gy;
  for (let match = matcher.exec(program); match; match = matcher.exec(program)) {
    const [, blank, string, name, end, value, sign] = match;
    if (blank !== undefined) continue;
    if (string !== undefined) {
      const text = string.replace(/\\x([0-9a-fA-F]{1,2})|\\([0-7]{1,3})|\\([\s\S])/g, (_all, hex, octal, char) => {
        if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex as string, 16));
        if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal as string, 8));
        return ESCAPES[char as string] ?? (char as string);
      });
      tokens.push({ type: 'string', text });
    } else if (name !== undefined) tokens.push({ type: 'name', text: name });
    else if (end !== undefined) tokens.push({ type: 'end' });
    else if (value !== undefined) tokens.push({ type: 'name', text: value });
    else if (sign === '/' && isOperandPlace(tokens.at(-1))) {
      const regex = /(?:[^/\\\n[]|\\.|\[\^?\]?(?:[^\]\\\n]|\\.)*\])*\//y;
      regex.lastIndex = matcher.lastIndex;
      if (!regex.test(program)) return null;
      matcher.lastIndex = regex.lastIndex;
      tokens.push({ type: 'name', text: '/regex/' });
    } else if (sign !== undefined) tokens.push({ type: 'sign', text: sign });
    else return null;
  }
  return tokens;
}

/** Whether a slash at this place begins a regular expression rather than a division. */
const isOperandPlace = (before: Token | undefined): boolean =>
  before === undefined || before.type === 'end' || (before.type === 'sign' && !/^[)\]]$/.test(before.text));
