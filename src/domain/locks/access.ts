// The accessor of a bolt: the service's accessor types as a closed union, plus `other` for unknown words.

/** How the bolt was moved (specification, Accessor types). `own-command`: by a command of ours; `unavailable`: while the lock was offline. */
export const ACCESS_METHODS = [
  'virtual-key',
  'one-touch',
  'access-code',
  'auto-relock',
  'thumbturn',
  'unlock-button',
  'lock-button',
  'schedule',
  'platform',
  'platform-key',
  'own-command',
  'unavailable',
  'other',
] as const;

export type AccessMethod = (typeof ACCESS_METHODS)[number];

export interface Accessor {
  readonly method: AccessMethod;
  readonly id: string | null;
  /** The account's name for the code or person, or what a guest is called, or null. Never an entered code. */
  readonly name: string | null;
  /** The name of the code on the lock, where the guest is called otherwise. */
  readonly codeName?: string;
}

/** That many digits in a row may be a code or a phone number. */
const SECRET_DIGITS = /\p{Nd}{4}/u;

/** Most names have none, and are asked for a dozen times for one event. */
const DIGIT = /\p{Nd}/u;

/** Separators that people put between the digits of a number. */
const BETWEEN_DIGITS = /[^\p{L}\p{N}]/gu;

/** A date range, as booked stays are called: its digits are no code. */
const STAY_NAME =
  /^Stay (?:[12]?\d|3[01])(?: [A-Z][a-z]{2})?-(?:[12]?\d|3[01]) (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)(?: [A-Z]{1,2})?$/u;

/** The name of a code or person where it can be shown, else null: owners may put a PIN, a number or an address there. */
export function speakableName(name: string | null): string | null {
  if (name === null || name.includes('@') || name.trim() === '') {
    return null;
  }
  const isSecret = DIGIT.test(name) && SECRET_DIGITS.test(name.replaceAll(BETWEEN_DIGITS, ''));
  return isSecret && !STAY_NAME.test(name) ? null : name;
}

/** Who it was, for pages and other programs: without the name of the code itself, which may be a secret, too. */
export function speakableAccessor({ method, id, name }: Accessor): Accessor {
  return { method, id, name: speakableName(name) };
}

/** An unknown word of the service, with digits blotted out that may be a code. */
export function withoutCodes(word: string): string {
  return word.replaceAll(/\p{Nd}{4,}/gu, '••••');
}
