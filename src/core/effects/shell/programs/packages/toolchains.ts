import type { Brings, Word } from '../../../effect.js';
import type { ProgramEntry, Run } from '../../run.js';
import { escapeGlob, exactWord, patternWord } from '../../word.js';
import { sayDeed } from '../cloud/service.js';
import { argumentsOf, isHelpOnly, rows, withText } from '../helpers.js';
import { runTomlTask } from './tomlTasks.js';
import { parseOptions, type ParsedOptions } from '../options.js';
import { bringsOf, broughtByComposer, broughtByLines } from './brings.js';
import {
  buildsProject,
  folderOf,
  landsOutside,
  readManifest,
  removesPackages,
  restoresPackages,
  runScript,
} from './scripts.js';
import { tellRecords } from '../data/consoles.js';
import { RAILS_TASKS, tellMigration } from '../data/migrations.js';

/** Source: The Cargo Book, 1.84. */
function cargo(run: Run): void {
  const words = argumentsOf(run.invocation).filter(({ text }) => !/^\+[\w.-]+$/.test(text));
  if (isHelpOnly(words)) return;
  const globals = parseOptions(
    {
      flags: '-v -vv -q --locked --offline --frozen --list',
      values: '--config -C --color -Z --explain',
      stopsAtOperand: true,
    },
    words,
  );
  const [verb, ...rest] = globals.operands;
  if (!verb) return;
  for (const setting of globals.values('--config')) {
    if (/(runner|linker|rustc(-wrapper)?|rustdoc|credential-provider|paths)\s*=/.test(setting.text))
      run.emit('execute', { type: 'process', process: setting.text }, { traits: ['covert'], note: 'cargo runs it' });
  }
  const parsed = parseOptions(
    {
      flags:
        '-r|--release -q -v --all-features --no-default-features --all --workspace --all-targets --lib --bins --tests --no-run --no-fail-fast --dry-run -n --allow-dirty --locked --offline --frozen --force -f --fix --check --open --no-deps --dev --build --optional --undo --git0 --list -y --no-verify --examples --benches --doc --bin0 --broken-code --allow-staged --aggressive',
      values:
        '-p|--package --exclude -F|--features --target --target-dir --manifest-path -j|--jobs --profile --bin --example --test --bench --message-format --version|--vers --git --branch --tag --rev --path --registry --index --token --root --rename -x|--exec -s|--shell -w|--watch -E -o --out-dir --config -Z',
    },
    rest,
  );
  const names = parsed.operands.slice(0, parsed.operandsBeforeDashes);
  switch (verb.text) {
    case 'clean':
      if (!parsed.has('--dry-run'))
        run.delete(parsed.value('--target-dir') ?? exactWord('target'), { traits: ['recursive', 'build-output'] });
      return;
    case 'install':
    case 'add':
    case 'binstall':
      if (verb.text === 'install' && rest.some(({ text }) => text === '--list')) return;
      for (const url of parsed.values('--git')) {
        run.network(url, { method: 'GET', traits: ['download'] });
        run.install('cargo', url, { traits: ['remote-code'], note: 'not from the registry' });
      }
      for (const folder of parsed.values('--path')) run.read(folder, { traits: ['recursive'] });
      if (parsed.has('--dry-run', '-n')) return;
      if (!parsed.has('--git', '--path')) for (const name of names) run.install('cargo', name);
      if (verb.text === 'install') buildsProject(run, 'cargo install');
      if (verb.text !== 'add' && !parsed.has('--root', '--path')) landsOutside(run, 'cargo');
      return;
    case 'remove':
    case 'rm':
    case 'uninstall':
      removesPackages(run, 'cargo', names, verb.text === 'uninstall' ? 'machine' : 'project');
      return;
    case 'update':
    case 'fetch':
    case 'generate-lockfile':
    case 'vendor':
      run.network(exactWord('https://index.crates.io'), {
        method: 'GET',
        traits: ['download', 'own-service'],
        brings: /^(fetch|vendor)$/.test(verb.text) ? broughtByLines(run, 'cargo') : undefined,
      });
      if (verb.text === 'vendor') run.write(names[0] ?? exactWord('vendor'), { traits: ['recursive', 'create'] });
      return;
    case 'publish':
      if (!parsed.has('--dry-run', '-n')) {
        run.read(exactWord('.'), { traits: ['recursive'] });
        sayDeed(run, 'publish', 'crates.io', 'crates.io', names[0] ?? null);
      } else buildsProject(run, 'cargo publish --dry-run');
      return;
    case 'yank':
      sayDeed(run, 'delete', 'crates.io', 'crates.io', names[0] ?? null);
      return;
    case 'owner':
      sayDeed(run, parsed.has('--list') ? 'read' : 'grant', 'crates.io', 'crates.io', names[0] ?? null);
      return;
    case 'login':
    case 'logout':
      sayDeed(run, 'login', 'crates.io', 'crates.io', null);
      return;
    case 'search':
    case 'info':
      sayDeed(run, 'read', 'crates.io', 'crates.io', names[0] ?? null);
      return;
    case 'watch':
      for (const command of parsed.values('-s')) run.code('sh', command);
      for (const command of parsed.values('-x')) run.code('sh', withText(command, `cargo ${command.text}`));
      return;
    case 'init':
    case 'new':
      run.write(names[0] ?? exactWord('.'), { traits: ['create', 'recursive'] });
      return;
    case 'fmt':
    case 'fix':
      run.write(exactWord('.'), { traits: ['edit', 'recursive'] });
      if (verb.text === 'fix') buildsProject(run, 'cargo fix');
      return;
    case 'build':
    case 'b':
    case 'check':
    case 'c':
    case 'test':
    case 't':
    case 'bench':
    case 'run':
    case 'r':
    case 'clippy':
    case 'doc':
    case 'd':
    case 'rustc':
    case 'rustdoc':
    case 'package':
    case 'nextest':
    case 'tarpaulin':
    case 'llvm-cov':
    case 'miri':
    case 'expand':
    case 'make':
    case 'xtask':
    case 'hack':
    case 'udeps':
    case 'machete':
    case 'audit':
    case 'deny':
    case 'outdated':
    case 'bloat':
    case 'criterion':
    case 'fuzz':
    case 'insta':
    case 'llvm-lines':
    case 'msrv':
    case 'semver-checks':
    case 'sort':
    case 'upgrade':
    case 'leptos':
    case 'tauri':
    case 'component':
    case 'zigbuild':
    case 'mutants':
    case 'dist':
    case 'release':
      if (verb.text === 'release' && parsed.has('-x')) sayDeed(run, 'publish', 'crates.io', 'crates.io', null);
      buildsProject(run, `cargo ${verb.text}`);
      return;
    default:
      if (
        !/^(tree|metadata|locate-project|verify-project|version|help|pkgid|read-manifest|report|config|--list|geiger|about|cache|crev|vet|sweep)$/.test(
          verb.text,
        )
      ) {
        run.emit(
          'execute',
          { type: 'process', process: `cargo ${verb.text}` },
          { traits: ['unreviewed'], note: 'an extension of cargo or an alias of the project' },
        );
      }
  }
}

