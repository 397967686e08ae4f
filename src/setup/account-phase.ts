// How far the linked account is identified, and its stored form.
import { type LockId, lockId } from '../domain/locks/lock.ts';
import { memberOf } from '../support/text/foreign-json.ts';

/** A lock as the account listed it, kept so that a question about it can be asked again after a restart. */
export interface ListedLock {
  readonly id: LockId;
  readonly name: string;
}

/**
 * `settled`: the known locks belong to the account. `unjudged`: it was linked anew, and its locks have not been listed.
 * `asked`: it is another one, which listed these locks, and a person has to confirm it.
 */
export type AccountPhase =
  | { readonly kind: 'settled' }
  | { readonly kind: 'unjudged' }
  | { readonly kind: 'asked'; readonly listed: readonly ListedLock[] };

export const SETTLED: AccountPhase = { kind: 'settled' };
export const UNJUDGED: AccountPhase = { kind: 'unjudged' };

/** `stored`: undefined without one. An unknown form counts as unjudged, which removes nothing. */
export function readPhase(stored: unknown): AccountPhase {
  if (stored === undefined) {
    return SETTLED;
  }
  const listed = memberOf(stored, 'listed');
  return memberOf(stored, 'kind') === 'asked' && Array.isArray(listed) && listed.every(isListed)
    ? { kind: 'asked', listed: listed.map(({ id, name }) => ({ id: lockId(id), name })) }
    : UNJUDGED;
}

function isListed(entry: unknown): entry is { readonly id: string; readonly name: string } {
  const id = memberOf(entry, 'id');
  return typeof id === 'string' && id !== '' && typeof memberOf(entry, 'name') === 'string';
}
