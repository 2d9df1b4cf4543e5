import type { Word } from '../../../effect.js';
import type { ProgramEntry, Run } from '../../run.js';
import { exactWord, patternWord } from '../../word.js';
import { sayDeed } from '../cloud/service.js';
import { argumentsOf, isHelpOnly, rows, withText } from '../helpers.js';
import { fetchesTool } from './npm.js';
import { runTomlTask } from './tomlTasks.js';
import { parseOptions, type OptionSpec, type ParsedOptions } from '../options.js';
import { bringsOf, broughtByRequirements } from './brings.js';
import { isKnownTool } from './knownTools.js';
import { buildsProject, landsOutside, restoresPackages, removesPackages } from './scripts.js';

const PYPI = 'pypi.org';

/** Source: pip 24 and uv 0.5 references. */
const OPTIONS: OptionSpec = {
  flags:
    '-U|--upgrade -y|--yes -q|--quiet -v|--verbose --user --pre --no-deps --force-reinstall --no-index --no-cache-dir --no-cache --dry-run --break-system-packages --ignore-installed -I --require-hashes --no-build-isolation --system --editable0 --dev --all-extras --no-dev --frozen --locked --no-sync --isolated --all-groups --only-dev --no-root --sync --all-packages --offline --reinstall --native-tls --no-project --exact --seed --clear --allow-existing --isolated --force --with-dependencies --lock0 --outdated --json --mirror0 --all -n -h|--help -V|--version --no-input --no-interaction -i0 --compile',
  values:
    '-r|--requirement|--requirements -c|--constraint -e|--editable -t|--target --prefix --root -i|--index-url|--default-index|--index --extra-index-url -f|--find-links --no-binary --only-binary --cache-dir --python -p --python-version --platform --implementation --abi --trusted-host --proxy --cert --client-cert --log --config-settings --global-option --progress-bar --report --group -G --extra -E --source -s --with --with-editable --with-requirements --from --package --directory --project --branch --rev --tag --index-strategy --keyring-provider --spec --pip-args --suffix --only-group --prompt -P -d --dest -w --wheel-dir --exists-action --env-file -m --module --script --output-file -o --exclude-newer --resolution --build-backend --name --format --without --only',
  negates: false,
};

