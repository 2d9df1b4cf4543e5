import type { Facts } from './facts.js';

/**
 * Why a file that is written makes something run, or lets someone in, later. `instructions` are texts that agents obey;
 * `agent` is what decides which tools, hooks and servers an agent has.
 */
export type Persistence =
  | 'shell-startup'
  | 'git'
  | 'pipeline'
  | 'editor'
  | 'agent'
  | 'instructions'
  | 'schedule'
  | 'service'
  | 'access'
  | 'search-path'
  | 'interpreter'
  | 'guard';

/** What is special about a path, whoever touches it. */
export interface Sensitivity {
  /** Reading it gives a credential, a key, a token, or a log of what was typed. */
  readonly isSecret: boolean;
  /** Reading it gives what a person keeps for themselves: browser profiles, mail, messages, contacts. */
  readonly isPersonal: boolean;
  /** Null when writing it makes nothing run later. */
  readonly persistence: Persistence | null;
  /** Lacuna's own files, settings, state or hooks. */
  readonly isGuard: boolean;
  /** Configuration of an agent or of the guard: the resource is `agent-config`. */
  readonly isAgentConfig: boolean;
  /** A socket that hands out the whole machine (`docker.sock`). */
  readonly isControlSocket: boolean;
}

// The tables. All in lower case, since names are compared without case. `*` is any part of one name, `**` any depth, none
// included; `x/**` includes `x`. A pattern that begins with `/` or `~/` is anchored; any other matches at every depth.

