import type { Resource, Trait, Word } from '../../../effect.js';
import type { ProgramEntry, Run } from '../../run.js';
import { canonicalPath, joinPath } from '../../../paths.js';
import { sensitivityOf } from '../../../sensitivePaths.js';
import { exactWord } from '../../word.js';
import { argumentsOf, asksForHelp, isHelpOnly, remote, rows, withText } from '../helpers.js';
import { composeOpenings } from './composeFile.js';
import { parseOptions, type OptionSpec, type ParsedOptions } from '../options.js';
import { sayDeed } from '../cloud/service.js';

/** Source: docker(1) 27; podman and nerdctl share it. */
const GLOBAL: OptionSpec = {
  flags: '-D|--debug --tls --tlsverify -v|--version --help -r|--remote --noout',
  values:
    '--config -c|--context -H|--host -l|--log-level --tlscacert --tlscert --tlskey --connection --url --identity --root --runroot --storage-driver -n|--namespace -a|--address --cgroup-manager',
  stopsAtOperand: true,
};

const START: OptionSpec = {
  flags:
    '-d|--detach -i|--interactive -t|--tty --rm --privileged -P|--publish-all --init --no-healthcheck --oom-kill-disable --read-only --sig-proxy -q|--quiet --disable-content-trust --replace --tls-verify --no-hosts --rmi --systemd-always',
  values:
    '-a|--attach --add-host --annotation --blkio-weight --blkio-weight-device --cap-add --cap-drop --cgroup-parent --cgroupns --cidfile --cpu-period --cpu-quota --cpu-shares --cpus -c --cpuset-cpus --cpuset-mems --device --device-cgroup-rule --device-read-bps --detach-keys --dns --dns-option --dns-search --domainname --entrypoint -e|--env --env-file --expose --gpus --group-add --health-cmd --health-interval --health-retries --health-timeout --health-start-period -h|--hostname --ip --ip6 --ipc --isolation -l|--label --label-file --link --log-driver --log-opt --mac-address -m|--memory --memory-reservation --memory-swap --mount --name --network|--net --network-alias --oom-score-adj --pid --pids-limit --platform -p|--publish --pull --restart --runtime --security-opt --shm-size --stop-signal --stop-timeout --storage-opt --sysctl --tmpfs --ulimit -u|--user --userns --uts -v|--volume --volume-driver --volumes-from -w|--workdir --pod --systemd --authfile --secret',
  stopsAtOperand: true,
};

const EXEC: OptionSpec = {
  flags: '-d|--detach -i|--interactive -t|--tty --privileged -T|--no-TTY',
  values: '-e|--env --env-file -u|--user -w|--workdir --detach-keys --index',
  stopsAtOperand: true,
};

const BUILD: OptionSpec = {
  flags: '-q|--quiet --no-cache --pull --rm --force-rm --squash --compress --push --load --check --debug -D',
  values:
    '-t|--tag -f|--file --build-arg --target --platform -o|--output --secret --ssh --cache-from --cache-to --label --network --progress --builder --add-host --build-context --iidfile --metadata-file --shm-size --ulimit --attest --provenance --sbom --allow --annotation -m|--memory --isolation --cpuset-cpus',
};

const READS =
  /^(ps|images|logs|inspect|info|version|stats|top|port|events|history|search|diff|ls|list|df|config|wait|attach-logs|services|tasks|nodes|du|manifest|show|sbom|scout|exists|healthcheck|mount-info|volumes|convert|publish-port|ip)$/;

/** What a container gives up of the walls around it, by one option of `run`. */
function openings(run: Run, parsed: ParsedOptions): readonly Trait[] {
  const value = (name: string): readonly string[] => parsed.values(name).map(({ text }) => text.toLowerCase());
  const isOpen =
    (parsed.has('--privileged') && parsed.value('--privileged')?.text !== 'false') ||
    [...value('--pid'), ...value('--userns'), ...value('--ipc'), ...value('--uts'), ...value('--cgroupns')].includes(
      'host',
    ) ||
    value('--cap-add').some((one) =>
      /^(cap_)?(all|sys_admin|sys_ptrace|sys_module|dac_read_search|sys_rawio|net_admin|bpf)$/.test(one),
    ) ||
    value('--security-opt').some((one) => /unconfined|no-new-privileges[=:]false|label[=:]disable/.test(one)) ||
    parsed.has('--device', '--device-cgroup-rule');
  if (isOpen) {
    run.emit(
      'privilege',
      { type: 'process', process: run.invocation.program },
      { traits: ['grants-access'], note: 'the container can reach the machine it runs on' },
    );
  }
  return isOpen ? ['grants-access'] : [];
}

