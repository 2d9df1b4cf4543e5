import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { parse } from 'yaml';
import type { Certainty } from '../../../../src/core/effects/effect.js';
import { destinationOf, literalTarget } from '../../../../src/core/effects/net/destination.js';
import { parseUrl } from '../../../../src/core/effects/net/url.js';

interface Case {
  note: string;
  target: string;
  raw?: string;
  certainty?: Certainty;
  method?: string;
  host?: string;
  port?: number | null;
  traits?: string[];
  url?: string;
  says?: string;
  file?: string;
  nothing?: boolean;
}
const cases = parse(readFileSync(new URL('./destination.cases.yaml', import.meta.url), 'utf8')) as Case[];

describe('destinations', () => {
  for (const { note, target, raw, certainty, method, ...want } of cases) {
    it(note, () => {
      const found = destinationOf(
        { text: target, raw: raw ?? target, certainty: certainty ?? 'exact' },
        method ?? null,
      );
      if (want.file !== undefined) return assert.deepEqual(found, { type: 'file', path: want.file });
      if (want.nothing) return assert.deepEqual(found, { type: 'nothing' });
      assert.equal(found.type, 'network');
      if (found.type !== 'network') return;
      assert.equal(found.resource.host, want.host);
      assert.equal(found.resource.port, want.port);
      assert.deepEqual([...found.traits].sort(), [...(want.traits ?? [])].sort());
      if (want.url !== undefined) assert.equal(found.resource.url, want.url);
      if (want.says === '') assert.equal(found.note, '');
      else if (want.says !== undefined) assert.ok(found.note.includes(want.says), found.note);
    });
  }

  it('agrees with the platform wherever it answers', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.webUrl({ withQueryParameters: true }),
          fc.ipV4Extended().map((ip) => `http://${ip}/`),
          fc.ipV6().map((ip) => `http://[${ip}]/`),
        ),
        (text) => {
          const ours = parseUrl(text);
          const theirs = URL.canParse(text) ? new URL(text) : null;
          if (theirs === null) return;
          assert.ok(ours !== null, text);
          if (!theirs.hostname.startsWith('[')) assert.equal(ours.host.name, theirs.hostname.replace(/\.$/, ''));
          assert.equal(ours.query, theirs.search === '' ? '' : ours.query);
        },
      ),
    );
  });

  it('never throws', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 60 }),
        (text) => void destinationOf(literalTarget(text), 'GET'),
      ),
    );
    fc.assert(
      fc.property(
        fc.string({ maxLength: 40 }),
        (text) => void destinationOf(literalTarget(`http://${text}/?${text}`), 'GET'),
      ),
    );
  });

  it('sees any host that the platform sees in odd spellings', () => {
    const odd = fc.array(
      fc.constantFrom(
        'http',
        ':',
        '/',
        '\\',
        '@',
        'a.example',
        '127.0.0.1',
        '[::1]',
        '?',
        '#',
        '%2e',
        '。',
        '0x7f',
        '\t',
      ),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(odd, (parts) => {
        const text = `http://${parts.join('')}`;
        const theirs = URL.canParse(text) ? new URL(text) : null;
        const ours = parseUrl(text);
        if (theirs === null || ours === null || theirs.hostname.startsWith('[')) return;
        assert.equal(ours.host.name, theirs.hostname.replace(/\.$/, ''), text);
      }),
      { numRuns: 2000 },
    );
  });
});
