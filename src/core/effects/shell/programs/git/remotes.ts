import type { Trait, Word } from '../../../effect.js';
import { withText } from '../helpers.js';
import { dynamicWord, exactWord } from '../../word.js';
import {
  changeRef,
  currentBranch,
  isProtectedRef,
  parseGit,
  pathIn,
  hereOf,
  type GitCommand,
  type GitCommands,
  type GitContext,
} from './context.js';
import { runHooks, skipsHooks } from './hooks.js';
import { mergeOf, swapGuard } from './swaps.js';
import { runCovertly, runSetting } from './settings.js';
import { discardBelow } from './stakes.js';

/** Where a remote or URL of git leads. */
type Destination =
  | { readonly type: 'network'; readonly url: Word }
  | { readonly type: 'path'; readonly path: Word }
  /** `ext::command`: git runs the command instead of connecting. */
  | { readonly type: 'command'; readonly command: Word }
  | { readonly type: 'unknown'; readonly what: Word };

/** Source: git-clone(1), "GIT URLS"; git-remote-ext(1). */
function destinationOf(git: GitContext, word: Word): Destination {
  if (word.certainty === 'dynamic') return { type: 'unknown', what: word };
  const configured = git.repository?.remotes.get(word.text);
  const text = configured ?? word.text;
  const helper = /^(\w+)::(.*)$/s.exec(text);
  if (helper?.[1] === 'ext' || helper?.[1] === 'fd')
    return { type: 'command', command: withText(word, helper[2] ?? '') };
  if (helper) return { type: 'network', url: withText(word, helper[2] ?? '') };
  if (/^file:\/\//i.test(text)) return { type: 'path', path: withText(word, text.replace(/^file:\/\/[^/]*/i, '')) };
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return { type: 'network', url: withText(word, text) };
  const scp = /^(?:[^@/\s]+@)?([^:/\s]+|\[[^\]]+\]):(?!\/\/)(.*)$/s.exec(text);
  if (scp && !/^[a-z]:[\\/]/i.test(text))
    return { type: 'network', url: withText(word, `ssh://${scp[1] ?? ''}/${(scp[2] ?? '').replace(/^\//, '')}`) };
  if (/[/\\]/.test(text) || text === '.' || text === '..')
    return { type: 'path', path: pathIn(git, withText(word, text)) };
  return git.repository === null || configured === undefined
    ? { type: 'unknown', what: dynamicWord(`address of ${text}`) }
    : { type: 'path', path: pathIn(git, withText(word, text)) };
}

function reach(git: GitContext, word: Word, direction: 'fetch' | 'push', note = ''): void {
  const destination = destinationOf(git, word);
  const method = direction === 'fetch' ? 'GET' : 'POST';
  // A name leads where the repository was set up to go; an address written out may lead anywhere.
  const isNamed = word.certainty === 'exact' && /^[\w.-]+$/.test(word.text) && !/^\.+$/.test(word.text);
  const traits: readonly Trait[] =
    direction === 'push' ? ['outward', 'upload'] : isNamed ? ['download', 'own-service'] : ['download'];
  if (destination.type === 'command') {
    runCovertly(git.run, destination.command, 'git runs it instead of connecting');
    git.run.code('sh', destination.command);
  } else if (destination.type === 'path') {
    if (direction === 'fetch') git.run.read(destination.path, { traits: ['recursive'] });
    else git.run.write(destination.path, { traits: ['recursive', 'edit'] });
  } else git.run.network(destination.type === 'network' ? destination.url : destination.what, { method, traits, note });
}

/** Programs to be run on the other side, which is this side where the address is a path. */
function runOtherSide(git: GitContext, program: Word | null): void {
  if (program) runCovertly(git.run, program, 'git runs it at the other end');
}

const FETCH = {
  flags:
    '--all -a|--append --atomic --unshallow --update-shallow --dry-run -f|--force -k|--keep --multiple --prefetch -p|--prune -P|--prune-tags -n|--no-tags -t|--tags --stdin -u|--update-head-ok -q -v --progress --set-upstream -4 -6 --ff --ff-only --no-ff --squash --commit --edit --no-edit --autostash --allow-unrelated-histories --stat --verify --no-verify --porcelain --write-fetch-head',
  values:
    '--depth --deepen --shallow-since --shallow-exclude --upload-pack --refmap -j|--jobs -o|--server-option --negotiation-tip --filter -s|--strategy -X|--strategy-option --recurse-submodules-default',
  optional: '--recurse-submodules -r|--rebase -S|--gpg-sign --log',
};

