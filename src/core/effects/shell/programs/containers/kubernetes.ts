import type { Resource, Trait, Word } from '../../../effect.js';
import type { ProgramEntry, Run } from '../../run.js';
import { argumentsOf, isHelpOnly, joined, remote, rows, withText } from '../helpers.js';
import { parseOptions, type OptionSpec, type ParsedOptions } from '../options.js';
import { secretInside } from './docker.js';
import { serviceRows, type ServiceSpec } from '../cloud/service.js';

/** Source: kubectl reference 1.32. */
const KUBECTL: OptionSpec = {
  flags:
    '--all -A|--all-namespaces --force --now --wait -w|--watch --recursive -R -i|--stdin -t|--tty -q|--quiet --rm --record --overwrite --ignore-daemonsets --delete-emptydir-data --delete-local-data --disable-eviction --insecure-skip-tls-verify --show-labels --no-headers --ignore-not-found --server-side --force-conflicts --prune -p|--previous --timestamps --raw0 --list --local --validate0 --watch-only --show-kind --flatten --minify --raw --no-preserve --dry-run0 --attach --expose --command --all-containers --prefix --use-protocol-buffers --show-managed-fields --sort0 --warnings-as-errors -k0',
  values:
    '-n|--namespace --context --cluster --user --kubeconfig -s|--server --token --as --as-group --certificate-authority --client-certificate --client-key --request-timeout -v|--v -o|--output -l|--selector --field-selector -f|--filename -k|--kustomize --grace-period --timeout --replicas --current-replicas --type --patch --patch-file --image -c|--container --since --since-time --tail --max-log-requests --for --to-revision --revision --port --target-port --name --from-literal --from-file --from-env-file --docker-username --docker-password --docker-server --cert --key --overrides --env -e --restart --limits --requests --serviceaccount --clusterrole --role --group --verb --resource --max --min --cpu-percent --sort-by --template --cascade --pod-selector --address --subresource --labels -p0 --profile --target --copy-to --image-pull-policy --cpu --memory --field-manager --api-prefix --www --hard --duration --audience --bound-object-kind',
  optional: '--dry-run --validate --raw',
};

/** Options may stand anywhere, but those behind `--` belong to the command inside. */
function kubectl(run: Run): void {
  const words = argumentsOf(run.invocation);
  if (isHelpOnly(words)) return;
  const parsed = parseOptions(KUBECTL, words);
  const [verb, ...rest] = parsed.operands;
  if (!verb) return;
  if (verb.certainty !== 'exact') {
    run.unknown(`a sub-command of kubectl that cannot be known: ${verb.raw}`);
    return;
  }
  const server = parsed.value('-s');
  if (server) run.network(server, { method: 'POST' });
  for (const file of [
    ...parsed.values('-f'),
    ...parsed.values('-k'),
    ...parsed.values('--patch-file'),
    ...parsed.values('--from-file'),
    ...parsed.values('--from-env-file'),
  ])
    manifest(run, file, parsed);
  const trial = parsed.value('--dry-run')?.text;
  if ((parsed.has('--dry-run') && trial !== 'none') || (parsed.has('--local') && verb.text !== 'config')) {
    say(run, 'read', rest, parsed, []);
    return;
  }
  act(run, verb.text, rest, parsed);
}

function manifest(run: Run, file: Word, parsed: ParsedOptions): void {
  if (file.text === '-') return;
  const path = withText(file, file.text.replace(/^[\w.-]+=(?=.)/, ''));
  if (/^https?:/.test(path.text)) run.network(path, { method: 'GET', traits: ['download'] });
  else run.read(path, { traits: parsed.has('-R') ? ['recursive'] : [] });
}

const NOTE = 'in the cluster of the current context';

function say(
  run: Run,
  op: 'read' | 'write' | 'delete' | 'execute',
  names: readonly Word[],
  parsed: ParsedOptions,
  traits: readonly Trait[],
): void {
  const namespace = parsed.value('-n')?.text;
  const text = [namespace, joined(names).text].filter((part) => part !== undefined && part !== '').join(': ');
  remote(run, op, 'kubernetes', { ...joined(names), text }, { traits, note: op === 'read' ? '' : NOTE });
}

const isSecretKind = (names: readonly Word[]): boolean =>
  names.some(({ text }) => text.split(/[,/]/).some((part) => /^secrets?$/i.test(part)));

