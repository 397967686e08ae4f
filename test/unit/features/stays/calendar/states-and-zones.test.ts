// States of bookings, zones and hours as programs write them beside the standard.
import { expect, it } from 'vitest';
import { ev, MAY, told } from '../../../../support/told-calendar.ts';

const STAY = '05-01T13:00..05-04T09:00 anna/-/-';

it.each([
  ['STATUS:CANCELLED BY GUEST', 'none', 'off 1'],
  ['STATUS:DECLINED', 'none', 'off 1'],
  ['STATUS:Expired', 'none', 'off 1'],
  ['STATUS:VOID', 'none', 'off 1'],
  ['STATUS:AWAITING_PAYMENT', 'none', 'off 1, pending 1'],
  ['STATUS:ON_HOLD', 'none', 'off 1, pending 1'],
  ['STATUS:NEEDS ACTION', 'none', 'off 1, pending 1'],
  ['STATUS:WAITLIST', 'none', 'off 1, pending 1'],
  ['STATUS:DRAFT', 'none', 'off 1, pending 1'],
  ['X-MICROSOFT-CDO-BUSYSTATUS:TENTATIVE', 'none', 'off 1, pending 1'],
  ['STATUS:CONFIRMED\r\nX-MICROSOFT-CDO-BUSYSTATUS:TENTATIVE', STAY, ''],
  ['X-MICROSOFT-CDO-BUSYSTATUS:BUSY', STAY, ''],
  ['STATUS:BOOKED', STAY, ''],
  ['STATUS:VOIDABLE', STAY, ''],
  ['DESCRIPTION:Status: Cancelled\\nPhone: 07700 900123', 'none', 'off 1'],
])('%j (faults#151)', (line, stays, others) => {
  expect(told(ev('UID:1', 'SUMMARY:Anna', line, ...MAY))).toEqual([stays, others]);
});

it.each([
  ['BST', STAY, 'zone BST'],
  ['IST', STAY, 'zone IST'],
  ['ECT', STAY, 'zone ECT'],
  ['EST5EDT', '05-01T20:00..05-04T14:00 anna/-/-', ''],
  ['+02:00', '05-01T14:00..05-04T08:00 anna/-/-', ''],
  ['/vendor.example/Tzfile/Europe/Paris', '05-01T14:00..05-04T08:00 anna/-/-', ''],
  ['America/Argentina/Buenos_Aires', '05-01T19:00..05-04T13:00 anna/-/-', ''],
])('the zone %s (faults#165)', (zone, stays, others) => {
  const hours = [`DTSTART;TZID=${zone}:20260501T160000`, `DTEND;TZID=${zone}:20260504T100000`];
  expect(told(ev('UID:1', 'SUMMARY:Anna', ...hours))).toEqual([stays, others]);
});

it.each([
  ['20260501T150000', '20260504T000000', '05-01T13:00..05-04T09:00'],
  ['20260501T160000', '20260503T220000Z', '05-01T14:00..05-04T09:00'],
  ['20260501T000000', '20260504T100000', '05-01T13:00..05-04T08:00'],
  ['20260501T180000', '20260502T000000', '05-01T16:00..05-02T09:00'],
  ['20260501T000000', '20260501T100000', '04-30T22:00..05-01T08:00'],
  ['20260501T150000', '20260504T003000', '05-01T13:00..05-03T22:30'],
])('an end at midnight from %s to %s has the hour of the calendar (faults#153)', (from, until, span) => {
  expect(told(ev('UID:1', 'SUMMARY:Anna', `DTSTART:${from}`, `DTEND:${until}`))[0]).toContain(span);
});
