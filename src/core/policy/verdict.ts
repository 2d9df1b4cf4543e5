/** Answers in order of strictness. Source: product.md §4. */
export const VERDICTS = ['allow', 'modify', 'sandbox', 'ask', 'deny'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** Position in the order of strictness: 0 for allow, 4 for deny. */
export const strictness = (verdict: Verdict): number => VERDICTS.indexOf(verdict);

/** The stricter of two verdicts. Associative, commutative, idempotent; `allow` is neutral. */
export const stricter = (a: Verdict, b: Verdict): Verdict => (strictness(a) >= strictness(b) ? a : b);

/** How strict the workspace is, mildest first. The engine steps up by itself; only a person steps down. */
export const MODES = ['relaxed', 'balanced', 'strict', 'lockdown'] as const;
export type Mode = (typeof MODES)[number];

/** Where a rule comes from. Protections are built in; packs are the default policy. */
export const LAYERS = ['protection', 'organisation', 'user', 'workspace', 'pack'] as const;
export type Layer = (typeof LAYERS)[number];
