import { serviceRows, type ServiceSpec } from './service.js';

/** Queues and streams. Sources: Apache Kafka 3.9, RabbitMQ 4, NATS CLI, and the projects' own references. */
const QUEUES: readonly ServiceSpec[] = [
  {
    names: 'kafka-topics kafka-topics.sh',
    service: 'kafka',
    flags: '--list --describe --create --delete --alter --if-exists --if-not-exists --unavailable-partitions',
    values: '--bootstrap-server --topic --partitions --replication-factor --config --command-config --zookeeper',
    delete: '--delete',
    change: '--create, --alter',
    read: '--list, --describe',
    bare: 'read',
  },
  {
    names: 'kafka-consumer-groups kafka-consumer-groups.sh',
    service: 'kafka',
    flags:
      '--list --describe --delete --reset-offsets --execute --delete-offsets --all-groups --all-topics --to-earliest --to-latest --export --members --verbose --state --dry-run',
    values:
      '--bootstrap-server --group --topic --to-offset --shift-by --by-duration --to-datetime --from-file --command-config',
    delete: '--delete, --delete-offsets, --reset-offsets, --reset-offsets --execute',
    read: '--list, --describe',
    bare: 'read',
  },
  {
    names: 'kafka-configs kafka-configs.sh',
    service: 'kafka',
    flags: '--describe --alter --all',
    values: '--bootstrap-server --entity-type --entity-name --add-config --delete-config --command-config --zookeeper',
    delete: '--alter --delete-config',
    change: '--alter',
    read: '--describe',
    bare: 'read',
  },
  {
    names: 'kafka-acls kafka-acls.sh',
    service: 'kafka',
    flags: '--list --add --remove --force --cluster',
    values:
      '--bootstrap-server --topic --group --allow-principal --deny-principal --operation --producer --consumer --command-config',
    delete: '--remove',
    grant: '--add',
    read: '--list',
    bare: 'read',
  },
  {
    names:
      'kafka-delete-records kafka-delete-records.sh kafka-streams-application-reset kafka-leader-election kafka-reassign-partitions kafka-storage kafka-leader-election.sh kafka-reassign-partitions.sh kafka-storage.sh',
    service: 'kafka',
    bare: 'delete',
    delete: '*',
    otherwise: 'delete',
    read: '--verify, --list, --generate',
    flags: '--verify --list --generate --execute',
    values: '--bootstrap-server --offset-json-file --reassignment-json-file',
  },
  {
    names: 'kafka-console-producer kafka-console-producer.sh kafka-producer-perf-test',
    service: 'kafka',
    bare: 'publish',
    values: '--bootstrap-server --topic --property --broker-list',
  },
  {
    names:
      'kafka-console-consumer kafka-console-consumer.sh kafka-broker-api-versions kafka-broker-api-versions.sh kafka-log-dirs kafka-get-offsets kafka-dump-log kafka-metadata-quorum kafka-features kafka-cluster kafka-consumer-perf-test',
    service: 'kafka',
    bare: 'read',
    otherwise: 'read',
    values: '--bootstrap-server --topic --group --offset --partition --max-messages --files',
  },
  {
    names: 'kcat kafkacat',
    service: 'kafka',
    bare: 'read',
    flags: '-L -C -P -Q -e -q -J',
    values: '-b -t -p -o -c -f -F -X -G -K -D',
    publish: '-P',
    read: '-L, -C, -Q',
    otherwise: 'read',
  },
  {
    names: 'rpk',
    service: 'redpanda',
    values: '-X --brokers --profile -p -r --config --schema',
    nouns: 'topic group cluster acl user redpanda cloud profile registry transform container connect',
    delete:
      'topic delete, topic trim-prefix, group delete, group offset-delete, group seek, acl delete, registry subject delete, registry schema delete, cloud cluster delete, security * delete, container purge, container stop, cluster maintenance enable, redpanda admin brokers decommission, transform delete, topic alter-config --delete, cluster storage unmount, cluster partitions move',
    publish:
      'topic produce, topic create, topic alter-config, topic add-partitions, transform deploy, registry schema create, cluster config set, cluster config import, cluster partitions *',
    grant: 'acl create, acl user create, security acl create, security user create, security role *',
    secret: 'profile print, cloud auth token',
    read: 'topic consume, topic list, topic describe, cluster info, cluster health, group list, group describe, cluster config get, cluster config export, cluster logdirs *, acl list, version, debug *',
  },
  {
    names: 'rabbitmqctl rabbitmqctl.bat',
    service: 'rabbitmq',
    flags: '-q --quiet -s --longnames -l --offline',
    values: '-n --node -t --timeout -p --vhost --formatter',
    delete:
      'delete_*, clear_*, purge_queue, reset, force_reset, forget_cluster_node, stop, stop_app, shutdown, close_*, remove_*, rename_cluster_node, force_boot, suspend_*, eval, evict_*',
    grant: 'set_permissions, set_topic_permissions, set_user_tags, add_user, change_password, set_user_limits',
    change:
      'start_app, add_vhost, join_cluster, set_*, enable_feature_flag, rotate_logs, sync_queue, resume_*, await_*, import_definitions, update_cluster_nodes, trace_*, restart_vhost, cancel_sync_queue, add_*',
    secret: 'environment, export_definitions',
    read: 'list_*, status, cluster_status, ping, node_health_check, report, version, help, authenticate_user, encode, list_users, authenticate_*, schema_info, hash_password',
    nouns: '',
  },
  {
    names: 'rabbitmqadmin',
    service: 'rabbitmq',
    values: '-H --host -P --port -u --username -p --password -V --vhost -c --config -f --format',
    delete: 'delete, delete *, purge, purge *, close *, import',
    change: 'declare *',
    publish: 'publish',
    grant: 'declare user, declare permission',
    secret: 'export',
    read: 'list, list *, show *, get',
    local: 'help *',
  },
  {
    names: 'rabbitmq-diagnostics rabbitmq-queues rabbitmq-upgrade rabbitmq-streams',
    service: 'rabbitmq',
    delete: 'delete_*, force_*, drain, shrink, remove_*, delete_member',
    change: 'rebalance, grow, add_*, await_*, revive',
    otherwise: 'read',
    bare: 'read',
    secret: 'environment, erlang_cookie_sources',
    values: '-n --node -t --timeout --formatter',
  },
  {
    names: 'rabbitmq-plugins',
    service: 'rabbitmq',
    delete: 'disable',
    change: 'enable, set',
    read: 'list, is_enabled, directories',
  },
  {
    names: 'nats nsc',
    service: 'nats',
    flags: '-f --force -a --all --trace',
    values: '-s --server --user --password --creds --nkey --context --subject --timeout --count --config',
    nouns: 'stream consumer kv object account server context bucket auth',
    delete:
      '* delete, * del, * rm, * purge, kv rm, stream seal, stream edit, stream cluster *, consumer cluster *, object seal, account delete, server cluster *, server raft *, context delete, stream restore, kv compact, stream remove-peer, consumer pause',
    publish:
      'pub, publish, request, req, reply, kv put, kv create, kv update, kv add, object put, object add, stream add, consumer add, stream copy, stream backup, bench',
    grant: 'auth *, push, generate *, add user, add account',
    secret: 'context show, export *, context info',
    read: 'sub, subscribe, * ls, * list, * info, * report, * view, * get, * state, server *, kv get, kv history, kv watch, kv status, object get, object info, latency, rtt, events, schema *, top, micro *, traffic, stream subjects, stream find, stream next, consumer next, consumer find, context select, context validate, errors *, cheat',
  },
  {
    names: 'pulsar-admin pulsar-client',
    service: 'pulsar',
    values: '--admin-url --auth-params --auth-plugin -n -s',
    delete:
      '* delete*, * unload*, * terminate*, * skip*, * clear*, * remove*, * reset*, * unsubscribe*, * expire*, * stop*',
    publish: 'produce *, * create*, * set*, * update*',
    grant: '* grant*',
    otherwise: 'read',
  },
  {
    names: 'aerospike asadm aql activemq artemis mosquitto_pub mosquitto_sub mqtt',
    values: '-h -t -m -p -u -P -i -q',
    bare: 'publish',
    otherwise: 'publish',
    delete: 'queue delete, address delete, queue purge, truncate *, drop *, stop',
    read: 'queue stat, address show, sub *, subscribe *, check *',
  },
];

