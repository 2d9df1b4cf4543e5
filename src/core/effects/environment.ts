/** Words in the name of a variable that say it holds a credential. Compared by whole words between `_`. */
const TOKEN_WORDS: ReadonlySet<string> = new Set([
  'TOKEN',
  'TOKENS',
  'SECRET',
  'SECRETS',
  'PASSWORD',
  'PASSWD',
  'PASSPHRASE',
  'PASS',
  'PWD_HASH',
  'CREDENTIAL',
  'CREDENTIALS',
  'APIKEY',
  'PAT',
  'DSN',
  'JWT',
  'COOKIE',
  'SESSIONID',
  'NPMRC',
  'NETRC',
]);
/** Pairs of neighbouring words that say the same. */
const TOKEN_PAIRS =
  /(?:^|_)(?:API|ACCESS|PRIVATE|SIGNING|ENCRYPTION|AUTH|LICENSE|SSH|DEPLOY|MASTER|ACCOUNT|STORAGE)_KEY(?:_|$)/;
/** Variables that hold an address with a password in it, or that lead to a credential store or an agent's control socket. */
const TOKEN_NAMES =
  /^(?:DATABASE_URL|REDIS_URL|MONGO(?:DB)?_UR[IL]|AMQP_URL|PG(?:PASSWORD|PASSFILE|SERVICEFILE)|KUBECONFIG|AWS_.*|AZURE_.*|GOOGLE_APPLICATION_CREDENTIALS|GCLOUD_.*|DOCKER_(?:HOST|AUTH.*)|VAULT_.*|SSH_(?:AUTH_SOCK|ASKPASS|AGENT_PID)|GPG_.*|GIT_(?:ASKPASS|CREDENTIAL.*)|VSCODE_GIT_.*|VSCODE_IPC_.*|ELECTRON_.*|ACTIONS_.*|CI_JOB_.*|NPM_CONFIG_.*AUTH.*|npm_config_.*auth.*|.*_CONNECTION_STRING)$/;

/**
 * Whether a variable's name says that it holds a credential or a way to one. Such variables are not handed to commands that
 * run in isolation, nor seen as known values by the analysis. Compared without case.
 */
export function isTokenVariable(name: string): boolean {
  if (TOKEN_NAMES.test(name)) return true;
  const upper = name.toUpperCase();
  return TOKEN_PAIRS.test(upper) || upper.split(/[_-]/).some((word) => TOKEN_WORDS.has(word));
}

/** Variables that make a shell or loader run something, or run something else, before the command is reached. */
const RUNS_SOMETHING =
  /^(?:BASH_ENV|ENV|PROMPT_COMMAND|BASH_FUNC_.*|LD_.*|DYLD_.*|NODE_OPTIONS|PYTHONSTARTUP|PERL5OPT|RUBYOPT|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|GIT_(?:DIR|WORK_TREE|INDEX_FILE|EXTERNAL_DIFF|SSH|SSH_COMMAND|EXEC_PATH|TEMPLATE_DIR|CONFIG.*)|IFS|SHELLOPTS|BASHOPTS|PS4|LACUNA_.*)$/;

/** Whether a variable changes what a command line means; it is never handed on. */
export const isUnsafeVariable = (name: string): boolean => RUNS_SOMETHING.test(name);
