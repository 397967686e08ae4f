// What comes of the text of a calendar, in a line that a test can name.
import { parseCalendar } from '../../src/features/stays/calendar/parse-calendar.ts';
import { NOT_STAYS, staysIn } from '../../src/features/stays/policy/stay-entries.ts';
import { NO_OWN_HOURS, windowOf } from '../../src/features/stays/policy/stay-hours.ts';
import { calendar, event, SPAN_2026 } from './calendar-text.ts';

const HOURS = { checkIn: '15:00', checkOut: '11:00', minutesBefore: 0, minutesAfter: 0 };

export const nights = (from: string, until: string): readonly string[] => [
  `DTSTART;VALUE=DATE:${from}`,
  `DTEND;VALUE=DATE:${until}`,
];
export const MAY = nights('20260501', '20260504');
export const ev = (...lines: readonly string[]): string => calendar(event(...lines));

/** Arrival and departure in UTC, with name, phone and numbers of the guest; then what is counted beside the stays. */
export function told(text: string): readonly [string, string] {
  const parsed = parseCalendar(text, SPAN_2026);
  if (parsed.kind === 'failed') {
    return [parsed.problem, ''];
  }
  const found = staysIn(parsed.entries, NOT_STAYS);
  const stays = found.bookings.map(({ guest, phone4, references = [], ...booking }) => {
    const { arrivalAt, departureAt } = windowOf(booking, NO_OWN_HOURS, HOURS, 'Europe/Paris');
    const [from, until] = [arrivalAt, departureAt].map((at) => new Date(at).toISOString().slice(5, 16));
    return `${from ?? ''}..${until ?? ''} ${guest ?? '-'}/${phone4 ?? '-'}/${references.join('+') || '-'}`;
  });
  const counts = {
    off: found.cancelled.size,
    blocked: found.notStays,
    pending: found.unconfirmed,
    marks: found.marks,
  };
  return [
    stays.join(' ; ') || 'none',
    [
      ...Object.entries(counts).flatMap(([name, count]) => (count === 0 ? [] : [`${name} ${String(count)}`])),
      ...(parsed.unknownZones ?? []).map((zone) => `zone ${zone}`),
    ].join(', '),
  ];
}
