import type { Word } from '../../../effect.js';
import type { Run } from '../../run.js';
import type { ParsedOptions } from '../options.js';
import { serviceRows, type ServiceSpec } from './service.js';

/** Whether a word names an object of a store rather than a file of this machine. */
export const isStored = ({ text }: Word): boolean => /^(s3|gs|az|https?):\/\//i.test(text);

/** `cp`, `mv`, `sync` between this machine and a store: what is sent is read, what comes is written. */
export function storeTransfer(
  run: Run,
  words: readonly Word[],
  options: { readonly isRecursive: boolean; readonly isMoving: boolean },
): void {
  const target = words.at(-1);
  const traits = options.isRecursive ? (['recursive'] as const) : [];
  for (const source of words.slice(0, -1)) {
    if (isStored(source) || source.text === '-') continue;
    run.read(source, { traits });
    if (options.isMoving) run.delete(source, { traits });
  }
  if (target && !isStored(target) && target.text !== '-') run.write(target, { traits: [...traits, 'download'] });
}

/** Source: AWS CLI command reference 2.22. Verbs are the first part of each name: `delete-bucket`, `describe-instances`. */
const AWS: ServiceSpec = {
  names: 'aws awslocal aws-vault-exec',
  service: 'aws',
  host: 'amazonaws.com',
  flags:
    '--debug --no-verify-ssl --no-paginate --no-sign-request --dryrun --dry-run --recursive --delete --force --quiet --no-cli-pager --only-show-errors --with-decryption --no-dry-run --delete-removed --yes --follow-symlinks --no-follow-symlinks --human-readable --summarize --no-progress --page-size',
  values:
    '--region --profile --output --query --endpoint-url --ca-bundle --cli-read-timeout --cli-connect-timeout --color --cli-input-json --cli-input-yaml --cli-binary-format --secret-id --bucket --key --acl --queue-url --topic-arn --rest-api-id --api-id --stack-name --function-name --instance-ids --db-instance-identifier --cluster --service --name --names --filters --exclude --include --storage-class --content-type --sse --metadata --policy-arn --policy-document --role-name --user-name --group-name --parameters --capabilities --template-body --template-file --image-id --version-id --version-stage --max-items --starting-token --profile-name --cluster-name --table-name --log-group-name --log-stream-name --zone-id --hosted-zone-id --change-batch --distribution-id --id --paths --payload --password-length --subscription-arn --receipt-handle --target --document-name --tail',
  nouns: 'deploy config budgets support ssm sso events logs batch connect transfer translate comprehend signer shield',
  delete:
    's3 rm, s3 rb, s3 sync --delete, s3 mv, route53 change-resource-record-sets, ec2 terminate-instances, ec2 release-address, ec2 revoke-*, ec2 stop-instances, ec2 deregister-image, * batch-delete-*, * purge-*, kms schedule-key-deletion, kms disable-key, cloudformation delete-stack, secretsmanager delete-secret, ecs deregister-*, rds delete-*, rds stop-*, iam remove-*, iam detach-*, organizations close-account, organizations leave-organization, sns unsubscribe, logs delete-*, autoscaling terminate-*, emr terminate-*, elasticbeanstalk terminate-*, glacier delete-*, dynamodb delete-*, cloudtrail stop-logging, guardduty disassociate-*, lightsail delete-*, ecr batch-delete-image, * untag-*, ssm delete-*',
  grant:
    'iam attach-*, iam put-*, iam add-*, iam create-access-key, iam create-login-profile, iam update-assume-role-policy, iam create-user, iam create-policy*, iam update-login-profile, s3api put-bucket-policy, s3api put-bucket-acl, s3api put-object-acl, s3api delete-public-access-block, s3api put-public-access-block, ec2 authorize-*, lambda add-permission, kms create-grant, kms put-key-policy, sns add-permission, sqs add-permission, ecr set-repository-policy, secretsmanager put-resource-policy, s3control *, ram *, sts assume-*, lambda create-function-url-config, rds modify-db-instance --publicly-accessible, ec2 modify-snapshot-attribute, ec2 modify-image-attribute, * put-resource-policy, s3 cp --acl=public-read, s3 sync --acl=public-read, s3 presign',
  publish:
    's3 website, s3 cp, s3 sync, s3api put-object, s3api create-multipart-upload, lambda publish-*, lambda update-function-code, sns publish, ses send-*, sesv2 send-*, codedeploy create-deployment, deploy create-deployment, deploy push, amplify start-deployment, amplify create-deployment, ecs update-service, cloudformation deploy, cloudformation create-stack, cloudformation update-stack, cloudformation execute-change-set, apigateway create-deployment, sqs send-*, events put-events, kinesis put-*',
  secret:
    'secretsmanager get-secret-value, secretsmanager batch-get-secret-value, ssm get-parameter* --with-decryption, sts get-session-token, sts get-federation-token, ecr get-login*, ecr get-authorization-token, eks get-token, codeartifact get-authorization-token, iam get-access-key-*, kms decrypt, kms generate-data-key*, ec2 get-password-data, lightsail get-instance-access-details, rds generate-db-auth-token, sso get-role-credentials, configure export-credentials, configure get aws_secret_access_key, redshift get-cluster-credentials*, sts get-web-identity*',
  run: 'lambda invoke*, ssm send-command, ssm start-session, ssm start-automation-execution, ecs execute-command, ecs run-task, batch submit-job, stepfunctions start-execution, codebuild start-build, codepipeline start-pipeline-execution, glue start-job-run',
  change:
    'secretsmanager update-secret, secretsmanager put-secret-value, secretsmanager restore-secret, secretsmanager rotate-secret, secretsmanager create-secret, s3 mb, s3api create-bucket, s3api put-*, ssm put-parameter, rds reboot-*, rds failover-*',
  login: 'sso login, configure, configure sso, configure set, configure import, login, sso logout',
  read: 's3 ls, s3api head-*, s3api get-*, s3api list-*, secretsmanager get-random-password, secretsmanager get-resource-policy, cloudformation validate-template, cloudformation estimate-*, * simulate-*, * batch-get-*, * lookup-*, * filter-*, logs tail, logs start-query, sts decode-*, pricing *, ce *, athena start-query-execution, dynamodb scan, dynamodb query, iam generate-*, iam simulate-*, s3 cp --dryrun, cloudformation detect-*, cloudformation package',
  quiet: 'help, configure list, configure list-profiles, configure get *, history *, configure get',
  also: amazonFiles,
};

