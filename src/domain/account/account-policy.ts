// Whether a newly linked account is the former one, so that a mistaken sign-in removes no locks.
import type { LockId } from '../locks/lock.ts';

export interface AccountFacts {
  /** The subject of the former account and of the new one; null where the service names none. */
  readonly formerSubject: string | null;
  readonly subject: string | null;
  /** The locks that were known before the new account was linked, and those that it lists. */
  readonly former: ReadonlySet<LockId>;
  readonly listed: ReadonlySet<LockId>;
}

export type AccountVerdict = 'same' | 'other';

/**
 * `other`: it is certainly or possibly another account, and some locks of the former one are not in it. Sharing a lock
 * proves nothing: a guest of one lock lists it, too. An account that lists all former locks takes nothing away: `same`.
 */
export function judgeAccount({ formerSubject, subject, former, listed }: AccountFacts): AccountVerdict {
  const missing = [...former].filter((id) => !listed.has(id));
  if (missing.length === 0) {
    return 'same';
  }
  return formerSubject !== null && formerSubject === subject ? 'same' : 'other';
}
