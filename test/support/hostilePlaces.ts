import { TONGUES, chainedTexts, longTexts, nestedTexts, type HostileText } from './hostileTexts.js';

/** A step of a trace, as `lacuna check` reads it. */
export interface Step {
  readonly kind: string;
  readonly params: unknown;
}

/** A proposal, or several in a row, that are made to tire a guard. */
export interface HostileCase {
  readonly note: string;
  readonly platform: 'linux' | 'win32';
  readonly steps: readonly Step[];
  /** JSON that stands where {@link RAW} does, since it is nested too deep to be made of values. */
  readonly raw?: string;
  /** Whether to let it pass is right: it does nothing, or what it does is known and harmless. */
  readonly mayPass: boolean;
}

const RAW = 'put JSON here';

/** A case as a line that `lacuna check` reads. */
export function traceLine({ platform, steps, raw }: HostileCase): string {
  const [workspace, home] =
    platform === 'win32' ? ['C:/Users/dev/shop', 'C:/Users/dev'] : ['/nowhere/dev/shop', '/home/dev'];
  const line = JSON.stringify({ id: 't', platform, workspace, home, steps });
  return raw === undefined ? line : line.replace(JSON.stringify(RAW), () => raw);
}

const shell = (command: string, of = 'bash'): Step => ({ kind: 'ExecuteShell', params: { command, shell: of } });
const write = (path: string, content: string): Step => ({ kind: 'WriteFile', params: { path, content } });

/** Where a text of a language may stand. The last step is the one that runs it. */
interface Place {
  readonly name: string;
  readonly tongue: keyof typeof TONGUES;
  readonly platform?: 'win32';
  readonly steps: (text: string) => readonly Step[];
}

const piped = (name: string, tongue: string, program: string): Place => ({
  name,
  tongue,
  steps: (text) => [shell(`${program} <<'LACUNA'\n${text}\nLACUNA\n`)],
});
const filed = (name: string, tongue: string, file: string, program: string, head = ''): Place => ({
  name,
  tongue,
  steps: (text) => [write(file, head + text), shell(`${program} ${file}`)],
});

const PLACES: readonly Place[] = [
  { name: 'bash', tongue: 'bash', steps: (text) => [shell(text)] },
  { name: 'zsh', tongue: 'bash', steps: (text) => [shell(text, 'zsh')] },
  piped('bash from its input', 'bash', 'bash'),
  filed('bash in a file', 'bash', 'a.sh', 'bash'),
  { name: 'powershell', tongue: 'powershell', platform: 'win32', steps: (text) => [shell(text, 'powershell')] },
  { name: 'cmd', tongue: 'cmd', platform: 'win32', steps: (text) => [shell(text, 'cmd')] },
  piped('python from its input', 'python', 'python3'),
  filed('python in a file', 'python', 'a.py', 'python3'),
  piped('javascript from its input', 'javascript', 'node'),
  filed('typescript in a file', 'javascript', 'a.ts', 'tsx'),
  piped('ruby from its input', 'ruby', 'ruby'),
  filed('ruby in a file', 'ruby', 'a.rb', 'ruby'),
  filed('perl in a file', 'perl', 'a.pl', 'perl'),
  filed('php in a file', 'php', 'a.php', 'php', '<?php '),
  filed('awk in a file', 'awk', 'a.awk', 'awk -f'),
  { name: 'sql', tongue: 'sql', steps: (text) => [{ kind: 'QueryDatabase', params: { database: 'shop', sql: text } }] },
  piped('sql from its input', 'sql', 'psql'),
];

/** Every text of every language in every place it can stand in. */
export function* languageCases(): Generator<HostileCase> {
  for (const { name, tongue, platform = 'linux', steps } of PLACES) {
    const known = TONGUES[tongue];
    if (known === undefined) continue;
    const texts: Iterable<HostileText>[] = [nestedTexts(known), chainedTexts(known), longTexts(known)];
    for (const family of texts)
      for (const { note, text, mayPass } of family)
        yield { note: `${name}: ${note}`, platform, steps: steps(text), mayPass };
  }
}

