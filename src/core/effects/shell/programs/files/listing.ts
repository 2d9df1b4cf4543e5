import type { ProgramEntry, Run } from '../../run.js';
import { joinPath } from '../../../paths.js';
import { nameMatches, withHidden } from '../../glob.js';
import { escapeGlob, exactWord, patternWord } from '../../word.js';
import { argumentsOf, HERE, rows } from '../helpers.js';
import { parseOptions, type OptionSpec } from '../options.js';

const LS: OptionSpec = {
  values:
    '-I|--ignore -T|--tabsize -w|--width --block-size --hide --indicator-style --quoting-style --sort --time --time-style --color-scale -L|--level -s --git-ignore-glob',
  optional: '--color --format --classify --hyperlink',
};

function ls(run: Run): void {
  const parsed = parseOptions(LS, argumentsOf(run.invocation));
  if (parsed.has('--help', '--version')) return;
  const isRecursive = argumentsOf(run.invocation).some(({ text }) => /^-[A-Za-z]*R|^--(recursive|tree)$/.test(text));
  const paths = parsed.operands.length > 0 ? parsed.operands : [HERE];
  for (const path of paths) run.list(path, isRecursive ? { traits: ['recursive'] } : {});
  const [only] = parsed.operands;
  const isDetailed = argumentsOf(run.invocation).some(({ text }) => /^-[A-Za-z]*[lRsih]/.test(text));
  if (isDetailed || parsed.operands.length > 1) return;
  // Names, a line each: what matches a glob, or anything in a folder.
  const names = parsed.has('-a', '-A', '--all', '--almost-all') ? withHidden('*') : '*';
  if (only?.certainty === 'pattern') run.outputs({ ...only, quoted: false });
  else if (!only) run.outputs(patternWord(names));
  // Names without their folder. Where they are not known: whoever reads or deletes them means what lies there.
  else if (only.certainty === 'exact') {
    const known = namesIn(run, only.text, names);
    if (known !== null) run.outputs(exactWord(known.map((name) => `${name}\n`).join('')));
    else if (!/[^/.]\.\w+$/.test(only.text))
      run.outputs(patternWord(`${escapeGlob(only.text).replace(/\/+$/, '')}/${names}`));
  }
}

/** More names than this are not told one by one. */
const MAX_NAMES = 60;

/** What lies in a folder, where that is known and no name is more than one word. */
function namesIn({ facts, invocation: { cwd } }: Run, folder: string, names: string): readonly string[] | null {
  if (cwd === null && !folder.startsWith('/')) return null;
  const path = joinPath(cwd ?? '/', folder, facts.platform);
  const found = facts.entry(path) === 'folder' ? facts.list(path) : null;
  const shown = found?.filter((name) => nameMatches(names, name, facts.isCaseSensitive)) ?? [];
  return found === null || shown.length > MAX_NAMES || shown.some((name) => /\s/.test(name)) ? null : [...shown].sort();
}

/** Programs that look at names, sizes and times only. */
function lister(spec: OptionSpec): (run: Run) => void {
  return (run) => {
    const parsed = parseOptions(spec, argumentsOf(run.invocation));
    const output = parsed.value('--output-file');
    if (output) run.write(output);
    for (const path of parsed.operands) run.list(path);
  };
}

function tree(run: Run): void {
  const parsed = parseOptions(
    {
      values: '-L -P -I --filelimit --charset --timefmt --gitfile --infofile -H -T -o --sort',
      flags: '-a -d -l -f -x',
    },
    argumentsOf(run.invocation),
  );
  const output = parsed.value('-o');
  if (output) run.write(output);
  for (const path of parsed.operands.length > 0 ? parsed.operands : [HERE]) run.list(path, { traits: ['recursive'] });
}

/** Programs that list. */
export const listing: readonly ProgramEntry[] = [
  ...rows('ls|gls dir|gdir vdir exa eza lsd', ls),
  ...rows('tree', tree),
  ...rows('stat|gstat', lister({ values: '-c|--format --printf -f -t' })),
  ...rows(
    'du|gdu dust',
    lister({ values: '-d|--max-depth -B|--block-size --exclude -X -t --time-style', numeric: true }),
  ),
  ...rows('df|gdf', lister({ values: '-B -t -x --output' })),
  ...rows('ncdu', lister({ values: '-o -f --exclude' })),
  ...rows('namei lsattr getfacl getfattr pathchk', lister({ values: '-n -e -d' })),
];
