import type { Word } from '../../../effect.js';
import type { Run } from '../../run.js';
import { HERE } from '../helpers.js';
import type { ParsedOptions } from '../options.js';
import { serviceRows, type ServiceSpec } from './service.js';

/** Files of variables and plans that a command reads. */
function variableFiles(run: Run, _operands: readonly Word[], parsed: ParsedOptions): void {
  for (const file of parsed.values('-var-file', '--var-file', '-state', '--vault-password-file', '-e')) {
    if (!/=/.test(file.text) && !file.text.startsWith('{'))
      run.read(file.text.startsWith('@') ? { ...file, text: file.text.slice(1) } : file);
  }
}

/** Tools that build and tear down infrastructure. Sources: their own references, 2025. */
const INFRASTRUCTURE: readonly ServiceSpec[] = [
  {
    names: 'terraform tofu terragrunt',
    service: 'infrastructure',
    style: 'single',
    flags:
      '-auto-approve -force -destroy -refresh-only -json -no-color -compact-warnings -check -diff -recursive -upgrade -reconfigure -migrate-state -force-copy -raw -detailed-exitcode -list -help -version -refresh -allow-missing -terragrunt-non-interactive -all',
    values:
      '-chdir -var -var-file -target -replace -state -state-out -backup -out -parallelism -lock -lock-timeout -input -backend -backend-config -from-module -get -plugin-dir -workspace -context -filter -test-directory -generate-config-out -terragrunt-working-dir -working-dir',
    nouns: 'state workspace providers stack run',
    bare: 'quiet',
    delete:
      'destroy, apply -destroy, state rm, state mv, state replace-provider, state push, workspace delete, force-unlock, taint, untaint, run-all destroy, run destroy, run --all destroy, stack run destroy, test',
    publish: 'apply, run-all apply, login, run apply, run --all apply, stack run apply',
    change: 'import, refresh, workspace new, workspace select, state push',
    secret: 'state pull, output, state show, show',
    login: 'login, logout',
    read: 'plan, run-all plan, run plan, run --all plan, state list, providers, providers *, workspace list, workspace show, graph, validate, get, metadata functions, modules, show, output, state show, init, query, graph-dependencies, hclvalidate',
    run: 'console',
    local: 'fmt, hclfmt, version, render-json, providers lock, providers mirror, hcl *, catalog, scaffold, find, list',
    also: (run, operands, parsed) => {
      variableFiles(run, operands, parsed);
      // What it builds is told by the files of the folder that it works in.
      if (operands.length > 0 && !/^(version|login|logout)$/.test(operands[0]?.text ?? ''))
        run.read(parsed.value('-chdir', '-working-dir', '-terragrunt-working-dir') ?? HERE);
      const out = parsed.value('-out');
      if (out) run.write(out);
      if (operands[0]?.text === 'fmt') run.write(HERE, { traits: ['recursive', 'edit'] });
    },
  },
  {
    names: 'pulumi',
    service: 'infrastructure',
    host: 'pulumi.com',
    flags:
      '-y --yes -f --skip-preview --refresh -r --show-secrets --secret --plaintext --json --diff --force --preview-only --non-interactive',
    values:
      '-s --stack -C --cwd -c --config --config-file -m --message -t --target --replace -p --parallel --secrets-provider --file -e --exec-kind -d --dir -g',
    bare: 'quiet',
    nouns: 'stack config org env policy plugin state package schema',
    delete:
      'destroy, down, stack rm, state delete, state unprotect, config rm, config rm-all, stack change-secrets-provider, org member *, cancel, env rm, env version rollback, policy rm, policy disable, stack rename, state move, state rename, env version retract, schedule delete',
    publish:
      'up, update, watch, import, policy publish, policy enable, package publish, stack init, deployment run, refresh, state upgrade, stack import, deployment settings *, template publish',
    secret:
      'stack output --show-secrets, config --show-secrets, config get, env open, env get, stack export, env run, config env *',
    change:
      'config set, config set-all, config cp, config refresh, stack select, stack tag set, stack unselect, env set, env init, env edit, org set-default, plugin install, stack tag rm, env tag *, install',
    login: 'login, logout',
    read: 'preview, stack, stack ls, stack output, stack history, stack graph, config, whoami, logs, about, plugin ls, schema check, console, org *, env ls, stack tag ls, stack tag get, policy ls, policy group ls, env version *, ai *, state, env diff',
    local:
      'new, gen-completion, convert, version, plugin rm, package add, package gen-sdk, package info, policy new, project *, trace',
  },
  {
    names: 'ansible-playbook ansible ansible-pull ansible-console ansible-navigator ansible-runner',
    service: 'infrastructure',
    flags:
      '-C --check -D --diff -b --become -K --ask-become-pass -k --ask-pass --list-hosts --list-tasks --list-tags --syntax-check -v -vv -vvv -vvvv --step --flush-cache -o --one-line -J --ask-vault-pass',
    values:
      '-i --inventory -e --extra-vars -l --limit -t --tags --skip-tags -u --user -f --forks --start-at-task -m --module-name -a --args -c --connection --private-key --key-file --become-user --become-method --vault-password-file --vault-id -M --module-path -P --poll -B --background -T --timeout -U --url -d --directory -T --playbook-dir --ssh-common-args --ssh-extra-args',
    trial: '-C --check --list-hosts --list-tasks --list-tags --syntax-check',
    bare: 'read',
    otherwise: 'run',
    delete: '',
    also: (run, operands, parsed) => {
      variableFiles(run, operands, parsed);
      if (parsed.has('--check', '-C', '--list-hosts', '--list-tasks', '--list-tags', '--syntax-check')) return;
      for (const command of parsed.values('-a')) {
        const module = parsed.value('-m')?.text ?? 'command';
        if (!/^(ansible\.builtin\.)?(shell|command|raw|script)$/.test(module)) continue;
        const where = { type: 'remote', service: 'ansible', name: operands[0]?.text ?? 'all' } as const;
        run.elsewhere(where, [
          { text: 'sh', raw: 'sh', certainty: 'exact', quoted: true },
          { text: '-c', raw: '-c', certainty: 'exact', quoted: true },
          command,
        ]);
      }
    },
  },
  {
    names: 'ansible-vault',
    service: 'infrastructure',
    secret: 'view, decrypt, edit',
    local: 'create, encrypt, encrypt_string, rekey',
    bare: 'quiet',
    values: '--vault-id --vault-password-file --output',
    also: (run, operands) => {
      for (const file of operands.slice(1))
        if (/^(decrypt|encrypt|rekey|edit)$/.test(operands[0]?.text ?? '')) run.write(file, { traits: ['edit'] });
        else run.read(file);
    },
  },
  {
    names: 'ansible-galaxy',
    service: 'galaxy',
    host: 'galaxy.ansible.com',
    local: 'init, role init, collection init, collection build',
    publish: 'publish, collection publish, role import, import',
    delete: 'role delete, delete',
    read: 'list, search, info, role list, collection list, verify, collection verify',
    values: '-r --role-file -p --roles-path -s --server --token',
    also: (run, operands) => {
      const at = operands.findIndex(({ text }) => text === 'install');
      if (at >= 0) for (const name of operands.slice(at + 1)) run.install('galaxy', name);
    },
  },
  {
    names:
      'ansible-inventory ansible-config ansible-doc ansible-lint ansible-test tflint tfsec checkov terraform-docs trivy grype syft kubeconform kubeval kube-linter kubesec conftest opa dockle infracost terrascan terracost',
    bare: 'local',
    otherwise: 'local',
    service: 'infrastructure',
    values: '-i -f -o',
  },
  {
    names: 'packer',
    service: 'infrastructure',
    values: '-var -var-file -only -except',
    style: 'single',
    publish: 'build',
    local: 'validate, fmt, inspect, init, console, fix, hcl2_upgrade, version, plugins *',
  },
  {
    names: 'vagrant',
    service: 'vagrant',
    delete:
      'destroy, halt, suspend, box remove, box prune, snapshot delete, snapshot restore, snapshot pop, plugin uninstall, plugin expunge',
    run: 'ssh, winrm, powershell, rdp, upload',
    change: 'up, reload, provision, resume, package, box add, box update, plugin install, snapshot save, snapshot push',
    publish: 'push, share, cloud publish, cloud *',
    secret: 'ssh-config',
    read: 'status, global-status, port, box list, box outdated, validate, version, plugin list, snapshot list',
    local: 'init',
    values: '--provider --provision-with -c --command',
  },
  {
    names: 'nomad',
    service: 'nomad',
    style: 'single',
    values: '-address -region -namespace -token -job -task -group',
    delete:
      'job stop, stop, job revert, node drain, node purge, system gc, alloc stop, acl * delete, namespace delete, volume delete, volume deregister, var purge, operator raft remove-peer, operator snapshot restore, job deployments fail, deployment fail, quota delete, server force-leave',
    publish:
      'job run, run, job dispatch, deployment promote, job promote, job scale, job restart, acl bootstrap, agent, volume create, volume register, var put, namespace apply, server join',
    grant: 'acl token create, acl policy apply, acl role *',
    run: 'alloc exec, exec',
    secret: 'var get, acl token self, acl token info, operator client-state',
    read: 'status, * status, job plan, plan, alloc logs, alloc fs, fs, logs, job history, server members, monitor, ui, job validate, validate, system *, version, operator *',
  },
  {
    names: 'consul',
    service: 'consul',
    style: 'single',
    values: '-http-addr -token -datacenter -namespace -ca-file -token-file',
    nouns: 'acl config connect',
    delete:
      'kv delete, acl * delete, config delete, leave, force-leave, snapshot restore, services deregister, operator raft remove-peer, intention delete, peering delete, maint, keyring, namespace delete, partition delete',
    change:
      'kv put, kv import, services register, config write, intention create, join, reload, lock, event, peering *, namespace write, tls *',
    grant:
      'acl token create, acl policy create, acl bootstrap, acl token update, acl policy update, acl role *, acl set-agent-token',
    secret: 'acl token read, acl token list',
    run: 'exec, watch',
    read: 'kv get, kv export, members, catalog *, info, monitor, operator raft list-peers, snapshot inspect, snapshot save, acl policy list, acl policy read, config read, config list, intention *, validate, version, operator *',
  },
  {
    names: 'salt salt-call salt-run salt-ssh chef-client chef knife puppet bolt cfn',
    service: 'infrastructure',
    values: '-C -L -G -E -t --timeout -o -r -e',
    delete:
      'node delete, client delete, data bag delete, cookbook delete, environment delete, role delete, state.* test=False, * cmd.run',
    otherwise: 'run',
    read: '* test.ping, * grains.*, node list, node show, status, cookbook list, search, module list, --version, config print, help',
    local: 'generate *, parser validate, lookup, shell-init, gem *',
  },
  {
    names: 'kops kubeadm k3s rke rke2 talosctl clusterctl kubespray microk8s k0s',
    service: 'kubernetes',
    values: '--name --state --config --kubeconfig -n --nodes -f',
    delete:
      'delete, delete *, reset, node drain, etcd *, uninstall, stop, down, upgrade, rolling-update *, remove, kill-all',
    publish:
      'create, apply, update, init, join, up, upgrade apply, bootstrap, apply-config, server, agent, start, enable, replace',
    grant: 'token create, export kubeconfig',
    secret: 'token list, kubeconfig, config view, certs *, config',
    run: 'kubectl *, shell, ctr *, crictl *, inspect',
    read: 'get, validate, version, status, health, dmesg, upgrade plan, check-config, images, toolbox *',
  },
  { names: 'dockerd containerd kubelet kube-apiserver etcd', otherwise: 'run', bare: 'run' },
];

export const infrastructurePrograms = INFRASTRUCTURE.flatMap((spec) => serviceRows(spec));