const LONG = 1 << 20;
const DEEP = 12_000;
const nested = (open: string, inner: string, close: string, depth: number): string =>
  open.repeat(depth) + inner + close.repeat(depth);

const PATHS: Readonly<Record<string, string>> = {
  'a megabyte': 'a'.repeat(LONG),
  'folders in folders': 'a/'.repeat(LONG / 2),
  'up and up': `${'../'.repeat(LONG / 3)}etc/shadow`,
  'here and here': `${'./'.repeat(LONG / 2)}.env`,
  'a NUL byte': '.env\0.txt',
  'a lone surrogate': '.ssh/\ud800id_rsa',
  'braces that multiply': '{a,b}'.repeat(200),
  stars: '*'.repeat(LONG / 8),
  'double stars': '**/'.repeat(20_000),
  'an open class': '[a-'.repeat(20_000),
  backslashes: '\\'.repeat(LONG),
  'letters with marks': 'e\u0301'.repeat(LONG / 2),
  'marks without letters': '\u0301'.repeat(LONG),
  colons: 'a:'.repeat(LONG / 2),
  tildes: '~/'.repeat(LONG / 2),
  blanks: ' '.repeat(LONG),
};

function* pathCases(): Generator<HostileCase> {
  const kinds: Readonly<Record<string, (path: string) => unknown>> = {
    ReadFile: (path) => ({ path }),
    ListFiles: (path) => ({ path, recursive: true, pattern: path }),
    SearchFiles: (path) => ({ path, query: 'a' }),
    WriteFile: (path) => ({ path, content: 'a' }),
    EditFile: (path) => ({ path, edits: [{ oldText: 'a', newText: 'b' }] }),
    DeleteFile: (path) => ({ path, recursive: true }),
    MoveFile: (path) => ({ from: path, to: `${path}x` }),
    ExecuteShell: (path) => ({ command: 'rm -r x', cwd: path }),
  };
  for (const [kind, params] of Object.entries(kinds))
    for (const platform of ['linux', 'win32'] as const)
      for (const [note, path] of Object.entries(PATHS))
        yield {
          note: `${kind} on ${platform}: ${note}`,
          platform,
          steps: [{ kind, params: params(path) }],
          mayPass: true,
        };
}

/** Names of files that are read by somebody later: each has its own way to be looked at. */
const FILES = [
  'package.json',
  '.github/workflows/ci.yml',
  '.gitlab-ci.yml',
  'Makefile',
  'justfile',
  'Dockerfile',
  'compose.yaml',
  '.vscode/tasks.json',
  '.vscode/settings.json',
  '.claude/settings.json',
  '.mcp.json',
  '.codex/config.toml',
  'pyproject.toml',
  'Cargo.toml',
  'setup.py',
  'conftest.py',
  'notes.ipynb',
  '.git/config',
  '.gitattributes',
  '.npmrc',
  '.env',
  '.bashrc',
  'crontab',
  'a.service',
  'CLAUDE.md',
  'a.test.ts',
  'index.html',
  'query.sql',
  'data.csv',
  'a.xml',
] as const;

