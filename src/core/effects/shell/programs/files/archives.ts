import type { Word } from '../../../effect.js';
import { canonicalPath, isAbsolute, isWithin } from '../../../paths.js';
import type { ProgramEntry, Run } from '../../run.js';
import { exactWord } from '../../word.js';
import { argumentsOf, HERE, inFolder, rows, runsThroughOption, variableOf, withText } from '../helpers.js';
import { parseOptions, type OptionSpec, type ParsedOptions } from '../options.js';
import { isStandardInput } from './filters.js';
import { sparesOf } from './spares.js';

/** Source: GNU tar 1.35 and bsdtar 3.7. */
const TAR: OptionSpec = {
  flags:
    '-c|--create -x|--extract|--get -t|--list -r|--append -u|--update -A|--catenate|--concatenate -d|--diff|--compare --delete --test-label -z|--gzip|--gunzip|--ungzip -j|--bzip2 -J|--xz --lzip --lzma --lzop --zstd -Z|--compress -a|--auto-compress -v|--verbose -p|--preserve-permissions|--same-permissions -P|--absolute-names -k|--keep-old-files --keep-newer-files --overwrite --overwrite-dir --skip-old-files --unlink-first|-U --recursive-unlink --remove-files -O|--to-stdout -h|--dereference -l -m|--touch -n -o|--no-same-owner -s -S|--sparse -w|--interactive|--confirmation -W|--verify -i|--ignore-zeros -B -R -G -M|--multi-volume --anchored --no-anchored --wildcards --no-wildcards --no-recursion --recursion --numeric-owner --same-owner --no-same-permissions --exclude-vcs --exclude-vcs-ignores --exclude-caches --exclude-backups --one-file-system --null --no-null --totals --acls --selinux --xattrs --force-local --check-links --utc --full-time --show-transformed-names --no-auto-compress --no-overwrite-dir --help --version --usage --disable-copyfile --no-mac-metadata --no-xattrs --block-number --delay-directory-restore --no-unquote --unquote --verbatim-files-from --warning -q --fflags --insecure --numeric-owner --posix --old-archive --portability',
  values:
    '-f|--file -C|--directory -T|--files-from -X|--exclude-from --exclude --include --exclude-tag --checkpoint-action --to-command -I|--use-compress-program --rsh-command --rmt-command -F|--info-script|--new-volume-script --transform|--xform --owner --group --mode --mtime -b|--blocking-factor -H|--format -K|--starting-file -L|--tape-length -N|--newer|--after-date --newer-mtime -V|--label -g|--listed-incremental --strip-components|--strip --suffix --record-size --sort --volno-file --index-file --level --pax-option --quoting-style --uid --gid --uname --gname --options --passphrase --clamp-mtime',
  optional: '--checkpoint --backup --hole-detection --totals --occurrence --atime-preserve',
  abbreviates: true,
};

/** `tar czf x y`: the first word without a dash holds options, and their values follow in order. */
function modern(words: readonly Word[]): readonly Word[] {
  const [first, ...rest] = words;
  if (!first || first.text.startsWith('-') || !/^[A-Za-z]+$/.test(first.text) || !/[cxtruAd]/.test(first.text))
    return words;
  const options: Word[] = [];
  let at = 0;
  for (const letter of first.text) {
    options.push(exactWord(`-${letter}`));
    const value = /[fCTXIFbHKLNVg]/.test(letter) ? rest[at] : undefined;
    if (value) {
      options.push(value);
      at += 1;
    }
  }
  return [...options, ...rest.slice(at)];
}

/** GNU tar reads more options from a variable, before its own words. Source: GNU tar 1.35, "TAR_OPTIONS". */
function optionsOfVariable(run: Run): readonly Word[] {
  const value = variableOf(run, 'TAR_OPTIONS');
  if (!value || value.text === '') return [];
  if (value.certainty === 'dynamic') run.unknown('options of tar in TAR_OPTIONS that cannot be known');
  return value.text
    .split(/\s+/)
    .filter((text) => text !== '')
    .map((text) => ({ ...value, text: text.replace(/\\(.)/g, '$1'), raw: text }));
}

