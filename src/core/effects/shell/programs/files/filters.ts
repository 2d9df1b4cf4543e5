import type { Word } from '../../../effect.js';
import type { Emission, ProgramEntry, Run } from '../../run.js';
import { exactWord, NUMBER } from '../../word.js';
import { argumentsOf, rows, runsThroughOption } from '../helpers.js';
import { parseOptions, type OptionSpec, type ParsedOptions } from '../options.js';

/**
 * Programs that read files or standard input and write to standard output. Options that change nothing outside of that are
 * listed only where they take a value; others are passed over, since they cannot matter.
 */
interface Filter extends OptionSpec {
  /** Operands before the files: `cut` has none, `jq` has its filter. */
  readonly skips?: number;
  /** Options whose value is a file that is written. */
  readonly writes?: string;
  /** Options whose value is a file that is read. */
  readonly reads?: string;
  /** Options whose value is a program that is run. */
  readonly runs?: string;
  /** Option with which it writes into the files it reads. */
  readonly inPlace?: string;
  /** Index of an operand that is written rather than read: `uniq in out`. */
  readonly outputOperand?: number;
  /** Only names and sizes are looked at. */
  readonly lists?: boolean;
  /** It gives lines of its input, all or some, as they are; with these options it changes them. */
  readonly keepsLines?: { readonly but: string };
  /** Option with which it goes into folders. */
  readonly recursive?: string;
}

/** Whether a word is standard input rather than a file. */
export const isStandardInput = (word: Word): boolean => word.text === '-' && word.certainty === 'exact';

/** Says what a filter does with the words it was given. */
export function filter(run: Run, row: Filter): ParsedOptions {
  const parsed = parseOptions(row, argumentsOf(run.invocation));
  if (parsed.has('--help', '--version')) return parsed;
  const each = (options: string | undefined, use: (word: Word) => void): void => {
    for (const option of options?.split(' ') ?? []) for (const word of parsed.values(option)) use(word);
  };
  each(row.runs, (word) => run.code('sh', word));
  each(row.reads, (word) => run.read(word));
  const isRecursive = row.recursive !== undefined && parsed.has(...row.recursive.split(' '));
  const isInPlace = row.inPlace !== undefined && parsed.has(...row.inPlace.split(' '));
  parsed.operands.slice(row.skips ?? 0).forEach((path, at) => {
    if (isStandardInput(path)) return;
    if (at === row.outputOperand) run.write(path);
    else if (row.lists) run.list(path);
    else {
      run.read(path, isRecursive ? { traits: ['recursive'] } : {});
      if (isInPlace) run.write(path, { traits: ['edit'] });
    }
  });
  // `sort -o f f` puts the lines of a file in order: they are all there still.
  const isOwn = (word: Word): boolean =>
    word.certainty === 'exact' && parsed.operands.some(({ text }) => text === word.text);
  each(row.writes, (word) => run.write(word, isOwn(word) ? { traits: ['edit'] } : {}));
  const isChosen = row.keepsLines !== undefined && !parsed.has(...row.keepsLines.but.split(' '));
  if (isChosen && parsed.operands.every(isStandardInput)) choosesFrom(run);
  return parsed;
}

/** Some of the lines that come in go out: what a glob stands for is known of them all the same. */
function choosesFrom(run: Run): void {
  const { input } = run.invocation;
  if (input.type === 'text' && input.certainty === 'pattern')
    run.outputs({ text: input.text, raw: input.text, certainty: 'pattern', quoted: true });
}

const PLAIN: Filter = {};

