import type { Word } from '../effect.js';
import { hidesTraces, keepsNothing } from './bash/traces.js';
import type { Run } from './run.js';

/** Variables whose value is a command that the shell itself runs. */
const CODE = new Set(['PROMPT_COMMAND', 'PS0', 'PS1', 'PS2', 'PS4']);
/** Variables that name a file which each new shell reads. */
const STARTUP_FILES = new Set(['BASH_ENV', 'ENV']);
/** Variables that put code of one's own into every program that starts: nothing is built or tested by them. */
const INTRUDERS = /^(?:LD_PRELOAD|LD_AUDIT|DYLD_INSERT_LIBRARIES|BASH_LOADABLES_PATH)$/;
/** Variables that name the shell by which a package manager runs its scripts. */
const SCRIPT_SHELLS = /^(?:npm|NPM)_(?:config|CONFIG)_(?:script_shell|SCRIPT_SHELL)$/;
const USUAL_SHELLS =
  /^(?:|(?:\/usr)?(?:\/local)?(?:\/bin\/)?(?:ba|z|da|k)?sh|pwsh|powershell(?:\.exe)?|cmd(?:\.exe)?)$/;
/** Variables that make other programs load code. */
const LOADERS =
  /^(LD_PRELOAD|LD_AUDIT|LD_LIBRARY_PATH|DYLD_INSERT_LIBRARIES|DYLD_LIBRARY_PATH|DYLD_FRAMEWORK_PATH|BASH_LOADABLES_PATH)$/;

/** Variables that name a program which others start to show, edit or open something; git's own are read where git runs. */
const HELPERS =
  /^(?!GIT_)(?:(?:[A-Z]+_)*(?:MANPAGER|PAGER|EDITOR|BROWSER)|VISUAL|FCEDIT|LESSOPEN|LESSCLOSE|RUSTC_WRAPPER|RUSTC_WORKSPACE_WRAPPER|CARGO_TARGET_\w+_RUNNER|CMAKE_CX{0,2}_COMPILER_LAUNCHER)$/;
/** What they are mostly set to. */
const USUAL_HELPERS =
  /^(?:|none|true|false|:|cat|(?:less|more|most|bat|delta|head|vi|vim|nvim|nano|emacs|micro|helix|hx|code|cursor|subl|open|xdg-open|firefox|chromium|google-chrome|echo|s?ccache|distcc|cachepot|qemu-\w+|wine|wasmtime|node|cross)(?: -[\w-]+)*)$/;

