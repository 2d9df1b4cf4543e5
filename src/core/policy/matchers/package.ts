import { nameMayMatch, type NamePattern } from '../namePattern.js';
import type { Predicate } from '../subject.js';
import { tri } from '../tri.js';
import { matchesNames, type NamesOf } from './names.js';

/**
 * Packages that an effect is about. What comes along unnamed, because a manifest names it, is heard by rules that restrict: an
 * allow on a package does not cover the way in which it comes.
 */
export const matchesPackage = (patterns: readonly NamePattern[]): Predicate => {
  const named = matchesNames(patterns, packageNames, 'when-restricting');
  return (subject, reading) => {
    const brings = subject.effect?.brings;
    if (brings === undefined) return named(subject, reading);
    if (reading.isSure) return 'no';
    const glob = `${brings.ecosystem}:${normalPackage(brings.ecosystem, brings.names)}`;
    return tri(patterns.some((pattern) => nameMayMatch(pattern, glob, reading.isRestricting)));
  };
};

/** `npm:left-pad`, `pypi:requests`; with the version as well when it is known, so that `npm:x@1.2.3` can be told apart. */
export const packageNames: NamesOf = ({ resource }) => {
  if (resource.type !== 'package') return [];
  if (resource.name === '') return [''];
  const name = `${resource.ecosystem}:${normalPackage(resource.ecosystem, resource.name)}`;
  return resource.version === null ? [name] : [name, `${name}@${resource.version}`];
};

/**
 * A package pattern as it is compared: the ecosystem in lower case, the name as the ecosystem writes it. A pattern
 * without ecosystem holds in each.
 */
export function normalPackagePattern(pattern: string): string {
  const colon = pattern.indexOf(':');
  if (colon < 0) return `*:${pattern}`;
  const ecosystem = pattern.slice(0, colon).toLowerCase();
  return `${ecosystem}:${normalPackage(ecosystem, pattern.slice(colon + 1))}`;
}

/** PyPI joins runs of `-`, `_`, `.` (PEP 503); npm, NuGet and crates.io names differ by case or hyphen in no way that counts. */
function normalPackage(ecosystem: string, name: string): string {
  if (ecosystem === 'pypi') return name.toLowerCase().replace(/[-_.]+/g, '-');
  if (ecosystem === 'cargo' || ecosystem === 'crates') return name.toLowerCase().replaceAll('_', '-');
  return ecosystem === 'npm' || ecosystem === 'nuget' ? name.toLowerCase() : name;
}
