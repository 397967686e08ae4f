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

it('a compact time round-trips to the same instant in every zone, around each change of its offset (faults#70)', () => {
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

it('the instants of a local time agree with Temporal: once, twice, or the end of a gap', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...ZONES),
      instant,
      fc.integer({ min: -180, max: 180 }),
      (zone, seed, shift) => {
        const changes = transitionsOf(zone);
        const near = changes.length === 0 ? seed : (changes[seed % changes.length] ?? seed) + shift * MINUTE;
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

describe('a civil time', () => {
  it('and its milliseconds are each other’s reverse', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('1600-01-01'), max: new Date('9999-01-01'), noInvalidDate: true }),
        (date) => {
          const minute = Math.floor(date.getTime() / MINUTE) * MINUTE;
          const civil = civilOf(minute);
          expect(asIfUtc(civil)).toBe(minute);
          const iso = new Date(minute).toISOString();
          const [year, month, day, hour, at] = iso.split(/[-T:]/u).map(Number);
          expect(civil).toEqual({ year, month, day, hour, minute: at });
          expect(isLocalDateTime(civil)).toBe(true);
        },
      ),
    );
  });

  it.each<[number, number, number, number, number, boolean]>([
    [2026, 2, 29, 0, 0, false],
    [2028, 2, 29, 0, 0, true],
    [2026, 13, 1, 0, 0, false],
    [2026, 0, 1, 0, 0, false],
    [2026, 4, 31, 0, 0, false],
    [2026, 4, 30, 24, 0, false],
    [2026, 4, 30, 23, 60, false],
    [2026, 4, 30, 23, 59, true],
    [2026.5, 4, 30, 23, 59, false],
    [2026, 4, 30, 23, 58.5, false],
    [2026, 4, 30, -1, 0, false],
    [2026, 4, 30, 0, -1, false],
    [2026, 1, 366, 0, 0, false],
    [2026, 1, 0, 0, 0, false],
    [1_000, 1, 1, 0, 0, true],
    [9_999, 12, 31, 23, 59, true],
    [10_000, 1, 1, 0, 0, false],
    [999, 4, 30, 23, 59, false],
  ])('%d-%d-%d %d:%d is valid: %s', (year, month, day, hour, minute, isOne) => {
    expect(isLocalDateTime({ year, month, day, hour, minute })).toBe(isOne);
  });

  it('in a zone is the wall clock there', () => {
    const local = { year: 2026, month: 4, day: 14, hour: 17, minute: 45 };
    expect(localTimeAt('Asia/Kathmandu', Date.UTC(2026, 3, 14, 12))).toEqual(local);
  });
});