const CONTENTS: Readonly<Record<string, string>> = {
  'lists in lists': nested('[', '', ']', DEEP),
  'open lists': '['.repeat(LONG),
  'objects in objects': nested('{"a":', '1', '}', DEEP),
  'open objects': '{"scripts":'.repeat(50_000),
  'one long text': `"${'a'.repeat(LONG)}"`,
  'an open text': `"${'\\'.repeat(LONG)}`,
  'many keys': `{${Array.from({ length: 50_000 }, (_unused, at) => `"k${String(at)}":1`).join(',')}}`,
  'many scripts': `{"scripts":{${Array.from({ length: 20_000 }, (_unused, at) => `"k${String(at)}":"npm run k${String(at + 1)}"`).join(',')}}}`,
  'a thousand laughs': `a: &a [x]\n${Array.from({ length: 40 }, (_unused, at) => `${String.fromCharCode(98 + (at % 20))}${String(at)}: &x${String(at)} [*a,*a]\n`).join('')}`,
  'mappings in mappings': Array.from({ length: 1_000 }, (_unused, at) => `${' '.repeat(at)}a:`).join('\n'),
  'dashes in dashes': '- '.repeat(LONG / 2),
  'questions in questions': '? '.repeat(LONG / 2),
  'a long line': `a: ${'b '.repeat(LONG / 2)}`,
  'many lines': 'a\n'.repeat(LONG / 2),
  'blank lines': '\n'.repeat(LONG),
  'a dash and blank lines': `-${'\n'.repeat(LONG)}`,
  'a long word': 'A'.repeat(LONG),
  'dashes in a word': 'a-'.repeat(LONG / 2),
  'many sections': '[a]\n'.repeat(LONG / 4),
  'tags in tags': nested('<a>', '', '</a>', DEEP * 4),
  'a NUL byte': 'a\0b',
  'lone surrogates': '\ud800'.repeat(LONG / 2),
  'keys of secrets': 'password = '.repeat(LONG / 11),
  'beginnings of keys': '-----BEGIN RSA PRIVATE KEY-----\n'.repeat(LONG / 32),
  'addresses of mail': 'a@b.co, '.repeat(LONG / 8),
  'numbers of cards': '4111 1111 1111 1111 '.repeat(LONG / 20),
  'right to left': '\u202e'.repeat(LONG / 2),
  'tag characters': '\u{e0041}'.repeat(LONG / 4),
  'names of ours': '{"lacuna.a": '.repeat(50_000),
  'makefile variables that double': `${Array.from({ length: 40 }, (_unused, at) => `A${String(at + 1)}=$(A${String(at)})$(A${String(at)})\n`).join('')}all:\n\trm $(A40)\n`,
  'a makefile that includes itself': 'include Makefile\nall: all\n\t$(MAKE) all\n',
};

function* fileCases(): Generator<HostileCase> {
  for (const file of FILES)
    for (const [note, content] of Object.entries(CONTENTS)) {
      yield { note: `write of ${file}: ${note}`, platform: 'linux', steps: [write(file, content)], mayPass: true };
      const edits = [{ oldText: 'x', newText: content }];
      const steps = [write(file, 'x\n'), { kind: 'EditFile', params: { path: file, edits } }];
      yield { note: `edit of ${file}: ${note}`, platform: 'linux', steps, mayPass: true };
    }
  const many = Array.from({ length: 5_000 }, (_unused, at) => ({ oldText: `a${String(at)}`, newText: 'b' }));
  const text = many.map(({ oldText }) => oldText).join('\n');
  yield {
    note: 'thousands of edits',
    platform: 'linux',
    steps: [write('a.txt', text), { kind: 'EditFile', params: { path: 'a.txt', edits: many } }],
    mayPass: true,
  };
}

