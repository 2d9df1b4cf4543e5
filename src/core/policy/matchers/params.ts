import { compares, type Comparison } from '../comparison.js';
import { nameMatches, type NamePattern } from '../namePattern.js';
import type { Predicate } from '../subject.js';
import { tri } from '../tri.js';

/** What one parameter must be. `test` is a pattern on a linear-time engine. */
export type ParamTest =
  | { readonly type: 'name'; readonly pattern: NamePattern }
  | { readonly type: 'regex'; readonly test: (text: string) => boolean }
  | { readonly type: 'number'; readonly comparison: Comparison }
  | { readonly type: 'boolean'; readonly value: boolean };

/** Parameters by dotted path. A list matches when any of its items does; a parameter that is absent matches nothing. */
export const matchesParams =
  (tests: readonly { readonly path: readonly string[]; readonly test: ParamTest }[]): Predicate =>
  ({ proposal }, { isRestricting }) =>
    tri(
      tests.every(({ path, test }) =>
        valuesAt(proposal.params, path).some((value) => passes(test, value, isRestricting)),
      ),
    );

function valuesAt(value: unknown, path: readonly string[]): readonly unknown[] {
  if (Array.isArray(value)) return value.flatMap((item: unknown) => valuesAt(item, path));
  const [key, ...rest] = path;
  if (key === undefined) return value === undefined ? [] : [value];
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return [];
  return valuesAt((value as Record<string, unknown>)[key], rest);
}

function passes(test: ParamTest, value: unknown, ignoreCase: boolean): boolean {
  switch (test.type) {
    case 'boolean':
      return value === test.value;
    case 'number':
      return typeof value === 'number' && compares(test.comparison, value);
    case 'name':
      return typeof value === 'string' && nameMatches(test.pattern, value, ignoreCase);
    case 'regex':
      return typeof value === 'string' && test.test(value);
  }
}
