import { fromBase64, fromHex } from '../../../encoding.js';
import type { ProgramEntry, Run } from '../../run.js';
import { exactWord, NUMBER } from '../../word.js';
import { argumentsOf, rows } from '../helpers.js';
import { parseOptions } from '../options.js';
import { filter, isStandardInput } from './filters.js';

/** Text on standard input that is known for sure; null when it is not. */
const inputText = (run: Run): string | null => {
  const { input } = run.invocation;
  return input.type === 'text' && input.certainty === 'exact' ? input.text : null;
};

/** `base64 -d`: what comes out is worked out, since a shell may read it. */
function base64(run: Run): void {
  const parsed = parseOptions(
    {
      flags: '-d|-D|--decode -i|--ignore-garbage --help --version -h',
      values: '-w|--wrap -b|--break --input',
      abbreviates: true,
    },
    argumentsOf(run.invocation),
  );
  const files = [...parsed.operands, ...parsed.values('--input')];
  for (const path of files) if (!isStandardInput(path)) run.read(path);
  const text = inputText(run);
  if (text === null || !files.every(isStandardInput) || run.invocation.program !== 'base64') return;
  if (parsed.has('-d')) {
    const decoded = fromBase64(text.replace(/\s+/g, ''));
    if (decoded !== null) run.outputs(exactWord(decoded));
  }
}

/** `xxd in out`, `xxd -r -p`. */
function xxd(run: Run): void {
  const parsed = parseOptions(
    {
      flags: '-a -b -C -d -e -E -h -i -p|-ps|-plain|-postscript -r|-revert -u -v',
      values: '-c|-cols -g -l -n -o -s|-seek -R',
      style: 'single',
    },
    argumentsOf(run.invocation),
  );
  const [source, target] = parsed.operands;
  if (source && !isStandardInput(source)) run.read(source);
  if (target && !isStandardInput(target)) run.write(target);
  const text = inputText(run);
  if (text !== null && !source && parsed.has('-r') && parsed.has('-p')) run.outputs(exactWord(fromHex(text)));
}

function rev(run: Run): void {
  filter(run, {});
  const text = inputText(run);
  if (text !== null)
    run.outputs(
      exactWord(
        text
          .split('\n')
          .map((line) => [...line].reverse().join(''))
          .join('\n'),
      ),
    );
}

const RANGES: Readonly<Record<string, string>> = {
  '[:lower:]': 'a-z',
  '[:upper:]': 'A-Z',
  '[:digit:]': '0-9',
  '[:alpha:]': 'A-Za-z',
  '[:alnum:]': 'A-Za-z0-9',
  '[:space:]': ' \\t\\n\\v\\f\\r',
  '[:blank:]': ' \\t',
};

/** The characters of a `tr` set, in order; null when the set is not simple. */
function charactersOf(set: string): readonly string[] | null {
  const text = set
    .replace(/\[:\w+:\]/g, (name) => RANGES[name] ?? name)
    .replace(/\\([nrt\\])/g, (_all, char: string) => ({ n: '\n', r: '\r', t: '\t', '\\': '\\' })[char] ?? char)
    .replace(/\\([0-7]{1,3})/g, (_all, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
  if (/\[[:=]|\[.\*/.test(text)) return null;
  const found: string[] = [];
  const all = [...text];
  for (let at = 0; at < all.length; at += 1) {
    const first = all[at] as string;
    const last = all[at + 1] === '-' ? all[at + 2] : undefined;
    if (last === undefined) {
      found.push(first);
      continue;
    }
    for (let code = first.charCodeAt(0); code <= last.charCodeAt(0) && found.length < 1_000; code += 1) {
      found.push(String.fromCharCode(code));
    }
    at += 2;
  }
  return found;
}

/** `tr`: what comes out is worked out for plain sets, since a shell may read it. */
function tr(run: Run): void {
  const parsed = parseOptions(
    {
      flags: '-c|-C|--complement -d|--delete -s|--squeeze-repeats -t|--truncate-set1 --help --version',
      abbreviates: true,
    },
    argumentsOf(run.invocation),
  );
  const text = inputText(run);
  const [first, second] = parsed.operands;
  // What \`wc\` prints stands behind blanks on some systems, which scripts take away.
  const { input } = run.invocation;
  if (parsed.has('-d') && input.type === 'text' && input.certainty === 'pattern' && input.text === NUMBER.text)
    run.outputs(NUMBER);
  if (text === null || !first || parsed.has('-c', '-s', '-t')) return;
  const from = charactersOf(first.text);
  const to = second ? charactersOf(second.text) : [];
  if (!from || !to) return;
  if (parsed.has('-d')) run.outputs(exactWord([...text].filter((char) => !from.includes(char)).join('')));
  else {
    const last = to.at(-1);
    if (last === undefined) return;
    const mapped = [...text].map((char) => {
      const at = from.lastIndexOf(char);
      return at < 0 ? char : (to[at] ?? last);
    });
    run.outputs(exactWord(mapped.join('')));
  }
}

const SUFFIXES: Readonly<Record<string, string>> = {
  bzip2: '.bz2',
  xz: '.xz',
  zstd: '.zst',
  lz4: '.lz4',
  lzma: '.lzma',
  lzip: '.lz',
  compress: '.Z',
  brotli: '.br',
};

/** Compressors of one file replace it by its packed or unpacked self; `-c` and `-k` keep it. */
function compress(run: Run): void {
  const parsed = parseOptions(
    {
      flags:
        '-c|--stdout|--to-stdout -d|--decompress|--uncompress -f|--force -k|--keep -l|--list -n|--no-name -N|--name -q|--quiet -r|--recursive -t|--test -v|--verbose -z|--compress -h|--help -V|--version -L|--license -e|--extreme --rsyncable --synchronous --rm --ultra --long --no-progress -H --no-sparse --single-stream --fast --best',
      values:
        '-S|--suffix -T|--threads -M|--memlimit -F|--format -C|--check -o -D --files --files0 -b -p|--processes --filelist',
      optional: '--adapt --block-size',
      numeric: true,
      abbreviates: true,
    },
    argumentsOf(run.invocation),
  );
  if (parsed.has('-h', '-V')) return;
  const { program } = run.invocation;
  const isKept = parsed.has('-k', '-c', '-l', '-t') || (/zstd|lz4/.test(program) && !parsed.has('--rm'));
  const output = parsed.value('-o');
  for (const path of parsed.operands) {
    if (isStandardInput(path)) continue;
    run.read(path, parsed.has('-r') ? { traits: ['recursive'] } : {});
    if (parsed.has('-c', '-l', '-t')) continue;
    const isUnpacking = parsed.has('-d') || /^un|^gun|^bun/.test(program);
    const name = isUnpacking
      ? path.text.replace(/\.(gz|bz2|xz|zst|lz4|lzma|Z|br|lz)$/, '')
      : path.text + (SUFFIXES[program] ?? '.gz');
    const target = output ?? { ...path, text: name };
    if (isKept) run.write(target, path.certainty === 'pattern' ? { content: 'landing' } : {});
    else run.move(path, target);
  }
}

/** Programs that encode, decode, pack and unpack one stream. */
export const encoding: readonly ProgramEntry[] = [
  ...rows('base64|gbase64 base32|gbase32 basenc base58', base64),
  ...rows('xxd', xxd),
  ...rows('rev', rev),
  ...rows('tr|gtr', tr),
  ...rows(
    'gzip|pigz gunzip|unpigz bzip2|pbzip2 bunzip2 xz|pixz unxz zstd|pzstd unzstd lz4 unlz4 lzma unlzma lzip compress uncompress brotli',
    compress,
  ),
];
