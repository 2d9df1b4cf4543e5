import { later, newAmong, shownNames, type Finding, type Sides } from './finding.js';

/** Keys of a tool's settings file that name a program it runs, or code it loads, by itself. */
interface Settings {
  readonly file: RegExp;
  readonly form: RegExp;
  readonly note: string;
}

const TABLE: readonly Settings[] = [
  {
    // Filters and drivers of git run a program on checkout, diff and merge; those of Git LFS and git's own are everyday.
    file: /\/\.gitattributes$|\/\.git\/info\/attributes$/,
    form: /\b((?:filter|diff|merge)=(?!lfs\b|text\b|binary\b|union\b|ours\b|(?:ada|bash|bibtex|cpp|csharp|css|dts|elixir|fortran|fountain|golang|html|java|kotlin|markdown|matlab|objc|pascal|perl|php|python|ruby|rust|scheme|tex|sqlite3?|json|exif|astextplain|git-crypt|npm-merge-driver)\b)[\w.-]+)/g,
    note: 'git runs a program of the settings on these files',
  },
  {
    file: /\/\.cargo\/config(?:\.toml)?$/,
    form: /^\s*((?:runner|linker|rustc-wrapper|rustc-workspace-wrapper|rustc|rustdoc|credential-provider|replace-with)\s*=\s*.+)$/gm,
    note: 'cargo runs or takes packages from',
  },
  {
    file: /\/\.?(?:mise|asdf|tool-versions|direnv)(?:\.\w+)?$/,
    form: /^\s*((?:run|hooks|enter|cd|leave|postinstall|preinstall|_\.source|_\.file)\s*=\s*.+)$/gm,
    note: 'runs when the folder is entered or tools are installed',
  },
  {
    file: /\/\.yarnrc\.yml$/,
    form: /^\s*((?:yarnPath|plugins|npmRegistryServer|enableScripts|unsafeHttpWhitelist).*)$/gm,
    note: 'yarn runs or trusts',
  },
  {
    file: /\/(?:\.swcrc|babel\.config\.json|\.babelrc|tsconfig[\w.-]*\.json|\.eslintrc(?:\.json)?|\.prettierrc(?:\.json)?|\.stylelintrc(?:\.json)?|nx\.json)$/,
    form: /"(?:plugins?|presets?|parser|extends|transform|wasmPlugins)"\s*:\s*\[?\s*"((?:\/|\.\.\/|~|https?:)[^"]*)"/g,
    note: 'a build loads code from outside the project',
  },
  {
    // Lines of other texts in such a file are folders to look in. Source: Python's documentation of `site`.
    file: /\.pth$/,
    form: /^(import[ \t;].*)$/gm,
    note: 'python runs it at every start',
  },
  {
    file: /\/\.?renovate(?:rc)?(?:\.json5?)?$/,
    form: /("postUpgradeTasks"[^}]*)/g,
    note: 'the bot runs it on each update',
  },
  {
    file: /\/\.sops\.ya?ml$|\/\.age-recipients$/,
    form: /\b((?:age1[a-z0-9]{20,}|arn:aws:kms:\S+))/g,
    note: 'lets another key read what is encrypted from now on',
  },
];

/** What a change of a tool's settings has the tool run or load by itself. Linear. */
export function toolFindings({ path, before, after }: Sides): readonly Finding[] {
  const folded = path.toLowerCase();
  return TABLE.filter(({ file }) => file.test(folded)).flatMap(({ form, note }): Finding[] => {
    const of = (text: string): string[] => [...text.matchAll(form)].map(([, one = '']) => one.trim());
    const found = newAmong(of(before), of(after));
    return found.length === 0 ? [] : [later(`${note}: ${shownNames(found)}`)];
  });
}
