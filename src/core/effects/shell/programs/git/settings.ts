import type { Word } from '../../../effect.js';
import type { Run } from '../../run.js';

/** What setting a key of git's configuration means. */
export type SettingMeaning =
  /** Git runs the value. */
  | 'runs'
  /** Git sends or fetches elsewhere, reads configuration elsewhere, or trusts more. */
  | 'redirects'
  /** Neither. */
  | 'plain';

/** Keys, in lower case, whose value is a command. `*` is any name between dots. Source: git-config(1) 2.48. */
const RUNS = new RegExp(
  `^(?:${[
    'core\\.(pager|editor|sshcommand|fsmonitor|askpass|gitproxy|hookspath|alternaterefscommand)',
    'sequence\\.editor',
    'pager\\..+',
    'alias\\..+',
    'diff\\.external',
    'diff\\..+\\.(command|textconv)',
    'interactive\\.difffilter',
    'merge\\..+\\.driver',
    '(merge|diff|gui)tool\\..+\\.(cmd|path)',
    'filter\\..+\\.(clean|smudge|process)',
    'credential\\.(.+\\.)?helper',
    'gpg\\.(.+\\.)?program',
    'gpg\\.ssh\\.defaultkeycommand',
    'uploadpack\\.packobjectshook',
    'remote\\..+\\.(uploadpack|receivepack|vcs)',
    'submodule\\..+\\.update',
    'trailer\\..+\\.(command|cmd)',
    'tar\\..+\\.command',
    'browser\\..+\\.(cmd|path)',
    'man\\..+\\.(cmd|path)',
    'web\\.browser',
    'sendemail\\..*(cmd|smtpserver)',
    'instaweb\\.(httpd|modulepath)',
    'init\\.templatedir',
    'transfer\\.credentialsinurl\\.cmd',
    'difftool\\.guidefault\\.cmd',
  ].join('|')})$`,
);

const REDIRECTS =
  /^(include\.path|includeif\..+\.path|url\..+\.(insteadof|pushinsteadof)|remote\..+\.(url|pushurl|proxy|push|fetch)|http\.(.+\.)?(proxy|sslverify|sslcainfo|sslcert|cookiefile|extraheader|curloptresolve)|protocol\.(.+\.)?allow|core\.(worktree|attributesfile|excludesfile|sshvariant)|safe\.directory|receive\.denycurrentbranch|uploadarchive\..+|user\.signingkey|extensions\..+)$/;

/** What a key means, whatever its value. */
export function meaningOf(key: string): SettingMeaning {
  const folded = key.toLowerCase();
  if (RUNS.test(folded)) return 'runs';
  return REDIRECTS.test(folded) ? 'redirects' : 'plain';
}

/** Commands that only show text or end at once: what pagers and editors are set to, to keep git from waiting. */
const HARMLESS =
  /^(|true|false|:|cat|less( -[A-Za-z]+)*|more|head|delta|diff-so-fancy|vi|vim|nvim|nano|emacs|code( --wait| -w)*|store|cache( --timeout=\d+)?|osxkeychain|manager(-core)?|wincred|libsecret|ssh|gpg2?|always|never|auto|true|yes|no|1|0)$/;

/**
 * Says what a setting that git runs does: the command itself, marked as coming through a side door. Values that only show
 * text say nothing. `hookspath` is a folder whose scripts git runs later in this command.
 */
export function runSetting(run: Run, key: string, value: Word): void {
  const folded = key.toLowerCase();
  if (value.certainty === 'exact' && HARMLESS.test(value.text.trim())) return;
  if (/^alias\./.test(folded) && !value.text.startsWith('!')) return;
  if (/^core\.hookspath$|\.templatedir$/.test(folded)) {
    runCovertly(run, value, `git runs the scripts in ${value.text}`);
    return;
  }
  const text = value.text.startsWith('!') ? { ...value, text: value.text.slice(1) } : value;
  runCovertly(run, text, `git runs ${value.text} for ${key}`);
  run.code('sh', text);
}

/** Something runs that the command's own words do not name as a command. */
export function runCovertly(run: Run, what: Word, note: string): void {
  run.emit(
    'execute',
    { type: 'process', process: what.text },
    { traits: ['covert', 'unreviewed'], certainty: what.certainty, note },
  );
}
