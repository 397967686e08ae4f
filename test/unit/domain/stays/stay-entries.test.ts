// Which entries of a calendar are stays, and which part of a guest's phone number is stored.
import { describe, expect, it } from 'vitest';
import { NOT_STAYS, phoneLastFour, staysIn } from '../../../../src/domain/stays/stay-entries.ts';
import { entry } from '../../../homes/stay-home.ts';

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

  it('counts in its newest version, and not without a night', () => {
    const versions = [2, 1].map((sequence) => entry('a', '2026-04-16', '2026-04-19', { sequence }));
    const found = staysIn([...versions, entry('b', '2026-04-16', '2026-04-16')], NOT_STAYS);
    expect(found.bookings).toMatchObject([{ uid: 'a', sequence: 2 }]);
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
