import type { Spare, Word } from '../../../effect.js';
import type { Repository } from '../../../facts.js';
import { exactWord } from '../../word.js';
import { namesBelow } from '../files/names.js';
import { withText } from '../helpers.js';
import {
  absoluteOf,
  hereOf,
  parseGit,
  pathIn,
  pathOfPathspec,
  settingOf,
  type GitCommand,
  type GitCommands,
  type GitContext,
} from './context.js';
import { runCovertly } from './settings.js';

/** Options of `log`, `diff`, `show` and kin that take a value or run something; all others only shape what is shown. */
const SHOWING = {
  flags: '--ext-diff --textconv --no-index -p|--patch -u --stat --cached --staged --name-only --oneline --all',
  values:
    '--output -O --open-files-in-pager --contents -L -S -G -n --max-count --since --until --author --grep --format',
  optional: '--color --pretty -U|--unified',
};

function tellRead(git: GitContext): void {
  git.run.emit('read', { type: 'ref', remote: null, ref: 'HEAD' }, { reversible: 'yes' });
}

/** `rev:path` names a file in a commit, `:path` and `:0:path` one in the index; reading it there is reading it. Source: gitrevisions(7). */
function readBlob(git: GitContext, word: Word): void {
  const stage = /^:(?:[0-3]:)?(?=[^/(!^:])/.exec(word.text)?.[0];
  const at = stage === undefined ? word.text.indexOf(':') : stage.length - 1;
  const path = word.text.slice(at + 1);
  if ((at > 0 || stage !== undefined) && path !== '' && !path.startsWith('/') && word.certainty !== 'dynamic') {
    const base = path.startsWith('.') ? null : git.repository?.root;
    git.run.read(base ? withText(word, `${base}/${path}`) : pathIn(git, withText(word, path)));
  }
}

const show: GitCommand = (git) => {
  const parsed = parseGit(git, SHOWING);
  tellRead(git);
  if (parsed.has('--ext-diff')) runDriver(git, 'diff.external', 'external diff');
  if (parsed.has('--textconv') && !git.repository) runDriver(git, null, 'text conversion');
  const output = parsed.value('--output');
  if (output) git.run.write(pathIn(git, output));
  const pager =
    git.name === 'grep'
      ? parsed.options.find(({ name }) => name === '-O' || name === '--open-files-in-pager')
      : undefined;
  if (pager?.value) {
    runCovertly(git.run, pager.value, 'git grep opens what it finds with a command');
    git.run.code('sh', pager.value);
  } else if (git.name !== 'grep' && parsed.value('-O')) git.run.read(pathIn(git, parsed.value('-O') as Word));
  const contents = parsed.value('--contents');
  if (contents) git.run.read(pathIn(git, contents));
  if (git.name === 'grep') grepBelow(git, parsed);
  if (/^diff(?:-index|-files)?$/.test(git.name) && parsed.has('--name-only')) git.run.outputs(trackedNames(git, []));
  parsed.operands.forEach((word, index) => {
    if (parsed.has('--no-index') && git.name === 'diff') git.run.read(pathIn(git, word));
    else if (index < parsed.operandsBeforeDashes || !parsed.hasDashes) readBlob(git, word);
    else {
      const path = pathOfPathspec(git, word);
      if (path) git.run.read(path);
    }
  });
};

/** `git grep` reads what git tracks below the folder, so a secret that it ignores is left out. */
function grepBelow(git: GitContext, parsed: ReturnType<typeof parseGit>): void {
  if (parsed.hasDashes && parsed.operands.length > parsed.operandsBeforeDashes) return; // its paths are read one by one
  if (parsed.has('--no-index')) git.run.read(hereOf(git), { traits: ['recursive'] });
  else git.run.read(hereOf(git), { traits: ['below'], spares: untrackedSecrets(git) });
}

function untrackedSecrets(git: GitContext): readonly Spare[] {
  const folder = absoluteOf(git, hereOf(git));
  if (folder === null) return [];
  const { facts } = git.run;
  return (facts.list(folder) ?? [])
    .filter(
      (name) => name.startsWith('.env') && !/^(tracked|modified|unknown)$/.test(facts.gitState(`${folder}/${name}`)),
    )
    .map((name) => ({ glob: name, what: 'files' }));
}

/** A driver that configuration names. Unknown configuration counts as having one. */
function runDriver(git: GitContext, key: string | null, what: string): void {
  const value = key === null ? null : settingOf(git, key);
  if (value === null && git.repository !== null) return;
  const text = value ?? what;
  runCovertly(
    git.run,
    { text, raw: text, certainty: value === null ? 'dynamic' : 'exact', quoted: true },
    `git runs ${what}`,
  );
}

const read: GitCommand = (git) => {
  tellRead(git);
};

/** `ls-files`: names of what git tracks; what it does not track is not in a commit, and stays unknown. */
const lsFiles: GitCommand = (git) => {
  const parsed = parseGit(git, {
    flags:
      '-z -t -v -f -c|--cached -d|--deleted -o|--others -i|--ignored -s|--stage -u|--unmerged -k|--killed -m|--modified --resolve-undo --eol --deduplicate --full-name --error-unmatch --exclude-standard --directory --no-empty-directory --recurse-submodules --sparse',
    values: '-x|--exclude -X|--exclude-from --exclude-per-directory --with-tree --format --abbrev',
  });
  tellRead(git);
  const isOther = parsed.has('-o', '-i', '-s', '-u', '-k', '-t', '-v', '-f', '--eol', '--format');
  if (!isOther) git.run.outputs(trackedNames(git, parsed.operands));
};

/** Names below the folder, as a pattern: of one pathspec, in which a star stands for folders too. */
function trackedNames(git: GitContext, pathspecs: readonly Word[]): Word {
  const [only, ...others] = pathspecs;
  const here = hereOf(git);
  if (!only || others.length > 0 || only.certainty === 'dynamic' || only.text.startsWith(':'))
    return namesBelow(here, [], 'passes-hidden');
  const path = pathIn(git, only);
  const at = path.text.lastIndexOf('/');
  const name = path.text.slice(at + 1);
  const folder = at < 0 ? here : withText(path, path.text.slice(0, at) || '/');
  if (/[*?[]/.test(name)) return namesBelow(folder, [exactWord(name)], 'passes-hidden');
  return /[^.]\.\w+$/.test(name) ? path : namesBelow(path, [], 'passes-hidden');
}

const blame: GitCommand = (git) => {
  const parsed = parseGit(git, SHOWING);
  tellRead(git);
  const contents = parsed.value('--contents');
  if (contents) git.run.read(pathIn(git, contents));
  const file = parsed.operands.at(-1);
  if (file) git.run.read(pathIn(git, file));
};

const catFile: GitCommand = (git) => {
  const parsed = parseGit(git, {
    flags: '-p -t -s -e --batch-all-objects --textconv --filters --follow-symlinks',
    values: '--path',
    optional: '--batch --batch-check --batch-command',
  });
  tellRead(git);
  for (const word of parsed.operands) readBlob(git, word);
};

const hashObject: GitCommand = (git) => {
  const parsed = parseGit(git, { flags: '-w --stdin --stdin-paths --no-filters --literally', values: '-t --path' });
  for (const word of parsed.operands) git.run.read(pathIn(git, word));
  if (parsed.has('-w'))
    git.run.emit('write', { type: 'ref', remote: null, ref: 'objects' }, { traits: ['create'], reversible: 'yes' });
};

const archive: GitCommand = (git) => {
  const parsed = parseGit(git, {
    flags: '-v|--verbose -l|--list --worktree-attributes',
    values: '-o|--output --format --prefix --remote --exec --add-file --mtime',
  });
  tellRead(git);
  const output = parsed.value('-o');
  if (output) git.run.write(pathIn(git, output));
  const exec = parsed.value('--exec');
  if (exec) runCovertly(git.run, exec, 'git runs it on the other side');
  const server = parsed.value('--remote');
  if (server) git.run.network(server, { method: 'GET', traits: ['download'] });
  for (const added of parsed.values('--add-file')) git.run.read(pathIn(git, added));
};

const bundle: GitCommand = (git) => {
  const [verb, ...rest] = git.words;
  tellRead(git);
  const file = rest.find(({ text }) => !text.startsWith('-') || text === '-');
  if (!file || file.text === '-') return;
  if (verb?.text === 'create') git.run.write(pathIn(git, file));
  else git.run.read(pathIn(git, file));
};

const formatPatch: GitCommand = (git) => {
  const parsed = parseGit(git, {
    flags: '--stdout -k -s',
    values: '-o|--output-directory --output -n --start-number --cover-from-description',
  });
  tellRead(git);
  if (!parsed.has('--stdout')) git.run.write(parsed.value('-o', '--output') ?? hereOf(git), { traits: ['create'] });
};

const bisect: GitCommand = (git) => {
  const [verb, ...rest] = git.words;
  if (verb?.text === 'run') {
    git.run.carry(rest);
    git.run.emit('write', { type: 'ref', remote: null, ref: 'HEAD' }, { reversible: 'yes' });
  } else if (verb && /^(log|view|visualize|help)$/.test(verb.text)) tellRead(git);
  else git.run.emit('write', { type: 'ref', remote: null, ref: 'HEAD' }, { reversible: 'yes' });
};

/** `rev-parse --show-toplevel`, `--git-path hooks`: folders that lines go to and write into, as far as the repository is known. */
const revParse: GitCommand = (git) => {
  tellRead(git);
  const words = git.words.filter(({ text }) => !/^(?:-q|--quiet|--path-format=.*|--is-.*)$/.test(text));
  const [first, second] = words;
  const answer =
    git.repository === null || words.length > 2 ? null : placeAsked(git.repository, first?.text ?? '', second);
  if (answer !== null) git.run.outputs(exactWord(`${answer}\n`));
};

function placeAsked(repository: Repository, option: string, name: Word | undefined): string | null {
  if (option === '--git-path' && name?.certainty === 'exact') return `${repository.gitFolder}/${name.text}`;
  if (option === '--abbrev-ref' && name?.text === 'HEAD') return repository.branch;
  if (name !== undefined) return null;
  if (option === '--show-toplevel') return repository.root;
  return /^--(?:absolute-)?git-(?:common-)?dir$/.test(option) && !repository.isLinkedWorktree
    ? repository.gitFolder
    : null;
}

/** Sub-commands that read. */
export const READING: GitCommands = {
  ...Object.fromEntries(
    ['log', 'diff', 'show', 'grep', 'whatchanged', 'diff-tree', 'diff-index', 'diff-files', 'range-diff'].map(
      (name) => [name, show],
    ),
  ),
  ...Object.fromEntries(
    (
      'status shortlog ls-tree rev-list describe name-rev merge-base for-each-ref show-ref show-branch cherry ' +
      'count-objects var check-ignore check-attr check-mailmap check-ref-format fsck verify-commit verify-tag verify-pack ' +
      'get-tar-commit-id column stripspace mailinfo mailsplit interpret-trailers patch-id merge-tree request-pull version help ' +
      'show-index unpack-file fmt-merge-msg diff-pairs last-modified bugreport survey blame-tree'
    )
      .split(' ')
      .map((name) => [name, read]),
  ),
  'rev-parse': revParse,
  'ls-files': lsFiles,
  blame,
  annotate: blame,
  'cat-file': catFile,
  'hash-object': hashObject,
  archive,
  bundle,
  'format-patch': formatPatch,
  bisect,
};
