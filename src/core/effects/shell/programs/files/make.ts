import type { Word } from '../../../effect.js';
import type { ProgramEntry, Run } from '../../run.js';
import { escapeGlob, exactWord, patternWord } from '../../word.js';
import { argumentsOf, remote, rows, traitsWhere } from '../helpers.js';
import { parseOptions } from '../options.js';

// Source: GNU coreutils 9.5.

function mkdir(run: Run): void {
  const parsed = parseOptions(
    {
      flags: '-p|--parents -v|--verbose -Z --help --version',
      values: '-m|--mode',
      optional: '--context',
      abbreviates: true,
    },
    argumentsOf(run.invocation),
  );
  const isOpen = /^[0-7]?[0-7]?[0-7][2367]$|[oa]\+\w*w|^a?=\w*w/.test(parsed.value('-m')?.text ?? '');
  for (const path of parsed.operands)
    run.write(path, {
      content: 'kept',
      makes: parsed.has('-p') ? 'folder' : 'new folder',
      traits: traitsWhere({ 'grants-access': isOpen }),
    });
  run.outputs(exactWord(''));
}

/** `touch` makes a file or changes its times; content stays. */
function touch(run: Run): void {
  const parsed = parseOptions(
    {
      flags: '-a -c|--no-create -f -h|--no-dereference -m --help --version',
      values: '-d|--date -r|--reference -t --time',
      abbreviates: true,
    },
    argumentsOf(run.invocation),
  );
  for (const path of parsed.operands) run.write(path, { content: 'kept' });
  run.outputs(exactWord(''));
}

function truncate(run: Run): void {
  const parsed = parseOptions(
    { flags: '-c|--no-create -o|--io-blocks --help --version', values: '-r|--reference -s|--size', abbreviates: true },
    argumentsOf(run.invocation),
  );
  const isGrowing = /^[+>]/.test(parsed.value('-s')?.text ?? '');
  for (const path of parsed.operands) run.write(path, isGrowing ? { traits: ['append'] } : {});
}

function fallocate(run: Run): void {
  const parsed = parseOptions(
    {
      flags:
        '-c|--collapse-range -d|--dig-holes -i|--insert-range -n|--keep-size -p|--punch-hole -z|--zero-range -x|--posix -v|--verbose',
      values: '-l|--length -o|--offset',
    },
    argumentsOf(run.invocation),
  );
  for (const path of parsed.operands) run.write(path, parsed.has('-c', '-p', '-z') ? {} : { traits: ['append'] });
}

function mkfifo(run: Run): void {
  const parsed = parseOptions({ flags: '-Z', values: '-m|--mode', optional: '--context' }, argumentsOf(run.invocation));
  const [path] = parsed.operands;
  if (run.invocation.program === 'mknod' && path && /^[bcu]$/.test(parsed.operands[1]?.text ?? '')) {
    run.write(path, { traits: ['grants-access'], note: 'a device file' });
  } else for (const file of parsed.operands) run.write(file);
}

/** `mktemp` makes a file or folder whose name is known but for its random part. */
function mktemp(run: Run): void {
  const parsed = parseOptions(
    {
      flags: '-d|--directory -u|--dry-run -q|--quiet -t --help --version',
      values: '-p --suffix',
      optional: '--tmpdir',
      abbreviates: true,
    },
    argumentsOf(run.invocation),
  );
  if (parsed.has('--help', '--version')) return;
  const path = temporaryName(
    run,
    parsed.operands[0],
    parsed.value('-p') ?? parsed.value('--tmpdir'),
    parsed.has('-p', '--tmpdir', '-t'),
  );
  if (!parsed.has('-u')) run.write(path, { traits: ['create'] });
  run.outputs(path);
}

function temporaryName(run: Run, template: Word | undefined, folder: Word | null, isInFolder: boolean): Word {
  const base = folder?.text ?? run.facts.environment('TMPDIR') ?? run.facts.temporary[0] ?? '/tmp';
  if (folder && folder.certainty !== 'exact') return folder;
  if (!template) return patternWord(`${escapeGlob(base)}/tmp.*`);
  if (template.certainty === 'dynamic') return template;
  const name = escapeGlob(template.text).replace(/X{3,}(?!.*X{3,})/, '*');
  const pattern = /[*]/.test(name) ? name : `${name}*`;
  return patternWord(isInFolder && !name.startsWith('/') ? `${escapeGlob(base)}/${pattern}` : pattern);
}

/** `dd`: operands are `key=value`. Writing to a device replaces what is on it. */
function dd(run: Run): void {
  for (const word of argumentsOf(run.invocation)) {
    const [, key, value = ''] = /^(\w+)=(.*)$/s.exec(word.text) ?? [];
    const path: Word = { ...word, text: value };
    if (key === 'if') run.read(path);
    else if (key === 'of') {
      const isDevice = /^\/dev\/(?!null$|zero$|std|fd\/|tty$)/.test(value);
      run.write(
        path,
        isDevice
          ? { traits: ['overwrite', 'catastrophic'], reversible: 'no', note: 'all that is on the device is lost' }
          : {},
      );
    }
  }
}

/** Another program of the same name, the command line of a service for feature flags: `split splits delete x`. */
const isFeatureFlags = (words: readonly Word[]): boolean =>
  /^(?:splits?|segments?|environments?|workspaces?|traffic-types?|feature-flags?|apikeys?|users?|groups?)$/.test(
    words[0]?.text ?? '',
  ) && /^(?:delete|kill|remove|list|get|view|create|update|restore|archive|unarchive|ramp)$/.test(words[1]?.text ?? '');

/** `split big part-` writes many files whose names begin alike. */
function split(run: Run): void {
  if (isFeatureFlags(argumentsOf(run.invocation))) {
    const [what, verb] = argumentsOf(run.invocation).map(({ text }) => text);
    const op = /^(?:delete|kill|remove)$/.test(verb ?? '')
      ? 'delete'
      : /^(?:list|get|view)$/.test(verb ?? '')
        ? 'read'
        : 'write';
    remote(run, op, 'split', exactWord(`${what ?? ''} ${verb ?? ''}`));
    return;
  }
  const parsed = parseOptions(
    {
      flags: '-d -e|--elide-empty-files -u|--unbuffered -x -k|--keep-files -s|--quiet -z --verbose --help --version',
      values:
        '-a|--suffix-length -b|--bytes -C|--line-bytes -l|--lines -n|--number -t|--separator --additional-suffix --filter -f|--prefix',
      optional: '--numeric-suffixes --hex-suffixes',
      abbreviates: true,
      numeric: true,
    },
    argumentsOf(run.invocation),
  );
  const filter = parsed.value('--filter');
  if (filter) run.code('sh', filter);
  const [source, prefix] = parsed.operands;
  if (source && source.text !== '-') run.read(source);
  const isContextual = run.invocation.program === 'csplit';
  const start = (isContextual ? parsed.value('-f') : prefix) ?? exactWord(isContextual ? 'xx' : 'x');
  if (!filter)
    run.write(start.certainty === 'exact' ? patternWord(`${escapeGlob(start.text)}*`) : start, { traits: ['create'] });
}

/** Programs that make or empty files and folders. */
export const making: readonly ProgramEntry[] = [
  ...rows('mkdir|gmkdir', mkdir),
  ...rows('touch|gtouch', touch),
  ...rows('truncate|gtruncate', truncate),
  ...rows('fallocate', fallocate),
  ...rows('mkfifo mknod', mkfifo),
  ...rows('mktemp|gmktemp tempfile', mktemp),
  ...rows('dd|gdd dcfldd dc3dd', dd),
  ...rows('split|gsplit csplit', split),
];
