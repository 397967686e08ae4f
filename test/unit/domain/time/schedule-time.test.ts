// Local times and instants of every zone, held against Temporal.
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, it } from 'vitest';
import {
  asIfUtc,
  civilOf,
  instantsOf,
  isLocalDateTime,
  localTimeAt,
  offsetMinutesAt,
} from '../../../../src/domain/time/schedule-time.ts';
import { decodeTime, encodeTime } from '../../../../src/wire/access-code-codec.ts';

/** The zones of a fixed offset, which are not listed. */
const FIXED = Array.from(
  { length: 27 },
  (_, index) => `Etc/GMT${index < 14 ? '-' : '+'}${String(Math.abs(index - 14))}`,
);
/** Every zone of the tz database; its other names for the same zones are left out. */
const ZONES = [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', ...FIXED])];
const FROM = Date.UTC(2026, 0, 1);
const UNTIL = Date.UTC(2031, 0, 1);
const MINUTE = 60_000;

const instant = fc
  .integer({ min: FROM / MINUTE, max: UNTIL / MINUTE - 1 })
  .map((minutes) => minutes * MINUTE);

/** The changes of a zone's offset within the years under test. */
function transitionsOf(zone: string): readonly number[] {
  const found: number[] = [];
  let at = Temporal.Instant.fromEpochMilliseconds(FROM).toZonedDateTimeISO(zone);
  for (;;) {
    const next = at.getTimeZoneTransition('next');
    if (next === null || next.epochMilliseconds >= UNTIL) {
      return found;
    }
    found.push(next.epochMilliseconds);
    at = next;
  }
}

describe('the offset of a zone', () => {
  it('agrees with Temporal, for every zone and around each of its changes from 2026 to 2030 (faults#70)', () => {
    const instants = ZONES.flatMap((zone) =>
      [...transitionsOf(zone), FROM].flatMap((change) =>
        [change - MINUTE, change, change + MINUTE].map((at) => ({ zone, at })),
      ),
    );
    const differences = instants.filter(({ zone, at }) => {
      const theirs = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).offsetNanoseconds;
      return offsetMinutesAt(zone, at) !== Math.round(theirs / 60e9);
    });
    expect(ZONES.length).toBeGreaterThan(440);
    expect(instants.length).toBeGreaterThan(ZONES.length * 6);
    expect(differences).toEqual([]);
  });

  it('counts whole minutes where it once had seconds', () => {
    // 44 min 30 s behind UTC until 1972.
    expect(offsetMinutesAt('Africa/Monrovia', Date.UTC(1971, 0, 1, 12))).toBe(-44);
    expect(offsetMinutesAt('Africa/Monrovia', Date.UTC(1971, 0, 1, 12) + 59_999)).toBe(-44);
  });

  it('of an unknown zone is an error', () => {
    expect(() => offsetMinutesAt('Nowhere/Land', FROM)).toThrow(RangeError);
  });
});

describe('a compact time', () => {
  it('round-trips to the same instant in every zone, around each change of its offset (faults#70)', () => {
    const wrong = ZONES.flatMap((zone) =>
      [...transitionsOf(zone), FROM].flatMap((change) =>
        [-90, -30, -1, 0, 1, 30, 90]
          .map((minutes) => change + minutes * MINUTE)
          .filter((at) => decodeTime(encodeTime(at, zone), 'UTC') !== at)
          .map((at) => `${zone} ${String(at)}`),
      ),
    );
    expect(wrong).toEqual([]);
  });

  it('round-trips at random instants', () => {
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), instant, (zone, at) => {
        expect(decodeTime(encodeTime(at, zone), zone)).toBe(at);
      }),
      { numRuns: 3_000 },
    );
  });
});