const defaultRemote = (git: GitContext): Word =>
  exactWord(
    git.repository?.remotes.has('origin') ? 'origin' : ([...(git.repository?.remotes.keys() ?? [])][0] ?? 'origin'),
  );

const fetch: GitCommand = (git) => {
  const parsed = parseGit(git, FETCH);
  runOtherSide(git, parsed.value('--upload-pack'));
  const [remote, ...refspecs] = parsed.operands;
  if (parsed.has('--all', '--multiple')) for (const name of allRemotes(git, parsed.operands)) reach(git, name, 'fetch');
  else reach(git, remote ?? defaultRemote(git), 'fetch');
  if (parsed.has('--dry-run')) return;
  for (const refspec of refspecs) {
    const [, force, , target] = /^(\+?)([^:]*):?(.*)$/s.exec(refspec.text) ?? [];
    if (target && !target.startsWith('refs/remotes/') && (force === '+' || parsed.has('-f'))) {
      changeRef(git, 'history', target, ['force', 'overwrite'], 'a local branch is replaced by what was fetched');
    }
  }
  if (git.name === 'pull') {
    // As it was fetched last: what this very pull will find there cannot be known.
    const branch = refspecs[0]?.text.replace(/^\+|:.*$/g, '');
    swapGuard(git, mergeOf(branch ? `${remote?.text ?? 'origin'}/${branch}` : '@{upstream}'));
    const rebases = parsed.has('-r') && !/^(false|no)$/.test(parsed.value('-r')?.text ?? 'true');
    changeRef(
      git,
      'write',
      currentBranch(git),
      ['create'],
      rebases ? 'own commits are put on top of what was fetched' : '',
    );
    runHooks(git, ['pre-merge-commit', 'post-merge', 'post-checkout']);
  }
};

const allRemotes = (git: GitContext, named: readonly Word[]): readonly Word[] => {
  if (named.length > 0) return named;
  const names = [...(git.repository?.remotes.keys() ?? [])];
  // Which remotes there are is not known here; they are those that the repository was set up with.
  return names.length > 0 ? names.map(exactWord) : [exactWord('origin')];
};

const clone: GitCommand = (git) => {
  const parsed = parseGit(git, {
    flags:
      '-l|--local --no-hardlinks -s|--shared -n|--no-checkout --bare --mirror --dissociate --single-branch --no-tags --shallow-submodules --remote-submodules --sparse --reject-shallow --also-filter-submodules -q -v --progress -4 -6',
    values:
      '-u|--upload-pack --template -c|--config -o|--origin -b|--branch --revision --depth --shallow-since --shallow-exclude --reference --reference-if-able --separate-git-dir -j|--jobs --filter --server-option --bundle-uri --ref-format',
    optional: '--recurse-submodules|--recursive',
  });
  runOtherSide(git, parsed.value('-u'));
  const template = parsed.value('--template');
  if (template && template.text !== '')
    runCovertly(git.run, template, 'hooks of the template become hooks of the repository');
  for (const setting of parsed.values('-c')) {
    const at = setting.text.indexOf('=');
    if (at > 0) runIfSetting(git, setting.text.slice(0, at), withText(setting, setting.text.slice(at + 1)));
  }
  const [source, target] = parsed.operands;
  if (!source) return;
  reach(git, source, 'fetch');
  git.run.write(pathIn(git, target ?? folderOfClone(source)), { traits: ['create', 'recursive'] });
};

function runIfSetting(git: GitContext, key: string, value: Word): void {
  if (
    /hookspath|sshcommand|fsmonitor|pager|editor|askpass|external|textconv|process|smudge|clean|helper|program|alias/i.test(
      key,
    )
  )
    runSetting(git.run, key, value);
}

function folderOfClone(source: Word): Word {
  const name = source.text
    .replace(/[/\\]+$/, '')
    .replace(/\.(git|bundle)$/, '')
    .replace(/^.*[/\\:]/, '');
  return name === '' || source.certainty === 'dynamic' ? dynamicWord('name of the repository') : withText(source, name);
}

