import type { Run } from '../../run.js';
import { serviceRows, type ServiceSpec } from './service.js';

/** Sends the folder it stands in: what a deployment uploads. */
const sendsHere = (run: Run): void => {
  run.read(
    { text: '.', raw: '.', certainty: 'exact', quoted: true },
    { traits: ['recursive'], note: 'the folder is uploaded' },
  );
};

/** Command lines of hosting services. Sources: the services' own references, 2025. */
const HOSTING: readonly ServiceSpec[] = [
  {
    names: 'vercel|now|vc',
    host: 'vercel.com',
    flags: '--yes -y --prod --force -f --safe -d --debug --confirm --no-wait',
    values:
      '-t --token -S --scope -A --local-config -Q --global-config --cwd -e --env -b --build-env -m --meta --regions --name --target --environment',
    bare: 'publish',
    delete:
      'remove, rm, project rm, project remove, projects rm, env rm, env remove, domains rm, domains remove, domain rm, domain remove, dns rm, dns remove, alias rm, alias remove, certs rm, certs remove, secrets rm, secrets remove, teams remove, blob del, blob delete, git disconnect, integration remove, rolling-release abort, cache purge',
    publish:
      'deploy, promote, rollback, redeploy, alias, alias set, domains add, domains buy, dns add, certs issue, domains transfer-in, blob put',
    grant: 'teams invite, teams add',
    secret: 'env pull, pull',
    change: 'env add, project add, link, git connect, env update, target *, domains move, certs *, integration add',
    login: 'login, logout, switch, teams switch',
    local: 'build, dev, init',
    read: 'list, ls, inspect, logs, whoami, domains ls, domains inspect, dns ls, env list, project ls, project inspect, certs ls, teams ls, alias ls, bisect, httpstat, curl, telemetry status, open',
    otherwise: 'publish',
  },
  {
    names: 'netlify|ntl',
    host: 'netlify.com',
    colons: true,
    values:
      '--site-id -s --site --auth --filter --cwd --context --scope --dir -d --message -m --alias --from --to --functions -o --account-slug -n --name',
    delete:
      'sites delete, env unset, env clone, unlink, blobs delete, addons delete, api deleteSite, api delete*, agents stop',
    publish:
      'deploy, env set, env import, sites create, functions create, build --prod, recipes *, init, blobs set, addons create, api create*, api update*, clone',
    secret: 'env list, env get, env ls',
    login: 'login, logout, switch',
    local:
      'dev, build, functions build, functions serve, serve, dev exec, completion, functions list, functions create, link, watch',
    read: 'status, sites list, open, logs, api list*, api get*, logs function, logs deploy, blobs get, blobs list, agents list, agents show',
  },
  {
    names: 'fly|flyctl',
    host: 'fly.io',
    flags: '--yes -y --auto-confirm --verbose --json --local-only --remote-only --detach --now --ha --no-cache',
    values:
      '-a --app -c --config -t --access-token -r --region -i --image -e --env -o --org -n --name --vm-size --dockerfile --build-arg -s --size -C --command',
    delete:
      '* destroy, * * destroy, * delete, apps suspend, secrets unset, volumes destroy, volume destroy, machine stop, machine kill, machine destroy, machines destroy, machines stop, machines kill, postgres destroy, redis destroy, orgs delete, orgs remove, certs remove, ips release, scale count 0, wireguard remove, tokens revoke, postgres detach, postgres failover, checks *, storage destroy, mysql destroy',
    publish:
      'deploy, launch, image update, releases rollback, apps create, machine run, machines run, machine update, m run, secrets import, ips allocate*, certs add',
    secret: 'auth token, tokens create*, tokens list, config env, ssh issue, secrets list-values',
    grant: 'orgs invite, wireguard create',
    run: 'ssh console, ssh sftp *, console, postgres connect, machine exec, machines exec, proxy, redis connect, mpg connect',
    login: 'auth login, auth logout, auth signup, auth docker',
    change:
      'secrets set, scale *, volumes create, volumes extend, apps restart, machine start, machine restart, postgres restart, postgres create, redis create, config save, autoscale *, machines clone, machine clone, secrets deploy, apps move, apps open, volumes fork, postgres attach, regions *, extensions *, postgres import',
    read: 'status, logs, apps list, releases, info, history, secrets list, volumes list, volumes show, machine list, machine status, machines list, ips list, certs list, certs show, certs check, scale show, auth whoami, config show, config validate, config display, platform *, doctor, dig, checks list, dashboard, regions list, orgs list, orgs show, postgres list, redis list, redis status, ping, image show, services list, dns-records list, version',
  },
  {
    names: 'heroku',
    host: 'heroku.com',
    colons: true,
    flags: '--force --json -v --wait --no-wait --tail -t',
    values:
      '-a --app -r --remote -t --team --confirm -c -s --size -p --password -n --num -i --as --name --space --region --stack',
    delete:
      '* destroy, addons detach, maintenance on, ps kill, ps stop, ps restart, container rm, members remove, access remove, repo reset, repo purge_cache, config unset, config remove, domains remove, domains clear, keys remove, keys clear, clients destroy, clients rotate, authorizations revoke, authorizations destroy, pg reset, pg killall, pg kill, pg unfollow, pg backups delete, pg backups restore, pg backups cancel, pg maintenance *, pg credentials destroy, redis maintenance, features disable, labs disable, drains remove, pipelines remove, pipelines destroy, webhooks remove, sessions destroy, apps leave, spaces destroy, run stop, dyno kill, dyno stop, dyno restart, buildpacks clear, buildpacks remove, ps autoscale disable, certs remove, certs auto disable, sharing remove, teams *, reviewapps disable, apps destroy, orgs *, data maintenances run, restart, pg promote, pg upgrade, pg copy, pg push, releases rollback, rollback',
    publish:
      'container release, container push, releases rollback, deploy, git clone, apps create, create, pipelines promote, builds create, webhooks add, domains add, certs add, certs update, apps transfer, apps rename, ci run, slugs *',
    grant:
      'access add, members add, members invite, keys add, authorizations create, clients create, sharing add, access update, certs auto enable, spaces trusted-ips add',
    secret:
      'config, config get, config edit, auth token, pg credentials url, pg credentials, authorizations info, redis credentials, config -s',
    run: 'run, run *, ps exec, pg psql, psql, redis cli, local run, ssh, console, ps socks, ps copy, run detached',
    login: 'login, logout, auth login, auth logout, container login, git credentials',
    change:
      'config set, config add, addons create, addons attach, addons upgrade, addons downgrade, ps scale, scale, ps resize, ps type, dyno scale, dyno resize, maintenance off, features enable, labs enable, buildpacks set, buildpacks add, stack set, drains add, pg backups capture, pg backups schedule, pg wait, apps favorites *, pipelines create, pipelines add, git remote, pg backups unschedule, pg settings *, ps autoscale enable, reviewapps enable',
    local: 'local, local start, plugins *, update, autocomplete, ci config, which',
    read: 'apps, apps info, info, ps, logs, releases, releases info, releases output, addons, addons info, addons list, addons plans, addons services, addons docs, addons open, domains, domains info, domains wait, pg, pg info, pg diagnose, pg ps, pg locks, pg outliers, pg bloat, pg backups, pg backups info, pg backups url, pg backups download, pg backups schedules, pg pull, maintenance, status, regions, spaces, teams, members, access, keys, buildpacks, stack, features, labs, pipelines, pipelines info, pipelines diff, webhooks, auth whoami, auth 2fa, whoami, authorizations, clients, sessions, notifications, drains, certs, certs info, open, apps open, apps errors, redis info, ci, ci info, ci last, reviewapps, run list, orgs, help',
  },
  {
    names: 'wrangler wrangler2',
    service: 'cloudflare',
    host: 'cloudflare.com',
    flags: '--dry-run --force -y --remote --local --preview --json',
    values:
      '-c --config -e --env --name --cwd --namespace-id --zone-id --binding --file --path --command --metadata --tag --message --compatibility-date --account-id --env-file',
    bare: 'quiet',
    nouns: 'deploy secret kv r2 d1 queues versions deployments',
    delete:
      'delete, * delete, * * delete, kv:key delete, kv:namespace delete, kv:bulk delete, kv key delete, kv namespace delete, kv bulk delete, r2 object delete, r2 bucket delete, d1 delete, d1 time-travel restore, dns-records delete, deployments rollback, rollback, secret delete, pages project delete, pages deployment delete, queues delete, queues purge, workflows delete, hyperdrive delete, vectorize delete, vectorize delete-vectors, dispatch-namespace delete, triggers delete, workflows instances terminate, queues consumer remove, cert delete',
    publish:
      'deploy, publish, versions deploy, versions upload, pages deploy, pages publish, triggers deploy, d1 migrations apply, r2 object put, kv key put, kv:key put, kv bulk put, kv:bulk put, secret put, secret bulk, versions secret put, pages project create, workflows trigger, queues consumer add',
    run: 'd1 execute, tail, pages deployment tail',
    secret: 'kv key get, r2 object get, kv:key get',
    login: 'login, logout',
    local:
      'dev, pages dev, init, generate, types, build, pages functions build, d1 migrations create, d1 execute --local, check, docs, setup, pages download config, telemetry *, d1 migrations apply --local',
    read: 'whoami, deployments list, deployments status, deployments view, kv namespace list, kv:namespace list, kv key list, kv:key list, r2 bucket list, r2 bucket info, d1 list, d1 info, d1 insights, d1 export, d1 migrations list, pages project list, pages deployment list, secret list, versions list, versions view, queues list, queues info, hyperdrive list, vectorize list, d1 time-travel info, dns-records list, workflows list',
    also: (run, operands, parsed) => {
      const words = operands.map(({ text }) => text).join(' ');
      if (/^(deploy|publish|versions upload|pages (deploy|publish))(?:\s|$)/.test(words)) sendsHere(run);
      if (!words.startsWith('d1 execute')) return;
      for (const statement of parsed.values('--command'))
        run.code('sql', statement, { positional: operands.slice(2, 3) });
      for (const file of parsed.values('--file')) run.script('sql', file, { positional: operands.slice(2, 3) });
    },
  },
  {
    names: 'supabase',
    host: 'supabase.com',
    flags: '--linked --local --yes --debug --create-ticket --experimental --no-verify-jwt --include-all --include-seed',
    values:
      '--project-ref --db-url -p --password --workdir --profile --schema -s -f --file --token --env-file --output -o --lang --network-id',
    delete:
      'projects delete, functions delete, secrets unset, storage rm, stop --no-backup, branches delete, branches disable, db reset --linked, db reset --db-url, domains delete, vanity-subdomains delete, ssl-enforcement update, network-bans remove, orgs delete, postgres-config delete, sso remove, migration repair, branches *, snippets delete',
    change:
      'db reset, db reset --local, db start, link, unlink, migration up, migration down, secrets set, projects create, branches create, storage cp, storage mv, migration squash, sso add, config push, postgres-config update, network-restrictions update',
    publish: 'db push, functions deploy, config push, domains create, domains activate, seed buckets --linked',
    secret: 'secrets list, projects api-keys, gen keys',
    login: 'login, logout',
    local:
      'init, start, stop, status, migration new, gen types, gen types *, functions new, functions serve, test db, db lint, test new, bootstrap, services, db diff, seed *',
    read: 'projects list, orgs list, functions list, migration list, migration fetch, db pull, db dump, inspect *, inspect db *, storage ls, branches list, branches get, functions download, snippets list, domains get',
  },
  {
    names: 'railway',
    host: 'railway.app',
    flags: '-y --yes -d --detach --json',
    values: '-s --service -e --environment -p --project',
    delete:
      'down, delete, remove, volume delete, environment delete, service delete, variables delete, deployment remove, unlink',
    publish: 'up, deploy, redeploy, domain, add, init, restart',
    secret: 'variables, vars, variables --kv',
    run: 'run, run *, shell, ssh, connect, connect *',
    change: 'variables --set, link, environment new, service, volume add, volume attach, volume detach, environment',
    login: 'login, logout',
    read: 'status, logs, list, open, whoami, docs',
  },
  {
    names: 'render',
    host: 'render.com',
    delete: '* delete, services suspend, jobs cancel, deploys cancel',
    publish: 'deploys create, services restart',
    run: 'ssh, psql',
    read: 'services, deploys list, logs, workspace current',
    values: '-o --output --confirm',
  },
  {
    names: 'doctl',
    service: 'digitalocean',
    host: 'digitalocean.com',
    flags: '--force -f --no-header --wait --verbose',
    values:
      '-t --access-token -c --config --context --output -o --format --region --size --image --ssh-keys --tag-name --spec',
    delete:
      '* delete, * * delete, * * * delete, compute droplet-action power-off, compute droplet-action rebuild, * * destroy, * * uninstall, registry garbage-collection start, kubernetes cluster delete, databases reset *, compute droplet-action shutdown, account * delete',
    publish: 'apps create, apps update, apps create-deployment, serverless deploy, registry create',
    secret:
      'kubernetes cluster kubeconfig show, kubernetes cluster kubeconfig save, registry docker-config, registry login, databases connection, databases user get, auth token, databases user list',
    grant:
      'compute firewall create, compute firewall update, compute ssh-key create, compute ssh-key import, databases firewalls *, databases user create',
    run: 'compute ssh, serverless functions invoke, apps console',
    login: 'auth init, auth switch, auth remove',
  },
  {
    names:
      'hcloud linode-cli linode scw civo exo vultr-cli ovhcloud ionosctl openstack ibmcloud bx oci aliyun tccli huaweicloud nova',
    flags: '--yes -y --force -f',
    values: '-o --output --context --region --profile --zone --config --type --image --name --location',
    delete:
      '* delete, * * delete, * terminate, * * terminate, * poweroff, * * shutdown, * rebuild, * * action terminate, * remove, * * remove',
    run: '* ssh',
    login: 'login, init, setup',
  },
  {
    names: 'cloudflare cf cfcli flarectl',
    service: 'cloudflare',
    host: 'cloudflare.com',
    values: '-d --domain --zone -t --type -a --account --name --content',
    delete:
      'delete, delete-app, delete-service, delete-space, delete-org, delete-route, delete-user, purge*, rm, zone delete, dns delete, zone purge, unbind-service, unset-env, unmap-route, stop, delete-*',
    publish: 'push, restage, restart, start, map-route, deploy, create-route, scale, set-env',
    secret: 'env, service-key, oauth-token, ssh-code',
    run: 'ssh, run-task',
    login: 'login, l, logout, auth, api, target',
    read: 'apps, app, services, service, logs, routes, marketplace, events, spaces, orgs, buildpacks, ls, find, zone list, dns list, zone info, domains',
  },
  {
    names: 'fastly',
    host: 'fastly.com',
    values: '-t --token -s --service-id --service-name --version --name --dictionary-id --acl-id --item-key --id',
    flags: '--autoclone --force -f -y --accept-defaults',
    delete:
      '* delete, * * delete, service version activate, service version deactivate, service-version activate, service-version deactivate, service purge, purge, compute delete, service-version lock, * * disable',
    publish:
      'compute deploy, compute publish, compute update, service version clone, service create, service-version update',
    local: 'compute build, compute init, compute serve, compute pack, compute validate, compute hash-files',
    secret: 'auth-token describe, profile token',
    login: 'profile create, profile delete, profile switch, sso, auth login',
  },
  {
    names: 'surge',
    host: 'surge.sh',
    bare: 'publish',
    delete: 'teardown *, teardown',
    read: 'list, whoami, plan',
    login: 'login, logout',
    secret: 'token',
    otherwise: 'publish',
    values: '-p --project -d --domain',
  },
  {
    names: 'gh-pages',
    host: 'github.com',
    bare: 'publish',
    otherwise: 'publish',
    values: '-d --dist -b --branch -m --message -r --repo',
  },
  {
    names: 'expo eas',
    host: 'expo.dev',
    bare: 'local',
    values: '-p --platform -e --profile --message --channel --branch --environment',
    colons: true,
    delete:
      '* delete, update delete, build cancel, build delete, channel delete, secret delete, env delete, webhook delete, branch delete',
    publish:
      'build, submit, update, publish, update roll-back-to-embedded, update republish, credentials, device create, deploy, channel rollout, worker deploy',
    secret: 'env list, env get, env pull, env exec, credentials',
    read: 'build list, build view, update list, update view, whoami, project info, channel list, config, diagnostics, device list, analytics, account view',
    login: 'login, logout',
    local:
      'start, prebuild, install, init, export, run android, run ios, customize, doctor, lint, build configure, update configure, project init, build inspect',
  },
  {
    names: 'amplify',
    service: 'aws',
    host: 'amazonaws.com',
    delete: 'delete, remove, * remove, env remove, mock *',
    publish: 'push, publish, * push, hosting publish',
    local: 'init, add, * add, codegen, mock, configure, * update, status',
    read: 'status, env list, diagnose, console, pull',
    values: '--envName --app --appId',
  },
  {
    names: 'shopify',
    host: 'shopify.com',
    delete: 'theme delete, app deploy, hydrogen unlink',
    publish: 'theme push, theme publish, app deploy, app release, theme share, hydrogen deploy',
    local:
      'theme init, theme check, theme dev, theme serve, app dev, app build, app generate *, app init, hydrogen dev, hydrogen build, theme package',
    read: 'theme list, theme pull, theme info, app info, app logs, app versions list, version, theme open',
    login: 'auth logout, auth login',
    values: '-s --store -t --theme -e --environment --path --client-id --config',
  },
];

export const hostingPrograms = HOSTING.flatMap((spec) => serviceRows(spec));
