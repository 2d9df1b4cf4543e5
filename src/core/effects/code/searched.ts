import type { Word } from '../effect.js';
import { NOTHING_KNOWN, type Called, type Code, type Frame, type LanguageEntry } from '../shell/frame.js';
import type { Run, Searched } from '../shell/run.js';
import { dynamicWord, exactWord } from '../shell/word.js';

/** What a call does with its first argument. */
type Act = 'delete' | 'tree' | 'write' | 'read' | 'shell' | 'words' | 'fetch' | 'connect' | 'load' | 'install';

/** Calls of each language by what they do; a space parts names. Sources: the languages' own references of their standard libraries. */
const CALLS: Readonly<Record<Searched, Readonly<Partial<Record<Act, string>>>>> = {
  lua: {
    delete: 'os.remove os.rename',
    shell: 'os.execute io.popen',
    load: 'load loadstring dofile loadfile require package.loadlib',
    read: 'io.lines io.open',
  },
  r: {
    tree: 'unlink',
    delete: 'file.remove file.rename',
    write: 'writeLines write.csv saveRDS cat file.create dir.create',
    read: 'readLines read.csv readRDS file',
    shell: 'system shell pipe',
    words: 'system2',
    fetch: 'download.file url curl GET POST',
    install:
      'install.packages remotes::install_github devtools::install_github install_github BiocManager::install pak::pkg_install renv::install',
    load: 'source eval parse',
  },
  julia: {
    tree: 'rm',
    delete: 'mv',
    write: 'write touch mkpath',
    read: 'read readlines open',
    shell: 'run',
    fetch: 'download',
    install: 'Pkg.add Pkg.develop Pkg.update',
    load: 'include eval',
  },
  elixir: {
    tree: 'File.rm_rf! File.rm_rf',
    delete: 'File.rm File.rm! File.rename',
    write: 'File.write File.write!',
    read: 'File.read File.read! File.stream!',
    shell: ':os.cmd System.shell',
    words: 'System.cmd',
    install: 'Mix.install',
    load: 'Code.eval_string Code.eval_file Code.require_file',
  },
  tcl: { shell: '', load: 'source eval' },
  groovy: { tree: 'deleteDir', delete: 'delete', shell: 'execute', load: 'evaluate' },
  swift: { tree: 'removeItem', shell: 'system', load: '' },
  scala: { shell: 'Process', tree: 'deleteRecursively', load: '' },
  elisp: { load: 'load load-file eval require' },
};

