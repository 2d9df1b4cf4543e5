import { isProse } from './lostChecks.js';
import { mark, shownNames, type Finding, type Sides } from './finding.js';

/** Comments by which a scanner or checker passes over a line. */
const PASSES =
  /(?:#|\/\/|\/\*|--)\s*(nosec\b|nosemgrep\b|gitleaks:allow|pragma: allowlist secret|NOSONAR\b|snyk:ignore|trufflehog:ignore|checkov:skip|tfsec:ignore|trivy:ignore|noqa\b|type:\s*ignore|pylint:\s*disable|@ts-(?:ignore|nocheck|expect-error)|eslint-disable\b|biome-ignore|rubocop:disable|nolint\b|phpcs:ignore|NOLINT\b)/g;

/** Files that say what scanners and checkers pass over, or how strict they are. */
const SETTINGS =
  /^(?:\.gitleaks\.toml|\.gitleaksignore|\.secrets\.baseline|\.trivyignore|\.snyk|\.semgrepignore|\.bandit|bandit\.ya?ml|sonar-project\.properties|\.talismanrc|\.checkov\.ya?ml|codecov\.ya?ml|\.codecov\.ya?ml|codeowners|\.eslintrc(?:\.\w+)?|eslint\.config\.[cm]?[jt]s|tsconfig[\w.-]*\.json|mypy\.ini|ruff\.toml|\.flake8|\.pylintrc|\.rubocop\.yml|\.golangci\.ya?ml|phpstan\.neon(?:\.dist)?|biome\.jsonc?|\.nycrc(?:\.json)?|jest\.config\.[cm]?[jt]s|vitest\.config\.[cm]?[jt]s|pytest\.ini|setup\.cfg|pyproject\.toml)$/;

const STRICTNESS =
  /["']?(strict|noImplicitAny|strictNullChecks|noUncheckedIndexedAccess|disallow_untyped_defs|fail_under|failUnder|branches|functions|lines|statements|coverageThreshold|threshold|max-warnings)["']?\s*[:=]\s*["']?(true|True|\d+(?:\.\d+)?)/g;
const RULE_OFF = /["']([@\w/-]+)["']\s*:\s*(?:["']off["']|0\b|\[\s*["']off["'])/g;

const valuesOf = (text: string): ReadonlyMap<string, string> =>
  new Map([...text.matchAll(STRICTNESS)].map(([, name = '', value = '']): [string, string] => [name, value]));

const isWeaker = (was: string, is: string | undefined): boolean =>
  is === undefined ? true : /\d/.test(was) && /\d/.test(is) && Number(is) < Number(was);

/** Who has to look at a change before it is taken: entries of CODEOWNERS. */
const owners = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim())
    .filter((line) => /\s@/.test(line));

/**
 * Lint rules, type checks, scanners and reviews that a change has passed over or makes weaker. Told, not asked: people do that every
 * day, and the reader should see it. Linear.
 */
export function lostLint(sides: Sides): readonly Finding[] {
  const { before, after, name } = sides;
  if (isProse(sides)) return [];
  const findings: Finding[] = [];
  const count = (text: string): number => [...text.matchAll(PASSES)].length;
  if (count(after) > count(before)) {
    const what = [...after.matchAll(PASSES)].map(([, pass = '']) => pass);
    findings.push(mark('fewer-checks', `has checkers pass over lines: ${shownNames([...new Set(what)])}`));
  }
  if (!SETTINGS.test(name) || before === '') return findings;
  const now = valuesOf(after);
  const weaker = [...valuesOf(before)].filter(([key, was]) => isWeaker(was, now.get(key))).map(([key]) => key);
  const off = (text: string): string[] => [...text.matchAll(RULE_OFF)].map(([, rule = '']) => rule);
  const were = new Set(off(before));
  weaker.push(...off(after).filter((rule) => !were.has(rule)));
  if (weaker.length > 0) findings.push(mark('fewer-checks', `makes checks weaker: ${shownNames(weaker)}`));
  if (name === 'codeowners' && owners(after).length < owners(before).length)
    findings.push(mark('fewer-checks', 'fewer people have to look at changes'));
  if (
    /^\.(?:gitleaksignore|trivyignore|secrets\.baseline|semgrepignore|snyk)$/.test(name) &&
    after.length > before.length
  )
    findings.push(mark('fewer-checks', 'has a scanner pass over more'));
  return findings;
}