/** Watching, alerting, flags, payments, search, mail. Sources: the services' own command references. */
const SERVICES: readonly ServiceSpec[] = [
  {
    names: 'newrelic nr1',
    service: 'newrelic',
    host: 'newrelic.com',
    delete: '* delete, * * delete, nr1 nerdpack unsubscribe',
    publish:
      'nerdpack publish, nerdpack deploy, nerdpack *, * create, apm deployment create, entity tags *, workload create, events post',
    values: '--accountId --guid --profile --name --apiKey -g',
    secret: 'profile list, apiAccess *',
    read: 'nrql query, entity search, entity get, * list, * get, * search, diagnose *, decode *',
  },
  {
    names: 'datadog dogshell',
    service: 'datadog',
    host: 'datadoghq.com',
    delete: '* delete, * * delete, * mute*, * unmute*, downtime cancel*, host mute, * delete_*',
    publish:
      '* post, * update, * create, metric post, event post, monitor *, timeboard *, screenboard *, * new_file, * push',
    read: '* show, * show_all, * get, * list, * search, * stream, * query, * pull',
  },
  {
    names: 'pd pagerduty',
    service: 'pagerduty',
    host: 'pagerduty.com',
    values: '-i --ids -n --names -t -b',
    colons: true,
    delete: '* delete, * remove, incident resolve, * override delete',
    publish: 'incident *, * create, * set, * add, event alert, event *, orchestration *',
    read: '* list, * log, * view, * oncall, * show, * open',
    login: 'auth, auth *, login',
  },
  {
    names: 'splunk',
    service: 'splunk',
    delete: 'remove *, clean *, delete *, stop, disable *, offline, fsck *, remove',
    change: 'add *, edit *, enable *, set *, start, restart, reload *, rebuild *, apply *, install *',
    secret: 'show config *, cmd *',
    run: 'cmd *, search * | delete',
    read: 'list *, show *, status, display *, search *, version, help, btool *, diag, validate *',
    login: 'login, logout',
    values: '-auth -uri -app -owner -index',
  },
  {
    names: 'grafana-cli',
    service: 'grafana',
    delete:
      'plugins uninstall, plugins remove, admin reset-admin-password, admin data-migration *, * plugins uninstall, * plugins remove',
    change: 'plugins install, plugins update, plugins update-all',
    read: 'plugins ls, plugins list-remote, plugins list-versions',
    values: '--pluginsDir --repo --pluginUrl --homepath --config',
  },
  {
    names: 'grafana grafanactl grr',
    service: 'grafana',
    delete: '* delete, * remove, cli plugins uninstall, cli plugins remove, cli admin *',
    publish: 'apply, push, resources push, server',
    read: 'list, get, pull, show, diff, preview, resources get, resources pull, config view',
    values: '-t --target -o -d --path',
  },
  {
    names: 'influx',
    service: 'influxdb',
    delete: 'delete, * delete',
    change: 'write, * create, * update, restore, apply, setup',
    read: 'query, ping, * list, version',
    values: '-b --bucket -o --org -t --token --host --start --stop -p --predicate -f --file',
  },
  {
    names: 'promtool amtool mimirtool cortextool logcli influx2 thanos telegraf vector fluent-bit otelcol',
    service: 'monitoring',
    delete: '* delete*, silence expire, tsdb delete*, rules delete*, silence import, * expire, * purge',
    change:
      'silence add, config load, rules load, rules sync, alertmanager load, tsdb create-*, silence update, rules *',
    read: 'check *, query *, test *, debug *, tsdb list, tsdb analyze, config show, silence query, alert *, alert query, cluster *, labels, series, tail, config *, validate *, --config.test',
    otherwise: 'read',
    bare: 'read',
    values: '--alertmanager.url --config.file -c --config --addr --id --address',
  },
  {
    names: 'ldcli launchdarkly',
    service: 'launchdarkly',
    host: 'launchdarkly.com',
    values: '--flag --project --environment --access-token --data -d --segment',
    delete: '* delete, * archive, * expire*, * reset*, members delete-*',
    publish: '* create, * update, flags toggle-on, flags toggle-off, flags replace*, members invite, teams *',
    secret: 'environments reset-*',
    login: 'login, config',
    local: 'setup, dev-server *',
  },
  {
    names: 'unleash flipt flagsmith growthbook configcat',
    values: '--flag -f --namespace -n --address --token --workspace --environment --data',
    delete: '* delete, * archive, * kill, * remove, import',
    publish: '* create, * update, * enable, * disable, * toggle*, * add',
    read: 'export, validate, version, evaluate, bundle *, doc',
    local: 'init, completion, server, lint',
  },
  {
    names: 'apigeecli apigee',
    service: 'apigee',
    host: 'googleapis.com',
    delete: '* delete, * undeploy, * * delete, * * undeploy, * clean*, * * clean*',
    publish: '* deploy, * create*, * import, * * create*, * update',
    secret: 'token *, * export, keystores *',
    values: '-o --org -e --env -n --name -t --token -r --region -a --account',
  },
  {
    names: 'deck',
    service: 'kong',
    delete: 'reset, gateway reset, sync, gateway sync, gateway apply',
    publish: 'apply',
    read: 'dump, gateway dump, diff, gateway diff, ping, gateway ping, validate, gateway validate, version',
    local: 'file *, convert, render, file lint, openapi2kong',
    values:
      '-s --state --select-tag --kong-addr --konnect-token --headers -o --workspace --config --konnect-control-plane-name --output-file',
  },
  {
    names: 'kong',
    service: 'kong',
    delete: 'stop, quit, migrations reset, restart',
    change: 'start, reload, prepare, config db_import, migrations up, migrations bootstrap, migrations finish',
    read: 'check, health, version, migrations list, config parse, roar',
    secret: 'config db_export, vault get',
  },
  {
    names: 'algolia',
    service: 'algolia',
    host: 'algolia.net',
    delete:
      '* delete, indices clear, * clear, indices move, rules import --clear, synonyms import --replace, objects delete',
    publish:
      'objects import, objects update, settings import, settings set, rules import, synonyms import, synonyms save, indices copy, indices config import, crawler *',
    grant: 'apikeys create',
    secret: 'apikeys list, apikeys get',
    read: '* browse, indices list, search, settings get, indices analyze, indices config export, crawler get, crawler list, crawler stats, dictionary entries browse, events tail, profile list',
    login: 'profile add, profile remove, profile setdefault, auth *',
    values: '-p --profile --application-id --admin-api-key --object-ids -F --file -o --facets -q',
    flags: '-y --confirm -w --wait',
  },
  {
    names: 'stripe',
    service: 'stripe',
    host: 'stripe.com',
    values: '-d --data --api-key --project-name -p --forward-to -f -e --expand -l --limit --events --stripe-account',
    flags: '-c --confirm --live',
    delete:
      'delete, * delete, * * delete, api_keys roll, * cancel, * void*, * expire, * reverse, subscriptions cancel, refunds *, * detach',
    publish:
      'post, trigger, * create, * update, * * create, * confirm, * capture, payouts *, * pay, * send*, charges *, fixtures, events resend, * approve, * finalize*',
    secret: 'config --list, issuing *, listen --print-secret',
    run: 'terminal *',
    login: 'login, logout, config --set, config --unset',
    local: 'samples *, completion, serve, generate',
    read: 'get, * list, * retrieve, * search, charges list, charges retrieve, charges search, refunds list, refunds retrieve, payouts list, payouts retrieve, logs tail, status, resources, events list, version, open, listen, * * list, * * retrieve, feedback, community, whoami',
  },
  {
    names: 'square twilio sendgrid mailgun postmark plaid paypal braintree shippo',
    colons: true,
    values: '-o --properties --sid --limit',
    delete: '* delete, * remove, * * delete, * * remove, * cancel, * deactivate, * * * remove, delete *',
    publish: '* create, * send*, * update, * * create, * * update, email send, post *, * upsert, * publish',
    secret: 'profiles *',
    login: 'login, logout, profiles create, profiles use',
  },
  {
    names: 'contentful sanity storyblok wp-cli wp strapi directus ghost hasura',
    colons: true,
    values:
      '--space-id --environment-id --management-token --dataset --project --endpoint --admin-secret --path --url --ssh',
    delete:
      '* delete, * * delete, db reset, db drop, db clean, site empty, site delete, dataset delete, documents delete, * * rollback, plugin delete, plugin uninstall, core multisite-*, post delete, user delete, db import, uninstall, stop, migrate rollback, metadata clear, content-type delete, search-replace',
    publish:
      'space import, deploy, push, * publish, * create, metadata apply, migrate apply, seed apply, db query, plugin install, plugin update, plugin activate, core update, user create, user update, option update, eval, eval-file, shell, import, transfer, theme *, graphql deploy, schema deploy, dataset import, content-type *',
    secret: 'config get, config list, user application-password *, db export, export, dataset export, debug',
    login: 'login, logout',
    local: 'init, start, develop, build, dev, console, migrate create, new',
  },
  {
    names:
      'snyk socket fossa whitesource sonar-scanner semgrep gitleaks trufflehog osv-scanner npm-audit bearer safety',
    bare: 'read',
    otherwise: 'read',
    read: 'test, scan, ci, audit, detect, protect, code *, container *, iac *, log4shell, dir, git, analyze, check, show, filesystem',
    publish: 'monitor, report *, publish, upload, ci --publish',
    login: 'auth, login, logout, config *',
    local: 'fix, ignore, wizard',
    values: '--org --token -s --source -r --report-path -c --config --file --severity-threshold',
  },
  {
    names:
      'slack slackcat sendmail|msmtp|ssmtp mail|mailx|mutt|neomutt|swaks telegram-send discord-sh apprise ntfy pushover',
    bare: 'publish',
    otherwise: 'publish',
    local: 'create, run, init, version, doctor, --version',
    login: 'login, logout, auth *',
    delete: 'delete, uninstall, app delete, app uninstall, datastore delete',
    read: 'list, auth list, app list, datastore query, datastore get',
    values: '-s -a -r -c -b -t --to --from --server --subject --body --title -m --channel -S -i',
    also: (run, _operands, parsed) => {
      for (const file of parsed.values('-a', '-i')) if (!/^\d+$/.test(file.text)) run.read(file);
      if (run.invocation.input.type === 'pipe' || run.invocation.input.type === 'file')
        run.network(
          { text: 'smtp://mail', raw: 'smtp://mail', certainty: 'exact', quoted: true },
          { method: 'POST', traits: ['upload', 'publish'] },
        );
    },
  },
  {
    names:
      'huggingface-cli|hf wandb kaggle replicate modal clearml dvc mlflow comet runpodctl vastai lambda-cloud beam bentoml',
    values:
      '--token --repo-type --revision --local-dir -p --path -m --message -f --file --project --entity --run-id -d --dataset -c --competition --include --exclude -r --remote -n --name',
    delete:
      '* delete, delete *, repo delete, repo-files delete, * rm, gc, destroy, * destroy, remove *, app stop, stop, volume rm, secret delete, stop *, * terminate, kill, experiments delete, runs delete, endpoints delete',
    publish:
      'upload, upload-large-folder, repo create, repo *, push, deploy, sync, artifact put, datasets create, datasets version, kernels push, competitions submit, models create, run *, volume put, publish, launch *, create *, train, sweep, agent, serve, models instances *',
    secret: 'auth token, token *, secret list',
    login: 'login, logout, auth login, auth logout, token new, token set, setup, auth switch',
    read: 'download, whoami, env, scan-cache, version, repo-files list, * list, * status, * show, * download, datasets *, kernels pull, kernels output, competitions *, pull, diff, metrics *, params *, plots *, runs *, artifact get, artifact ls, status, fetch, list, get, search *, experiments *, volume ls, volume get, app list, app logs, cache *, lfs-enable-largefiles',
    local:
      'init, offline, online, add, repro, stage *, checkout, commit, docker, verify, config, local, freeze, move, unprotect, delete-cache, tag, exp *, root, data *, ui, doctor, server',
  },
];

