import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import vm from 'node:vm';
import { stateFolder } from '../adapters/stateFolder.js';
import { isComplete, readCodeCache, writeCodeCache, type CodeCache } from './codeCache.js';

/** What this build is called, put in by esbuild.js: a hash of all that was built. */
declare const LACUNA_BUILD: string;

/** What esbuild's CommonJS takes and fills. */
interface Module {
  readonly exports: Readonly<Record<string, unknown>>;
}
type Body = (exports: object, require: (id: string) => unknown, module: Module, file: string, folder: string) => void;

/**
 * Loads the command line's bundle from beside this file, with V8's compiled code from the last start: compiling is most of
 * what a start costs. `use` names what is started, since each use runs other parts (a word without dashes). The code is kept in the state folder,
 * which no agent may touch, under the name of the build and of the Node that made it.
 */
export function loadBundle(use: string): typeof import('./main.js') {
  const file = path.join(stateFolder(), 'code', `${LACUNA_BUILD}-${process.version}-${process.arch}-${use}`);
  const loader = new Loader(__dirname, readCodeCache(file));
  process.once('exit', () => loader.keep(file));
  return loader.load('lacuna.js') as typeof import('./main.js');
}

class Loader {
  readonly #folder: string;
  readonly #cache: CodeCache;
  readonly #modules = new Map<string, Module>();
  readonly #scripts = new Map<string, vm.Script>();

  constructor(folder: string, cache: CodeCache) {
    this.#folder = folder;
    this.#cache = cache;
  }

  /** What a file of the bundle exports; run at the first call. */
  load(name: string): unknown {
    const known = this.#modules.get(name);
    if (known !== undefined) return known.exports;
    const module: Module = { exports: {} };
    this.#modules.set(name, module);
    const file = path.join(this.#folder, name);
    const body = this.#compile(name, file).runInThisContext() as Body;
    body(module.exports, (id) => this.#require(id, file), module, file, this.#folder);
    return module.exports;
  }

  #require(id: string, from: string): unknown {
    if (id.startsWith('./')) return this.load(id.slice(2));
    return process.getBuiltinModule(id) ?? createRequire(from)(id);
  }

  #compile(name: string, file: string): vm.Script {
    // The build writes ASCII only, which is read fastest like this.
    const source = readFileSync(file, 'latin1');
    const cachedData = this.#cache.parts.get(name);
    const script = new vm.Script(`(function (exports, require, module, __filename, __dirname) {${source}\n})`, {
      filename: file,
      importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
      ...(cachedData === undefined ? {} : { cachedData }),
    });
    this.#scripts.set(name, script);
    return script;
  }

  /** Writes down what is compiled by now, for the next start. */
  keep(file: string): void {
    const isNew = [...this.#scripts].some(
      ([name, { cachedDataRejected }]) => cachedDataRejected === true || !this.#cache.parts.has(name),
    );
    if (isComplete(this.#cache) && !isNew) return;
    const parts = new Map(this.#cache.parts);
    for (const [name, script] of this.#scripts) parts.set(name, script.createCachedData());
    writeCodeCache(file, { runs: this.#cache.runs + 1, parts });
  }
}
