import assert from 'node:assert/strict';
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { addRuleToFile } from '../../src/adapters/ruleFile.js';
import type { RuleSpec } from '../../src/core/policy/schema.js';

const rule = (id: string): RuleSpec => ({
  id,
  match: { effect: { op: 'read', path: ['/opt/a b'] } },
  verdict: 'allow',
});

describe('rules added to a policy file', () => {
  let folder = '';
  beforeEach(() => (folder = mkdtempSync(path.join(os.tmpdir(), 'lacuna-rules-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  it('a file that is not there is made, with its folder', async () => {
    const file = path.join(folder, '.lacuna', 'policy.yaml');
    await addRuleToFile(file, rule('one'));
    assert.match(readFileSync(file, 'utf8'), /^version: 1\nrules:\n {2}- id: one\n/);
    assert.deepEqual(readdirSync(path.dirname(file)), ['policy.yaml']);
  });

  it('comments and order stay, the rule comes last, and all of many at once are kept', async () => {
    const file = path.join(folder, 'policy.yaml');
    const before =
      '# ours\nmode: strict # firm\nversion: 1\nrules:\n  # first\n  - id: z\n    match: {}\n    verdict: ask\n';
    writeFileSync(file, before);
    await Promise.all(['a', 'b', 'c'].map((id) => addRuleToFile(file, rule(id))));
    const after = readFileSync(file, 'utf8');
    assert.ok(after.startsWith(before.trimEnd()), after);
    assert.deepEqual([...after.matchAll(/- id: (\w)/g)].map(([, id]) => id).sort(), ['a', 'b', 'c', 'z']);
  });

  it('an id that is taken and a broken file are errors, and the file stays as it was', async () => {
    const file = path.join(folder, 'policy.yaml');
    const cases: readonly [string, RegExp][] = [
      ['version: 1\nrules:\n  - { id: one, match: {}, verdict: ask }\n', /already has a rule with the id "one"/],
      ['version: 1\nrules: [\n', /has mistakes; mend them first\..*policy\.yaml:\d+:\d+/],
      ['version: 1\nrulez: []\n', /Unknown field "rulez"/],
    ];
    for (const [text, message] of cases) {
      writeFileSync(file, text);
      await assert.rejects(addRuleToFile(file, rule('one')), message);
      assert.equal(readFileSync(file, 'utf8'), text);
      assert.deepEqual(readdirSync(folder), ['policy.yaml']);
    }
  });

  it('a link stays a link', async () => {
    const target = path.join(folder, 'real.yaml');
    const file = path.join(folder, 'policy.yaml');
    writeFileSync(target, 'version: 1\n');
    symlinkSync(target, file);
    await addRuleToFile(file, rule('one'));
    assert.ok(lstatSync(file).isSymbolicLink());
    assert.match(readFileSync(target, 'utf8'), /id: one/);
  });
});