const SELF: readonly (readonly [string, readonly Step[]])[] = [
  ['a script that runs itself', [write('a.sh', 'bash a.sh; bash a.sh\nrm -rf ~/x'), shell('bash a.sh')]],
  ['a script that sources itself', [write('a.sh', '. ./a.sh; . ./a.sh\nrm -rf ~/x'), shell('. ./a.sh')]],
  [
    'two scripts that run each other',
    [write('a.sh', 'sh b.sh;sh b.sh'), write('b.sh', 'sh a.sh;sh a.sh'), shell('sh a.sh')],
  ],
  [
    'scripts of a package in a circle',
    [
      write('package.json', '{"scripts":{"a":"npm run b && npm run b","b":"npm run a; npm run a"}}'),
      shell('npm run a'),
    ],
  ],
  [
    'scripts of a package that double',
    [
      write(
        'package.json',
        `{"scripts":{${Array.from({ length: 40 }, (_unused, at) => `"s${String(at)}":"npm run s${String(at + 1)} && npm run s${String(at + 1)}"`).join(',')},"s40":"rm -rf ~/x"}}`,
      ),
      shell('npm run s0'),
    ],
  ],
  [
    'a makefile that includes itself',
    [write('Makefile', 'include Makefile\nall: all\n\tmake all; make all\n'), shell('make all')],
  ],
  [
    'makefile variables that double',
    [
      write(
        'Makefile',
        `A0=rm -rf ~/x;\n${Array.from({ length: 40 }, (_unused, at) => `A${String(at + 1)}=$(A${String(at)})$(A${String(at)})\n`).join('')}all:\n\t$(A40)\n`,
      ),
      shell('make'),
    ],
  ],
  [
    'goals of a makefile that double',
    [
      write(
        'Makefile',
        `${Array.from({ length: 60 }, (_unused, at) => `t${String(at)}: t${String(at + 1)} t${String(at + 2)}\n\tmake t${String(at + 1)}; make t${String(at + 2)}\n`).join('')}t60:\n\trm -rf ~/x\n`,
      ),
      shell('make t0'),
    ],
  ],
  [
    'a python file that runs itself',
    [write('a.py', 'import os\nos.system("python3 a.py; python3 a.py")\n'), shell('python3 a.py')],
  ],
  [
    'a python file that includes itself',
    [write('a.py', 'exec(open("a.py").read()); exec(open("a.py").read())\n'), shell('python3 a.py')],
  ],
  [
    'a javascript file that runs itself',
    [write('a.js', 'require("./a.js"); require("child_process").execSync("node a.js; node a.js")'), shell('node a.js')],
  ],
  [
    'python functions that double',
    [
      shell(
        `python3 - <<'E'\n${Array.from({ length: 40 }, (_unused, at) => `def f${String(at)}():\n  f${String(at + 1)}(); f${String(at + 1)}()\n`).join('')}def f40():\n  import shutil; shutil.rmtree("/home/dev/x")\nf0()\nE\n`,
      ),
    ],
  ],
  [
    'python texts that double',
    [shell(`python3 - <<'E'\na="rm -rf ~/x;"\n${'a=a+a\n'.repeat(60)}import os; os.system(a)\nE\n`)],
  ],
  ['a python text of a billion', [shell(`python3 -c 'import os; os.system("x"*10**9 + "%999999999d" % 1)'`)]],
  [
    'a javascript text of a billion',
    [shell(`node -e 'require("child_process").execSync("x".repeat(1e9).padEnd(1e10))'`)],
  ],
  ['a ruby text of a billion', [shell(`ruby -e 'system("x"*10**9)'`)]],
  ['a perl text of a billion', [shell(`perl -e 'system("x"x1e9)'`)]],
  ['a php text of a billion', [shell(`php -r 'system(str_repeat("x",1000000000));'`)]],
  ['printf to a billion', [shell(`bash -c "$(printf '%1000000000s' x)"`)]],
  ['replacements that double', [shell(`x=aa; ${'x=${x//a/aa}; '.repeat(60)}rm -rf "$x" ~/x`)]],
  ['arrays that double', [shell(`a=(x y); ${'a=("${a[@]}" "${a[@]}"); '.repeat(60)}rm -rf "\${a[@]}" ~/x`)]],
  ['positional words that double', [shell(`set -- a b; ${'set -- "$@" "$@"; '.repeat(60)}rm -rf "$@" ~/x`)]],
  ['braces in braces', [shell(`rm -rf ${'{a,'.repeat(3_000)}${'}'.repeat(3_000)}`)]],
  ['sequences side by side', [shell(`rm -rf ~/{1..9999}{1..9999}{1..9999}`)]],
  ['a sequence of great numbers', [shell(`rm -rf ~/{1..999999999999999999999999}`)]],
  ['aliases of each other', [shell('shopt -s expand_aliases\nalias a="b;b" b="a;a"\na\nrm -rf ~/x')]],
  [
    'aliases that double',
    [
      shell(
        `shopt -s expand_aliases\n${Array.from({ length: 40 }, (_unused, at) => `alias a${String(at)}='a${String(at + 1)}; a${String(at + 1)}'\n`).join('')}alias a40='rm -rf ~/x'\na0`,
      ),
    ],
  ],
  ['functions of each other', [shell('a() { b; b; }; b() { a; a; }; a; rm -rf ~/x')]],
  [
    'quotes in quotes',
    [shell(Array.from({ length: 12 }).reduce<string>((inner) => `bash -c ${JSON.stringify(inner)}`, 'rm -rf ~/x'))],
  ],
  [
    'encodings in encodings',
    [
      shell(
        `echo ${Array.from({ length: 12 }).reduce<string>((inner) => Buffer.from(inner).toString('base64'), 'rm -rf ~/x')}${' | base64 -d'.repeat(12)} | sh`,
      ),
    ],
  ],
  [
    'encoded commands in encoded commands',
    [
      shell(
        Array.from({ length: 6 }).reduce<string>(
          (inner) => `powershell -EncodedCommand ${Buffer.from(inner, 'utf16le').toString('base64')}`,
          'Remove-Item -Recurse -Force ~/x',
        ),
      ),
    ],
  ],
  ['a git alias of itself', [shell('git config alias.a "!git a; git a"'), shell('git a')]],
  ['find in find', [shell(`${'find . -exec '.repeat(30)}rm -rf ~/x ;`)]],
  ['xargs in xargs', [shell(`${'xargs '.repeat(60)}rm -rf`)]],
  [
    'a pattern with many stars in a variable',
    [shell(`x=${'a'.repeat(4_000)}; rm -rf ~/"\${x#${'*a'.repeat(4)}b}" "\${x%%${'*a'.repeat(4)}b}" "\${x//*a*b/c}"`)],
  ],
  ['hosts in hosts', [shell(`${'ssh a '.repeat(60)}rm -rf /`)]],
];