/** Filters by name. Sources: GNU coreutils 9.5, util-linux 2.40, less(1) 668, bat 0.24. */
const FILTERS: readonly (readonly [string, Filter])[] = [
  [
    'head|ghead tail|gtail',
    {
      values: '-n|--lines -c|--bytes -s|--sleep-interval --pid --max-unchanged-stats',
      optional: '-f|--follow',
      numeric: true,
      abbreviates: true,
      keepsLines: { but: '-c -v -f' },
    },
  ],
  ['tac|gtac', { values: '-s --separator', keepsLines: { but: '-s' } }],
  [
    'nl|gnl expand unexpand fold fmt',
    { values: '-b -d -f -h -i -l -n -s -v -w -t -g -p --separator --tabs --width --goal --body-numbering' },
  ],
  ['paste|gpaste join|gjoin', { values: '-d|--delimiters -a -e -j -o -t -v -1 -2' }],
  ['comm|gcomm', { values: '--output-delimiter' }],
  [
    'od|god hexdump hd',
    {
      values: '-A|--address-radix -j|--skip-bytes -N|--read-bytes -S|--strings -t|--format -w|--width -e -f -n -s',
      reads: '-f',
    },
  ],
  ['strings', { values: '-n -t -e -T --bytes --radix --encoding --target -o' }],
  [
    'cksum sum b2sum|gb2sum md5sum|gmd5sum sha1sum|gsha1sum sha224sum sha256sum|gsha256sum sha384sum sha512sum|gsha512sum shasum md5',
    { values: '-a|--algorithm -l|--length -s' },
  ],
  [
    'column',
    {
      values:
        '-c|--output-width -C -d -E -H -l -N -n -o|--output-separator -O -p -r -R -s|--separator -T -W --table-columns --table-name',
    },
  ],
  [
    'pr tsort numfmt',
    { values: '-D -h -l -n -o -s -w -W --field --format --from --to --header --padding --suffix --unit-separator' },
  ],
  [
    'shuf|gshuf',
    {
      values: '-i|--input-range -n|--head-count -o|--output --random-source',
      writes: '-o',
      keepsLines: { but: '-i -e' },
    },
  ],
  [
    'uniq|guniq',
    {
      values: '-f|--skip-fields -s|--skip-chars -w|--check-chars',
      optional: '--group --all-repeated',
      outputOperand: 1,
      numeric: true,
      keepsLines: { but: '-c' },
    },
  ],
  ['look', { skips: 1, values: '-t' }],
  ['iconv', { values: '-f|--from-code -t|--to-code -o|--output --byte-subst', writes: '-o' }],
  ['more most pg zless zmore', PLAIN],
  ['zcat gzcat bzcat xzcat zstdcat lzcat', PLAIN],
  ['zgrep zegrep bzgrep xzgrep', { skips: 1 }],
  ['lolcat ccat pygmentize glow mdcat highlight', { values: '-l -f -O -o -s -w', writes: '-o' }],
  ['nm objdump readelf size ldd otool addr2line c++filt', { values: '-e -j -m -M -l -S', reads: '-e' }],
  [
    'file',
    { lists: true, values: '-e|--exclude -F|--separator -m|--magic-file -f|--files-from -P|--parameter', reads: '-f' },
  ],
  [
    'tokei cloc scc loc sloccount',
    {
      lists: true,
      values:
        '-e|--exclude -o|--output -t|--type -s|--sort --exclude-dir --include-lang --exclude-lang --by-file-by-lang --out --report-file',
      writes: '--out --report-file',
    },
  ],
  [
    'xmllint',
    {
      flags: '--noout --format --html --xinclude --valid --noent',
      values: '--xpath --schema --dtdvalid --relaxng --encode -o|--output',
      writes: '-o',
      reads: '--schema --dtdvalid --relaxng',
    },
  ],
  ['xmlstarlet xidel htmlq pup', { skips: 1, values: '-t -m -v -e -s -o' }],
  [
    'csvcut csvgrep csvlook csvstat csvsort csvjson csvjoin mlr xsv qsv miller',
    { values: '-c|--columns -m|--match -r -d|--delimiter -s -k' },
  ],
  ['hexyl', { values: '-n|--length -s|--skip' }],
  ['ts pv', { values: '-L -s -N -i -w' }],
  ['aspell hunspell codespell typos', { values: '-l -d -L --ignore-words -I' }],
  ['uuencode uudecode', { values: '-o', writes: '-o' }],
];

