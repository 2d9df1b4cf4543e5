import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { createHash } from 'node:crypto';

/** Everything below a folder as lines: path, type, mode, content. `.git` at the top is left out, as checkpoints leave it. */
export function snapshot(root: string): readonly string[] {
  const lines: string[] = [];
  const visit = (folder: string): void => {
    for (const name of readdirSync(folder).sort()) {
      if (folder === root && name === '.git') continue;
      const file = path.join(folder, name);
      const stats = lstatSync(file);
      const mode = (stats.mode & 0o7777).toString(8);
      const shown = path.relative(root, file);
      if (stats.isSymbolicLink()) lines.push(`${shown} -> ${readlinkSync(file)}`);
      else if (stats.isDirectory()) {
        lines.push(`${shown}/ ${mode}`);
        visit(file);
      } else lines.push(`${shown} ${mode} ${createHash('sha256').update(readFileSync(file)).digest('hex')}`);
    }
  };
  visit(root);
  return lines;
}
