import type { Facts } from '../facts.js';
import { canonicalPath, placeOf } from '../paths.js';

/** Folders and names by which projects keep what a test or a build makes and can make again. */
const TEST_FOLDER = /\/(?:tmp|temp|\.tmp|\.cache|cache|coverage|fixtures|tests?|__tests__|spec)\//i;
const TEST_NAME = /(?:^|[._-])(?:tests?|tmp|temp|scratch)(?:[._-][^/]*)?$/i;

/**
 * Whether a database is one that nobody would miss: in memory, a file in a folder for temporary files, or a file of the workspace
 * that is named after tests and that git does not watch over. Everything else holds data that no checkpoint brings back row by row.
 */
export function isThrowaway(database: string, cwd: string | null, facts: Facts): boolean {
  if (database.includes(':memory:')) return true;
  if (cwd === null || /^\w+:\/\//.test(database)) return false;
  const path = canonicalPath(database, cwd, facts, 'follow');
  const place = placeOf(path, facts);
  if (place === 'temp') return true;
  const root = facts.roots.find((folder) => path.startsWith(`${folder}/`));
  if (place !== 'workspace' || root === undefined) return false;
  const inside = path.slice(root.length);
  if (!TEST_FOLDER.test(inside) && !TEST_NAME.test(inside.replace(/^.*\//, ''))) return false;
  return /^(?:ignored|absent|unknown)$/.test(facts.gitState(path));
}
