import type { Word } from '../../../effect.js';
import { sensitivityOf } from '../../../sensitivePaths.js';
import { looksBuilt } from '../../../vital.js';
import { exactWord } from '../../word.js';
import { joined } from '../helpers.js';
import type { ParsedOptions } from '../options.js';
import {
  absoluteOf,
  changeRef,
  currentBranch,
  hereOf,
  parseGit,
  pathIn,
  pathOfPathspec,
  settingOf,
  type GitCommand,
  type GitCommands,
  type GitContext,
} from './context.js';
import { runHooks, skipsHooks } from './hooks.js';
import { keepAdded, keepCommitted, keepStashed } from './keeping.js';
import { discardBelow, putAsideBelow } from './stakes.js';
import { EMPTY_TREE, mergeOf, revisionsOf, swapGuard, takeUntrackedGuard, type Swap } from './swaps.js';
import { runCovertly } from './settings.js';
import { isIdle } from './underWay.js';

const pathsOf = (git: GitContext, words: readonly Word[]): readonly Word[] =>
  words.flatMap((word) => pathOfPathspec(git, word) ?? []);

/** Changes of the working tree that git refuses to make where they would lose something. */
function updateTree(git: GitContext, note: string): void {
  git.run.emit('write', { type: 'ref', remote: null, ref: 'HEAD' }, { reversible: 'yes', note });
}

const add: GitCommand = (git) => {
  const parsed = parseGit(git, {
    flags:
      '-A|--all -u|--update -f|--force -n|--dry-run -v -p|--patch -e|--edit -i|--interactive -N|--intent-to-add --refresh --ignore-errors --renormalize --sparse',
    values: '--chmod --pathspec-from-file',
  });
  for (const path of pathsOf(git, parsed.operands)) git.run.read(path);
  if (!parsed.has('-n', '-u', '-p', '-e', '-i')) takeSecrets(git, parsed);
  if (!parsed.has('-n')) changeRef(git, 'write', 'index', []);
  keepAdded(git, parsed);
};

/** Secrets that git would take into its index unnamed: what it does not ignore, or with force what it does. */
function takeSecrets(git: GitContext, parsed: ParsedOptions): void {
  const { facts } = git.run;
  const isForced = parsed.has('-f');
  const whole = git.repository === null ? hereOf(git) : exactWord(git.repository.root);
  const places = parsed.operands.length === 0 ? (parsed.has('-A') ? [whole] : []) : pathsOf(git, parsed.operands);
  for (const place of places) {
    const folder = place.certainty === 'exact' ? absoluteOf(git, place) : null;
    if (folder === null || facts.entry(folder) !== 'folder') continue;
    const hidden = (facts.list(folder) ?? []).map((name) => `${folder.replace(/\/$/, '')}/${name}`);
    const files = new Set([...(facts.uncommitted(folder) ?? []), ...hidden]);
    const taken = [...files].filter((path) => {
      if (!sensitivityOf(path, facts).isSecret) return false;
      const state = facts.gitState(path);
      return state === 'untracked' || (isForced && state === 'ignored');
    });
    for (const path of taken.slice(0, 8)) git.run.read(exactWord(path), { note: 'git takes it into its index' });
  }
}

const COMMIT = {
  flags:
    '-a|--all -p|--patch --amend --no-edit -e|--edit -n|--no-verify -q -v -s|--signoff --allow-empty --allow-empty-message --dry-run --reset-author -i|--include -o|--only --short --porcelain --long -z --status --branch',
  values:
    '-m|--message -F|--file -t|--template -C|--reuse-message -c|--reedit-message --fixup --squash --author --date --trailer --cleanup --pathspec-from-file',
  optional: '-S|--gpg-sign -u|--untracked-files',
};

const commit: GitCommand = (git) => {
  const parsed = parseGit(git, COMMIT);
  const file = parsed.value('-F') ?? parsed.value('-t');
  if (file && file.text !== '-') git.run.read(pathIn(git, file));
  if (parsed.has('--dry-run')) return;
  const isHurried = parsed.has('-n') || skipsHooks(git.run);
  const editor = !parsed.has('-m', '-F', '-C', '--no-edit', '--fixup', '--squash');
  const traits = [...(isHurried ? (['removes-check'] as const) : []), ...(editor ? (['interactive'] as const) : [])];
  if (parsed.has('--amend')) changeRef(git, 'history', currentBranch(git), traits, 'replaces the last commit');
  else changeRef(git, 'write', currentBranch(git), ['create', ...traits]);
  if (!isHurried) runHooks(git, ['pre-commit', 'prepare-commit-msg', 'commit-msg']);
  runHooks(git, ['post-commit']);
  keepCommitted(git, parsed);
};