/** Folders that `go env` names, where they lie unless somebody set them; nothing secret is kept in any of them. */
const GO_FOLDERS: ReadonlyMap<string, string> = new Map([
  ['GOPATH', 'go'],
  ['GOMODCACHE', 'go/pkg/mod'],
  ['GOBIN', 'go/bin'],
]);

/** `tidy` looks for what the code imports, which `go.mod` need not name yet. */
function broughtByGo(run: Run, verb: string, named: readonly Word[]): Brings | undefined {
  if (verb === 'tidy') return bringsOf('go', null);
  if (verb === 'download' && named.length > 0)
    return bringsOf(
      'go',
      named.map(({ text }) => text.replace(/@.*$/, '')),
    );
  return verb === 'download' || verb === 'vendor' ? broughtByLines(run, 'go') : undefined;
}

/** Source: go command documentation, 1.23. */
function go(run: Run): void {
  const words = argumentsOf(run.invocation);
  if (isHelpOnly(words)) return;
  const [first, ...tail] = words;
  const isMoved = first?.text === '-C';
  const [verb, ...rest] = isMoved ? tail.slice(1) : words;
  if (!verb) return;
  const parsed = parseOptions(
    {
      style: 'single',
      flags: `${verb.text === 'list' ? '' : '-f '}-v -x -n -a -race -msan -work -trimpath -linkshared -i -json -short -failfast -cover -benchmem -m -u -t -d -e -w -modcacherw -c -list0 -fix -diff -compiled -deps -find -test -versions -retracted -all -cmd -src -modcache -cache -testcache -fuzzcache -r -changed -tool -o0`,
      values: `${verb.text === 'list' ? '-f ' : ''}-C -o -p -run -bench -benchtime -count -cpu -timeout -tags -ldflags -gcflags -asmflags -mod -modfile -overlay -pkgdir -toolexec -exec -vettool -coverprofile -coverpkg -covermode -cpuprofile -memprofile -blockprofile -trace -outputdir -parallel -shuffle -skip -fuzz -fuzztime -list -vet -buildmode -buildvcs -compiler -gccgoflags -installsuffix -pgo -go -toolchain -require -replace -droprequire -dropreplace -exclude -use -compat -x0 -reuse`,
      stopsAtOperand: /^(run|tool|env|test)$/.test(verb.text),
    },
    rest,
  );
  for (const name of ['-toolexec', '-exec', '-vettool']) {
    for (const command of parsed.values(name)) {
      run.emit(
        'execute',
        { type: 'process', process: command.text },
        { traits: ['covert'], note: `go runs it (${name})` },
      );
      run.code('sh', command);
    }
  }
  for (const name of ['-o', '-coverprofile', '-cpuprofile', '-memprofile', '-blockprofile', '-trace'])
    for (const file of parsed.values(name)) run.write(file);
  const [name, ...more] = parsed.operands;
  switch (verb.text) {
    case 'get':
    case 'install':
      for (const one of parsed.operands) {
        if (/^(\.{1,2}(\/|$)|\/)/.test(one.text) || !/[.@]/.test(one.text)) buildsProject(run, `go ${verb.text}`);
        else {
          run.install('go', one);
          if (verb.text === 'install') landsOutside(run, 'go');
        }
      }
      if (parsed.operands.length === 0) buildsProject(run, `go ${verb.text}`);
      return;
    case 'run':
      if (name && /@/.test(name.text)) {
        run.install('go', name, { traits: ['remote-code'], note: 'fetched and run at once' });
      } else for (const file of parsed.operands.filter(({ text }) => /\.go$/.test(text))) run.read(file);
      buildsProject(run, 'go run');
      return;
    case 'generate':
      buildsProject(run, 'go generate');
      return;
    case 'build':
    case 'test':
    case 'vet':
    case 'tool':
    case 'list':
    case 'fix':
      if (verb.text === 'list') tellModuleFolder(run, parsed);
      else buildsProject(run, `go ${verb.text}`);
      if (verb.text === 'fix') run.write(exactWord('.'), { traits: ['edit', 'recursive'] });
      return;
    case 'fmt':
      run.write(exactWord('.'), { traits: ['edit', 'recursive'] });
      return;
    case 'mod':
    case 'work':
      if (/^(tidy|download|get|vendor|why|graph|verify|sync)$/.test(name?.text ?? ''))
        run.network(exactWord('https://proxy.golang.org'), {
          method: 'GET',
          traits: ['download', 'own-service'],
          brings: broughtByGo(run, name?.text ?? '', more),
        });
      if (/^(tidy|init|edit|vendor|use|sync)$/.test(name?.text ?? ''))
        run.write(exactWord(name?.text === 'vendor' ? 'vendor' : verb.text === 'mod' ? 'go.mod' : 'go.work'), {
          traits: ['edit'],
        });
      if (name?.text === 'edit') for (const word of parsed.values('-replace')) replacesModule(run, word);
      return;
    case 'clean':
      if (parsed.has('-modcache', '-cache', '-testcache', '-fuzzcache'))
        run.emit(
          'delete',
          { type: 'package', ecosystem: 'go', name: 'cache', version: null },
          { traits: ['build-output'], reversible: 'checkpoint' },
        );
      return;
    case 'env':
      if (parsed.has('-w', '-u'))
        run.emit(
          'persist',
          { type: 'environment', name: `go ${[name, ...more].map((word) => word?.text ?? '').join(' ')}`.trim() },
          { reversible: 'checkpoint', note: 'a setting for all later builds' },
        );
      else if (more.length === 0 && GO_FOLDERS.has(name?.text ?? ''))
        run.outputs(exactWord(`${run.facts.home}/${GO_FOLDERS.get(name?.text ?? '') ?? 'go'}`));
      return;
    default:
      if (!/^(version|doc|help|bug|telemetry)$/.test(verb.text)) run.unknown(`sub-command ${verb.text} of go`);
  }
}

