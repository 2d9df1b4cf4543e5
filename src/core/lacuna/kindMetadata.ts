import type { z } from 'zod';

/** How much harm one use of a kind can do when nothing else is known. Ordered: low < medium < high < critical. */
export const RISKS = ['low', 'medium', 'high', 'critical'] as const;
export type Risk = (typeof RISKS)[number];

/** What is known about a kind before any parameter is seen. Source: product.md §2. */
export interface KindMetadata<S extends z.ZodType = z.ZodType> {
  /** Shape of the parameters; strict, so an unknown parameter is an error and not a guess. */
  readonly params: S;
  readonly defaultRisk: Risk;
  /** What the kind can touch, in words of the effect model. */
  readonly resources: readonly ('path' | 'url' | 'process' | 'database' | 'tool' | 'agent')[];
  readonly sideEffects: 'none' | 'workspace' | 'machine' | 'world';
  /** `yes`: nothing to undo. `checkpoint`: a restore brings it back. `no`: a restore cannot. */
  readonly reversibility: 'yes' | 'checkpoint' | 'no';
  /** One sentence for a model that may propose this kind. */
  readonly summary: string;
}
