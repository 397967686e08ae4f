// The zone of a lock's schedules, and when a person has to name it.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { zoneFault, zoneOfLock } from '../../../../src/domain/codes/lock-zone.ts';
import { mayBeAt, offsetMinutesAt, offsetZone } from '../../../../src/domain/time/schedule-time.ts';
import { shownSchedule } from '../../../../src/words/schedules.ts';

const NOW = Date.parse('2026-11-23T12:00:00Z');
const DAY = 86_400_000;
const stay = (from: number, until = from + DAY) => ({ kind: 'temporary', from, until }) as const;
const zone = (written: string | null, offsetMinutes: number | null, machineZone: string) =>
  zoneOfLock({ written, offsetMinutes, machineZone, now: NOW });

describe('the zone of a lock', () => {
  it.each([
    ['Europe/Paris', -300, 'UTC', 'Europe/Paris', 'option'],
    [null, -300, 'America/New_York', 'America/New_York', 'machine'],
    [null, -300, 'UTC', '-05:00', 'offset'],
    [null, 0, 'Etc/UTC', '+00:00', 'offset'],
    [null, 345, 'Europe/Paris', '+05:45', 'offset'],
    [null, null, 'Europe/Paris', 'Europe/Paris', 'unknown'],
  ])('with the option %o, the offset %o and a machine in %s is %s (faults#120)', (...facts) => {
    const [written, offset, machine, timeZone, zoneFrom] = facts;
    expect(zone(written, offset, machine)).toEqual({ timeZone, zoneFrom });
  });

  it('is asked for with dates that may lie on the other side of a change, or without any offset (faults#120)', () => {
    const asked = (known: ReturnType<typeof zone>, at: number) => zoneFault(stay(at), known, NOW) !== null;
    const summer = Date.parse('2027-07-02T15:00:00Z');
    expect(asked(zone(null, -300, 'UTC'), NOW + DAY)).toBe(false);
    expect(asked(zone(null, -300, 'UTC'), summer)).toBe(true);
    expect(asked(zone(null, 345, 'UTC'), summer)).toBe(false);
    expect(asked(zone(null, null, 'UTC'), NOW + DAY)).toBe(true);
    expect(asked(zone('America/New_York', null, 'UTC'), summer)).toBe(false);
    expect(asked(zone(null, -300, 'America/New_York'), summer)).toBe(false);
    expect(zoneFault({ kind: 'always' }, zone(null, null, 'UTC'), NOW)).toBeNull();
  });

  it('is asked for wherever a zone that Node knows would shift the date (faults#120)', () => {
    const all = Intl.supportedValuesOf('timeZone');
    const within = Date.parse('2026-01-01T00:00:00Z');
    const instants = fc.integer({ min: within, max: within + 3 * 365 * DAY });
    fc.assert(
      fc.property(
        fc.constantFrom(...all),
        instants,
        fc.integer({ min: 0, max: 400 * DAY }),
        (named, now, ahead) => {
          const offset = offsetMinutesAt(named, now);
          // A change of these days may have been read already, or not yet.
          if (mayBeAt(named, offsetMinutesAt(named, now + ahead), now)) {
            return;
          }
          const known = zoneOfLock({ written: null, offsetMinutes: offset, machineZone: 'UTC', now });
          expect(zoneFault(stay(now + ahead), known, now)).not.toBeNull();
        },
      ),
      { numRuns: 3_000, seed: 120 },
    );
  });

  it('is shown beside dates that differ on the reader’s clocks (faults#120)', () => {
    const dates = stay(Date.parse('2026-11-27T20:00:00Z'));
    expect(shownSchedule(dates, offsetZone(-300), 'UTC')).toBe(
      '2026-11-27 15:00 to 2026-11-28 15:00 (UTC-05:00)',
    );
    expect(shownSchedule(dates, 'Europe/Paris', 'Europe/Berlin')).not.toContain('(');
    expect(shownSchedule(dates, 'Europe/Paris', 'UTC')).toContain(' (Europe/Paris)');
  });
});
