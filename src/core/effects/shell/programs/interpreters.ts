import type { Word } from '../../effect.js';
import type { Language, Program, ProgramEntry, Run, Searched } from '../run.js';
import { exactWord } from '../word.js';
import { tellConsole } from './data/consoles.js';
import { loopEmpties } from './files/emptying.js';
import { argumentsOf, isHelpOnly, joined, rows, withText } from './helpers.js';
import { parseOptions } from './options.js';

/** How an interpreter reads its command line: the first word that is no option is a script, and the rest are its arguments. */
interface Interpreter {
  readonly language: Language;
  /** Options whose value is code. Several uses are one text. */
  readonly code: readonly string[];
  /** Those of them that print the value of the code. */
  readonly prints?: readonly string[];
  /** Options that take a word of their own, which is no code. */
  readonly values: readonly string[];
  /** Options whose value is a file or package that is loaded before the script. */
  readonly preloads?: readonly string[];
  /** Options without a value; others are told as unknown. A letter stands for itself in a cluster. */
  readonly flags: RegExp;
  /** Reads the script without running it. */
  readonly checksOnly?: readonly string[];
  /** A module that is run by its name, and its arguments. */
  readonly module?: { readonly option: string; readonly run: (run: Run, name: Word, rest: readonly Word[]) => void };
  /** Files named after the code are input that is read, and written back with this option: `perl -i`. */
  readonly filter?: { readonly loops: RegExp; readonly inPlace: RegExp };
}

/** Splits `-Werror`, `--opt=x` and `-e code` by what the interpreter knows. */
function matchOption(
  text: string,
  names: readonly string[],
): { readonly name: string; readonly glued: string | null } | null {
  for (const name of names) {
    if (text === name) return { name, glued: null };
    if (name.startsWith('--') && text.startsWith(`${name}=`)) return { name, glued: text.slice(name.length + 1) };
    if (/^-[A-Za-z]$/.test(name) && text.startsWith(name) && text.length > 2) return { name, glued: text.slice(2) };
  }
  return null;
}

/** Splits a cluster such as perl's `-lne` into `-l -n -e`; only where every letter but the last is a flag of one letter. */
function splitCluster(text: string, spec: Interpreter): readonly string[] {
  // Perl's `-0` stands before others without a value of its own.
  const zero = spec.language === 'perl' ? /^-0[0-7]*(?=[A-Za-z]+$)/.exec(text)?.[0] : undefined;
  if (zero !== undefined) return [zero, ...splitCluster(`-${text.slice(zero.length)}`, spec)];
  if (!/^-[A-Za-z]{2,}$/.test(text) || spec.flags.test(text)) return [text];
  const letters = [...text.slice(1)].map((letter) => `-${letter}`);
  const last = letters.at(-1) ?? '';
  const isTaking = [...spec.code, ...spec.values, ...(spec.module === undefined ? [] : [spec.module.option])].includes(
    last,
  );
  return isTaking && letters.slice(0, -1).every((letter) => spec.flags.test(letter)) ? letters : [text];
}

const interpreter =
  (spec: Interpreter): Program =>
  (run) => {
    const words = argumentsOf(run.invocation);
    if (isHelpOnly(words)) return;
    const codes: Word[] = [];
    const seen = new Set<string>();
    let at = 0;
    for (; at < words.length; at += 1) {
      const word = words[at] as Word;
      if (word.certainty === 'dynamic' || !/^-./.test(word.text)) break;
      if (word.text === '--') {
        at += 1;
        break;
      }
      const parts = splitCluster(word.text, spec);
      for (const text of parts) {
        const module = spec.module && matchOption(text, [spec.module.option]);
        const next = words[at + 1];
        if (module && spec.module) {
          const name = module.glued === null ? next : withText(word, module.glued);
          if (name) spec.module.run(run, name, words.slice(module.glued === null ? at + 2 : at + 1));
          return;
        }
        const code = matchOption(text, spec.code);
        const preload = matchOption(text, spec.preloads ?? []);
        const value = matchOption(text, spec.values);
        const taken = code ?? preload ?? value;
        if (taken === null) {
          seen.add(text);
          if (!spec.flags.test(text)) run.unknown(`option ${text} of ${run.invocation.program}`);
          continue;
        }
        const given = taken.glued === null ? next : withText(word, taken.glued);
        if (taken.glued === null) at += 1;
        if (given === undefined) continue;
        if (code) codes.push(spec.prints?.includes(code.name) === true ? printed(given) : given);
        else if (preload) load(run, spec.language, given);
      }
      // Python takes what follows `-c` as the arguments of the code.
      if (spec.language === 'python' && codes.length > 0) {
        at += 1;
        break;
      }
    }
    const rest = words.slice(at);
    if (codes.length > 0) return runCode(run, spec, codes, rest, seen);
    const [script, ...positional] = rest;
    if (script === undefined && seen.has('--test')) return run.unreviewed('the tests of the project');
    if (script === undefined || (script.text === '-' && script.certainty === 'exact'))
      return run.standardInput(spec.language, positional);
    if ((spec.checksOnly ?? []).some((option) => seen.has(option))) return run.read(script);
    run.script(spec.language, script, { positional });
    tellConsole(run, script.text, positional);
  };