const SECRETS = [
  // Environment files
  '.env',
  '.env.*',
  '.env-*',
  '*.env',
  '.envrc',
  '.flaskenv',
  '.dev.vars',
  '.dev.vars.*',
  // Keys and certificates that hold a private part
  '*.pem',
  '*.key',
  '*.p12',
  '*.pfx',
  '*.pkcs12',
  '*.jks',
  '*.keystore',
  '*.p8',
  '*.ppk',
  '*.kdb',
  '*.kdbx',
  '*.asc.key',
  '*.keytab',
  '*.ovpn',
  '*.mobileprovision',
  '*.agekey',
  'id_rsa*',
  'id_dsa*',
  'id_ecdsa*',
  'id_ed25519*',
  'identity.age',
  'ssh_host_*_key',
  '.ssh/**',
  '.gnupg/**',
  'ssh~1/**',
  '/etc/ssl/private/**',
  '/etc/letsencrypt/{live,archive}/**',
  '/etc/wireguard/**',
  '/etc/openvpn/**',
  // Files named for what they hold
  'credentials',
  'credentials.{json,yml,yaml,csv,txt,xml,ini,toml,db}',
  '.credentials',
  '.credentials.json',
  'secrets.{json,yml,yaml,toml,txt,ini,env,xml,properties,conf,tfvars}',
  'secret.{json,yml,yaml,toml,txt,ini,env,key}',
  '.secrets',
  '.secrets.*',
  '.secret',
  'client_secret*.json',
  'client-secret*.json',
  '*service-account*.json',
  '*service_account*.json',
  '*serviceaccount*.json',
  '*firebase-adminsdk*.json',
  'gcp-key*.json',
  'google-credentials.json',
  'passwords.{txt,csv,json,yml,yaml,xlsx}',
  'password.txt',
  'master.key',
  'token.json',
  'tokens.json',
  '.htpasswd',
  '.vault-token',
  '.vault_pass*',
  'vault_pass*',
  '*.tfstate',
  '*.tfstate.backup',
  // Package managers and registries
  '~/.npmrc',
  '/etc/npmrc',
  '~/.yarnrc.yml',
  '.pypirc',
  '~/.config/pip/pip.conf',
  '~/.gem/credentials',
  '~/.cargo/credentials',
  '~/.cargo/credentials.toml',
  '~/.composer/auth.json',
  '~/.config/composer/auth.json',
  '~/.m2/settings.xml',
  '~/.m2/settings-security.xml',
  '~/.gradle/gradle.properties',
  '~/.nuget/nuget/nuget.config',
  '~/.config/nuget/nuget.config',
  '~/.hex/hex.config',
  '~/.bundle/config',
  '~/.config/pypoetry/auth.toml',
  // Network and code hosts
  '.netrc',
  '_netrc',
  '.git-credentials',
  '.config/git/credentials',
  '.config/gh/hosts.yml',
  '.config/hub',
  '.config/glab-cli/config.yml',
  '.config/{rclone,mc,doctl,fly,flyctl,heroku,netlify,vercel,stripe,op,tea,ngrok,cloudflared,wrangler,.wrangler}/**',
  '.wrangler/config/**',
  '.cloudflared/**',
  '.ngrok2/**',
  '.s3cfg',
  '.boto',
  '.mc/config.json',
  '.fly/**',
  '.netlify/config.json',
  'com.vercel.cli/**',
  '.vercel/auth.json',
  '.terraformrc',
  '.terraform.d/credentials*',
  '.config/configstore/firebase-tools.json',
  '.supabase/access-token',
  '.pulumi/credentials.json',
  '.circleci/cli.yml',
  '.config/circleci/**',
  '.sentryclirc',
  '.databrickscfg',
  '.snowsql/config',
  '.kaggle/kaggle.json',
  '.cache/huggingface/token',
  '.huggingface/token',
  '.config/openai/**',
  '.anthropic/**',
  '.codex/auth.json',
  '.claude/.credentials.json',
  '.gemini/oauth_creds.json',
  '.local/share/opencode/auth.json',
  '.config/github-copilot/**',
  // Clouds, clusters, containers
  '.aws/credentials',
  '.aws/config',
  '.aws/{sso,cli}/**',
  '.azure/**',
  '.config/gcloud/**',
  'gcloud/{credentials.db,access_tokens.db,application_default_credentials.json,legacy_credentials/**}',
  'application_default_credentials.json',
  '.oci/**',
  '.aliyun/**',
  '.bluemix/**',
  '.kube/config',
  '.kube/*.{config,yaml,yml}',
  'kubeconfig',
  '*.kubeconfig',
  'kubeconfig.{yml,yaml}',
  '.docker/config.json',
  '.dockercfg',
  '.dockerconfigjson',
  '.config/containers/auth.json',
  'containers/auth.json',
  '/etc/kubernetes/**',
  '/etc/rancher/**',
  '/var/lib/kubelet/**',
  '/run/secrets/**',
  '/var/run/secrets/**',
  // Databases
  '.pgpass',
  'pgpass.conf',
  '.my.cnf',
  '.mylogin.cnf',
  '.mongorc.js',
  // Stores of passwords and sessions
  '.password-store/**',
  '.local/share/keyrings/**',
  '.local/share/kwalletd/**',
  'library/keychains/**',
  '*.keychain',
  '*.keychain-db',
  '.1password/**',
  'bitwarden cli/**',
  '.config/{bitwarden,1password,keepassxc}/**',
  '*/user/globalstorage/state.vscdb*',
  'appdata/{roaming,local}/microsoft/{credentials,protect,vault,usersecrets}/**',
  'appdata/roaming/github cli/hosts.yml',
  'appdata/{roaming,local}/filezilla/{recentservers,sitemanager}.xml',
  'appdata/roaming/{winscp.ini,mremoteng/concons.xml,mremoteng/confcons.xml}',
  'appdata/roaming/{dbeaverdata/**/credentials-config.json,mysql/workbench/workbench_user_data.dat}',
  'appdata/roaming/{composer/auth.json,subversion/auth/**,terraform.rc}',
  '.microsoft/usersecrets/**',
  // Wallets
  'wallet.dat',
  '.bitcoin/**',
  '.ethereum/keystore/**',
  '.electrum/**',
  '.config/solana/id.json',
  '.solana/**',
  // What was typed
  '.*_history',
  '.history',
  '.histfile',
  '.python_history',
  '.node_repl_history',
  'fish_history',
  'consolehost_history.txt',
  '.viminfo',
  // The system's own
  '/etc/{shadow,gshadow,master.passwd,shadow-,gshadow-,krb5.keytab,security/opasswd}',
  '/private/etc/master.passwd',
  '/var/db/dslocal/**',
  '/proc/*/{environ,mem,auxv}',
  '/proc/*/task/*/environ',
  '/proc/kcore',
  '/dev/{mem,kmem}',
  '?:/windows/system32/config/{sam,security,system}*',
  '?:/windows/repair/**',
  'ntds.dit',
  'unattend.xml',
  'sysprep.inf',
];

