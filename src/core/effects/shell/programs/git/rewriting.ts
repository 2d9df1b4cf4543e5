import { exactWord } from '../../word.js';
import { changeRef, currentBranch, hereOf, parseGit, pathIn, type GitCommand, type GitCommands } from './context.js';
import { runHooks } from './hooks.js';
import { discardBelow } from './stakes.js';
import { isIdle } from './underWay.js';
import { mergeOf, swapGuard } from './swaps.js';

const rebase: GitCommand = (git) => {
  const parsed = parseGit(git, {
    flags:
      '--abort --continue --skip --quit --edit-todo --show-current-patch -i|--interactive -q -v --root --autosquash --autostash --keep-base --fork-point --no-verify -f|--force-rebase --update-refs --stat --signoff -m|--merge --apply --ignore-date --committer-date-is-author-date --reapply-cherry-picks',
    values: '-x|--exec --onto -s|--strategy -X|--strategy-option --whitespace -C --empty',
    optional: '-S|--gpg-sign -r|--rebase-merges',
  });
  for (const command of parsed.values('-x')) git.run.code('sh', command);
  if (parsed.has('--show-current-patch')) return;
  if (parsed.has('--abort', '--quit')) {
    if (isIdle(git)) return;
    discardBelow(git, [hereOf(git)], 'modified', 'gives up the rebase in progress');
    changeRef(git, 'write', currentBranch(git), []);
    return;
  }
  if (!parsed.has('--no-verify')) runHooks(git, ['pre-rebase']);
  if (!parsed.has('--continue', '--skip', '--edit-todo'))
    swapGuard(git, mergeOf(parsed.value('--onto')?.text ?? parsed.operands[0]?.text ?? '@{upstream}'));
  const isWaiting = parsed.has('-i', '--edit-todo');
  changeRef(
    git,
    'history',
    parsed.operands[1]?.text ?? currentBranch(git),
    isWaiting ? ['interactive'] : [],
    'makes the commits anew',
  );
};

const filterBranch: GitCommand = (git) => {
  const parsed = parseGit(git, {
    flags: '-f|--force --prune-empty',
    values:
      '--setup --subdirectory-filter --env-filter --tree-filter --index-filter --parent-filter --msg-filter --commit-filter --tag-name-filter --original -d --state-branch',
  });
  for (const { name, value } of parsed.options)
    if (value && name.endsWith('-filter') && name !== '--subdirectory-filter') git.run.code('sh', value);
  changeRef(git, 'history', '*', ['mass', 'force', 'discards'], 'rewrites all commits');
};

const filterRepo: GitCommand = (git) => {
  for (const word of git.words) {
    const callback = /^--[\w-]+-callback=(.*)$/s.exec(word.text)?.[1];
    if (callback !== undefined) git.run.code('python', { ...word, text: callback });
  }
  if (git.words.some(({ text }) => text === '--dry-run' || text === '--analyze')) return;
  changeRef(git, 'history', '*', ['mass', 'force', 'discards'], 'rewrites all commits');
};

const reflog: GitCommand = (git) => {
  const verb = git.words.find(({ text }) => !text.startsWith('-'))?.text;
  const isTrial = git.words.some(({ text }) => text === '-n' || text === '--dry-run');
  if (isTrial || !(verb === 'expire' || verb === 'delete' || verb === 'drop')) {
    git.run.emit('read', { type: 'ref', remote: null, ref: 'HEAD' }, { reversible: 'yes' });
  } else changeRef(git, 'history', 'reflog', ['discards', 'mass'], 'takes away the way back to lost commits');
};

const gc: GitCommand = (git) => {
  const parsed = parseGit(git, {
    flags: '--aggressive --auto --force -q --keep-largest-pack --detach --cruft',
    values: '--max-cruft-size --expire-to',
    optional: '--prune',
  });
  const age = parsed.value('--prune')?.text ?? git.overrides.get('gc.pruneexpire')?.text;
  if (age !== undefined && age !== '2.weeks.ago' && age !== 'never') {
    changeRef(git, 'history', 'objects', ['discards', 'mass'], `throws away unreachable commits at once (${age})`);
  } else git.run.emit('write', { type: 'ref', remote: null, ref: 'objects' }, { reversible: 'yes' });
};

const prune: GitCommand = (git) => {
  const parsed = parseGit(git, { flags: '-n|--dry-run -v --progress', values: '--expire' });
  if (parsed.has('-n')) return;
  changeRef(git, 'history', 'objects', ['discards', 'mass'], 'throws away unreachable commits');
};

const updateRef: GitCommand = (git) => {
  const parsed = parseGit(git, { flags: '-d --no-deref --stdin -z --create-reflog --batch-updates', values: '-m' });
  const name = parsed.operands[0]?.text ?? '*';
  if (parsed.has('-d')) changeRef(git, 'history', name, ['discards', 'force'], 'deletes the ref');
  else changeRef(git, 'history', name, ['force', 'overwrite'], 'points the ref elsewhere');
};

const symbolicRef: GitCommand = (git) => {
  const parsed = parseGit(git, { flags: '-d|--delete -q --short', values: '-m' });
  const [name, target] = parsed.operands;
  if (parsed.has('-d') || target)
    changeRef(git, 'history', name?.text ?? 'HEAD', ['overwrite'], 'points the ref elsewhere');
  else git.run.emit('read', { type: 'ref', remote: null, ref: name?.text ?? 'HEAD' }, { reversible: 'yes' });
};

