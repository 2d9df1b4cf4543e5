import type { Called, Code, Frame, LanguageEntry } from '../shell/frame.js';
import type { Language } from '../shell/run.js';
import { Interpreter } from './interpreter.js';
import { JavaScriptParser } from './javascript.js';
import { javascriptLibrary } from './libraries/javascript.js';
import { perlLibrary } from './libraries/perl.js';
import { phpLibrary } from './libraries/php.js';
import { pythonLibrary } from './libraries/python.js';
import { rubyLibrary } from './libraries/ruby.js';
import type { Library } from './library.js';
import type { Parsed } from './node.js';
import { PerlParser } from './perl.js';
import { PhpParser } from './php.js';
import { PythonParser } from './python.js';
import { RubyParser } from './ruby.js';

/** Longest text that is read; beyond it the rest could say anything. */
const MOST_CHARACTERS = 64 * 1024;

/** A language of interpreters: how it is read, and what its functions do. */
interface Spoken {
  readonly language: Language;
  readonly parse: (text: string) => Parsed;
  readonly library: Library;
}

const SPOKEN: readonly Spoken[] = [
  { language: 'python', parse: (text) => new PythonParser(text).parse(), library: pythonLibrary },
  { language: 'javascript', parse: (text) => new JavaScriptParser(text).parse(), library: javascriptLibrary },
  { language: 'ruby', parse: (text) => new RubyParser(text).parse(), library: rubyLibrary },
  { language: 'perl', parse: (text) => new PerlParser(text).parse(), library: perlLibrary },
  { language: 'php', parse: (text) => new PhpParser(text).parse(), library: phpLibrary },
];

/** `called`: as it runs by itself. `all`: functions that nothing calls are gone through too. */
const entry = ({ language, parse, library }: Spoken, functions: 'called' | 'all'): LanguageEntry => ({
  languages: [language],
  builtins: new Map(),
  foldsCase: false,
  analyse: (code: Code, frame: Frame): Called => {
    if (code.text.length > MOST_CHARACTERS) frame.run.unknown(`${language} code of more than 64 KiB`);
    const interpreter = new Interpreter(frame, code, library, language, parse);
    const text = code.text.slice(0, MOST_CHARACTERS);
    return functions === 'all' ? interpreter.runAll(text) : interpreter.run(text);
  },
});

/** Interpreted languages whose code can be looked into: what it does when it is started. */
export const codeLanguages: readonly LanguageEntry[] = SPOKEN.map((spoken) => entry(spoken, 'called'));

/** The same languages, for what their code can do once something calls its functions. */
export const wholeCodeLanguages: readonly LanguageEntry[] = SPOKEN.map((spoken) => entry(spoken, 'all'));