function act(run: Run, verb: string, rest: readonly Word[], parsed: ParsedOptions): void {
  const isMass = parsed.has('--all', '-A', '-l', '--field-selector', '--prune');
  const [first, second] = rest.map(({ text }) => text);
  switch (verb) {
    case 'get':
    case 'describe':
    case 'explain':
    case 'logs':
    case 'top':
    case 'diff':
    case 'events':
    case 'wait':
    case 'api-resources':
    case 'api-versions':
    case 'cluster-info':
    case 'options':
    case 'kustomize':
    case 'alpha':
      say(
        run,
        'read',
        rest,
        parsed,
        verb === 'get' && isSecretKind(rest) && /yaml|json|path|template|custom/.test(parsed.value('-o')?.text ?? '')
          ? ['secret']
          : [],
      );
      return;
    case 'version':
    case 'completion':
    case 'help':
      return;
    case 'delete':
      say(run, 'delete', rest, parsed, [
        ...(isMass ? (['mass'] as const) : []),
        ...(parsed.has('--force', '--now') ? (['force'] as const) : []),
      ]);
      return;
    case 'drain':
      say(run, 'delete', rest, parsed, [
        'mass',
        ...(parsed.has('--force', '--delete-emptydir-data') ? (['force'] as const) : []),
      ]);
      return;
    case 'cordon':
    case 'uncordon':
    case 'taint':
      say(run, 'write', rest, parsed, []);
      return;
    case 'replace':
      say(run, parsed.has('--force') ? 'delete' : 'write', rest, parsed, ['overwrite']);
      return;
    case 'scale':
    case 'autoscale':
      say(
        run,
        parsed.value('--replicas')?.text === '0' ? 'delete' : 'write',
        rest,
        parsed,
        parsed.value('--replicas')?.text === '0' ? ['mass'] : [],
      );
      return;
    case 'rollout':
      say(run, first === 'status' || first === 'history' ? 'read' : 'write', rest, parsed, []);
      return;
    case 'apply':
    case 'create':
    case 'expose':
    case 'patch':
    case 'edit':
    case 'set':
    case 'label':
    case 'annotate':
    case 'certificate':
      if (verb === 'create' && first === 'token') say(run, 'read', rest, parsed, ['secret']);
      else if (
        (verb === 'apply' && first === 'view-last-applied') ||
        (/^(?:label|annotate)$/.test(verb) && parsed.has('--list'))
      )
        say(run, 'read', rest, parsed, []);
      else say(run, 'write', rest, parsed, writeTraits(verb, first ?? '', rest, isMass));
      return;
    case 'auth':
      say(run, first === 'reconcile' ? 'write' : 'read', rest, parsed, first === 'reconcile' ? ['grants-access'] : []);
      return;
    case 'run':
    case 'debug':
      say(run, 'execute', rest.slice(0, 1), parsed, [
        'unreviewed',
        ...(parsed.value('--profile')?.text === 'sysadmin' || first?.startsWith('node/')
          ? (['grants-access'] as const)
          : []),
      ]);
      inside(run, rest.slice(1), first ?? '');
      return;
    case 'exec':
      inside(run, rest.slice(1), first ?? '');
      return;
    case 'attach':
      say(run, 'execute', rest, parsed, ['interactive']);
      return;
    case 'cp':
      copy(run, rest);
      return;
    case 'port-forward':
    case 'proxy':
      if (/0\.0\.0\.0|\*/.test(parsed.value('--address')?.text ?? ''))
        run.network(withText(rest[0] ?? EMPTY, '0.0.0.0'), {
          method: 'LISTEN',
          traits: ['publish', 'outward', 'daemon'],
        });
      else say(run, 'read', rest, parsed, ['loopback', 'daemon']);
      return;
    case 'config':
      config(run, first ?? '', second ?? '', rest, parsed);
      return;
    case 'plugin':
    case 'krew':
      if (first === 'install') for (const name of rest.slice(1)) run.install('krew', name);
      else say(run, 'read', rest, parsed, []);
      return;
    default:
      run.unknown(`sub-command ${verb} of kubectl`);
  }
}

const EMPTY: Word = { text: '', raw: '', certainty: 'exact', quoted: true };

function writeTraits(verb: string, first: string, rest: readonly Word[], isMass: boolean): readonly Trait[] {
  const traits: Trait[] = isMass ? ['mass'] : [];
  if (/^(clusterrolebinding|rolebinding|clusterrole|role|serviceaccount)s?$/i.test(first) || verb === 'certificate')
    traits.push('grants-access');
  if (verb === 'expose' || /^(ingress|service)s?$/i.test(first)) traits.push('publish');
  if (verb === 'create' && rest.length > 0) traits.push('create');
  return traits;
}

