/** Kinds of personal data that have a shape of their own. */
export type PersonalKind = 'email' | 'phone' | 'card' | 'national-id' | 'iban';

/** What personal data a text holds: how many different values of each kind. */
export interface PersonalData {
  readonly counts: Readonly<Record<PersonalKind, number>>;
  /** So many that it is a list of people, not a contact line: see the weights. */
  readonly isBulk: boolean;
}

/** An address of an author is everyday; a card number never is. Bulk begins at 20. */
const WEIGHTS: Readonly<Record<PersonalKind, number>> = { email: 1, phone: 1, card: 7, 'national-id': 7, iban: 7 };
const BULK = 20;
/** Mail addresses alone stand in author lists, change logs and lock files; a list of customers is longer. */
const BULK_OF_MAIL_ALONE = 40;

const SHAPES: Readonly<Record<PersonalKind, RegExp>> = {
  email: /(?<![A-Za-z0-9._%+-])[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,4}/g,
  phone:
    /(?<![\w.+-])(?:\+\d{1,3}[ -]?(?:\(\d{1,4}\)[ -]?)?\d{2,4}(?:[ -]?\d{2,4}){2,4}|\(\d{3}\) ?\d{3}-\d{4}|\d{3}-\d{3}-\d{4})(?![\w-])/g,
  card: /(?<![\w.-])[3-6]\d{3}(?:[ -]?\d{4}){2}[ -]?\d{1,7}(?![\w-]|\.\d)/g,
  'national-id': /(?<![\w.-])(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\w-])/g,
  iban: /(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?(?![A-Za-z0-9])/g,
};

/** Counts personal data. Linear; looks at the first million characters. */
export function findPersonalData(text: string): PersonalData {
  const looked = text.slice(0, 1_000_000);
  const count = (kind: PersonalKind, isReal: (value: string) => boolean): number => {
    const seen = new Set<string>();
    for (const [value] of looked.matchAll(SHAPES[kind])) if (isReal(value)) seen.add(value.toLowerCase());
    return seen.size;
  };
  const counts = {
    email: looked.includes('@') ? count('email', isPersonsMail) : 0,
    phone: count('phone', () => true),
    card: count('card', isCard),
    'national-id': count('national-id', () => true),
    iban: count('iban', isIban),
  };
  const others = counts.phone + (counts.card + counts['national-id'] + counts.iban) * WEIGHTS.card;
  const isBulk = counts.email + others >= (others === 0 ? BULK_OF_MAIL_ALONE : BULK);
  return { counts, isBulk };
}

/** Not a machine's address, not one of the names that are kept free for examples (RFC 2606), not `git@host`. */
const isPersonsMail = (value: string): boolean =>
  !/^(?:no-?reply|noreply|git|bot|support|info|hello|security)@|noreply|\[bot\]|@(?:.*\.)?(?:example\.(?:com|org|net)|.*\.(?:example|test|invalid|local(?:host)?|png|jpe?g|js|ts))$/i.test(
    value,
  );

/** A card number: 13 to 19 digits with the right check digit, and not one of the numbers that providers give for tests. */
function isCard(value: string): boolean {
  const digits = value.replace(/\D/g, '');
  if (digits.length < 13 || digits.length > 19 || new Set(digits).size < 4) return false;
  if (/^(?:4242|4111|4000|5555|3782|6011|3714|3056|3566|5105|2223)/.test(digits)) return false;
  let sum = 0;
  for (let at = 0; at < digits.length; at += 1) {
    const digit = Number(digits[digits.length - 1 - at]);
    const doubled = at % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** Source: ISO 13616, remainder 97. */
function isIban(value: string): boolean {
  const plain = value.replaceAll(' ', '');
  if (plain.length < 15 || plain.length > 34) return false;
  let rest = 0;
  for (const character of plain.slice(4) + plain.slice(0, 4)) {
    const number = Number.parseInt(character, 36);
    rest = (rest * (number > 9 ? 100 : 10) + number) % 97;
  }
  return rest === 1;
}