/** Folders of this machine that a container sees: `-v host:inside[:ro]`, `--mount type=bind,source=…`. */
function mounts(run: Run, parsed: ParsedOptions): void {
  const mount = (source: Word, isReadOnly: boolean): void => {
    if (!/^[./~$]|^[a-z]:[\\/]/i.test(source.text)) return; // A named volume.
    if (isReadOnly) run.read(source, { traits: ['recursive'], note: 'the container sees it' });
    else run.write(source, { traits: ['recursive', 'edit'], note: 'the container can change it' });
  };
  for (const volume of parsed.values('-v')) {
    const [source = '', , mode = ''] = splitVolume(volume.text);
    mount(withText(volume, source), /(^|,)ro(,|$)/.test(mode));
  }
  for (const text of parsed.values('--mount')) {
    const source = /(?:^|,)(?:source|src)=([^,]+)/.exec(text.text)?.[1];
    if (source && /type=bind/.test(text.text))
      mount(withText(text, source), /(^|,)(readonly|ro)(=true)?(,|$)/.test(text.text));
  }
  for (const device of parsed.values('--device'))
    run.write(withText(device, device.text.replace(/:.*$/s, '')), { traits: ['edit'] });
  for (const file of [...parsed.values('--env-file'), ...parsed.values('--label-file')]) run.read(file);
}

/** A drive letter's colon does not part: `C:\x:/x`. */
function splitVolume(text: string): readonly string[] {
  const drive = /^[a-z]:[\\/]/i.exec(text)?.[0] ?? '';
  const [first = '', ...rest] = text.slice(drive.length).split(':');
  return [drive + first, ...rest];
}

const container = (name: string): Resource => ({ type: 'remote', service: 'docker', name });

function runContainer(run: Run, words: readonly Word[]): void {
  const parsed = parseOptions(START, words);
  for (const option of parsed.unknown) run.unknown(`option ${option.text} of docker run`);
  const [image, ...command] = parsed.operands;
  const traits = openings(run, parsed);
  mounts(run, parsed);
  if (!image) return;
  remote(run, 'execute', 'docker', image, {
    traits: ['unreviewed', ...traits, ...(parsed.has('-d') ? (['daemon'] as const) : [])],
    reversible: 'yes',
    note: 'a container from an image',
  });
  const entry = parsed.value('--entrypoint');
  const inner = entry && entry.text !== '' ? [entry, ...command] : command;
  if (inner.length > 0) run.elsewhere(container(image.text), inner);
}

function execIn(run: Run, words: readonly Word[]): void {
  const parsed = parseOptions(EXEC, words);
  for (const option of parsed.unknown) run.unknown(`option ${option.text} of docker exec`);
  const [name, ...command] = parsed.operands;
  if (parsed.has('--privileged'))
    run.emit('privilege', { type: 'process', process: 'docker exec' }, { traits: ['grants-access'] });
  if (name && command.length > 0) run.elsewhere(container(name.text), command);
}

/** `cp` between a container and this machine; `container:path` is inside. */
/** A file inside a container that holds a secret by its name: `web:/app/.env`. */
export function secretInside(run: Run, place: Word): readonly Trait[] {
  const path = place.text.slice(place.text.indexOf(':') + 1);
  return sensitivityOf(path, run.facts).isSecret ? ['secret'] : [];
}

function copy(run: Run, words: readonly Word[]): void {
  const { operands } = parseOptions(
    { flags: '-a|--archive -L|--follow-link -q|--quiet --overwrite --all', values: '--index' },
    words,
  );
  const [from, to] = operands;
  if (!from || !to) return;
  const isInside = ({ text }: Word): boolean => /^[\w.-]{2,}:/.test(text);
  if (isInside(from)) remote(run, 'read', 'docker', from, { traits: secretInside(run, from) });
  else if (from.text !== '-') run.read(from, { traits: ['recursive'] });
  if (isInside(to)) remote(run, 'write', 'docker', to);
  else if (to.text !== '-') run.write(to, { traits: ['recursive'] });
}

