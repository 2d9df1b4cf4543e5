/** A value that stands after a telling name, and what is known of the place. */
export interface NamedValue {
  /** The whole identifier before the sign: `DB_PASSWORD`, `apiKey`. */
  readonly name: string;
  readonly value: string;
  readonly isQuoted: boolean;
}

/** Names whose value is shared on purpose or says something about a secret without being one. */
const HARMLESS_NAMES =
  /csrf|xsrf|page|next|cursor|continuation|public|publishable|idempotency|max_?tokens|(?:url|uri|path|file|name|type|length|count|field|header|ttl|expir\w*|policy|regex|pattern|limit|prefix|label|hint|placeholder|id)$/i;

const PLACEHOLDERS =
  /^(?:\$|%|<|\{|\[|@|#|\.\.|…|null|none|true|false|undefined)|example|change.?me|placeholder|your[_-]?|dummy|redacted|masked|fake|sample|insert|replace|todo|xxx|\*\*\*|\.\.\.|\$\{|\{\{|%\(/i;

/** Passwords that everybody knows: defaults of local services and words of documentation. */
const KNOWN_PASSWORDS =
  /^(?:.{0,3}|(?:my|the|a|db|super)?[-_]?(?:postgres|postgresql|mysql|mariadb|mongo|redis|rabbitmq|guest|root|admin|user|username|password|passwd|pass|pwd|secret|test|testing|dev|development|local|docker|demo|token|key|value|string|hunter2)[-_]?(?:password|pass|pwd|secret|user|db)?\d{0,3}!?|\d{1,8}|qwerty\d*|p4ssw0rd|pa(?:ss|\$\$)w(?:or|0r)d\d*)$/i;

/** Whether a value under a telling name is one that nobody could guess, and no placeholder, reference or word. */
export function looksRandom({ name, value, isQuoted }: NamedValue): boolean {
  if (HARMLESS_NAMES.test(name) || isStandIn(value)) return false;
  if (!isQuoted && /^[A-Za-z_$][\w$]*(?:(?:\.|->|::|\?\.)[A-Za-z_$][\w$]*)*$/.test(value) && !/\d.*\d/.test(value))
    return false;
  if (/\s/.test(value) || !/\d/.test(value) || !/[A-Za-z]/.test(value)) return false;
  if (isMadeOfWords(value)) return false;
  if (value.length >= 16) return entropy(value) >= 3;
  return (
    value.length >= 8 && classes(value) >= (isShouted(name) ? 2 : 3) && !/1234|abcd|test|pass|qwert|admin/i.test(value)
  );
}

/** Whether a value only stands for a secret: a placeholder, a variable, or a password that everybody knows. */
export const isStandIn = (value: string): boolean =>
  PLACEHOLDERS.test(value) || KNOWN_PASSWORDS.test(value) || new Set(value).size <= 3;

/** `DB_PASSWORD`: the form of environment files, where values are seldom made up for a test. */
const isShouted = (name: string): boolean => /^[A-Z][A-Z0-9_]*$/.test(name);

/** `user-profile-v2`, `./certs/app.pem`, `src.auth.login`: words and separators, with at most two digits a word. */
const isMadeOfWords = (value: string): boolean =>
  /[-_./:\\]/.test(value) &&
  value.split(/[-_./:\\+=]+/).every((part) => /^(?:[A-Za-z]{0,24}\d{0,2}|\d{1,4})$/.test(part));

const classes = (value: string): number =>
  [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter((one) => one.test(value)).length;

/** Bits per character, by the frequencies in the text itself. Source: Shannon, 1948. */
export function entropy(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}