describe('the instants of a local time', () => {
  it('agree with Temporal: once, twice, or the end of a gap', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...ZONES),
        instant,
        fc.integer({ min: -180, max: 180 }),
        (zone, seed, shift) => {
          const changes = transitionsOf(zone);
          const near =
            changes.length === 0 ? seed : (changes[seed % changes.length] ?? seed) + shift * MINUTE;
          const local = civilOf(near + offsetMinutesAt(zone, FROM) * MINUTE);
          const plain = Temporal.PlainDateTime.from(local);
          const earlier = plain.toZonedDateTime(zone, { disambiguation: 'earlier' }).epochMilliseconds;
          const later = plain.toZonedDateTime(zone, { disambiguation: 'later' }).epochMilliseconds;
          const exists = Temporal.Instant.fromEpochMilliseconds(earlier)
            .toZonedDateTimeISO(zone)
            .toPlainDateTime()
            .equals(plain);
          const ours = instantsOf(zone, local);
          if (!exists) {
            expect(ours.kind).toBe('gap');
            expect(changes).toContain(ours.at);
          } else if (earlier === later) {
            expect(ours).toEqual({ kind: 'once', at: earlier });
          } else {
            expect(ours).toEqual({ kind: 'twice', at: earlier, later });
          }
        },
      ),
      { numRuns: 3_000 },
    );
  });

  it('name both instants of an hour that comes twice', () => {
    const local = { year: 2026, month: 11, day: 1, hour: 1, minute: 30 };
    expect(instantsOf('America/New_York', local)).toEqual({
      kind: 'twice',
      at: Date.UTC(2026, 10, 1, 5, 30),
      later: Date.UTC(2026, 10, 1, 6, 30),
    });
  });

  it('name the end of an hour that is skipped', () => {
    const local = { year: 2026, month: 3, day: 29, hour: 2, minute: 30 };
    expect(instantsOf('Europe/Paris', local)).toEqual({ kind: 'gap', at: Date.UTC(2026, 2, 29, 1) });
  });
});

describe('a civil time', () => {
  it('and its milliseconds are each other’s reverse', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('1600-01-01'), max: new Date('9999-01-01'), noInvalidDate: true }),
        (date) => {
          const minute = Math.floor(date.getTime() / MINUTE) * MINUTE;
          const civil = civilOf(minute);
          expect(asIfUtc(civil)).toBe(minute);
          expect(civil).toEqual({
            year: new Date(minute).getUTCFullYear(),
            month: new Date(minute).getUTCMonth() + 1,
            day: new Date(minute).getUTCDate(),
            hour: new Date(minute).getUTCHours(),
            minute: new Date(minute).getUTCMinutes(),
          });
          expect(isLocalDateTime(civil)).toBe(true);
        },
      ),
    );
  });

  it.each([
    [{ year: 2026, month: 2, day: 29, hour: 0, minute: 0 }, false],
    [{ year: 2028, month: 2, day: 29, hour: 0, minute: 0 }, true],
    [{ year: 2026, month: 13, day: 1, hour: 0, minute: 0 }, false],
    [{ year: 2026, month: 0, day: 1, hour: 0, minute: 0 }, false],
    [{ year: 2026, month: 4, day: 31, hour: 0, minute: 0 }, false],
    [{ year: 2026, month: 4, day: 30, hour: 24, minute: 0 }, false],
    [{ year: 2026, month: 4, day: 30, hour: 23, minute: 60 }, false],
    [{ year: 2026, month: 4, day: 30, hour: 23, minute: 59 }, true],
    [{ year: 2026.5, month: 4, day: 30, hour: 23, minute: 59 }, false],
    [{ year: 2026, month: 4.5, day: 30, hour: 23, minute: 59 }, false],
    [{ year: 2026, month: 4, day: 30.5, hour: 23, minute: 59 }, false],
    [{ year: 2026, month: 4, day: 30, hour: 22.5, minute: 59 }, false],
    [{ year: 2026, month: 4, day: 30, hour: 23, minute: 58.5 }, false],
    [{ year: 2026, month: 4, day: 30, hour: -1, minute: 0 }, false],
    [{ year: 2026, month: 4, day: 30, hour: 0, minute: -1 }, false],
    [{ year: 2026, month: 1, day: 366, hour: 0, minute: 0 }, false],
    [{ year: 2026, month: 1, day: 0, hour: 0, minute: 0 }, false],
    [{ year: 2026, month: 25, day: 1, hour: 0, minute: 0 }, false],
    [{ year: 1_000, month: 1, day: 1, hour: 0, minute: 0 }, true],
    [{ year: 9_999, month: 12, day: 31, hour: 23, minute: 59 }, true],
    [{ year: 10_000, month: 1, day: 1, hour: 0, minute: 0 }, false],
    [{ year: 999, month: 4, day: 30, hour: 23, minute: 59 }, false],
  ])('%j is valid: %s', (local, isOne) => {
    expect(isLocalDateTime(local)).toBe(isOne);
  });

  it('in a zone is the wall clock there', () => {
    expect(localTimeAt('Asia/Kathmandu', Date.UTC(2026, 3, 14, 12))).toEqual({
      year: 2026,
      month: 4,
      day: 14,
      hour: 17,
      minute: 45,
    });
  });
});