function build(run: Run, words: readonly Word[]): void {
  const parsed = parseOptions(BUILD, words);
  const context = parsed.operands[0];
  if (context && /^(https?:|git@|git:|github\.com)/.test(context.text)) {
    run.network(context, { method: 'GET', traits: ['download'] });
    run.emit('execute', { type: 'process', process: 'docker build' }, { traits: ['unreviewed', 'remote-code'] });
  } else {
    run.read(parsed.value('-f') ?? context ?? exactWord('.'), {});
    run.emit('execute', { type: 'process', process: 'docker build' }, { traits: ['unreviewed'] });
  }
  for (const secret of parsed.values('--secret')) {
    const source = /(?:^|,)(?:src|source)=([^,]+)/.exec(secret.text)?.[1];
    if (source) run.read(withText(secret, source));
  }
  const output =
    /(?:^|,)dest=([^,]+)/.exec(parsed.value('-o')?.text ?? '')?.[1] ??
    (/^[./]/.test(parsed.value('-o')?.text ?? '') ? parsed.value('-o')?.text : undefined);
  if (output) run.write(exactWord(output), { traits: ['recursive', 'create'] });
  if (parsed.has('--push')) sayDeed(run, 'publish', 'docker', 'docker.io', parsed.value('-t'));
  if (parsed.values('--allow').some(({ text }) => /insecure|host/.test(text)))
    run.emit('privilege', { type: 'process', process: 'docker build' }, { traits: ['grants-access'] });
}

