// How far it is known whose account is linked, and its form on the disk.
import { type LockId, lockId } from '../domain/lock.ts';
import { memberOf } from '../support/foreign-json.ts';

/** A lock as the account listed it, kept so that a question about it can be asked again after a restart. */
export interface ListedLock {
  readonly id: LockId;
  readonly name: string;
}

/**
 * `settled`: the account is the one whose locks we know. `unjudged`: it was linked anew, and its locks have not been
 * seen. `asked`: it is another one, which listed these locks, and a person has to say whether it is wanted.
 */
export type AccountPhase =
  | { readonly kind: 'settled' }
  | { readonly kind: 'unjudged' }
  | { readonly kind: 'asked'; readonly listed: readonly ListedLock[] };

export const SETTLED: AccountPhase = { kind: 'settled' };
export const UNJUDGED: AccountPhase = { kind: 'unjudged' };

/** `stored`: undefined when nothing was. What has another form than ours is judged anew, which takes nothing away. */
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