/** Named like secrets, and not: made to be shown. */
const NO_SECRETS = [
  '*.{example,sample,template,tpl,dist,defaults,default,tmpl,schema,md,d.ts}',
  '.env.{example,sample,template,dist,defaults,tpl,schema}.*',
  '{example,sample,template}.env',
  '*{.,-,_}example.*',
  '*{.,-,_}sample.*',
  '*{.,-,_}template.*',
  '*.pub',
  '.ssh/known_hosts*',
  '*.pub.pem',
  '*public*.pem',
  '{cacert,cacerts,ca,ca-bundle,ca-certificates,cert,chain,fullchain}.pem',
  '/etc/ssl/certs/**',
  '/etc/ca-certificates/**',
  '/usr/share/**',
  'site-packages/certifi/**',
  '*.rs',
  '*.ts',
  '*.tsx',
  '*.go',
  '.gnupg/pubring*',
];

const PERSONAL = [
  '.mozilla/**',
  '.thunderbird/**',
  '.config/{google-chrome*,chromium,microsoft-edge*,bravesoftware,vivaldi,opera,thorium}/**',
  'snap/{firefox,chromium}/**',
  'library/application support/{google/chrome*,firefox,bravesoftware,microsoft edge*,arc,vivaldi,chromium}/**',
  'library/{safari,cookies,messages,mail,calendars}/**',
  'library/application support/{addressbook,slack,discord,signal}/**',
  '.config/{slack,discord,signal,evolution}/**',
  'appdata/local/{google/chrome*,microsoft/edge*,bravesoftware,vivaldi,chromium}/**',
  'appdata/roaming/{mozilla,thunderbird,opera software,slack,discord,signal}/**',
  'photos library.photoslibrary/**',
  'login data',
  'login data-journal',
  'cookies',
  'cookies.sqlite*',
  'cookies.binarycookies',
  'logins.json',
  'key4.db',
  'key3.db',
  'web data',
  // The list of the machine's accounts: no password in it, and not the agent's business either.
  '/etc/passwd',
  '/etc/group',
  '/var/{mail,spool/mail}/**',
];

