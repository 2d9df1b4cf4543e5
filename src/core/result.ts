/** What can be expected to fail, as a value: the caller has to look. `E` is a union of string literals or tagged objects. */
export type Result<T, E> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: E };

/** A result that holds a value. */
export const ok = <T>(value: T): { readonly ok: true; readonly value: T } => ({ ok: true, value });

/** A result that holds an expected error. */
export const err = <const E>(error: E): { readonly ok: false; readonly error: E } => ({ ok: false, error });