const CHECKOUT = {
  flags:
    '-f|--force -q|--quiet -d|--detach --ours|-2 --theirs|-3 -m|--merge -p|--patch -l --guess --overlay --overwrite-ignore --ignore-skip-worktree-bits --ignore-other-worktrees --progress --pathspec-file-nul',
  values: '-b -B --orphan --conflict -U|--unified --inter-hunk-context --pathspec-from-file',
  optional: '-t|--track --recurse-submodules',
};

const checkout: GitCommand = (git) => {
  const parsed = parseGit(git, CHECKOUT);
  const before = parsed.operands.slice(0, parsed.operandsBeforeDashes);
  const after = parsed.operands.slice(parsed.operandsBeforeDashes);
  runHooks(git, ['post-checkout']);
  if (parsed.has('--pathspec-from-file')) discardBelow(git, [hereOf(git)], 'modified', 'takes files back to a commit');
  // `-tf` is `-t` with a value to git, but whoever writes it means both.
  const isForced = parsed.has('-f') || /^f/.test(parsed.value('-t')?.text ?? '');
  if (isForced) discardBelow(git, [hereOf(git)], 'modified', 'throws away uncommitted changes');
  if (parsed.has('-b', '-B', '--orphan')) {
    switchTo(git, before[0], isForced);
    const name = parsed.value('-b', '-B', '--orphan');
    changeRef(git, 'write', name ?? '', parsed.has('-B') ? ['overwrite'] : ['create']);
    return;
  }
  const paths = parsed.hasDashes ? after : pathsOfCheckout(git, before);
  const [source] = before;
  const fromCommit = paths !== before && paths.length > 0 ? source : undefined;
  if (fromCommit) takeFrom(git, fromCommit, pathsOf(git, paths));
  if (paths.length > 0) swapGuard(git, { to: [fromCommit?.text ?? ''], below: pathsOf(git, paths) });
  else switchTo(git, source, isForced);
  if (paths.length > 0) discardBelow(git, pathsOf(git, paths), 'modified', 'takes files back to a commit');
  else if (parsed.has('-p')) discardBelow(git, [hereOf(git)], 'modified', 'takes parts of files back');
  if (paths.length === 0) updateTree(git, '');
};

/** Another commit is checked out: files that differ between it and this one change, all that differ from it with force. */
function switchTo(git: GitContext, target: Word | undefined, isForced: boolean): void {
  const to = isForced && !target ? ['HEAD'] : revisionsOf(target);
  swapGuard(git, isForced ? { to } : { to, from: 'HEAD' });
}

/** Files as another commit has them: they change on a clean tree too, while those of HEAD do not. */
function takeFrom(git: GitContext, source: Word, paths: readonly Word[]): void {
  if (/^(HEAD|@)$/.test(source.text)) return;
  for (const path of paths)
    git.run.write(path, {
      traits: isPlainFile(git, path) ? ['overwrite'] : ['recursive', 'overwrite'],
      reversible: 'checkpoint',
      note: `takes files from ${source.text}`,
    });
}

function isPlainFile(git: GitContext, path: Word): boolean {
  const absolute = absoluteOf(git, path);
  return absolute !== null && git.run.facts.entry(absolute) === 'file';
}

/** Operands of `checkout` without `--`: a branch or commit first, unless the first is plainly a path. */
function pathsOfCheckout(git: GitContext, operands: readonly Word[]): readonly Word[] {
  const [first, ...rest] = operands;
  if (!first) return [];
  if (isPlainlyPath(git, first)) return operands;
  return rest;
}