/** `go mod edit -replace old=new`: a folder of this machine, or a module that is fetched in the other one's place. */
function replacesModule(run: Run, { text, ...word }: Word): void {
  const to = text.slice(text.indexOf('=') + 1);
  if (!/^(?:\.{1,2}(?:\/|$)|\/|[a-z]:[\\/])/i.test(to))
    run.install('go', { ...word, text: to }, { note: 'in place of another module' });
}

/** `go list -m -f '{{.Dir}}' module`: where it lies among the modules that were fetched, of whichever version. */
function tellModuleFolder(run: Run, parsed: ParsedOptions): void {
  const [module, ...more] = parsed.operands;
  const asks = parsed.has('-m') && parsed.value('-f')?.text.trim() === '{{.Dir}}';
  if (asks && module && more.length === 0 && module.certainty === 'exact' && module.text !== 'all')
    run.outputs(patternWord(`${escapeGlob(`${run.facts.home}/go/pkg/mod/${module.text.replace(/@.*$/, '')}`)}@*`));
}

/** `gem`, and what Bundler does with a Gemfile. Sources: RubyGems 3.5 and Bundler 2.5 references. */
function gem(run: Run): void {
  const words = argumentsOf(run.invocation);
  if (isHelpOnly(words)) return;
  const [verb, ...rest] = words;
  const parsed = parseOptions(
    {
      flags: '-N --no-document -f --force -a --all -x -I -l -r -d --user-install --pre --conservative -V -q -u',
      values: '-v|--version -s|--source -i|--install-dir -n|--bindir -P -p --platform -k|--key --host -g --file -o',
    },
    rest,
  );
  for (const source of parsed.values('-s', '--host'))
    run.network(source, { method: 'GET', traits: ['download'], note: 'packages come from there' });
  switch (verb?.text) {
    case 'install':
    case 'i':
    case 'update':
    case 'fetch':
      for (const name of parsed.operands.length > 0 ? parsed.operands : [exactWord('*')]) run.install('gem', name);
      return;
    case 'uninstall':
    case 'cleanup':
      removesPackages(run, 'gem', parsed.operands.length > 0 ? parsed.operands : [exactWord('*')], 'machine');
      return;
    case 'push':
      for (const file of parsed.operands) run.read(file);
      sayDeed(run, 'publish', 'rubygems', 'rubygems.org', parsed.operands[0] ?? null);
      return;
    case 'yank':
      sayDeed(run, 'delete', 'rubygems', 'rubygems.org', parsed.operands[0] ?? null);
      return;
    case 'owner':
    case 'signin':
    case 'signout':
      sayDeed(run, verb.text === 'owner' ? 'grant' : 'login', 'rubygems', 'rubygems.org', null);
      return;
    case 'build':
    case 'exec':
      if (verb.text === 'exec' && parsed.operands[0])
        run.install('gem', parsed.operands[0], { traits: ['remote-code'] });
      else buildsProject(run, 'gem build');
      return;
    case 'sources':
      if (/^(-a|--add|-r|--remove|-c)$/.test(rest[0]?.text ?? ''))
        run.emit(
          'persist',
          { type: 'environment', name: 'gem sources' },
          { note: 'packages come from there from now on' },
        );
      return;
    default:
      if (
        !/^(list|search|info|env|environment|outdated|specification|which|dependency|contents|check|help|open|pristine|rdoc|server|stale|unpack|cert|lock|query|--version|)$/.test(
          verb?.text ?? '',
        )
      )
        run.unknown(`sub-command ${verb?.text ?? ''} of gem`);
  }
}

