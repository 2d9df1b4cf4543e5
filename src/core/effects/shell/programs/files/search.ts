import type { Spare, Trait, Word } from '../../../effect.js';
import type { ProgramEntry, Run } from '../../run.js';
import { NUMBER } from '../../word.js';
import { argumentsOf, HERE, rows, runsThroughOption } from '../helpers.js';
import { parseOptions, type OptionSpec, type ParsedOptions } from '../options.js';
import { isStandardInput } from './filters.js';
import { namesBelow } from './names.js';
import { sparesOf } from './spares.js';

/** Source: GNU grep 3.11 and BSD grep. */
const GREP: OptionSpec = {
  flags:
    '-E|--extended-regexp -F|--fixed-strings -G|--basic-regexp -P|--perl-regexp -i|--ignore-case -y --no-ignore-case -v|--invert-match -w|--word-regexp -x|--line-regexp -c|--count -L|--files-without-match -l|--files-with-matches -o|--only-matching -q|--quiet|--silent -s|--no-messages -b|--byte-offset -H|--with-filename -h|--no-filename -n|--line-number -T|--initial-tab -Z|--null -z|--null-data -a|--text -I -U|--binary -u --line-buffered --no-group-separator -V|--version --help -r|--recursive -R|--dereference-recursive -p -S -O',
  values:
    '-e|--regexp -f|--file -m|--max-count -A|--after-context -B|--before-context -C|--context --label --group-separator --binary-files -D|--devices -d|--directories --exclude --exclude-from --exclude-dir --include --include-dir',
  optional: '--color|--colour',
  numeric: true,
  abbreviates: true,
};
/** Source: ripgrep 14. */
const RG: OptionSpec = {
  flags:
    '-a|--text -b|--byte-offset -c|--count --count-matches --column --crlf --debug --files -l|--files-with-matches --files-without-match -F|--fixed-strings -L|--follow -H|--with-filename -I|--no-filename --hidden -. -i|--ignore-case -v|--invert-match --json -n|--line-number -N|--no-line-number -x|--line-regexp -U|--multiline --multiline-dotall --no-config --no-ignore --no-ignore-vcs --no-ignore-dot --no-ignore-exclude --no-ignore-files --no-ignore-global --no-ignore-parent --no-ignore-messages --no-messages --no-heading --heading --no-mmap --mmap -0|--null --null-data --one-file-system -o|--only-matching --passthru|--passthrough -P|--pcre2 -p|--pretty -q|--quiet -z|--search-zip -S|--smart-case -s|--case-sensitive --stats --trim -u|--unrestricted --vimgrep -w|--word-regexp -V|--version --type-list --line-buffered --block-buffered --binary --include-zero --no-pcre2-unicode --no-unicode --auto-hybrid-regex --stop-on-nonmatch --trace --no-require-git --pcre2-version -h|--help --no-hidden --no-follow --no-column --no-context-separator --glob-case-insensitive --ignore-file-case-insensitive --max-columns-preview',
  values:
    '-e|--regexp -f|--file -A|--after-context -B|--before-context -C|--context --color --colors --context-separator -M|--max-columns -m|--max-count --max-depth|--maxdepth|-d --max-filesize --dfa-size-limit --regex-size-limit --encoding|-E --engine --field-context-separator --field-match-separator --generate -g|--glob --iglob --ignore-file -j|--threads --path-separator --pre --pre-glob -r|--replace --sort --sortr -t|--type -T|--type-not --type-add --type-clear --hostname-bin --hyperlink-format',
};
/** Source: ag 2.2, ack 3.7. */
const ACK: OptionSpec = {
  flags:
    '-a -c|--count -D -f -F -G -g -H -h -i|--ignore-case -k -l|--files-with-matches -L -n -o -Q|--literal -q -r|-R -s -S|--smart-case -t -u|--unrestricted -U -v|--invert-match -w|--word-regexp -x -z|--search-zip -0 --hidden --nocolor --nogroup --noheading --group --color --column --vimgrep --stats --follow --numbers --nonumbers --nopager --noenv --nofilter --filter',
  values:
    '-A|--after -B|--before -C|--context --depth --ignore --ignore-dir -m|--max-count --pager -p|--path-to-ignore -W|--width --type --type-add --match --output --ackrc',
};

/** Files, or the folder itself; patterns given by option leave no operand for one. */
function filesOf(parsed: ParsedOptions, patternOptions: readonly string[]): readonly Word[] {
  return parsed.has(...patternOptions) ? parsed.operands : parsed.operands.slice(1);
}

