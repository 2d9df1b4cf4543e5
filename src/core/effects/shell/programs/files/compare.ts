import type { Word } from '../../../effect.js';
import { joinPath } from '../../../paths.js';
import type { ProgramEntry, Run } from '../../run.js';
import { exactWord } from '../../word.js';
import { argumentsOf, HERE, inFolder, rows } from '../helpers.js';
import { parseOptions } from '../options.js';
import { isStandardInput } from './filters.js';

function diff(run: Run): void {
  const parsed = parseOptions(
    {
      values:
        '-C|--context -D|--ifdef -F|--show-function-line -I|--ignore-matching-lines -L|--label -S|--starting-file -U|--unified -W|--width -x|--exclude -X|--exclude-from --from-file --to-file --horizon-lines --tabsize --palette --line-format --old-line-format --new-line-format --unchanged-line-format --old-group-format --new-group-format --unchanged-group-format --changed-group-format -o|--output --diff-program -n|--bytes --ignore-initial',
      flags: '-r|--recursive',
      optional: '--color',
      numeric: true,
    },
    argumentsOf(run.invocation),
  );
  if (parsed.has('--help', '--version', '-v')) return;
  const program = parsed.value('--diff-program');
  if (program) run.carry([program]);
  const output = run.invocation.program === 'sdiff' ? parsed.value('-o') : null;
  if (output) run.write(output);
  for (const path of [
    ...parsed.operands,
    ...parsed.values('--from-file'),
    ...parsed.values('--to-file'),
    ...parsed.values('-X'),
  ]) {
    if (!isStandardInput(path)) run.read(path, parsed.has('-r') ? { traits: ['recursive'] } : {});
  }
}

/** Files that a patch changes, by its own headers; null when it has none. */
function targetsOf(patch: string, strip: number): readonly string[] {
  const targets = [...patch.matchAll(/^(?:\+\+\+|---|rename to) ([^\t\n]+)/gm)].map(([, path]) => (path ?? '').trim());
  const stripped = targets.filter((path) => path !== '/dev/null').map((path) => path.split('/').slice(strip).join('/'));
  return [...new Set(stripped.filter((path) => path !== ''))].slice(0, 100);
}

/** `patch` changes the files that its input names. */
function patch(run: Run): void {
  const parsed = parseOptions(
    {
      flags:
        '-b|--backup -c|--context -e|--ed -E|--remove-empty-files -f|--force -l|--ignore-whitespace -n|--normal -N|--forward -R|--reverse -s|--quiet|--silent -t|--batch -T|--set-time -u|--unified -Z|--set-utc --binary --dry-run --verbose --posix --backup-if-mismatch --no-backup-if-mismatch --follow-symlinks --merge --help -v|--version',
      values:
        '-B|--prefix -d|--directory -D|--ifdef -F|--fuzz -g|--get -i|--input -o|--output -p|--strip -r|--reject-file -V|--version-control -x|--debug -Y|--basename-prefix -z|--suffix --quoting-style --read-only --reject-format',
      abbreviates: true,
    },
    argumentsOf(run.invocation),
  );
  if (parsed.has('--help', '-v')) return;
  const file = parsed.value('-i') ?? parsed.operands[1] ?? null;
  if (file && !isStandardInput(file)) run.read(file);
  if (parsed.has('--dry-run')) return;
  if (parsed.has('-e')) run.unreviewed('patch --ed hands its input to ed');
  const output = parsed.value('-o');
  const original = parsed.operands[0];
  if (output) run.write(output);
  else if (original) run.write(original, { traits: ['edit'] });
  else patchAll(run, parsed.value('-d'), Number(parsed.value('-p')?.text ?? '0'));
  if (parsed.has('-R') && !file && isFedByDiff(run)) takeBack(run, original ?? parsed.value('-d') ?? HERE);
}

/** Whether the patch is what git finds changed in the working tree. */
const isFedByDiff = (run: Run): boolean =>
  run.feeders.some(
    ({ program, argv }) => program === 'git' && argv.some(({ text }) => text === 'diff' || text === 'stash'),
  );

/** `git diff | patch -R` is `git checkout .` in other words: what changed since the commit goes. */
function takeBack(run: Run, below: Word): void {
  const { cwd } = run.invocation;
  const folder = below.certainty === 'exact' && cwd !== null ? joinPath(cwd, below.text, run.facts.platform) : null;
  const files = folder === null ? null : run.facts.uncommitted(folder);
  const changed = files?.filter((path) => run.facts.gitState(path) === 'modified') ?? null;
  const note = 'takes back what has changed since the commit';
  for (const path of changed?.slice(0, 20) ?? [])
    run.write(exactWord(path), { traits: ['overwrite', 'discards'], reversible: 'checkpoint', note });
  if (changed === null || changed.length > 20)
    run.write(below, { traits: ['overwrite', 'discards', 'recursive'], reversible: 'checkpoint', note });
}

function patchAll(run: Run, folder: Word | null, strip: number): void {
  const { input } = run.invocation;
  const targets = input.type === 'text' ? targetsOf(input.text, strip) : [];
  for (const path of targets)
    run.write(inFolder(folder, { text: path, raw: path, certainty: 'exact', quoted: true }), { traits: ['edit'] });
  if (targets.length === 0) {
    run.write(folder ?? HERE, { content: 'kept', traits: ['edit', 'mass'], note: 'the files that the patch names' });
  }
}

/** Programs that compare files and apply differences. */
export const comparing: readonly ProgramEntry[] = [
  ...rows('diff|gdiff|colordiff|delta|difft diff3|gdiff3 sdiff|gsdiff cmp|gcmp wdiff dwdiff diffstat interdiff', diff),
  ...rows('patch|gpatch', patch),
];
