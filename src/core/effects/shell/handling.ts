import type { Flow } from '../effect.js';

type How = Flow['how'];

const TABLE: readonly (readonly [How, string])[] = [
  [
    'verbatim',
    'cat tee head tail less more bat grep egrep fgrep rg ag sort uniq cut paste join comm tac nl fold fmt shuf split csplit dd cp mv install rsync scp echo printf xargs env printenv strings column pr awk sed jq yq',
  ],
  [
    'encode',
    'base64 base32 basenc xxd od hexdump gzip gunzip zcat bzip2 xz zstd lz4 tar zip 7z cpio openssl gpg age uuencode tr rev iconv',
  ],
  [
    'digest',
    'wc cksum sum md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum md5 shasum test [ [[ cmp stat du',
  ],
];

const BY_PROGRAM: ReadonlyMap<string, How> = new Map(
  TABLE.flatMap(([how, names]) => names.split(' ').map((name): [string, How] => [name, how])),
);

/** What becomes of data that passes through a program; programs that are not known make something of it. */
export const handlingOf = (program: string): How => BY_PROGRAM.get(program) ?? 'derive';

const ORDER: Readonly<Record<How, number>> = { verbatim: 0, encode: 1, derive: 2, digest: 3 };

/** Two steps after each other: what the less faithful one leaves. */
export const handledTwice = (a: How, b: How): How => (ORDER[a] >= ORDER[b] ? a : b);
