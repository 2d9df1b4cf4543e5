import type { Label } from '../../session/label.js';
import type { Predicate } from '../subject.js';
import { tri } from '../tri.js';

/** Any of the labels, carried by the session or by the effect's resource. */
export const matchesLabels =
  (labels: readonly Label[]): Predicate =>
  ({ context, index }) =>
    tri(
      labels.some((label) => context.labels.includes(label) || (context.effectLabels[index]?.includes(label) ?? false)),
    );