/** Code whose value is printed: its last expression, as an argument of what prints. */
function printed(code: Word): Word {
  const [, before = '', last = ''] = /^([\s\S]*;\s*)?([^;\n]+?)\s*;?\s*$/.exec(code.text) ?? [];
  return last === '' || /^(?:const|let|var|if|for|while|function|class|import|try|return|throw)\b/.test(last)
    ? code
    : withText(code, `${before}console.log((${last}))`);
}

/** `perl -ne unlink`: what works on the line when it is given nothing, standing alone as it may there. */
const onTheLine = (code: Word): Word =>
  withText(
    code,
    code.text.replace(
      /(^|[;{]\s*)(unlink|rmdir|chdir|system|exec|do|require)\s*(?=$|[;}])/g,
      (_all, before: string, name: string) => `${before}${name}($_)`,
    ),
  );

function runCode(
  run: Run,
  spec: Interpreter,
  codes: readonly Word[],
  rest: readonly Word[],
  seen: ReadonlySet<string>,
): void {
  const text = spec.language === 'perl' ? onTheLine(joined(codes, '\n')) : joined(codes, '\n');
  run.code(spec.language, text, { positional: rest });
  if (!spec.filter || ![...seen].some((option) => spec.filter?.loops.test(option))) return;
  const isInPlace = [...seen].some((option) => spec.filter?.inPlace.test(option));
  const prints = [...seen].some((option) => /^-[a-z0]*p/.test(option)) ? 'each line' : 'when told';
  const isEmptying = text.certainty === 'exact' && loopEmpties(text.text, prints);
  for (const file of rest) {
    run.read(file);
    if (isInPlace) run.write(file, isEmptying ? {} : { traits: ['edit'] });
  }
}

/** A file loaded before the script runs too; a package by its name is code of a dependency, which a test run loads as well. */
function load(run: Run, language: Language, what: Word): void {
  if (/^[./~]|\.[cm]?[jt]s$|\.rb$|\.php$/.test(what.text) || what.certainty !== 'exact') run.script(language, what);
}

/** Modules of Python that are programs with a name of their own. */
const MODULE_PROGRAMS: ReadonlySet<string> = new Set(
  'pip pytest black ruff mypy flake8 isort tox coverage poetry twine uv pipx pylint nox pdm hatch build virtualenv conda sphinx mkdocs pyright bandit alembic django flask uvicorn gunicorn ansible awscli celery jupyter'.split(
    ' ',
  ),
);
/** Modules of the standard library that only look, or work on what they are given. */
const HARMLESS_MODULES =
  /^(json\.tool|this|platform|sysconfig|site|tokenize|ast|dis|calendar|compileall|py_compile|keyword|antigravity|zoneinfo|inspect|pydoc|difflib|base64|uuid|gzip)$/;
/** Modules of the standard library that run the project's own code. */
const RUNS_PROJECT = /^(unittest|doctest|cProfile|profile|pdb|trace|runpy)$/;

function runModule(run: Run, name: Word, rest: readonly Word[]): void {
  const top = name.text.split('.')[0] ?? '';
  if (name.certainty !== 'exact') return run.unreviewed('a module whose name is known only when it runs');
  if (MODULE_PROGRAMS.has(top)) return run.carry([exactWord(top), ...rest]);
  if (HARMLESS_MODULES.test(name.text)) {
    for (const word of rest) if (!word.text.startsWith('-')) run.read(word);
    return;
  }
  if (RUNS_PROJECT.test(top)) return run.unreviewed(`code of the project, by ${name.text}`);
  const folder = rest.find((word) => !word.text.startsWith('-'));
  if (top === 'venv' || top === 'ensurepip') {
    if (folder) run.write(folder, { traits: ['create', 'recursive'] });
    return;
  }
  if (top === 'timeit') return timed(run, rest);
  if (top === 'http') return serve(run, rest);
  run.script('python', withText(name, `${name.text.replaceAll('.', '/')}.py`), { positional: rest });
  run.unreviewed(`the module ${name.text}`);
}