const PERSISTENCE: readonly (readonly [Persistence, readonly string[]])[] = [
  [
    'guard',
    [
      '.lacuna/**',
      '~/.local/state/lacuna/**',
      '~/.config/lacuna/**',
      '~/library/application support/lacuna/**',
      'globalstorage/lacuna.lacuna/**',
      'workspacestorage/*/lacuna.lacuna/**',
      'extensions/lacuna.lacuna*/**',
      'appdata/{roaming,local}/lacuna/**',
      '/etc/lacuna/**',
    ],
  ],
  [
    'agent',
    [
      '.claude/settings*.json',
      '.claude/{hooks,commands,agents,skills,plugins}/**',
      '.claude/.mcp.json',
      '.claude.json',
      'claude_desktop_config.json',
      'managed-settings.json',
      'managed-mcp.json',
      '.mcp.json',
      'mcp.json',
      'mcp_settings.json',
      'mcp_config.json',
      'cline_mcp_settings.json',
      '.vscode/mcp.json',
      '.cursor/{mcp.json,hooks.json,permissions.json,cli.json,environment.json,hooks/**,commands/**}',
      '.github/hooks/**',
      '.github/copilot/**',
      '.github/{agents,chatmodes,prompts}/**',
      '.copilot/**',
      '.config/github-copilot/**',
      '.codex/{config.toml,hooks.json,rules/**,hooks/**,prompts/**,skills/**}',
      '/etc/codex/**',
      '/etc/claude-code/**',
      '.gemini/{settings.json,hooks/**,commands/**,extensions/**,policies/**}',
      '.qwen/{settings.json,hooks/**}',
      '.windsurf/{mcp_config.json,hooks.json,workflows/**}',
      '.codeium/windsurf/**',
      '.continue/{config.*,mcpservers/**}',
      '.aider.conf.yml',
      'opencode.json',
      'opencode.jsonc',
      '.opencode/**',
      '.config/opencode/**',
      '.roo/{mcp.json,commands/**}',
      '.kilocode/{mcp.json,workflows/**}',
      '.cline/**',
      '.amazonq/{mcp.json,cli-agents/**}',
      '.aws/amazonq/**',
      '.kiro/{settings/**,hooks/**}',
      '.junie/mcp/**',
      '.goose/**',
      '.config/goose/**',
      '.zed/settings.json',
      '.config/zed/settings.json',
      '.crush.json',
      '.agents/**',
    ],
  ],
  [
    'instructions',
    [
      'claude.md',
      'claude.local.md',
      'agents.md',
      'agents.override.md',
      'agent.md',
      'gemini.md',
      'qwen.md',
      '.cursorrules',
      '.windsurfrules',
      '.clinerules/**',
      '.roorules',
      '.roo/rules*/**',
      '.goosehints',
      '.cursor/rules/**',
      '.claude/rules/**',
      '.windsurf/rules/**',
      '.kiro/steering/**',
      '.amazonq/rules/**',
      '.junie/guidelines.md',
      '.github/copilot-instructions.md',
      '.github/instructions/**',
      '*.instructions.md',
      '.trae/rules/**',
      '.augment/rules/**',
      '.augment-guidelines',
      '.continue/rules/**',
      '.aiassistant/rules/**',
      '.openhands/microagents/**',
      '.github/{agents,prompts,chatmodes}/**',
      '.rules',
    ],
  ],
  [
    'shell-startup',
    [
      '.bashrc',
      '.bash_profile',
      '.bash_login',
      '.bash_logout',
      '.bash_aliases',
      '.profile',
      '.zshrc',
      '.zshenv',
      '.zprofile',
      '.zlogin',
      '.zlogout',
      '.kshrc',
      '.cshrc',
      '.tcshrc',
      '.login',
      '.inputrc',
      '.oh-my-zsh/**',
      '.bashrc.d/**',
      '.zshrc.d/**',
      '.config/fish/**',
      '.config/zsh/**',
      '.config/powershell/**',
      '.config/environment.d/**',
      '.pam_environment',
      '.xinitrc',
      '.xprofile',
      '.xsession',
      '.xsessionrc',
      '.tmux.conf',
      '.screenrc',
      '.vimrc',
      '.gvimrc',
      '.exrc',
      '.vim/{plugin,autoload,after}/**',
      '.config/nvim/**',
      '.emacs',
      '.emacs.d/**',
      '.wgetrc',
      '.curlrc',
      '.ripgreprc',
      '.gdbinit',
      '.lldbinit',
      '.psqlrc',
      '.sqliterc',
      '.envrc',
      '.config/direnv/**',
      '.mise.toml',
      'mise.toml',
      '/etc/{profile,bash.bashrc,bashrc,zshrc,zprofile,zshenv,environment,inputrc}',
      '/etc/profile.d/**',
      '/etc/zsh/**',
      '/etc/fish/**',
      '/etc/xdg/**',
      'microsoft.powershell_profile.ps1',
      'profile.ps1',
      '{windowspowershell,powershell}/*profile*.ps1',
    ],
  ],
  [
    'git',
    [
      '.git/hooks/**',
      '.git/config',
      '.git/config.worktree',
      '.git/info/attributes',
      '.git/modules/**/{config,hooks/**}',
      '.git/worktrees/*/config.worktree',
      '.gitconfig',
      '.config/git/{config,attributes,hooks/**}',
      '/etc/gitconfig',
      '.gitmodules',
      '.husky/**',
      '.githooks/**',
      '.git-hooks/**',
      '.lefthook/**',
      'lefthook.{yml,yaml,toml,json}',
      'lefthook-local.{yml,yaml}',
      '.lefthook.{yml,yaml}',
      '.pre-commit-config.yaml',
      '.overcommit.yml',
      '.simple-git-hooks.{js,json,cjs}',
      '.hg/hgrc',
      '.hgrc',
    ],
  ],
  [
    'pipeline',
    [
      '.github/workflows/**',
      '.github/actions/**',
      '.gitlab-ci.{yml,yaml}',
      '.gitlab/ci/**',
      '.circleci/**',
      'azure-pipelines.{yml,yaml}',
      '.azure-pipelines/**',
      'jenkinsfile',
      'jenkinsfile.*',
      '.travis.yml',
      'appveyor.yml',
      '.appveyor.yml',
      '.drone.yml',
      '.woodpecker.{yml,yaml}',
      '.woodpecker/**',
      '.buildkite/**',
      'bitbucket-pipelines.yml',
      '.teamcity/**',
      '.semaphore/**',
      '.cirrus.yml',
      'cloudbuild.{yaml,yml,json}',
      'buildspec.{yml,yaml}',
      '.forgejo/workflows/**',
      '.gitea/workflows/**',
      '.tekton/**',
      'codemagic.yaml',
      'netlify.toml',
      'vercel.json',
    ],
  ],
  [
    'editor',
    [
      '.vscode/{settings,tasks,launch,extensions}.json',
      '*.code-workspace',
      '.devcontainer/**',
      '.devcontainer.json',
      '.gitpod.yml',
      '.idea/{workspace.xml,runconfigurations/**,watchertasks.xml,externaldependencies.xml,tools/**}',
      '.run/*.run.xml',
      '.fleet/{run,settings}.json',
      '.zed/{tasks,settings,debug}.json',
      '{code,code - insiders,vscodium,cursor,windsurf}/user/{settings,tasks,keybindings,mcp}.json',
      '{code,code - insiders,vscodium,cursor,windsurf}/user/{snippets,profiles,prompts}/**',
      '.vscode-server/data/machine/settings.json',
      '.vscode/extensions/**',
      '.vscode-server/extensions/**',
      '.cursor/extensions/**',
      '.sublime-project',
      '*.sublime-project',
      '.vim/coc-settings.json',
      '.nvim.lua',
      '.nvimrc',
      '.dir-locals.el',
    ],
  ],
  [
    'schedule',
    [
      '/etc/cron*/**',
      '/etc/{crontab,anacrontab}',
      '/var/spool/{cron,at,anacron}/**',
      '/var/at/**',
      '?:/windows/system32/tasks/**',
      '/etc/periodic/**',
    ],
  ],
  [
    'service',
    [
      '/etc/systemd/**',
      '/usr/lib/systemd/**',
      '/lib/systemd/**',
      '/run/systemd/**',
      '.config/systemd/**',
      '.local/share/systemd/**',
      '/etc/{init.d,rc*.d,init,rc.local,inittab,xinetd.d,update-motd.d}/**',
      '/etc/udev/**',
      '/etc/{modules,modules-load.d,modprobe.d}/**',
      '/boot/**',
      'library/{launchagents,launchdaemons,startupitems}/**',
      '/library/{launchagents,launchdaemons,startupitems,scriptingadditions}/**',
      '/system/library/{launchagents,launchdaemons}/**',
      '.config/autostart/**',
      '.local/share/dbus-1/**',
      '.config/plasma-workspace/**',
      'start menu/programs/startup/**',
      'startup/*.{bat,cmd,vbs,lnk,ps1,exe}',
    ],
  ],
  [
    'access',
    [
      '.ssh/authorized_keys*',
      '.ssh/{config,rc,environment}',
      '.ssh/config.d/**',
      '.ssh/id_*',
      '/etc/ssh/**',
      '/etc/{sudoers,doas.conf,passwd,shadow,group,gshadow}',
      '/etc/sudoers.d/**',
      '/etc/pam.d/**',
      '/etc/security/**',
      '/etc/polkit-1/**',
      '/etc/{hosts,hosts.allow,hosts.deny,resolv.conf,nsswitch.conf}',
      '/private/etc/{hosts,sudoers,pam.d/**}',
      '/etc/{ssl/certs,ca-certificates,pki}/**',
      '/usr/local/share/ca-certificates/**',
      '?:/windows/system32/drivers/etc/hosts',
      '.rhosts',
      '.shosts',
      '.kube/config',
      '.npmrc',
      '.yarnrc',
      '.yarnrc.yml',
      '.pypirc',
      '.netrc',
      'pip.conf',
      'pip.ini',
      '~/.cargo/config*',
      '.docker/config.json',
      '/etc/docker/daemon.json',
      '.config/containers/**',
    ],
  ],
  [
    'search-path',
    [
      '~/bin/**',
      '~/.local/bin/**',
      '~/.cargo/bin/**',
      '~/go/bin/**',
      '~/.npm-global/bin/**',
      '~/.bun/bin/**',
      '~/.deno/bin/**',
      '/usr/local/{bin,sbin,lib}/**',
      '/usr/{bin,sbin,lib,lib64,libexec}/**',
      '/{bin,sbin,lib,lib64}/**',
      '/opt/homebrew/**',
      '/etc/{ld.so.preload,ld.so.conf,paths}',
      '/etc/{ld.so.conf.d,paths.d,alternatives}/**',
      '?:/windows/system32/**',
      '?:/program files/**',
      '?:/program files (x86)/**',
    ],
  ],
  [
    'interpreter',
    [
      'sitecustomize.py',
      'usercustomize.py',
      'site-packages/*.pth',
      'dist-packages/*.pth',
      '.pythonstartup',
      '.pythonrc',
      '.pythonrc.py',
      '.irbrc',
      '.pryrc',
      '.rprofile',
      '.perltidyrc',
      '.ghci',
      '.gradle/init.gradle*',
      '.gradle/init.d/**',
      '.m2/extensions.xml',
      '.mvn/{extensions.xml,jvm.config,maven.config}',
      '.yarn/{releases,plugins}/**',
      '.pnpmfile.cjs',
      '.babelrc.js',
      '.node_modules/**',
      '.jupyter/**',
      '.ipython/**',
    ],
  ],
];

