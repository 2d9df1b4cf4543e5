import type { Word } from '../../../effect.js';

/** A word that names a place to copy from or to. */
export type StoreWord = Pick<Word, 'text'>;

/** Whether a place is a folder of this machine or something that a service holds: `remote:bucket`, `s3://x`, `user@host:x`. */
export const placeOfRemote = ({ text }: StoreWord): 'here' | 'there' =>
  /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ||
  (/^[\w.@-]{2,}:/.test(text) && !/^[a-z]:[\\/]/i.test(text) && !/^[^/]*\/[^:]*:/.test(text))
    ? 'there'
    : 'here';
