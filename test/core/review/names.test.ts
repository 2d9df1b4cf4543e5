import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import type { Resource } from '../../../src/core/effects/effect.js';
import { namedIn, namesOf, overlapOf, type Overlap } from '../../../src/core/review/names.js';

interface Case {
  readonly note: string;
  readonly request: string;
  readonly want: Overlap;
  readonly path?: string;
  readonly table?: string;
  readonly package?: string;
  readonly ref?: string;
  readonly url?: string;
  readonly remote?: string;
}
const cases = parse(readFileSync(path.join(import.meta.dirname, 'names.cases.yaml'), 'utf8')) as readonly Case[];
const ROOT = '/home/dev/shop';

function resourceOf(one: Case): Resource {
  if (one.table !== undefined) return { type: 'table', database: 'main', table: one.table };
  if (one.package !== undefined) return { type: 'package', ecosystem: 'npm', name: one.package, version: null };
  if (one.ref !== undefined) return { type: 'ref', remote: null, ref: one.ref };
  if (one.remote !== undefined) return { type: 'remote', service: 'kubernetes', name: one.remote };
  if (one.url !== undefined)
    return { type: 'url', url: one.url, host: new URL(one.url).host, port: null, method: 'POST' };
  return { type: 'path', path: `${ROOT}/${one.path ?? ''}`, place: 'workspace', git: 'tracked' };
}

describe('how plainly a request names a thing', () => {
  for (const one of cases)
    it(one.note, () => {
      assert.equal(overlapOf(namesOf(resourceOf(one), [ROOT]), namedIn(one.request)), one.want);
    });
});