function sort(run: Run): void {
  const parsed = filter(run, {
    values:
      '-k|--key -t|--field-separator -o|--output -S|--buffer-size -T|--temporary-directory --batch-size --parallel --random-source --files0-from --sort --compress-program',
    optional: '--check',
    flags:
      '-b|--ignore-leading-blanks -d|--dictionary-order -f|--ignore-case -g -i -M -h -n -R -r|--reverse -V -c -C -m|--merge -s|--stable -u|--unique -z|--zero-terminated --debug --help --version',
    writes: '-o',
    reads: '--files0-from --random-source',
    abbreviates: true,
    keepsLines: { but: '-o -c -C' },
  });
  const compressor = parsed.options.find(({ name }) => name === '--compress-program');
  if (compressor) {
    const program = compressor.value ?? compressor.word;
    runsThroughOption(run, program, '--compress-program');
    run.carry([program]);
  }
}

/** `dos2unix`: in place, or with `-n` from the first of two files into the second. Source: dos2unix(1) 7.5. */
function lineEnds(run: Run): void {
  const parsed = parseOptions(
    {
      flags:
        '-n|--newfile -b|--keep-bom -f|--force -k|--keepdate -l|--newline -m|--add-bom -o|--oldfile -q|--quiet -r|--remove-bom -s|--safe -v|--verbose -h|--help -V|--version -F -S -R -u -ascii -iso -7',
      values: '-c|--convmode',
      optional: '-i|--info',
    },
    argumentsOf(run.invocation),
  );
  if (parsed.has('-h', '-V')) return;
  const { operands } = parsed;
  for (let at = 0; at < operands.length; at += 1) {
    const path = operands[at] as Word;
    const target = parsed.has('-n') ? operands[at + 1] : undefined;
    if (isStandardInput(path)) continue;
    if (target) {
      run.copy(path, target);
      at += 1;
    } else {
      run.read(path);
      if (!parsed.has('-i')) run.write(path, { traits: ['edit'] });
    }
  }
}

/** `objcopy`, `strip`: in place, or into another file. Source: GNU binutils 2.43. */
function binaries(run: Run): void {
  const parsed = parseOptions(
    {
      values:
        '-o -O|--output-target -I|--input-target -F|--target -B|--binary-architecture -j|--only-section -R|--remove-section -K|--keep-symbol -N|--strip-symbol -L|--localize-symbol -W|--weaken-symbol --add-section --update-section --dump-section --redefine-sym --set-section-flags --rename-section --add-gnu-debuglink --change-section-address -b --gap-fill --pad-to --set-start -output -arch -thin -extract',
      style: 'gnu',
    },
    argumentsOf(run.invocation),
  );
  if (parsed.has('--help', '--version', '-V')) return;
  const output =
    parsed.value('-o', '-output') ?? (run.invocation.program === 'objcopy' ? parsed.operands[1] : undefined);
  for (const path of parsed.operands.filter((word) => word !== output)) {
    if (output) run.copy(path, output);
    else {
      run.read(path);
      run.write(path, { traits: ['edit'] });
    }
  }
}

/** `cut`: of what \`grep -n\` finds, the first field is the number of a line. */
function cut(run: Run): void {
  const parsed = filter(run, { values: '-b|--bytes -c|--characters -d|--delimiter -f|--fields --output-delimiter' });
  const takesFirst = parsed.value('-d')?.text === ':' && parsed.value('-f')?.text === '1';
  if (takesFirst && parsed.operands.length === 0 && numbersLines(run)) run.outputs(NUMBER);
}

/** Whether what comes in are lines of one file with their numbers before them, all or some. */
function numbersLines(run: Run): boolean {
  const [first, ...rest] = run.feeders;
  if (!first || !/^(?:grep|egrep|fgrep)$/.test(first.program)) return false;
  const options = first.argv.slice(1).filter(({ text }) => text.startsWith('-'));
  const isNumbered = options.some(({ text }) => /^(?:-[a-zA-Z]*n[a-zA-Z]*|--line-number)$/.test(text));
  const hasNames = options.some(({ text }) =>
    /^(?:-[a-zA-Z]*[rRHABC]|--(?:recursive|with-filename|[a-z]*context))/.test(text),
  );
  const words = first.argv.slice(1).filter(({ text }) => !text.startsWith('-'));
  const isOneFile = words.length <= 2 && words.every(({ certainty, quoted }) => certainty === 'exact' || quoted);
  return isNumbered && !hasNames && isOneFile && rest.every(({ program }) => /^(?:head|tail|sort|uniq)$/.test(program));
}

