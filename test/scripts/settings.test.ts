import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

interface Manifest {
  readonly contributes: {
    readonly configuration: { readonly properties: Readonly<Record<string, { readonly scope?: string }>> };
    readonly yamlValidation: readonly { readonly fileMatch: readonly string[]; readonly url: string }[];
  };
  readonly capabilities: { readonly untrustedWorkspaces: { readonly supported: unknown } };
}

const root = path.resolve(import.meta.dirname, '../..');
const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as Manifest;
const { properties } = manifest.contributes.configuration;

/** How a setting of ours looks in a text. */
const SETTING = /\blacuna\.(?:model|policy|limits|sandbox|reviewer|approvals|http)\b(?:\.[a-zA-Z]+)*/g;
/** Names of other things that look like one: commands, and places in the secret storage. */
const OTHER_NAMES = new Set(['lacuna.model.apiKey', 'lacuna.policy.runTests', 'lacuna.policy.try']);

describe('settings', () => {
  it('that say how strict the guard is cannot be set by a workspace', () => {
    const guarding = Object.entries(properties).filter(([name]) => /^lacuna\.(mode|policy\.|approvals\.)/.test(name));
    assert.ok(guarding.length >= 5);
    for (const [name, { scope }] of guarding)
      assert.ok(scope === 'machine' || scope === 'application', `${name} has the scope ${scope ?? 'window'}`);
  });

  it('that messages send people to are all there', () => {
    const named = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => [...readFileSync(path.join(root, 'src', file), 'utf8').matchAll(SETTING)])
      .map(([name]) => name.replace(/\.$/, ''));
    assert.ok(named.includes('lacuna.model.baseUrl'));
    const groups = new Set(Object.keys(properties).flatMap((name) => [name, name.split('.').slice(0, 2).join('.')]));
    assert.deepEqual(
      named.filter((name) => !groups.has(name) && !OTHER_NAMES.has(name)),
      [],
    );
  });

  it('the schema of policies is offered to YAML editors', () => {
    const [yaml] = manifest.contributes.yamlValidation;
    assert.ok(yaml);
    assert.ok(yaml.fileMatch.includes('.lacuna/*.yaml'));
    JSON.parse(readFileSync(path.join(root, yaml.url), 'utf8'));
  });
});
