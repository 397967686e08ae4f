// Who or what moved a bolt: the accessor types of the service as a closed union, plus `other` for words to come.

/** How the bolt was moved (specification, Accessor types). `own-command`: by a command of ours; `unavailable`: while the lock was offline. */
export type AccessMethod =
  | 'virtual-key'
  | 'one-touch'
  | 'access-code'
  | 'auto-relock'
  | 'thumbturn'
  | 'unlock-button'
  | 'lock-button'
  | 'schedule'
  | 'platform'
  | 'platform-key'
  | 'own-command'
  | 'unavailable'
  | 'other';

export interface Accessor {
  readonly method: AccessMethod;
  readonly id: string | null;
  /** What the account calls the code or person, or null. Never an entered code. */
  readonly name: string | null;
}

/** That many digits in a row may be a code or a phone number. */
const TELLING_DIGITS = /\p{Nd}{4}/u;

/** What people put between the digits of a number. */
const BETWEEN_DIGITS = /[^\p{L}\p{N}]/gu;

/**
 * Codes and people are named by their owner, who may have put a PIN, a number or an address there. The name where it
 * holds nothing of the kind, else null: what is kept silent cannot leak.
 */
export function speakableName(name: string | null): string | null {
  const secret =
    name === null || name.includes('@') || TELLING_DIGITS.test(name.replaceAll(BETWEEN_DIGITS, ''));
  return secret || name.trim() === '' ? null : name;
}