/** A requirement: `requests>=2`, `pkg @ https://…`, a URL, a git address, a folder, an archive. */
function installRequirement(run: Run, word: Word, traits: readonly 'remote-code'[] = []): void {
  const named = /^([\w.-]+)(?:\[[^\]]*\])?\s*@\s*(\S+:\/\/\S+)/.exec(word.text);
  const address = named?.[2] ?? word.text;
  if (/^(https?|git\+\w+|hg\+\w+|svn\+\w+|ssh|ftp):\/\//i.test(address)) {
    run.network(withText(word, address.replace(/^\w+\+/, '')), { method: 'GET', traits: ['download'] });
    run.install('pypi', withText(word, named?.[1] ?? address), { traits: ['remote-code'], note: 'not from the index' });
  } else if (/^(\.{0,2}\/|~\/|\.$|\.\[|file:|[a-z]:\\)|\.(whl|tar\.gz|zip)$/i.test(address)) {
    run.read(withText(word, address.replace(/^file:\/*/, '/').replace(/\[[^\]]*\]$/, '')), {});
    buildsProject(run, 'pip install', bringsOf('pypi', null));
  } else
    run.install(
      'pypi',
      withText(
        word,
        word.text
          .replace(/\[[^\]]*\]/, '')
          .replace(/(===?|~=|>=|<=|!=|<|>).*$/s, (all) => (all.startsWith('==') ? `@${all.replace(/^=+/, '')}` : ''))
          .trim(),
      ),
      { traits },
    );
}

/** Where packages come from, when not from the index. */
function indexes(run: Run, parsed: ParsedOptions): void {
  for (const name of ['-i', '--extra-index-url', '--proxy'])
    for (const url of parsed.values(name))
      run.network(withText(url, url.text.replace(/^[\w-]+=(?=https?:)/, '')), {
        method: 'GET',
        traits: ['download'],
        note: 'packages come from there',
      });
  for (const place of parsed.values('-f')) {
    if (/:\/\//.test(place.text))
      run.network(place, { method: 'GET', traits: ['download'], note: 'packages come from there' });
    else run.list(place);
  }
}

function install(run: Run, parsed: ParsedOptions, names: readonly Word[], what: string): void {
  indexes(run, parsed);
  if (parsed.has('--dry-run')) return;
  for (const file of [...parsed.values('-r'), ...parsed.values('-c')]) {
    if (/^https?:/.test(file.text)) {
      run.network(file, { method: 'GET', traits: ['download'] });
      run.install('pypi', patternWord('*'), { note: `what ${file.text} names` });
    } else run.read(file);
  }
  for (const name of names) installRequirement(run, name);
  for (const folder of parsed.values('-e')) installRequirement(run, folder);
  if (parsed.has('-r') || (names.length === 0 && !parsed.has('-e')))
    restoresPackages(run, PYPI, '', what, broughtByRequirements(run, parsed.values('-r')));
  for (const folder of [...parsed.values('-t'), ...parsed.values('--root'), ...parsed.values('--prefix')])
    run.write(folder, { traits: ['recursive'] });
}

const uninstall = (run: Run, names: readonly Word[], from: 'project' | 'machine' = 'machine'): void =>
  removesPackages(run, 'pypi', names.length > 0 ? names : [patternWord('*')], from);

function pipVerb(run: Run, verb: string, parsed: ParsedOptions, names: readonly Word[]): void {
  switch (verb) {
    case 'install':
    case 'sync':
      install(run, parsed, verb === 'sync' ? [] : names, `pip ${verb}`);
      if (verb === 'sync') for (const file of names) run.read(file);
      return;
    case 'uninstall':
      uninstall(run, names);
      return;
    case 'download':
    case 'wheel':
      indexes(run, parsed);
      restoresPackages(
        run,
        PYPI,
        '',
        `pip ${verb}`,
        bringsOf(
          'pypi',
          verb === 'download' && names.length > 0 ? names.map(({ text }) => text.replace(/[[<>=!~;@].*$/s, '')) : null,
        ),
      );
      run.write(parsed.value('-d', '-w') ?? exactWord('.'), { traits: ['download', 'create'] });
      return;
    case 'config':
      if (/^(set|unset|edit)$/.test(names[0]?.text ?? ''))
        run.write(exactWord(`${run.facts.home}/.config/pip/pip.conf`), { traits: ['edit'] });
      return;
    case 'cache':
      return;
    case 'compile':
      for (const file of names) run.read(file);
      for (const file of parsed.values('-o')) run.write(file);
      run.network(exactWord(`https://${PYPI}`), { method: 'GET', traits: ['download', 'own-service'] });
      return;
    case 'index':
    case 'search':
      sayDeed(run, 'read', 'pypi', PYPI, names[0] ?? null);
      return;
    default:
      if (!/^(list|show|freeze|check|debug|hash|inspect|help|tree|completion|)$/.test(verb))
        run.unknown(`sub-command ${verb} of pip`);
  }
}

/** `pip …`, also as `python -m pip …` and `uv pip …`. */
export function pip(run: Run, words: readonly Word[]): void {
  if (isHelpOnly(words)) return;
  const globals = parseOptions({ ...OPTIONS, stopsAtOperand: true }, words);
  const [verb, ...rest] = globals.operands;
  if (!verb) return;
  const parsed = parseOptions(OPTIONS, rest);
  pipVerb(run, verb.text, parsed, parsed.operands);
}

/** `uvx X`, `pipx run X`: a known tool, or a package that is fetched and run at once. */
function runTool(run: Run, words: readonly Word[]): void {
  const parsed = parseOptions({ ...OPTIONS, stopsAtOperand: true }, words);
  for (const name of [...parsed.values('--with'), ...parsed.values('--from'), ...parsed.values('--spec')])
    for (const one of name.text.split(',')) installRequirement(run, withText(name, one), ['remote-code']);
  indexes(run, parsed);
  const [name, ...rest] = parsed.operands;
  if (!name) return;
  const bare = name.text.replace(/[@=[].*$/, '');
  if (/^https?:|^git\+/.test(name.text)) installRequirement(run, name, ['remote-code']);
  else if (!parsed.has('--from', '--spec') && !isKnownTool(bare))
    run.install('pypi', withText(name, bare), { traits: ['remote-code'], note: 'fetched and run at once' });
  else if (!parsed.has('--from', '--spec')) fetchesTool(run, 'pypi', bare);
  run.carry([withText(name, bare), ...rest]);
}

const PROJECT_FILES = ['pyproject.toml', 'hatch.toml', 'Pipfile', 'pixi.toml'];
/** Tables of scripts of a project. Sources: references of pdm, hatch, rye, pipenv, pixi, taskipy, 2025. */
const SCRIPT_TABLES =
  /^(?:tool\.pdm\.scripts|tool\.hatch\.envs\.[\w-]+\.scripts|envs\.[\w-]+\.scripts|tool\.rye\.scripts|scripts|tasks|tool\.pixi\.tasks|tool\.taskipy\.tasks)$/;

/** Words of a `run` sub-command: options of its own, then the command. */
function runInside(run: Run, words: readonly Word[]): void {
  const parsed = parseOptions({ ...OPTIONS, stopsAtOperand: true }, words);
  for (const name of parsed.values('--with')) installRequirement(run, name, ['remote-code']);
  const module = parsed.value('-m');
  const command = module ? [exactWord('python'), exactWord('-m'), module, ...parsed.operands] : parsed.operands;
  const [first, ...rest] = command;
  if (first && runTomlTask(run, PROJECT_FILES, SCRIPT_TABLES, first.text.replace(/^[\w-]+:/, ''), rest)) return;
  if (first && /\.py$/.test(first.text)) run.carry([exactWord('python'), ...command]);
  else if (first && /^https?:/.test(first.text)) {
    run.network(first, { method: 'GET', traits: ['download'] });
    run.emit('execute', { type: 'process', process: first.text }, { traits: ['remote-code', 'unreviewed'] });
  } else run.carry(command);
}

/** Tools that manage a project and its environment: their verbs mean the same. */
function projectTool(run: Run): void {
  const words = argumentsOf(run.invocation);
  if (isHelpOnly(words)) return;
  const { program } = run.invocation;
  const globals = parseOptions({ ...OPTIONS, values: `${OPTIONS.values ?? ''} -C`, stopsAtOperand: true }, words);
  const [verb, ...rest] = globals.operands;
  if (!verb) {
    if (program === 'pdm' || program === 'rye') return;
    return;
  }
  const parsed = parseOptions(OPTIONS, rest);
  const names = parsed.operands;
  switch (verb.text) {
    case 'pip':
      pip(run, rest);
      return;
    case 'run':
    case 'exec':
    case 'x':
      runInside(run, rest);
      return;
    case 'tool':
    case 'self':
      if (names[0]?.text === 'run') runTool(run, rest.slice(rest.indexOf(names[0]) + 1));
      else if (/^(install|upgrade|add|update)$/.test(names[0]?.text ?? ''))
        install(
          run,
          parsed,
          names.slice(1).length > 0 ? names.slice(1) : [exactWord(program)],
          `${program} ${verb.text}`,
        );
      else if (/^(uninstall|remove)$/.test(names[0]?.text ?? '')) uninstall(run, names.slice(1));
      return;
    case 'add':
      indexes(run, parsed);
      for (const name of names) installRequirement(run, name);
      for (const file of parsed.values('-r')) run.read(file);
      if (parsed.has('-r'))
        restoresPackages(run, PYPI, '', `${program} add`, broughtByRequirements(run, parsed.values('-r')));
      return;
    case 'remove':
    case 'rm':
    case 'uninstall':
      // The others keep their environments in the person's home.
      uninstall(run, names, /^(?:uv|pdm|rye)$/.test(program) ? 'project' : 'machine');
      return;
    case 'install':
    case 'i':
    case 'sync':
    case 'update':
    case 'upgrade':
    case 'lock':
      if (program === 'pipenv' && names.length > 0) for (const name of names) installRequirement(run, name);
      else if ((verb.text === 'update' || verb.text === 'upgrade') && !parsed.has('--dry-run'))
        for (const name of names.length > 0 ? names : [patternWord('*')]) run.install('pypi', name);
      else
        restoresPackages(
          run,
          PYPI,
          program === 'uv' || program === 'pdm' ? '.venv' : '',
          `${program} ${verb.text}`,
          verb.text === 'lock' ? undefined : bringsOf('pypi', null),
        );
      return;
    case 'publish':
    case 'upload':
      if (parsed.has('--dry-run')) return;
      run.read(names[0] ?? exactWord('dist'), { traits: ['recursive'] });
      sayDeed(run, 'publish', 'pypi', 'upload.pypi.org', names[0] ?? null);
      return;
    case 'build':
    case 'package':
    case 'test':
    case 'check':
    case 'fmt':
    case 'format':
    case 'lint':
    case 'typecheck':
      buildsProject(run, `${program} ${verb.text}`);
      if (verb.text === 'build') run.write(exactWord('dist'), { traits: ['recursive', 'create'] });
      return;
    case 'source':
      if (/^(?:add|remove)$/.test(names[0]?.text ?? ''))
        run.emit(
          'persist',
          { type: 'environment', name: `${program} sources` },
          { reversible: 'checkpoint', note: 'packages come from there from now on' },
        );
      return;
    case 'venv':
    case 'init':
    case 'new':
      run.write(names[0] ?? exactWord(verb.text === 'venv' ? '.venv' : 'pyproject.toml'), {
        traits: ['create', 'recursive'],
      });
      return;
    case 'python':
      for (const version of names.slice(1)) if (names[0]?.text === 'install') run.install('python', version);
      if (names[0]?.text === 'uninstall') uninstall(run, names.slice(1));
      return;
    case 'env':
    case 'cache':
      if (/^(remove|prune|clear|clean)$/.test(names[0]?.text ?? ''))
        run.emit(
          'delete',
          { type: 'environment', name: `${program} ${verb.text}` },
          { traits: ['build-output'], reversible: 'checkpoint' },
        );
      return;
    case 'config':
      if (names.length > 1 || rest.some(({ text }) => text === '--unset'))
        run.emit(
          'persist',
          { type: 'environment', name: `${program} settings` },
          { traits: /token|password|pypi/i.test(names[0]?.text ?? '') ? ['secret'] : [], reversible: 'checkpoint' },
        );
      return;
    case 'shell':
    case 'activate':
      run.emit('execute', { type: 'process', process: `${program} shell` }, { traits: ['interactive'] });
      return;
    default:
      if (
        !/^(show|list|tree|info|search|version|export|about|outdated|why|help|completion|generate-shell-completion|dep|status|graph|verify|requirements|--venv|--py|audit|auth|plugin|project|use|fix|metadata|clean|find|workspace|scripts)$/.test(
          verb.text,
        )
      )
        run.unknown(`sub-command ${verb.text} of ${program}`);
  }
}

/** `pipx`: tools each in an environment of its own, for every project. */
function pipx(run: Run): void {
  const words = argumentsOf(run.invocation);
  if (isHelpOnly(words)) return;
  const [verb, ...rest] = words;
  const parsed = parseOptions(OPTIONS, rest);
  if (verb?.text === 'run') runTool(run, rest);
  else if (/^(install|inject|upgrade|reinstall|install-all|upgrade-all|reinstall-all)$/.test(verb?.text ?? '')) {
    for (const name of parsed.operands.length > 0 ? parsed.operands : [patternWord('*')]) installRequirement(run, name);
    landsOutside(run, 'pypi');
  } else if (/^uninstall(-all)?$/.test(verb?.text ?? '')) uninstall(run, parsed.operands);
  else if (verb?.text === 'ensurepath') run.write(exactWord(`${run.facts.home}/.bashrc`), { traits: ['append'] });
  else if (!/^(list|environment|completions|runpip|pin|unpin|interpreter)$/.test(verb?.text ?? ''))
    run.unknown(`sub-command ${verb?.text ?? ''} of pipx`);
}

/** Source: conda 24 reference; mamba shares it. */
function conda(run: Run): void {
  const words = argumentsOf(run.invocation);
  if (isHelpOnly(words) || words.some(({ text }) => text === '-h')) return;
  const [verb, ...rest] = words;
  const parsed = parseOptions(
    {
      flags:
        '-y|--yes -q --quiet --dry-run -d --force --all --json -v --offline --no-deps --copy --revision0 --append --prepend -c0 --no-capture-output --live-stream',
      values:
        '-n|--name -p|--prefix -c|--channel -f|--file --clone --solver --set --add --remove --get --remove-key --cwd --subdir',
    },
    rest,
  );
  if (parsed.has('--dry-run') || !verb) return;
  for (const channel of parsed.values('-c'))
    if (/:\/\//.test(channel.text))
      run.network(channel, { method: 'GET', traits: ['download'], note: 'packages come from there' });
  for (const file of parsed.values('-f')) run.read(file);
  const names = parsed.operands;
  switch (verb.text) {
    case 'install':
    case 'create':
    case 'update':
    case 'upgrade':
      for (const name of names) run.install('conda', name);
      if (names.length === 0 && parsed.has('-f') && !parsed.has('-p')) run.install('conda', patternWord('*'));
      if (names.length === 0)
        restoresPackages(run, 'conda.anaconda.org', '', `conda ${verb.text}`, bringsOf('conda', null));
      return;
    case 'remove':
    case 'uninstall':
      for (const name of names.length > 0 ? names : [exactWord(parsed.value('-n')?.text ?? '*')])
        run.emit(
          'delete',
          { type: 'package', ecosystem: 'conda', name: name.text, version: null },
          { traits: parsed.has('--all') ? ['mass'] : [], reversible: 'no' },
        );
      return;
    case 'env':
      if (names[0]?.text === 'remove')
        run.emit(
          'delete',
          { type: 'package', ecosystem: 'conda', name: parsed.value('-n')?.text ?? '*', version: null },
          { traits: ['mass'], reversible: 'no' },
        );
      else if (/^(create|update)$/.test(names[0]?.text ?? '')) {
        // All that the file names, into an environment of the person's, which no checkpoint holds.
        if (!parsed.has('-p')) run.install('conda', patternWord('*'));
        restoresPackages(run, 'conda.anaconda.org', '', 'conda env', bringsOf('conda', null));
      }
      return;
    case 'run':
      run.carry(
        parseOptions(
          {
            flags: '-v --no-capture-output --live-stream',
            values: '-n|--name -p|--prefix --cwd',
            stopsAtOperand: true,
          },
          rest,
        ).operands,
      );
      return;
    case 'config':
      if (parsed.has('--set', '--add', '--remove', '--remove-key', '--append', '--prepend'))
        run.write(exactWord(`${run.facts.home}/.condarc`), { traits: ['edit'] });
      return;
    case 'init':
      run.write(exactWord(`${run.facts.home}/.bashrc`), { traits: ['append'] });
      return;
    case 'clean':
      run.emit(
        'delete',
        { type: 'package', ecosystem: 'conda', name: 'cache', version: null },
        { traits: ['build-output'], reversible: 'checkpoint' },
      );
      return;
    default:
      if (
        !/^(list|search|info|activate|deactivate|compare|doctor|package|notices|repoquery|env-list|shell|content-trust|rename|--version)$/.test(
          verb.text,
        )
      )
        run.unknown(`sub-command ${verb.text} of conda`);
  }
}

/** Source: twine 6, flit 3. */
function uploadTool(run: Run): void {
  const words = argumentsOf(run.invocation);
  if (isHelpOnly(words)) return;
  const [verb, ...rest] = words;
  const parsed = parseOptions(
    {
      flags: '--skip-existing --non-interactive --verbose --sign',
      values: '-r|--repository --repository-url -u -p -c --config-file --cert -i',
    },
    rest,
  );
  if (!/^(upload|publish|register)$/.test(verb?.text ?? '')) return;
  for (const file of parsed.operands) run.read(file);
  const url = parsed.value('--repository-url');
  if (url) run.network(url, { method: 'POST', traits: ['upload', 'publish'] });
  sayDeed(run, 'publish', 'pypi', 'upload.pypi.org', parsed.operands[0] ?? null);
}

export const pythonPackagePrograms: readonly ProgramEntry[] = [
  ...rows('pip|pip3', (run) => {
    pip(run, argumentsOf(run.invocation));
  }),
  ...rows('easy_install', (run) => {
    for (const name of argumentsOf(run.invocation)) if (!name.text.startsWith('-')) installRequirement(run, name);
  }),
  ...rows('uv poetry pdm hatch rye pipenv', projectTool),
  ...rows('uvx', (run) => {
    const words = argumentsOf(run.invocation);
    if (!isHelpOnly(words.slice(0, 1))) runTool(run, words);
  }),
  ...rows('pipx', pipx),
  ...rows('conda mamba micromamba', conda),
  ...rows('twine flit', uploadTool),
  // Of an environment's own folder; a script of this name elsewhere is a file of the project.
  ...rows('activate deactivate', () => undefined),
  ...rows('virtualenv pyvenv', (run) => {
    const words = argumentsOf(run.invocation);
    const folder = words.filter(({ text }) => !text.startsWith('-')).at(-1);
    if (folder && !isHelpOnly(words)) run.write(folder, { traits: ['recursive', 'create'] });
  }),
];
