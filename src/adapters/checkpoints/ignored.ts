import { readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { isSystemError } from './disk.js';

/** Rules of one `.gitignore`, for what lies below its folder. */
interface Layer {
  readonly folder: string;
  readonly rules: Ignore;
}

function readRules(file: string): Ignore | null {
  try {
    return ignore({ allowRelativePaths: false }).add(readFileSync(file, 'utf8'));
  } catch (error) {
    if (isSystemError(error)) return null;
    throw error;
  }
}

/**
 * What git would ignore, told without git: `.gitignore` files from the top down, `.git/info/exclude`, and the person's own list.
 * The deepest rule that speaks wins. Immutable: going into a folder gives a new one.
 */
export class IgnoreRules {
  readonly #layers: readonly Layer[];

  private constructor(layers: readonly Layer[]) {
    this.#layers = layers;
  }

  /** Rules at the top of a workspace folder. */
  static at(root: string): IgnoreRules {
    const files = [path.join(os.homedir(), '.config/git/ignore'), path.join(root, '.git/info/exclude')];
    const layers = files.flatMap((file) => {
      const rules = readRules(file);
      return rules === null ? [] : [{ folder: root, rules }];
    });
    return new IgnoreRules(layers).within(root, true);
  }

  /** Rules below a folder; the same ones when it has no `.gitignore`. */
  within(folder: string, hasRules: boolean): IgnoreRules {
    const rules = hasRules ? readRules(path.join(folder, '.gitignore')) : null;
    return rules === null ? this : new IgnoreRules([...this.#layers, { folder, rules }]);
  }

  /** Whether a path is ignored. Its folders are asked about before: below an ignored one everything is. */
  isIgnored(file: string, isFolder: boolean): boolean {
    for (const { folder, rules } of this.#layers.toReversed()) {
      const relative = path.relative(folder, file).split(path.sep).join('/');
      if (relative === '' || relative.startsWith('../')) continue;
      const { ignored, unignored } = rules.test(isFolder ? `${relative}/` : relative);
      if (ignored) return true;
      if (unignored) return false;
    }
    return false;
  }
}