function bundle(run: Run): void {
  const words = argumentsOf(run.invocation);
  if (isHelpOnly(words)) return;
  const [verb, ...rest] = words;
  const parsed = parseOptions(
    {
      flags:
        '--quiet --no-deployment --force --all --skip-install --optimistic --strict --local --full-index --redownload',
      values: '--path --gemfile -j --jobs --retry -g --group --source -v --version --git --branch --with --without',
    },
    rest,
  );
  switch (verb?.text) {
    case undefined:
    case 'install':
    case 'package':
    case 'cache':
      restoresPackages(run, 'rubygems.org', '', 'bundle install', broughtByLines(run, 'gem'));
      return;
    case 'exec':
      run.carry(
        parseOptions({ flags: '--keep-file-descriptors', values: '--gemfile', stopsAtOperand: true }, rest).operands,
      );
      return;
    case 'add':
    case 'update':
      for (const name of parsed.operands.length > 0 ? parsed.operands : [exactWord('*')]) run.install('gem', name);
      return;
    case 'remove':
    case 'clean':
      removesPackages(run, 'gem', parsed.operands, 'project');
      return;
    case 'config':
      if (parsed.operands.length > 1)
        run.emit('persist', { type: 'environment', name: 'bundle settings' }, { reversible: 'checkpoint' });
      return;
    case 'console':
    case 'gem':
    case 'init':
    case 'binstubs':
      buildsProject(run, `bundle ${verb?.text ?? ''}`);
      return;
    default:
      if (
        !/^(show|info|list|outdated|check|lock|open|doctor|viz|env|help|platform|version|pristine|plugin|licenses|fund|audit)$/.test(
          verb?.text ?? '',
        )
      )
        run.carry(words);
  }
}

/** `rails`, `rake`, `mix`: tasks of a framework; some of them empty its database. */
function frameworkTasks(run: Run): void {
  const words = argumentsOf(run.invocation);
  if (isHelpOnly(words)) return;
  const { program } = run.invocation;
  const [verb, ...rest] = words;
  tellMigration(
    run,
    RAILS_TASKS,
    words.map(({ text }) => text),
  );
  if (/^(runner|r)$/.test(verb?.text ?? '') && rest[0]) {
    const code = rest.filter(({ text }) => !text.startsWith('-'))[0];
    if (code && /\.rb$/.test(code.text)) run.script('ruby', code);
    else if (code) {
      run.code('ruby', code);
      tellRecords(run, code);
    }
  } else if (program === 'rails' && /^(?:console|c)$/.test(verb?.text ?? '')) run.standardInput('ruby', []);
  else if (program === 'rails' && /^(?:dbconsole|db)$/.test(verb?.text ?? '')) run.standardInput('sql', []);
  else if (program === 'mix' && /^(?:run|eval)$/.test(verb?.text ?? '')) runsElixir(run, verb?.text ?? '', rest);
  else if (
    program === 'mix' &&
    /^(deps\.get|deps\.update|archive\.install|escript\.install|local\.\w+)$/.test(verb?.text ?? '')
  ) {
    if (/install$/.test(verb?.text ?? '')) for (const name of rest) run.install('hex', name);
    else restoresPackages(run, 'hex.pm', 'deps', `mix ${verb?.text ?? ''}`, bringsOf('hex', null));
  } else if (/^hex\.(publish|retire)$/.test(verb?.text ?? '')) sayDeed(run, 'publish', 'hex', 'hex.pm', null);
  else if (verb?.text === 'credentials:show' || verb?.text === 'credentials:edit')
    run.emit('read', { type: 'environment', name: 'rails credentials' }, { traits: ['secret'] });
  else if (program === 'rake' && verb?.text === 'release') sayDeed(run, 'publish', 'rubygems', 'rubygems.org', null);
  buildsProject(run, `${program} ${verb?.text ?? ''}`.trim());
}