/** Machines and containers in machines, on this computer or a server. Sources: the projects' own references, 2025. */
const MACHINES: readonly ServiceSpec[] = [
  {
    names: 'limactl colima multipass orb|orbctl',
    service: 'virtual-machine',
    values: '--name -n --cpus -c --memory -m --disk -d --tty --workdir --mount --arch -a --profile -p --timeout',
    flags: '-f --force -p --purge -y',
    delete:
      'delete, delete *, purge, prune, factory-reset, reset, kubernetes delete, kubernetes reset, snapshot delete, restore, recover',
    change:
      'start, stop, restart, suspend, launch, create, clone, edit, set, mount, umount, rename, template copy, disk *',
    run: 'shell, ssh, exec, start --run',
    read: 'list, ls, status, info, version, find, networks, get, snapshot list, validate, show-ssh, ssh-config, nerdctl *, logs, aliases',
    local: 'completion, template *, copy, transfer',
    also: (run, operands) => {
      const dashes = run.invocation.argv.findIndex(({ text }) => text === '--');
      const words = dashes >= 0 ? run.invocation.argv.slice(dashes + 1) : operands.slice(2);
      if (/^(?:shell|ssh|exec)$/.test(operands[0]?.text ?? '') && words.length > 0)
        run.elsewhere({ type: 'remote', service: 'virtual-machine', name: operands[1]?.text ?? '' }, words);
    },
  },
  {
    names: 'virsh virt-install virt-clone VBoxManage|vboxmanage prlctl vmrun tart utmctl vmadm',
    service: 'virtual-machine',
    values: '-c --connect --domain --pool --vol --file',
    delete:
      'destroy, undefine, shutdown, reset, managedsave-remove, snapshot-delete, snapshot-revert, vol-delete, vol-wipe, pool-delete, pool-destroy, net-destroy, net-undefine, unregistervm, closemedium, controlvm, delete, deleteVM, stop, snapshot * delete, snapshot * restore, snapshot-switch, revertToSnapshot, deleteSnapshot, detach-*, blockpull, iface-destroy',
    secret: 'secret-get-value',
    read: 'list, dominfo, domstate, dumpxml, domblklist, domiflist, domifaddr, nodeinfo, pool-list, vol-list, net-list, snapshot-list, capabilities, uri, version, showvminfo, ip, get, status, vcpuinfo, dommemstat, domstats, pool-info, vol-info, net-info, net-dumpxml, guestproperty *',
  },
  {
    names: 'qm pct pvesh pvecm',
    service: 'proxmox',
    delete: 'destroy, delete, stop, shutdown, rollback, delsnapshot, reset, unlink, delnode, terminal, remote-migrate',
    read: 'list, status, config, pending, listsnapshot, showcmd, get, ls, nodes, cpusets, df',
    run: 'guest *, exec, enter, monitor',
  },
  {
    names: 'incus lxc',
    service: 'container-host',
    delete:
      'delete, * delete, stop, restore, rebuild, profile remove, project delete, storage volume delete, snapshot delete',
    run: 'exec, shell, console',
    read: 'list, info, * list, * show, config show, config get, image info, version, monitor, file pull',
    publish: 'publish, image copy, remote add',
  },
];

