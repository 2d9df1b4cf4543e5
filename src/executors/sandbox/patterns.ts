import { lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';
import picomatch from 'picomatch';
import { isSystemError } from '../fill.js';

const MAX_ENTRIES = 50_000;

function namesIn(folder: string): readonly string[] {
  try {
    return lstatSync(folder).isDirectory() ? readdirSync(folder) : [];
  } catch (error) {
    if (isSystemError(error)) return [];
    throw error;
  }
}

/** What there is below a folder that a glob matches. A folder that matches is taken as a whole. Bounded. */
function expand(glob: string): readonly string[] {
  const { base } = picomatch.scan(glob);
  const matches = picomatch(glob, { dot: true, nonegate: true });
  const found: string[] = [];
  const queue = [base === '' ? '/' : base];
  let left = MAX_ENTRIES;
  for (let at = queue.pop(); at !== undefined && left > 0; at = queue.pop())
    for (const name of namesIn(at)) {
      left -= 1;
      const file = path.join(at, name);
      if (matches(file)) found.push(file);
      else if (name !== 'node_modules' && name !== '.git') queue.push(file);
    }
  return found;
}

/**
 * Absolute paths that a rule's paths stand for now: relative ones below each workspace folder, `~` for the home folder, `x/**`
 * for `x`, other globs for what there is that they match.
 */
export function placesOf(patterns: readonly string[], roots: readonly string[], home: string): readonly string[] {
  return patterns
    .flatMap((pattern) => {
      const whole = pattern.replace(/\/\*\*$/, '');
      if (whole === '~' || whole.startsWith('~/')) return [path.join(home, whole.slice(1))];
      return path.isAbsolute(whole) ? [path.normalize(whole)] : roots.map((root) => path.join(root, whole));
    })
    .flatMap((place) => (/[*?[{]/.test(place) ? expand(place) : [place]));
}
