import type { ProgramEntry, Run } from '../../run.js';
import { argumentsOf, HERE, isHelpOnly, rows } from '../helpers.js';

/** What the verbs of a version control system other than git do. A verb that is not listed is not known. */
interface System {
  readonly names: string;
  /** Verbs, with a second word where that tells more, that throw away changes no commit holds. */
  readonly discards: RegExp;
  /** Rewrites or takes away commits. */
  readonly rewrites: RegExp;
  /** Others see it afterwards. */
  readonly pushes: RegExp;
  /** Brings what others made. */
  readonly fetches: RegExp;
  /** Makes commits, or moves between them and keeps changes. */
  readonly commits: RegExp;
  readonly reads: RegExp;
}

/** Sources: hg(1) 6.9, Sapling 0.2, Subversion 1.14, Jujutsu 0.30, Fossil 2.26, Perforce 2024. */
const SYSTEMS: readonly System[] = [
  {
    names: 'hg|chg sl',
    discards:
      /^(?:purge|clean|revert|(?:update|up|checkout|co|goto|go)\b.*\s(?:-C|--clean)\b|shelve\b.*\s(?:-d|--delete)\b|unshelve\b)/,
    rewrites:
      /^(?:strip|rollback|uncommit|unamend|histedit|rebase|amend|fold|prune|hide|split|absorb|undo|debugstrip|bookmark\b.*\s(?:-d|--delete)\b)/,
    pushes: /^(?:push|email|pr\s+submit|submit|web|serve|cloud\s+upload)\b/,
    fetches: /^(?:pull|clone|incoming|in|fetch)\b/,
    commits:
      /^(?:commit|ci|add|addremove|rename|mv|move|copy|cp|remove|rm|forget|tag|branch|bookmark|update|up|checkout|co|goto|go|merge|graft|import|resolve|shelve|init|phase|backout|next|prev|unshelve|record)\b/,
    reads:
      /^(?:status|st|log|history|diff|summary|sum|annotate|blame|cat|heads|id|identify|parents|paths|root|tags|branches|bookmarks|files|locate|manifest|outgoing|out|show|smartlog|ssl|sl|version|verify|grep|help|export|archive|bundle|config|showconfig|whereami|journal)\b/,
  },
  {
    names: 'svn',
    discards: /^(?:revert|cleanup\b.*--remove)/,
    rewrites: /^(?!)/,
    pushes:
      /^(?:commit|ci|import|lock|unlock|propset\b.*--revprop|(?:copy|cp|move|mv|rename|delete|del|rm|remove|mkdir)\b.*:\/\/)/,
    fetches: /^(?:checkout|co|update|up|switch|sw|export|merge|relocate)\b/,
    commits:
      /^(?:add|copy|cp|move|mv|rename|delete|del|rm|remove|mkdir|resolve|resolved|propset|ps|propdel|pd|changelist|cl|patch|cleanup)\b/,
    reads:
      /^(?:status|stat|st|log|diff|di|info|list|ls|cat|blame|praise|annotate|ann|propget|pg|proplist|pl|help|mergeinfo)\b/,
  },
  {
    names: 'jj',
    discards:
      /^(?:restore|revert|undo|op(?:eration)?\s+(?:restore|undo|revert|abandon)|file\s+untrack|workspace\s+forget)\b/,
    rewrites:
      /^(?:abandon|rebase|squash|split|absorb|diffedit|parallelize|simplify-parents|bookmark\s+(?:delete|d|forget|move|set)|metaedit)\b/,
    pushes: /^git\s+push\b/,
    fetches: /^git\s+(?:clone|fetch|remote)\b/,
    commits:
      /^(?:new|commit|ci|describe|desc|edit|next|prev|duplicate|bookmark|b|tag|git\s+(?:init|import|export)|workspace|resolve|config\s+set|sign|unsign|fix)\b/,
    reads:
      /^(?:log|status|st|show|diff|interdiff|evolog|op(?:eration)?\s+(?:log|show|diff)|file\s+(?:list|show|annotate|search)|config\s+(?:get|list|path)|root|version|help|util|git\s+root|bookmark\s+list|tag\s+list)\b/,
  },
  {
    names: 'fossil darcs pijul bzr|brz p4',
    discards: /^(?:revert|clean|undo|unrecord|obliterate|reset|uncommit|clean-tree|sync\b.*\s-f\b)/,
    rewrites: /^(?:purge|amend|rebase|shun|rollback|unpull|change\s+-d|shelve\s+-d)\b/,
    pushes: /^(?:push|sync|submit|send|ui|server|serve|put)\b/,
    fetches: /^(?:pull|clone|update|up|checkout|co|branch|get|fetch)\b/,
    commits:
      /^(?:commit|ci|record|add|addremove|mv|rename|rm|remove|merge|tag|stash|shelve|unshelve|edit|delete|open|close|init|new|reconcile|resolve)\b/,
    reads:
      /^(?:status|st|log|timeline|diff|info|ls|list|annotate|blame|cat|show|describe|changes|opened|files|whatsnew|help|version|filelog|print|where|extras|missing|tags|branches|stat)\b/,
  },
];

const analyser =
  (system: System) =>
  (run: Run): void => {
    const words = argumentsOf(run.invocation);
    if (isHelpOnly(words) || words.length === 0) return;
    const at = words.findIndex(({ text }) => !text.startsWith('-'));
    if (at < 0) return;
    const line = words
      .slice(at)
      .map(({ text }) => text)
      .join(' ');
    const { program } = run.invocation;
    if (/\s(?:-n|--dry-run|--preview|--print)(?:\s|$)/.test(line)) return;
    const ref = { type: 'ref', remote: null, ref: `${program} ${words[at]?.text ?? ''}` } as const;
    if (system.discards.test(line))
      run.emit('history', ref, { traits: ['discards'], reversible: 'no', note: 'throws away changes' });
    else if (system.rewrites.test(line)) run.emit('history', ref);
    else if (system.pushes.test(line))
      run.emit('write', { ...ref, remote: program }, { traits: ['publish', 'outward'], reversible: 'no' });
    else if (system.fetches.test(line)) {
      for (const word of words)
        if (/^[a-z+]+:\/\//.test(word.text)) run.network(word, { method: 'GET', traits: ['download'] });
      run.emit('read', { ...ref, remote: program }, { traits: ['download'] });
      run.write(HERE, { traits: ['edit', 'recursive'], content: 'kept' });
    } else if (system.reads.test(line)) run.emit('read', ref);
    else if (system.commits.test(line)) run.emit('write', ref);
    else run.unknown(`sub-command ${words[at]?.text ?? ''} of ${program}`);
  };

/** Version control systems besides git. */
export const otherSystems: readonly ProgramEntry[] = SYSTEMS.flatMap((system) => rows(system.names, analyser(system)));
