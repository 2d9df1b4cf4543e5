import type { Word } from '../../../effect.js';
import type { Input, ProgramEntry, Run } from '../../run.js';
import { exactWord } from '../../word.js';
import { argumentsOf, rows } from '../helpers.js';
import { parseOptions, type OptionSpec } from '../options.js';

/** More words than this are not followed one by one. */
const MAX_WORDS = 200;

/** Source: GNU findutils 4.10 and BSD. */
const XARGS: OptionSpec = {
  flags:
    '-0|--null -o|--open-tty -p|--interactive -r|--no-run-if-empty -t|--verbose -x|--exit --show-limits --help --version',
  values:
    '-a|--arg-file -d|--delimiter -E -I -J -L|--max-lines -n|--max-args -P|--max-procs -R -s|--max-chars -S --process-slot-var',
  optional: '-e|--eof -i|--replace -l',
  stopsAtOperand: true,
};

/** What cannot be known: `$_` is read as such again where the word becomes part of code. */
const UNKNOWN: Word = { text: '$_', raw: 'words of its input', certainty: 'dynamic', quoted: true };

/** The words that come in by standard input or out of a file: exact ones where they are known, a pattern where they come from `find`. */
function incoming(run: Run, separator: RegExp, file: Word | null): readonly Word[] {
  const input = file === null ? inputOf(run) : inFile(run, file);
  if (input.type !== 'text' || input.certainty === 'dynamic') return [UNKNOWN];
  if (input.certainty === 'pattern')
    return [{ text: input.text.trim(), raw: input.text.trim(), certainty: 'pattern', quoted: true }];
  const texts = input.text.split(separator).filter((text) => text !== '');
  if (texts.length > MAX_WORDS) return [UNKNOWN];
  return texts.map((text) => exactWord(text.replace(/^(["'])(.*)\1$/s, '$2')));
}

function inputOf(run: Run): Input {
  const { input } = run.invocation;
  return input.type === 'file' ? inFile(run, input.path) : input;
}

/** What stands in a file, as this line has left it. */
function inFile(run: Run, path: Word): Input {
  const text = run.textOf(path);
  return text === null ? { type: 'file', path } : { type: 'text', text, certainty: 'exact' };
}

function xargs(run: Run): void {
  const parsed = parseOptions(XARGS, argumentsOf(run.invocation));
  if (parsed.has('--help', '--version')) return;
  for (const word of parsed.unknown) run.unknown(`option ${word.text} of xargs`);
  const file = parsed.value('-a');
  if (file) run.read(file);
  const replaced =
    parsed.value('-I')?.text ?? (parsed.has('-i') ? (parsed.value('-i')?.text ?? '{}') : parsed.value('-J')?.text);
  const delimiter = parsed.value('-d')?.text;
  const isByLine = replaced !== undefined || parsed.has('-L');
  const separator = parsed.has('-0') ? /\0|\n/ : delimiter === undefined ? (isByLine ? /\n/ : /\s+/) : /[\n,:;|]/;
  const words = delimiter !== undefined && !/^(\\n|\n)$/.test(delimiter) ? [UNKNOWN] : incoming(run, separator, file);
  const argv = parsed.operands.length > 0 ? parsed.operands : [exactWord('echo')];
  const input = { type: 'none' } as const;
  const isPlaced = replaced !== undefined && argv.some(({ text }) => text.includes(replaced));
  // Implementations differ on a mark that stands nowhere: some put the words behind the command all the same.
  if (!isPlaced) run.carry([...argv, ...words], { input });
  if (!isPlaced && isBareShell(argv)) {
    const line = words.map(({ text }) => text).join(' ');
    run.code('sh', { text: line, raw: line, certainty: words.includes(UNKNOWN) ? 'dynamic' : 'exact', quoted: true });
  }
  if (replaced !== undefined && isPlaced)
    for (const word of words.slice(0, 60))
      run.carry(
        argv.map((part) => put(part, replaced, word)),
        { input },
      );
}

/** `xargs sh -c`: the words that come in are the code. */
const isBareShell = (argv: readonly Word[]): boolean =>
  argv.length === 2 && /(^|\/)(ba|da|z|k)?sh$/.test(argv[0]?.text ?? '') && /^-\w*c$/.test(argv[1]?.text ?? '');

/** Puts a word in place of a mark. */
function put(part: Word, mark: string, word: Word): Word {
  if (mark === '' || !part.text.includes(mark)) return part;
  if (part.text === mark) return word;
  const isCode = /\s/.test(part.text);
  const whole = word.certainty === 'exact' ? word.text : isCode || word.certainty === 'dynamic' ? '$_' : word.text;
  const inner = word.certainty === 'pattern' && !isCode ? withoutFolder(whole, part.text.split(mark)[0] ?? '') : whole;
  const certainty = word.certainty === 'exact' ? part.certainty : isCode ? 'dynamic' : word.certainty;
  return { ...part, text: part.text.replaceAll(mark, inner), certainty };
}

/** `ls notes | xargs -I{} rm notes/{}`: names that are said with their folder, where the command says it once more. */
function withoutFolder(glob: string, before: string): string {
  const folder = /^(?:[^*?[\\{]*\/)?/.exec(glob)?.[0] ?? '';
  return folder !== '' && before.endsWith(folder) ? glob.slice(folder.length) : glob;
}

const MARK = /\{[^{}\s]*\}/;
const MARKS = /\{[^{}\s]*\}/g;
const quotedWord = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** GNU parallel: a command line with `{}`, and its arguments after `:::`, in files after `::::`, or on standard input. */
function parallel(run: Run): void {
  const words = argumentsOf(run.invocation);
  const marks = words.findIndex(({ text }) => /^:::[:+]?/.test(text));
  const parsed = parseOptions(
    {
      flags:
        '-0|--null -k|--keep-order -q|--quote -v|--verbose -X -m -t --bar --dry-run --dryrun --eta --group -u|--ungroup --line-buffer|--lb --no-notice --will-cite --halt-on-error --progress --resume --resume-failed --tag -r --no-run-if-empty --pipe --pipepart --xapply --link --semaphore --fg --wait -h --help --version',
      values:
        '-j|--jobs|-P -n|--max-args -N -L -d|--delimiter -C|--colsep -I -a|--arg-file -S|--sshlogin --sshloginfile --halt --joblog --results --timeout --retries --delay --load --memfree --nice --tmpdir --workdir|--wd --shellquote --tagstring --block --recstart --recend --basefile --return --env --trc --header -s',
      stopsAtOperand: true,
    },
    marks < 0 ? words : words.slice(0, marks),
  );
  if (parsed.has('--dry-run', '--dryrun', '--help', '--version', '-h')) return;
  const host = parsed.value('-S');
  if (host) run.network(host, { traits: ['outward'] });
  for (const file of parsed.values('-a')) run.read(file);
  const given =
    marks < 0
      ? incoming(run, /\n/, parsed.value('-a'))
      : words.slice(marks + 1).filter(({ text }) => !text.startsWith(':::'));
  const isFromFiles = words[marks]?.text.startsWith('::::') === true;
  if (isFromFiles) for (const file of given) run.read(file);
  const values = isFromFiles || given.length > MAX_WORDS ? [UNKNOWN] : given;
  const line = parsed.operands.map(({ text }) => text).join(' ');
  const hasMark = MARK.test(line);
  const isGrouped = parsed.operands.some(({ text }) => /\s/.test(text));
  for (const value of values.slice(0, 60)) {
    const isKnown = value.certainty === 'exact';
    // Behind a command an argument is one word; alone it is the command line itself.
    const inner = !isKnown
      ? '$_'
      : line === '' || !/[^\w./:=@%+-]/.test(value.text)
        ? value.text
        : quotedWord(value.text);
    const text = line === '' ? inner : hasMark ? line.replace(MARKS, () => inner) : `${line} ${inner}`;
    run.code('bash', { text, raw: text, certainty: isKnown ? 'exact' : 'dynamic', quoted: true });
    // The words are joined to one line, but versions and -q keep them apart: both readings count.
    if (isGrouped) {
      const filled = parsed.operands.map((word) => ({
        ...word,
        text: word.text.replace(MARKS, () => (isKnown ? value.text : '$_')),
      }));
      run.carry(hasMark ? filled : [...filled, value], { input: { type: 'none' } });
    }
  }
}

/** Programs that run another one on words of their input. */
export const feeding: readonly ProgramEntry[] = [...rows('xargs|gxargs', xargs), ...rows('parallel|sem', parallel)];
