// Whether a guest could come in: the code on every lock of the stay, and batteries that last.
import { hasCode } from '../../../domain/codes/guest-step.ts';
import { type Message, message } from '../../../domain/language/message.ts';
import { isLow } from '../../../domain/locks/battery-policy.ts';
import type { Lock, LockId } from '../../../domain/locks/lock.ts';
import type { GuestOnLock, GuestView } from '../../../engine/codes/guests.ts';
import type { LockStore } from '../../../engine/locks/lock-store.ts';
import { nameOf } from '../../../words/locks.ts';
import type { StayCalendar } from '../policy/stay-calendar.ts';
import { obstacleWords } from '../words/stays.ts';

export interface ReadinessFacts {
  readonly guest: GuestView | undefined;
  readonly calendar: StayCalendar | undefined;
  /** Why the stay can have no guest, or not on all locks. */
  readonly obstacle: Message | null;
  readonly store: Pick<LockStore, 'get'>;
}

export interface Readiness {
  /** The code is on all locks of the calendar. */
  readonly isReady: boolean;
  /** What keeps it from one of them, as far as that is known. */
  readonly reasons: readonly Message[];
  readonly batteries: readonly Message[];
  /** The locks that lack the code, or whose battery is low. */
  readonly locks: readonly LockId[];
}

/** Low at or below this, whatever the service calls it (our choice). */
const LOW = 20;

export function readinessOf({ guest, calendar, obstacle, store }: ReadinessFacts): Readiness {
  const wanted = calendar?.locks ?? [];
  const waiting = (guest?.onLocks ?? []).filter(isWaiting);
  const locks = wanted.map((id) => store.get(id)).filter((lock) => lock !== undefined);
  const low = locks.filter(({ battery }) => isLow(battery, LOW, false));
  const isReady = isReadyOn(guest, calendar);
  const has = new Set((guest?.onLocks ?? []).flatMap((one) => (isWaiting(one) ? [] : [one.lockId])));
  return {
    isReady,
    reasons: isReady ? [] : [obstacle, ...waiting.map(reasonOn)].filter((words) => words !== null),
    batteries: low.map(batteryReason),
    locks: [...new Set([...wanted.filter((id) => !has.has(id)), ...low.map(({ id }) => id)])],
  };
}

/** The code is on every lock of the calendar, also on those that the guest does not have yet. */
export function isReadyOn(guest: GuestView | undefined, calendar: StayCalendar | undefined): boolean {
  if (guest === undefined || !isOnAll(guest)) {
    return false;
  }
  const { locks } = guest;
  return locks === 'all' || (calendar?.locks ?? []).every((id) => locks.includes(id));
}

/** Reasons for which other digits help. */
const OTHER_DIGITS: ReadonlySet<string> = new Set([
  'code-exists',
  'code-subset-in-use',
  'code-superset-in-use',
  'code-length-out-of-range',
]);

export function needsOtherDigits({ onLocks }: Pick<GuestView, 'onLocks'>): boolean {
  return onLocks.some(
    ({ standing }) => standing.kind === 'refused' && OTHER_DIGITS.has(standing.failure.reason),
  );
}

/** The code is on all locks of the guest. */
function isOnAll({ onLocks, locks }: Pick<GuestView, 'onLocks' | 'locks'>): boolean {
  const wanted = onLocks.filter(({ isLeaving }) => !isLeaving);
  return wanted.every(hasCode) && wanted.length > 0 && (locks === 'all' || wanted.length === locks.length);
}

const isWaiting = (onLock: GuestOnLock): boolean => !onLock.isLeaving && !hasCode(onLock);

function reasonOn({ lockName, standing }: GuestOnLock): Message | null {
  const words = obstacleWords(standing, false);
  return words === null ? null : message('{lock}: {words}', { lock: lockName, words });
}

const batteryReason = (lock: Lock): Message =>
  message('{lock}: the battery is low. Replace it before the guest arrives.', { lock: nameOf(lock) });
