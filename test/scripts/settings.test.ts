import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
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

describe('settings', () => {
  it('that say how strict the guard is cannot be set by a workspace', () => {
    const guarding = Object.entries(properties).filter(([name]) => /^lacuna\.(mode|policy\.|approvals\.)/.test(name));
    assert.ok(guarding.length >= 5);
    for (const [name, { scope }] of guarding)
      assert.ok(scope === 'machine' || scope === 'application', `${name} has the scope ${scope ?? 'window'}`);
  });

  it('the schema of policies is offered to YAML editors', () => {
    const [yaml] = manifest.contributes.yamlValidation;
    assert.ok(yaml);
    assert.ok(yaml.fileMatch.includes('.lacuna/*.yaml'));
    JSON.parse(readFileSync(path.join(root, yaml.url), 'utf8'));
  });
});
