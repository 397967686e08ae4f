// Whether two bookings are of one guest, and which booking goes on with which.
import { describe, expect, it } from 'vitest';
import { readingSteps } from '../../../../../src/features/stays/policy/belief-policy.ts';
import type { Booking } from '../../../../../src/features/stays/policy/stay.ts';
import {
  guestVerdict,
  type IdentityFacts,
  successors,
} from '../../../../../src/features/stays/policy/stay-identity.ts';

const booking = (uid: string, more: Partial<Booking> = {}): Booking => ({
  uid,
  start: { kind: 'day', day: '2026-05-01' },
  end: { kind: 'day', day: '2026-05-04' },
  summary: '',
  phone4: null,
  ...more,
});

describe('of two bookings the guest (faults#149)', () => {
  it.each<readonly [Partial<Booking>, Partial<Booking>, string, string]>([
    [{}, {}, 'unknown', 'unknown'],
    [{ guest: 'anna' }, { guest: 'bernd' }, 'differs', 'differs'],
    [{ guest: 'anna b' }, { guest: 'anna berger' }, 'same', 'same'],
    [{ guest: 'anna meier' }, { guest: 'anna meyer' }, 'same', 'differs'],
    [{ guest: 'anna meier' }, { guest: 'anna schulz' }, 'differs', 'differs'],
    [{ guest: 'maria meier' }, { guest: 'mario meyer' }, 'differs', 'differs'],
    [{ guest: 'meier' }, { guest: 'meyer' }, 'differs', 'differs'],
    [{ phone4: '1234' }, { phone4: '5678' }, 'differs', 'differs'],
    [{ phone4: '1234' }, { phone4: null }, 'unknown', 'unknown'],
    [{ guest: 'anna berger', phone4: '1234' }, { guest: 'anna berger', phone4: '5678' }, 'same', 'differs'],
    [{ guest: 'anna', phone4: '1234' }, { guest: 'bernd', phone4: '1234' }, 'differs', 'differs'],
    [{ references: ['A1'] }, { references: ['A2'] }, 'differs', 'differs'],
    [{ references: ['A1', 'B2'], guest: 'anna' }, { references: ['B2'], guest: 'bernd' }, 'same', 'same'],
    [
      { references: ['A1'], guest: 'anna', phone4: '1234' },
      { references: ['A1'], guest: 'bernd', phone4: '5678' },
      'differs',
      'differs',
    ],
    [{ references: ['A1'], phone4: '1234' }, { references: ['A2'], phone4: '1234' }, 'differs', 'differs'],
  ])('%j and %j is %s with one id, and %s with two', (a, b, one, two) => {
    expect([
      guestVerdict(booking('a', a), booking('a', b), true),
      guestVerdict(booking('a', a), booking('b', b), false),
    ]).toEqual([one, two]);
  });
});

/** Check-in at 15:00 and check-out at 11:00, in UTC. */
const begun = (hasBegun: boolean): IdentityFacts => ({
  hasBegun: () => hasBegun,
  windowOf: ({ start, end }) => ({
    opensAt: atHour(start, 'T15:00Z'),
    closesAt: atHour(end, 'T11:00Z'),
  }),
});

const atHour = (time: Booking['start'], hour: string): number =>
  time.kind === 'instant'
    ? time.at
    : Date.parse(time.kind === 'day' ? time.day + hour : time.local.replace(/T.*/u, hour));

const AGAIN = {
  start: { kind: 'day', day: '2026-06-01' },
  end: { kind: 'day', day: '2026-06-04' },
} as const;