/** `mix run -e code`, `mix run file`, `mix eval code`. Source: Mix 1.17. */
function runsElixir(run: Run, verb: string, rest: readonly Word[]): void {
  const parsed = parseOptions(
    {
      flags: '--no-compile --no-start --no-halt --no-deps-check --no-archives-check --preload-modules --no-mix-exs',
      values: '-e|--eval -r|--require -p|--parallel',
      stopsAtOperand: true,
    },
    rest,
  );
  const [operand] = parsed.operands;
  for (const code of parsed.values('-e')) run.code('elixir', code);
  if (operand && verb === 'eval') run.code('elixir', operand);
  else if (operand) run.script('elixir', operand);
}

/** Source: Composer 2.8 reference. */
function composer(run: Run): void {
  const words = argumentsOf(run.invocation);
  if (isHelpOnly(words)) return;
  const parsed = parseOptions(
    {
      flags:
        '-n --no-interaction -q -v -vv -vvv --dev --no-dev -o --optimize-autoloader -W --with-all-dependencies --dry-run --no-scripts --no-plugins --ignore-platform-reqs -a --prefer-dist --prefer-source --no-update --no-progress',
      values: '-d|--working-dir --repository --stability -s',
      stopsAtOperand: false,
    },
    words,
  );
  const [verb, ...names] = parsed.operands;
  if (!verb) return;
  const cwd = folderOf(run, parsed.value('-d'));
  const manifest = readManifest(run, cwd, 'composer.json');
  switch (verb.text) {
    case 'require':
    case 'global':
    case 'create-project':
    case 'update':
    case 'upgrade':
    case 'u':
      if (parsed.has('--dry-run')) return;
      if (/^(update|upgrade|u)$/.test(verb.text) && names.length === 0)
        restoresPackages(run, 'packagist.org', 'vendor', `composer ${verb.text}`, broughtByComposer(manifest));
      for (const name of verb.text === 'global'
        ? names.slice(1)
        : verb.text === 'create-project'
          ? names.slice(0, 1)
          : names)
        run.install('composer', withText(name, name.text.replace(':', '@')));
      if (verb.text === 'create-project' && names[1]) run.write(names[1], { traits: ['create', 'recursive'] });
      return;
    case 'remove':
    case 'uninstall':
      removesPackages(run, 'composer', names, parsed.operands[0]?.text === 'global' ? 'machine' : 'project');
      return;
    case 'install':
    case 'i':
    case 'reinstall':
      restoresPackages(run, 'packagist.org', 'vendor', 'composer install', broughtByComposer(manifest));
      return;
    case 'exec':
      run.carry(names);
      return;
    case 'run-script':
    case 'run':
      if (names[0] && !runScript(run, manifest, names[0].text, names.slice(1), parsed.value('-d'), false))
        run.unknown(`script ${names[0].text} of composer`);
      return;
    case 'config':
      if (names.length > 1 && words.some(({ text }) => /^(?:-g|--global|-a|--auth)$/.test(text)))
        run.emit(
          'persist',
          { type: 'environment', name: 'composer settings' },
          {
            traits: /oauth|token|basic|bearer|password/i.test(names[0]?.text ?? '') ? ['secret'] : [],
            reversible: 'checkpoint',
          },
        );
      else if (names.length > 1) run.write(exactWord('composer.json'), { traits: ['edit'] });
      return;
    case 'self-update':
      run.install('composer', exactWord('composer'));
      return;
    default:
      if (
        /^(show|info|outdated|licenses|validate|search|depends|why|prohibits|why-not|browse|home|diagnose|fund|status|suggests|about|list|help|check-platform-reqs|audit|dump-autoload|dumpautoload|init|archive|clear-cache|clearcache|cc|bump)$/.test(
          verb.text,
        )
      )
        return;
      if (!runScript(run, manifest, verb.text, names, parsed.value('-d'), false))
        run.unknown(`sub-command ${verb.text} of composer`);
  }
}

