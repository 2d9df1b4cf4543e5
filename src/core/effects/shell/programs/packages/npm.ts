import type { Word } from '../../../effect.js';
import { joinPath } from '../../../paths.js';
import type { ProgramEntry, Run } from '../../run.js';
import { exactWord } from '../../word.js';
import { sayDeed } from '../cloud/service.js';
import { argumentsOf, isHelpOnly, rows, withText } from '../helpers.js';
import { parseOptions, type OptionSpec, type ParsedOptions } from '../options.js';
import { broughtByManifest } from './brings.js';
import { isKnownTool } from './knownTools.js';
import {
  buildsProject,
  folderOf,
  isCheckOrBuild,
  landsOutside,
  readManifest,
  restoresPackages,
  runScript,
  type Manifest,
  removesPackages,
} from './scripts.js';

type Manager = 'npm' | 'pnpm' | 'yarn' | 'bun';

/** Options of the four with a value; all others are taken as flags. Sources: npm 10, pnpm 9, yarn 1 and 4, bun 1.1 references. */
const OPTIONS: OptionSpec = {
  flags:
    '-g|--global -D|--save-dev|--dev -S|--save -P|--save-prod -O|--save-optional|--optional -E|--save-exact|--exact -f|--force -y|--yes -s|--silent -q|--quiet -d -r|--recursive -A|--all --parallel --if-present --ignore-scripts --legacy-peer-deps --no-save --frozen-lockfile --immutable --offline --prefer-offline --production --prod --dry-run --json --long --parseable --workspaces -ws -W|--ignore-workspace-root-check --include-workspace-root --no-audit --no-fund --stream --no-bail --watch --hot --bun -b --verbose -v|--version -h|--help -i|--interactive --latest -L -T --tilde --workspace-root -p0 -t0 --inspect --smol --lockfile-only --link-workspace-packages --shamefully-hoist --strict-peer-dependencies --reporter0 --no-lockfile --non-interactive --check-files --pure-lockfile --flat --har --audit --no-install --no -n --coverage --bail --only-failures --todo',
  values:
    '-C|--dir|--prefix|--cwd -w|--workspace -F|--filter --filter-prod --registry --userconfig --globalconfig --cache --cache-folder --store-dir --modules-folder --tag --otp --access --omit --include --loglevel --reporter --script-shell --node-options --before --depth --scope --auth-type --workspace-concurrency --stage --sort --resume-from --mutex --network-timeout --target --outdir --outfile --config --preload -c0 --use-yarnrc --network-concurrency --child-concurrency --concurrency --jobs -j --timeout --rerun-each -t --test-name-pattern --port --define --env-file --allow-build',
  negates: true,
};

/** To pnpm `-w` is the root of the workspace and takes no word. Source: pnpm 9, "pnpm add". */
const PNPM: OptionSpec = {
  ...OPTIONS,
  flags: `${OPTIONS.flags ?? ''} -w`,
  values: (OPTIONS.values ?? '').replace('-w|--workspace ', ''),
};

const INSTALLS = /^(install|i|in|ins|inst|insta|instal|isnt|isnta|isntal|isntall|add|a)$/;
const REMOVES = /^(uninstall|un|unlink|remove|rm|r)$/;
const UPDATES = /^(update|up|upgrade|udpate|upgrade-interactive|upgradeInteractive|dedupe|ddp|import)$/;
const LOCKED =
  /^(ci|clean-install|ic|install-clean|isntall-clean|install-test|it|cit|install-ci-test|sit|fetch|rebuild|rb)$/;
const READS =
  /^(ls|ll|la|list|view|info|show|v|search|find|s|se|outdated|explain|why|fund|audit|doctor|ping|whoami|root|prefix|bin|docs|home|bugs|repo|issues|help|help-search|query|diff|licenses|licenses-list|completion|get|sbom|node-version|store-path|status|env-list|versions|history|stars|check|pm|peers|catalogs)$/;
const REGISTRY: Readonly<Record<Manager, string>> = {
  npm: 'registry.npmjs.org',
  pnpm: 'registry.npmjs.org',
  yarn: 'registry.yarnpkg.com',
  bun: 'registry.npmjs.org',
};

/** What one call works with. */
interface Call {
  readonly run: Run;
  readonly manager: Manager;
  readonly parsed: ParsedOptions;
  readonly folder: Word | null;
  readonly cwd: string | null;
  readonly manifest: Manifest | null;
}