describe('a booking goes on', () => {
  const follow = (former: Booking, ...read: readonly Booking[]) =>
    successors([{ booking: former, isOpen: true }], read, begun(true))
      .values()
      .next().value?.uid ?? null;

  it('under its id, and under another one with equal words', () => {
    expect(follow(booking('a'), booking('b'), booking('a'))).toBe('a');
    expect(follow(booking('a', { summary: 'Booked' }), booking('b', { summary: 'BOOKED' }))).toBe('b');
    expect(follow(booking('a', { summary: 'Anna' }), booking('b', { summary: 'Reserved' }))).toBeNull();
  });

  it('under another id and with other dates, if some nights and the whole name are the same', () => {
    const former = { booking: booking('a', { guest: 'anna berger' }), isOpen: true };
    const moved = booking('b', { guest: 'anna berger', end: { kind: 'day', day: '2026-05-05' } });
    const later = booking('c', { ...AGAIN, guest: 'anna berger' });
    const goesOn = (next: Booking): boolean => successors([former], [next], begun(false)).has(former);
    expect([goesOn(moved), goesOn(later)]).toEqual([true, false]);
  });

  it('under another id with its nights written as midnights', () => {
    const former = { booking: booking('a'), isOpen: true };
    const midnights = booking('b', {
      start: { kind: 'local', local: '2026-05-01T00:00' },
      end: { kind: 'local', local: '2026-05-04T00:00' },
    });
    expect(successors([former], [midnights], begun(false)).get(former)).toBe(midnights);
  });

  it.each<readonly [string, Partial<Booking>]>([
    ['names nobody', {}],
    ['names its guest', { guest: 'anna berger' }],
  ])('under another id with hours where it had days, if it %s', (_, marks) => {
    const former = { booking: booking('a', marks), isOpen: true };
    const withHours = (start: string, end: string): Booking =>
      booking('b', {
        ...marks,
        start: { kind: 'instant', at: Date.parse(start) },
        end: { kind: 'instant', at: Date.parse(end) },
      });
    const hours = withHours('2026-05-01T16:00Z', '2026-05-04T10:00Z');
    expect(successors([former], [hours], begun(false)).get(former)).toBe(hours);
    const back = { booking: hours, isOpen: true };
    expect(successors([back], [former.booking], begun(false)).get(back)).toBe(former.booking);
    const dayLater = withHours('2026-05-02T15:00Z', '2026-05-05T11:00Z');
    const goesOn = successors([former], [dayLater], begun(false)).has(former);
    // Some nights and the whole name are enough.
    expect(goesOn).toBe('guest' in marks);
  });

  it('not with other hours of the same day, where nobody is named', () => {
    const at = (hour: number): Booking['start'] => ({ kind: 'instant', at: Date.UTC(2026, 4, 1, hour) });
    const morning = { booking: booking('a', { start: at(8), end: at(10) }), isOpen: true };
    const noon = booking('b', { start: at(11), end: at(13) });
    expect(successors([morning], [noon], begun(false)).size).toBe(0);
  });

  it('before one that was lost under the id of the next', () => {
    const believed = { booking: booking('b', { guest: 'anna berger' }), isOpen: true };
    const end = { kind: 'day', day: '2026-05-03' } as const;
    const lost = { booking: booking('a', { guest: 'anna berger', end }), isOpen: true, isLost: true };
    const next = booking('a', { guest: 'anna berger' });
    expect([...successors([lost, believed], [next], begun(false))]).toEqual([[believed, next]]);
  });

  it('not under the id that another guest has now', () => {
    expect(follow(booking('a', { guest: 'anna' }), booking('a', { guest: 'bernd' }))).toBeNull();
    expect(
      follow(
        booking('a', { guest: 'anna' }),
        booking('a', { guest: 'bernd' }),
        booking('b', { guest: 'anna' }),
      ),
    ).toBe('b');
  });
});

it('ten thousand bookings whose ids and dates all change are compared by keys, in short steps (faults#158)', () => {
  const dayMs = 86_400_000;
  const made = (name: string, shift: number): readonly Booking[] =>
    Array.from({ length: 10_000 }, (_, index) =>
      booking(`${name}${String(index)}`, {
        start: { kind: 'instant', at: (20_600 + (index % 300)) * dayMs + shift },
        end: { kind: 'instant', at: 21_200 * dayMs },
        summary: `${name} ${String(index)}`,
        guest: `${name} guest`,
      }),
    );
  const instantOf = (time: Booking['start']): number => (time.kind === 'instant' ? time.at : 0);
  const facts = {
    now: 20_500 * dayMs,
    cancelled: new Set<string>(),
    endEarly: false,
    windowOf: ({ start, end }: Booking) => ({ opensAt: instantOf(start), closesAt: instantOf(end) }),
    hasBegun: () => true,
  };
  const steps = readingSteps({ bookings: made('a', 0), doubt: null }, made('b', 3_600_000), facts);
  const before = process.threadCpuUsage();
  const lengths: number[] = [];
  for (let last = before, isDone = false; !isDone; ) {
    isDone = steps.next().done === true;
    const { user, system } = process.threadCpuUsage(last);
    lengths.push((user + system) / 1_000);
    last = process.threadCpuUsage();
  }
  // Processor time, for a busy machine takes the processor away; one step in a hundred may collect garbage.
  const sorted = lengths.toSorted((one, other) => one - other);
  expect(sorted[Math.floor(sorted.length * 0.99)]).toBeLessThan(50);
  const { user, system } = process.threadCpuUsage(before);
  expect((user + system) / 1_000).toBeLessThan(5_000);
});