/** Goals and tasks of Maven, Gradle and kin: builds, but for those that send what was built. */
function javaBuild(run: Run): void {
  const words = argumentsOf(run.invocation);
  if (isHelpOnly(words)) return;
  const parsed = parseOptions(
    {
      style: 'single',
      flags:
        '-B -q -X -e -o -U -N -am -amd -ntp -fae -fn -T0 -i -s -S -m -dry-run -offline -info -stacktrace -scan -daemon -no-daemon -parallel -continue -build-cache -rerun-tasks -refresh-dependencies -console0 -w -a',
      values:
        '-f|-file -P -pl -rf -T -s0 -gs -D -p|-project-dir -b|-build-file -c -I|-init-script -g -x|-exclude-task -tests -console -max-workers -settings-file -warning-mode -include-build -l',
    },
    words.filter(({ text }) => !/^-[DP]\w/.test(text)),
  );
  // Where the build tool itself comes from at each later build.
  for (const word of words.filter(({ text }) => /^--gradle-distribution-url(?:=|$)|^-DdistributionUrl=/.test(text)))
    run.emit(
      'persist',
      { type: 'environment', name: `distribution of ${run.invocation.program}` },
      { reversible: 'checkpoint', note: `${word.text.slice(0, 80)}: later builds run it` },
    );
  for (const script of parsed.values('-I'))
    run.emit(
      'execute',
      { type: 'process', process: script.text },
      { traits: ['covert', 'unreviewed'], note: 'a script that comes before the build' },
    );
  const goals = parsed.operands.map(({ text }) =>
    text.replace(/^.*:(?=\w+$)/, (all) => (/release|deploy|nexus|versions/.test(all) ? all : '')),
  );
  const isTrial = parsed.has('-m', '-dry-run');
  for (const goal of parsed.operands.filter(({ text }) => /(?:^|:)dependency:(?:[\d.]+:)?get$/.test(text))) {
    const artifact = words.find(({ text }) => text.startsWith('-Dartifact='));
    run.install('maven', artifact ? withText(artifact, artifact.text.slice('-Dartifact='.length)) : goal);
  }
  if (
    goals.some((goal) =>
      /^\+?(deploy|site-deploy|publish|publish\w*|uploadArchives|release|release:\w+|deploy:\w+|nexus-staging:\w+|closeAndRelease\w*|jib|dockerPush\w*|bootBuildImagePush|upload\w*|\w+Upload)$/.test(
        goal,
      ),
    ) &&
    !isTrial &&
    !goals.some((goal) => /^publishToMavenLocal$/.test(goal))
  ) {
    sayDeed(run, 'publish', 'maven', 'repo.maven.apache.org', exactWord(goals.join(' ')));
  }
  if (
    goals.some((goal) => /^flyway(:c|C)lean$|^liquibase:dropAll$/.test(goal)) ||
    parsed.operands.some(({ text }) => /flyway:clean|liquibase:dropAll/.test(text))
  )
    run.emit('delete', { type: 'table', database: '*', table: '*' }, { traits: ['mass'], reversible: 'no' });
  if (goals.includes('clean') && !isTrial)
    run.delete(exactWord(run.invocation.program === 'mvn' ? 'target' : 'build'), {
      traits: ['recursive', 'build-output'],
    });
  buildsProject(run, `${run.invocation.program} ${goals.join(' ')}`.trim());
}

/** Where packages come from, and in whose name they are sent: settings of the person. */
const NUGET_SOURCES =
  /^(?:nuget )?(?:sources? (?:add|remove|update|enable|disable)|(?:add|update|remove|enable|disable) source|setapikey|config set|trusted-signers (?:add|remove))\b/;

/** Source: dotnet CLI reference 9, NuGet CLI. */
function dotnet(run: Run): void {
  const words = argumentsOf(run.invocation);
  if (isHelpOnly(words) || /^(--info|--list-sdks|--list-runtimes)$/.test(words[0]?.text ?? '')) return;
  const parsed = parseOptions(
    {
      flags:
        '-g --global --force -f0 --no-build --no-restore -n0 --prerelease --self-contained --interactive --local -y --yes --watch',
      values:
        '-c|--configuration -o|--output -f|--framework -r|--runtime -v|--verbosity -s|--source -k|--api-key -p|--project --version --filter --logger -t --name -n --context --tool-path --startup-project -l',
    },
    words,
  );
  const [verb, second, ...rest] = parsed.operands;
  const key = `${verb?.text ?? ''} ${second?.text ?? ''}`;
  if (/^nuget push|^push /.test(key)) {
    const file = verb?.text === 'nuget' ? rest[0] : second;
    if (file) run.read(file);
    sayDeed(run, 'publish', 'nuget', 'nuget.org', file ?? null);
  } else if (/^nuget delete|^delete /.test(key)) sayDeed(run, 'delete', 'nuget', 'nuget.org', rest[0] ?? null);
  else if (/^ef database$/.test(key))
    run.emit(
      rest[0]?.text === 'drop' ? 'delete' : 'write',
      { type: 'table', database: '*', table: '*' },
      { traits: ['mass'], reversible: 'no' },
    );
  else if (
    /^(add|package) |^tool (install|update)|^workload (install|update)|^new install|^install /.test(key) &&
    rest[0]?.text !== 'reference' &&
    second?.text !== 'reference'
  ) {
    const names =
      verb?.text === 'add'
        ? rest.filter(({ text }) => text !== 'package')
        : /^install/.test(key) && second
          ? [second]
          : rest;
    for (const name of names) run.install('nuget', name);
    if (/^tool install/.test(key) && rest.some(({ text }) => /^(-g|--global)$/.test(text))) landsOutside(run, 'nuget');
  } else if (/^(remove|tool uninstall|workload uninstall)/.test(key))
    removesPackages(run, 'nuget', rest, verb?.text === 'remove' ? 'project' : 'machine');
  else if (/^user-secrets (list)/.test(key))
    run.emit('read', { type: 'environment', name: 'user secrets' }, { traits: ['secret'] });
  else if (/^user-secrets (set|remove|clear)/.test(key))
    run.emit(
      second?.text === 'set' ? 'write' : 'delete',
      { type: 'environment', name: 'user secrets' },
      { traits: ['secret'] },
    );
  else if (NUGET_SOURCES.test(parsed.operands.map(({ text }) => text.toLowerCase()).join(' ')))
    run.emit(
      'persist',
      { type: 'environment', name: 'nuget sources' },
      { note: 'packages come from there from now on', reversible: 'checkpoint' },
    );
  else if (verb?.text === 'add') run.write(second ?? exactWord('.'), { traits: ['edit'] });
  else if (
    /^(build|test|run|publish|pack|watch|msbuild|restore|clean|format|vstest|fsi|script|exec|ef|tool|sln|new|store|dev-certs|build-server|workload|nuget|sources|locals|spec|update|list)$/.test(
      verb?.text ?? '',
    )
  ) {
    if (verb?.text === 'restore')
      run.network(exactWord('https://api.nuget.org'), { method: 'GET', traits: ['download', 'own-service'] });
    for (const folder of parsed.values('-o')) run.write(folder, { traits: ['recursive'] });
    if (!/^(list|locals)$/.test(verb?.text ?? '')) buildsProject(run, `dotnet ${verb?.text ?? ''}`);
  } else if (verb && /\.dll$/.test(verb.text))
    run.emit('execute', { type: 'process', process: verb.text }, { traits: ['unreviewed'] });
  else if (verb) run.unknown(`sub-command ${verb.text} of ${run.invocation.program}`);
}