const CONTROL_SOCKETS = [
  '/var/run/docker.sock',
  '/run/docker.sock',
  '/run/containerd/**',
  '/run/podman/podman.sock',
  '/run/crio/**',
  '~/.docker/run/docker.sock',
  '~/.docker/desktop/docker.sock',
  '/run/user/*/{docker,podman/podman}.sock',
];

/** Folders whose own name is harmless and that hold much that is not: reading all below them reads secrets. */
const NESTS = [
  '',
  '.config',
  '.aws',
  '.kube',
  '.docker',
  '.local',
  '.local/share',
  'Library',
  'Library/Application Support',
  'AppData',
  'AppData/Local',
  'AppData/Roaming',
  'snap',
];
const SYSTEM_NESTS = ['/', '/etc', '/home', '/Users', '/root', '/var', '/run', '/proc', '/private', '/private/etc'];

/** Real paths that stand for their kinds when a glob is asked about. Relative ones lie in the home folder. */
const WITNESSES = [
  '.env',
  '.env.local',
  '.env.production',
  '.ssh/id_rsa',
  '.ssh/id_ed25519',
  '.ssh/authorized_keys',
  '.ssh/config',
  '.aws/credentials',
  '.netrc',
  '.npmrc',
  '.pypirc',
  '.pgpass',
  '.git-credentials',
  '.docker/config.json',
  '.kube/config',
  '.gnupg/secring.gpg',
  '.config/gh/hosts.yml',
  '.config/gcloud/credentials.db',
  '.bash_history',
  '.zsh_history',
  '.bashrc',
  '.zshrc',
  '.profile',
  '.gitconfig',
  '.claude/settings.json',
  '.mcp.json',
  '.lacuna/policy.yaml',
  '.git/config',
  '.git/hooks/pre-commit',
  '.github/workflows/ci.yml',
  '.vscode/settings.json',
  '/etc/shadow',
  '/etc/passwd',
  '/etc/sudoers',
  '/proc/1/environ',
];