function inside(run: Run, command: readonly Word[], name: string): void {
  const where: Resource = { type: 'remote', service: 'kubernetes', name };
  // A bare shell takes whatever is typed into it next.
  const isBareShell =
    command.every(({ text }, index) =>
      index === 0 ? /^(?:.*\/)?(?:ba|z|da|a|k)?sh$/.test(text) : /^-[il]+$/.test(text),
    ) && run.invocation.input.type === 'none';
  if (command.length > 0 && isBareShell) run.emit('execute', where, { traits: ['interactive', 'unreviewed'] });
  if (command.length > 0) run.elsewhere(where, command);
}

function copy(run: Run, operands: readonly Word[]): void {
  const [from, to] = operands;
  if (!from || !to) return;
  const isInside = ({ text }: Word): boolean => /^[\w./-]{2,}:/.test(text);
  if (isInside(from)) remote(run, 'read', 'kubernetes', from, { traits: secretInside(run, from) });
  else run.read(from, { traits: ['recursive'] });
  if (isInside(to)) remote(run, 'write', 'kubernetes', to);
  else run.write(to, { traits: ['recursive'] });
}

/** The file of contexts: which cluster the next command changes is decided here. */
function config(run: Run, verb: string, second: string, rest: readonly Word[], parsed: ParsedOptions): void {
  if (verb === 'view' && parsed.has('--raw')) say(run, 'read', rest, parsed, ['secret']);
  else if (/^(view|get-contexts|current-context|get-clusters|get-users|)$/.test(verb))
    say(run, 'read', rest, parsed, []);
  else {
    run.emit(
      /^(delete|unset)/.test(verb) ? 'delete' : 'write',
      { type: 'environment', name: `kubernetes ${second}`.trim() },
      {
        traits: verb.startsWith('set-cred') ? ['secret', 'grants-access'] : [],
        reversible: 'checkpoint',
        note: 'which cluster later commands change',
      },
    );
  }
}

