// Instants as the reader writes them: on the clocks of a lock where it is about one, else on the reader's own.
import type { Instant } from '../../../src/domain/time/instant.ts';
import { offsetMinutesAt, zoneName } from '../../../src/domain/time/schedule-time.ts';
import { dateFormat } from '../../../src/words/formats.ts';
import { machineZone } from '../../../src/words/machine-zone.ts';
import { locale, t } from '../../../src/words/translate.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

const clock = written({ timeStyle: 'short' });
const moment = written({ month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' });
const shortDate = written({ month: 'short', day: 'numeric' });
const date = written({ weekday: 'long', month: 'long', day: 'numeric' });

/** It is given an instant that was moved by the offset of its zone, because browsers do not all know fixed offsets as zones. */
function written(options: Intl.DateTimeFormatOptions): (there: number) => string {
  return (there) => dateFormat(locale(), { ...options, timeZone: 'UTC' }).format(there);
}

function moved(at: Instant, zone: string): number {
  return at + offsetMinutesAt(zone, at) * MINUTE_MS;
}

function daysAgo(at: Instant, now: Instant, zone: string): number {
  return Math.floor(moved(now, zone) / DAY_MS) - Math.floor(moved(at, zone) / DAY_MS);
}

/** `14:03` today, `Apr 14, 14:03` else. */
export function timeWords(at: Instant, now: Instant, zone = machineZone()): string {
  return (daysAgo(at, now, zone) === 0 ? clock : moment)(moved(at, zone));
}

/** `14:03` today, `Apr 14` else: for where there is little room. */
export function shortTimeWords(at: Instant, now: Instant, zone = machineZone()): string {
  return (daysAgo(at, now, zone) === 0 ? clock : shortDate)(moved(at, zone));
}

/** `14:03`. */
export function clockWords(at: Instant, zone = machineZone()): string {
  return clock(moved(at, zone));
}

/** "Today", "Yesterday", or "Tuesday, April 14". */
export function dayWords(at: Instant, now: Instant, zone = machineZone()): string {
  const days = daysAgo(at, now, zone);
  return days === 0 ? t('Today') : days === 1 ? t('Yesterday') : date(moved(at, zone));
}

/** ` (Europe/Paris)` where clocks of the other zone show another time at that instant; else nothing. */
export function zoneMark(at: Instant, zone: string, other = machineZone()): string {
  return offsetMinutesAt(zone, at) === offsetMinutesAt(other, at) ? '' : ` (${zoneName(zone)})`;
}
