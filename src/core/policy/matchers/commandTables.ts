/** Options before the sub-command that a pattern need not mention. Value-taking ones are listed with and without `=`. */
export interface GlobalOptions {
  /** Change only where or how verbosely the program works: passed over for every rule. */
  readonly harmless: { readonly withValue: readonly string[]; readonly alone: readonly string[] };
  /** Change what the program does or whom it acts as: passed over for rules that restrict, not for those that allow. */
  readonly telling: { readonly withValue: readonly string[]; readonly alone: readonly string[] };
}

const options = (
  harmlessValue: string,
  harmlessAlone: string,
  tellingValue = '',
  tellingAlone = '',
): GlobalOptions => ({
  harmless: { withValue: split(harmlessValue), alone: split(harmlessAlone) },
  telling: { withValue: split(tellingValue), alone: split(tellingAlone) },
});
const split = (text: string): string[] => text.split(' ').filter((word) => word !== '');

const GIT = options(
  '-C --git-dir --work-tree --namespace --super-prefix --attr-source --list-cmds',
  '-p -P --paginate --no-pager --bare --no-replace-objects --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs --no-optional-locks --no-lazy-fetch --no-advice',
  '-c --config-env --exec-path',
);
const DOCKER = options(
  '-l --log-level',
  '-D --debug',
  '-H --host -c --context --config --tlscacert --tlscert --tlskey',
  '--tls --tlsverify',
);
const NODE_PACKAGES = options(
  '--prefix -C --dir --cwd --loglevel -w --workspace --filter -F',
  '-s --silent -q --quiet -d --verbose -r --recursive --workspaces -ws --color --no-color --offline',
  '--registry --userconfig --globalconfig --script-shell --node-options',
  '-g --global --location --force -f',
);

/** Programs whose options may stand before the sub-command. Sources: the programs' own manuals. */
export const GLOBAL_OPTIONS: ReadonlyMap<string, GlobalOptions> = new Map([
  ['git', GIT],
  ['terraform', options('-chdir', '-no-color -version')],
  ['tofu', options('-chdir', '-no-color')],
  ['terragrunt', options('--terragrunt-working-dir --working-dir --log-level', '--non-interactive --no-color')],
  ['docker', DOCKER],
  ['podman', DOCKER],
  ['nerdctl', DOCKER],
  [
    'kubectl',
    options(
      '-v --v --request-timeout --cache-dir --profile --log-file',
      '--warnings-as-errors',
      '-n --namespace --context --cluster --kubeconfig --user -s --server --token --as --as-group --as-uid --certificate-authority --client-certificate --client-key',
      '--insecure-skip-tls-verify',
    ),
  ],
  [
    'oc',
    options(
      '-v --request-timeout',
      '',
      '-n --namespace --context --cluster --kubeconfig --user -s --server --token --as',
      '',
    ),
  ],
  [
    'helm',
    options(
      '--burst-limit --qps --registry-config --repository-cache --repository-config',
      '--debug',
      '-n --namespace --kube-context --kubeconfig --kube-apiserver --kube-token --kube-as-user',
    ),
  ],
  [
    'aws',
    options(
      '--output --cli-read-timeout --cli-connect-timeout --color',
      '--debug --no-paginate --no-cli-pager',
      '--region --profile --endpoint-url --ca-bundle',
      '--no-verify-ssl --no-sign-request',
    ),
  ],
  ['az', options('-o --output --query', '--verbose --debug --only-show-errors', '--subscription')],
  [
    'gcloud',
    options(
      '--format --verbosity --flags-file',
      '--quiet -q --log-http --user-output-enabled',
      '--project --account --configuration --impersonate-service-account',
    ),
  ],
  ['gh', options('', '', '-R --repo')],
  ['glab', options('', '', '-R --repo')],
  ['npm', NODE_PACKAGES],
  ['pnpm', NODE_PACKAGES],
  ['yarn', NODE_PACKAGES],
  ['bun', NODE_PACKAGES],
  [
    'pip',
    options(
      '--cache-dir --log --timeout',
      '-q --quiet -v --verbose --no-color --no-input --disable-pip-version-check',
      '--python --proxy --trusted-host --cert',
    ),
  ],
  ['cargo', options('-C --color', '-v --verbose -q --quiet --locked --offline --frozen', '--config -Z')],
  ['go', options('-C', '')],
  [
    'systemctl',
    options(
      '-n --lines -o --output',
      '--no-pager --no-ask-password -q --quiet -l --full',
      '-H --host -M --machine --root',
      '--user --system --global',
    ),
  ],
  ['flutter', options('', '-v --verbose', '-d --device-id')],
  ['dotnet', options('', '-d --diagnostics')],
  [
    'poetry',
    options(
      '-C --directory -P --project',
      '-n --no-interaction -q --quiet -v --verbose --no-ansi --no-plugins --no-cache',
    ),
  ],
  [
    'uv',
    options(
      '--directory --project --color --cache-dir',
      '-q --quiet -v --verbose --no-progress --offline --no-cache -n',
      '--config-file --python-preference',
      '',
    ),
  ],
  ['heroku', options('', '', '-a --app -r --remote')],
  ['flyctl', options('', '--verbose', '-a --app -t --access-token')],
  ['pulumi', options('-C --cwd --color', '-v --verbose --non-interactive', '-s --stack')],
  ['ansible', options('', '-v', '-i --inventory')],
  ['vault', options('', '', '-address -namespace')],
  ['psql', options('', '')],
]);

