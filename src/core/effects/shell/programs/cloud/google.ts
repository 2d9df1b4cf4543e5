import type { Word } from '../../../effect.js';
import type { Run } from '../../run.js';
import type { ParsedOptions } from '../options.js';
import { isStored, storeTransfer } from './amazon.js';
import { serviceRows, type ServiceSpec } from './service.js';

const COMMON =
  '--project --account --region --zone --format --filter --limit --sort-by --configuration --billing-project --impersonate-service-account --flags-file --verbosity --location --cluster --instance --database --member --role --iam-account --key-file --env-vars-file --set-env-vars --image --source --runtime --entry-point --trigger-topic --memory --timeout --tag --config --substitutions --page-size --namespace --secret --machine-type --network --subnet --service-account --scopes --tags --metadata --labels --display-name --description --data-file --replication-policy --command --ports -t';

/** Source: gcloud reference, release 500. */
const GCLOUD: ServiceSpec = {
  names: 'gcloud',
  host: 'googleapis.com',
  flags:
    '--quiet -q --async --no-async --force --recursive -r --all-users --dry-run --with-decryption --delete-tags --allow-unauthenticated',
  values: COMMON,
  nouns: 'run deploy auth config functions app compute builds beta alpha',
  delete:
    '* * delete, storage rm, storage mv, storage rsync --delete-unmatched-destination-objects, * * * delete, * * * * delete, projects delete, * instances stop, * * suspend, services disable, * * * destroy, secrets versions destroy, secrets versions disable, kms keys versions destroy, * * remove-iam-policy-binding, beta * * delete, alpha * * delete, compute instances reset, sql backups delete, container clusters resize, auth revoke, container images untag',
  grant:
    '* add-iam-policy-binding, * * add-iam-policy-binding, * * * add-iam-policy-binding, * * set-iam-policy, * set-iam-policy, iam service-accounts keys create, iam roles *, compute firewall-rules create, compute firewall-rules update, run deploy --allow-unauthenticated, functions deploy --allow-unauthenticated, * * * set-iam-policy, projects set-iam-policy, sql users create, sql users set-password, storage buckets add-iam-policy-binding',
  publish:
    'app deploy, run deploy, functions deploy, deploy *, endpoints services deploy, builds submit, builds triggers run, storage cp, storage rsync, pubsub topics publish, firebase *, artifacts * upload, container images add-tag, scheduler jobs run',
  secret:
    'auth print-access-token, auth print-identity-token, auth application-default print-access-token, secrets versions access, container clusters get-credentials, iam service-accounts keys get-public-key, auth print-refresh-token, kms decrypt, compute reset-windows-password, sql generate-login-token, config config-helper',
  run: 'compute ssh, compute scp, cloud-shell ssh, cloud-shell *, app instances ssh, sql connect, run jobs execute, functions call, workflows run, compute start-iap-tunnel, alpha cloud-shell *',
  login:
    'auth login, auth application-default login, auth activate-service-account, init, auth configure-docker, auth application-default set-quota-project',
  change:
    'config set, config unset, config configurations *, components *, projects undelete, sql instances patch, sql instances restart, sql import *, secrets create, secrets versions add, compute instances start, services enable',
  read: 'auth list, config list, config get-value *, config get *, config configurations list, config configurations describe, components list, storage ls, storage cat, storage du, storage hash, logging read, logging tail, sql export *, * * get-iam-policy, projects get-iam-policy, * list, * * list, * * describe, * describe, beta * * list, alpha * * list, asset *, storage buckets describe, info',
  quiet: 'help, version, topic *, cheat-sheet, feedback',
  also: googleFiles,
};

function googleFiles(run: Run, operands: readonly Word[], parsed: ParsedOptions): void {
  const [group, verb, ...rest] = operands;
  if (group?.text === 'storage' && verb && /^(cp|mv|rsync)$/.test(verb.text)) {
    storeTransfer(run, rest, {
      isRecursive: verb.text === 'rsync' || parsed.has('-r', '--recursive'),
      isMoving: verb.text === 'mv',
    });
  }
  for (const file of parsed.values('--data-file', '--key-file', '--env-vars-file', '--flags-file', '--config'))
    if (file.text !== '-') run.read(file);
  if (
    operands
      .map(({ text }) => text)
      .join(' ')
      .startsWith('iam service-accounts keys create') &&
    operands[4]
  )
    run.write(operands[4]);
}

