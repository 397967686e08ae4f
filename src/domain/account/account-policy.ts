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
 * `other`: it is another account by its subject, or, where a subject is not known, it lists none of the former locks. A lock may
 * leave an account at any time, so that one alone is no sign (faults#168). An account that lists all former locks takes nothing
 * away: `same`.
 */
export function judgeAccount({ formerSubject, subject, former, listed }: AccountFacts): AccountVerdict {
  const shared = [...former].filter((id) => listed.has(id));
  if (shared.length === former.size) {
    return 'same';
  }
  const isSame = formerSubject === null || subject === null ? shared.length > 0 : formerSubject === subject;
  return isSame ? 'same' : 'other';
}
