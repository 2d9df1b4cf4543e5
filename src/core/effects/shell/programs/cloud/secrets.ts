import { exactWord } from '../../word.js';
import { argumentsOf } from '../helpers.js';
import { serviceRows, type ServiceSpec } from './service.js';

/** Stores of secrets. Reading an entry is reading a secret; listing names is not. Sources: the tools' references. */
const STORES: readonly ServiceSpec[] = [
  {
    names: 'vault bao',
    service: 'vault',
    style: 'single',
    flags:
      '-force -f -prefix -sync -detailed -non-interactive -self -wrap -local -no-store -tls-skip-verify -dev -single-use',
    values:
      '-address -namespace -ns -token -format -field -mount -version -versions -path -method -ca-cert -ca-path -client-cert -client-key -ttl -policy -period -type -wrap-ttl -header -mfa -increment -use-limit -id -config -log-level -accessor',
    nouns: 'token auth audit secrets plugin namespace operator lease policy print debug',
    delete:
      'delete, kv delete, kv destroy, kv metadata delete, secrets disable, auth disable, audit disable, policy delete, lease revoke, token revoke, namespace delete, operator seal, operator step-down, operator raft remove-peer, operator rekey, operator rotate, secrets move, plugin deregister, kv rollback, operator raft snapshot restore, pki reissue, namespace lock, operator migrate, kv undelete',
    grant:
      'policy write, auth enable, token create, operator unseal, operator init, write auth/*, write sys/*, secrets enable, operator generate-root, ssh',
    change:
      'write, kv put, kv patch, kv enable-versioning, kv metadata put, kv metadata patch, secrets tune, auth tune, audit enable, plugin register, plugin reload, namespace create, patch, lease renew, token renew, secrets config *',
    secret: 'kv get, read, unwrap, agent, proxy, kv export, print token, write -wrap',
    read: 'status, kv list, list, secrets list, policy list, policy read, policy fmt, token lookup, token capabilities, auth list, audit list, lease lookup, kv metadata get, plugin list, plugin info, namespace list, path-help, operator members, operator raft list-peers, operator key-status, version, version-history, monitor, debug, events *, pki health-check, pki list-intermediates, hcp *, operator usage, operator diagnose, auth help',
    login: 'login, auth login',
    run: 'server',
  },
  {
    names: 'op',
    service: '1password',
    host: '1password.com',
    flags: '--archive --force -f --no-newline -n --otp --share-link --reveal',
    values:
      '--account --vault --format --fields --config --session --category --title --template --url --out-file -o -i --in-file --env-file --group --user --role --permissions --expires-in --emails',
    nouns: 'item vault document user group account connect events-api service-account plugin',
    delete:
      '* delete, connect token delete, connect server delete, connect vault revoke, user suspend, vault group revoke, vault user revoke, account forget, group user revoke, signout --forget, events-api *',
    grant:
      'vault group grant, vault user grant, group user grant, user provision, item share, connect token create, connect server create, service-account create, connect vault grant, user confirm',
    change:
      'item create, item edit, item move, document create, document edit, vault create, vault edit, group create, group edit, account add, user edit, connect * edit',
    secret: 'item get, document get, read, run, inject, item get *, ssh-agent *',
    read: 'whoami, item list, item template *, document list, vault list, vault get, user list, user get, group list, group get, account list, account get, connect * list, connect * get, service-account ratelimit, update, plugin list, plugin inspect',
    login: 'signin, signout, plugin init, plugin clear, plugin run',
    also: (run, operands, parsed) => {
      if (operands[0]?.text === 'run') carryAfterDashes(run, operands.slice(1));
      const out = parsed.value('--out-file', '-o');
      if (out) run.write(out, { traits: ['secret'] });
    },
  },
  {
    names: 'doppler',
    host: 'doppler.com',
    flags:
      '--no-file --json --plain --yes -y --silent --raw --only-names --no-interactive --no-fallback --preserve-env',
    values:
      '-p --project -c --config -t --token --scope --format --command --name-transformer --name --slug --mount --environment -e --environment-name --role',
    delete:
      '* delete, secrets delete, configs delete, projects delete, environments delete, configs tokens revoke, configs logs rollback, configure unset, configure reset, configs lock',
    change:
      'secrets set, secrets upload, configs create, configs update, configs clone, projects create, projects update, environments create, environments rename, configs unlock, secrets notes set, import, setup, configure set, environments *',
    grant: 'configs tokens create, configs tokens *',
    secret: 'secrets, secrets get, secrets download, secrets substitute, run, secrets list, configs tokens',
    read: 'configs list, configs get, configs, projects list, projects get, projects, environments list, environments, activity, configs logs, me, settings, secrets --only-names, configure, configure get, configure options, open *, opengraph',
    login: 'login, logout, login revoke',
    local: 'update, completion, changelog, feedback, tui',
    also: (run, operands, parsed) => {
      if (operands[0]?.text !== 'run') return;
      for (const command of parsed.values('--command')) run.code('sh', command);
      carryAfterDashes(run, operands.slice(1));
    },
  },
  {
    names: 'infisical',
    host: 'infisical.com',
    delete: 'secrets delete, secrets folders delete, reset, dynamic-secrets *',
    secret: 'secrets, secrets get, export, run, user get token, ssh *, agent',
    change: 'secrets set, secrets folders create, init',
    login: 'login, vault set',
    local: 'scan, scan *',
    values: '--env --path --projectId --token --format --domain --template',
    also: (run, operands) => {
      if (operands[0]?.text === 'run') carryAfterDashes(run, operands.slice(1));
    },
  },
  {
    names: 'bw bws',
    service: 'bitwarden',
    host: 'bitwarden.com',
    delete: 'delete *, restore *, secret delete, project delete, device-approval *',
    secret: 'get *, export, list items, unlock, send get, receive, secret get, secret list, run, serve, list',
    change: 'create *, edit *, move, share, import, secret create, secret edit, sync, lock, config, confirm *',
    grant: 'send create, send',
    read: 'status, list folders, list collections, list organizations, generate, encode, sdk-version, project list',
    login: 'login, logout',
    values: '--session --organizationid --raw --search --folderid',
  },
  {
    names: 'pass gopass',
    service: 'password-store',
    bare: 'read',
    delete: 'rm, remove, delete, mv, rename',
    secret: 'show, show *, -c, grep, otp, cat, edit, env, fscopy, fsmove',
    change: 'insert, generate, init, cp, git *, create, sync, mounts *, recipients *',
    read: 'ls, list, find, search, version, audit',
    otherwise: 'secret',
  },
  {
    names: 'lpass',
    service: 'lastpass',
    host: 'lastpass.com',
    delete: 'rm, rmdir',
    secret: 'show, export, generate',
    read: 'ls, status',
    login: 'login, logout',
    change: 'mv, add, edit, duplicate, import, sync',
    grant: 'share *',
  },
  {
    names: 'keepassxc-cli kpcli',
    service: 'keepass',
    delete: 'rm, rmdir',
    secret: 'show, export, clip, open, search, attachment-export, db-export',
    change: 'add, edit, mv, mkdir, merge, import, db-create, db-edit',
    read: 'ls, locate, db-info, analyze, estimate, diceware, generate',
  },
  {
    names: 'akeyless conjur berglas teller dotenv-vault dotenvx envchain',
    delete: 'delete-*, delete, policy *',
    secret: 'get-*, get, show, access, env, export, decrypt, run, run *, keys, variable get',
    change: 'create-*, set-*, set, update-*, encrypt, push, variable set',
    login: 'configure, auth, login',
    read: 'list-*, list, ls, describe-*, status, whoami',
    otherwise: 'secret',
    also: (run, operands) => {
      if (operands[0]?.text === 'run') carryAfterDashes(run, operands.slice(1));
    },
  },
  {
    names: 'sops',
    service: 'sops',
    secret: '-d, --decrypt, decrypt, exec-env, exec-file, edit, --extract',
    local: '-e, --encrypt, encrypt, updatekeys, rotate, -r, filestatus, groups *, publish, keyservice, set, unset',
    otherwise: 'secret',
    bare: 'quiet',
    values: '--input-type --output-type --output --age --pgp --kms --config --extract',
    flags: '-d --decrypt -e --encrypt -i --in-place -r',
    also: (run, operands, parsed) => {
      for (const file of operands.filter(({ text }) => text.includes('.'))) {
        run.read(file);
        if (parsed.has('-i', '--in-place')) run.write(file, { traits: ['edit'] });
      }
      const out = parsed.value('--output');
      if (out) run.write(out);
    },
  },
];

/** `tool run -- command`: the command runs with secrets in its environment. */
function carryAfterDashes(
  run: Parameters<NonNullable<ServiceSpec['also']>>[0],
  operands: ReturnType<typeof argumentsOf>,
): void {
  const words = argumentsOf(run.invocation);
  const at = words.findIndex(({ text }) => text === '--');
  const inner = at >= 0 ? words.slice(at + 1) : operands;
  if (inner.length > 0) run.carry(inner.map((word) => (word.text === '' ? exactWord('') : word)));
}

export const secretStorePrograms = STORES.flatMap((spec) => serviceRows(spec));