function amazonFiles(run: Run, operands: readonly Word[], parsed: ParsedOptions): void {
  const [service, verb, ...rest] = operands;
  if (service?.text === 's3' && verb && /^(cp|mv|sync)$/.test(verb.text)) {
    storeTransfer(run, rest, {
      isRecursive: verb.text === 'sync' || parsed.has('--recursive'),
      isMoving: verb.text === 'mv',
    });
    if (verb.text === 'sync' && parsed.has('--delete')) {
      const target = rest.at(-1);
      if (target && !isStored(target))
        run.delete(target, {
          traits: ['recursive', 'mass'],
          certainty: 'pattern',
          note: 'deletes what the store does not hold',
        });
    }
  }
  if (service?.text === 's3api' && verb?.text === 'get-object')
    for (const file of rest) run.write(file, { traits: ['download'] });
  for (const { value } of parsed.options) {
    const file = /^(?:fileb?):\/\/(.+)$/s.exec(value?.text ?? '')?.[1];
    if (file && value) run.read({ ...value, text: file, raw: file });
  }
  for (const body of parsed.values('--body', '--template-file', '--zip-file'))
    if (!body.text.startsWith('fileb://')) run.read(body);
  const endpoint = parsed.value('--endpoint-url');
  if (endpoint) run.network(endpoint, { method: 'POST', note: 'the service is asked there' });
}

export const amazonPrograms = [
  AWS,
  {
    names: 'sam samlocal',
    service: 'aws',
    host: 'amazonaws.com',
    publish: 'deploy, publish, sync',
    delete: 'delete, pipeline delete',
    read: 'list, logs, traces, remote test-event list',
    local: 'build, init, local, package, validate, local *',
    run: 'remote invoke',
    values: '--stack-name --region --profile --template --config-file --parameter-overrides -t',
  },
  {
    names: 'eksctl',
    service: 'aws',
    host: 'amazonaws.com',
    delete: 'delete *, drain *',
    grant: 'create iamidentitymapping, create iamserviceaccount, associate *',
    values: '--name --region --cluster --profile -f --config-file --nodegroup',
  },
  { names: 'copilot-cli', service: 'aws', host: 'amazonaws.com', values: '--name --app --env' },
  {
    names: 'eb',
    service: 'aws',
    host: 'amazonaws.com',
    delete: 'terminate, abort',
    publish: 'deploy, create, swap, use',
    read: 'status, health, logs, events, list, printenv',
    run: 'ssh',
    values: '--profile --region -r',
  },
  {
    names: 'cdk',
    service: 'aws',
    host: 'amazonaws.com',
    delete: 'destroy, gc',
    publish: 'deploy, watch, bootstrap, import, rollback',
    local: 'init, synth, synthesize, docs, notices, acknowledge, metadata, migrate',
    read: 'diff, list, ls, drift',
    values: '--profile -a --app -c --context --region --role-arn -o --output --require-approval',
  },
  {
    names: 'serverless|sls',
    service: 'serverless',
    host: 'amazonaws.com',
    delete: 'remove, * remove, rollback',
    publish: 'deploy, deploy *, invoke, publish',
    read: 'info, logs, metrics, print, deploy list, diff',
    local: 'package, create, offline, invoke local, plugin *',
    values: '--stage -s --region -r --function -f --config -c --aws-profile --org --app',
  },
  {
    names: 'sst',
    service: 'sst',
    host: 'amazonaws.com',
    delete: 'remove, state remove',
    secret: 'secret list',
    change: 'secret set, secret remove, secret load, refresh, unlock, state edit, state repair',
    publish: 'deploy',
    read: 'diff, version, state export, diagnostic',
    values: '--stage --config --target',
  },
  {
    names: 'chamber credstash aws-vault awsume',
    service: 'aws',
    host: 'amazonaws.com',
    secret: 'read *, export *, get *, getall, exec *, env *, list-secrets',
    run: '',
    values: '-f --format --region --profile',
  },
].flatMap((spec: ServiceSpec) => serviceRows(spec));