/** Databases and back ends that are rented. Sources: the services' own command references, 2025. */
const RENTED: readonly ServiceSpec[] = [
  {
    names:
      'neonctl|neon turso pscale upstash xata aiven|avn atlas-cli mongocli cockroach-cloud|ccloud tidb-cloud|ticloud koyeb northflank clever zeabur dokku cap-rover|caprover coolify qovery',
    values:
      '--project-id --org-id --org --api-key --token --id --name --region --database --branch --role-name -o --output -a --app --alias --config-dir -f --format',
    flags: '--force -y --yes',
    delete:
      'delete, * delete, * destroy, * rm, * remove, * * delete, * * destroy, branch restore, branches restore, branches reset, * reset, db destroy, * purge, apps:destroy, config:unset, * flush*',
    publish: 'deploy, * deploy, deploy-request deploy, * promote, push',
    secret:
      'connection-string, * tokens create, * credentials, password create, * keys, auth token, auth whoami, config:show, db show *, env show, secrets get',
    change: 'switch, set-context',
    login: 'auth, auth *, login, logout',
  },
  {
    names: 'convex',
    service: 'convex',
    host: 'convex.dev',
    delete: 'import --replace, import --replace-all, env remove',
    publish: 'deploy, import, env set, run --prod, env default set',
    secret: 'env list, env get, auth *',
    read: 'logs, data, dashboard, function-spec, insights',
    run: 'run',
    login: 'login, logout',
    local: 'dev, codegen, docs, init, mcp, ai-files',
    bare: 'quiet',
    values: '--project --env-file --table --url --admin-key --cmd --preview-create',
  },
  {
    names: 'cosign',
    values: '--key -k --certificate --output -o --predicate --type --registry-username --registry-password --bundle',
    publish: 'sign, attest, attach *, upload *, copy, sign-blob, attest-blob',
    delete: 'clean',
    secret: 'import-key-pair',
    login: 'login, initialize',
    local: 'generate-key-pair, generate, public-key, piv-tool *, pkcs11-tool *, version',
    read: 'verify, verify-*, triangulate, tree, download *, load, save, env',
  },
  {
    names: 'couchbase-cli',
    service: 'couchbase',
    values: '-c --cluster -u --username -p --password --bucket --bucket-type --bucket-ramsize --services --server-add',
    delete:
      'bucket-delete, bucket-flush, server-remove, failover, rebalance, collection-manage --drop-collection, collection-manage --drop-scope, xdcr-replicate --delete, node-reset, user-manage --delete',
    change: 'bucket-create, bucket-edit, cluster-edit, cluster-init, server-add, setting-*, collection-manage, reset-*',
    grant: 'user-manage, user-change-password, master-password',
    read: 'bucket-list, server-list, server-info, host-list, group-manage --list, rebalance-status, collection-manage --list-collections',
  },
  {
    names: 'neo4j-admin',
    service: 'neo4j',
    values: '--from-path --to-path --additional-config --database',
    delete: 'database load, database import, database restore, database migrate, server memory-recommendation --write',
    grant: 'dbms set-initial-password, dbms set-default-admin',
    change: 'database copy, server *, dbms unbind-system-db',
    read: 'database dump, database check, database info, database backup, server report, server memory-recommendation, server license',
  },
  {
    names: 'altool notarytool stapler',
    service: 'apple',
    host: 'apple.com',
    values: '-f --file -t --type -u --username -p --password --apiKey --apiIssuer --keychain-profile',
    flags: '--upload-app --upload-package --validate-app --list-apps',
    publish: '--upload-app, --upload-package, submit, submit *',
    login: 'store-credentials, store-credentials *',
    read: '--validate-app, --list-apps, history, log, info, wait, validate',
    local: 'staple *',
    bare: 'read',
  },
];

export const otherServicePrograms = [...QUEUES, ...SERVICES, ...MACHINES, ...RENTED].flatMap((spec) =>
  serviceRows(spec),
);