/** Programs whose short options may be joined and stand in any order: `-rf` is `-fr` is `-r -f`. POSIX utilities and git. */
export const BUNDLING: ReadonlySet<string> = new Set(
  split(
    'rm cp mv ln ls chmod chown chgrp mkdir rmdir cat tail head wc sort uniq cut tr grep egrep fgrep rg sed awk du df ps kill pkill killall touch tee tar gzip gunzip xz zip unzip rsync scp ssh curl wget git docker podman diff patch date stat shred truncate mount umount unlink install sudo su env xargs make npm tree file basename dirname readlink realpath id who crontab dd nc ncat netcat useradd usermod userdel passwd systemctl journalctl service iptables psql mysql sqlite3 redis-cli python python3 node perl ruby bash sh zsh',
  ),
);

/**
 * Long spellings of short options, and short ones of the same meaning: a rule that restricts `rm -rf` means
 * `rm --recursive --force` and `rm -Rf` too. By program, and by sub-command where it matters. Sources: GNU coreutils, git.
 */
export const SAME_OPTIONS: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map(
  Object.entries({
    rm: '--recursive=-r -R=-r --force=-f --verbose=-v --dir=-d --interactive=-i',
    cp: '--recursive=-r -R=-r --force=-f --archive=-a --verbose=-v --no-clobber=-n',
    mv: '--force=-f --no-clobber=-n --verbose=-v',
    ln: '--symbolic=-s --force=-f',
    chmod: '--recursive=-R --verbose=-v',
    chown: '--recursive=-R --verbose=-v',
    chgrp: '--recursive=-R',
    grep: '--recursive=-r --dereference-recursive=-R --ignore-case=-i --line-number=-n --invert-match=-v',
    sed: '--in-place=-i --quiet=-n --silent=-n --regexp-extended=-E -r=-E',
    'git push': '--force=-f --delete=-d --set-upstream=-u --dry-run=-n',
    'git clean': '--force=-f --dry-run=-n',
    'git commit': '--message=-m --all=-a --no-verify=-n',
    'git branch': '--delete=-d --move=-m --force=-f',
    'git checkout': '--force=-f',
    'git add': '--all=-A --force=-f',
    'git stash': '--include-untracked=-u',
    curl: '--request=-X --data=-d --output=-o --header=-H --location=-L --insecure=-k --upload-file=-T --form=-F',
    docker: '--detach=-d --force=-f',
    kubectl: '--namespace=-n --filename=-f --selector=-l --all-namespaces=-A --output=-o',
    oc: '--namespace=-n --filename=-f --selector=-l --all-namespaces=-A --output=-o',
    helm: '--namespace=-n --values=-f',
    gh: '--repo=-R',
    glab: '--repo=-R',
  }).map(([program, text]) => [program, new Map(split(text).map((pair) => pair.split('=') as [string, string]))]),
);

/** Commands that run what is spelled on their own line. An allow on one of them, by wildcard, does not cover it. */
export const DISPATCHERS: ReadonlySet<string> = new Set(
  split(
    'find fd xargs parallel sh bash zsh dash ksh fish ash pwsh powershell cmd eval exec source . env time timeout nice nohup setsid stdbuf watch entr ssh docker podman kubectl chroot unshare nsenter flock script expect tmux screen busybox sudo doas su runas python python3 node deno bun perl ruby php lua awk gawk sed vim vi nvim emacs ed ex less man git-bisect sqlite3 psql mysql gdb make-shell wsl osascript start invoke-expression iex invoke-command start-process',
  ),
);
