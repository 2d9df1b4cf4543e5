import type { Brings, Word } from '../../../effect.js';
import { canonicalPath, joinPath } from '../../../paths.js';
import type { Run } from '../../run.js';
import type { Manifest } from './scripts.js';

/** More names than this are told as "any". */
const MAX_NAMES = 200;

/** What a command brings along without naming it: packages of an ecosystem by name; `null` when the names are not known. */
export function bringsOf(ecosystem: string, names: Iterable<string> | null): Brings | undefined {
  const list = names === null ? null : [...new Set(names)];
  if (list?.length === 0) return undefined;
  const isPlain = list !== null && list.length <= MAX_NAMES && list.every((name) => /^[@\w./-]+$/.test(name));
  const glob = !isPlain ? '*' : list.length === 1 ? (list[0] ?? '*') : `{${list.join(',')}}`;
  return { ecosystem, names: glob };
}

/** What a `package.json` names; anything where it is not known, or speaks for other folders too. */
export function broughtByManifest(run: Run, manifest: Manifest | null, folder: string | null): Brings | undefined {
  const { facts } = run;
  const isOne =
    manifest !== null &&
    manifest.workspaces.length === 0 &&
    folder !== null &&
    facts.entry(joinPath(folder, 'pnpm-workspace.yaml', facts.platform)) !== 'file';
  return bringsOf('npm', isOne ? manifest.dependencies : null);
}

/** What a `composer.json` names, but for what the platform itself is: `php`, `ext-json`. */
export const broughtByComposer = (manifest: Manifest | null): Brings | undefined =>
  bringsOf('composer', manifest === null ? null : [...manifest.dependencies].filter((name) => name.includes('/')));

/** What requirement files name; anything where one is not known or leads on to others. Source: pip, "Requirements File Format". */
export function broughtByRequirements(run: Run, files: readonly Word[]): Brings | undefined {
  const names: string[] = [];
  for (const file of files) {
    const text = textOf(run, file);
    if (text === null) return bringsOf('pypi', null);
    for (const line of text.split(/\r?\n/)) {
      const bare = line.replace(/(^|\s)#.*$/, '').trim();
      if (bare === '' || /^--(?:index-url|extra-index-url|find-links|hash|no-binary|only-binary|pre)\b/.test(bare))
        continue;
      const name = /^([A-Za-z0-9][\w.-]*)\s*(?:\[[^\]]*\])?\s*(?:$|[<>=!~;@\s\\])/.exec(bare)?.[1];
      if (name === undefined) return bringsOf('pypi', null);
      names.push(name);
    }
  }
  return bringsOf('pypi', files.length === 0 ? null : names);
}

/** What the manifest of another ecosystem names, as far as its lines show it. */
export function broughtByLines(run: Run, kind: keyof typeof LINES): Brings | undefined {
  const { ecosystem, file, namesIn } = LINES[kind];
  const { cwd } = run.invocation;
  const text = cwd === null ? null : run.facts.readText(joinPath(cwd, file, run.facts.platform));
  return bringsOf(ecosystem, text === null ? null : namesIn(text));
}

const LINES = {
  gem: {
    ecosystem: 'gem',
    file: 'Gemfile',
    namesIn: (text: string): readonly string[] | null =>
      /^\s*(?:gemspec|eval_gemfile)\b/m.test(text)
        ? null
        : [...text.matchAll(/^\s*gem[\s(]+['"]([\w.-]+)['"]/gm)].map(([, name]) => name ?? ''),
  },
  cargo: {
    ecosystem: 'cargo',
    file: 'Cargo.toml',
    namesIn: (text: string): readonly string[] | null =>
      /^\[(?:workspace|target)\b/m.test(text)
        ? null
        : [...text.matchAll(/^\[(?:dev-|build-)?dependencies(?:\.([\w-]+))?\]([^[]*)/gm)].flatMap(
            ([, one, body = '']) =>
              one === undefined ? [...body.matchAll(/^([\w-]+)\s*[.=]/gm)].map(([, name]) => name ?? '') : [one],
          ),
  },
  go: {
    ecosystem: 'go',
    file: 'go.mod',
    namesIn: (text: string): readonly string[] | null =>
      [...text.matchAll(/^\s*(?:require\s+)?([\w.~-]+\.[\w.~-]+\/\S+)\s+v\d/gm)].map(([, name]) => name ?? ''),
  },
} as const;

function textOf(run: Run, file: Word): string | null {
  const { cwd } = run.invocation;
  if (cwd === null || file.certainty !== 'exact') return null;
  return run.facts.readText(canonicalPath(file.text, cwd, run.facts, 'follow'));
}
