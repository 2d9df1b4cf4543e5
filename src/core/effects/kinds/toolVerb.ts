/** What a tool does, as far as its name says. */
export type ToolVerb = 'read' | 'write' | 'delete' | 'move' | 'send' | 'run' | 'unknown';

const VERBS: readonly (readonly [ToolVerb, ReadonlySet<string>])[] = [
  [
    'delete',
    new Set(
      'delete remove destroy drop purge unlink rm rmdir erase wipe truncate clear terminate uninstall revoke kill prune del flush void'.split(
        ' ',
      ),
    ),
  ],
  [
    'send',
    new Set(
      'send post publish push comment reply tweet email mail notify message share submit merge deploy release invite upload transfer pay announce broadcast refund dispatch'.split(
        ' ',
      ),
    ),
  ],
  ['move', new Set('move rename mv'.split(' '))],
  [
    'write',
    new Set(
      'write create update edit save append put patch replace insert add set modify apply make mkdir enable disable assign close reopen fork star approve cancel schedule start stop restart scale transition react subscribe unsubscribe pause resume dismiss trigger'.split(
        ' ',
      ),
    ),
  ],
  ['run', new Set('run execute exec eval evaluate invoke call spawn launch terminal shell bash console'.split(' '))],
  [
    'read',
    new Set(
      'read get list search find view show fetch query select describe inspect status diff log logs lookup resolve count check explain cat head tail open download browse navigate grep glob stat info tree snapshot screenshot analyze analyse validate lint summarize think wait'.split(
        ' ',
      ),
    ),
  ],
];

/** Things that others see once they are made: `create_issue` is sending. */
const SEEN_BY_OTHERS =
  /issue|pull.?request|\bpr\b|comment|review|gist|message|email|mail|post|tweet|release|repository|\brepo\b|page|ticket|event|webhook|channel|thread|reaction|refund|payment|invoice|deployment|\bfilter\b|\bdsn\b/i;

/**
 * The strongest verb among the words of a tool's name: `github.create_issue` → `send`, `mcp__fs__read_file` → `read`. In VS Code's
 * `mcp_mail_read_inbox` the first word is the server's and says nothing.
 */
export function verbOf(tool: string): ToolVerb {
  const words = (
    tool
      .replace(/^mcp_(?!_)[^_]+_(?=.)/, '')
      .split(/__|[./:]/)
      .at(-1) ?? tool
  )
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  const found = VERBS.find(([, names]) => words.some((word) => names.has(word)))?.[0] ?? 'unknown';
  return found === 'write' && SEEN_BY_OTHERS.test(words.join(' ')) ? 'send' : found;
}
