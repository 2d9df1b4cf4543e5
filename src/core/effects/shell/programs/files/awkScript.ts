/**
 * A place where an awk program reaches outside of its stream. `text` is null when nothing of it is a literal string; parts that
 * are known only when it runs stand in it as `$_`.
 */
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
  return reachesIn(withValues(tokens));
}

/** Names that are set once, to one string, replaced by it: `cmd = "rm a"; system(cmd)`. */
function withValues(tokens: readonly Token[]): readonly Token[] {
  const values = new Map<string, Token | null>();
  tokens.forEach((token, at) => {
    const [sign, value, next] = tokens.slice(at + 1, at + 4);
    if (token.type !== 'name' || sign?.type !== 'sign' || !/^(?:[-+*/%^]?=|\+\+|--)$/.test(sign.text)) return;
    const isString = sign.text === '=' && value?.type === 'string' && !values.has(token.text) && isClosed(next);
    values.set(token.text, isString ? value : null);
  });
  if (values.size === 0) return tokens;
  return tokens.map((token, at) => {
    const next = tokens[at + 1];
    const isSet = next?.type === 'sign' && next.text === '=';
    return (token.type === 'name' && !isSet ? values.get(token.text) : null) ?? token;
  });
}

const isClosed = (token: Token | undefined): boolean =>
  token === undefined || token.type === 'end' || (token.type === 'sign' && /^[})]$/.test(token.text));

function reachesIn(tokens: readonly Token[]): readonly Reach[] {
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
    let from = at - 2;
    while (from > 0 && !isStart(tokens[from - 1])) from -= 1;
    reaches.push({ type: 'run', text: joinedAt(tokens.slice(0, at - 1), from) });
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

/** What stands for a part of a command that only the program knows while it runs; the shell would take it for a variable. */
const PART = '$_';

/** The string at a place, up to the end of its expression: what is joined to it stands there as a variable; null when nothing is a string. */
function operandAt(tokens: readonly Token[], at: number): string | null {
  const token = tokens[at];
  if (token?.type === 'sign' && token.text === '(') return argumentAt(tokens, at);
  return joinedAt(tokens, at);
}

/** The same in parentheses: `("rm " name)`. */
function argumentAt(tokens: readonly Token[], at: number): string | null {
  const open = tokens[at];
  return open?.type === 'sign' && open.text === '(' ? joinedAt(tokens, at + 1) : null;
}

/** `"a " $1 " b"` with its unknown parts as variables; null for what is more than strings, names and fields side by side. */
function joinedAt(tokens: readonly Token[], at: number): string | null {
  let text = '';
  let hasString = false;
  for (let next = at; next < tokens.length; next += 1) {
    const token = tokens[next];
    if (token === undefined || token.type === 'end' || (token.type === 'sign' && /^[{});,]$/.test(token.text))) break;
    if (token.type === 'sign') return null;
    if (token.type === 'string') {
      hasString = true;
      text += token.text;
    } else if (!text.endsWith(PART)) text += PART;
  }
  return hasString ? text : null;
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
