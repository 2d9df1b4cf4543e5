import type { Trait, Word } from '../../../effect.js';
import { isAbsolute, joinPath } from '../../../paths.js';
import type { ProgramEntry, Run } from '../../run.js';
import { escapeGlob, exactWord, patternWord, suffixed } from '../../word.js';
import { argumentsOf, leastCertain, rows, traitsWhere } from '../helpers.js';
import { parseOptions, type OptionSpec, type ParsedOptions } from '../options.js';

/** Source: GNU coreutils 9.5; BSD and macOS where they differ. */
const MV: OptionSpec = {
  flags:
    '-b -f|--force -i|--interactive -n|--no-clobber -u -v|--verbose -T|--no-target-directory -Z|--context --strip-trailing-slashes --exchange --no-copy --debug --help --version -h',
  values: '-S|--suffix -t|--target-directory',
  optional: '--backup --update',
  abbreviates: true,
};
const CP: OptionSpec = {
  flags:
    '-a|--archive -b -d -f|--force -H -i|--interactive -L|--dereference -l|--link -n|--no-clobber -P|--no-dereference -p -R|-r|--recursive -s|--symbolic-link -T|--no-target-directory -u -v|--verbose -x|--one-file-system -Z -c -X -N --attributes-only --copy-contents --parents --remove-destination --strip-trailing-slashes --keep-directory-symlink --debug --help --version',
  values: '-S|--suffix -t|--target-directory --no-preserve',
  optional: '--backup --preserve --reflink --sparse --update --context',
  abbreviates: true,
};
const INSTALL: OptionSpec = {
  flags:
    '-b -c -C|--compare -d|--directory -D -p|--preserve-timestamps -s|--strip -T|--no-target-directory -v|--verbose -Z --help --version',
  values: '-g|--group -m|--mode -o|--owner -S|--suffix -t|--target-directory --strip-program',
  optional: '--backup --context',
  abbreviates: true,
};
const LN: OptionSpec = {
  flags:
    '-b -d|-F|--directory -f|--force -i|--interactive -L|--logical -n|--no-dereference -P|--physical -r|--relative -s|--symbolic -T|--no-target-directory -v|--verbose -h --help --version',
  values: '-S|--suffix -t|--target-directory',
  optional: '--backup',
  abbreviates: true,
};

interface Ends {
  readonly sources: readonly Word[];
  readonly target: Word;
  readonly isFolder: boolean;
}

/** Sources and the one target of a transfer; null where the line names too little. */
function endsOf(parsed: ParsedOptions): Ends | null {
  const named = parsed.value('-t');
  if (named) return { sources: parsed.operands, target: named, isFolder: true };
  const sources = parsed.operands.slice(0, -1);
  const target = parsed.operands.at(-1);
  if (!target || sources.length === 0) return null;
  return { sources, target, isFolder: sources.length > 1 };
}

/** Where one source lands: the target itself, or a name in it when it is a folder. */
function landing(run: Run, source: Word, target: Word, isFolder: boolean, parsed: ParsedOptions): Word {
  const last = source.text.replace(/\/+$/, '').split('/').at(-1) ?? '';
  const isInto = !parsed.has('-T') && (isFolder || source.certainty === 'pattern' || isKnownFolder(run, target));
  if (!isInto) return target;
  if (last === '' || last === '.' || last === '..') return target;
  const base = target.text.replace(/\/+$/, '');
  return {
    text: `${base}/${last}`,
    raw: `${target.raw}/${last}`,
    certainty: leastCertain(source.certainty, target.certainty),
    quoted: true,
  };
}

function isKnownFolder(run: Run, target: Word): boolean {
  if (target.certainty !== 'exact') return false;
  if (/(^|\/)(\.{0,2})$/.test(target.text)) return true;
  const { cwd } = run.invocation;
  if (cwd === null && !isAbsolute(target.text, run.facts.platform)) return false;
  const path = joinPath(cwd ?? '/', target.text, run.facts.platform);
  const entry = run.facts.entry(path);
  return entry === 'folder' || (entry === 'link' && run.facts.list(path) !== null);
}

/**
 * Where sources may land: what a glob or a search names may be a single file, which then takes the very name of a target that is not
 * known to be a folder.
 */
function landings(run: Run, source: Word, ends: Ends, parsed: ParsedOptions): readonly [Word, ...Word[]] {
  const { target, isFolder } = ends;
  const into = landing(run, source, target, isFolder, parsed);
  const mayBeFile =
    source.certainty === 'pattern' && !isFolder && target.certainty === 'exact' && !isKnownFolder(run, target);
  return mayBeFile && into !== target ? [into, target] : [into];
}

/** A backup is made or nothing is replaced: then nothing is lost at the target. */
const keepsTarget = (parsed: ParsedOptions): readonly Trait[] =>
  traitsWhere({
    create: parsed.has('-n', '-b') || (parsed.has('--backup') && parsed.value('--backup')?.text !== 'none'),
  });