/** Registries: who is asked is in the image's name. */
function registryOf(image: Word | undefined): string {
  const name = image?.text.replace(/^(?:docker|oci):\/\//, '') ?? '';
  const first = name.split('/')[0] ?? '';
  return /[.:]/.test(first) && name.includes('/') ? first : 'docker.io';
}

function takeAway(run: Run, what: string, names: readonly Word[], traits: readonly Trait[]): void {
  for (const name of names.length > 0 ? names : [null]) {
    remote(run, 'delete', 'docker', name ? withText(name, `${what} ${name.text}`) : exactWord(what), {
      traits: name ? traits : [...traits, 'mass'],
    });
  }
}

/** Verbs on objects: containers, images, volumes, networks and the rest have the same ones. */
function manage(run: Run, group: string, verb: string, words: readonly Word[]): void {
  const parsed = parseOptions(
    {
      flags:
        '-f|--force -a|--all -v|--volumes -l|--link -q|--quiet --no-prune --keep-storage --build -i|--ignore --depend -t0',
      values:
        '--filter -t|--time|--timeout -s|--signal -n|--last --format -o|--output -i0|--input -m|--message --author --change -c --driver -d --opt --label --type',
    },
    words,
  );
  const names = parsed.operands;
  const traits: readonly Trait[] = [
    ...(parsed.has('-f') ? (['force'] as const) : []),
    ...(parsed.has('-v') ? (['recursive'] as const) : []),
  ];
  switch (verb) {
    case 'rm':
    case 'remove':
    case 'rmi':
    case 'untag':
      takeAway(run, verb === 'rmi' ? 'image' : group, names, traits);
      return;
    case 'prune':
    case 'clean':
    case 'reset':
      takeAway(run, group, [], [...traits, ...(parsed.has('-a') ? (['recursive'] as const) : [])]);
      return;
    case 'stop':
    case 'kill':
    case 'restart':
    case 'pause':
      for (const name of names)
        run.emit(
          'kill',
          { type: 'process', process: `container ${name.text}` },
          { certainty: name.certainty, reversible: verb === 'kill' ? 'no' : 'yes' },
        );
      return;
    case 'push':
      sayDeed(run, 'publish', 'docker', registryOf(names[0]), names[0] ?? null);
      return;
    case 'pull':
      sayDeed(run, 'read', 'docker', registryOf(names[0]), names[0] ?? null);
      return;
    case 'save':
    case 'export':
      remote(run, 'read', 'docker', names[0] ?? null);
      if (parsed.value('-o')) run.write(parsed.value('-o') as Word);
      return;
    case 'load':
    case 'import':
      for (const file of [...parsed.values('-i0'), ...names])
        if (/[./]/.test(file.text) && file.text !== '-') run.read(file);
      remote(run, 'write', 'docker', names[0] ?? null, { traits: ['create'] });
      return;
    default:
      if (READS.test(verb)) remote(run, 'read', 'docker', names[0] ?? null);
      else if (
        /^(create|start|unpause|rename|update|tag|commit|connect|disconnect|use|init|attach|enable|disable|set|promote|demote|add|annotate|inspect|checkpoint|mount|unmount|umount|scale|rollback|deploy|join|leave|unlock|ca|generate|play|apply|upgrade|install|bake|dial-stdio|stage|exists|resize|migrate|renumber)$/.test(
          verb,
        )
      ) {
        if (/^(leave|disable|rollback|demote)$/.test(verb)) takeAway(run, `${group} ${verb}`, names, traits);
        else remote(run, 'write', 'docker', names[0] ?? exactWord(`${group} ${verb}`), { reversible: 'yes' });
      } else run.unknown(`${group} ${verb} of docker`);
  }
}

const GROUPS = new Set(
  'container image volume network system builder buildx context plugin swarm service stack node secret config manifest trust checkpoint pod machine kube generate play farm quadlet scout model mcp sandbox'.split(
    ' ',
  ),
);

const COMPOSE: OptionSpec = {
  flags: '--all-resources --compatibility --dry-run --verbose --env-file0 --no-ansi',
  values: '-f|--file -p|--project-name --project-directory --profile --env-file --ansi --parallel --progress',
  stopsAtOperand: true,
};

const COMPOSE_FILES = ['compose.yaml', 'compose.yml', 'docker-compose.yaml', 'docker-compose.yml'];

/** What the services of the project's compose files see of this machine, as far as the files are known. */
function services(run: Run, globals: ParsedOptions): void {
  const named = globals.values('-f').map(({ text }) => text);
  const { cwd } = run.invocation;
  for (const file of named.length > 0 ? named : COMPOSE_FILES) {
    const text = cwd === null ? null : run.facts.readText(canonicalPath(file, cwd, run.facts, 'follow'));
    if (text === null) continue;
    const { mounts: seen, isOpen } = composeOpenings(text);
    for (const { source, isReadOnly } of seen) {
      const word = exactWord(
        source.replace(/^(?:~|\$\{?HOME\}?)(?=\/|$)/, run.facts.home).replace(/^\$\{?PWD\}?/, '.'),
      );
      if (isReadOnly) run.read(word, { traits: ['recursive'], note: 'a service sees it' });
      else run.write(word, { traits: ['recursive', 'edit'], note: 'a service can change it' });
    }
    if (isOpen)
      run.emit(
        'privilege',
        { type: 'process', process: 'docker compose' },
        { traits: ['grants-access'], note: 'a service can reach the machine it runs on' },
      );
  }
}

/** Source: docker compose reference 2.30. */
/** `compose config` prints the file with the values of `.env` in it, unless it is asked for names alone. */
function showSettings(run: Run, words: readonly Word[]): void {
  if (
    words.some(({ text }) =>
      /^(?:-q|--quiet|--services|--images|--volumes|--profiles|--no-interpolate|--hash)/.test(text),
    )
  )
    return;
  const { cwd } = run.invocation;
  const file = cwd === null ? null : joinPath(cwd, '.env', run.facts.platform);
  if (file === null || run.facts.entry(file) !== 'absent') run.read(exactWord('.env'));
}

/** `inspect` prints what a container was started with, its variables among it, unless a format leaves them out. */
function inspect(run: Run, words: readonly Word[]): void {
  const parsed = parseOptions({ flags: '-s|--size', values: '-f|--format --type' }, words);
  const format = parsed.value('-f');
  if (/^(?:image|network|volume|node|service|plugin)$/.test(parsed.value('--type')?.text ?? '')) return;
  if (format !== null && !/Env\b|json\s+\.(?:Config)?\s*\}|^json$/.test(format.text)) return;
  for (const name of parsed.operands)
    run.emit(
      'read',
      { type: 'environment', name: `variables of container ${name.text}` },
      { traits: ['secret'], certainty: name.certainty },
    );
}

