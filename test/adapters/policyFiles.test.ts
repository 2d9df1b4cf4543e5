import assert from 'node:assert/strict';
import { generateKeyPairSync, sign } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { organisationSources, policyFiles } from '../../src/adapters/policyFiles.js';
import { loadSources, type LoadedSource } from '../../src/core/policy/load.js';

const TEXT = 'version: 1\nrules:\n  - { id: no-push, match: { command: "git push **" }, verdict: deny }\n';
const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const PEM = publicKey.export({ type: 'spki', format: 'pem' }).toString();
const RAW = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('base64');

let folder = '';
const file = (name: string): string => path.join(folder, name).replaceAll('\\', '/');

/** Writes a file and, unless it is to be unsigned, its signature. */
function write(name: string, text: string, signed: 'signed' | 'unsigned', content = text): void {
  writeFileSync(file(name), content);
  if (signed === 'signed')
    writeFileSync(file(`${name}.sig`), sign(null, Buffer.from(text), privateKey).toString('base64'));
}

async function load(place: string, key: string | null): Promise<readonly LoadedSource[]> {
  return loadSources(organisationSources(place, { key }), policyFiles);
}

const problemOf = async (key: string): Promise<string> => {
  const [loaded] = await load(file('policy.yaml'), key);
  assert.equal(loaded?.files, null);
  return loaded.problems[0]?.message ?? '';
};

describe('policy files on disk', () => {
  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'lacuna-organisation-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  for (const [form, key] of [
    ['PEM', PEM],
    ['32 bytes in base64', RAW],
  ] as const)
    it(`a signed file holds, with the key as ${form}`, async () => {
      write('policy.yaml', TEXT, 'signed');
      const [loaded] = await load(file('policy.yaml'), key);
      assert.equal(loaded?.files?.[0]?.spec.rules?.[0]?.id, 'no-push');
    });

  it('without a key nothing has to be signed', async () => {
    write('policy.yaml', TEXT, 'unsigned');
    assert.notEqual((await load(file('policy.yaml'), null))[0]?.files, null);
  });

  it('an unsigned file, a changed one, another key and no key at all are refused with a reason', async () => {
    write('policy.yaml', TEXT, 'unsigned');
    assert.match(await problemOf(PEM), /not signed/);
    write('policy.yaml', TEXT, 'signed', TEXT.replace('deny', 'ask'));
    assert.match(await problemOf(PEM), /does not fit/);
    write('policy.yaml', TEXT, 'signed');
    const other = generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' }).toString();
    assert.match(await problemOf(other), /does not fit/);
    for (const key of [
      '',
      'x',
      generateKeyPairSync('x25519').publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    ])
      assert.match(await problemOf(key), /no Ed25519 public key/);
  });

  it('what a signed file extends must be signed too', async () => {
    write('policy.yaml', 'version: 1\nextends: ./more.yaml\n', 'signed');
    write('more.yaml', TEXT, 'unsigned');
    assert.match(await problemOf(PEM), /not signed/);
    write('more.yaml', TEXT, 'signed');
    assert.equal((await load(file('policy.yaml'), PEM))[0]?.files?.length, 2);
  });

  it('a folder is all its YAML files', async () => {
    write('b.yaml', TEXT, 'unsigned');
    write('a.yml', TEXT.replace('no-push', 'other'), 'unsigned');
    write('notes.txt', 'x', 'unsigned');
    const loaded = await load(folder, null);
    assert.deepEqual(
      loaded.map(({ source }) => path.basename(source.path)),
      ['a.yml', 'b.yaml'],
    );
    assert.ok(loaded.every(({ files }) => files?.length === 1));
  });

  it('text that is not UTF-8 is refused', async () => {
    writeFileSync(file('policy.yaml'), Buffer.from('version: 1\nname: caf\u00e9\n', 'latin1'));
    const [loaded] = await load(file('policy.yaml'), null);
    assert.match(loaded?.problems[0]?.message ?? '', /UTF-8/);
  });
});
