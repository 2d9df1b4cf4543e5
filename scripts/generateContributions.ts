import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { contributions } from './contributions.js';
import { repository } from './host/place.js';
import { main, say } from './say.js';

/** Writes tools, chat participant and model provider into package.json, and their words into package.nls.json. */
main(async () => {
  const { points, words } = contributions();
  update('package.json', (manifest) => ({
    ...manifest,
    contributes: { ...(manifest['contributes'] as object), ...points },
  }));
  update('package.nls.json', (old) => {
    const others = Object.entries(old).filter(([key]) => !/^(tool|chat)\./.test(key));
    return { ...Object.fromEntries(others), ...words };
  });
  return 0;
});

function update(name: string, change: (value: Record<string, unknown>) => Record<string, unknown>): void {
  const file = path.join(repository, name);
  const old = readFileSync(file, 'utf8');
  const text = `${JSON.stringify(change(JSON.parse(old) as Record<string, unknown>), null, 2)}\n`;
  if (text === old) return say(`${name}: as it was`);
  writeFileSync(file, text);
  say(`${name}: written`);
}