/** `python -m timeit -s setup code`: all operands are code. */
function timed(run: Run, rest: readonly Word[]): void {
  const parsed = parseOptions(
    { flags: '-p|--process -v|--verbose -h|--help', values: '-n|--number -r|--repeat -s|--setup -u|--unit' },
    rest,
  );
  const codes = [...parsed.values('-s'), ...parsed.operands];
  if (codes.length > 0) run.code('python', joined(codes, '\n'));
}

/** `python -m http.server`: serves a folder to all that reach the machine, or by `--bind` to this machine alone. */
function serve(run: Run, rest: readonly Word[]): void {
  const at = rest.findIndex((word) => /^(?:-b|--bind(?:-address)?)(?:=|$)/.test(word.text));
  const bound = rest[at]?.text.includes('=') === true ? rest[at].text.replace(/^.*?=/, '') : rest[at + 1]?.text;
  const isOwn = at >= 0 && /^(?:127\.\d+\.\d+\.\d+|localhost|::1)$/.test(bound ?? '');
  const folder = rest.findIndex((word) => /^(?:-d|--directory)(?:=|$)/.test(word.text));
  const served = folder < 0 ? undefined : rest[folder + 1];
  if (served !== undefined && !isOwn) run.read(served, { traits: ['recursive'] });
  run.network(exactWord(isOwn ? 'http://127.0.0.1' : 'http://0.0.0.0'), {
    traits: isOwn ? [] : ['outward', 'publish'],
    note: isOwn ? 'serves this folder to this machine' : 'serves this folder to the network',
  });
}

const searched = (language: Searched, code: readonly string[]): Program =>
  interpreter({ language, code, values: [], flags: /^-/ });

const runR = searched('r', ['-e']);

/** `R -e code`, `R CMD INSTALL folder`, `R CMD check x.tar.gz`. Source: R-intro, "Invoking R from the command line". */
function statistics(run: Run): void {
  const words = argumentsOf(run.invocation);
  const [first, verb, ...rest] = words;
  if (first?.text !== 'CMD') {
    if (!words.every(({ text }) => /^--(?:version|help)$/.test(text)) || words.length === 0) runR(run);
    return;
  }
  const names = rest.filter(({ text }) => !text.startsWith('-'));
  if (verb?.text === 'INSTALL') for (const name of names) run.install('cran', name);
  else if (verb?.text === 'REMOVE')
    for (const name of names)
      run.emit('delete', { type: 'package', ecosystem: 'cran', name: name.text, version: null }, { reversible: 'no' });
  else if (verb?.text === 'BATCH' && names[0]) run.script('r', names[0]);
  else
    run.emit(
      'execute',
      { type: 'process', process: `R CMD ${verb?.text ?? ''}` },
      { traits: ['unreviewed', 'project-code'], note: 'runs code of the project' },
    );
}

const runRuby = interpreter({
  language: 'ruby',
  code: ['-e'],
  values: ['-I', '-C', '-E', '-x'],
  preloads: ['-r'],
  flags: /^-([achlnpsSvwW]+|i.*|W\d|-disable.*|-enable.*|-yjit|-jit)$/,
  checksOnly: ['-c'],
  filter: { loops: /^-[a-z]*[np]/, inPlace: /^-i/ },
});

/** `ruby -run -e httpd folder` serves a folder; all else runs code. Source: un(3). */
function ruby(run: Run): void {
  const words = run.invocation.argv.slice(1);
  const at = words.findIndex((word, index) => word.text === 'httpd' && words[index - 1]?.text === '-e');
  const isUn = words.some(
    (word, index) => word.text === '-run' || (word.text === 'un' && words[index - 1]?.text === '-r'),
  );
  if (at < 0 || !isUn) return runRuby(run);
  const rest = words.slice(at + 1);
  const folder = rest.find((word, index) => !word.text.startsWith('-') && !/^-./.test(rest[index - 1]?.text ?? ''));
  serve(run, folder === undefined ? rest : [...rest, exactWord('--directory'), folder]);
}

const runPhp = interpreter({
  language: 'php',
  code: ['-r'],
  values: ['-d', '-c', '-z', '-S', '-t'],
  preloads: ['-f'],
  flags: /^-([aehilmnqsvw]+|-(ini|ri|rf|rc|re))$/,
  checksOnly: ['-l'],
});

