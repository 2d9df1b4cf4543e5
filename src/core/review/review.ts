/** What the reviewer says of one Lacuna. Source: product.md §8. */
export type ReviewVerdict = 'approve' | 'flag' | 'reject';

/** An answer, or one of the ways in which there was none: three values, not exceptions. */
export type Review =
  | {
      readonly type: 'answered';
      readonly verdict: ReviewVerdict;
      readonly risk: 'none' | 'low' | 'medium' | 'high';
      /** Written out by the host from a closed list of reasons; never the model's own words. */
      readonly reason: string;
      /** Probability of the verdict, 0 to 1. */
      readonly confidence: number;
      readonly model: string;
      readonly durationMs: number;
      readonly isCached: boolean;
    }
  | { readonly type: 'skipped'; readonly why: string }
  | { readonly type: 'none'; readonly why: 'off' | 'down' | 'slow' | 'nonsense'; readonly message: string };
