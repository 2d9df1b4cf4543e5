import type { GitState } from '../effect.js';
import type { Facts } from '../facts.js';
import { stateUnderIgnores, type ChangedIgnore } from '../ignoreFiles.js';
import type { KeptWork } from '../keptWork.js';
import { isWithin } from '../paths.js';

const MAX_HOPS = 8;

/** Whether a file in that state of git would be lost. */
const isLost = (state: GitState): boolean => state === 'modified' || state === 'untracked';

/** Facts as a line changes them while it runs: what it has made is there, and its links lead where it says. */
export function factsOfLine(
  facts: Facts,
  made: ReadonlyMap<string, 'file' | 'folder'>,
  links: ReadonlyMap<string, string>,
  fresh: ReadonlySet<string>,
  kept: KeptWork,
  ignores: ChangedIgnore,
): Facts {
  const through = (path: string): string => {
    let found = path;
    for (let hop = 0; hop < MAX_HOPS; hop += 1) {
      const before = found;
      for (const [link, target] of links) {
        if (isWithin(found, link, facts)) found = target + found.slice(link.length);
      }
      if (found === before) break;
    }
    return found;
  };
  return {
    platform: facts.platform,
    home: facts.home,
    roots: facts.roots,
    temporary: facts.temporary,
    isCaseSensitive: facts.isCaseSensitive,
    entry: (path) => {
      const known = facts.entry(path);
      if (known !== 'absent' && known !== 'unknown') return known;
      if (links.has(path)) return 'link';
      const kind = made.get(path);
      return kind === 'folder' || (kind !== undefined && known === 'absent') ? kind : known;
    },
    realPath: (path) => facts.realPath(links.size === 0 ? path : through(path)),
    readText: (path) => facts.readText(path),
    sizeBytes: (path) => facts.sizeBytes(path),
    list: (path) => facts.list(path),
    gitState: (path) => {
      const known = kept.stateOf(path, stateUnderIgnores(path, facts.gitState(path), facts, ignores));
      const isFresh = known === 'unknown' && [...fresh].some((folder) => isWithin(path, folder, facts));
      return isFresh ? 'absent' : known;
    },
    uncommitted: (path) => {
      const files = facts.uncommitted(path);
      return kept.mark() === 0 || files === null
        ? files
        : files.filter((file) => isLost(kept.stateOf(file, facts.gitState(file))));
    },
    repository: (path) => facts.repository(path),
    environment: (name) => facts.environment(name),
  };
}