/** Whether a word can only be a path: it is there, or is written as one. A branch may be named `a/b` or `v1.2`. */
function isPlainlyPath(git: GitContext, word: Word): boolean {
  if (word.certainty === 'pattern' || /^(\.|\.\.|\.{1,2}\/.*|:.*)$/.test(word.text)) return true;
  const path = absoluteOf(git, pathIn(git, word));
  const entry = path === null ? 'unknown' : git.run.facts.entry(path);
  if (entry === 'file' || entry === 'folder' || entry === 'link') return true;
  return git.repository === null && /\.[A-Za-z]\w{0,9}$/.test(word.text) && !/^v?\d/.test(word.text);
}

const switchBranch: GitCommand = (git) => {
  const parsed = parseGit(git, {
    flags: '-f|--force|--discard-changes -d|--detach -q --guess -m|--merge --ignore-other-worktrees --progress',
    values: '-c|--create -C|--force-create --orphan --conflict',
    optional: '-t|--track --recurse-submodules',
  });
  runHooks(git, ['post-checkout']);
  if (parsed.has('-f')) discardBelow(git, [hereOf(git)], 'modified', 'throws away uncommitted changes');
  const name = parsed.value('-c', '-C', '--orphan');
  switchTo(git, parsed.operands[0], parsed.has('-f'));
  if (name) changeRef(git, 'write', name, parsed.has('-C') ? ['overwrite'] : ['create']);
  else updateTree(git, '');
};

const restore: GitCommand = (git) => {
  const parsed = parseGit(git, {
    flags:
      '-S|--staged -W|--worktree -p|--patch -q --ours --theirs -m|--merge --ignore-unmerged --overlay --progress --pathspec-file-nul --ignore-skip-worktree-bits',
    values: '-s|--source --conflict --pathspec-from-file -U|--unified --inter-hunk-context',
    optional: '--recurse-submodules',
  });
  if (parsed.has('-S')) changeRef(git, 'write', 'index', []);
  if (parsed.has('-S') && !parsed.has('-W')) return;
  const paths =
    parsed.has('--pathspec-from-file') || (parsed.has('-p') && parsed.operands.length === 0)
      ? [hereOf(git)]
      : pathsOf(git, parsed.operands);
  const source = parsed.value('-s');
  swapGuard(git, { to: [source?.text ?? (parsed.has('-S') ? 'HEAD' : '')], below: paths });
  if (source) takeFrom(git, source, paths);
  discardBelow(git, paths, 'modified', 'takes files back to a commit');
};

const reset: GitCommand = (git) => {
  const parsed = parseGit(git, {
    flags: '--hard --soft --mixed --merge --keep -q -N -p|--patch --refresh --pathspec-file-nul',
    values: '--pathspec-from-file',
    optional: '--recurse-submodules',
  });
  const target = parsed.operands.slice(0, parsed.operandsBeforeDashes)[0];
  const stays = !target || /^(HEAD|@)$/.test(target.text);
  if (parsed.has('--hard', '--merge')) swapGuard(git, { to: [target?.text ?? 'HEAD'] });
  if (parsed.has('--keep')) swapGuard(git, { to: [target?.text ?? 'HEAD'], from: 'HEAD' });
  if (parsed.has('--hard', '--merge')) {
    discardBelow(git, [hereOf(git)], 'modified', 'throws away uncommitted changes');
    if (stays) changeRef(git, 'write', 'index', []);
    else changeRef(git, 'history', currentBranch(git), [], `moves the branch to ${target.text}`);
    return;
  }
  git.run.keep(null);
  changeRef(git, 'write', stays ? 'index' : currentBranch(git), stays ? [] : ['overwrite']);
};

const clean: GitCommand = (git) => {
  const parsed = parseGit(git, {
    flags: '-f|--force -d -x -X -n|--dry-run -q|--quiet -i|--interactive',
    values: '-e|--exclude',
  });
  const mustForce = !/^(false|no|off|0)$/i.test(settingOf(git, 'clean.requireforce') ?? 'true');
  if (parsed.has('-n') || (mustForce && !parsed.has('-f', '-i'))) return;
  const paths = parsed.operands.length > 0 ? pathsOf(git, parsed.operands) : [hereOf(git)];
  if (!parsed.has('-X')) discardBelow(git, paths, 'untracked', 'deletes files that git does not know');
  if (!parsed.has('-x', '-X')) return;
  for (const path of paths) {
    // Below a folder that a build makes there is only what it can make again.
    if (parsed.operands.length > 0 && isBuiltFolder(git, path)) {
      git.run.delete(path, { traits: ['recursive', 'force'] });
      continue;
    }
    git.run.delete(path, {
      traits: ['force', 'mass', 'discards'],
      certainty: 'pattern',
      note: 'deletes files that git ignores, local settings such as .env with them',
    });
  }
};