/** A package as it is named: `left-pad@1`, a URL, a git address, a folder, `alias@npm:real`. */
function installPackage(run: Run, name: Word, isGlobal: boolean): void {
  const real = /@npm:(.+)$/.exec(name.text)?.[1];
  const note = isGlobal ? 'for every project of this machine' : '';
  if (
    /^(https?|git(\+\w+)?|ssh):|^(github|gitlab|bitbucket|gist):|^[\w.-]+\/[\w.-]+(#.*)?$/i.test(name.text) &&
    !name.text.startsWith('@')
  ) {
    const url = /^[\w-]+:\/\//.test(name.text)
      ? name
      : withText(name, `https://github.com/${name.text.replace(/^\w+:/, '')}`);
    run.network(url, { method: 'GET', traits: ['download'] });
    run.install('npm', name, { note: 'not from the registry', traits: ['remote-code'] });
  } else if (/^(\.{0,2}\/|~\/|file:|link:|workspace:)/.test(name.text)) {
    run.read(withText(name, name.text.replace(/^(file|link):/, '')), { traits: ['recursive'] });
  } else run.install('npm', real === undefined ? name : withText(name, real), { note });
}

function install(call: Call, names: readonly Word[]): void {
  const { run, manager, parsed } = call;
  if (parsed.has('--dry-run')) return;
  if (names.length > 0) {
    for (const name of names) installPackage(run, name, parsed.has('-g'));
    if (parsed.has('-g')) landsOutside(run, manager);
    return;
  }
  const isMany = parsed.has('-r', '--workspaces', '-ws');
  const brings = broughtByManifest(run, isMany ? null : call.manifest, call.cwd);
  restoresPackages(run, REGISTRY[manager], 'node_modules', `${manager} install`, brings);
  if (!parsed.has('--ignore-scripts'))
    for (const hook of ['preinstall', 'install', 'postinstall', 'prepare'])
      if (call.manifest?.scripts.has(hook)) runScript(run, call.manifest, hook, [], call.folder, false);
}

/** Where a script's manifest lies when `-w name` or `--filter name` picks a package of a monorepo. */
function packageFolder(run: Run, cwd: string | null, name: string, root: Manifest | null): string | null {
  if (cwd === null) return null;
  const candidates = [
    name,
    ...(root?.workspaces ?? []).map((glob) => glob.replace(/\*+$/, name.replace(/^@[^/]*\//, ''))),
    `packages/${name.replace(/^@[^/]*\//, '')}`,
    `apps/${name.replace(/^@[^/]*\//, '')}`,
  ];
  for (const candidate of candidates) {
    const folder = joinPath(cwd, candidate.replace(/^\.\//, '').replace(/\.{3}$/, ''), run.facts.platform);
    if (run.facts.entry(`${folder}/package.json`) === 'file') return folder;
  }
  return null;
}

function script(call: Call, name: Word, rest: readonly Word[]): boolean {
  const { run, parsed, manager } = call;
  const shell = parsed.value('--script-shell');
  if (shell)
    run.emit('execute', { type: 'process', process: shell.text }, { traits: ['covert'], note: 'scripts run in it' });
  if (name.certainty !== 'exact') {
    run.emit(
      'execute',
      { type: 'process', process: `script ${name.raw}` },
      { traits: ['unreviewed'], certainty: 'dynamic' },
    );
    return true;
  }
  const picked = parsed.value('-w', '-F');
  const isMany = parsed.has('-r', '--workspaces', '-ws', '--parallel');
  if (picked === null && !isMany)
    return runScript(run, call.manifest, name.text, rest, call.folder, manager !== 'pnpm' || name.text !== 'install');
  const folder = picked ? packageFolder(run, call.cwd, picked.text, call.manifest) : null;
  const manifest = folder === null ? null : readManifest(run, folder, 'package.json');
  return runScript(run, manifest, name.text, rest, folder === null ? null : exactWord(folder));
}

/** A well-known tool that is not the project's own: it is fetched too, which rules of people on packages hear. */
export const fetchesTool = (run: Run, ecosystem: string, name: string): void => {
  run.emit(
    'execute',
    { type: 'process', process: run.invocation.program },
    { note: `fetches ${name} where it is not there`, brings: { ecosystem, names: name } },
  );
};

/** `npx X`: a tool of the project where it is one, else a package that is fetched and run at once. */
function execute(run: Run, name: Word, rest: readonly Word[], manifest: Manifest | null, cwd: string | null): void {
  const bare = name.text.replace(/(?!^)@.*$/, '');
  const tool = bare.replace(/^@[^/]*\//, '');
  const isPinned = name.text !== bare;
  const isLocal = cwd !== null && ['file', 'link'].includes(run.facts.entry(`${cwd}/node_modules/.bin/${tool}`));
  const isListed = manifest?.dependencies.has(bare) ?? false;
  const isFile = /^\.{0,2}\//.test(name.text);
  if (!isLocal && !isListed && !isFile && (name.certainty !== 'exact' || isPinned || !isKnownTool(tool))) {
    run.install('npm', name, { traits: ['remote-code'], note: 'fetched and run at once' });
  } else if (!isLocal && !isListed && !isFile) fetchesTool(run, 'npm', bare);
  run.carry([isFile ? name : withText(name, tool), ...rest]);
}

function npx(run: Run): void {
  const words = argumentsOf(run.invocation);
  const parsed = parseOptions(
    {
      flags:
        '-y|--yes --no --no-install -q|--quiet --ignore-existing --bun -s --silent -v|--version -h|--help --prefer-offline --verbose',
      values:
        '-p|--package -c|--call --cache --registry --userconfig -w|--workspace --shell -n --node-options --prefix',
      stopsAtOperand: true,
    },
    words,
  );
  if (parsed.has('-v', '-h')) return;
  const folder = folderOf(run, parsed.value('--prefix'));
  const manifest = readManifest(run, folder, 'package.json');
  const [name, ...rest] = parsed.operands;
  const packages = parsed.values('-p');
  for (const one of packages)
    if (!manifest?.dependencies.has(one.text.replace(/(?!^)@.*$/, '')))
      run.install('npm', one, { traits: ['remote-code'], note: 'fetched and run at once' });
  const line = parsed.value('-c');
  if (line) run.code('sh', line);
  else if (name && packages.length > 0) run.carry([name, ...rest]);
  else if (name) execute(run, name, rest, manifest, folder);
}

/** Sub-commands that others see, or that concern who may publish. */
function registryCommand(call: Call, verb: string, rest: readonly Word[]): boolean {
  const { run, manager, parsed } = call;
  const host = REGISTRY[manager];
  const [first] = rest;
  const name = first ?? null;
  switch (verb) {
    case 'publish':
    case 'stage':
      if (parsed.has('--dry-run')) return true;
      if (call.manifest)
        for (const hook of ['prepublishOnly', 'prepack', 'prepare', 'postpack', 'publish', 'postpublish'])
          if (call.manifest.scripts.has(hook)) runScript(run, call.manifest, hook, [], call.folder, false);
      run.read(call.folder ?? exactWord('.'), { traits: ['recursive'] });
      sayDeed(run, 'publish', 'npm', host, name);
      return true;
    case 'unpublish':
      if (parsed.has('--dry-run')) return true;
      sayDeed(run, 'delete', 'npm', host, name);
      return true;
    case 'deprecate':
    case 'undeprecate':
    case 'dist-tag':
    case 'dist-tags':
    case 'tag':
      sayDeed(run, /^(ls|list)$/.test(first?.text ?? '') ? 'read' : 'publish', 'npm', host, name);
      return true;
    case 'owner':
    case 'author':
    case 'access':
    case 'team':
    case 'org':
    case 'token':
    case 'hook':
    case 'profile':
      sayDeed(
        run,
        /^(ls|list|get|ls-packages|ls-collaborators|status)$/.test(first?.text ?? 'ls') ? 'read' : 'grant',
        'npm',
        host,
        name,
      );
      return true;
    case 'login':
    case 'adduser':
    case 'add-user':
    case 'logout':
      sayDeed(run, 'login', 'npm', host, null);
      return true;
    case 'star':
    case 'unstar':
      sayDeed(run, 'publish', 'npm', host, name);
      return true;
    default:
      return false;
  }
}

/** Sub-commands that change files of the project or of the person, and nothing that runs. */
function localCommand(call: Call, verb: string, rest: readonly Word[]): boolean {
  const { run, manager, parsed } = call;
  const [first, ...more] = rest;
  const npmrc = exactWord(manager === 'yarn' ? '~/.yarnrc' : '~/.npmrc');
  const homeFile = withText(npmrc, npmrc.text.replace('~', run.facts.home));
  switch (verb) {
    case 'config':
    case 'c':
    case 'set':
      if (verb !== 'set' && /^(get|list|ls|)$/.test(first?.text ?? '')) {
        const isSecret = more.some(({ text }) => /(?:_auth|authToken|authIdent|_password)$|^(?:key|otp)$/i.test(text));
        run.emit(
          'read',
          { type: 'environment', name: `${manager} settings` },
          { reversible: 'yes', traits: isSecret ? ['secret'] : [] },
        );
        return true;
      }
      if (verb === 'set' && first?.text === 'version') {
        sayDeed(run, 'read', 'npm', REGISTRY.yarn, null);
        run.write(exactWord('.yarn/releases'), { traits: ['create'] });
        return true;
      }
      run.write(homeFile, {
        traits: ['edit'],
        note: `sets ${[first, ...more].map((word) => word?.text ?? '').join(' ')}`,
      });
      return true;
    case 'pkg':
    case 'set-script':
    case 'version':
      if (first && first.text !== 'get') run.write(exactWord('package.json'), { traits: ['edit'] });
      if (verb === 'version' && first)
        run.emit('write', { type: 'ref', remote: null, ref: `refs/tags/v${first.text}` }, { traits: ['create'] });
      return true;
    case 'pack':
      // Named by a package rather than a folder, it fetches that package's archive.
      for (const name of rest.filter(
        ({ text }) => /^(?:@[\w.-]+\/)?[\w-][\w.-]*(?:@.*)?$/.test(text) && !/\.t?gz$/.test(text),
      ))
        run.network(withText(name, `https://${REGISTRY[manager]}/${name.text}`), {
          method: 'GET',
          traits: ['download'],
        });
      run.write(exactWord('.'), { traits: ['create'] });
      return true;
    case 'prune':
    case 'shrinkwrap':
    case 'dedupe':
    case 'patch':
    case 'patch-commit':
    case 'unplug':
    case 'autoclean':
    case 'constraints':
    case 'approve-builds':
      run.write(exactWord('node_modules'), { traits: ['recursive', 'edit'] });
      return true;
    case 'link':
    case 'ln':
      // A folder is first linked among the tools of the machine, and from there into the project.
      if (rest.length === 0 || rest.some(({ text }) => /^(?:\.{0,2}\/|~|\.{1,2}$)/.test(text)))
        landsOutside(run, manager);
      run.write(exactWord('node_modules'), { traits: ['recursive', 'edit'] });
      return true;
    case 'cache':
    case 'store':
      if (/^(clean|rm|clear|prune|remove)$/.test(first?.text ?? ''))
        run.delete(withText(homeFile, `${run.facts.home}/.npm/_cacache`), { traits: ['recursive', 'build-output'] });
      return true;
    case 'init':
    case 'create':
    case 'innit':
      if (first && !first.text.startsWith('-')) {
        const name = first.text.startsWith('@')
          ? first.text.replace(/^(@[^/@]+)\/?/, (_all, scope: string) => `${scope}/create-`)
          : `create-${first.text}`;
        run.install('npm', withText(first, name.replace(/create-create-/, 'create-')), {
          traits: ['remote-code'],
          note: 'fetched and run at once',
        });
      }
      run.write(exactWord('package.json'), { traits: ['create'] });
      return true;
    case 'plugin':
      if (first?.text === 'import') for (const plugin of more) run.install('npm', plugin, { traits: ['remote-code'] });
      return true;
    case 'env':
      for (const version of more) run.install('node', version);
      return true;
    case 'setup':
    case 'self-update':
    case 'upgrade':
      if (verb === 'upgrade' && manager !== 'bun') return false;
      if (verb === 'setup') run.write(withText(homeFile, `${run.facts.home}/.bashrc`), { traits: ['edit'] });
      else run.install('npm', exactWord(manager));
      return true;
    case 'deploy':
      if (first) run.write(first, { traits: ['recursive', 'create'] });
      return true;
    default:
      if (parsed.has('--dry-run')) return true;
      return false;
  }
}

function manage(manager: Manager): (run: Run) => void {
  return (run) => {
    const words = argumentsOf(run.invocation);
    if (isHelpOnly(words.length === 1 ? words : words.slice(0, 1).filter(({ text }) => text === '--help'))) return;
    const globals = parseOptions({ ...(manager === 'pnpm' ? PNPM : OPTIONS), stopsAtOperand: true }, words);
    const [verb, ...tail] = globals.operands;
    const parsed = parseOptions(manager === 'pnpm' ? PNPM : OPTIONS, words);
    const folder = parsed.value('-C');
    const cwd = folderOf(run, folder);
    const call: Call = { run, manager, parsed, folder, cwd, manifest: readManifest(run, cwd, 'package.json') };
    const registry = parsed.value('--registry');
    if (registry) run.network(registry, { method: 'GET', traits: ['download'], note: 'packages come from there' });
    if (!verb) {
      if (manager === 'yarn') install(call, []);
      return;
    }
    if (verb.certainty !== 'exact') run.unknown(`a sub-command of ${manager} that cannot be known: ${verb.raw}`);
    else dispatch(call, verb, tail, parsed.operands.slice(1));
  };
}

/** `tail`: all words behind the verb; `rest`: those of them that are no options of the manager's own. */
function dispatch(call: Call, verb: Word, tail: readonly Word[], rest: readonly Word[]): void {
  const { run, manager, parsed } = call;
  const { text } = verb;
  const [first] = rest;
  // Words for a script stand behind its name, with npm behind `--`.
  const behind = (from: Word | undefined): readonly Word[] => {
    const at = from ? tail.indexOf(from) + 1 : 0;
    const words = tail.slice(at);
    return words[0]?.text === '--'
      ? words.slice(1)
      : manager === 'npm'
        ? words.slice(words.findIndex((word) => word.text === '--') + 1 || words.length)
        : words;
  };
  if (/^(run|run-script|rum|urn)$/.test(text)) {
    if (!first) return;
    if (manager === 'bun' && !call.manifest?.scripts.has(first.text) && /[./]/.test(first.text))
      run.script('javascript', first);
    else if (!script(call, first, behind(first)) && !parsed.has('--if-present')) run.carry([first, ...behind(first)]);
  } else if (/^(test|t|tst|start|stop|restart)$/.test(text) && manager !== 'bun') {
    const name = text === 't' || text === 'tst' ? 'test' : text;
    if (!script(call, withText(verb, name), behind(undefined)) && name === 'start')
      run.script('javascript', exactWord('server.js'));
  } else if (manager === 'bun' && text === 'exec' && first) {
    // Bun's own shell takes a line, or a file of lines.
    if (/^[./]|\.sh$/.test(first.text)) run.script('sh', first);
    else run.code('sh', first);
  } else if (/^(exec|x|dlx)$/.test(text)) {
    const command = parsed.value('-c0');
    if (command) run.code('sh', command);
    const at = tail.findIndex((word) => !word.text.startsWith('-'));
    const inner = tail.slice(at < 0 ? tail.length : at);
    const [name, ...words] = inner;
    if (!name) return;
    if (text === 'dlx' || manager === 'npm' || manager === 'bun')
      execute(
        run,
        name,
        words[0]?.text === '--' ? words.slice(1) : words,
        text === 'dlx' ? null : call.manifest,
        call.cwd,
      );
    else run.carry([name, ...words]);
  } else if (manager === 'yarn' && text === 'npm' && first) {
    if (!registryCommand(call, first.text === 'tag' ? 'dist-tag' : first.text, rest.slice(1)))
      sayDeed(run, 'read', 'npm', REGISTRY.yarn, first);
  } else if (manager === 'yarn' && text === 'global' && first)
    dispatch(
      { ...call, parsed: parseOptions(OPTIONS, [exactWord('-g')]) },
      first,
      tail.slice(tail.indexOf(first) + 1),
      rest.slice(1),
    );
  else if (manager === 'yarn' && (text === 'workspace' || text === 'workspaces') && first) {
    const name = text === 'workspace' ? first : null;
    const inner = tail
      .slice(tail.indexOf(first) + 1)
      .filter(
        (word, index, all) =>
          !(
            text === 'workspaces' &&
            word.text.startsWith('-') &&
            all.slice(0, index).every((one) => one.text.startsWith('-'))
          ),
      );
    const folder = name ? packageFolder(run, call.cwd, name.text, call.manifest) : null;
    const [innerVerb, ...innerWords] = inner;
    if (innerVerb)
      dispatch(
        {
          ...call,
          manifest: folder === null ? null : readManifest(run, folder, 'package.json'),
          cwd: folder,
          folder: folder === null ? null : exactWord(folder),
        },
        innerVerb,
        innerWords,
        innerWords,
      );
  } else if (manager === 'yarn' && text === 'node') run.carry([exactWord('node'), ...tail]);
  else if (manager === 'bun' && (text === 'test' || text === 'build')) {
    buildsProject(run, `bun ${text}`);
    const out = parsed.value('--outdir', '--outfile');
    if (out) run.write(out, { traits: ['recursive'] });
  } else if (text === 'audit' && first?.text === 'fix') run.install('npm', exactWord('*'));
  else if (INSTALLS.test(text)) install(call, rest);
  else if (LOCKED.test(text)) {
    install(call, []);
    if (/test|^c?it$|^sit$/.test(text)) script(call, exactWord('test'), []);
  } else if (REMOVES.test(text)) removesPackages(run, 'npm', rest, parsed.has('-g') ? 'machine' : 'project');
  else if (/^(?:dedupe|ddp)$/.test(text) && parsed.has('--dry-run', '--check')) return;
  else if (UPDATES.test(text) && !(manager === 'bun' && text === 'upgrade'))
    for (const name of rest.length > 0 ? rest : [exactWord('*')]) run.install('npm', name);
  else if (registryCommand(call, text, rest) || localCommand(call, text, rest)) return;
  else if (READS.test(text))
    sayDeed(
      run,
      'read',
      'npm',
      /^(ls|ll|la|list|root|prefix|bin|help|explain|why|query|completion|pm|licenses)$/.test(text)
        ? null
        : REGISTRY[manager],
      first ?? null,
    );
  else if (manager === 'npm') run.unknown(`sub-command ${text} of npm`);
  else if (manager === 'bun' && /[./]/.test(text)) run.script('javascript', verb, { positional: tail });
  // Where it is not known which scripts there are, a well-known tool is meant by its name.
  else if ((call.manifest === null && isKnownTool(text) && !isCheckOrBuild(text)) || !script(call, verb, tail))
    run.carry([verb, ...tail]);
}

/** `npm-run-all a b:*`, `run-s`, `run-p`: scripts of the project, one after the other or at once. Source: npm-run-all 4. */
function runAll(run: Run): void {
  const words = argumentsOf(run.invocation);
  if (isHelpOnly(words)) return;
  const manifest = readManifest(run, run.invocation.cwd, 'package.json');
  for (const { text } of words.filter((word) => !word.text.startsWith('-'))) {
    const [name = ''] = text.split(/\s+/);
    const isFamily = /[*{]/.test(name);
    const prefix = name.replace(/[*{].*$/, '');
    const names = isFamily && manifest ? [...manifest.scripts.keys()].filter((one) => one.startsWith(prefix)) : [name];
    for (const one of names) runScript(run, manifest, one, [], null);
  }
}

/** `corepack enable`, `corepack use pnpm@9`, `corepack pnpm install`. Source: Corepack 0.31. */
function corepack(run: Run): void {
  const words = argumentsOf(run.invocation);
  if (isHelpOnly(words)) return;
  const [verb, ...rest] = words;
  const names = rest.filter(({ text }) => !text.startsWith('-'));
  if (/^(?:enable|disable)$/.test(verb?.text ?? '')) landsOutside(run, 'npm');
  else if (/^(?:use|up|prepare|install|hydrate)$/.test(verb?.text ?? ''))
    for (const name of names.length > 0 ? names : [exactWord('*')]) run.install('npm', name);
  else if (/^(?:npm|npx|pnpm|pnpx|yarn|yarnpkg)(?:@.*)?$/.test(verb?.text ?? ''))
    run.carry([withText(verb as Word, (verb as Word).text.replace(/@.*$/, '')), ...rest]);
  else if (!/^(?:cache|pack)$/.test(verb?.text ?? '')) run.unknown(`sub-command ${verb?.text ?? ''} of corepack`);
}

export const npmPrograms: readonly ProgramEntry[] = [
  ...rows('npm|cnpm|tnpm', manage('npm')),
  ...rows('pnpm|pn', manage('pnpm')),
  ...rows('yarn|yarnpkg', manage('yarn')),
  ...rows('bun', (run) => {
    const words = argumentsOf(run.invocation);
    const code = words[0] && /^(-e|--eval|-p|--print)$/.test(words[0].text) ? words[1] : undefined;
    if (code) run.code('javascript', code);
    else manage('bun')(run);
  }),
  ...rows('npx|pnpx bunx', npx),
  ...rows('npm-run-all|npm-run-all2 run-s run-p', runAll),
  ...rows('corepack', corepack),
];
