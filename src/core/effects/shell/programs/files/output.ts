import type { Word } from '../../../effect.js';
import type { ProgramEntry, Run } from '../../run.js';
import { exactWord, lessCertain, NUMBER } from '../../word.js';
import { argumentsOf, joined, rows } from '../helpers.js';
import { parseOptions } from '../options.js';

const ESCAPE = /\\(?:([abefnrtv\\'"?])|x([0-9a-fA-F]{1,2})|0?([0-7]{1,3})|u([0-9a-fA-F]{1,4})|(c))/g;
const CHARACTERS: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  e: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/** Backslash escapes as `echo -e` and `printf` read them. */
const unescape = (text: string): string =>
  text.replace(ESCAPE, (_all, simple, hex, octal, code, stop) => {
    if (stop !== undefined) return '';
    if (simple !== undefined) return CHARACTERS[simple as string] ?? (simple as string);
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal as string, 8) & 255);
    return String.fromCharCode(Number.parseInt((hex ?? code) as string, 16));
  });

/** `echo`: its output is its words. */
function echo(run: Run): void {
  const words = [...argumentsOf(run.invocation)];
  let flags = '';
  while (/^-[neE]+$/.test(words[0]?.text ?? '')) flags += words.shift()?.text ?? '';
  const text = joined(words);
  const body = flags.includes('e') ? unescape(text.text) : text.text;
  run.outputs({ ...text, text: flags.includes('n') ? body : `${body}\n` });
}

/** `printf`: its output where format and words are known; `-v` sets a variable. */
function printf(run: Run): void {
  const words = [...argumentsOf(run.invocation)];
  let variable: Word | undefined;
  if (words[0]?.text === '-v') {
    variable = words[1];
    words.splice(0, 2);
  }
  if (words[0]?.text === '--') words.shift();
  const [format, ...rest] = words;
  if (!format) return;
  const text = formatted(format, rest);
  if (!variable) {
    run.outputs(text);
    return;
  }
  const name = variable.text;
  if (!/^\w+$/.test(name)) run.unknown(`printf -v ${name}`);
  else run.changeTerminal((terminal) => ({ ...terminal, variables: new Map(terminal.variables).set(name, text) }));
}

/** The format used again and again until the words are used up. */
function formatted(format: Word, words: readonly Word[]): Word {
  const rest = [...words];
  let { certainty } = format;
  let text = '';
  const next = (): Word => rest.shift() ?? exactWord('');
  for (let round = 0; round < 200; round += 1) {
    const before = rest.length;
    text += format.text.replace(
      /%%|%[-+ #0]*[\d*]*(?:\.\d+)?([a-zA-Z])|\\(?:[abefnrtv\\'"?]|x[0-9a-fA-F]{1,2}|0?[0-7]{1,3}|u[0-9a-fA-F]{1,4})/g,
      (part, kind: string | undefined) => {
        if (part === '%%') return '%';
        if (part.startsWith('\\')) return unescape(part);
        const word = next();
        certainty = lessCertain(certainty, word.certainty);
        return kind === 'b' ? unescape(word.text) : word.text;
      },
    );
    if (rest.length === 0 || rest.length === before) break;
  }
  return { text, raw: joined([format, ...words]).raw, certainty, quoted: true };
}

/** `seq 3`, `seq 1 2 9`: numbers, a line each. */
function seq(run: Run): void {
  const parsed = parseOptions(
    { flags: '-w|--equal-width', values: '-f|--format -s|--separator' },
    argumentsOf(run.invocation),
  );
  const numbers = parsed.operands.map(({ text, certainty }) => (certainty === 'exact' ? Number(text) : Number.NaN));
  const [first = 1, step = 1, last = first] =
    numbers.length === 1 ? [1, 1, numbers[0]] : numbers.length === 2 ? [numbers[0], 1, numbers[1]] : numbers;
  const count = (last - first) / step;
  if (!(count >= 0 && count <= 200) || parsed.has('-f', '-s')) {
    run.outputs(NUMBER);
    return;
  }
  run.outputs(
    exactWord(Array.from({ length: Math.floor(count) + 1 }, (_unused, at) => `${first + at * step}\n`).join('')),
  );
}

/** A date in a format: numbers, and names of months and days. */
const dateIn = (format: string): string =>
  format
    .replace(/%[-_0]?(.)/g, (_all, code: string) => ('YmdHMSsNjuwVUWGgyCklIFqe'.includes(code) ? NUMBER.text : '*'))
    .replace(/\*+/g, '*');

/** Whatever a date looks like, it has neither slash nor space where a script puts it into a name. */
function date(run: Run): void {
  const parsed = parseOptions(
    {
      flags: '-u|--utc|--universal -R|--rfc-email -j -n --debug --help --version',
      values: '-d|--date -f|--file -r|--reference -s|--set -v -z',
      optional: '-I|--iso-8601 --rfc-3339',
    },
    argumentsOf(run.invocation),
  );
  const file = parsed.value('-f');
  if (file && !parsed.has('-j')) run.read(file);
  const sets = parsed.has('-s') || parsed.operands.some(({ text }) => /^\d{8,12}(\.\d\d)?$/.test(text));
  if (sets && !parsed.has('-j'))
    run.emit('privilege', { type: 'process', process: 'date' }, { note: 'sets the clock of the machine' });
  const format = parsed.operands.find(({ text }) => text.startsWith('+'));
  const text = format && !/[/\s]|%[DcxrR]/.test(format.text) ? dateIn(format.text.slice(1)) : '*';
  run.outputs({ text, raw: 'date', certainty: 'pattern', quoted: true });
}

/** `basename p .s`, `dirname p`: worked out on the text. */
function nameParts(run: Run): void {
  const { program } = run.invocation;
  const parsed = parseOptions({ flags: '-a|--multiple -z|--zero', values: '-s|--suffix' }, argumentsOf(run.invocation));
  const [path, second] = parsed.operands;
  if (!path || parsed.has('-a')) return;
  const trimmed = path.text.replace(/(?<=.)\/+$/, '');
  const at = trimmed.lastIndexOf('/');
  if (program === 'dirname') {
    const folder = at < 0 ? '.' : trimmed.slice(0, at) || '/';
    run.outputs({ ...path, text: path.certainty === 'dynamic' && at < 0 ? path.text : `${folder}\n` });
    return;
  }
  const base = at < 0 ? trimmed : trimmed.slice(at + 1);
  const suffix = (parsed.value('-s') ?? second)?.text ?? '';
  const name = suffix !== '' && base.endsWith(suffix) ? base.slice(0, -suffix.length) : base;
  if (path.certainty !== 'dynamic') run.outputs({ ...path, text: `${name}\n` });
}

function pwd(run: Run): void {
  const { cwd } = run.invocation;
  if (cwd !== null) run.outputs(exactWord(`${cwd}\n`));
}

function realpath(run: Run): void {
  const words = argumentsOf(run.invocation).filter(({ text }) => !text.startsWith('-'));
  for (const path of words) run.list(path);
  const [only] = words;
  const { cwd } = run.invocation;
  if (!only || words.length > 1 || only.certainty !== 'exact' || cwd === null) return;
  const path = only.text.startsWith('/') ? only.text : `${cwd}/${only.text}`;
  run.outputs(exactWord(`${run.facts.realPath(path)}\n`));
}

/** Programs whose output is worked out, since it becomes words or code of others. */
export const outputting: readonly ProgramEntry[] = [
  ...rows('echo|gecho', echo),
  ...rows('printf|gprintf', printf),
  ...rows('print', echo),
  ...rows('seq|gseq', seq),
  ...rows('date|gdate', date),
  ...rows('basename|gbasename dirname|gdirname', nameParts),
  ...rows('pwd|gpwd', pwd),
  ...rows('realpath|grealpath readlink|greadlink', realpath),
];