function isBuiltFolder(git: GitContext, path: Word): boolean {
  const absolute = path.certainty === 'exact' ? absoluteOf(git, path) : null;
  return absolute !== null && looksBuilt(absolute, git.run.facts);
}

/** What a stash brings: what it changed since its commit, and the files that git did not follow. */
function unstash(git: GitContext, name: Word | undefined): void {
  const stashed = name === undefined ? 'stash@{0}' : /^\d+$/.test(name.text) ? `stash@{${name.text}}` : name.text;
  swapGuard(git, { to: [stashed], from: `${stashed}^1` });
  swapGuard(git, { to: [`${stashed}^3`], from: EMPTY_TREE });
}

/** What a stash puts aside: changes of files that git follows, and with `-u` or `-a` those that it does not. */
function putAside(git: GitContext, words: readonly Word[]): void {
  const parsed = parseGit(
    { ...git, words },
    {
      flags: '-p|--patch -k|--keep-index -q|--quiet -u|--include-untracked -a|--all -S|--staged --pathspec-file-nul',
      values: '-m|--message --pathspec-from-file -U|--unified --inter-hunk-context',
    },
  );
  const below = pathsOf(git, parsed.operands);
  swapGuard(git, below.length === 0 ? { to: ['HEAD'] } : { to: ['HEAD'], below });
  putAsideBelow(git, below.length === 0 ? [hereOf(git)] : below);
  if (parsed.has('-u', '-a'))
    for (const path of below.length === 0 ? [hereOf(git)] : below) takeUntrackedGuard(git, path);
  keepStashed(git, parsed);
}

const stash: GitCommand = (git) => {
  const at = git.words.findIndex(({ text }) => !text.startsWith('-'));
  const verb = git.words[at]?.text ?? 'push';
  const operands = git.words.slice(at + 1).filter(({ text }) => !text.startsWith('-'));
  if (/^(?:pop|apply|branch|drop|clear)$/.test(verb)) git.run.keep(null);
  if (verb === 'pop' || verb === 'apply') unstash(git, operands[0]);
  else if (verb === 'branch') unstash(git, operands[1]);
  else if (verb === 'push') putAside(git, at < 0 ? git.words : git.words.slice(at + 1));
  else if (verb === 'save')
    putAside(
      git,
      git.words.slice(at + 1).filter(({ text }) => text.startsWith('-')),
    );
  switch (verb) {
    case 'list':
    case 'show':
      git.run.emit('read', { type: 'ref', remote: null, ref: 'stash' }, { reversible: 'yes' });
      return;
    case 'drop':
    case 'clear':
      changeRef(
        git,
        'history',
        'stash',
        ['discards', ...(verb === 'clear' ? (['mass'] as const) : [])],
        'throws away stashed work',
      );
      return;
    default:
      changeRef(git, 'write', 'stash', []);
  }
};

const branch: GitCommand = (git) => {
  const parsed = parseGit(git, {
    flags:
      '-d|--delete -D -f|--force -m|--move -M -c|--copy -C -l|--list -r|--remotes -a|--all -v|--verbose -q --show-current --edit-description --unset-upstream -i --create-reflog --no-color',
    values: '-u|--set-upstream-to --sort --format --points-at --contains --merged',
    optional: '-t|--track --color --column --abbrev --recurse-submodules',
  });
  const names = parsed.operands;
  const isForced = parsed.has('-f');
  if (parsed.has('-D') || (parsed.has('-d') && isForced)) {
    if (names.length === 0) changeRef(git, 'history', '*', ['discards', 'force'], 'deletes a branch that is not named');
    for (const name of names)
      changeRef(git, 'history', name, ['discards', 'force'], 'deletes the branch, merged or not');
  } else if (parsed.has('-d')) {
    for (const name of names) changeRef(git, 'write', name, [], 'deletes the branch if it is merged');
  } else if (parsed.has('-M', '-C') || (isForced && names.length > 0)) {
    for (const name of names)
      changeRef(git, 'history', name, ['force', 'overwrite'], 'moves a branch over what it pointed at');
  } else if (
    names.length > 0 &&
    !parsed.has('-l', '-r', '-a', '--show-current', '--contains', '--merged', '--points-at')
  ) {
    changeRef(git, 'write', names[0] ?? '', ['create']);
  } else git.run.emit('read', { type: 'ref', remote: null, ref: '*' }, { reversible: 'yes' });
};

