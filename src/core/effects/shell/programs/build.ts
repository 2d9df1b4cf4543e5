import type { Word } from '../../effect.js';
import type { ProgramEntry, Run } from '../run.js';
import { sayDeed } from './cloud/service.js';
import { argumentsOf, HERE, isHelpOnly, joined, rows } from './helpers.js';

/**
 * Tools that build, test, check and format. `reads`: looks at sources and prints. `writes`: changes sources or makes output from
 * them by its own rules. `runs`: runs code or settings of the project, which nobody has read in this action.
 */
const TOOLS: Readonly<Record<'reads' | 'writes' | 'runs', string>> = {
  reads:
    'flake8 pylint pycodestyle pyflakes pydocstyle bandit vulture radon mypy pyright basedpyright pytype pyre golangci-lint staticcheck gosec revive ineffassign errcheck shellcheck hadolint yamllint jsonlint markdownlint markdownlint-cli2 mdl vale proselint cspell htmlhint actionlint zizmor luacheck selene ktlint detekt swiftlint checkstyle pmd spotbugs cppcheck clang-tidy cpplint include-what-you-use reek brakeman sorbet srb psalm phpstan phan phpcs phpmd credo dialyzer hlint depcheck knip madge dependency-cruiser depcruise publint attw are-the-types-wrong bundlesize size-limit spectral redocly swagger-cli buf-lint protolint commitlint lychee linkinator htmltest ctags etags cscope gitlint dwarfdump',
  writes:
    'tsc tsgo swc esbuild rollup rolldown terser uglifyjs sass node-sass lessc postcss tailwindcss tailwind babel prettier biome dprint oxlint rome stylelint black isort autopep8 yapf autoflake pyupgrade ruff docformatter gofmt goimports gofumpt golines gci rustfmt clang-format astyle uncrustify ktfmt google-java-format swiftformat swift-format rubocop standardrb php-cs-fixer phpcbf pint shfmt terraform-fmt taplo sqlfluff sqlfmt buf protoc protoc-gen-go grpc_tools flatc thrift capnp bison flex yacc antlr4 gcc g++ cc c++ clang clang++ ld ld.lld lld gold ranlib as nasm yasm rustc ghc ocamlc ocamlopt javac kotlinc scalac groovyc csc mcs fsc dmd ldc2 gdc zig nim crystal v odin hare ccache sccache distcc windres rc dlltool install_name_tool pandoc asciidoctor asciidoc bibtex biber texindent rst2html sphinx-build mkdocs mdbook typedoc jsdoc javadoc doxygen godoc rustdoc hugo jekyll eleventy zola hexo docusaurus vitepress vuepress svgo imagemin optipng pngcrush jpegoptim cwebp dot plantuml mermaid mmdc gperf re2c swig gettext xgettext msgfmt msgmerge lrelease lupdate uic moc rcc wasm-pack wasm-bindgen wasm-opt wat2wasm wasm2wat emcc em++ patchelf dpkg-deb rpmbuild makeself nfpm fpm cxfreeze pyinstaller nuitka cython cythonize maturin msgcat pkg-config autoconf autoheader automake aclocal libtool libtoolize autoreconf genhtml lcov gcov llvm-cov llvm-profdata gcovr c8 nyc-report istanbul wire mockgen sqlc gqlgen stringer oapi-codegen quicktype openapi-generator openapi-generator-cli graphql-codegen json2ts orval changelog git-cliff conventional-changelog license-checker pip-licenses cargo-about',
  runs: 'eslint jest vitest mocha ava tap tape jasmine karma vscode-test cypress playwright nightwatch wdio testcafe storybook start-storybook build-storybook chromatic-local webpack webpack-cli webpack-dev-server vite parcel snowpack rspack rsbuild tsup tsdown unbuild microbundle ncc nexe next nuxt nuxi remix gatsby astro svelte-kit svelte-check vue-cli-service vue-tsc ng angular react-scripts craco umi max qwik solid-start vinxi nitro nodemon turbo nx lerna rush lage wireit moon bit grunt gulp brunch broccoli ember electron electron-builder electron-forge tauri cap capacitor ionic cordova react-native metro detox nyc pytest py.test tox nox hatch-test unittest nose2 behave robot locust coverage pre-commit invoke inv fab doit waf scons meson ninja samu cmake ctest cpack bazel bazelisk buck buck2 pants please plz gn xmake premake premake5 qmake b2 bjam tup redo xcodebuild xcrun msbuild swift swiftc xctest fastlane rspec minitest cucumber guard phpunit pest behat codecept phpspec paratest infection dusk lit catch2 gtest bats shellspec shunit2 roundup vows qunit intern hardhat truffle foundry forge anvil brownie slither anchor solc vyper lein boot mill bleep scala-cli ammonite amm dune cabal stack ghcid hpack shake elm elm-test spago purs rescript bsc gleam rebar3 erlc elixirc prove dzil minil raku busted luaunit zef octave matlab processing arduino-cli platformio pio idf.py west esptool lefthook husky lint-staged simple-git-hooks overcommit syncpack manypkg preconstruct tsd type-coverage api-extractor hereby k6 artillery autocannon wrk ab hey vegeta siege bombardier lighthouse lhci pa11y axe percy backstop loki reg-suit stryker mutmut cosmic-ray hypothesis asv benchmark valgrind massif-visualizer heaptrack samply flamegraph py-spy austin scalene memray pyroscope clinic nsys ncu',
};