function complain(run: Run, parsed: ParsedOptions): void {
  for (const word of parsed.unknown) run.unknown(`option ${word.text} of ${run.invocation.program}`);
}

function mv(run: Run): void {
  const parsed = parseOptions(MV, argumentsOf(run.invocation));
  const ends = endsOf(parsed);
  if (parsed.has('--help', '--version') || !ends) return;
  complain(run, parsed);
  const traits = [...keepsTarget(parsed), ...traitsWhere({ force: parsed.has('-f') })];
  if (ends.target.text === '/dev/null') {
    for (const source of ends.sources)
      run.delete(source, { traits: ['discards', 'recursive', ...traits], note: 'moved where nothing is kept' });
    return;
  }
  for (const source of ends.sources) {
    const [first, ...others] = landings(run, source, ends, parsed);
    run.move(source, first, { traits });
    for (const target of others) run.copy(source, target, { traits });
  }
}

function cp(run: Run): void {
  const parsed = parseOptions(CP, argumentsOf(run.invocation));
  const ends = endsOf(parsed);
  if (parsed.has('--help', '--version') || !ends) return;
  complain(run, parsed);
  const isRecursive = parsed.has('-a', '-R');
  const traits = [...keepsTarget(parsed), ...traitsWhere({ recursive: isRecursive })];
  for (const source of ends.sources)
    for (const target of landings(run, source, ends, parsed)) run.copy(source, target, { traits });
}

function install(run: Run): void {
  const parsed = parseOptions(INSTALL, argumentsOf(run.invocation));
  if (parsed.has('--help', '--version')) return;
  complain(run, parsed);
  const strip = parsed.value('--strip-program');
  if (strip && parsed.has('-s')) run.carry([strip]);
  const mode = parsed.value('-m')?.text ?? '';
  const traits = traitsWhere({ 'grants-access': /^[2467]\d{3}$|[ugoa]*\+\w*s/.test(mode) });
  if (parsed.has('-d')) {
    for (const folder of parsed.operands) run.write(folder, { traits });
    return;
  }
  const ends = endsOf(parsed);
  if (!ends) return;
  for (const source of ends.sources)
    for (const target of landings(run, source, ends, parsed)) run.copy(source, target, { traits });
}

/** A hard link makes the content readable under another name, so it is read; a symbolic one only points. */
function ln(run: Run): void {
  const parsed = parseOptions(LN, argumentsOf(run.invocation));
  if (parsed.has('--help', '--version')) return;
  complain(run, parsed);
  const ends = endsOf(parsed);
  const [only] = parsed.operands;
  const sources = ends?.sources ?? (only ? [only] : []);
  const force = traitsWhere({ force: parsed.has('-f') });
  for (const source of sources) {
    const name = exactWord(source.text.replace(/\/+$/, '').split('/').at(-1) || '.');
    const link = ends ? landing(run, source, ends.target, ends.isFolder, parsed) : name;
    if (parsed.has('-s')) run.write(link, { traits: force, note: `points to ${source.text}` });
    else run.copy(source, link, { traits: force });
    run.link(source, link);
  }
}

/** `rename 's/a/b/' files` (Perl) runs its first operand as code; `rename a b files` (util-linux) does not. */
function rename(run: Run): void {
  const parsed = parseOptions(
    {
      flags:
        '-f|--force -n|--no-act|--nono -v|--verbose -s|--symlink -l|--last -o|--no-overwrite -i|--interactive -0 -d -e -h -V',
      optional: '',
    },
    argumentsOf(run.invocation),
  );
  if (parsed.has('-n', '-h', '-V')) return;
  const [first, ...rest] = parsed.operands;
  if (!first) return;
  if (/^(s|y|tr)[^\w\s]|[$;{}]/.test(first.text)) run.code('perl', first);
  for (const file of rest) run.move(file, renamed(first, file), {});
}

/** What a file is called then: something else in the same folder, where only its name can be what is replaced. */
function renamed(expression: Word, file: Word): Word {
  const [, , pattern = '', text = '/'] =
    /^s([^\w\s])((?:[\w -]|\\\.)+\$?)\1([\w. -]*)\1[gi]*$/.exec(expression.text) ?? [];
  const folder = file.text.slice(0, file.text.lastIndexOf('/') + 1);
  const isInFolder = folder.toLowerCase().includes(pattern.replace(/\\|\$$/g, '').toLowerCase());
  const isKnown = expression.certainty === 'exact' && file.certainty !== 'dynamic' && text !== '/' && !isInFolder;
  if (!isKnown) return suffixed({ ...file, certainty: 'dynamic' }, '');
  return { ...patternWord(`${file.certainty === 'exact' ? escapeGlob(folder) : folder}*`, file.raw), quoted: true };
}

/** Programs that move, copy and link. */
export const transferring: readonly ProgramEntry[] = [
  ...rows('mv|gmv', mv),
  ...rows('cp|gcp', cp),
  ...rows('install|ginstall', install),
  ...rows('ln|gln link', ln),
  ...rows('rename|prename|file-rename', rename),
];
