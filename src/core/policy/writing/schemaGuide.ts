import { TRAITS } from '../../effects/effect.js';
import { FINDINGS } from '../context.js';
import { policyJsonSchema } from '../jsonSchema.js';
import { packNamed, packNames } from '../packs.js';

/** A part of a JSON Schema, as far as it is looked at here. */
type Schema = Readonly<Record<string, unknown>>;

/** What may be written at one place of a policy. */
export interface Choice {
  readonly text: string;
  /** What it means; empty when the schema does not say. */
  readonly description: string;
  /** What its value is, for fields: so that the editor can put what comes next. */
  readonly shape: 'map' | 'list' | 'value';
}

/** A path into a policy: fields and indexes. */
export type PolicyPath = readonly (string | number)[];

let root: Schema | null = null;
const rootSchema = (): Schema => (root ??= policyJsonSchema());

/** Fields that may stand in the map at a path, with what they mean. */
export function fieldsAt(path: PolicyPath): readonly Choice[] {
  const found = new Map<string, Choice>();
  for (const schema of schemasAt(path))
    for (const [name, value] of Object.entries(propertiesOf(schema)))
      if (!found.has(name)) found.set(name, { text: name, description: describe(value), shape: shapeOf(value) });
  found.delete('$schema');
  return [...found.values()];
}

/** Values that may stand at a path, where they can be told: words of a list, switches, names of packs and rules. */
export function valuesAt(path: PolicyPath): readonly Choice[] {
  const field = path.findLast((part) => typeof part === 'string');
  if (path.length <= 2 && path[0] === 'extends') return packChoices();
  if (field === 'overrides') return firmRules();
  const found = new Map<string, Choice>();
  for (const schema of schemasAt(path).flatMap((one) => [one, ...itemsOf(one)]))
    for (const value of wordsOf(schema))
      found.set(value, { text: value, description: wordMeans(field, value), shape: 'value' });
  return [...found.values()];
}

/** What the field or value at a path means, with what may stand there; empty when nothing is known of it. */
export function meaningOf(path: PolicyPath): string {
  const name = path.at(-1);
  const parent = fieldsAt(path.slice(0, -1)).find(({ text }) => text === name);
  if (parent === undefined) return '';
  const values = valuesAt(path).map(({ text }) => text);
  const list = values.length === 0 || values.length > 40 ? '' : `One of: ${values.map((v) => `\`${v}\``).join(', ')}.`;
  return [parent.description, list].filter((text) => text !== '').join('\n\n');
}

/** What a word means where it stands as a value; empty when it has no explanation of its own. */
export const valueMeans = (path: PolicyPath, value: string): string =>
  valuesAt(path).find(({ text }) => text === value)?.description ?? '';

/** Schemas that hold at a path: several where the language has alternatives. */
function schemasAt(path: PolicyPath): readonly Schema[] {
  let now = alternatives(rootSchema());
  for (const part of path)
    now = now.flatMap((schema) => {
      const next = typeof part === 'number' ? schema['items'] : stepInto(schema, part);
      return isSchema(next) ? alternatives(next) : [];
    });
  return now;
}

/** A field of a map, or any field of a map whose fields are names that people choose. */
function stepInto(schema: Schema, field: string): unknown {
  const properties = propertiesOf(schema);
  return Object.hasOwn(properties, field) ? properties[field] : schema['additionalProperties'];
}

const itemsOf = (schema: Schema): readonly Schema[] => {
  const items = schema['items'];
  return isSchema(items) ? alternatives(items) : [];
};

/** The schema itself with references and alternatives resolved. */
function alternatives(schema: Schema): readonly Schema[] {
  const reference = schema['$ref'];
  if (typeof reference === 'string') {
    const target = (rootSchema()['definitions'] as Schema | undefined)?.[reference.replace('#/definitions/', '')];
    return isSchema(target) ? alternatives(target) : [];
  }
  const inner = [schema['anyOf'], schema['allOf']]
    .flatMap((list) => (Array.isArray(list) ? list : []))
    .filter(isSchema);
  return [schema, ...inner.flatMap(alternatives)];
}

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const propertiesOf = (schema: Schema): Schema => {
  const properties = schema['properties'];
  return isSchema(properties) ? properties : {};
};

function describe(schema: unknown): string {
  if (!isSchema(schema)) return '';
  const found = alternatives(schema).find(({ description }) => typeof description === 'string');
  return typeof found?.['description'] === 'string' ? found['description'] : '';
}

function shapeOf(schema: unknown): Choice['shape'] {
  if (!isSchema(schema)) return 'value';
  const types = alternatives(schema).map(({ type }) => type);
  if (types.includes('string') || types.includes('number') || types.includes('integer') || types.includes('boolean'))
    return 'value';
  return types.includes('array') ? 'list' : types.includes('object') ? 'map' : 'value';
}

function wordsOf(schema: Schema): readonly string[] {
  if (Array.isArray(schema['enum'])) return schema['enum'].map(String);
  if (schema['const'] !== undefined) return [String(schema['const'])];
  return schema['type'] === 'boolean' ? ['true', 'false'] : [];
}

function wordMeans(field: string | undefined, value: string): string {
  if (field === 'trait' || field === 'traits')
    return Object.hasOwn(TRAITS, value) ? TRAITS[value as keyof typeof TRAITS] : '';
  if (field === 'finding' || field === 'findings')
    return Object.hasOwn(FINDINGS, value) ? FINDINGS[value as keyof typeof FINDINGS] : '';
  return Object.hasOwn(WORDS, value) ? (WORDS[value] ?? '') : '';
}

/** Words of the language that do not explain themselves. */
const WORDS: Readonly<Record<string, string>> = {
  allow: 'It is done.',
  modify: 'It is changed as `repair` says, and judged again.',
  sandbox: 'It is done in isolation; where there is none, a person is asked.',
  ask: 'A person is asked; without one it is refused.',
  deny: 'It is refused.',
  exact: 'This very resource.',
  pattern: 'Whatever a glob names.',
  dynamic: 'Known only when it runs.',
  list: 'Lists names, which is not reading.',
  persist: 'Makes something run later or elsewhere.',
  history: 'Rewrites history.',
  unknown: 'What could not be understood.',
  none: 'Nothing is done.',
};

const packChoices = (): readonly Choice[] =>
  packNames().map((name) => ({
    text: name,
    description: packNamed(name)?.spec.description ?? '',
    shape: 'value',
  }));

/** Firm rules of the packs, which are what `overrides` can name. */
const firmRules = (): readonly Choice[] =>
  packNames().flatMap((name) =>
    (packNamed(name)?.spec.rules ?? [])
      .filter(({ firm }) => firm === true)
      .map(({ id, reason }): Choice => ({ text: id, description: reason ?? '', shape: 'value' })),
  );