const PUSH = {
  flags:
    '--all|--branches --mirror --tags --follow-tags -d|--delete -f|--force --force-if-includes --prune -n|--dry-run --porcelain --no-verify --verify --atomic -u|--set-upstream -q -v --progress --thin -4 -6 --no-signed',
  values: '-o|--push-option --receive-pack|--exec --repo',
  optional: '--force-with-lease --signed --recurse-submodules',
};

/** What a refspec would change on the other side. Source: git-push(1). */
interface Target {
  readonly ref: string;
  readonly certainty: Word['certainty'];
  readonly isForced: boolean;
  readonly isDeleted: boolean;
}

/**
 * `+a:b` changes `b`, `:b` deletes it, `a` changes the branch of that name, a lone `:` each branch that the other side has too.
 * A target that is written out is known whatever is pushed there; without one, what is not known may hold a target of its own.
 */
function targetOf(git: GitContext, { text, certainty }: Word): Target {
  const isForced = text.startsWith('+');
  const bare = text.replace(/^\+/, '');
  if (certainty === 'dynamic') {
    const target = /:([\w./-]+)$/.exec(bare)?.[1];
    if (target !== undefined) return { ref: target, certainty: 'exact', isForced, isDeleted: false };
    const begun = /:([\w./-]*[$`].*)$/s.exec(bare)?.[1] ?? (bare.startsWith('$') ? bare : `$(${bare})`);
    return { ref: begun, certainty: 'dynamic', isForced, isDeleted: false };
  }
  const [, source = '', colon, written = ''] = /^([^:]*)(:?)(.*)$/s.exec(bare) ?? [];
  if (colon === ':' && source === '' && written === '')
    return { ref: '*', certainty: 'pattern', isForced, isDeleted: false };
  const own = source === 'HEAD' || source === '@' ? currentBranch(git) : source;
  const ref = written === '' ? own : written;
  return {
    ref,
    certainty: ref.includes('*') ? 'pattern' : written === '' && ref === 'HEAD' ? 'dynamic' : 'exact',
    isForced,
    isDeleted: source === '',
  };
}

const push: GitCommand = (git) => {
  const parsed = parseGit(git, PUSH);
  runOtherSide(git, parsed.value('--receive-pack'));
  const [named, ...refspecs] = parsed.operands;
  const remote = parsed.value('--repo') ?? named ?? defaultRemote(git);
  if (parsed.has('-n')) {
    reach(git, remote, 'fetch', 'says what it would push');
    return;
  }
  const isUnchecked = parsed.has('--no-verify') || skipsHooks(git.run);
  if (!isUnchecked) runHooks(git, ['pre-push']);
  reach(git, remote, 'push');
  const isForced = parsed.has('-f');
  const isLeased = parsed.has('--force-with-lease');
  const isDeleting = parsed.has('-d');
  const emitRef = (
    ref: string,
    change: 'update' | 'force' | 'lease' | 'delete',
    certainty: Word['certainty'],
    more: readonly Trait[] = [],
  ): void => {
    const traits: Trait[] = ['publish', 'outward', ...more];
    if (change === 'force' || change === 'delete') traits.push('force');
    if (change !== 'update') traits.push('discards');
    if (isProtectedRef(ref)) traits.push('protected-ref');
    if (isUnchecked) traits.push('removes-check');
    git.run.emit(
      change === 'update' ? 'write' : 'history',
      { type: 'ref', remote: remote.certainty === 'dynamic' ? '' : remote.text, ref },
      {
        traits,
        certainty,
        reversible: 'no',
        note: change === 'lease' ? 'forced, unless someone else pushed meanwhile' : '',
      },
    );
  };
  const plain = isForced ? 'force' : isLeased ? 'lease' : 'update';
  if (parsed.has('--mirror')) emitRef('*', 'force', 'pattern', ['mass']);
  else if (parsed.has('--all')) emitRef('*', plain, 'pattern', ['mass']);
  if (parsed.has('--prune')) emitRef('*', 'delete', 'pattern', ['mass']);
  if (parsed.has('--tags')) emitRef('refs/tags/*', plain, 'pattern', ['mass']);
  for (const refspec of refspecs) {
    const { ref, certainty, ...target } = targetOf(git, refspec);
    const deletes = isDeleting || target.isDeleted;
    emitRef(
      ref,
      deletes ? 'delete' : target.isForced ? 'force' : plain,
      certainty,
      certainty === 'pattern' ? ['mass'] : [],
    );
  }
  if (refspecs.length === 0 && !parsed.has('--mirror', '--all', '--tags')) {
    const branch = currentBranch(git);
    emitRef(branch, plain, branch === 'HEAD' ? 'dynamic' : 'exact');
  }
};

const lsRemote: GitCommand = (git) => {
  const parsed = parseGit(git, {
    flags: '-h|--heads|--branches -t|--tags --refs -q --exit-code --get-url --symref',
    values: '--upload-pack|--exec --sort -o|--server-option',
  });
  runOtherSide(git, parsed.value('--upload-pack'));
  if (parsed.has('--get-url')) return;
  reach(git, parsed.operands[0] ?? defaultRemote(git), 'fetch');
};

const remote: GitCommand = (git) => {
  const parsed = parseGit(git, {
    flags: '-v|--verbose -f --push --add --delete --all -n --tags -p|--prune -a|--auto -d',
    values: '-t -m',
    optional: '--mirror',
  });
  const [verb, name, url] = parsed.operands;
  switch (verb?.text) {
    case undefined:
    case 'get-url':
      git.run.emit('read', { type: 'ref', remote: name?.text ?? '*', ref: '*' }, { reversible: 'yes' });
      return;
    case 'show':
    case 'update':
    case 'prune':
      if (verb.text === 'show' && parsed.has('-n')) return;
      for (const one of name ? [name] : allRemotes(git, [])) reach(git, one, 'fetch');
      return;
    case 'add':
    case 'set-url':
      if (url && /^(ext|fd)::/.test(url.text)) runCovertly(git.run, url, 'git runs it instead of connecting');
      if (verb.text === 'add' && parsed.has('-f') && url) reach(git, url, 'fetch');
      git.run.emit(
        verb.text === 'add' ? 'write' : 'persist',
        { type: 'ref', remote: name?.text ?? '', ref: '*' },
        {
          traits: verb.text === 'add' ? ['create'] : [],
          reversible: 'checkpoint',
          note: `${name?.text ?? ''} leads to ${url?.text ?? ''} from now on`,
        },
      );
      return;
    default:
      git.run.emit('write', { type: 'ref', remote: name?.text ?? '', ref: '*' }, { reversible: 'checkpoint' });
  }
};

const submodule: GitCommand = (git) => {
  const parsed = parseGit(git, {
    flags:
      '-q|--quiet --cached --recursive --init --remote -f|--force -N --checkout --merge --rebase --all --progress --single-branch',
    values: '-b|--branch --reference --name --depth -j|--jobs --filter',
    stopsAtOperand: true,
  });
  const [verb, ...rest] = parsed.operands;
  const inner = parseGit(
    { ...git, words: rest },
    {
      flags: '-q --recursive --init --remote -f|--force --all --progress',
      values: '-b --reference --name --depth -j --filter',
      stopsAtOperand: true,
    },
  );
  switch (verb?.text) {
    case 'foreach': {
      const [command, ...more] = inner.operands;
      if (command) git.run.code('sh', withText(command, [command, ...more].map(({ text }) => text).join(' ')));
      return;
    }
    case 'add':
      if (inner.operands[0]) {
        reach(git, inner.operands[0], 'fetch');
        git.run.write(pathIn(git, inner.operands[1] ?? folderOfClone(inner.operands[0])), {
          traits: ['create', 'recursive'],
        });
      }
      return;
    case 'update':
      git.run.network(dynamicWord('addresses of submodules'), { method: 'GET', traits: ['download'] });
      if (inner.has('-f')) discardBelow(git, [hereOf(git)], 'modified', 'throws away changes in submodules');
      return;
    case 'deinit':
      if (inner.has('-f'))
        discardBelow(
          git,
          inner.operands.length > 0 ? inner.operands.map((word) => pathIn(git, word)) : [hereOf(git)],
          'modified',
          'empties submodules',
        );
      changeRef(git, 'write', 'submodules', []);
      return;
    case undefined:
    case 'status':
    case 'summary':
      git.run.emit('read', { type: 'ref', remote: null, ref: 'HEAD' }, { reversible: 'yes' });
      return;
    default:
      changeRef(git, 'write', 'submodules', []);
  }
};

const subtree: GitCommand = (git) => {
  const parsed = parseGit(git, {
    flags: '--squash -q -d',
    values: '-P|--prefix -m|--message -b|--branch --onto --annotate',
  });
  const [verb, where, ref] = parsed.operands;
  if (verb?.text === 'push' && where) {
    reach(git, where, 'push');
    git.run.emit(
      'write',
      { type: 'ref', remote: where.text, ref: ref?.text ?? '' },
      { traits: ['publish', 'outward'], reversible: 'no' },
    );
  } else if (where && /^(add|pull)$/.test(verb?.text ?? '')) reach(git, where, 'fetch');
  changeRef(git, 'write', currentBranch(git), ['create']);
};

const lfs: GitCommand = (git) => {
  const [verb, ...rest] = git.words;
  const isTrial = rest.some(({ text }) => text === '--dry-run' || text === '-d');
  switch (verb?.text) {
    case 'push':
      reach(git, rest.find(({ text }) => !text.startsWith('-')) ?? defaultRemote(git), 'push');
      return;
    case 'pull':
    case 'fetch':
    case 'clone':
      reach(git, defaultRemote(git), 'fetch');
      return;
    case 'prune':
      if (!isTrial) changeRef(git, 'history', 'lfs objects', ['discards', 'mass'], 'deletes old copies of large files');
      return;
    case 'migrate':
      if (rest[0]?.text !== 'info') changeRef(git, 'history', '*', ['mass', 'force'], 'rewrites commits');
      return;
    case 'lock':
    case 'unlock':
      reach(git, defaultRemote(git), 'push');
      return;
    case 'install':
    case 'uninstall':
      git.run.emit(
        'persist',
        { type: 'ref', remote: null, ref: 'configuration' },
        { note: 'sets hooks and filters of git' },
      );
      return;
    default:
      changeRef(git, 'write', 'lfs', []);
  }
};

/** `git svn`, `git p4`, `git cvsimport`: bridges whose direction depends on the verb. */
const bridge: GitCommand = (git) => {
  const verb = git.words.find(({ text }) => !text.startsWith('-'))?.text ?? '';
  if (/^(dcommit|submit|commit-diff|set-tree|mkdirs|branch|tag)$/.test(verb)) {
    git.run.network(dynamicWord(`server of git ${git.name}`), {
      method: 'POST',
      traits: ['outward', 'upload', 'publish'],
    });
  } else git.run.network(dynamicWord(`server of git ${git.name}`), { method: 'GET', traits: ['download'] });
  changeRef(git, 'write', currentBranch(git), ['create']);
};

const sendEmail: GitCommand = (git) => {
  for (const word of git.words) if (!word.text.startsWith('-')) git.run.read(pathIn(git, word));
  git.run.network(dynamicWord('mail server'), {
    method: 'POST',
    traits: ['outward', 'upload', 'publish'],
    note: 'sends commits by mail',
  });
};

const fetchPack: GitCommand = (git) => {
  for (const word of git.words) {
    const program = /^--(?:upload|receive)-pack=(.*)$|^--exec=(.*)$/s.exec(word.text);
    if (program) runOtherSide(git, withText(word, program[1] ?? program[2] ?? ''));
  }
  const where = git.words.find(({ text }) => !text.startsWith('-'));
  if (where) reach(git, where, git.name === 'send-pack' ? 'push' : 'fetch');
  if (git.name === 'send-pack')
    git.run.emit(
      'history',
      { type: 'ref', remote: where?.text ?? '', ref: '*' },
      { traits: ['publish', 'outward'], certainty: 'pattern', reversible: 'no' },
    );
};

/** Sub-commands that reach other repositories. */
export const REMOTES: GitCommands = {
  fetch,
  pull: fetch,
  clone,
  push,
  'ls-remote': lsRemote,
  remote,
  submodule,
  subtree,
  lfs,
  svn: bridge,
  p4: bridge,
  cvsimport: bridge,
  'send-email': sendEmail,
  'imap-send': sendEmail,
  'fetch-pack': fetchPack,
  'send-pack': fetchPack,
  'http-fetch': fetchPack,
  'http-push': fetchPack,
};