function tar(run: Run): void {
  const added = optionsOfVariable(run);
  const words = argumentsOf(run.invocation);
  const parsed = parseOptions(TAR, added.length > 0 ? [...added, ...words] : modern(words));
  if (added.length > 0)
    run.emit(
      'execute',
      { type: 'process', process: 'tar' },
      { traits: ['covert'], note: `TAR_OPTIONS adds ${added.map(({ raw }) => raw).join(' ')}` },
    );
  if (parsed.has('--help', '--version', '--usage')) return;
  for (const word of parsed.unknown) run.unknown(`option ${word.text} of tar`);
  tarPrograms(run, parsed);
  for (const option of ['-T', '-X'])
    for (const file of parsed.values(option)) if (!isStandardInput(file)) run.read(file);
  const archive = parsed.value('-f');
  const isFile = archive !== null && !isStandardInput(archive);
  // `host:file` is on another machine.
  if (archive && /^[\w.-]+(@[\w.-]+)?:/.test(archive.text) && !parsed.has('--force-local'))
    run.network(archive, { traits: ['outward'] });
  const folder = parsed.value('-C');
  if (parsed.has('-c', '-r', '-u')) {
    for (const path of parsed.operands) {
      run.read(inFolder(folder, path), {
        traits: ['recursive'],
        spares: sparesOf(parsed.values('--exclude'), 'both', 'anywhere'),
      });
      if (parsed.has('--remove-files'))
        run.delete(inFolder(folder, path), { traits: ['recursive'], reversible: 'checkpoint' });
    }
    if (archive && isFile) run.write(archive, parsed.has('-c') ? {} : { traits: ['append'] });
  } else if (parsed.has('-x')) {
    if (archive && isFile) run.read(archive);
    if (parsed.has('-O')) return;
    unpack(run, folder ?? HERE, {
      archive,
      keeps: parsed.has('-k', '--skip-old-files'),
      members: parsed.operands,
      note: parsed.has('-P') ? 'unpacks, absolute paths too' : 'unpacks',
    });
    if (parsed.has('-P')) run.unknown('tar -P writes wherever the archive says');
  } else if (parsed.has('--delete', '-A') && archive) run.write(archive);
  else if (archive && isFile) run.read(archive);
}

/** Programs that tar starts. */
function tarPrograms(run: Run, parsed: ParsedOptions): void {
  for (const action of parsed.values('--checkpoint-action')) {
    const command = /^exec=(.*)$/s.exec(action.text)?.[1];
    if (command !== undefined) {
      runsThroughOption(run, withText(action, command), '--checkpoint-action');
      run.code('sh', withText(action, command));
    } else if (action.certainty === 'dynamic') run.unknown(`--checkpoint-action=${action.raw} of tar`);
  }
  for (const option of ['--to-command', '-F', '--rsh-command', '--rmt-command', '-I']) {
    for (const command of parsed.values(option)) {
      runsThroughOption(run, command, option);
      run.code('sh', command);
    }
  }
}

/** How many files that an archive may replace are named. */
const MAX_AT_STAKE = 8;

/** What is unpacked, besides where: the archive itself, and how far it keeps what is there. */
interface Unpacking {
  readonly archive: Word | null;
  readonly keeps?: boolean;
  /** Only these members; none: all of them. */
  readonly members?: readonly Word[];
  readonly note?: string;
}

/**
 * Writes what an archive holds into a folder. What it holds is not known, so each file there that no commit holds is one that it may
 * replace, unless the program is told to keep what is there.
 */
