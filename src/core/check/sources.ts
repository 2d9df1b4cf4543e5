import { parse as parseJsonc } from 'jsonc-parser';

/** Registries and code hosts from which packages ordinarily come. */
const USUAL =
  /^(?:registry\.npmjs\.org|registry\.yarnpkg\.com|npm\.jsr\.io|npm\.pkg\.github\.com|(?:[\w-]+\.)*pypi\.org|files\.pythonhosted\.org|(?:[\w-]+\.)?crates\.io|proxy\.golang\.org|sum\.golang\.org|rubygems\.org|repo1?\.maven\.(?:org|apache\.org)|repo\.maven\.apache\.org|plugins\.gradle\.org|packagist\.org|(?:[\w-]+\.)*github\.com|(?:[\w-]+\.)*githubusercontent\.com|gitlab\.com|bitbucket\.org|codeberg\.org|download\.pytorch\.org|localhost|127\.0\.0\.1|\[::1\])$/i;

const LOCKS =
  /\/(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lock|poetry\.lock|uv\.lock|Pipfile\.lock|Cargo\.lock|Gemfile\.lock|composer\.lock|go\.sum)$/;
const SETTINGS =
  /\/(?:\.npmrc|\.yarnrc(?:\.yml)?|\.pnpmrc|bunfig\.toml|pip\.(?:conf|ini)|\.pip\/pip\.conf|uv\.toml|\.cargo\/config(?:\.toml)?|\.bundle\/config|nuget\.config|settings\.xml)$/i;
const MANIFESTS =
  /\/(?:requirements[\w.-]*\.txt|constraints[\w.-]*\.txt|pyproject\.toml|Pipfile|setup\.cfg|Cargo\.toml|go\.mod|Gemfile|composer\.json)$/;

/** Keys of a manifest besides dependencies whose addresses are for readers only. */
const FOR_READERS =
  /(?:homepage|repository|documentation|bugs|changelog|source|issues|license|readme|download|project[._-]urls)\b["']?\s*[:=]/i;

const hostsIn = (text: string): readonly string[] =>
  [
    ...text.matchAll(
      /(?:(?<![\w+.-])[a-z][\w+.-]{0,40}:)?\/\/(?:[^\s/"'@]*@)?([\w.-]+|\[[\da-f:]+\])(?::\d+)?(?![\w.-])/gi,
    ),
  ].map(([, host = '']) => host.toLowerCase());

/** A table of addresses for readers in pyproject.toml, and the address of a project in setup.cfg, are left out as a whole. */
const withoutReaders = (path: string, text: string): string =>
  /\.cfg$/.test(path)
    ? text.replace(/^[ \t]*(?:url|download_url)[ \t]*=.*$/gm, '')
    : text.replace(/^\[(?:project|tool\.poetry)\.urls\][^[]*/gm, '');

const linesFor = (path: string, text: string): string =>
  LOCKS.test(path) || SETTINGS.test(path)
    ? text
    : withoutReaders(path, text)
        .split('\n')
        .filter((line) => !FOR_READERS.test(line) && !/^\s*#/.test(line))
        .join('\n');

/** Dependencies of a package.json, or of the passage of one that an edit shows, that come from an address. */
function addressesIn(text: string): readonly string[] {
  const pairs = [...text.matchAll(/"(@?[\w./-]+)"\s*:\s*"((?:git\+|git:|https?:|ssh:)[^"]+)"/g)];
  return pairs
    .filter(([, key = '']) => !/^(?:url|homepage|repository|bugs|funding|\$schema|web|type)$/.test(key))
    .map(([, , address = '']) => address);
}

/** Keys of package.json whose addresses are no dependencies are left out where the whole is known. */
function dependenciesText(text: string): string {
  const root: unknown = parseJsonc(text);
  if (typeof root !== 'object' || root === null) return text;
  const parts = Object.entries(root).filter(([key]) => /dependencies$|^(?:overrides|resolutions|pnpm)$/i.test(key));
  return parts.length === 0 ? text : JSON.stringify(Object.fromEntries(parts));
}

/**
 * From which unusual host packages would come after a change, in words; null when from none, or when the host was there before.
 * Source: npm-package-json(5), npmrc(5), pip configuration, Cargo and Go manuals.
 */
export function strangeSource(path: string, before: string | null, after: string | null): string | null {
  if (after === null) return null;
  const isPackage = /\/package\.json$/.test(path);
  if (!isPackage && !LOCKS.test(path) && !SETTINGS.test(path) && !MANIFESTS.test(path)) return null;
  const textOf = (text: string): string =>
    isPackage ? addressesIn(dependenciesText(text)).join('\n') : linesFor(path, text);
  const old = new Set(before === null ? [] : hostsIn(textOf(before)));
  const host = hostsIn(textOf(after)).find((one) => !USUAL.test(one) && !old.has(one));
  return host === undefined ? null : `packages would come from ${host}`;
}
