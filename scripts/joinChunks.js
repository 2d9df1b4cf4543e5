// Second half of the build: the pieces that esbuild's splitting leaves become as few files as a start wants to read.
//
// Splitting makes one chunk for each set of late imports that share a module: well over a hundred, most of them tiny. Each
// costs a start a look for the file, a read and a compilation of its own, and every call between two of them goes through a getter.
// What is always loaded together is put together here, by a list of starts; inside one file calls are direct again.
const path = require('node:path');
const esbuild = require('esbuild');

/**
 * @typedef {{ text: string, exports: readonly string[], imports: readonly string[], late: readonly string[], isDoor: boolean }} Chunk
 *   `imports`: chunks that it cannot do without; `late`: chunks that it may load later; `isDoor`: an entry point, or what a late
 *   import loads.
 */

/** Imports of the editor's API and of Node's modules. Both are CommonJS, and none of them is ever an ES module. */
const BUILT_IN =
  /\bimport\s*(?:\*\s*as\s+([\w$]+)|([\w$]+))?\s*,?\s*(?:\{([^}]*)\})?\s*from\s*["'](vscode|node:[\w/]+)["'];?/g;

/**
 * Takes what is built in as it is. esbuild would copy each module into a namespace, name by name, for every file that imports
 * it: of the editor's API, with its hundreds of names, an extension's start has no time for that.
 */
const requireBuiltIn = (text) =>
  text.replace(BUILT_IN, (_all, namespace, fallback, names, module) => {
    const whole = [namespace, fallback].filter((name) => name !== undefined);
    const parts = names === undefined ? [] : [`{${names.replace(/([\w$]+)\s+as\s+([\w$]+)/g, '$1:$2')}}`];
    return `const ${[...whole, ...parts].map((name) => `${name}=require("${module}")`).join(',')};`;
  });

/** Chunks by name, from what esbuild gives back. Late imports of packages that stay packages are none of them. */
function chunksOf({ outputFiles, metafile }) {
  const texts = new Map(outputFiles.map(({ path: file, text }) => [path.basename(file), text]));
  const chunks = new Map();
  for (const [file, { exports, imports, entryPoint }] of Object.entries(metafile.outputs)) {
    const name = path.basename(file);
    if (!texts.has(name)) continue;
    const of = (kind) =>
      imports.filter((one) => one.kind === kind && !one.external).map((one) => path.basename(one.path));
    chunks.set(name, {
      text: requireBuiltIn(texts.get(name)),
      exports,
      imports: of('import-statement'),
      late: of('dynamic-import'),
      entryPoint,
      isDoor: entryPoint !== undefined,
    });
  }
  return chunks;
}

/** Groups values by a key, in the order in which they come. */
function groupBy(values, keyOf) {
  const groups = new Map();
  for (const value of values) {
    const key = keyOf(value);
    groups.set(key, [...(groups.get(key) ?? []), value]);
  }
  return groups;
}

/** All that a chunk leads to, itself included, by the imports that `nextOf` gives. */
function closure(chunks, name, nextOf, found = new Set()) {
  if (found.has(name) || !chunks.has(name)) return found;
  found.add(name);
  for (const next of nextOf(chunks.get(name))) closure(chunks, next, nextOf, found);
  return found;
}

const atOnce = ({ imports }) => imports;
const everLoaded = ({ imports, late }) => [...imports, ...late];

/**
 * Which file each chunk goes into. Chunks of the same starts go together, but not what one bundle may load with what only another
 * does: the command line has no editor, and a file that asks for its API cannot be loaded there. A chunk that no start needs stays
 * alone. What one file imports belongs to at least the same starts and bundles, so files never need each other in a circle.
 */
function filesOf(chunks, starts) {
  const doors = new Map([...chunks].map(([name, { entryPoint }]) => [entryPoint, name]));
  const needs = Object.entries(starts).map(([start, sources]) => [
    start,
    new Set(
      sources.flatMap((source) => {
        if (!doors.has(source)) throw new Error(`${source} is no late import any more: take it out of the starts.`);
        return [...closure(chunks, doors.get(source), atOnce)];
      }),
    ),
  ]);
  const bundles = [...chunks.keys()]
    .filter((name) => !name.startsWith('chunk-'))
    .map((name) => ({ name: path.basename(name, '.js'), loads: closure(chunks, name, everLoaded) }));
  const groups = groupBy(chunks.keys(), (name) => {
    const of = needs.filter(([, needed]) => needed.has(name)).map(([start]) => start);
    const by = bundles.filter(({ loads }) => loads.has(name));
    if (of.length === 0) return name;
    return `chunk-${of.join('-')}${by.length === bundles.length ? '' : `-of-${by.map((one) => one.name).join('-')}`}.js`;
  });
  const files = new Map();
  for (const [group, names] of groups) {
    // An entry point keeps its name: the editor and the launchers ask for it.
    const file = names.find((name) => !name.startsWith('chunk-')) ?? (names.length === 1 ? names[0] : group);
    for (const name of names) files.set(name, file);
  }
  return files;
}

/** A chunk's name as a part of other names. */
const prefix = (chunk) => path.basename(chunk, '.js').replace(/\W/g, '_');

/**
 * Joins chunks and turns them into CommonJS, which is what the editor and V8's code cache take.
 * @param result what esbuild gave back for ES modules with splitting
 * @param {Record<string, readonly string[]>} starts sources that are loaded together, by a name for that
 * @param {import('esbuild').BuildOptions} options how to write the code
 * @returns {Promise<readonly { name: string, code: string }[]>}
 */
exports.joinChunks = async function joinChunks(result, starts, options) {
  const chunks = chunksOf(result);
  const files = filesOf(chunks, starts);
  const members = groupBy(files.keys(), (chunk) => files.get(chunk));

  /** What a file offers: each chunk's exports under names of their own, and what is imported late as a whole. */
  const entryOf = (file) =>
    members
      .get(file)
      .flatMap((chunk) => {
        const { exports, isDoor } = chunks.get(chunk);
        const from = `from "./${chunk}";`;
        return [
          `export { ${exports.map((name) => `${name} as ${prefix(chunk)}_${name}`).join()} } ${from}`,
          ...(isDoor ? [`export * as ${prefix(chunk)} ${from}`] : []),
          ...(chunk === file ? [`export * ${from}`] : []),
        ];
      })
      .join('\n');
  const inside = (chunk) =>
    chunks
      .get(chunk)
      .text.replace(/\bimport\(["']\.\/([\w.-]+\.js)["']\)/g, (_all, late) =>
        files.has(late) ? `Promise.resolve().then(()=>require("./${files.get(late)}").${prefix(late)})` : _all,
      );
  const outside = (chunk) => {
    const names = chunks.get(chunk).exports.map((name) => `${prefix(chunk)}_${name} as ${name}`);
    return `export { ${names.join()} } from "./${files.get(chunk)}";`;
  };

  const joining = {
    name: 'joining',
    setup(build) {
      build.onResolve({ filter: /.*/ }, ({ path: asked, importer, kind, pluginData: file }) => {
        if (kind === 'entry-point') return { path: asked, namespace: 'file-of-chunks', pluginData: asked };
        const chunk = asked.replace(/^\.\//, '');
        if (kind === 'require-call' || !files.has(chunk) || importer.startsWith('outside '))
          return { path: asked, external: true };
        const isOwn = files.get(chunk) === file;
        return { path: `${isOwn ? 'inside' : 'outside'} ${file} ${chunk}`, namespace: 'chunk', pluginData: file };
      });
      build.onLoad({ filter: /.*/, namespace: 'file-of-chunks' }, ({ path: file }) => ({
        contents: entryOf(file),
        pluginData: file,
      }));
      build.onLoad({ filter: /.*/, namespace: 'chunk' }, ({ path: place, pluginData }) => {
        const [where, , chunk] = place.split(' ');
        return { contents: where === 'inside' ? inside(chunk) : outside(chunk), pluginData };
      });
    },
  };
  const { outputFiles } = await esbuild.build({
    ...options,
    entryPoints: [...members.keys()].map((file) => ({ in: file, out: path.basename(file, '.js') })),
    format: 'cjs',
    platform: 'neutral', // nothing is looked up any more, and what Node's own ES modules want to know is not asked here
    plugins: [joining],
    // The parser's engine has two, and what it can see there is its own business.
    logOverride: { 'direct-eval': 'silent' },
    write: false,
  });
  return outputFiles.map(({ path: file, text }) => ({ name: path.basename(file), code: text }));
};
