import type { PolicySpec } from './schema.js';

/** A policy file in its layer, as it was loaded. Its patterns are known to be good. */
export interface LayerFile {
  /** For people: `lacuna:git`, `.lacuna/policy.yaml`. */
  readonly source: string;
  readonly spec: PolicySpec;
  /** Whether it is heard only where it is stricter than what all others say: it is not trusted, or not known to be whole. [false] */
  readonly isOnlyStricter?: boolean;
}
