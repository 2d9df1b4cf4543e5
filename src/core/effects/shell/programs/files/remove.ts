import type { ProgramEntry, Run } from '../../run.js';
import { argumentsOf, rows, traitsWhere } from '../helpers.js';
import { parseOptions, type OptionSpec } from '../options.js';

/** Source: GNU coreutils 9.5, rm(1) of FreeBSD and macOS. */
const RM: OptionSpec = {
  flags:
    '-f|--force -i -I -r|-R|--recursive -d|--dir -v|--verbose -P -W -x --one-file-system --no-preserve-root --help --version',
  optional: '--interactive --preserve-root',
  abbreviates: true,
};

function rm(run: Run): void {
  const parsed = parseOptions(RM, argumentsOf(run.invocation));
  if (parsed.has('--help', '--version')) return;
  for (const word of parsed.unknown) run.unknown(`option ${word.text} of rm`);
  const traits = traitsWhere({
    recursive: parsed.has('-r'),
    force: parsed.has('-f') || parsed.has('--no-preserve-root'),
  });
  for (const path of parsed.operands) run.delete(path, { traits });
}

/** `rmdir` takes empty folders only: nothing is lost. */
function rmdir(run: Run): void {
  const parsed = parseOptions(
    { flags: '-p|--parents -v|--verbose --ignore-fail-on-non-empty --help --version', abbreviates: true },
    argumentsOf(run.invocation),
  );
  for (const path of parsed.operands)
    run.delete(path, { reversible: 'yes', content: 'kept', note: 'only while it is empty' });
}

function unlink(run: Run): void {
  for (const path of argumentsOf(run.invocation)) if (!path.text.startsWith('--')) run.delete(path);
}

/** Overwrites so that nothing can bring it back. Sources: GNU shred(1), srm(1), wipe(1). */
function shred(run: Run): void {
  const parsed = parseOptions(
    {
      flags:
        '-f|--force -u -v|--verbose -x|--exact -z|--zero -r|-R|--recursive -q -i -l -d -D -F -k -c -p -w -a -b -C -g -s',
      values: '-n|--iterations --size --random-source',
      optional: '--remove',
      abbreviates: true,
    },
    argumentsOf(run.invocation),
  );
  const recursive = traitsWhere({ recursive: parsed.has('-r') });
  for (const path of parsed.operands) {
    run.delete(path, {
      traits: ['force', ...recursive],
      reversible: 'no',
      note: 'it is overwritten and cannot be restored',
    });
  }
}

/** Moves into the desktop's bin, from which a person can take it back. */
function trash(run: Run): void {
  const words = argumentsOf(run.invocation).filter(({ text }) => !text.startsWith('-') && text !== 'trash');
  for (const path of words) run.delete(path, { reversible: 'yes', note: 'into the trash' });
}

/** Programs that delete. */
export const removing: readonly ProgramEntry[] = [
  ...rows('rm|grm', rm),
  ...rows('rmdir|grmdir', rmdir),
  ...rows('unlink|gunlink', unlink),
  ...rows('shred|gshred srm wipe scrub', shred),
  ...rows('trash|trash-put gvfs-trash', trash),
  ...rows('rimraf del-cli', rimraf),
];

/** `npx rimraf dist`, `del-cli dist`: globs are theirs, quoted or not. */
function rimraf(run: Run): void {
  const parsed = parseOptions(
    {
      flags:
        '-v|--verbose -V -g|--glob -G|--no-glob -f|--force -D|--dot -d|--dry-run --preserve-root --no-preserve-root -i|--interactive -I -h|--help --version',
      values: '--impl --tmp --max-retries --retry-delay --backoff',
    },
    argumentsOf(run.invocation),
  );
  if (parsed.has('-h', '--version', '-d')) return;
  for (const path of parsed.operands) {
    const isGlob = path.certainty === 'exact' && /[*?{]/.test(path.text);
    run.delete(isGlob ? { ...path, certainty: 'pattern' } : path, { traits: ['recursive', 'force'] });
  }
}
