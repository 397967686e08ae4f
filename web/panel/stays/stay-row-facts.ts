// What a row of the page shows of a stay: when it is, its locks, what is in the way, and in which list it stands.

import type { Instant } from '../../../src/domain/time/instant.ts';
import { sameClocks, zoneName } from '../../../src/domain/time/schedule-time.ts';
import type { StayView } from '../../../src/features/stays/panel/views.ts';
import { isOfLock } from '../../../src/features/stays/words/stays.ts';
import { namesOrCount } from '../../../src/words/guests.ts';
import { dayWords, hourWords } from '../../../src/words/times.ts';
import { t } from '../../../src/words/translate.ts';

/** "Sat, Dec 12, 15:00 to Tue, Dec 15, 11:00", with the zone where it is another than that of the page. */
export function whenWords(stay: StayView, pageZone: string): string {
  const { arrivalDay, departureDay, checkIn, checkOut, timeZone, hasOwnHours, hasBookingHours } = stay;
  const zone = sameClocks(timeZone, pageZone) ? '' : ` (${zoneName(timeZone)})`;
  const dates = t('{arrivalDay}, {checkIn} to {departureDay}, {checkOut}', {
    arrivalDay: dayWords(arrivalDay),
    checkIn: hourWords(checkIn),
    departureDay: dayWords(departureDay),
    checkOut: hourWords(checkOut),
  });
  const when = `${dates}${zone}`;
  if (hasOwnHours) {
    return t('{when}. Hours changed', { when });
  }
  return hasBookingHours ? t('{when}. Hours as the booking says', { when }) : when;
}

/** Which locks its code is for. */
export function stayLocks({ onLocks }: StayView, ofCalendar: readonly string[]): string {
  return namesOrCount(onLocks.length === 0 ? ofCalendar : onLocks.map(({ lockName }) => lockName));
}

/** What is in the way beside what is said of single locks. */
export function ownObstacles({ obstacles, onLocks }: StayView): readonly string[] {
  return obstacles
    .filter((words) => !onLocks.some(({ lockName }) => isOfLock(words, lockName)))
    .map((words) => t(words));
}

export type StayGroup = 'now' | 'coming' | 'leaving' | 'ended';

/** The list in which the stay stands. A stay whose code may still be on a lock is never folded away. */
export function groupOf({ phase, opensAt }: StayView, now: Instant): StayGroup {
  if (phase === 'gone') {
    return 'ended';
  }
  if (phase === 'leaving') {
    return 'leaving';
  }
  return opensAt <= now ? 'now' : 'coming';
}

/** Whether the guest may be there by now. */
export function isStaying({ opensAt, closesAt, isSkipped, isCancelled }: StayView, now: Instant): boolean {
  return opensAt <= now && now < closesAt && !isSkipped && !isCancelled;
}

/** Whether a person can still decide about it. */
export function isOpen({ phase }: StayView): boolean {
  return phase !== 'gone' && phase !== 'leaving';
}
