import type { Word } from '../../../effect.js';
import type { Run } from '../../run.js';
import { exactWord } from '../../word.js';
import { argumentsOf, asksForHelp, rows, serviceUrl } from '../helpers.js';
import { parseOptions, type ParsedOptions } from '../options.js';
import { deedOfVerb } from './lexicon.js';
import { sayDeed, serviceRows, analyseService, type ServiceSpec } from './service.js';

/** Sub-commands that hub adds to git. Source: hub(1) 2.14. */
const HUBS_OWN =
  /^(?:create|fork|pull-request|pr|release|issue|gist|sync|browse|ci-status|compare|delete|api|alias|help|version)?$/;

/** Source: GitHub CLI manual 2.63. */
const GH: ServiceSpec = {
  names: 'gh',
  service: 'github',
  host: 'github.com',
  flags:
    '-w --web -y --yes -s --squash -m -r --rebase -d --delete-branch --admin --auto --draft --fill --fill-first --fill-verbose --comments --force --clobber --public --private --internal --confirm --paginate --name-only --watch --exit-status --log --log-failed --latest --prerelease --generate-notes --cleanup-tag --recover --all --failed --slurp -i --include --silent --verbose --archived --fork --disable-issues --no-browser -c --approve --request-changes --comment --dry-run -u --user-owned --show-token',
  values:
    '-R --repo --json -q --jq -t --template --title --body -b --body-file -F -B --base -H --head -l --label -a --assignee --milestone --reviewer -L --limit --state -S --search -A --author --hostname -X --method -f --raw-field --field --input --header -p --project --branch --notes --notes-file --target --match-head-commit --visibility --description --homepage --color --ref -e --env -o --org --user --add-label --remove-label --add-reviewer --remove-reviewer --add-assignee --remove-assignee --subject --reason --pattern -D --dir -O --output --job -k --kind --interval --cache --preview -n --name -V --value --format --default-branch --add-topic --remove-topic --duplicate-of --parent --type --codespace --machine',
  nouns: 'release run status label search',
  delete:
    '* delete, * remove, repo archive, repo rename, repo unarchive, repo edit --visibility, repo edit --default-branch, repo edit, issue transfer, release delete-asset, cache delete, codespace stop, run cancel, run delete, workflow disable, pr close --delete-branch, gist delete, ssh-key delete, gpg-key delete, secret delete, variable delete, repo deploy-key delete, ruleset delete, project delete, project item-delete, project field-delete, issue unpin, label delete, project unlink, attestation delete, auth logout, extension remove, repo deploy-key remove',
  grant:
    'repo deploy-key add, ssh-key add, gpg-key add, secret set, repo add-collaborator, codespace ports visibility, auth refresh',
  publish:
    'pr create, pr merge, pr comment, pr review, pr close, pr reopen, pr edit, pr ready, pr lock, pr unlock, pr update-branch, pr revert, issue create, issue comment, issue close, issue reopen, issue edit, issue lock, issue unlock, issue pin, issue develop, release create, release upload, release edit, repo create, repo fork, repo sync, gist create, gist edit, gist rename, workflow run, workflow enable, run rerun, label create, label edit, label clone, project create, project edit, project item-add, project item-create, project item-edit, project copy, project close, project link, project field-create, project mark-template, variable set, codespace create, codespace edit, codespace rebuild, discussion *, repo set-default, agent-task create, preview *',
  secret: 'auth token, auth status --show-token, auth git-credential, secret get',
  run: 'codespace ssh, codespace cp, codespace code, codespace jupyter, extension exec, copilot *, models run',
  change:
    'alias set, alias import, alias delete, config set, config clear-cache, extension install, extension upgrade, extension create, auth setup-git, auth switch',
  login: 'auth login',
  read: '* list, * view, * status, * diff, * checks, pr checkout, repo clone, release download, release view, release list, run download, run watch, run view, run list, search *, browse, status, auth status, org list, api, gist clone, label list, ruleset *, repo license *, repo gitignore *, attestation verify, attestation download, attestation trusted-root, codespace logs, codespace ports, workflow view, workflow list, cache list, extension search, extension browse, alias list, config get, config list, project view, project list, project item-list, project field-list, licenses, accessibility, repo read-file, repo autolink *',
  quiet: 'help, completion, version',
  also: githubFiles,
};