/** Those that install hooks, load other machines, put something on a device or work on the system. */
const DOES_MORE =
  /^(?:pre-commit|lefthook|husky|simple-git-hooks|overcommit|fastlane|esptool|arduino-cli|platformio|pio|west|artillery|autocannon|wrk|ab|hey|vegeta|siege|bombardier|k6|locust|perf|austin|nsys|ncu|electron-forge|hardhat|truffle|foundry|forge|anvil|brownie|anchor|invoke|inv|fab|doit|R|raku|octave|matlab|processing)$/;

const listOf = (kind: keyof typeof TOOLS): readonly string[] => TOOLS[kind].split(' ');

/** Names of all tools here, for those who ask whether a name is a well-known tool. */
export const BUILD_TOOLS: ReadonlySet<string> = new Set([...listOf('reads'), ...listOf('writes'), ...listOf('runs')]);

/** Options whose value is a file or folder that is written, over all of them: `-o`, `--outFile`, `--go_out`, `--log-file`… */
const OUTPUT =
  /^--?(?!-?no[-_])(?:[\w-]*[-_])?(?:(?:o|out|output|dest|destination|report)(?:[-_]?(?:file|dir|directory|path|folder))?|(?:log|cache|basetemp|build|coverage|declaration|report|build-?info|tsbuildinfo)[-_]?(?:file|dir|directory|path|location)|junit-?xml|html|basetemp|generateTrace)$/i;
/** Options whose value runs: another command through a tool's side door. */
const SIDE_DOOR =
  /^(--exec|--cmd|--command|--hook|--pre|--post|--wrapper|--launcher|--cc|--plugin-command|--ssh-command|--use-ld=.*|-wrapper|-fplugin=.*|--run-under|--on-success|--onSuccess|--onFailure|--onFirstSuccess|--test-program|--compiler-command|--java)$/;

/** Those of them by which a builder goes on with a command: everybody who reads the line sees what it is. */
const MADE_FOR_COMMANDS = /^--(?:on-success|onSuccess|onFailure|onFirstSuccess)$/;

function outputs(run: Run, words: readonly Word[]): void {
  for (const [index, word] of words.entries()) {
    const [, name = '', attached] = /^(--?[\w-]+)(?:=(.*))?$/s.exec(word.text) ?? [];
    if (!OUTPUT.test(name)) continue;
    // Before its folder, `--go_out` takes options of the plug-in.
    const own = attached?.replace(/^[\w,=./-]*=[\w,=./-]*:(?!\\)/, '');
    const value = own === undefined ? words[index + 1] : { ...word, text: own, raw: own };
    if (value && value.text !== '-' && value.text !== '' && !value.text.startsWith('-'))
      run.write(value, { traits: ['recursive'] });
  }
}

function sideDoors(run: Run, words: readonly Word[]): void {
  for (const [index, word] of words.entries()) {
    const [, name = '', attached] = /^(--?[\w-]+)(?:=(.*))?$/s.exec(word.text) ?? [];
    if (!SIDE_DOOR.test(name) && !SIDE_DOOR.test(word.text)) continue;
    const value = attached === undefined ? words[index + 1] : { ...word, text: attached, raw: attached };
    if (!value) continue;
    // What nodemon is made for is no side door.
    if (!MADE_FOR_COMMANDS.test(name) && run.invocation.program !== 'nodemon')
      run.emit(
        'execute',
        { type: 'process', process: value.text },
        { traits: ['covert', 'unreviewed'], certainty: value.certainty },
      );
    run.code('sh', value);
  }
}

