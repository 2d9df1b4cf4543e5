// Turns policies/*.yaml into src/core/policy/packs.generated.ts, so that a start needs neither YAML nor zod, and the schema of
// policies into media/policy.schema.json.
//   npx tsx scripts/packs.ts
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { policyJsonSchema } from '../src/core/policy/jsonSchema.js';
import { parsePolicy } from '../src/core/policy/parse.js';
import { problemLine } from '../src/core/policy/problem.js';

const policies = path.resolve(import.meta.dirname, '../policies');
export const target = path.resolve(import.meta.dirname, '../src/core/policy/packs.generated.ts');

/** Names of the packs' files, in order. */
export const packFiles = (): string[] =>
  readdirSync(policies)
    .filter((file) => file.endsWith('.yaml'))
    .sort();

/** Text of one pack's file. */
export const packText = (file: string): string => readFileSync(path.join(policies, file), 'utf8');

/** Text of the generated module. Tests of packs stay behind: nothing needs them at run time. */
export function generated(): string {
  const lines = packFiles().map((file) => {
    const parsed = parsePolicy(file, packText(file));
    if (!parsed.ok) throw new Error(parsed.error.map(problemLine).join('\n'));
    const { tests: _tests, ...spec } = parsed.value.spec;
    return `  [${JSON.stringify(`lacuna:${file.replace(/\.yaml$/, '')}`)}, ${JSON.stringify(JSON.stringify(spec))}],`;
  });
  return [
    '// Made by scripts/packs.ts from policies/*.yaml. Do not edit: a test fails when the two differ.',
    '/** Built-in packs by name, as JSON. */',
    'export const PACK_TEXTS: ReadonlyMap<string, string> = new Map([',
    ...lines,
    ']);',
    '',
  ].join('\n');
}

/** Where the JSON Schema lies that the editor completes from. */
const schemaTarget = path.resolve(import.meta.dirname, '../media/policy.schema.json');

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  writeFileSync(target, generated());
  writeFileSync(schemaTarget, `${JSON.stringify(policyJsonSchema(), null, 2)}\n`);
}