function compose(run: Run, words: readonly Word[]): void {
  const globals = parseOptions(COMPOSE, words);
  const [verb, ...rest] = globals.operands;
  if (!verb || asksForHelp(rest) || globals.has('--dry-run')) return;
  // Behind these the words are a command's own.
  if (!/^(?:run|exec)$/.test(verb.text) && rest.some(({ text }) => text === '--dry-run')) return;
  for (const file of globals.values('-f', '--env-file')) if (file.text !== '-') run.read(file);
  const parsed = parseOptions(
    {
      flags:
        '-d|--detach -v|--volumes --remove-orphans -f|--force -s|--stop --build --no-deps -V -q -a|--all --force-recreate --no-cache --pull0 --wait --push -w',
      values: '--rmi -t|--timeout --scale --pull --format --build-arg --abort-on-container-exit0 --exit-code-from',
    },
    rest,
  );
  const project = exactWord(`compose ${globals.value('-p')?.text ?? ''}`.trim());
  switch (verb.text) {
    case 'down':
    case 'rm': {
      const takesData = parsed.has('-v') || parsed.has('--rmi');
      if (takesData)
        remote(run, 'delete', 'docker', withText(project, `${project.text} volumes and images`), {
          traits: ['mass', 'recursive'],
        });
      else
        run.emit(
          'kill',
          { type: 'process', process: `${project.text} containers` },
          { reversible: 'yes', note: parsed.has('--remove-orphans') ? 'and those that no file names' : '' },
        );
      if (parsed.has('--remove-orphans'))
        remote(run, 'delete', 'docker', withText(project, 'containers that no file names'), { traits: ['mass'] });
      return;
    }
    case 'stop':
    case 'kill':
    case 'restart':
    case 'pause':
      run.emit('kill', { type: 'process', process: `${project.text} containers` }, { reversible: 'yes' });
      return;
    case 'run':
      services(run, globals);
      runContainer(run, rest);
      return;
    case 'exec':
      execIn(run, rest);
      return;
    case 'cp':
      copy(run, rest);
      return;
    case 'push':
      sayDeed(run, 'publish', 'docker', 'docker.io', project);
      return;
    case 'pull':
      sayDeed(run, 'read', 'docker', 'docker.io', project);
      return;
    case 'up':
    case 'start':
    case 'create':
      services(run, globals);
      remote(run, 'execute', 'docker', project, {
        traits: ['unreviewed', ...(parsed.has('-d') ? (['daemon'] as const) : [])],
        reversible: 'yes',
      });
      return;
    case 'build':
      run.emit('execute', { type: 'process', process: 'docker build' }, { traits: ['unreviewed'] });
      if (parsed.has('--push')) sayDeed(run, 'publish', 'docker', 'docker.io', project);
      return;
    case 'watch':
    case 'unpause':
    case 'scale':
    case 'attach':
    case 'commit':
      remote(run, 'execute', 'docker', project, {
        traits: ['unreviewed', ...(parsed.has('-d') ? (['daemon'] as const) : [])],
        reversible: 'yes',
      });
      return;
    case 'config':
    case 'convert':
      remote(run, 'read', 'docker', project);
      // Whether they hold together is all that is seen of them then.
      if (run.invocation.output !== 'discarded') showSettings(run, rest);
      return;
    default:
      if (READS.test(verb.text) || verb.text === 'export') remote(run, 'read', 'docker', project);
      else run.unknown(`compose ${verb.text} of docker`);
  }
}

function docker(run: Run): void {
  const words = argumentsOf(run.invocation);
  const globals = parseOptions(GLOBAL, words);
  if (globals.has('-v', '--help')) return;
  const host = globals.value('-H', '--url');
  if (host) run.network(host, { method: 'POST', note: 'the containers run there' });
  const [verb, ...rest] = globals.operands;
  if (!verb || verb.text === 'help' || verb.text === 'completion') return;
  if (verb.certainty !== 'exact') run.unknown(`a sub-command of docker that cannot be known: ${verb.raw}`);
  else if (verb.text === 'compose') compose(run, rest);
  else if (GROUPS.has(verb.text)) {
    const [inner, ...more] = rest;
    if (inner && !asksForHelp(rest.slice(0, 2))) dispatch(run, verb.text, inner.text, more);
  } else if (!asksForHelp(rest.slice(0, 1))) dispatch(run, 'container', verb.text, rest);
}