const CLUSTER_TOOLS: readonly ServiceSpec[] = [
  {
    names: 'helm',
    flags:
      '-i --install --force --atomic --wait --dry-run -a --all -A --all-namespaces --reuse-values --reset-values --create-namespace --devel --debug --no-hooks --cleanup-on-fail -q --generate-name --keep-history --recreate-pods',
    values:
      '-n --namespace --kube-context --kubeconfig -f --values --set --set-string --set-file --set-json --version --repo --timeout -o --output --description --revision -d --destination --history-max --username --password --ca-file --post-renderer --max',
    nouns: 'repo dependency plugin registry show get search',
    delete: 'uninstall, delete, del, un, rollback, repo remove, plugin uninstall, upgrade --force, cleanup',
    publish: 'install, upgrade, push, test, upgrade -i',
    secret: 'get values, get all, get manifest, get hooks',
    login: 'registry login, registry logout, login',
    change: 'repo add, repo update, plugin install, plugin update',
    read: 'list, ls, status, history, show *, inspect *, search *, pull, fetch, repo list, dependency list, verify, env, version, get notes, get metadata, diff *, plugin list',
    local:
      'template, lint, create, package, dependency build, dependency update, completion, repo index, schema *, unittest',
    also: (run, _operands, parsed) => {
      for (const file of parsed.values('-f', '--values')) if (!/^https?:/.test(file.text)) run.read(file);
      const renderer = parsed.value('--post-renderer');
      if (renderer) run.carry([renderer]);
    },
  },
  {
    names: 'helmfile',
    service: 'helm',
    delete: 'destroy, delete',
    publish: 'apply, sync, charts',
    read: 'diff, list, status, build, deps, fetch, show-dag, version, repos',
    local: 'template, lint, write-values, init, cache *',
    values: '-f --file -e --environment -n --namespace -l --selector --set --kube-context',
  },
  {
    names: 'kustomize',
    service: 'kubernetes',
    local: 'build, create, edit *, cfg *, fn *, localize',
    otherwise: 'local',
    bare: 'quiet',
  },
  {
    names: 'kind k3d',
    service: 'kubernetes',
    delete: 'delete *, cluster delete, node delete, registry delete, cluster stop, node stop',
    change:
      'create *, load *, cluster create, cluster start, image import, export logs, cluster edit, node create, node start, registry create, build *, kubeconfig merge',
    secret: 'get kubeconfig, export kubeconfig, kubeconfig get, kubeconfig write',
    read: 'get clusters, get nodes, version, cluster list, node list, registry list',
    values: '--name --config --image -c --agents --servers -p',
  },
  {
    names: 'minikube',
    service: 'kubernetes',
    delete: 'delete, stop, cache delete, addons disable, image rm, pause, node delete, node stop',
    change:
      'start, addons enable, image load, image build, cache add, config set, node add, unpause, mount, image pull, image push, update-context, tunnel, profile, cp',
    run: 'ssh, kubectl',
    secret: 'docker-env, podman-env',
    read: 'status, ip, service, dashboard, logs, addons list, image ls, profile list, version, config view, config get, node list, ssh-key, ssh-host, license, cache list',
    values: '-p --profile --driver --memory --cpus --kubernetes-version --nodes',
  },
  {
    names: 'skaffold tilt devspace garden okteto telepresence werf',
    service: 'kubernetes',
    delete: 'delete, down, purge, destroy, cleanup, undeploy, uninstall, quit, leave, remove *, * delete',
    publish:
      'run, deploy, dev, up, apply, ci, converge, build --push, publish, intercept, connect, render --offline=false, preview deploy',
    read: 'diagnose, status, list, inspect *, get *, logs, version, plan *, describe *',
    local: 'build, render, init, schema, fix, config *, test, lint, docs, options, doctor, analyze',
    run: 'exec, enter, ssh, attach',
    values: '-f --filename -p --profile -n --namespace --kube-context -t --tag --default-repo',
  },
  {
    names: 'argocd',
    service: 'argocd',
    delete:
      'app delete, app terminate-op, app rollback, cluster rm, repo rm, proj delete, * delete, * rm, app delete-resource, account delete-token, admin *, app set --sync-policy=none, * remove*',
    publish:
      'app sync, app create, app set, app patch, app edit, app unset, app actions run, appset create, proj create, proj edit, app add-source, app patch-resource',
    grant:
      'cluster add, repo add, repocreds add, account generate-token, account update-password, proj role *, proj add-*',
    secret: 'account bcrypt, admin initial-password',
    login: 'login, logout, relogin, context',
    read: 'app list, app get, app diff, app history, app logs, app manifests, app resources, app wait, app actions list, cluster list, cluster get, proj list, proj get, repo list, repo get, account list, account get, account can-i, version, cert list',
    values: '--server --auth-token --grpc-web-root-path --config -l --selector --revision --resource',
  },
  {
    names: 'flux',
    service: 'flux',
    delete: 'delete *, uninstall, suspend *',
    publish: 'bootstrap *, install, create *, reconcile *, resume *, push *, tag *',
    read: 'get *, check, logs, events, stats, trace, tree *, diff *, list *, pull *, version, debug *',
    local: 'export *, build *',
    values: '-n --namespace --context --source --path',
  },
  {
    names: 'istioctl linkerd cilium hubble',
    service: 'kubernetes',
    delete:
      'uninstall, purge, operator remove, x uninstall, * uninstall, clustermesh disable, hubble disable, * remove, tag remove, kube-uninject',
    publish:
      'install, upgrade, operator init, inject, tag set, waypoint apply, clustermesh enable, clustermesh connect, hubble enable, * install',
    read: 'analyze, validate, version, proxy-status, proxy-config *, ps, pc *, dashboard *, describe *, experimental *, bug-report, check, stat, top, tap, viz *, diagnostics *, status, connectivity test, config view, observe, list *, profile *, verify-install, sysdump, manifest *',
    values: '-n --namespace --context -f --set',
  },
  {
    names: 'oc',
    service: 'openshift',
    values: '-n --namespace --context --kubeconfig -o --output -l --selector -f --filename --replicas',
    delete:
      'delete, delete *, adm drain, adm prune *, rollback, scale --replicas=0, cancel-build, idle, adm policy remove-*, policy remove-*, adm migrate *, adm upgrade',
    grant:
      'adm policy *, policy *, create token, secrets link, serviceaccounts *, adm groups *, create clusterrolebinding, create rolebinding',
    publish:
      'apply, create, new-app, new-build, start-build, rollout *, expose, set *, patch, replace, edit, process, import-image, tag, label, annotate, scale, new-project, autoscale, extract, image *',
    secret:
      'whoami -t, whoami --show-token, extract, get secret, get secrets, registry login, sa get-token, create token',
    run: 'exec, rsh, debug, run, attach, port-forward, rsync, cp',
    login: 'login, logout, project',
    read: 'get, get *, describe, describe *, logs, status, whoami, projects, version, explain, api-resources, adm top *, adm inspect, adm must-gather, rollout status, rollout history, diff, events, image info, observe, adm node-logs, policy who-can, auth can-i',
  },
  {
    names: 'k9s kubectx|kubens stern kubetail lens popeye kubescape krew kube-bench polaris',
    service: 'kubernetes',
    bare: 'read',
    otherwise: 'read',
    delete: '-d',
    values: '-n --namespace -c --container --context -l --since --tail -o',
  },
];

export const kubernetesPrograms: readonly ProgramEntry[] = [
  ...rows('kubectl|k|kubecolor', kubectl),
  ...CLUSTER_TOOLS.flatMap((spec) => serviceRows(spec)),
];