/** Variables with options of an interpreter: which options name a file that it loads first, and the file's language. */
const OPTIONS_OF: ReadonlyMap<string, readonly [RegExp, 'javascript' | 'python' | 'ruby' | 'perl']> = new Map([
  [
    'NODE_OPTIONS',
    [/(?:--require|-r|--import|--loader|--experimental-loader)[= ]("[^"]+"|'[^']+'|\S+)/g, 'javascript'],
  ],
  ['PYTHONSTARTUP', [/^(.+)$/g, 'python']],
  ['RUBYOPT', [/-r\s?(\S+)/g, 'ruby']],
  ['PERL5OPT', [/-M\s?(\S+)/g, 'perl']],
] as const);

/** Variables that name a proxy. Sources: the tools' manuals; curl(1), pip, npm and cargo. */
const PROXIES =
  /^(?:(?:https?|all|ftp|socks)_proxy|(?:npm_config|yarn)_(?:https?_)?proxy|pip_proxy|cargo_http_proxy|global_agent_https?_proxy)$/i;
/** Variables that name where packages, tools or models come from. Sources: the manuals of the package managers. */
const SOURCES =
  /^(?:npm_config_(?:.*:)?registry|yarn_(?:npm_)?registry(?:_server)?|bun_config_registry|corepack_npm_registry|pip_(?:extra_)?index_url|pip_find_links|uv_(?:default_|extra_)?index(?:_url)?|uv_find_links|uv_(?:python|pypy)_install_mirror|pdm_pypi_url|poetry_repositories_\w+_url|goproxy|cargo_registr(?:y|ies_\w+)_index|cargo_source_\w+_registry|rustup_(?:dist_server|update_root)|bundle_mirror__\w+|rubygems_host|homebrew_(?:api|bottle)_domain|homebrew_(?:brew|core)_git_remote|conda_channel(?:s|_alias)|nvm_(?:nodejs|iojs)_org_mirror|fnm_node_dist_mirror|n_node_mirror|electron_mirror|playwright_(?:\w+_)?download_host|puppeteer_download_(?:base_url|host)|jsr_url|hf_endpoint)$/i;

/** What a variable puts between a program and where it would go by itself: a proxy, another index of packages. */
export function detours(name: string, value: Word, run: Run): void {
  const isProxy = PROXIES.test(name);
  if (!isProxy && !SOURCES.test(name)) return;
  const emission = isProxy
    ? { method: 'CONNECT', note: 'the connection really goes there' }
    : { method: 'GET', traits: ['download'] as const, note: 'packages come from there' };
  if (value.certainty !== 'exact') {
    // One proxy by the name of another one is no other.
    if (!(isProxy && /^\$\{?\w*proxy\w*\}?$/i.test(value.text))) run.network(value, emission);
    return;
  }
  for (const address of value.text.split(/[\s,;|]+/)) {
    if (address.includes('://'))
      run.network({ ...value, text: address.replace(/^[\w-]+=(?=\w+:)|^sparse\+/, '') }, emission);
    else if (isProxy && /[.:]/.test(address)) run.network({ ...value, text: `http://${address}` }, emission);
  }
}

/**
 * What setting a variable, for one command or for all that follow, makes run: prompt code, start-up files, preloaded libraries; and
 * where it makes programs go.
 */
export function traps(name: string, value: Word, run: Run): void {
  detours(name, value, run);
  if (keepsNothing(name, value.text)) hidesTraces(run);
  if (CODE.has(name)) {
    if (name !== 'PROMPT_COMMAND' && !/[`$]\(|`/.test(value.text)) return;
    run.code('bash', { ...value, text: codeOf(name, value) });
    run.emit('persist', { type: 'environment', name }, { note: 'the shell runs it at each prompt or command' });
  } else if (OPTIONS_OF.has(name)) {
    const [options, language] = OPTIONS_OF.get(name) ?? [/$^/g, 'javascript'];
    for (const [, file = ''] of value.text.matchAll(options)) {
      const text = file.replace(/^["']|["']$/g, '');
      // By its name alone it is a module that the project depends on.
      if (/[\\/]|\.[cm]?[jt]s$|\.py$|\.rb$/.test(text)) run.script(language, { ...value, text });
    }
  } else if (HELPERS.test(name)) {
    if (value.certainty !== 'exact' || !USUAL_HELPERS.test(value.text.trim()))
      run.code('sh', { ...value, text: value.text.replace(/^\|-?/, '') });
  } else if (STARTUP_FILES.has(name) && value.text !== '') {
    run.script('bash', value);
    // `ENV` is more often the name of a stage than a file.
    if (name !== 'ENV') sideDoor(name, value, run);
  } else if (SCRIPT_SHELLS.test(name)) {
    if (value.certainty !== 'exact' || !USUAL_SHELLS.test(value.text)) sideDoor(name, value, run);
  } else if (LOADERS.test(name) && value.text !== '' && !isOnlySystem(value.text)) {
    run.emit(
      'execute',
      { type: 'process', process: name },
      {
        traits: INTRUDERS.test(name) && !isSanitizer(value.text) ? ['unreviewed', 'covert'] : ['unreviewed'],
        certainty: value.certainty,
        note: `${name} makes programs load code from ${value.raw}`,
      },
    );
  }
}

/** Sets a variable for all that the shell starts from now on, where none has to be exported: cmd, the environment's drive in PowerShell. */
export function setVariable(run: Run, name: string, value: Word): void {
  run.changeTerminal((terminal) => ({
    ...terminal,
    variables: new Map(terminal.variables).set(name, value),
    exported: new Set(terminal.exported).add(name),
  }));
  traps(name, value, run);
}

/** Says that code comes in by a variable that is not made for it. */
const sideDoor = (name: string, value: Word, run: Run): void =>
  run.emit(
    'execute',
    { type: 'process', process: value.text },
    { traits: ['covert', 'unreviewed'], certainty: value.certainty, note: `${name} makes programs run it` },
  );

/** Checkers of memory and kin, which are loaded that way by their own manuals. */
const isSanitizer = (path: string): boolean =>
  /(?:lib(?:[atlm]san|ubsan|clang_rt|jemalloc|tcmalloc|mimalloc|faketime|eatmydata|gcov|SegFault|heaptrack))|print-file-name/.test(
    path,
  );

const codeOf = (name: string, { text }: Word): string =>
  name === 'PROMPT_COMMAND' ? text : `: "${text.replaceAll('"', '\\"')}"`;

const isOnlySystem = (path: string): boolean =>
  path.split(':').every((part) => part === '' || /^(\/usr|\/lib|\/opt|\$|\/nix)/.test(part));
