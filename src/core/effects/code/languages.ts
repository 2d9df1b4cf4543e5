import type { Called, Code, Frame, LanguageEntry } from '../shell/frame.js';
import type { Language } from '../shell/run.js';
import { Interpreter } from './interpreter.js';
import { pythonLibrary } from './libraries/python.js';
import type { Library } from './library.js';
import type { Parsed } from './node.js';
import { PythonParser } from './python.js';

/** Longest text that is read; beyond it the rest could say anything. */
const MOST_CHARACTERS = 200_000;

/** A language of interpreters: how it is read, and what its functions do. */
const entry = (language: Language, parse: (text: string) => Parsed, library: Library): LanguageEntry => ({
  languages: [language],
  builtins: new Map(),
  foldsCase: false,
  analyse: (code: Code, frame: Frame): Called => {
    if (code.text.length > MOST_CHARACTERS) frame.run.unknown(`${language} code of more than 200,000 characters`);
    return new Interpreter(frame, code, library, parse).run(code.text.slice(0, MOST_CHARACTERS));
  },
});

const python = entry('python', (text) => new PythonParser(text).parse(), pythonLibrary);

/** Interpreted languages whose code can be looked into. */
export const codeLanguages: readonly LanguageEntry[] = [python];