const fastImport: GitCommand = (git) => {
  changeRef(git, 'history', '*', ['mass', 'force'], 'writes commits from its input');
};

/** `git notes`, `git replace`, `git rerere`…: small changes to git's own data. */
const ownData: GitCommand = (git) => {
  changeRef(git, 'write', git.name, []);
};

/** `update-index`: files that it is given go into the index, whatever git ignores. */
const updateIndex: GitCommand = (git) => {
  const parsed = parseGit(git, {
    flags:
      '--add --remove --force-remove --refresh -q --unmerged --ignore-missing --really-refresh --assume-unchanged --no-assume-unchanged --skip-worktree --no-skip-worktree --replace --stdin --verbose -z --again --unresolve --index-info --split-index --untracked-cache --fsmonitor --ignore-submodules --info-only --force-write-index',
    values: '--cacheinfo --chmod --index-version',
  });
  const isTaking = !parsed.has('--force-remove', '--assume-unchanged', '--skip-worktree', '--refresh');
  if (isTaking) for (const path of parsed.operands) git.run.read(pathIn(git, path));
  ownData(git);
};

const checkoutIndex: GitCommand = (git) => {
  const parsed = parseGit(git, { flags: '-f|--force -a|--all -u -q -n', values: '--prefix --stage' });
  const paths = parsed.has('-a') ? [hereOf(git)] : parsed.operands.map((word) => pathIn(git, word));
  if (parsed.has('--prefix'))
    for (const prefix of parsed.values('--prefix')) git.run.write(pathIn(git, prefix), { traits: ['recursive'] });
  else if (parsed.has('-f')) discardBelow(git, paths, 'modified', 'takes files back to the index');
  else changeRef(git, 'write', 'HEAD', []);
  if (parsed.has('-f') && !parsed.has('--prefix')) swapGuard(git, { to: [''], below: paths });
};

const readTree: GitCommand = (git) => {
  const parsed = parseGit(git, {
    flags: '-m --reset -u -i -n|--dry-run -v --trivial --aggressive --empty',
    values: '--prefix --index-output',
  });
  if (parsed.has('-n')) return;
  if (parsed.has('-u') && parsed.has('--reset'))
    discardBelow(git, [hereOf(git)], 'modified', 'throws away uncommitted changes');
  const revision = parsed.operands.at(-1);
  if (parsed.has('-u') && revision)
    swapGuard(git, parsed.has('--reset') ? { to: [revision.text] } : { to: [revision.text], from: 'HEAD' });
  changeRef(git, 'write', 'index', []);
};

const hook: GitCommand = (git) => {
  const [verb, ...rest] = git.words;
  const name = rest.find(({ text }) => !text.startsWith('-'));
  if (verb?.text === 'run' && name) runHooks(git, [name.text]);
  else git.run.emit('read', { type: 'ref', remote: null, ref: 'hooks' }, { reversible: 'yes' });
};

const maintenance: GitCommand = (git) => {
  if (/^(start|register)$/.test(git.words[0]?.text ?? '')) {
    git.run.emit(
      'persist',
      { type: 'process', process: 'git maintenance' },
      { reversible: 'no', note: 'runs at set times' },
    );
  } else git.run.emit('write', { type: 'ref', remote: null, ref: 'objects' }, { reversible: 'yes' });
};

const mergetool: GitCommand = (git) => {
  const parsed = parseGit(git, {
    flags: '-g|--gui -y|--no-prompt --prompt --tool-help -d|--dir-diff --cached --staged',
    values: '-t|--tool -x|--extcmd -O',
  });
  const command = parsed.value('-x');
  if (command) {
    git.run.emit(
      'execute',
      { type: 'process', process: command.text },
      { traits: ['covert', 'unreviewed'], note: 'git runs it to show differences' },
    );
    git.run.code('sh', command);
  }
  if (!parsed.has('--tool-help') && !command)
    git.run.emit(
      'execute',
      { type: 'process', process: parsed.value('-t')?.text ?? 'merge tool' },
      { traits: ['interactive'] },
    );
};

const DAEMON = exactWord('0.0.0.0');

const serve: GitCommand = (git) => {
  git.run.network(DAEMON, {
    method: 'LISTEN',
    traits: ['outward', 'publish', 'daemon'],
    note: `git ${git.name} gives the repository to others`,
  });
};

/** Sub-commands that change what exists of the past, or git's own data. */
export const REWRITING: GitCommands = {
  rebase,
  'filter-branch': filterBranch,
  'filter-repo': filterRepo,
  reflog,
  gc,
  prune,
  'update-ref': updateRef,
  'symbolic-ref': symbolicRef,
  'fast-import': fastImport,
  'checkout-index': checkoutIndex,
  'update-index': updateIndex,
  'read-tree': readTree,
  hook,
  maintenance,
  difftool: mergetool,
  mergetool,
  daemon: serve,
  instaweb: serve,
  ...Object.fromEntries(
    'notes replace rerere repack pack-refs pack-objects prune-packed write-tree commit-tree commit-graph multi-pack-index sparse-checkout update-server-info mktag mktree index-pack unpack-objects refs backfill history'
      .split(' ')
      .map((name) => [name, ownData]),
  ),
};