const tag: GitCommand = (git) => {
  const parsed = parseGit(git, {
    flags: '-d|--delete -f|--force -a|--annotate -s|--sign -l|--list -v|--verify -i --create-reflog -e|--edit',
    values: '-m|--message -F|--file -u|--local-user --sort --format --cleanup --points-at --contains --merged',
    optional: '-n --color --column',
  });
  const file = parsed.value('-F');
  if (file && file.text !== '-') git.run.read(pathIn(git, file));
  if (parsed.has('-d')) {
    for (const name of parsed.operands)
      changeRef(git, 'history', `refs/tags/${name.text}`, ['discards'], 'deletes the tag');
  } else if (parsed.operands.length === 0 || parsed.has('-l', '-v', '--contains', '--merged', '--points-at', '-n')) {
    git.run.emit('read', { type: 'ref', remote: null, ref: 'refs/tags/*' }, { reversible: 'yes' });
  } else {
    const name = `refs/tags/${parsed.operands[0]?.text ?? ''}`;
    if (parsed.has('-f')) changeRef(git, 'history', name, ['force', 'overwrite'], 'moves the tag');
    else changeRef(git, 'write', name, ['create']);
  }
};

const worktree: GitCommand = (git) => {
  const [verb, ...rest] = git.words;
  const parsed = parseGit(
    { ...git, words: rest },
    {
      flags: '-f|--force -d|--detach --checkout --lock --guess-remote -q --orphan --porcelain -v -n|--dry-run',
      values: '-b -B --reason --expire',
    },
  );
  const [path, target] = parsed.operands.map((word) => pathIn(git, word));
  switch (verb?.text) {
    case 'add':
      if (path) git.run.write(path, { traits: ['create', 'recursive'], note: 'a second working tree' });
      return;
    case 'remove':
      if (!path) return;
      if (parsed.has('-f'))
        git.run.delete(path, {
          traits: ['recursive', 'force', 'discards'],
          note: 'removes a working tree with its uncommitted work',
        });
      else changeRef(git, 'write', `worktree ${path.text}`, [], 'git refuses where work would be lost');
      return;
    case 'move':
      if (path && target) git.run.move(path, target);
      return;
    case 'list':
    case undefined:
      git.run.emit('read', { type: 'ref', remote: null, ref: 'HEAD' }, { reversible: 'yes' });
      return;
    default:
      changeRef(git, 'write', 'worktree', []);
  }
};

const remove: GitCommand = (git) => {
  const parsed = parseGit(git, {
    flags: '-f|--force -n|--dry-run -r --cached --ignore-unmatch -q --sparse --pathspec-file-nul',
    values: '--pathspec-from-file',
  });
  if (parsed.has('-n')) return;
  if (parsed.has('--cached')) {
    changeRef(git, 'write', 'index', []);
    return;
  }
  const paths = parsed.has('--pathspec-from-file') ? [hereOf(git)] : pathsOf(git, parsed.operands);
  for (const path of paths) {
    const isAll = /^(?:\.{1,2}|\/|:\/?)?\/?\*?$/.test(path.text);
    git.run.delete(path, {
      traits: [
        ...(parsed.has('-r') ? (['recursive'] as const) : []),
        ...(isAll ? (['mass'] as const) : []),
        ...(parsed.has('-f') ? (['force'] as const) : []),
      ],
      note: parsed.has('-f') ? '' : 'git refuses where changes would be lost',
    });
  }
};

const move: GitCommand = (git) => {
  const parsed = parseGit(git, { flags: '-f|--force -n|--dry-run -k -v --sparse' });
  const target = parsed.operands.at(-1);
  if (parsed.has('-n') || !target) return;
  for (const from of parsed.operands.slice(0, -1))
    git.run.move(pathIn(git, from), pathIn(git, target), { traits: parsed.has('-f') ? ['force', 'overwrite'] : [] });
};

