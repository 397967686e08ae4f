// Hours, nights and zones of calendars in further forms: what each program might write next.
import { expect, it } from 'vitest';
import { calendar, event } from '../../../../support/calendar-text.ts';
import { ev, nights, told } from '../../../../support/told-calendar.ts';

it.each<readonly [string, string, string, string]>([
  [
    'T00:00:00 no zone',
    ev('UID:1', 'SUMMARY:Anna', 'DTSTART:20260501T000000', 'DTEND:20260504T000000'),
    '05-01T13:00..05-04T09:00 anna/-/-',
    '',
  ],
  [
    'T000000Z to T235959Z',
    ev('UID:1', 'SUMMARY:Anna', 'DTSTART:20260501T000000Z', 'DTEND:20260503T235959Z'),
    '05-01T13:00..05-04T09:00 anna/-/-',
    '',
  ],
  [
    'midnight in zone, TZID Paris',
    ev(
      'UID:1',
      'SUMMARY:Anna',
      'DTSTART;TZID=Europe/Paris:20260501T000000',
      'DTEND;TZID=Europe/Paris:20260504T000000',
    ),
    '05-01T13:00..05-04T09:00 anna/-/-',
    '',
  ],
  [
    'midnight in zone New York',
    ev(
      'UID:1',
      'SUMMARY:Anna',
      'DTSTART;TZID=America/New_York:20260501T000000',
      'DTEND;TZID=America/New_York:20260504T000000',
    ),
    '05-01T13:00..05-04T09:00 anna/-/-',
    '',
  ],
  [
    '00:01 to 23:59',
    ev('UID:1', 'SUMMARY:Anna', 'DTSTART:20260501T000100', 'DTEND:20260503T235900'),
    '05-01T13:00..05-04T09:00 anna/-/-',
    '',
  ],
  [
    '24:00 end',
    ev('UID:1', 'SUMMARY:Anna', 'DTSTART:20260501T000000', 'DTEND:20260503T240000'),
    '05-01T13:00..05-04T09:00 anna/-/-',
    '',
  ],
  [
    '12:00Z to 12:00Z',
    ev('UID:1', 'SUMMARY:Anna', 'DTSTART:20260501T120000Z', 'DTEND:20260504T120000Z'),
    '05-01T12:00..05-04T12:00 anna/-/-',
    '',
  ],
  [
    'date with time behind',
    ev('UID:1', 'SUMMARY:Anna', 'DTSTART;VALUE=DATE:20260501T000000', 'DTEND;VALUE=DATE:20260504T000000'),
    '05-01T13:00..05-04T09:00 anna/-/-',
    '',
  ],
  [
    'date-time without VALUE, dashes',
    ev('UID:1', 'SUMMARY:Anna', 'DTSTART:2026-05-01', 'DTEND:2026-05-04'),
    '05-01T13:00..05-04T09:00 anna/-/-',
    '',
  ],
  [
    'ISO times',
    ev('UID:1', 'SUMMARY:Anna', 'DTSTART:2026-05-01T16:30:00+02:00', 'DTEND:2026-05-04T11:00:00+02:00'),
    '05-01T14:30..05-04T09:00 anna/-/-',
    '',
  ],
  [
    'offset compact',
    ev('UID:1', 'SUMMARY:Anna', 'DTSTART:20260501T163000+0200', 'DTEND:20260504T110000+0200'),
    '05-01T14:30..05-04T09:00 anna/-/-',
    '',
  ],
  [
    'VALUE=date lower, dtstart lower',
    calendar(
      'begin:vevent\r\nuid:1\r\nsummary:Anna\r\ndtstart;value=date:20260501\r\ndtend;value=date:20260504\r\nend:vevent\r\n',
    ),
    '05-01T13:00..05-04T09:00 anna/-/-',
    '',
  ],
  [
    'DURATION P3D',
    ev('UID:1', 'SUMMARY:Anna', 'DTSTART;VALUE=DATE:20260501', 'DURATION:P3D'),
    '05-01T13:00..05-04T09:00 anna/-/-',
    '',
  ],
  [
    'DTEND = DTSTART',
    ev('UID:1', 'SUMMARY:Anna', ...nights('20260501', '20260501')),
    '05-01T13:00..05-02T09:00 anna/-/-',
    '',
  ],
  [
    'no DTEND',
    ev('UID:1', 'SUMMARY:Anna', 'DTSTART;VALUE=DATE:20260501'),
    '05-01T13:00..05-02T09:00 anna/-/-',
    '',
  ],
  [
    'TZID W. Europe Standard Time no VTZ',
    ev(
      'UID:1',
      'SUMMARY:Anna',
      'DTSTART;TZID="W. Europe Standard Time":20260501T150000',
      'DTEND;TZID="W. Europe Standard Time":20260504T110000',
    ),
    '05-01T13:00..05-04T09:00 anna/-/-',
    '',
  ],
  [
    'TZID /citadel.org/.../Europe/Berlin',
    ev(
      'UID:1',
      'SUMMARY:Anna',
      'DTSTART;TZID=/citadel.org/20210210_1/Europe/Berlin:20260501T150000',
      'DTEND;TZID=/citadel.org/20210210_1/Europe/Berlin:20260504T110000',
    ),
    '05-01T13:00..05-04T09:00 anna/-/-',
    '',
  ],
  [
    'TZID GMT+0200',
    ev(
      'UID:1',
      'SUMMARY:Anna',
      'DTSTART;TZID=GMT+0200:20260501T150000',
      'DTEND;TZID=GMT+0200:20260504T110000',
    ),
    '05-01T13:00..05-04T09:00 anna/-/-',
    '',
  ],
  [
    'TZID UTC+2',
    ev('UID:1', 'SUMMARY:Anna', 'DTSTART;TZID=UTC+2:20260501T150000', 'DTEND;TZID=UTC+2:20260504T110000'),
    '05-01T13:00..05-04T09:00 anna/-/-',
    '',
  ],
  [
    'TZID CET',
    ev('UID:1', 'SUMMARY:Anna', 'DTSTART;TZID=CET:20260501T150000', 'DTEND;TZID=CET:20260504T110000'),
    '05-01T13:00..05-04T09:00 anna/-/-',
    '',
  ],
  [
    'TZID CEST',
    ev('UID:1', 'SUMMARY:Anna', 'DTSTART;TZID=CEST:20260501T150000', 'DTEND;TZID=CEST:20260504T110000'),
    '05-01T13:00..05-04T09:00 anna/-/-',
    'zone CEST',
  ],
  [
    'TZID europe/paris lower',
    ev(
      'UID:1',
      'SUMMARY:Anna',
      'DTSTART;TZID=europe/paris:20260501T150000',
      'DTEND;TZID=europe/paris:20260504T110000',
    ),
    '05-01T13:00..05-04T09:00 anna/-/-',
    '',
  ],
  [
    'TZID Europe/Kyiv vs Kiev',
    ev(
      'UID:1',
      'SUMMARY:Anna',
      'DTSTART;TZID=Europe/Kyiv:20260501T150000',
      'DTEND;TZID=Europe/Kiev:20260504T110000',
    ),
    '05-01T12:00..05-04T08:00 anna/-/-',
    '',
  ],
  [
    'TZID Nowhere/Land',
    ev(
      'UID:1',
      'SUMMARY:Anna',
      'DTSTART;TZID=Nowhere/Land:20260501T150000',
      'DTEND;TZID=Nowhere/Land:20260504T110000',
    ),
    '05-01T13:00..05-04T09:00 anna/-/-',
    'zone Nowhere/Land',
  ],
  [
    'TZID empty',
    ev('UID:1', 'SUMMARY:Anna', 'DTSTART;TZID=:20260501T150000', 'DTEND;TZID=:20260504T110000'),
    '05-01T13:00..05-04T09:00 anna/-/-',
    '',
  ],
  [
    'X-WR-TIMEZONE + floating',
    'BEGIN:VCALENDAR\r\nX-WR-TIMEZONE:America/New_York\r\n' +
      event('UID:1', 'SUMMARY:Anna', 'DTSTART:20260501T150000', 'DTEND:20260504T110000') +
      'END:VCALENDAR\r\n',
    '05-01T13:00..05-04T09:00 anna/-/-',
    '',
  ],
])('%s (faults#153, faults#165)', (_, text, stays, others) => {
  expect(told(text)).toEqual([stays, others]);
});
