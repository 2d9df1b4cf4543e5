import type { LayerFile } from './layerFile.js';
import { PACK_TEXTS } from './packs.generated.js';
import type { PolicySpec } from './schema.js';

const parsed = new Map<string, LayerFile>();

/**
 * A built-in pack by its full name, such as `lacuna:git`; null when there is none. Packs were parsed at build time
 * (`scripts/packs.ts`), so neither YAML nor zod runs here. A test proves that what was built equals what is written.
 */
export function packNamed(name: string): LayerFile | null {
  const known = parsed.get(name);
  if (known !== undefined) return known;
  const text = PACK_TEXTS.get(name);
  if (text === undefined) return null;
  const pack: LayerFile = { source: name, spec: JSON.parse(text) as PolicySpec };
  parsed.set(name, pack);
  return pack;
}

/** Full names of all built-in packs. */
export const packNames = (): readonly string[] => [...PACK_TEXTS.keys()];