/** Source: Deno 2 reference. A script of the net runs at once; permissions say what it may do. */
function deno(run: Run): void {
  const words = argumentsOf(run.invocation);
  if (isHelpOnly(words)) return;
  const parsed = parseOptions(
    {
      flags:
        '-A --allow-all -q --no-check --unstable --watch --check -r --reload --no-prompt --frozen -f -g --global -h --cached-only --no-lock --dev -D',
      values:
        '-c|--config --import-map -L --lock --location --seed --v8-flags -o|--output --target -n|--name --root --port --host --env-file --filter --cert',
      optional:
        '--allow-read --allow-write --allow-net --allow-env --allow-run --allow-ffi --allow-sys --allow-import --deny-read --deny-write --deny-net --inspect -R -W -N -E',
      stopsAtOperand: true,
    },
    words,
  );
  const [verb, ...rest] = parsed.operands;
  if (!verb) return;
  const inner = parseOptions(
    {
      flags: '-A -q -r -f -g -D --dev --check --fix --watch --permit-no-files --fail-fast --coverage0 --clean',
      values: '-c --config -o --output --root -n --name --filter --cwd --env-file --import-map',
      optional: '--allow-read --allow-write --allow-net --allow-env --allow-run --coverage -R -W -N -E',
      stopsAtOperand: /^(run|task|eval|serve|x)$/.test(verb.text),
    },
    rest,
  );
  const names = inner.operands;
  const [first, ...more] = names;
  const runFile = (file: Word): void => {
    if (/^(https?|npm|jsr):/.test(file.text)) {
      if (file.text.startsWith('http')) run.network(file, { method: 'GET', traits: ['download'] });
      else run.install('deno', file, { traits: ['remote-code'] });
      run.emit('execute', { type: 'process', process: file.text }, { traits: ['remote-code', 'unreviewed'] });
    } else run.script('javascript', file, { positional: more });
  };
  switch (verb.text) {
    case 'run':
    case 'serve':
      if (first) runFile(first);
      return;
    case 'eval':
      if (first) run.code('javascript', first);
      return;
    case 'task': {
      const folder = folderOf(run, inner.value('--cwd'));
      const manifest =
        readManifest(run, folder, 'deno.json') ??
        readManifest(run, folder, 'deno.jsonc') ??
        readManifest(run, folder, 'package.json');
      if (first && !runScript(run, manifest, first.text, more, inner.value('--cwd'), false))
        run.unknown(`task ${first.text} of deno`);
      return;
    }
    case 'install':
    case 'i':
    case 'add':
    case 'update':
      for (const name of names) run.install('deno', name);
      if (names.length === 0) restoresPackages(run, 'jsr.io', '', 'deno install', bringsOf('deno', null));
      return;
    case 'remove':
    case 'uninstall':
      removesPackages(run, 'deno', names, verb.text === 'remove' ? 'project' : 'machine');
      return;
    case 'publish':
      if (words.some(({ text }) => text === '--dry-run')) buildsProject(run, 'deno check');
      else sayDeed(run, 'publish', 'jsr', 'jsr.io', null);
      return;
    case 'upgrade':
      run.install('deno', exactWord('deno'));
      return;
    case 'fmt':
    case 'lint':
      if (verb.text === 'fmt' ? !inner.has('--check') : inner.has('--fix'))
        run.write(first ?? exactWord('.'), { traits: ['edit', 'recursive'] });
      return;
    case 'test':
    case 'bench':
    case 'check':
    case 'compile':
    case 'bundle':
    case 'cache':
    case 'doc':
    case 'vendor':
    case 'coverage':
    case 'jupyter':
    case 'repl':
      if (inner.value('-o')) run.write(inner.value('-o') as Word);
      buildsProject(run, `deno ${verb.text}`);
      return;
    default:
      if (/[./:]/.test(verb.text)) runFile(verb);
      else if (!/^(info|types|help|completions|init|outdated|lsp|deploy|clean)$/.test(verb.text))
        run.unknown(`sub-command ${verb.text} of deno`);
      else if (verb.text === 'deploy') sayDeed(run, 'publish', 'deno', 'deno.com', null);
  }
}