/** `wc`: one count of what comes in is a number. */
function wc(run: Run): void {
  const parsed = filter(run, {
    flags: '-l|--lines -w|--words -c|--bytes -m|--chars -L|--max-line-length',
    reads: '--files0-from',
    values: '--files0-from --total',
  });
  if (parsed.operands.every(isStandardInput) && parsed.options.length === 1 && parsed.has('-l', '-w', '-c', '-m', '-L'))
    run.outputs(NUMBER);
}

/** `less`: it is not asked for commands when nobody sits there, but its preprocessor and `+!cmd` run all the same. */
function less(run: Run): void {
  const words = argumentsOf(run.invocation);
  for (const word of words) {
    const command = /^\+\+?!(.*)$/s.exec(word.text)?.[1];
    if (command) run.code('sh', { ...word, text: command });
  }
  for (const name of ['LESSOPEN', 'LESSCLOSE']) {
    const value = run.invocation.assignments.get(name) ?? run.terminal.variables.get(name);
    if (value && value.text !== '')
      run.code('sh', { ...value, text: value.text.replace(/^\|+-?/, '').replaceAll('%s', '') });
  }
  for (const word of words) if (!/^[-+]/.test(word.text)) run.read(word);
}

function bat(run: Run): void {
  filter(run, {
    values:
      '-l|--language -m|--map-syntax --theme --style -r|--line-range -H|--highlight-line --color --paging --pager --tabs --wrap --terminal-width --file-name -d --diff-context --italic-text --decorations --config-dir --cache-dir',
    runs: '--pager',
  });
}

/** `tee`: what comes in goes out and into each file. */
function tee(run: Run): void {
  const parsed = parseOptions(
    { flags: '-a|--append -i|--ignore-interrupts -p --help --version', optional: '--output-error', abbreviates: true },
    argumentsOf(run.invocation),
  );
  const { input } = run.invocation;
  const text: Emission =
    input.type === 'text'
      ? { text: { text: input.text, raw: input.text, certainty: input.certainty, quoted: true } }
      : {};
  const emission: Emission = parsed.has('-a') ? { ...text, traits: ['append'] } : text;
  for (const path of parsed.operands) if (!isStandardInput(path)) run.write(path, emission);
  passOn(run);
}

function sponge(run: Run): void {
  const parsed = parseOptions({ flags: '-a' }, argumentsOf(run.invocation));
  for (const path of parsed.operands) run.write(path, parsed.has('-a') ? { traits: ['append'] } : {});
}

/** Its output is its input, where that is known. */
function passOn(run: Run): void {
  const { input } = run.invocation;
  if (input.type === 'text')
    run.outputs({ text: input.text, raw: input.text, certainty: input.certainty, quoted: true });
}

function cat(run: Run): void {
  const parsed = filter(run, { flags: '-A -b -e -E -n -s -t -T -u -v --help --version' });
  if (parsed.has('-n', '-b', '-A', '-E')) return;
  if (parsed.operands.every(isStandardInput)) passOn(run);
  else if (run.invocation.output === 'pipe') joinsFiles(run, parsed.operands);
}

/** Texts of files that go on to another program, which may take them for code. Larger ones than code is are not looked at. */
function joinsFiles(run: Run, files: readonly Word[]): void {
  if (files.length > 8) return;
  const texts = files.map((file) => (isStandardInput(file) ? null : run.textOf(file)));
  if (texts.every((text) => text !== null)) run.outputs(exactWord(texts.join('')));
}

/** Programs that only read, and those that copy their input into files. */
export const filtering: readonly ProgramEntry[] = [
  ...FILTERS.flatMap(([names, row]) => rows(names, (run) => void filter(run, row))),
  ...rows('sort|gsort', sort),
  ...rows('cut|gcut', cut),
  ...rows('dos2unix unix2dos fromdos todos mac2unix unix2mac', lineEnds),
  ...rows('objcopy strip lipo', binaries),
  ...rows('wc|gwc', wc),
  ...rows('less', less),
  ...rows('bat|batcat', bat),
  ...rows('tee|gtee', tee),
  ...rows('sponge', sponge),
  ...rows('cat|gcat', cat),
];