function* selfCases(): Generator<HostileCase> {
  for (const [note, steps] of SELF) yield { note, platform: 'linux', steps, mayPass: false };
  yield {
    note: 'quotes behind a for of cmd',
    platform: 'win32',
    steps: [shell(`for ${'"'.repeat(5_000)}`, 'cmd')],
    mayPass: false,
  };
  const doubled = (line: string): string => `set a=xxxxxxxx\n${`${line}\n`.repeat(60)}del /s /q C:\\Users\\dev\\%a%`;
  for (const line of ['set a=%a%%a%', 'set a=%a:x=xx%', `set a=${'%a%'.repeat(2_000)}`])
    yield {
      note: `cmd values that grow: ${line.slice(0, 20)}`,
      platform: 'win32',
      steps: [shell(doubled(line), 'cmd')],
      mayPass: false,
    };
  for (const line of ['$a = $a + $a', '$a = "$a$a"', '$a *= 9999', '$a = $a -replace "x","xx"', '$a = @($a; $a)'])
    yield {
      note: `powershell values that grow: ${line}`,
      platform: 'win32',
      steps: [
        shell(`$a = "xxxx"\n${`${line}\n`.repeat(60)}Remove-Item -Recurse -Force "C:\\Users\\dev\\$a"`, 'powershell'),
      ],
      mayPass: false,
    };
}

const URLS: Readonly<Record<string, string>> = {
  'a megabyte of host': `http://${'a.'.repeat(LONG / 2)}example.com/`,
  'a megabyte of path': `http://example.com/${'../'.repeat(LONG / 3)}`,
  'a megabyte of query': `http://example.com/?${'a=b&'.repeat(LONG / 4)}`,
  'a megabyte of escapes': `http://example.com/${'%41'.repeat(LONG / 3)}`,
  'half escapes': `http://example.com/${'%'.repeat(LONG)}`,
  'names before the host': `http://${'a@'.repeat(LONG / 2)}example.com/`,
  brackets: `http://${'['.repeat(100_000)}`,
  'a number with many parts': `http://${'0x7f.'.repeat(100_000)}1/`,
  'a long number': `http://${'9'.repeat(100_000)}/`,
  punycode: `http://xn--${'a9'.repeat(50_000)}.example/`,
  'dots of other writings': `http://${'a\u3002'.repeat(50_000)}example/`,
  'a NUL byte': 'http://example.com\0.evil.example/',
  'a lone surrogate': 'http://\ud800.example/',
  blanks: `http://${' '.repeat(LONG)}`,
  'no scheme': ':'.repeat(LONG),
};