const TASKS_OF_MISE = /(?:^|\/)(?:mise|rtx)$/;

const MISE_FILES = ['mise.toml', '.mise.toml', 'mise.local.toml', '.mise/config.toml', '.config/mise.toml'];

/** `mise run X ::: Y`: tasks that `mise.toml` holds. */
function runMiseTask(run: Run, operands: readonly Word[]): void {
  const names = operands.filter(({ text }) => !/^(?:run|:::|ls|--)$/.test(text));
  const [name] = names;
  if (!name || /^(?:add|edit|deps|info)$/.test(name.text)) return;
  if (!runTomlTask(run, MISE_FILES, /^tasks$/, name.text)) buildsProject(run, `run ${name.text}`);
}

/** The command of `exec`: behind `--` where there is one, else behind versions and options. */
function behindVersions(words: readonly Word[]): readonly Word[] {
  const dashes = words.findIndex(({ text }) => text === '--');
  if (dashes >= 0) return words.slice(dashes + 1);
  const isBefore = ({ text }: Word): boolean =>
    /^-|^[\d.]+$|^(?:stable|nightly|beta|lts)|^[\w:/.-]+@[\w.-]+$/.test(text);
  const at = words.findIndex((word) => !isBefore(word));
  return at < 0 ? [] : words.slice(at);
}

/** `rustup`, `nvm`, `pyenv` and kin: versions of a language for the whole account. */
const versionManager =
  (ecosystem: string) =>
  (run: Run): void => {
    const words = argumentsOf(run.invocation);
    if (isHelpOnly(words)) return;
    const operands = words.filter(({ text }) => !text.startsWith('-'));
    const [verb, ...rest] = operands;
    const at = operands.findIndex(({ text }) => /^(install|add|update|upgrade|i|self-update)$/.test(text));
    if (verb && /^(exec|x|run|which-run|r|tasks|task)$/.test(verb.text)) {
      if (
        run.invocation.program !== 'asdf' &&
        /^(run|r|tasks?)$/.test(verb.text) &&
        TASKS_OF_MISE.test(run.invocation.argv[0]?.text ?? '')
      )
        runMiseTask(run, rest);
      else run.carry(behindVersions(words.slice(words.indexOf(verb) + 1)));
    } else if (operands.some(({ text }) => /^(uninstall|remove|rm|implode|prune)$/.test(text)))
      removesPackages(run, ecosystem, operands.slice(-1), 'machine');
    else if (at >= 0)
      for (const name of operands.slice(at + 1).length > 0 ? operands.slice(at + 1) : [exactWord('*')])
        run.install(ecosystem, name);
    else if (verb?.text === 'use' && TASKS_OF_MISE.test(run.invocation.argv[0]?.text ?? ''))
      for (const name of rest) run.install(ecosystem, name);
    else if (verb?.text === 'trust' && !words.some(({ text }) => /^--(?:show|untrust)$/.test(text)))
      run.emit(
        'persist',
        { type: 'environment', name: `${run.invocation.program} trust` },
        {
          traits: ['grants-access'],
          reversible: 'checkpoint',
          note: 'settings of the folder run commands from now on',
        },
      );
    else if (verb && /^(default|global|alias|set|local|use|pin|override|shell|activate|link)$/.test(verb.text))
      run.emit('write', { type: 'environment', name: `${ecosystem} version` }, { reversible: 'checkpoint' });
  };

export const toolchainPrograms: readonly ProgramEntry[] = [
  ...rows('cargo', cargo),
  ...rows('go', go),
  ...rows('gem', gem),
  ...rows('bundle|bundler', bundle),
  ...rows('rails rake mix spring', frameworkTasks),
  ...rows('composer', composer),
  ...rows('mvn|mvnw gradle|gradlew sbt ant', javaBuild),
  ...rows('dotnet nuget', dotnet),
  ...rows('deno', deno),
  ...rows('rustup', versionManager('rust')),
  ...rows('nvm fnm volta n nodenv', versionManager('node')),
  ...rows('pyenv', versionManager('python')),
  ...rows('rbenv rvm chruby', versionManager('ruby')),
  ...rows('sdk jenv jabba', versionManager('java')),
  ...rows('asdf mise rtx proto goenv gvm tfenv tofuenv kerl ghcup opam juliaup phpenv plenv', versionManager('tool')),
];
