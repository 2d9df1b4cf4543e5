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
const entry = (language: Language, parse: (text: string) => Parsed, library: Library): LanguageEntry => ({
  languages: [language],
  builtins: new Map(),
  foldsCase: false,
  analyse: (code: Code, frame: Frame): Called => {
    if (code.text.length > MOST_CHARACTERS) frame.run.unknown(`${language} code of more than 64 KiB`);
    return new Interpreter(frame, code, library, parse).run(code.text.slice(0, MOST_CHARACTERS));
  },
});

const python = entry('python', (text) => new PythonParser(text).parse(), pythonLibrary);
const javascript = entry('javascript', (text) => new JavaScriptParser(text).parse(), javascriptLibrary);
const ruby = entry('ruby', (text) => new RubyParser(text).parse(), rubyLibrary);
const perl = entry('perl', (text) => new PerlParser(text).parse(), perlLibrary);
const php = entry('php', (text) => new PhpParser(text).parse(), phpLibrary);

/** Interpreted languages whose code can be looked into. */
export const codeLanguages: readonly LanguageEntry[] = [python, javascript, ruby, perl, php];