function expandBraces(pattern: string): readonly string[] {
  if (!pattern.includes('{')) return [pattern];
  const found = /\{([^{}]*)\}/.exec(pattern);
  if (!found) return [pattern];
  const [whole, list = ''] = found;
  return list
    .split(',')
    .flatMap((part) => expandBraces(pattern.slice(0, found.index) + part + pattern.slice(found.index + whole.length)));
}

const escape = (text: string): string => text.replace(/[.+^$()|[\]\\]/g, '\\$&');

/** Body of a regular expression for one pattern without braces; `home` stands for `~`. */
function source(pattern: string, home: string): string {
  const anchored = /^(\/|\?:\/)/.test(pattern);
  const isHome = pattern.startsWith('~/');
  const body = (isHome ? pattern.slice(1) : pattern)
    .split('/')
    .map((part) =>
      part === '**' ? '**' : part === '?:' ? '[a-z]:' : escape(part).replaceAll('*', '[^/]*').replaceAll('?', '[^/]'),
    )
    .join('/')
    .replace(/\/\*\*$/, '(?:/.*)?')
    .replaceAll('**', '.*');
  if (isHome) return `(?:${home})${body}`;
  return anchored ? body : `(?:.*/)?${body}`;
}

/** A longest piece of text that every path has which the pattern matches. */
function pieceOf(pattern: string): string {
  const pieces = pattern
    .replace(/\/\*\*$/, '')
    .replace(/^~/, '')
    .split(/[*?]+/);
  return pieces.reduce((longest, piece) => (piece.length > longest.length ? piece : longest), '');
}

