// Which entries of a calendar are stays, and which part of a guest's phone number is stored.
import { describe, expect, it } from 'vitest';
import { NOT_STAYS, phoneLastFour, staysIn } from '../../../../../src/features/stays/policy/stay-entries.ts';
import { entry } from '../../../../homes/stay-home.ts';

const summaries = (...texts: readonly string[]) =>
  staysIn(
    texts.map((summary, index) => entry(String(index), '2026-04-16', '2026-04-19', { summary })),
    NOT_STAYS,
  ).bookings.map(({ summary }) => summary);

describe('an entry', () => {
  it.each([
    'Not available',
    'Portal (Not available)',
    'CLOSED - Not available',
    'Blocked',
    'blocked by owner',
    'Unavailable',
    'Owner stay',
  ])('"%s" is no stay', (summary) => {
    expect(summaries(summary)).toEqual([]);
  });

  it.each(['Reserved', 'Anna B', 'Reserved - Blockley', 'The closed circle of friends', ''])(
    '"%s" is a stay',
    (summary) => {
      expect(summaries(summary)).toEqual([summary]);
    },
  );

  it('that is cancelled is no stay, and is reported as cancelled', () => {
    const found = staysIn([entry('a', '2026-04-16', '2026-04-19', { isCancelled: true })], NOT_STAYS);
    expect([found.bookings, [...found.cancelled], found.notStays]).toEqual([[], ['a'], 0]);
  });

  it('counts in its newest version, in any order, and not without a night', () => {
    const versions = [2, 1].map((sequence) =>
      entry('a', '2026-04-16', '2026-04-19', { sequence, summary: `Version ${String(sequence)}` }),
    );
    const nightless = entry('b', '2026-04-16', '2026-04-16');
    for (const entries of [versions, versions.toReversed()]) {
      const found = staysIn([...entries, nightless], NOT_STAYS);
      expect(found.bookings).toMatchObject([{ uid: 'a', summary: 'Version 2' }]);
    }
  });

  it('with words that a person named is no stay, and then the usual words do not count', () => {
    const entries = [
      entry('a', '2026-04-16', '2026-04-19', { summary: 'Yoga week' }),
      entry('b', '2026-04-20', '2026-04-21', { summary: 'CLOSED - Not available' }),
    ];
    const found = staysIn(entries, ['yoga', ' ']);
    expect(found.bookings.map(({ uid }) => uid)).toEqual(['b']);
    expect(found.notStays).toBe(1);
  });

  it('keeps sixty characters of its title, and nothing of its description', () => {
    const long = entry('a', '2026-04-16', '2026-04-19', {
      summary: 'x'.repeat(200),
      description: 'Secret 12',
    });
    const [booking] = staysIn([long], NOT_STAYS).bookings;
    expect(booking?.summary).toHaveLength(60);
    expect(JSON.stringify(booking)).not.toContain('Secret');
  });
});

describe('marks of arrival and departure', () => {
  const titled = (uid: string, from: string, until: string, summary: string) =>
    entry(uid, `2026-04-${from}`, `2026-04-${until}`, { summary });
  const found = (...entries: readonly ReturnType<typeof titled>[]) => {
    const { bookings, marks } = staysIn(entries, NOT_STAYS);
    return [
      bookings.map(
        ({ uid, start, end }) =>
          `${uid} ${JSON.stringify(start).slice(-4, -2)}-${JSON.stringify(end).slice(-4, -2)}`,
      ),
      marks,
    ];
  };

  it.each([
    ['Check-in: Anna Berger', 'Check-out: Anna Berger'],
    ['Anreise Anna', 'Abreise Anna'],
    ['Arrivée Anna', 'Départ Anna'],
    ['Llegada: Anna', 'Salida: Anna'],
    ['Arrivo Anna', 'Partenza Anna'],
    ['Anna (aankomst)', 'Anna (vertrek)'],
    ['チェックイン', 'チェックアウト'],
    ['Arrival', 'Departure'],
  ])('"%s" and "%s" beside a stay are counted, and no stays', (arrival, departure) => {
    const stay = titled('s', '16', '19', 'Anna Berger');
    expect(found(titled('a', '16', '17', arrival), stay, titled('d', '19', '20', departure))).toEqual([
      ['s 16-19'],
      2,
    ]);
  });

  it('in place of a stay are one stay', () => {
    expect(
      found(
        titled('d', '19', '20', 'Departure: Anna Berger'),
        titled('a', '16', '17', 'Arrival: Anna Berger'),
        titled('b', '19', '20', 'Arrival: Bernd Koch'),
      ),
    ).toEqual([['a 16-19', 'b 19-20'], 1]);
  });

  it('of another guest, of several nights, or with both words, are stays', () => {
    expect(
      found(
        titled('s', '16', '19', 'Anna Berger'),
        titled('a', '16', '17', 'Arrival: Bernd Koch'),
        titled('b', '19', '22', 'Check-in Carla Diaz'),
        titled('c', '23', '24', 'Check-in Dora Evers, late check-out'),
      )[0],
    ).toHaveLength(4);
  });
});

describe('the last four digits of a phone', () => {
  it.each([
    ['Phone Number (Last 4 Digits): 1234', '1234'],
    ['Reservation 987654\nPhone Number (Last 4 Digits): 0042\nNights: 3', '0042'],
    ['Phone: +44 7700 900123', '0123'],
    ['Mobile 0170/555 01-99', '0199'],
    ['Call +1 (555) 010-4477 before', '4477'],
  ])('of "%s" are %s', (text, digits) => {
    expect(phoneLastFour(text)).toBe(digits);
  });

  it.each(['', 'Reservation HM1234567890', 'Arrives 2026-04-16', 'phone: 12', 'last 4 digits: 12345'])(
    'are not found in "%s"',
    (text) => {
      expect(phoneLastFour(text)).toBeNull();
    },
  );
});
