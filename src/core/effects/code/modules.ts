/** How a language finds and loads modules of a project. */
export interface ModuleRules {
  /** Paths that a module can have, against the folder of whoever asks for it; none for a module of a library. */
  readonly paths: (module: string) => readonly string[];
  /** The text of a module as it is loaded by another one: what runs only when it is started by itself is put into a function. */
  readonly loaded: (text: string) => string;
}

/** `a.b` → `a/b.py`, `a/b/__init__.py`; `..a` → `../a.py`. Source: The Python Language Reference, "The import system". */
export const pythonModules: ModuleRules = {
  paths: (module) => {
    const [, dots = '', rest = ''] = /^(\.*)([\w.]*)$/.exec(module) ?? [];
    if (rest === '') return dots === '' ? [] : [`${upwards(dots.length - 1)}__init__.py`];
    const path = upwards(dots.length - 1) + rest.replaceAll('.', '/');
    return [`${path}.py`, `${path}/__init__.py`];
  },
  loaded: (text) => text.replace(/^if\s+__name__\s*==\s*["']__main__["']\s*:/gm, 'def started_by_itself():'),
};

const upwards = (levels: number): string => '../'.repeat(Math.max(0, levels));

/** `./x` → the file as it is named, with an extension, or the index of a folder. Source: Node.js, "Modules"; TypeScript's `bundler`. */
export const javascriptModules: ModuleRules = {
  paths: (module) => {
    if (!/^\.{0,2}\//.test(module) || /\.(?:json|css|svg|png|wasm|node)$/.test(module)) return [];
    const bare = module.replace(/\.[cm]?jsx?$/, '');
    const named = bare === module ? [] : [module];
    return [
      ...named,
      ...['.js', '.ts', '.mjs', '.cjs', '.mts', '.tsx', '.jsx', '/index.js', '/index.ts'].map((end) => bare + end),
    ];
  },
  loaded: (text) =>
    text.replace(
      /^if\s*\((?:require\.main\s*===?\s*module|import\.meta\.main|!module\.parent)\)/gm,
      'const startedByItself = () =>',
    ),
};