function githubFiles(run: Run, operands: readonly Word[], parsed: ParsedOptions): void {
  const [group, verb, ...rest] = operands.map(({ text }) => text);
  for (const file of [...parsed.values('--body-file'), ...parsed.values('--notes-file')])
    if (file.text !== '-') run.read(file);
  const files = parsed.value('-F');
  if (files && group !== 'api' && files.text !== '-') run.read(files);
  if ((group === 'release' && /^(create|upload)$/.test(verb ?? '')) || (group === 'gist' && verb === 'create')) {
    for (const file of operands.slice(group === 'gist' ? 2 : 3)) if (file.text !== '-') run.read(file);
  }
  if (/^(pr merge)$/.test(`${group} ${verb}`) && parsed.has('--admin')) {
    run.emit(
      'history',
      { type: 'ref', remote: 'origin', ref: rest[0] ?? '' },
      {
        traits: ['publish', 'outward', 'removes-check', 'protected-ref', 'force'],
        reversible: 'no',
        note: 'merges past the checks',
      },
    );
  }
  if (group === 'secret' && verb === 'set') {
    const file = parsed.value('-f');
    if (file) run.read(file);
  }
  if (group === 'alias' && verb === 'set' && operands[3]?.text.startsWith('!'))
    run.code('sh', { ...operands[3], text: operands[3].text.slice(1) });
  if (group === 'repo' && verb === 'clone')
    run.write(
      operands[3] ?? {
        text: (rest[0] ?? 'repository').replace(/^.*\//, ''),
        raw: '',
        certainty: 'exact',
        quoted: true,
      },
      { traits: ['create', 'recursive', 'download'] },
    );
  if (group === 'extension' && /^(install|upgrade)$/.test(verb ?? ''))
    run.install('gh-extension', operands[2] ?? { text: '*', raw: '*', certainty: 'exact', quoted: true });
  const output = parsed.value('-O', '-D');
  if (output && verb === 'download') run.write(output, { traits: ['download'] });
}

/** `gh api` and `glab api`: any request, by method, or by the mutation that a GraphQL query names. */
function api(run: Run, service: string, host: string): void {
  const words = argumentsOf(run.invocation).slice(1);
  const parsed = parseOptions(
    {
      flags: '--paginate --silent --slurp --verbose -i|--include',
      values:
        '-X|--method -f|--raw-field -F|--field -H|--header --input -q|--jq -t|--template --hostname --cache -p|--preview --output',
    },
    words,
  );
  const [endpoint] = parsed.operands;
  const fields = [...parsed.values('-f'), ...parsed.values('-F')];
  for (const field of fields) {
    const file = /^[^=]*=@(.+)$/s.exec(field.text)?.[1];
    if (file && file !== '-') run.read({ ...field, text: file, raw: file });
  }
  const input = parsed.value('--input');
  if (input && input.text !== '-') run.read(input);
  const query = fields.map(({ text }) => text).join('\n');
  const isGraph = endpoint?.text === 'graphql';
  const stated = parsed.value('-X')?.text.toUpperCase();
  const method =
    stated ??
    (isGraph
      ? /\bmutation\b/.test(query) || input || (query.includes('$') && !/\bquery\b/.test(query))
        ? 'POST'
        : 'GET'
      : fields.length > 0 || input
        ? 'POST'
        : 'GET');
  const path = endpoint?.text ?? '';
  const name = endpoint ?? null;
  if (method === 'DELETE' || /\bmutation\b[^]*\b(delete|remove|close|revoke|archive|transfer)\w*/i.test(query))
    sayDeed(run, 'delete', service, host, name);
  else if (method === 'GET')
    sayDeed(
      run,
      /secrets|keys|tokens?(\/|$)/.test(path) && !/public-key/.test(path) && service !== 'github' ? 'secret' : 'read',
      service,
      host,
      name,
    );
  else if (isGraph && !/\bmutation\b/.test(query) && !input) sayDeed(run, 'read', service, host, name);
  else if (
    /collaborators|\/keys|hooks|permissions|invitations|memberships|deploy[-_]keys|protection|variables|access_tokens|members/.test(
      path,
    )
  )
    sayDeed(run, 'grant', service, host, name);
  else sayDeed(run, 'publish', service, host, name);
  for (const hostname of parsed.values('--hostname'))
    run.network(serviceUrl(hostname.text), { method, note: 'the request goes there' });
}

const GLAB: ServiceSpec = {
  ...GH,
  names: 'glab',
  service: 'gitlab',
  host: 'gitlab.com',
  delete:
    '* delete, ci delete, ci cancel, repo archive, repo transfer, mr delete, issue delete, release delete, variable delete, label delete, token revoke, token rotate, schedule delete, snippet delete, cluster agent delete, deploy-key delete, ssh-key delete, gpg-key delete, ci trigger, milestone delete, securefile remove, iteration *, runner delete',
  publish:
    'mr create, mr merge, mr note, mr close, mr reopen, mr approve, mr update, mr rebase, mr revoke, issue create, issue note, issue close, issue reopen, issue update, release create, release upload, repo create, repo fork, repo mirror, repo update, ci run, ci retry, ci run-trig, variable set, variable update, label create, snippet create, schedule create, schedule run, schedule update, incident *, milestone create, mr subscribe, securefile create, stack sync, changelog generate, opentofu *',
  secret:
    'auth status --show-token, variable get, variable export, auth token, token create, securefile download, auth git-credential, auth credential-helper',
  grant: 'deploy-key add, ssh-key add, gpg-key add, token create, cluster agent bootstrap, repo members *, user *',
  read: '* list, * view, * status, * diff, ci get, ci view, ci trace, ci lint, ci artifact, mr checkout, mr issues, mr approvers, mr for, repo clone, repo search, repo contributors, release download, auth status, api, user events, issue board view, variable list, cluster list, ci config compile, job artifact, mr browse, check-update',
  local: 'config *, alias *, completion',
  also: (run, operands, parsed) => {
    for (const file of parsed.values('-F')) if (file.text !== '-' && !/=/.test(file.text)) run.read(file);
    if (operands[0]?.text === 'release' && operands[1]?.text === 'upload')
      for (const file of operands.slice(3)) run.read(file);
  },
};

const withApi =
  (spec: ServiceSpec, service: string, host: string) =>
  (run: Run): void => {
    const words = argumentsOf(run.invocation);
    if (words[0]?.text === 'api' && !asksForHelp(words.slice(1, 2))) api(run, service, host);
    else general(spec)(run);
  };

const analysers = new Map<ServiceSpec, (run: Run) => void>();
const general = (spec: ServiceSpec): ((run: Run) => void) => {
  const known = analysers.get(spec) ?? analyseService(spec);
  analysers.set(spec, known);
  return known;
};

/** Pipelines. Sources: the tools' references. */
const PIPELINES: readonly ServiceSpec[] = [
  {
    names: 'circleci',
    host: 'circleci.com',
    values: '--host --token -c --config --org-slug --org-id --project-id --pipeline-id',
    delete:
      'context delete, context remove-secret, orb delete, orb unlist, namespace delete, pipeline delete, * delete, runner resource-class delete, runner token delete',
    publish:
      'orb publish, orb publish *, orb create, pipeline run, pipeline create, namespace create, context create, project create, trigger *',
    grant: 'context store-secret, runner token create',
    login: 'setup',
    local:
      'config validate, config process, config pack, config generate, local execute, orb pack, orb validate, orb process, policy *, init, update *',
    read: 'follow, diagnostic, open, info *, context list, orb list, orb info, orb source, namespace list, project list, query *',
  },
  {
    names: 'gitlab-runner',
    service: 'gitlab',
    delete: 'unregister, stop, uninstall, reset-token',
    publish: 'register',
    change: 'run, start, restart, install, run-single',
    read: 'list, status, verify',
    local: 'exec *',
    values: '--name --url --token -n -u -t --config -c --executor',
  },
  {
    names: 'gitlab-rails',
    service: 'gitlab',
    run: 'runner, console, runner *, r *, dbconsole',
    delete: 'runner *',
    otherwise: 'run',
  },
  {
    names: 'gitlab-rake',
    service: 'gitlab',
    delete: '*:restore, gitlab:backup:restore, *:cleanup:*, gitlab:cleanup*, *:drop, *:reset',
    read: '*:info, *:check, *:status, *:env:info',
    otherwise: 'change',
  },
  {
    names: 'gitlab-ctl',
    service: 'gitlab',
    delete: 'cleanse, stop, remove-accounts, uninstall, kill, reset-*, graceful-kill',
    change: 'reconfigure, start, restart, upgrade, hup',
    read: 'status, tail, show-config, service-list, check-config',
  },
  { names: 'gitlab-backup', service: 'gitlab', delete: 'restore', change: 'create' },
  {
    names:
      'buildkite-agent bk drone woodpecker-cli tkn travis tea fj codemagic appcenter jenkins-cli argo act-runner bitrise',
    values: '-o --output -n --namespace -s --server -t --token --repo',
    delete: '* delete, * rm, * remove, build cancel, pipeline delete, * stop, * kill, * terminate',
    publish: 'build create, build promote, pipeline start, submit, * create, deploy *, release create, pulls merge',
    secret: 'secret get, token, env list',
  },
  {
    names: 'jenkins-jobs jenkins-job-builder',
    service: 'jenkins',
    delete: 'delete, delete-all',
    publish: 'update',
    local: 'test',
  },
  {
    names: 'act',
    service: 'docker',
    otherwise: 'local',
    bare: 'local',
    values:
      '-W --workflows -j --job -s --secret --secret-file -P --platform -e --eventpath --env-file --container-architecture',
  },
  {
    names: 'hub',
    service: 'github',
    host: 'github.com',
    delete: 'delete, release delete',
    publish:
      'create, fork, pull-request, pr merge, release create, release edit, issue create, issue update, push, gist create, sync',
    read: 'browse, ci-status, compare, issue, release, release show, release download, pr list, pr show, pr checkout, gist show, clone, fetch, api',
    values: '-m -F -b -h -a',
    otherwise: 'quiet',
    // Words that are not its own it hands to git, and some of its own as well.
    also: (run, operands) => {
      if (!HUBS_OWN.test(operands[0]?.text ?? '')) run.carry([exactWord('git'), ...argumentsOf(run.invocation)]);
    },
  },
  {
    names:
      'semantic-release release-it standard-version release-please changeset|changesets np lerna-publish auto cargo-release',
    bare: 'publish',
    publish: 'publish, release, release-pr, github-release, continue, announce, tag',
    local: 'check, build, init, healthcheck, completion, jsonschema, version, add, status, changelog, --dry-run, pre',
    otherwise: 'publish',
    values: '--config -c --branches --extends -f',
    trial: '--snapshot -d --no-publish --skip=publish --skip-publish --ci=false',
  },
  {
    names: 'goreleaser|goreleaser-pro',
    service: 'goreleaser',
    publish: 'release, continue, publish, announce',
    // A snapshot is built here and goes nowhere.
    local:
      'build, check, healthcheck, init, completion, jsonschema, man, changelog, verify-license, release --snapshot, publish --snapshot',
    flags: '--snapshot --clean --single-target --auto-snapshot --fail-fast --draft --nightly --split --prepare',
    values:
      '-f --config --id -p --parallelism --timeout --release-notes --release-header --release-footer -o --output --skip',
    otherwise: 'publish',
    also: (run) =>
      run.emit(
        'execute',
        { type: 'process', process: 'goreleaser build' },
        { traits: ['unreviewed', 'project-code'], note: 'runs code of the project' },
      ),
  },
  {
    names: 'vsce|ovsx',
    service: 'marketplace',
    host: 'marketplace.visualstudio.com',
    delete: 'unpublish, delete-publisher',
    publish: 'publish, create-publisher, create-namespace',
    login: 'login, logout, verify-pat',
    read: 'show, search, ls-publishers, get',
    local: 'package, ls, generate-manifest, verify-signature',
    values: '-p --pat -i --packagePath -o --out -t --target --baseContentUrl --baseImagesUrl --readme-path',
  },
  {
    names: 'sentry-cli',
    service: 'sentry',
    host: 'sentry.io',
    delete: 'releases delete, releases archive, issues resolve, issues mute, monitors *, projects delete',
    publish:
      'releases new, releases finalize, releases set-commits, releases deploys *, sourcemaps upload, upload-dif, upload-dsym, debug-files upload, sourcemaps inject, send-event, send-envelope, deploys new, upload-proguard, dart-symbol-map *, mobile-app upload, build upload',
    read: 'info, releases list, releases info, issues list, projects list, events list, organizations list, repos list, debug-files check, debug-files find, sourcemaps explain, logs list',
    login: 'login',
    local: 'debug-files bundle-sources, sourcemaps resolve, update, uninstall',
    values: '-o --org -p --project --auth-token --url --release -r',
    also: (run, operands) => {
      if (/^(sourcemaps|upload-\w+|debug-files)$/.test(operands[0]?.text ?? ''))
        for (const file of operands.slice(2)) run.read(file, { traits: ['recursive'] });
    },
  },
  {
    names: 'codecov codecovcli coveralls codacy-coverage-reporter datadog-ci',
    values: '-t --token -f --file --service -F --flags',
    bare: 'publish',
    delete: '* delete, monitors delete, dashboards delete',
    publish:
      'upload-process, do-upload, create-commit, create-report, junit upload, sourcemaps upload, upload, report, synthetics run-tests, lambda instrument, trace, tag, dsyms upload, sbom upload, sarif upload',
    read: 'version, lambda flare, gate evaluate',
    otherwise: 'publish',
  },
];

/** `java -jar x.jar`: a program in a file; Jenkins' own command line is one of them, and its verbs are known. */
function java(run: Run): void {
  const words = argumentsOf(run.invocation);
  if (words.every(({ text }) => /^-?-(version|help|showversion)$/.test(text))) return;
  const at = words.findIndex(({ text }) => text === '-jar');
  const jar = at < 0 ? undefined : words[at + 1];
  run.emit('execute', { type: 'process', process: jar?.text ?? 'java' }, { traits: ['unreviewed'] });
  if (!jar || !/jenkins-cli\.jar$/.test(jar.text)) return;
  const { operands } = parseOptions(
    { values: '-s -auth -user -i -logger', flags: '-http -webSocket -ssh -noKeyAuth -noCertificateCheck' },
    words.slice(at + 2),
  );
  const deed = deedOfVerb(operands[0]?.text ?? 'help');
  if (deed === null) run.unknown(`sub-command ${operands[0]?.text ?? ''} of jenkins-cli`);
  else sayDeed(run, deed, 'jenkins', null, operands[0] ?? null);
}

export const codeHostPrograms = [
  ...rows('java', java),
  ...rows('gh', withApi(GH, 'github', 'github.com')),
  ...rows('glab', withApi(GLAB, 'gitlab', 'gitlab.com')),
  ...PIPELINES.flatMap((spec) => serviceRows(spec)),
];