function dispatch(run: Run, group: string, verb: string, words: readonly Word[]): void {
  if (/^(run|create)$/.test(verb) && group === 'container') runContainer(run, words);
  else if (verb === 'exec') execIn(run, words);
  else if (verb === 'cp') copy(run, words);
  else if (group === 'buildx' && verb === 'imagetools' && words[0]?.text === 'create')
    sayDeed(run, 'publish', 'docker', 'docker.io', words.at(-1) ?? null);
  else if (verb === 'build' || (group === 'buildx' && verb === 'b')) build(run, words);
  else if (verb === 'inspect' && group === 'container') {
    manage(run, group, verb, words);
    inspect(run, words);
  } else if (verb === 'login') sayDeed(run, 'login', 'docker', null, null);
  else if (verb === 'logout')
    run.emit('delete', { type: 'environment', name: 'docker credentials' }, { reversible: 'no' });
  else if (verb === 'unshare' && group === 'container') run.carry(words);
  else if (group === 'machine' && verb === 'ssh')
    remote(run, 'execute', 'docker', words[0] ?? null, { traits: ['unreviewed'] });
  else manage(run, group, verb, words);
}

export const dockerPrograms: readonly ProgramEntry[] = [
  ...rows('docker podman nerdctl finch', docker),
  // The program by itself is the sub-command under another name, to rules as well.
  ...rows('docker-compose podman-compose', (run) => {
    const words = argumentsOf(run.invocation);
    const engine = run.invocation.program.replace(/-compose$/, '');
    if (!isHelpOnly(words)) run.carry([exactWord(engine), exactWord('compose'), ...words]);
  }),
  ...rows('buildah img kaniko', (run) => {
    const words = argumentsOf(run.invocation);
    const [verb, ...rest] = words;
    if (!verb || isHelpOnly(words)) return;
    if (/^(bud|build|build-using-dockerfile)$/.test(verb.text)) build(run, rest);
    else if (verb.text === 'run') execIn(run, rest);
    else if (verb.text === 'unshare') run.carry(rest);
    else manage(run, 'image', verb.text, rest);
  }),
  ...rows('crictl ctr', (run) => {
    const [verb, ...rest] = parseOptions(
      { values: '-r|--runtime-endpoint -i|--image-endpoint -t -c -n|--namespace -a|--address', stopsAtOperand: true },
      argumentsOf(run.invocation),
    ).operands;
    if (!verb || asksForHelp(rest)) return;
    if (verb.text === 'exec') execIn(run, rest);
    else if (/^(rmp|rm|rmi|stopp|stop)$/.test(verb.text))
      takeAway(
        run,
        verb.text,
        rest.filter(({ text }) => !text.startsWith('-')),
        [],
      );
    else if (/^(images?|containers?|tasks?|snapshots?|content|namespaces?|leases?|pods?)$/.test(verb.text) && rest[0])
      manage(run, verb.text, rest[0].text, rest.slice(1));
    else manage(run, 'container', verb.text, rest);
  }),
  ...rows('skopeo crane oras regctl', (run) => {
    const words = argumentsOf(run.invocation);
    const { operands } = parseOptions(
      { values: '--src-creds --dest-creds --creds --authfile --override-arch --override-os -u -p --platform -t' },
      words,
    );
    const [verb, first, second] = operands;
    if (!verb || isHelpOnly(words)) return;
    const isThere = (word: Word | undefined): boolean =>
      !!word && !/^(oci|dir|docker-archive|oci-archive|docker-daemon):/.test(word.text);
    if (/^(delete|rm)$/.test(verb.text)) sayDeed(run, 'delete', 'docker', registryOf(first), first ?? null);
    else if (/^(copy|cp|push|sync|tag|mutate|append|attach|put)$/.test(verb.text))
      sayDeed(run, isThere(second ?? first) ? 'publish' : 'read', 'docker', registryOf(first), second ?? first ?? null);
    else if (/^(login|auth)$/.test(verb.text)) sayDeed(run, 'login', 'docker', null, null);
    else sayDeed(run, 'read', 'docker', registryOf(first), first ?? null);
  }),
];