/** `php -S host:port -t folder` serves a folder, and runs what is asked for in it; all else runs code. */
function php(run: Run): void {
  const words = run.invocation.argv.slice(1);
  const at = words.findIndex((word) => /^-S/.test(word.text));
  if (at < 0) return runPhp(run);
  const address = words[at]?.text === '-S' ? (words[at + 1]?.text ?? '') : (words[at]?.text.slice(2) ?? '');
  const folder = words[words.findIndex((word) => word.text === '-t') + 1];
  const isOwn = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\]):/.test(address);
  if (folder !== undefined && words.some((word) => word.text === '-t')) run.read(folder, { traits: ['recursive'] });
  run.unreviewed('pages of the folder that is served');
  run.network(exactWord(isOwn ? 'http://127.0.0.1' : 'http://0.0.0.0'), {
    traits: isOwn ? [] : ['outward', 'publish'],
    note: isOwn ? 'serves this folder to this machine' : 'serves this folder to the network',
  });
}

const runPython = interpreter({
  language: 'python',
  code: ['-c'],
  values: ['-W', '-X', '--check-hash-based-pycs'],
  flags: /^-([bBdEhiIOPqsSuvVx]+|OO|3(\.\d+)?|2(\.\d+)?)$/,
  module: { option: '-m', run: runModule },
});

/** IPython's lines for the shell, as the calls that they stand for: `!rm x`, `%sx rm x`, `%run file`. Source: IPython 8, "magics". */
const asCalls = (text: string): string =>
  text.replace(
    /^([ \t]*)(?:\w+\s*=\s*)?(?:!!?|%(?:sx|system|sc)\s)(.*)$/gm,
    (_all, indent: string, line: string) => `${indent}get_ipython().system(${JSON.stringify(line)})`,
  );

/** `ipython -c code`, `ipython file`: Python, with lines for the shell in the code. */
function ipython(run: Run): void {
  const words = argumentsOf(run.invocation).filter(({ text }) => !/^--[\w.-]+(?:=.*)?$/.test(text));
  const at = words.findIndex(({ text }) => text === '-c');
  const code = words[at + 1];
  const file = words.find(({ text }) => !text.startsWith('-'));
  if (at >= 0 && code) run.code('python', withText(code, asCalls(code.text)));
  else if (file) run.script('python', file);
  else run.standardInput('python', []);
}

/** Interpreters of general languages. Source: python(1) 3.12, node(1) 22, ruby(1), perlrun(1), php(1). */
export const interpreters: readonly ProgramEntry[] = [
  ...rows('python|py|pypy', runPython),
  ...rows('ipython|ipython3', ipython),
  ...rows(
    'node|nodejs tsx ts-node',
    interpreter({
      language: 'javascript',
      code: ['-e', '--eval', '-p', '--print', '-pe'],
      prints: ['-p', '--print', '-pe'],
      values: [
        '-C',
        '--conditions',
        '--env-file',
        '--max-old-space-size',
        '--inspect-port',
        '--title',
        '--test-name-pattern',
        '--test-reporter',
        '--test-reporter-destination',
        '--input-type',
        '--watch-path',
        '--tsconfig',
        '-P',
        '--project',
      ],
      preloads: ['-r', '--require', '--import', '--loader', '--experimental-loader'],
      flags:
        /^(-[ichv]|--(test|watch|check|inspect(-brk)?|trace-[a-z-]+|experimental-[a-z-]+|no-[a-z-]+|enable-source-maps|harmony[a-z-]*|expose-gc|preserve-symlinks|test-[a-z-]+|transpile-only|files|esm|swc|pending-deprecation|throw-deprecation|stack-trace-limit|use-[a-z-]+|interactive)(=.*)?)$/,
      checksOnly: ['-c', '--check'],
    }),
  ),
  ...rows('ruby', ruby),
  ...rows(
    'perl',
    interpreter({
      language: 'perl',
      code: ['-e', '-E'],
      values: ['-I', '-C', '-F', '-x'],
      flags: /^-([acflnpsStTuUvVwWX]+|0[0-7]*|i.*|[mM].+|l\d*|pi.*|ni.*)$/,
      checksOnly: ['-c'],
      filter: { loops: /^-[a-z0]*[np]/, inPlace: /^-([np]*i)/ },
    }),
  ),
  ...rows('php', php),
  ...rows('lua|luajit|texlua', searched('lua', ['-e'])),
  ...rows('Rscript|littler', searched('r', ['-e'])),
  ...rows('R', statistics),
  ...rows('julia', searched('julia', ['-e', '-E', '--eval', '--print'])),
  ...rows('elixir|iex', searched('elixir', ['-e', '--eval'])),
  ...rows('tclsh|expect|wish', searched('tcl', ['-c'])),
  ...rows('groovy', searched('groovy', ['-e'])),
  ...rows('scala', searched('scala', ['-e'])),
];