/** Source: gsutil reference. */
const GSUTIL: ServiceSpec = {
  names: 'gsutil',
  service: 'gcloud',
  host: 'storage.googleapis.com',
  flags: '-m -q -D -DD -r -R -n -d -f -a -p -c -e -u0 -z0 -j0 -J -P -U',
  values: '-o -h -i -u -x -y -t -l -b -C -s -z',
  delete: 'rm, rb, mv, rsync -d, label set, versioning set off, retention clear, lifecycle set',
  grant: 'iam ch, iam set, acl ch, acl set, defacl *, bucketpolicyonly *, ubla *, pap set, signurl, hmac create',
  publish: 'cp, rsync, setmeta, web set, compose, rewrite',
  read: 'ls, du, stat, cat, hash, version, iam get, acl get, label get, lifecycle get, versioning get, logging get, help, cors get, hmac list, test, rsync -n',
  change: 'mb, cors set, label ch, config, update, defstorageclass set, kms *, notification *, requesterpays set',
  also: (run, operands, parsed) => {
    const [verb, ...rest] = operands;
    if (!verb || !/^(cp|mv|rsync)$/.test(verb.text)) return;
    storeTransfer(run, rest, {
      isRecursive: verb.text === 'rsync' || parsed.has('-r', '-R'),
      isMoving: verb.text === 'mv',
    });
    const target = rest.at(-1);
    if (verb.text === 'rsync' && parsed.has('-d') && target && !isStored(target))
      run.delete(target, { traits: ['recursive', 'mass'], certainty: 'pattern' });
  },
};

/** Source: bq command-line reference. */
const BQ: ServiceSpec = {
  names: 'bq',
  service: 'bigquery',
  host: 'bigquery.googleapis.com',
  style: 'single',
  values: '-project_id -dataset_id -format -location -schema -destination_table -n -max_rows -job_id -source_format',
  delete: 'rm, cancel, truncate, undelete, remove-iam-policy-binding',
  grant: 'set-iam-policy, add-iam-policy-binding',
  change: 'mk, cp, load, insert, update, partition, extract',
  read: 'ls, show, head, info, wait, get-iam-policy, version',
  also: (run, operands) => {
    const [verb, statement] = operands;
    if (verb?.text === 'query' && statement)
      run.code('sql', statement, {
        positional: [{ text: 'bigquery', raw: 'bigquery', certainty: 'exact', quoted: true }],
      });
    if (verb?.text === 'load' && operands[2] && !isStored(operands[2])) run.read(operands[2]);
  },
};

/** Source: Firebase CLI reference 13. */
const FIREBASE: ServiceSpec = {
  names: 'firebase',
  host: 'firebase.google.com',
  colons: true,
  values: '-P --project -c --config --only --except -m --message --token --site',
  delete:
    'firestore delete, database remove, hosting disable, hosting channel delete, functions delete, hosting sites delete, functions secrets destroy, functions config unset, functions secrets prune, apps delete, firestore databases delete, remoteconfig rollback, ext uninstall, crashlytics *, appdistribution *delete',
  publish:
    'deploy, hosting clone, hosting channel deploy, ext install, appdistribution distribute, functions secrets set, database set, database push, database update, database import, remoteconfig *, auth import',
  secret: 'login ci, functions secrets access, functions config get, functions config export',
  read: 'projects list, apps list, apps sdkconfig, database get, hosting channel list, functions list, functions log, ext list, firestore indexes, auth export, hosting sites list, target, apps android sha list, database profile',
  login: 'login, logout, login add, login use',
  local: 'init, serve, emulators start, emulators exec, emulators export, use, setup *, open',
};

export const googlePrograms = [GCLOUD, GSUTIL, BQ, FIREBASE].flatMap((spec) => serviceRows(spec));
