import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { policyJsonSchema } from '../../../src/core/policy/jsonSchema.js';

const file = path.resolve(import.meta.dirname, '../../../media/policy.schema.json');
const guide = path.resolve(import.meta.dirname, '../../../policies/README.md');

/** Names of the properties of a part of the schema. */
const namesAt = (schema: unknown, ...keys: readonly string[]): string[] => {
  let part: unknown = schema;
  for (const key of keys) part = typeof part === 'object' && part !== null ? Reflect.get(part, key) : undefined;
  return typeof part === 'object' && part !== null ? Object.keys(part) : [];
};

describe('JSON Schema of policies', () => {
  it('is what media/policy.schema.json holds (else run `npx tsx scripts/packs.ts`)', () => {
    assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), JSON.parse(JSON.stringify(policyJsonSchema())));
  });

  it('has each of its fields told in the guide', () => {
    const text = readFileSync(guide, 'utf8');
    const rule = ['properties', 'rules', 'items', 'properties'];
    const fields = [
      ...namesAt(policyJsonSchema(), 'properties').filter((name) => name !== '$schema'),
      ...namesAt(policyJsonSchema(), ...rule),
    ];
    assert.ok(fields.length > 20);
    assert.deepEqual(
      fields.filter((name) => !text.includes(`\`${name}\``)),
      [],
    );
  });
});
