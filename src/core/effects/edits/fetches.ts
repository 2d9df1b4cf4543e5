import { later, mark, newAmong, shownNames, type Finding, type Sides } from './finding.js';

/** Hosts that serve schemas to everybody's editor. What is asked of them says no more than that a file of that sort is open. */
const SCHEMA_HOSTS =
  /^https?:\/\/(?:[\w-]+\.)*(?:schemastore\.org|json-schema\.org|w3\.org|githubusercontent\.com|github\.com|gitlab\.com|jsdelivr\.net|unpkg\.com|npmjs\.com|microsoft\.com|visualstudio\.com|azureedge\.net|azure\.com|googleapis\.com|biomejs\.dev|turbo\.build|turborepo\.com|shadcn\.com|renovatebot\.com|opencode\.ai|typedoc\.org|vercel\.sh|vercel\.com|cloudflare\.com|deno\.land|deno\.com|oxc\.rs|astral\.sh|moonrepo\.dev|nx\.dev|angular\.io|angular\.dev|expo\.dev|prettier\.io|swc\.rs|knip\.dev|cspell\.org|streetsidesoftware\.com|changesets\.dev|tauri\.app|v2\.tauri\.app|getcomposer\.org|openapis\.org|spec\.openapis\.org|asyncapi\.com|apache\.org|springframework\.org|maven\.org|jb\.gg|jetbrains\.com|eslint\.org|lerna\.js\.org|release-it\.io|semantic-release\.org|mintlify\.com|claude\.ai|anthropic\.com|modelcontextprotocol\.io|devcontainers?\.dev|goreleaser\.com|taskfile\.dev|squidfunk\.github\.io|[\w-]+\.github\.io)(?=[/:?#]|$)/i;

/** A schema that an editor fetches as soon as the file is there: a key of JSON, a line that the YAML extension obeys. */
const SCHEMA =
  /["']\$schema["']\s*:\s*["'](https?:\/\/[^"'\s]+)["']|yaml-language-server:\s*\$schema=(https?:\/\/\S+)|noNamespaceSchemaLocation\s*=\s*["'](https?:\/\/[^"'\s]+)["']/g;

const schemasOf = (text: string): readonly string[] =>
  [...text.matchAll(SCHEMA)].map(([, json, yaml, xml]) => json ?? yaml ?? xml ?? '');

/** A schema address that carries something along, or goes to a host that serves no schemas. */
const isPlain = (url: string): boolean => SCHEMA_HOSTS.test(url) && !/[?@]/.test(url) && url.length < 200;

/** Addresses that the editor asks by itself once the file is written. */
export function schemaFindings({ name, before, after }: Sides): readonly Finding[] {
  if (!/\.(?:jsonc?|json5|ya?ml|xml|code-workspace)$|^\.\w+rc$/.test(name) && !/\/\.\w/.test(name)) return [];
  return newAmong(schemasOf(before), schemasOf(after))
    .filter((url) => !isPlain(url))
    .slice(0, 8)
    .map((url) => ({ type: 'fetch', url, note: 'the editor asks for this schema by itself' }));
}

/** Files of tools that say where code or tools come from: which keys, and where they come from as a rule. */
interface Source {
  readonly file: RegExp;
  readonly form: RegExp;
  readonly usual: RegExp;
  readonly note: string;
  /** Whether what is fetched runs as soon as the tool is used. */
  readonly runs: boolean;
}

const SOURCES: readonly Source[] = [
  {
    file: /^(?:gradle|maven)-wrapper\.properties$/,
    form: /^\s*(?:distributionUrl|wrapperUrl)\s*=\s*(\S+)/gm,
    usual:
      /^https?\\?:\/\/(?:services\.gradle\.org|downloads\.gradle\.org|repo1?\.maven\.(?:apache\.)?org|repo\.maven\.apache\.org)\//,
    note: 'the build tool itself comes from',
    runs: true,
  },
  {
    file: /^(?:package-lock|npm-shrinkwrap)\.json$|^(?:yarn|pnpm-lock|bun|composer)\.(?:lock|ya?ml)$/,
    form: /"?(?:resolved|tarball|url)"?:?\s+"?((?:https?|git\+\w+|ssh):\/\/[^/\s"#]+)/g,
    usual:
      /^https?:\/\/(?:registry\.(?:npmjs\.org|yarnpkg\.com)|npm\.pkg\.github\.com|(?:api\.)?github\.com|codeload\.github\.com|repo\.packagist\.org|registry\.npmmirror\.com)$/,
    note: 'packages come from',
    runs: false,
  },
  {
    file: /^(?:requirements[\w.-]*|constraints[\w.-]*)\.(?:txt|in)$|^(?:pipfile|pyproject\.toml|uv\.toml|poetry\.toml)$/,
    form: /(?:^|\s)(?:--(?:extra-)?index-url|-i|--find-links|-f|url|index-url|extra-index-url)\s*(?:=|\s)\s*["']?(https?:\/\/[^\s"']+)|(?:^|[\s"'@])((?:git|hg|svn)\+\w+:\/\/[^\s"']+)/gm,
    usual: /^https:\/\/(?:pypi\.org|files\.pythonhosted\.org|download\.pytorch\.org|github\.com)\//,
    note: 'packages come from',
    runs: false,
  },
  {
    file: /^(?:go\.mod|cargo\.toml|gemfile|build\.gradle(?:\.kts)?|settings\.gradle(?:\.kts)?|pom\.xml|nuget\.config)$/,
    form: /(?:\b(?:git|url|source|registry|index)\b\s*[=:(]?\s*(?:uri\()?\s*["'](https?:\/\/[^"']+)["']|<url>\s*(https?:\/\/[^<\s]+)|value="(https?:\/\/[^"]+)")/g,
    usual:
      /^https:\/\/(?:[\w-]+\.)*(?:github\.com|rubygems\.org|maven\.apache\.org|maven\.org|google\.com|gradle\.org|jitpack\.io|nuget\.org|crates\.io|apache\.org|spring\.io|sonatype\.org|jetbrains\.space|gitlab\.com)(?:\/|$)/,
    note: 'packages come from',
    runs: false,
  },
];

/** Places that packages or tools come from after a change and did not before, beyond the usual registries. */
export function sourceFindings({ name, before, after }: Sides): readonly Finding[] {
  return SOURCES.filter(({ file }) => file.test(name)).flatMap(({ form, usual, note, runs }): Finding[] => {
    const of = (text: string): string[] =>
      [...text.matchAll(form)].map(([, ...groups]) => groups.find((one) => one !== undefined) ?? '');
    const found = newAmong(of(before), of(after)).filter((url) => url !== '' && !usual.test(url));
    if (found.length === 0) return [];
    return [runs ? later(`${note} ${shownNames(found)}`) : mark('adds-network', `${note} ${shownNames(found)}`)];
  });
}