/** Files named on the line, when they lie outside what a build touches: a secret given to a formatter is read all the same. */
function operands(run: Run, words: readonly Word[]): void {
  for (const word of words) {
    if (word.text.startsWith('-') || word.text === '' || !/[./~]/.test(word.text)) continue;
    if (/^\w+:\/\//.test(word.text)) run.network(word, { method: 'GET', traits: ['download'] });
    else run.read(word);
  }
}

/** Only says what it would do, or changes nothing. */
const CHECKS =
  /^(--check|--list-different|-l|--dry-run|--diff|--no-emit|--noEmit|--list|--collect-only|--version|--print-config|--showConfig)$/;
/** Changes the files it is given. */
const FIXES =
  /^(--write|-w|-i|--in-place|--fix|--fix-dry-run|--apply|-a|-A|--autocorrect(-all)?|--auto-correct|format|fmt|--update|-u|--format)$/;

const reads = (run: Run): void => {
  const words = argumentsOf(run.invocation);
  if (isHelpOnly(words)) return;
  operands(run, words);
  outputs(run, words);
  fixes(run, words);
};

/** Formatters and fixers change the files they are given, or all below the folder. */
function fixes(run: Run, words: readonly Word[]): void {
  if (!words.some(({ text }) => FIXES.test(text)) || words.some(({ text }) => CHECKS.test(text) && text !== '-l'))
    return;
  const named = words.filter(({ text }) => !text.startsWith('-') && /[./*~]/.test(text));
  for (const file of named.length > 0 ? named : [HERE]) run.write(file, { traits: ['edit', 'recursive'] });
}

/** Compilers that run what they have made, and the words by which they do. */
const RUNS_AT_ONCE: ReadonlyMap<string, RegExp> = new Map([
  ['kotlinc', /^(?:-script|-e|-expression)$/],
  ['nim', /^(?:r|-r|--run|e)$/],
  ['zig', /^(?:run|test|build)$/],
  ['crystal', /^(?:run|spec|eval|i|[^-].*\.cr)$/],
  ['v', /^(?:run|crun|test|[^-].*\.vsh)$/],
  ['dmd', /^-run$/],
  ['ldc2', /^-run$/],
  ['odin', /^(?:run|test)$/],
  ['hare', /^(?:run|test)$/],
  ['ghc', /^-e/],
]);

function runsAtOnce(run: Run, words: readonly Word[]): void {
  const { program } = run.invocation;
  if (!words.some(({ text }) => RUNS_AT_ONCE.get(program)?.test(text))) return;
  run.emit(
    'execute',
    { type: 'process', process: `${program} ${joined(words.slice(0, 2)).text}`.trim() },
    { traits: ['unreviewed', 'project-code'], note: 'runs what it compiles' },
  );
}

/** Formatters that write unless told to check. */
const WRITES_BY_ITSELF =
  /^(black|isort|rustfmt|standardrb|php-cs-fixer|phpcbf|pint|ktfmt|autoflake|pyupgrade|docformatter)$/;

const writes = (run: Run): void => {
  const words = argumentsOf(run.invocation);
  if (isHelpOnly(words)) return;
  operands(run, words);
  outputs(run, words);
  sideDoors(run, words);
  runsAtOnce(run, words);
  const isChecking = words.some(({ text }) => CHECKS.test(text));
  if (WRITES_BY_ITSELF.test(run.invocation.program) && !isChecking) {
    const named = words.filter(({ text }) => !text.startsWith('-'));
    for (const file of named.length > 0 ? named : [HERE]) run.write(file, { traits: ['edit', 'recursive'] });
  } else fixes(run, words);
};

/** Tasks by which projects hand out what they made. */
const PUBLISHES =
  /^(?:publish|deploy|release|upload|submit|testflight|appstore|upload_to_\w+|deliver|pilot|supply)(?::|$)/;

const PUBLISHES_BY_TASK = /^(?:publish|deploy|release|upload|push|ship)(?:[:_-]|$)/;
/** Words that stand before such a verb: `rebar3 hex publish`, `swift package-registry publish`. */
const GROUPS = /^(?:hex|package-registry|registry|package|pkg|plugin|extension)$/;
/** Tools whose first word is which tests to run. */
const TESTS =
  /^(?:jest|vitest|mocha|ava|tap|tape|jasmine|karma|pytest|py\.test|nose2|behave|robot|rspec|minitest|cucumber|phpunit|pest|behat|codecept|phpspec|bats|busted|gtest|catch2)$/;
/** Tools that put checks into the hooks of git. */
const HOOK_MANAGERS = /^(?:husky|lefthook|pre-commit|overcommit|simple-git-hooks)$/;

const runs = (run: Run): void => {
  const words = argumentsOf(run.invocation);
  if (isHelpOnly(words) || hookCommand(run, words)) return;
  operands(run, words);
  outputs(run, words);
  sideDoors(run, words);
  fixes(run, words);
  cmakeCommand(run, words);
  if (run.invocation.program === 'swift' && words[0]?.text === 'package' && words[1]?.text === 'add-dependency')
    for (const name of words.slice(2).filter(({ text }) => !text.startsWith('-'))) run.install('swift', name);
  const [verb, task] = words;
  // `turbo run deploy`, `bazel run //app:push`, `nx run shop:release`: the task that is named.
  const named = /^(?:run|r|run-many|affected)$/.test(verb?.text ?? '') ? task : undefined;
  const isPublishing =
    (verb !== undefined && PUBLISHES.test(verb.text) && !TESTS.test(run.invocation.program)) ||
    (verb !== undefined && GROUPS.test(verb.text) && /^(?:publish|upload|push)$/.test(task?.text ?? '')) ||
    (named !== undefined && PUBLISHES_BY_TASK.test(named.text.replace(/^.*[:/]/, '')));
  if (verb && isPublishing && !words.some(({ text }) => CHECKS.test(text)))
    sayDeed(run, 'publish', run.invocation.program, null, named ?? verb);
  if (HOOK_MANAGERS.test(run.invocation.program) && /^(?:uninstall|remove|unset)$/.test(verb?.text ?? ''))
    run.emit(
      'persist',
      { type: 'process', process: 'hooks of git' },
      { traits: ['removes-check'], note: 'the checks before a commit go' },
    );
  run.emit(
    'execute',
    { type: 'process', process: `${run.invocation.program} ${joined(words.slice(0, 1)).text}`.trim() },
    {
      traits: DOES_MORE.test(run.invocation.program) ? ['unreviewed'] : ['unreviewed', 'project-code'],
      note: 'runs code of the project',
    },
  );
};

/** `husky add .husky/pre-commit "npm test"`, `husky set …`: a hook of git. Source: husky 8. */
function hookCommand(run: Run, words: readonly Word[]): boolean {
  const [verb, file, code] = words;
  if (run.invocation.program !== 'husky' || !verb || !/^(?:add|set)$/.test(verb.text) || !file) return false;
  run.write(file, { traits: [verb.text === 'add' ? 'append' : 'create'], ...(code ? { text: code } : {}) });
  return true;
}

/** `cmake -E command`: a small tool box of its own. Source: cmake(1), "Run a Command-Line Tool". */
function cmakeCommand(run: Run, words: readonly Word[]): void {
  if (run.invocation.program !== 'cmake' || words[0]?.text !== '-E') return;
  const [verb, ...rest] = words.slice(1);
  const files = rest.filter(({ text }) => !text.startsWith('-'));
  if (verb && /^(rm|remove|remove_directory)$/.test(verb.text))
    for (const file of files) run.delete(file, { traits: ['recursive'] });
  else if (verb && /^(env|time|chdir)$/.test(verb.text))
    run.carry(
      rest.filter(({ text }, index) => !(index === 0 && verb.text === 'chdir') && !/^\w+=|^--unset/.test(text)),
    );
  else if (
    verb &&
    /^(copy|copy_directory|copy_if_different|rename|create_symlink|touch|make_directory|tar)$/.test(verb.text)
  )
    for (const file of files.slice(-1)) run.write(file, { traits: ['recursive'] });
}

export const buildPrograms: readonly ProgramEntry[] = [
  ...rows(listOf('reads').join(' '), reads),
  ...rows(listOf('writes').join(' '), writes),
  ...rows(listOf('runs').join(' '), runs),
];