/** Forms of a language that are no call of a name. The first group is the text that is used. */
const FORMS: Readonly<Partial<Record<Searched, readonly (readonly [RegExp, Act])[]>>> = {
  lua: [[/:connect\(\s*["']([\w.:-]+)["']/g, 'connect']],
  julia: [[/\brun\(\s*`([^`]*)`/g, 'shell']],
  groovy: [
    [/["']([^"'\n]*)["']\s*\.\s*execute\s*\(/g, 'shell'],
    [/new\s+File\(\s*["']([^"'\n]*)["']\s*\)\s*\.\s*delete(?:Dir)?\b/g, 'tree'],
  ],
  scala: [[/"([^"\n]*)"\s*(?:\.\s*)?!+/g, 'shell']],
  elisp: [
    [/\((?:async-)?(?:start-process-|call-process-)?shell-command(?:-to-string)?\s+"((?:[^"\\]|\\.)*)"/g, 'shell'],
    [/\(delete-directory\s+"((?:[^"\\]|\\.)*)"/g, 'tree'],
    [/\((?:delete-file|rename-file)\s+"((?:[^"\\]|\\.)*)"/g, 'delete'],
    [/\((?:write-file|write-region\s+\S+\s+\S+|append-to-file\s+\S+\s+\S+)\s+"((?:[^"\\]|\\.)*)"/g, 'write'],
    [/\((?:find-file\w*|insert-file-contents\w*)\s+"((?:[^"\\]|\\.)*)"/g, 'read'],
    [/\(url-(?:retrieve|copy-file)\w*\s+"((?:[^"\\]|\\.)*)"/g, 'fetch'],
  ],
  tcl: [
    [/\bexec\s+([^;\n\]]+)/g, 'shell'],
    [/\bfile\s+delete\s+(?:-force\s+)?(?:--\s+)?(\S+)/g, 'tree'],
    [/\bspawn\s+([^;\n\]]+)/g, 'shell'],
    [/\bsystem\s+([^;\n\]]+)/g, 'shell'],
    [/\bopen\s+\{?"?\|\s*([^"}\n]+)/g, 'shell'],
  ],
};

const MOST_CHARACTERS = 64 * 1024;
const MOST_FOUND = 60;
const escaped = (name: string): string => name.replace(/[.!:]/g, '\\$&');

/** Matches a call of one of several names with its first argument, if that is a plain string. */
const callsOf = (names: string): RegExp =>
  new RegExp(
    `(?:^|[^\\w.])(${names.split(' ').map(escaped).join('|')})(?:\\s*\\(|\\s+)\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|'((?:[^'\\\\]|\\\\.)*)')?`,
    'g',
  );

interface Search {
  readonly act: Act;
  readonly form: RegExp;
  readonly isForm: boolean;
}

const SEARCHES: ReadonlyMap<Searched, readonly Search[]> = new Map(
  (Object.keys(CALLS) as Searched[]).map((language) => [
    language,
    [
      ...(Object.entries(CALLS[language]) as [Act, string][])
        .filter(([, names]) => names !== '')
        .map(([act, names]): Search => ({ act, form: callsOf(names), isForm: false })),
      ...(FORMS[language] ?? []).map(([form, act]): Search => ({ act, form, isForm: true })),
    ],
  ]),
);

/** Escapes that these languages share: `\\n`, `\\x41`, Lua's decimal `\\065`. */
const plain = (text: string): string =>
  text.replace(/\\(x[0-9a-fA-F]{2}|\d{1,3}|[\s\S])/g, (_all, code: string) => {
    if (code.startsWith('x')) return String.fromCharCode(Number.parseInt(code.slice(1), 16));
    if (/^\d/.test(code)) return String.fromCharCode(Number(code));
    return ({ n: '\n', t: '\t', r: '\r' } as Readonly<Record<string, string>>)[code] ?? code;
  });

/**
 * Code of languages that are not read but searched: the calls that are found are said, and that the rest was not understood is said
 * too, so nothing passes for known. Linear in the text.
 */
function analyse(code: Code, frame: Frame): Called {
  const { run } = frame;
  const language = code.language as Searched;
  run.unknown(`${language} code, in which only some calls are looked for`);
  const text = code.text.slice(0, MOST_CHARACTERS);
  let found = 0;
  for (const { act, form, isForm } of SEARCHES.get(language) ?? []) {
    for (const match of text.matchAll(form)) {
      found += 1;
      if (found > MOST_FOUND || !frame.step()) return NOTHING_KNOWN;
      const given = isForm ? match[1] : (match[2] ?? match[3]);
      const text = given === undefined ? null : inHome(plain(given), language, act, run.facts.home);
      const word = text === null ? dynamicWord('$argument') : exactWord(text);
      if (act === 'words') run.carry([word, ...wordsBehind(code.text.slice(match.index + match[0].length))]);
      else say(run, language, act, word, match[1] ?? act);
    }
  }
  return NOTHING_KNOWN;
}

/** `~/x`, where the language's own functions take it for the home folder. */
const inHome = (text: string, language: Searched, act: Act, home: string): string =>
  /^(?:elisp|r)$/.test(language) && !/^(?:shell|words|load)$/.test(act) ? text.replace(/^~(?=\/|$)/, home) : text;

/** Where a language's packages come from. */
const REGISTRIES: Readonly<Partial<Record<Searched, string>>> = { r: 'cran', elixir: 'hex' };

function say(run: Run, language: Searched, act: Exclude<Act, 'words'>, word: Word, name: string): void {
  switch (act) {
    case 'delete':
      return run.delete(word);
    case 'tree':
      return run.delete(word, { traits: ['recursive'] });
    case 'write':
      return run.write(word);
    case 'read':
      return run.read(word);
    case 'shell':
      return run.code('sh', word);
    case 'fetch':
      return run.network(word, { method: 'GET', traits: ['download'] });
    case 'connect':
      return run.network(word, { traits: ['upload', 'download'] });
    case 'install':
      return run.install(REGISTRIES[language] ?? language, word);
    case 'load':
      return run.unreviewed(name);
  }
}

/** Words of a list of texts behind a call's first argument: `("rm", ["-rf", "/x"])`. What else stands in it is not known. */
function wordsBehind(text: string): readonly Word[] {
  const list = /^\s*,\s*(?:\[|c\()([^\])]{0,2000})[\])]/.exec(text)?.[1];
  if (list === undefined) return [dynamicWord('$arguments')];
  return list
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
    .map((item) => {
      const quoted = /^"((?:[^"\\]|\\.)*)"$|^'((?:[^'\\]|\\.)*)'$/.exec(item);
      return quoted ? exactWord(plain(quoted[1] ?? quoted[2] ?? '')) : dynamicWord('$argument');
    });
}

/** Languages in which calls are looked for. */
export const searchedLanguages: readonly LanguageEntry[] = [
  { languages: Object.keys(CALLS) as Searched[], analyse, builtins: new Map(), foldsCase: false },
];
