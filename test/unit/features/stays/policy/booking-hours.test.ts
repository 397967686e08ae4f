// Hours in the text of a booking: found in the languages of the portals, and never guessed.
import { describe, expect, it } from 'vitest';
import { hoursIn } from '../../../../../src/features/stays/policy/booking-hours.ts';

describe('the hours in the text of a booking', () => {
  it.each([
    ['Check-in: 16:00\nCheck-out: 10:00', '16:00', '10:00'],
    ['CHECKIN 4 PM, CHECKOUT 10:30 a.m.', '16:00', '10:30'],
    ['Check-in: 2026-12-12 at 16:00\nCheck-out: 12/15/2026 10:00', '16:00', '10:00'],
    ['Check-in 3 pm - 10 pm, check-out 8:00 - 11:00', '15:00', '11:00'],
    ['Anreise ab 16 Uhr, Abreise bis 10.30 Uhr', '16:00', '10:30'],
    ['Arrivée : 17h30, départ : 11h', '17:30', '11:00'],
    ['Entrada a las 14:00. Salida: 12:00', '14:00', '12:00'],
    ['Arrivo dalle 15:00, partenza entro le 10:00', '15:00', '10:00'],
    ['Aankomst: 15:00 uur, vertrek: 10:00 uur', '15:00', '10:00'],
    ['チェックイン：15時、チェックアウト：10:00', '15:00', '10:00'],
  ])('are found: %j', (text, checkIn, checkOut) => {
    expect(hoursIn(text)).toEqual({ checkIn, checkOut });
  });

  it.each([
    'Check-in: 2026-12-12\nCheck-out: 2026-12-15',
    'Check-in 12.12., check-out 15.12.',
    'Check-in: 3, check-out: 5 guests',
    'Check-in: 25:00, check-out 10:75',
    'Phone +44 7700 900123, 2 guests, 3 nights',
    'Check-in: 15:00 or check-in: 18:00',
    'Check-in: 03:00, check-out: 23:00',
    'Estimated time of arrival unknown',
    'Check-in code 4711, check-out fee 20€',
  ])('are not guessed: %j', (text) => {
    expect(hoursIn(text)).toEqual({ checkIn: null, checkOut: null });
  });
});
