// When a lock's own clock disagrees with its time zone, and how often a person reads of it.
import { expect, it } from 'vitest';
import { lockId, unknownLock } from '../../../src/domain/locks/lock.ts';
import { LockZones } from '../../../src/engine/codes/lock-zones.ts';
import { LockStore } from '../../../src/engine/locks/lock-store.ts';
import { serviceClockOf } from '../../support/known-time.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { named } from '../../support/named-lock.ts';

const DOOR = lockId('door');
const NEW_YORK = 'America/New_York';

/** A lock that reports this offset, looked at in this zone at this time; what the log says of it. */
function reported(at: string, zone: string, offsetMinutes: number | null, looks = 1): readonly string[] {
  const lines: string[] = [];
  const say = (line: string): void => {
    lines.push(line);
  };
  const log = { debug: say, info: say, warn: say, error: say };
  const clock = new ManualClock(Date.parse(at));
  const serviceClock = serviceClockOf(clock);
  const locks = new LockStore(() => {}, { staleBefore: () => 0, bounds: () => serviceClock.bounds() });
  const description = named('Front\ndoor');
  const device = { type: '', createdAt: null, variableLengthCodes: null, offsetMinutes };
  locks.add({ ...unknownLock(DOOR, description), device });
  const check = new LockZones({
    locks,
    writtenZone: () => zone,
    machineZone: () => 'UTC',
    serviceClock,
    log,
  });
  for (let look = 0; look < looks; look += 1) {
    check.check(DOOR);
  }
  check.check(lockId('gone'));
  return lines;
}

it('a clock that agrees with the zone, or an offset that the service leaves out, is not reported', () => {
  expect(reported('2026-04-14T12:00:00Z', NEW_YORK, -240)).toEqual([]);
  expect(reported('2026-01-14T12:00:00Z', NEW_YORK, -300)).toEqual([]);
  expect(reported('2026-04-14T12:00:00Z', NEW_YORK, null)).toEqual([]);
});

it('a clock that disagrees is reported once, with both offsets and the next step', () => {
  expect(reported('2026-04-14T12:00:00Z', NEW_YORK, 60, 3)).toEqual([
    'Front door: its clock is at UTC+01:00, but its timeZone option America/New_York is at UTC-04:00 now. ' +
      'Correct the option, or schedules of its access codes open at the wrong time.',
  ]);
});

it('offsets of half and quarter hours are reported to the minute', () => {
  expect(reported('2026-04-14T12:00:00Z', 'Asia/Kathmandu', -210)[0]).toContain('UTC-03:30, but');
  expect(reported('2026-04-14T12:00:00Z', 'Asia/Kathmandu', 330)[0]).toContain('at UTC+05:45 now');
});

// In 2026 New York changes on March 8 and November 1, at 7:00 and 6:00 UTC.
it.each([
  ['the day after a change', '2026-03-08T20:00:00Z', -300, 0],
  ['the day before a change', '2026-03-07T20:00:00Z', -240, 0],
  ['two days after a change', '2026-03-10T08:00:00Z', -300, 1],
  ['two days before a change', '2026-03-06T06:00:00Z', -240, 1],
])('on %s the other offset of the zone is reported only if no change is near', (_, at, offset, times) => {
  expect(reported(at, NEW_YORK, offset)).toHaveLength(times);
});