function unpack(run: Run, folder: Word, { archive, keeps = false, members = [], note = 'unpacks' }: Unpacking): void {
  run.write(folder, { content: 'kept', makes: 'folder', traits: ['mass'], note });
  const { facts, invocation } = run;
  if (keeps || folder.certainty !== 'exact' || (invocation.cwd === null && !isAbsolute(folder.text, facts.platform)))
    return;
  const at = (path: string): string => canonicalPath(path, invocation.cwd ?? '/', facts, 'follow');
  const target = at(folder.text);
  const own = archive?.certainty === 'exact' ? at(archive.text) : null;
  const chosen = members.map(({ text }) => canonicalPath(text, target, facts, 'follow'));
  const isPattern = members.some(({ text }) => /[*?[]/.test(text));
  const lost = (facts.entry(target) === 'folder' ? (facts.uncommitted(target) ?? []) : []).filter(
    (path) =>
      path !== own && (chosen.length === 0 || isPattern || chosen.some((member) => isWithin(path, member, facts))),
  );
  for (const path of lost.slice(0, MAX_AT_STAKE))
    run.write(exactWord(path), {
      traits: ['overwrite'],
      certainty: 'dynamic',
      content: 'kept',
      note: 'the archive may hold a file of that name',
    });
}

function zip(run: Run): void {
  const parsed = parseOptions(
    {
      flags:
        '-r|--recurse-paths -R -q|--quiet -v|--verbose -u|--update -f|--freshen -d|--delete -m|--move -j|--junk-paths -y|--symlinks -e|--encrypt -T|--test -9 -0 -1 -2 -3 -4 -5 -6 -7 -8 -D -X -g|--grow -l -k -o -z -c -A -F -FF -FS -h -L -@ -S -w',
      values:
        '-TT|--unzip-command -x|--exclude -i|--include -P|--password -b|--temp-path -n|--suffixes -s|--split-size -O|--output-file -t -tt --out',
    },
    argumentsOf(run.invocation),
  );
  const test = parsed.value('-TT');
  if (test) {
    runsThroughOption(run, test, '-TT');
    run.code('sh', test);
  }
  const [archive, ...paths] = parsed.operands;
  for (const path of paths) {
    run.read(path, parsed.has('-r', '-R') ? { traits: ['recursive'] } : {});
    if (parsed.has('-m')) run.delete(path, { traits: ['recursive'], reversible: 'checkpoint' });
  }
  if (archive && !isStandardInput(archive)) run.write(archive, parsed.has('-d') ? {} : { traits: ['append'] });
}

function unzip(run: Run): void {
  const parsed = parseOptions(
    { flags: '-a -b -B -C -f -j -K -l -L -M -n -o -p -q -qq -t -T -u -U -v -V -X -z -Z -:', values: '-d -x -P -I -O' },
    argumentsOf(run.invocation),
  );
  const [archive, ...members] = parsed.operands;
  if (archive) run.read(archive);
  if (parsed.has('-l', '-p', '-t', '-v', '-z', '-Z', '-T')) return;
  unpack(run, parsed.value('-d') ?? HERE, { archive: archive ?? null, keeps: parsed.has('-n'), members });
}

/** `7z a|x|l|d archive files`, `rar`, `unrar`. */
function sevenZip(run: Run): void {
  const words = argumentsOf(run.invocation);
  const [command, archive, ...paths] = words.filter(({ text }) => !/^-/.test(text));
  const output = words.find(({ text }) => /^-o./.test(text));
  if (!command || !archive) return;
  if (/^[aum]$/.test(command.text)) {
    for (const path of paths) run.read(path, { traits: ['recursive'] });
    run.write(archive, { traits: ['append'] });
    if (words.some(({ text }) => text === '-sdel') || command.text === 'm') {
      for (const path of paths) run.delete(path, { traits: ['recursive'], reversible: 'checkpoint' });
    }
  } else if (/^[xe]$/.test(command.text)) {
    run.read(archive);
    const keeps = words.some(({ text }) => /^-ao[st]$/.test(text));
    unpack(run, output ? withText(output, output.text.slice(2)) : HERE, { archive, keeps, members: paths });
  } else if (/^(d|rn)$/.test(command.text)) run.write(archive);
  else run.read(archive);
}

function cpio(run: Run): void {
  const parsed = parseOptions(
    {
      flags:
        '-o|--create -i|--extract -p|--pass-through -t|--list -d|--make-directories -m -u|--unconditional -v|--verbose -0|--null -a -A -B -c -L -l -n -s -S -b --quiet --no-absolute-filenames --absolute-filenames',
      values: '-F|--file -I -O -D|--directory -E|--pattern-file -H|--format -R|--owner -M -C --rsh-command',
    },
    argumentsOf(run.invocation),
  );
  const shell = parsed.value('--rsh-command');
  if (shell) run.code('sh', shell);
  const archive = parsed.value('-F') ?? parsed.value('-I');
  const output = parsed.value('-O');
  if (output) run.write(output);
  if (parsed.has('-o')) {
    run.read({ text: '$_', raw: 'files named on standard input', certainty: 'dynamic', quoted: true });
    if (archive) run.write(archive);
    return;
  }
  if (archive) run.read(archive);
  if (parsed.has('-t')) return;
  // Without -u it keeps what is newer.
  if (parsed.has('-i', '-p'))
    unpack(run, parsed.value('-D') ?? (parsed.has('-p') ? parsed.operands[0] : null) ?? HERE, { archive });
}

function ar(run: Run): void {
  const [operation, archive, ...files] = argumentsOf(run.invocation).filter(({ text }) => !text.startsWith('--'));
  if (!operation || !archive) return;
  if (/[rqmd]/.test(operation.text)) {
    for (const file of files) run.read(file);
    run.write(archive, { traits: ['append'] });
  } else if (operation.text.includes('x')) {
    run.read(archive);
    unpack(run, HERE, { archive, members: files });
  } else run.read(archive);
}

/** Programs that pack many files into one and unpack them. */
export const archiving: readonly ProgramEntry[] = [
  ...rows('tar|gtar|bsdtar', tar),
  ...rows('zip', zip),
  ...rows('unzip funzip unar', unzip),
  ...rows('7z|7za|7zz|7zr|p7zip rar unrar', sevenZip),
  ...rows('cpio', cpio),
  ...rows('ar|gar', ar),
];
