// Guests and states of bookings in whole calendars, in further forms: what each program might write next.
import { expect, it } from 'vitest';
import { calendar, event } from '../../../../support/calendar-text.ts';
import { ev, MAY, nights, told } from '../../../../support/told-calendar.ts';

it.each<readonly [string, string, string, string]>([
  ['no SUMMARY', ev('UID:1', ...MAY), '05-01T13:00..05-04T09:00 -/-/-', ''],
  [
    'name in DESCRIPTION only',
    ev('UID:1', 'SUMMARY:Reserved', 'DESCRIPTION:Guest: Anna Berger\\nPhone: +44 7700 900123', ...MAY),
    '05-01T13:00..05-04T09:00 anna berger/0123/-',
    '',
  ],
  [
    'two guests in a booking',
    ev(
      'UID:1',
      'SUMMARY:Anna Berger & Bernd Meier',
      'DESCRIPTION:Phone: +44 7700 900123\\nPhone 2: +44 7700 900456',
      ...MAY,
    ),
    '05-01T13:00..05-04T09:00 anna berger bernd meier/0123/-',
    '',
  ],
  [
    'blocked in text of booking',
    ev(
      'UID:1',
      'SUMMARY:Anna Berger',
      'DESCRIPTION:Not available for other guests. Blocked: night before.',
      ...MAY,
    ),
    '05-01T13:00..05-04T09:00 anna berger/-/-',
    '',
  ],
  [
    'emoji',
    ev('UID:1', 'SUMMARY:🎉 Anna 👩‍👧 Berger 🎉', ...MAY),
    '05-01T13:00..05-04T09:00 anna berger/-/-',
    '',
  ],
  [
    'caps',
    ev('UID:1', 'SUMMARY:ANNA BERGER - RESERVED', ...MAY),
    '05-01T13:00..05-04T09:00 anna berger/-/-',
    '',
  ],
  [
    'back to back, 2 uids, same guest',
    calendar(
      event('UID:1', 'SUMMARY:Anna Berger', ...nights('20260501', '20260504')),
      event('UID:2', 'SUMMARY:Anna Berger', ...nights('20260504', '20260507')),
    ),
    '05-01T13:00..05-07T09:00 anna berger/-/-',
    '',
  ],
  [
    'back to back, no name, phone',
    calendar(
      event('UID:1', 'SUMMARY:Reserved', 'DESCRIPTION:Phone: 07700900123', ...nights('20260501', '20260504')),
      event('UID:2', 'SUMMARY:Reserved', 'DESCRIPTION:Phone: 07700900123', ...nights('20260504', '20260507')),
    ),
    '05-01T13:00..05-04T09:00 -/-/- ; 05-04T13:00..05-07T09:00 -/-/-',
    '',
  ],
  [
    'back to back, no marks',
    calendar(
      event('UID:1', 'SUMMARY:Reserved', ...nights('20260501', '20260504')),
      event('UID:2', 'SUMMARY:Reserved', ...nights('20260504', '20260507')),
    ),
    '05-01T13:00..05-04T09:00 -/-/- ; 05-04T13:00..05-07T09:00 -/-/-',
    '',
  ],
  [
    'split, gap of a night',
    calendar(
      event('UID:1', 'SUMMARY:Anna Berger', ...nights('20260501', '20260504')),
      event('UID:2', 'SUMMARY:Anna Berger', ...nights('20260505', '20260507')),
    ),
    '05-01T13:00..05-04T09:00 anna berger/-/- ; 05-05T13:00..05-07T09:00 anna berger/-/-',
    '',
  ],
  [
    'same uid twice: hold + confirmed',
    calendar(
      event('UID:1', 'SUMMARY:Hold - Anna', 'STATUS:TENTATIVE', ...MAY),
      event('UID:1', 'SUMMARY:Anna', 'STATUS:CONFIRMED', ...MAY),
    ),
    '05-01T13:00..05-04T09:00 anna/-/-',
    '',
  ],
  [
    'hold and confirmed, other uid',
    calendar(
      event('UID:1', 'SUMMARY:Anna', 'STATUS:TENTATIVE', ...MAY),
      event('UID:2', 'SUMMARY:Anna', 'STATUS:CONFIRMED', ...MAY),
    ),
    '05-01T13:00..05-04T09:00 anna/-/-',
    'off 1, pending 1',
  ],
  ['STATUS:CANCELLED', ev('UID:1', 'SUMMARY:Anna', 'STATUS:CANCELLED', ...MAY), 'none', 'off 1'],
  ['STATUS:canceled (US)', ev('UID:1', 'SUMMARY:Anna', 'STATUS:Canceled', ...MAY), 'none', 'off 1'],
  ['STATUS: CANCELLED blank', ev('UID:1', 'SUMMARY:Anna', 'STATUS: CANCELLED ', ...MAY), 'none', 'off 1'],
  [
    'STATUS:tentative lower',
    ev('UID:1', 'SUMMARY:Anna', 'STATUS:tentative', ...MAY),
    'none',
    'off 1, pending 1',
  ],
  ['STATUS:PENDING', ev('UID:1', 'SUMMARY:Anna', 'STATUS:PENDING', ...MAY), 'none', 'off 1, pending 1'],
  ['STATUS:REQUESTED', ev('UID:1', 'SUMMARY:Anna', 'STATUS:REQUEST', ...MAY), 'none', 'off 1, pending 1'],
  [
    'METHOD:CANCEL',
    'BEGIN:VCALENDAR\r\nMETHOD:CANCEL\r\n' + event('UID:1', 'SUMMARY:Anna', ...MAY) + 'END:VCALENDAR\r\n',
    'none',
    'off 1',
  ],
  [
    'X-BOOKING-STATUS? TRANSP:TRANSPARENT',
    ev('UID:1', 'SUMMARY:Anna', 'TRANSP:TRANSPARENT', ...MAY),
    '05-01T13:00..05-04T09:00 anna/-/-',
    '',
  ],
  [
    'BOM + blank lines',
    '\uFEFF\r\n\r\n' + ev('UID:1', 'SUMMARY:Anna', ...MAY),
    '05-01T13:00..05-04T09:00 anna/-/-',
    '',
  ],
  [
    'LF only, folded mid utf8',
    ev('UID:1', 'SUMMARY:Anna Ber\r\n ger', ...MAY).replace(/\r\n/g, '\n'),
    '05-01T13:00..05-04T09:00 anna berger/-/-',
    '',
  ],
  [
    'CR only',
    ev('UID:1', 'SUMMARY:Anna', ...MAY).replace(/\r\n/g, '\r'),
    '05-01T13:00..05-04T09:00 anna/-/-',
    '',
  ],
  [
    'SEQUENCE falls, same uid two guests',
    calendar(
      event('UID:1', 'SEQUENCE:5', 'SUMMARY:Anna Berger', ...MAY),
      event('UID:1', 'SEQUENCE:2', 'SUMMARY:Bernd Meier', ...nights('20260510', '20260512')),
    ),
    '05-01T13:00..05-04T09:00 anna berger/-/- ; 05-10T13:00..05-12T09:00 bernd meier/-/-',
    '',
  ],
  [
    'SEQ same uid newer version',
    calendar(
      event('UID:1', 'SEQUENCE:1', 'SUMMARY:Anna Berger', ...MAY),
      event('UID:1', 'SEQUENCE:2', 'SUMMARY:Anna Berger', ...nights('20260502', '20260505')),
    ),
    '05-02T13:00..05-05T09:00 anna berger/-/-',
    '',
  ],
  [
    'support phone in all',
    calendar(
      event('UID:1', 'SUMMARY:Reserved', 'DESCRIPTION:Phone: +44 20 7946 0000', ...MAY),
      event(
        'UID:2',
        'SUMMARY:Reserved',
        'DESCRIPTION:Phone: +44 20 7946 0000',
        ...nights('20260510', '20260512'),
      ),
    ),
    '05-01T13:00..05-04T09:00 -/-/- ; 05-10T13:00..05-12T09:00 -/-/-',
    '',
  ],
  [
    'marks with names',
    calendar(
      event('UID:1', 'SUMMARY:Anna Berger', ...MAY),
      event('UID:2', 'SUMMARY:Arrival Anna Berger', 'DTSTART:20260501T150000', 'DTEND:20260501T160000'),
      event('UID:3', 'SUMMARY:Departure Anna Berger', 'DTSTART:20260504T100000', 'DTEND:20260504T110000'),
    ),
    '05-01T13:00..05-04T09:00 anna berger/-/-',
    'marks 2',
  ],
  [
    'VTODO, VJOURNAL beside',
    calendar(
      'BEGIN:VTODO\r\nUID:9\r\nSUMMARY:Clean\r\nEND:VTODO\r\n',
      event('UID:1', 'SUMMARY:Anna', ...MAY),
    ),
    '05-01T13:00..05-04T09:00 anna/-/-',
    '',
  ],
  [
    'nested VALARM with DTSTART',
    ev(
      'UID:1',
      'SUMMARY:Anna',
      ...MAY,
      'BEGIN:VALARM',
      'ACTION:DISPLAY',
      'DESCRIPTION:Phone: 0123456789',
      'TRIGGER:-PT1H',
      'END:VALARM',
    ),
    '05-01T13:00..05-04T09:00 anna/-/-',
    '',
  ],
  [
    'two VCALENDARs',
    ev('UID:1', 'SUMMARY:Anna', ...MAY) + ev('UID:2', 'SUMMARY:Bernd', ...nights('20260510', '20260512')),
    '05-01T13:00..05-04T09:00 anna/-/- ; 05-10T13:00..05-12T09:00 bernd/-/-',
    '',
  ],
  [
    'space after colon',
    ev('UID: 1', 'SUMMARY: Anna', 'DTSTART;VALUE=DATE: 20260501', 'DTEND;VALUE=DATE: 20260504'),
    '05-01T13:00..05-04T09:00 anna/-/-',
    '',
  ],
  [
    'closed all',
    calendar(
      event('UID:1', 'SUMMARY:CLOSED - Not available', ...MAY),
      event('UID:2', 'SUMMARY:CLOSED - Not available', ...nights('20260510', '20260512')),
    ),
    'none',
    'blocked 2',
  ],
])('%s (faults#149, faults#151, faults#155)', (_, text, stays, others) => {
  expect(told(text)).toEqual([stays, others]);
});
