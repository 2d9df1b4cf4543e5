import { isTokenVariable, isUnsafeVariable } from '../../core/effects/environment.js';

/** Variables that a command in isolation gets, if this process has them. Everything else stays outside. */
const KEPT =
  /^(?:PATH|HOME|USER|LOGNAME|LANG|LANGUAGE|LC_\w+|TZ|TERM|COLORTERM|PATHEXT|SYSTEMROOT|SystemRoot|WINDIR|windir|COMSPEC|ComSpec|USERPROFILE|APPDATA|LOCALAPPDATA|PROGRAMFILES|ProgramFiles|JAVA_HOME|GO(?:PATH|ROOT|BIN)|CARGO_HOME|RUSTUP_HOME|NVM_DIR|NVM_BIN|VOLTA_HOME|PNPM_HOME|BUN_INSTALL|DENO_INSTALL|VIRTUAL_ENV|CONDA_(?:PREFIX|DEFAULT_ENV)|PYENV_ROOT|RBENV_ROOT|GEM_HOME|SDKMAN_DIR|ANDROID_HOME|XDG_(?:CONFIG|DATA|CACHE)_HOME|DOTNET_ROOT|NODE_PATH|PYTHONPATH|MANPATH|EDITOR_NONE)$/;

type Variables = Readonly<Record<string, string | undefined>>;

/** Never a question to a terminal, never a pager: nobody is there to answer. */
const QUIET: Readonly<Record<string, string>> = {
  TERM: 'dumb',
  NO_COLOR: '1',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
  GIT_EDITOR: 'true',
  DEBIAN_FRONTEND: 'noninteractive',
};

function pick(from: Variables, isKept: (name: string) => boolean): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(from)) if (value !== undefined && isKept(name)) kept[name] = value;
  return kept;
}

/** Environment of a command that runs in isolation: what programs need to be found and to speak, and no token. */
export const isolatedEnvironment = (from: Variables): Record<string, string> => ({
  ...pick(from, (name) => KEPT.test(name) && !isTokenVariable(name)),
  ...QUIET,
});

/** Environment of a command that policy lets run as the person: theirs, without what would run something else first. */
export const personalEnvironment = (from: Variables): Record<string, string> => ({
  ...pick(from, (name) => !isUnsafeVariable(name) && !/^(?:VSCODE|ELECTRON|CHROME)_/.test(name)),
  ...QUIET,
});