function* netCases(): Generator<HostileCase> {
  for (const [note, url] of Object.entries(URLS))
    yield {
      note: `request: ${note}`,
      platform: 'linux',
      steps: [{ kind: 'HttpRequest', params: { url, method: 'GET' } }],
      mayPass: false,
    };
  const headers = Object.fromEntries(
    Array.from({ length: 20_000 }, (_unused, at) => [`x-${String(at)}`, 'a'.repeat(50)]),
  );
  const params = { url: 'https://paste.example.net/', method: 'POST' };
  yield {
    note: 'request: many headers',
    platform: 'linux',
    steps: [{ kind: 'HttpRequest', params: { ...params, headers } }],
    mayPass: false,
  };
  for (const [note, body] of Object.entries(CONTENTS))
    yield {
      note: `body: ${note}`,
      platform: 'linux',
      steps: [{ kind: 'HttpRequest', params: { ...params, body } }],
      mayPass: false,
    };
}

function* toolCases(): Generator<HostileCase> {
  const call = (note: string, input: unknown, tool = 'do_it'): HostileCase => ({
    note: `tool: ${note}`,
    platform: 'linux',
    steps: [{ kind: 'CallTool', params: { tool, server: 'other', input } }],
    mayPass: false,
  });
  for (const depth of [900, DEEP, 40 * DEEP])
    yield { ...call(`input ${String(depth)} deep`, { input: RAW }), raw: nested('[{"a":', '"rm -rf ~"', '}]', depth) };
  yield call('a long list', { paths: Array.from({ length: 50_000 }, (_unused, at) => `~/a${String(at)}`) });
  yield call('many commands', { commands: Array.from({ length: 5_000 }, () => 'rm -rf ~/x') });
  yield call(
    'many keys',
    Object.fromEntries(Array.from({ length: 50_000 }, (_unused, at) => [`path${String(at)}`, '~/x'])),
  );
  yield call('a name without end', { a: 1 }, 'delete_'.repeat(100_000));
  for (const name of ['command', 'path', 'url', 'sql', 'code', 'content', 'patch', 'query', 'args'])
    for (const [note, text] of [...Object.entries(CONTENTS), ...Object.entries(PATHS), ...Object.entries(URLS)])
      yield call(`${name}: ${note}`, { [name]: text });
  yield {
    note: 'a goal of a megabyte and globs that multiply',
    platform: 'linux',
    steps: [
      {
        kind: 'Delegate',
        params: {
          goal: 'a '.repeat(LONG / 2),
          kinds: ['ReadFile'],
          paths: Array.from({ length: 500 }, () => '{a,b}'.repeat(20)),
          budget: {},
        },
      },
    ],
    mayPass: true,
  };
  for (const query of [
    '(a+)+$',
    '('.repeat(20_000),
    '(a{1,999}){1,999}',
    `${'(?:a|'.repeat(2_000)}a${')'.repeat(2_000)}`,
    'a'.repeat(LONG),
    '\ud800',
    '[a-'.repeat(9_999),
  ])
    yield {
      note: `search: ${query.slice(0, 20)}`,
      platform: 'linux',
      steps: [{ kind: 'SearchFiles', params: { query, isRegex: true } }],
      mayPass: true,
    };
}

/** Every case that is no text of a language in its place. */
export function* otherCases(): Generator<HostileCase> {
  yield* selfCases();
  yield* netCases();
  yield* toolCases();
  yield* pathCases();
  yield* fileCases();
}
