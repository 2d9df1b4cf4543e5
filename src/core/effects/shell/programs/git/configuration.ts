import type { Resource, Word } from '../../../effect.js';
import { placeOf } from '../../../paths.js';
import { withText } from '../helpers.js';
import { parseGit, pathIn, type GitCommand, type GitCommands, type GitContext } from './context.js';
import { meaningOf } from './settings.js';

const CONFIG = {
  flags:
    '--global --system --local --worktree --get --get-all --get-regexp --get-urlmatch --get-color --get-colorbool -l|--list --name-only --show-origin --show-scope -z|--null --includes --bool --int --bool-or-int --path --expiry-date --show-names --unset --unset-all --add --replace-all --rename-section --remove-section -e|--edit --all --append --regexp --fixed-value',
  values: '-f|--file --blob --type --default --comment --url --value',
};

/** Verbs of git 2.46 and later. Source: git-config(1). */
const VERBS = new Set(['list', 'get', 'set', 'unset', 'rename-section', 'remove-section', 'edit']);

const config: GitCommand = (git) => {
  const parsed = parseGit(git, CONFIG);
  const [first, ...rest] = parsed.operands;
  const verb = first && VERBS.has(first.text) ? first.text : null;
  const operands = verb === null ? parsed.operands : rest;
  const isChange =
    parsed.has('--unset', '--unset-all', '--add', '--replace-all', '--rename-section', '--remove-section', '-e') ||
    (verb === null
      ? operands.length > 1 &&
        !parsed.has('--get', '--get-all', '--get-regexp', '--get-urlmatch', '--get-color', '--get-colorbool', '-l')
      : verb !== 'list' && verb !== 'get');
  const file = parsed.value('-f');
  if (!isChange) {
    if (file) git.run.read(pathIn(git, file));
    else {
      // Runners and helpers keep tokens in headers.
      const isSecret = operands.some(({ text }) => /extraheader|password|token|secret/i.test(text));
      git.run.emit(
        'read',
        { type: 'ref', remote: null, ref: 'configuration' },
        { reversible: 'yes', traits: isSecret ? ['secret'] : [] },
      );
    }
    return;
  }
  const scope = parsed.has('--system') ? 'system' : parsed.has('--global') ? 'global' : 'local';
  change(git, operands[0] ?? null, operands[1] ?? null, scope, file);
};

function change(
  git: GitContext,
  key: Word | null,
  value: Word | null,
  scope: 'system' | 'global' | 'local',
  file: Word | null,
): void {
  const meaning = key === null || key.certainty === 'dynamic' ? 'redirects' : meaningFor(key, value);
  if (file && meaning === 'plain') {
    git.run.write(pathIn(git, file), { traits: ['edit'] });
    return;
  }
  const resource: Resource = file
    ? { type: 'path', path: file.text, place: 'unknown', git: 'unknown' }
    : settingsFile(git, scope);
  const setting = `${key?.text ?? 'settings'}${value ? ` = ${value.text}` : ''}`;
  if (meaning === 'plain' && scope === 'local') {
    git.run.emit(
      'write',
      { type: 'ref', remote: null, ref: 'configuration' },
      { reversible: 'checkpoint', note: setting },
    );
    return;
  }
  git.run.emit('persist', resource, {
    traits: meaning === 'runs' ? ['covert'] : [],
    certainty: key?.certainty ?? 'exact',
    reversible: scope === 'local' ? 'checkpoint' : 'no',
    note: meaning === 'runs' ? `git runs it later: ${setting}` : setting,
  });
}

/** A short name for sub-commands of git itself runs nothing else; what stands behind it is judged when it is used. */
const OWN_ALIAS = /^[a-z][a-z-]*(?:\s+[\w./=:@%^~"'-]+)*$/;

const meaningFor = (key: Word, value: Word | null): ReturnType<typeof meaningOf> =>
  /^alias\./i.test(key.text) && value?.certainty === 'exact' && OWN_ALIAS.test(value.text)
    ? 'plain'
    : meaningOf(key.text);

function settingsFile(git: GitContext, scope: 'system' | 'global' | 'local'): Resource {
  const { facts } = git.run;
  const path =
    scope === 'system'
      ? '/etc/gitconfig'
      : scope === 'global'
        ? `${facts.home}/.gitconfig`
        : `${git.repository?.gitFolder ?? `${git.cwd ?? ''}/.git`}/config`;
  return {
    type: 'path',
    path,
    place: path.startsWith('/') || /^[a-z]:/i.test(path) ? placeOf(path, facts) : 'unknown',
    git: 'unknown',
  };
}

/** Helpers that print or store passwords. */
const credential: GitCommand = (git) => {
  const verb = git.words.find(({ text }) => /^(fill|get|approve|store|reject|erase|capability|exit)$/.test(text))?.text;
  const name = withText(git.words[0] ?? { text: '', raw: '', certainty: 'exact', quoted: true }, 'git credential');
  if (verb === 'approve' || verb === 'store')
    git.run.emit('persist', { type: 'environment', name: name.text }, { traits: ['secret', 'grants-access'] });
  else if (verb === 'reject' || verb === 'erase')
    git.run.emit('delete', { type: 'environment', name: name.text }, { traits: ['secret'], reversible: 'no' });
  else
    git.run.emit(
      'read',
      { type: 'environment', name: name.text },
      { traits: ['secret'], reversible: 'yes', note: 'prints stored passwords' },
    );
};

/** Sub-commands about configuration and credentials. */
export const CONFIGURATION: GitCommands = {
  config,
  credential,
  'credential-store': credential,
  'credential-cache': credential,
  'credential-osxkeychain': credential,
  'credential-manager': credential,
};