/** Patterns of one table by the piece of text that tells at once that most paths match none of them. */
type Pieces = ReadonlyMap<string, readonly string[]>;

function piecesOf(patterns: readonly string[]): Pieces {
  const pieces = new Map<string, string[]>();
  for (const pattern of patterns.flatMap(expandBraces)) {
    const piece = pieceOf(pattern);
    const known = pieces.get(piece);
    if (known === undefined) pieces.set(piece, [pattern]);
    else known.push(pattern);
  }
  return pieces;
}

/** Whether a path matches a pattern of a table. An expression is compiled for what the path may match, not for all of it. */
class Table {
  readonly #pieces: Pieces;
  readonly #homes: string;
  readonly #compiled = new Map<string, RegExp>();

  constructor(pieces: Pieces, homes: string) {
    this.#pieces = pieces;
    this.#homes = homes;
  }

  matches(path: string): boolean {
    for (const [piece, patterns] of this.#pieces) {
      if (path.includes(piece) && this.#expression(piece, patterns).test(path)) return true;
    }
    return false;
  }

  #expression(piece: string, patterns: readonly string[]): RegExp {
    let compiled = this.#compiled.get(piece);
    if (compiled === undefined) {
      compiled = new RegExp(`^(?:${patterns.map((pattern) => source(pattern, this.#homes)).join('|')})$`);
      this.#compiled.set(piece, compiled);
    }
    return compiled;
  }
}

interface Tables {
  readonly secret: Table;
  readonly noSecret: Table;
  readonly personal: Table;
  readonly socket: Table;
  readonly persistence: readonly (readonly [Persistence, Table])[];
}

const once = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | null = null;
  return () => (made ??= { value: make() }).value;
};

/** The same for every home folder; worked out when the first path is looked at. */
const pieces = once(() => ({
  secret: piecesOf(SECRETS),
  noSecret: piecesOf(NO_SECRETS),
  personal: piecesOf(PERSONAL),
  socket: piecesOf(CONTROL_SOCKETS),
  persistence: PERSISTENCE.map(([kind, patterns]) => [kind, piecesOf(patterns)] as const),
}));

const tablesByHome = new Map<string, Tables>();

function tablesFor(home: string): Tables {
  const known = tablesByHome.get(home);
  if (known) return known;
  const homes = `${escape(home.toLowerCase())}|/home/[^/]+|/users/[^/]+|/root|/var/root|[a-z]:/users/[^/]+`;
  const { secret, noSecret, personal, socket, persistence } = pieces();
  const tables: Tables = {
    secret: new Table(secret, homes),
    noSecret: new Table(noSecret, homes),
    personal: new Table(personal, homes),
    socket: new Table(socket, homes),
    persistence: persistence.map(([kind, of]) => [kind, new Table(of, homes)]),
  };
  if (tablesByHome.size > 8) tablesByHome.clear();
  tablesByHome.set(home, tables);
  return tables;
}

const NOTHING: Sensitivity = Object.freeze({
  isSecret: false,
  isPersonal: false,
  persistence: null,
  isGuard: false,
  isAgentConfig: false,
  isControlSocket: false,
});

const cached = new Map<string, Sensitivity>();

/**
 * What is special about a canonical path. Compared without case, on every platform: two spellings of one secret must not part.
 * Pure; cached, since the same paths come again and again. Linear in the path.
 */