const apply: GitCommand = (git) => {
  const parsed = parseGit(git, {
    flags:
      '--check --stat --numstat --summary -R|--reverse --index --cached -3|--3way --reject -z --unsafe-paths --allow-empty -v -q --apply --recount --inaccurate-eof',
    values: '-p -C --directory --exclude --include --whitespace --build-fake-ancestor',
  });
  for (const patch of parsed.operands) if (patch.text !== '-') git.run.read(pathIn(git, patch));
  if (parsed.has('--check', '--stat', '--numstat', '--summary') && !parsed.has('--apply')) return;
  if (parsed.has('--cached')) changeRef(git, 'write', 'index', []);
  else if (parsed.has('--unsafe-paths')) git.run.unknown('a patch that may write outside the folder');
  else
    git.run.write(hereOf(git), {
      traits: ['recursive', 'edit'],
      certainty: 'dynamic',
      note: 'changes what the patch names',
    });
  // `git diff | git apply -R` is `git checkout .` in other words.
  const isFed = parsed.operands.every(({ text }) => /^(?:-|\/dev\/.*|\/proc\/.*)$/.test(text));
  if (parsed.has('-R') && isFed && !parsed.has('--cached'))
    discardBelow(git, [hereOf(git)], 'modified', 'takes back what a patch made by another command did');
};

const SEQUENCE = {
  flags:
    '--abort --continue --skip --quit -n|--no-commit -e|--edit --no-edit -x --ff --no-ff --ff-only --squash --no-verify -q -v --stat --allow-unrelated-histories --autostash --signoff -3|--3way -i --keep-cr',
  values: '-m -s|--strategy -X|--strategy-option --mainline -F|--file --cleanup --into-name',
  optional: '-S|--gpg-sign --log',
};

/** What one of the commits named brings into the tree. */
function swapOf(name: string, revision: string): Swap {
  const [, left, right] = /^(.+[^.])\.\.([^.].*)$/.exec(revision) ?? [];
  const [before, after] = left === undefined || right === undefined ? [`${revision}^`, revision] : [left, right];
  if (name === 'revert') return { to: [before], from: after };
  return name === 'cherry-pick' ? { to: [after], from: before } : mergeOf(revision);
}

/** Merge, cherry-pick, revert, am: new commits on the current branch. Git refuses where uncommitted work is in the way. */
const combine: GitCommand = (git) => {
  const parsed = parseGit(git, SEQUENCE);
  if (parsed.has('--abort', '--quit')) {
    if (isIdle(git)) return;
    discardBelow(git, [hereOf(git)], 'modified', `gives up the ${git.name} in progress`);
    updateTree(git, '');
    return;
  }
  for (const word of parsed.operands) {
    if (git.name === 'am') git.run.read(pathIn(git, word));
    else swapGuard(git, swapOf(git.name, word.text));
  }
  changeRef(git, 'write', currentBranch(git), ['create']);
  runHooks(
    git,
    git.name === 'am'
      ? ['applypatch-msg', 'pre-applypatch', 'post-applypatch']
      : ['pre-merge-commit', 'commit-msg', 'post-merge'],
  );
};

const init: GitCommand = (git) => {
  const parsed = parseGit(git, {
    flags: '-q --bare',
    values: '--template --separate-git-dir -b|--initial-branch --object-format --ref-format',
    optional: '--shared',
  });
  const template = parsed.value('--template');
  if (template && template.text !== '')
    runCovertly(git.run, template, 'hooks of the template become hooks of the repository');
  const folder = parsed.operands[0];
  git.run.emit(
    'write',
    { type: 'ref', remote: null, ref: `new repository in ${joined([folder ?? hereOf(git)]).text}` },
    { traits: ['create'], reversible: 'yes' },
  );
};

/** Sub-commands that work on files, the index and local branches. */
export const WORKING: GitCommands = {
  add,
  stage: add,
  commit,
  checkout,
  switch: switchBranch,
  restore,
  reset,
  clean,
  stash,
  branch,
  tag,
  worktree,
  rm: remove,
  mv: move,
  apply,
  merge: combine,
  'cherry-pick': combine,
  revert: combine,
  am: combine,
  init,
};
