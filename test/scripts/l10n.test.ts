import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { repository } from '../../scripts/host/place.js';
import { bundleFile, bundleText, gatherTexts } from '../../scripts/l10n.js';

const read = (name: string): string => readFileSync(path.join(repository, name), 'utf8');

describe('texts for people', () => {
  const found = gatherTexts();

  it('are all written out where a translator finds them', () => assert.deepEqual(found.problems, []));
  it('are all in the bundle (npx tsx scripts/l10n.ts)', () =>
    assert.equal(readFileSync(bundleFile, 'utf8'), bundleText(found)));
  it('of the manifest are all in package.nls.json, and nothing else is there', () => {
    const used = new Set([...read('package.json').matchAll(/"%([\w.]+)%"/g)].map(([, key]) => key));
    assert.deepEqual([...used].sort(), Object.keys(JSON.parse(read('package.nls.json')) as object).sort());
  });
  it('of the manifest are all taken from package.nls.json', () => {
    const { contributes } = JSON.parse(read('package.json')) as { readonly contributes: object };
    const plain: string[] = [];
    const visit = (value: unknown, key: string): void => {
      if (typeof value === 'object' && value !== null)
        for (const [name, inner] of Object.entries(value)) visit(inner, Array.isArray(value) ? key : name);
      else if (/^(title|description|markdownDescription|name|contents|displayName|label)$/.test(key))
        if (typeof value === 'string' && / /.test(value)) plain.push(`${key}: ${value}`);
    };
    // What models read of tools is for them, and stays in one language.
    visit({ ...contributes, languageModelTools: [] }, '');
    assert.deepEqual(plain, []);
  });
});