export function sensitivityOf(path: string, facts: Pick<Facts, 'home'>): Sensitivity {
  const key = `${facts.home}\0${path}`;
  const known = cached.get(key);
  if (known) return known;
  const tables = tablesFor(facts.home);
  const folded = path.toLowerCase().replace(/(?<=.)\/+$/, '');
  const persistence = tables.persistence.find(([, table]) => table.matches(folded))?.[0] ?? null;
  const isSecret = tables.secret.matches(folded) && !tables.noSecret.matches(folded);
  const isPersonal = tables.personal.matches(folded);
  const isControlSocket = tables.socket.matches(folded);
  const found: Sensitivity =
    !isSecret && !isPersonal && !isControlSocket && persistence === null
      ? NOTHING
      : {
          isSecret,
          isPersonal,
          persistence,
          isGuard: persistence === 'guard',
          isAgentConfig: persistence === 'guard' || persistence === 'agent' || persistence === 'instructions',
          isControlSocket,
        };
  if (cached.size > 4000) cached.clear();
  cached.set(key, found);
  return found;
}

/** What either of two says. */
export const eitherSensitivity = (a: Sensitivity, b: Sensitivity): Sensitivity => ({
  isSecret: a.isSecret || b.isSecret,
  isPersonal: a.isPersonal || b.isPersonal,
  persistence: a.persistence ?? b.persistence,
  isGuard: a.isGuard || b.isGuard,
  isAgentConfig: a.isAgentConfig || b.isAgentConfig,
  isControlSocket: a.isControlSocket || b.isControlSocket,
});

/**
 * The same for a glob, given as an absolute pattern: what it says of itself (`*.pem`), and what it would match of a list of
 * well-known paths (`~/.s*` + `/id_*`). `matches` is the caller's matcher, with the shell's rule on dot files. `folder` is where
 * relative witnesses are tried besides the home folder: the part of the pattern before its first glob.
 */
export function sensitivityOfPattern(
  pattern: string,
  facts: Pick<Facts, 'home'>,
  matches: (path: string) => boolean,
): Sensitivity {
  let found = sensitivityOf(pattern, facts);
  // `server.key*` and `server?key` are `server.key` too.
  const bare = pattern
    .replace(/(?<=[^/])\*+$/, '')
    .replace(/\*+(?=[^/*]+$)/, '')
    .replace(/\?(?=[^/?]+$)/, '.');
  if (bare !== pattern && /[^/]\.[^/*?[{.]+$/.test(bare) && matches(bare))
    found = eitherSensitivity(found, sensitivityOf(bare, facts));
  const folder = pattern.slice(0, pattern.search(/[*?[{]|$/)).replace(/[^/]*$/, '');
  // `**/*` takes whatever there is: a read of everything, which says nothing of secrets unless it starts above them.
  const takesAll = /(^|\/)\*{1,2}$/.test(pattern);
  for (const witness of WITNESSES) {
    const inFolder = takesAll ? [] : [folder + witness];
    const places = witness.startsWith('/') ? [witness] : [`${facts.home}/${witness}`, ...inFolder];
    for (const place of places) if (matches(place)) found = eitherSensitivity(found, sensitivityOf(place, facts));
  }
  return found;
}

/**
 * Whether everything below a folder holds secrets or personal data although the folder's own name does not say so: the home
 * folder, `/etc`, `~/.config` and the like. A workspace is not one: what lies in it is known from facts.
 */
export function isNestOfSecrets(path: string, facts: Pick<Facts, 'home'>): boolean {
  const folded = path.toLowerCase().replace(/(?<=.)\/+$/, '');
  const home = facts.home.toLowerCase();
  if (SYSTEM_NESTS.some((nest) => nest.toLowerCase() === folded)) return true;
  if (home.startsWith(folded === '/' ? '/' : `${folded}/`) || /^[a-z]:\/?(users)?$/.test(folded)) return true;
  return NESTS.some((nest) => (nest === '' ? home : `${home}/${nest.toLowerCase()}`) === folded);
}

/** In words for people: why writing the path matters later. */
export const PERSISTENCE_NOTES: Readonly<Record<Persistence, string>> = {
  'shell-startup': 'runs whenever a shell or tool starts',
  git: 'git runs it or obeys it on later commands',
  pipeline: 'runs in the build pipeline or on deployment',
  editor: 'the editor obeys it or runs it',
  agent: 'decides what agents may do and run',
  instructions: 'agents follow it as instructions',
  schedule: 'runs at set times',
  service: 'runs as a service or at start-up',
  access: 'decides who gets in or where trust goes',
  'search-path': 'is found and run by name',
  interpreter: 'an interpreter or build runs it by itself',
  guard: 'belongs to the guard',
};