function grep(run: Run): void {
  const parsed = parseOptions(GREP, argumentsOf(run.invocation));
  if (parsed.has('--help', '-V')) return;
  for (const option of ['-f', '--exclude-from'])
    for (const file of parsed.values(option)) if (!isStandardInput(file)) run.read(file);
  const isRecursive =
    parsed.has('-r', '-R') || parsed.value('-d')?.text === 'recurse' || run.invocation.program === 'rgrep';
  const files = filesOf(parsed, ['-e', '-f']);
  const paths = files.length === 0 && isRecursive ? [HERE] : files;
  // A search that takes only files of some kinds does not take secrets along.
  const isNarrowed =
    parsed.values('--include').length > 0 && !parsed.values('--include').some(({ text }) => /^\*?$|env/.test(text));
  const spares = [
    ...sparesOf(parsed.values('--exclude'), 'files', 'anywhere'),
    ...sparesOf(parsed.values('--exclude-dir'), 'folders', 'anywhere'),
  ];
  for (const path of paths) {
    if (!isStandardInput(path))
      run.read(path, isRecursive ? { traits: [isNarrowed ? 'below' : 'recursive'], spares } : {});
  }
  const [only, ...others] = paths;
  if (others.length > 0) return;
  if (parsed.has('-l', '-L')) {
    const names = parsed.values('--include');
    if (only) run.outputs(isRecursive ? namesBelow(only, names, 'takes-hidden') : only);
  } else if (parsed.has('-c') && !isRecursive && !parsed.has('-H') && only?.certainty !== 'pattern')
    run.outputs(NUMBER);
}

/** ripgrep passes over hidden and ignored files unless it is told not to, so a search of a folder takes no `.env` along. */
function rg(run: Run): void {
  const parsed = parseOptions(RG, argumentsOf(run.invocation));
  if (parsed.has('-h', '-V', '--type-list')) return;
  for (const word of parsed.unknown) if (!word.text.startsWith('--no-')) run.unknown(`option ${word.text} of rg`);
  for (const option of ['--pre', '--hostname-bin']) {
    const program = parsed.value(option);
    if (program && program.text !== '') runsThroughOption(run, program, option);
    if (program && program.text !== '') run.carry([program, { ...HERE, certainty: 'dynamic', text: '$_' }]);
  }
  for (const option of ['-f', '--ignore-file'])
    for (const file of parsed.values(option)) if (!isStandardInput(file)) run.read(file);
  const isListing = parsed.has('--files');
  const files = isListing ? parsed.operands : filesOf(parsed, ['-e', '-f']);
  const takesAll = parsed.has('--hidden', '-.', '-u', '--no-ignore');
  const leftOut = parsed
    .values('-g', '--iglob')
    .flatMap((word) => (word.text.startsWith('!') ? [{ ...word, text: word.text.slice(1) }] : []));
  if (files.length === 0 && run.invocation.input.type !== 'none' && !isListing) return;
  for (const path of files.length === 0 ? [HERE] : files) {
    if (isListing) run.list(path, { traits: ['recursive'] });
    else if (!isStandardInput(path))
      run.read(path, reachOf(takesAll || isHiddenFolder(path), sparesOf(leftOut, 'both', 'anchored')));
  }
  const [only = HERE, ...others] = files;
  const kinds = parsed.values('-g', '--iglob').filter(({ text }) => !/^!|\//.test(text));
  if (others.length === 0 && (isListing || parsed.has('-l', '--files-without-match')))
    run.outputs(namesBelow(only, kinds, takesAll ? 'takes-hidden' : 'passes-hidden'));
}

/** A hidden folder is searched when it is named, and what lies in it is mostly not hidden again. */
const isHiddenFolder = (path: Word): boolean => /(^|\/)\.[^./][^/]*\/?$/.test(path.text);

const HIDDEN: Spare = { glob: '.*', what: 'both' };

/** How far a search reaches that passes over hidden files unless it is told not to. */
const reachOf = (
  takesAll: boolean,
  spares: readonly Spare[],
): { traits: readonly Trait[]; spares: readonly Spare[] } =>
  takesAll ? { traits: ['recursive'], spares } : { traits: ['below'], spares: [...spares, HIDDEN] };

function ack(run: Run): void {
  const parsed = parseOptions(ACK, argumentsOf(run.invocation));
  const pager = parsed.value('--pager');
  if (pager) run.code('sh', pager);
  const isListing = parsed.has('-f', '-g');
  const files = parsed.has('-f', '--match') ? parsed.operands : parsed.operands.slice(1);
  const leftOut = parsed.values('--ignore', '--ignore-dir');
  for (const path of files.length === 0 ? [HERE] : files) {
    if (isListing) run.list(path, { traits: ['recursive'] });
    else run.read(path, reachOf(parsed.has('--hidden', '-u'), sparesOf(leftOut, 'both', 'anchored')));
  }
}

/** Programs that search for text. */
export const searching: readonly ProgramEntry[] = [
  ...rows('grep|ggrep|egrep|fgrep|rgrep', grep),
  ...rows('rg|ripgrep rga|ripgrep-all', rg),
  ...rows('ag ack|ack-grep pt ugrep|ug', ack),
];
