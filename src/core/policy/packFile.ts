import type { PolicyLayers } from './compile.js';
import type { PolicySpec } from './schema.js';

/** The layers with one pack in the state of a file that is being worked on: it replaces the pack of its name, or joins them. */
export function packFileIn(layers: PolicyLayers, file: string, spec: PolicySpec): PolicyLayers {
  const name = (file.split(/[\\/]/).pop() ?? file).replace(/\.ya?ml$/, '');
  const source = `lacuna:${name}`;
  return { ...layers, packs: [...layers.packs.filter((pack) => pack.source !== source), { source, spec }] };
}
