// Whose number stands in the text of a booking, in the words of seven languages.
import { describe, expect, it } from 'vitest';
import { guestDigits } from '../../../../../src/features/stays/policy/guest-phone.ts';

const four = (text: string): string | null => guestDigits(text)?.slice(-4) ?? null;

describe('the guest’s number (faults#150)', () => {
  it.each([
    ['Phone: +44 7700 900123', '0123'],
    ['Phone:+44\u00a07700\u2009900\u202f123', '0123'],
    ['Tel. (0170) 555-0199', '0199'],
    ['Mobile: 07700\u2011900\u2013456', '0456'],
    ['Telefonnummer des Gastes: 0170/5550199', '0199'],
    ['Handy: 0170 555 01 99 bitte anrufen', '0199'],
    ['Téléphone : 06 12 34 56 78 Anna', '5678'],
    ['Portable du voyageur: +33 6 12 34 56 78', '5678'],
    ['Teléfono móvil: 612 34 56 78', '5678'],
    ['Cellulare: 333 123 4567', '4567'],
    ['Telefoon: 06-12345678', '5678'],
    ['電話番号：０９０−１２３４−５６７８', '5678'],
    ['ゲスト携帯: 090-1234-5678', '5678'],
    ['Phone: +44 7700 900123 2 guests', '0123'],
    ['Phone: +44 7700 900123 (2)', '0123'],
    ['Phone: +44 7700 900123 / 2 adults', '0123'],
    ['Tel: 0170 5550199 2 Erwachsene', '0199'],
    ['電話: 090-1234-5678 2名', '5678'],
    ['Guests: 2, Phone: +44 7700 900123, Nights: 3', '0123'],
    ['Phone Number (Last 4 Digits): 1234', '1234'],
    ['Telefonnummer (letzte 4 Ziffern): 1234', '1234'],
    ['Téléphone (4 derniers chiffres) : 1234', '1234'],
    ['Teléfono (últimos 4 dígitos): 1234', '1234'],
    ['Telefono (ultime 4 cifre): 1234', '1234'],
    ['Telefoonnummer (laatste 4 cijfers): 1234', '1234'],
    ['電話番号（下4桁）：1234', '1234'],
    ['Phone: *******1234', '1234'],
    ['Support: +44 20 7946 0999\nGuest phone: +44 7700 900123', '0123'],
    ['Host: +44 20 7946 0999, guest: +44 7700 900123', '0123'],
    ['Call +44 7700 900123', '0123'],
    ['Card ending 4242, phone: +44 7700 900123', '0123'],
    ['Customer phone: 020 7946 0123', '0123'],
    ['Kunde: +49 170 5550199', '0199'],
  ])('in "%s" ends with %s', (text, digits) => {
    expect(four(text)).toBe(digits);
  });

  it.each([
    'Support: +44 20 7946 0999',
    'For support call +44 20 7946 0999',
    '+44 20 7946 0999 (customer support)',
    'Host phone: +44 20 7946 0999',
    'Property phone: 020 7946 0999',
    'Portal hotline: +1 800 555 0100',
    'Questions? +44 20 7946 0999',
    'Gastgeber: +49 30 5550100',
    'Notfall-Telefon: +49 30 5550100',
    'Telefon der Unterkunft: +49 30 5550100',
    'Téléphone du propriétaire : +33 1 23 45 67 89',
    'Teléfono del alojamiento: +34 612 345 678',
    'Telefono struttura: +39 06 1234567',
    'Telefoon verhuurder: +31 20 1234567',
    '施設の電話: 03-1234-5678',
    'サポート: +81 3-1234-5678',
    'Property contact:\nPhone: +44 20 7946 0999',
    'Card (last 4 digits): 4242',
    'Visa ending in 4242',
    'Kreditkarte (letzte 4 Ziffern): 4242',
    'Carte bancaire (4 derniers chiffres) : 4242',
    'Card: 4242 4242 4242 4242',
    'Payment\nLast 4 digits: 4242',
    'Arrival: 2026-04-16, departure: 2026-04-19',
    'Phone: 2026-04-16',
    'Booking number 123456789',
    'IBAN +DE 1234 5678 9012',
    'Handyman: +44 20 7946 0999',
    'Fax: +44 20 7946 0999',
    '',
  ])('is not in "%s"', (text) => {
    expect(guestDigits(text)).toBeNull();
  });
});
