// The time zone of a lock's schedules: that of its option, of this machine, or the offset of the lock's own clock.

import { message } from '../language/message.ts';
import type { Instant } from '../time/instant.ts';
import { mayBeAt, offsetMinutesAt, offsetZone } from '../time/schedule-time.ts';
import type { CodeSchedule } from './access-code.ts';
import type { CodeFault } from './access-code-policy.ts';

/** `option`: somebody set it. `machine`: the lock's clock agrees with it. `offset`: of the lock's clock. `unknown`: the machine's zone stands in. */
export type ZoneSource = 'option' | 'machine' | 'offset' | 'unknown';

export interface LockZone {
  /** An IANA name, or an offset such as `-05:00`. */
  readonly timeZone: string;
  readonly zoneFrom: ZoneSource;
}

export interface ZoneFacts {
  /** The lock's option; null where it has none. */
  readonly written: string | null;
  /** The offset of the lock's own clock, in minutes; null where the service does not report it. */
  readonly offsetMinutes: number | null;
  readonly machineZone: string;
  readonly now: Instant;
}

export function zoneOfLock({ written, offsetMinutes, machineZone, now }: ZoneFacts): LockZone {
  if (written !== null) {
    return { timeZone: written, zoneFrom: 'option' };
  }
  if (offsetMinutes === null) {
    return { timeZone: machineZone, zoneFrom: 'unknown' };
  }
  // A machine in UTC has most likely no zone set: its agreement with a lock in winter proves nothing for the summer.
  return mayBeAt(machineZone, offsetMinutes, now) && !/^(?:Etc\/)?(?:UTC|GMT)$/.test(machineZone)
    ? { timeZone: machineZone, zoneFrom: 'machine' }
    : { timeZone: offsetZone(offsetMinutes), zoneFrom: 'offset' };
}

export function isZoneKnown({ zoneFrom }: Pick<LockZone, 'zoneFrom'>): boolean {
  return zoneFrom === 'option' || zoneFrom === 'machine';
}

/** The fault of dates that cannot be placed: the zone is not known, or the lock's offset may differ by then. */
export function zoneFault(schedule: CodeSchedule, zone: LockZone, now: Instant): CodeFault | null {
  const { timeZone, zoneFrom } = zone;
  // A schedule in the past breaks another rule, in any zone.
  if (schedule.kind !== 'temporary' || isZoneKnown(zone) || schedule.until <= now) {
    return null;
  }
  const isOpen =
    zoneFrom === 'unknown' || [schedule.from, schedule.until].some((at) => mayShift(timeZone, now, at));
  return isOpen ? { field: 'schedule', reason: 'schedule-invalid', words: ZONE_WORDS } : null;
}

const ZONE_WORDS = message(
  'Set the lock’s time zone first, such as Europe/Paris: here, with {flag}, or as its {option} option. Without it these dates could be hours off.',
  { flag: '--zone', option: 'timeZone' },
);

/** The same for a reader who can set it as an option alone. */
export const ZONE_OPTION_WORDS = message(
  'Set the lock’s time zone first, such as Europe/Paris, as its {option} option. Without it these dates could be hours off.',
  { option: 'timeZone' },
);

/** Whether a zone with the present offset has another offset at that date. */
function mayShift(offset: string, now: Instant, at: Instant): boolean {
  const minutes = offsetMinutesAt(offset, now);
  return ZONES_WITH_SUMMER_TIME.some(
    (zone) => offsetMinutesAt(zone, now) === minutes && offsetMinutesAt(zone, at) !== minutes,
  );
}

/** One for each rule of summer time and each offset; a test compares them with all zones that Node knows. */
const ZONES_WITH_SUMMER_TIME = [
  'America/Adak',
  'America/Anchorage',
  'America/Los_Angeles',
  'America/Denver',
  'America/Chicago',
  'America/New_York',
  'America/Havana',
  'America/Halifax',
  'America/St_Johns',
  'America/Miquelon',
  'America/Nuuk',
  'America/Santiago',
  'Pacific/Easter',
  'Atlantic/Azores',
  'Africa/Casablanca',
  'Europe/London',
  'Europe/Paris',
  'Europe/Athens',
  'Europe/Chisinau',
  'Antarctica/Troll',
  'Africa/Cairo',
  'Asia/Beirut',
  'Asia/Jerusalem',
  'Asia/Gaza',
  'Australia/Adelaide',
  'Australia/Sydney',
  'Australia/Lord_Howe',
  'Pacific/Norfolk',
  'Pacific/Auckland',
  'Pacific/Chatham',
] as const;
