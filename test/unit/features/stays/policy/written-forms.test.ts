// What people and programs write about a booking, in forms that differ by words, blanks, brackets, numbers and languages.
import { describe, expect, it } from 'vitest';
import { guestIn, referencesIn } from '../../../../../src/features/stays/policy/booking-marks.ts';
import {
  blockedMarksOf,
  isCancelledTitle,
  isUnconfirmed,
  NOT_STAYS,
} from '../../../../../src/features/stays/policy/booking-terms.ts';
import { guestDigits } from '../../../../../src/features/stays/policy/guest-phone.ts';
import { guestVerdict } from '../../../../../src/features/stays/policy/stay-identity.ts';

const isBlockedBy = blockedMarksOf(NOT_STAYS);

function kindOf(title: string): string {
  if (isCancelledTitle(title)) {
    return 'off';
  }
  return isBlockedBy(title).length > 0 ? 'blocked' : isUnconfirmed(title) ? 'pending' : 'stay';
}

describe('the phone of the guest, and no other number (faults#150)', () => {
  it.each<readonly [string, string | null]>([
    ['Tel: 0171 / 23 45 678 (mobil)', '01712345678'],
    ['Telefon des Gastes: 0171-2345678', '01712345678'],
    ['Phone: 555-0142 ext. 12', '5550142'],
    ['Phone: +1 (415) 555-0142 x204', '14155550142'],
    ['Phone: +1 415 555 0142;ext=9', '14155550142'],
    ['Phone: 1-800-FLOWERS', null],
    ['Tél. : 06.12.34.56.78', '0612345678'],
    ['Tél : 06 12 34 56 78', '0612345678'],
    ['Téléphone du voyageur : 06 12 34 56 78', '0612345678'],
    ['Móvil: 612 345 678', '612345678'],
    ['Teléfono del anfitrión: 612 345 678\nTeléfono del huésped: 698 765 432', '698765432'],
    ['Cellulare ospite: 347 1234567', '3471234567'],
    ['Cell. 347/1234567', '3471234567'],
    ['Tel. host 06 1234567, tel. ospite 347 7654321', '3477654321'],
    ['Telefoonnummer gast: 06-12345678', '0612345678'],
    ['電話番号：０９０－１２３４－５６７８', '09012345678'],
    ['携帯電話 090-1234-5678', '09012345678'],
    ['ホスト電話: 03-1234-5678', null],
    ['Contact number: 07700 900123', '07700900123'],
    ['Contact: 07700 900123', '07700900123'],
    ['Mobile no. 07700 900 123', '07700900123'],
    ['Phone (guest): 07700 900123', '07700900123'],
    ['WhatsApp +44 7700 900123 | Host +44 20 7946 0000', '447700900123'],
    ['Our phone: +44 20 7946 0000', null],
    ['If you have any questions call +44 20 7946 0000', null],
    ['For help call 020 7946 0000', null],
    ['24/7 emergency line: +44 20 7946 0000', null],
    ['Check-in desk phone: 020 7946 0000', null],
    ['Phone number (last 4): 0142', '0142'],
    ['Phone Number (Last 4 Digits): 0142', '0142'],
    ['Last four digits of phone: 0142', '0142'],
    ['Teléfono (últimos 4 dígitos): 0142', '0142'],
    ['Numéro de téléphone (4 derniers chiffres) : 0142', '0142'],
    ['Phone: *** *** 0142', '0142'],
    ['Phone: xxx-xxx-0142', '0142'],
    ['Phone: ●●●●0142', '0142'],
    ['Card ending in 0142', null],
    ['VISA ****0142', null],
    ['Phone: 2026-05-01', null],
    ['Phone: +447700900123 (2)', '447700900123'],
    ['Guests: 2 Phone: +44 7700 900123 Adults: 2', '447700900123'],
    ['Phone: +44 7700 900123, 2 adults, 1 child', '447700900123'],
    ['Phone: 07700900123 / 07700900456', '07700900123'],
    ['tel:+447700900123', '447700900123'],
    ['<a href="tel:+447700900123">+44 7700 900123</a>', '447700900123'],
    ['Phone:\n+44 7700 900123', '447700900123'],
    ['Phone\t+44 7700 900123', '447700900123'],
    ['Phone: 0044 7700 900123', '00447700900123'],
    ['Phone: (+49) 171 2345678', '491712345678'],
    ['Phone: +49 (0)171 2345678', '4901712345678'],

    ['Phone: n/a', null],
    ['Phone: unknown\nBooking 12345678', null],
    ['Phone: –\nReservation number: 5551234567', null],
    ['Reservation 5551234567 phone 07700900123', '07700900123'],
    ['IBAN DE89 3704 0044 0532 0130 00', null],
    ['Door code: 4711', null],
    ['Total paid: +1234567.00', null],

    ['Tax ID: +123456789', null],
    ['Property manager Maria: +39 06 1234567\nOspite: Luca, +39 347 7654321', '393477654321'],
    ['Gast: Anna Berger, Tel. 0171 2345678, Vermieter: 089 1234567', '01712345678'],
    ['Mobil 0171 2345678 (Gast), 089 1234567 (Verwaltung)', '01712345678'],
    ['Téléphone 06 12 34 56 78 – 2 voyageurs – 3 nuits', '0612345678'],
    ['Phone: +44 7700 900123 4 nights', '447700900123'],
    ['Guest phone +44\u00a07700\u202f900\u2009123', '447700900123'],
    ['Guest phone +44‑7700‑900‑123', '447700900123'],
  ])('%j: %s', (text, digits) => {
    expect(guestDigits(text)).toBe(digits);
  });
});

describe('a title is a stay, blocked nights, not confirmed, or off (faults#151)', () => {
  it.each<readonly [string, string]>([
    ['BLOCKED', 'blocked'],
    ['blocked by host', 'blocked'],
    ['Host block', 'blocked'],
    ['Dates blocked', 'blocked'],
    ['Not Available (Portal)', 'blocked'],
    ['Unavailable – owner', 'blocked'],
    ['Owner: family visit', 'blocked'],
    ['Stay of Owner', 'blocked'],
    ['Owner Hans Meier', 'blocked'],
    ['Mr Block', 'stay'],
    ['Block, Anna', 'stay'],
    ['Anna Block', 'stay'],
    ['Reserved - Holder', 'stay'],
    ['Holder, Max', 'stay'],
    ['Anna Holdsworth', 'stay'],
    ['Closed', 'blocked'],
    ['Anna - closed loop tour', 'stay'],
    ['Cleaning', 'blocked'],
    ['Housekeeping', 'blocked'],
    ['Reinigung', 'blocked'],
    ['Ménage', 'blocked'],
    ['Limpieza', 'blocked'],
    ['Pulizie', 'blocked'],
    ['Schoonmaak', 'blocked'],
    ['清掃', 'blocked'],
    ['Private use', 'blocked'],
    ['Personal use', 'blocked'],
    ['Renovation', 'blocked'],
    ['Eigenbelegung Familie', 'blocked'],
    ['Belegt', 'stay'],
    ['Busy', 'stay'],
    ['Reserved', 'stay'],
    ['Booked', 'stay'],
    ['Occupé', 'stay'],
    ['Ocupado', 'stay'],
    ['Seasonal closure', 'blocked'],
    ['Saison geschlossen', 'blocked'],
    ['Fermeture annuelle', 'blocked'],
    ['Cierre temporal', 'blocked'],
    ['Chiusura stagionale', 'blocked'],
    ['冬季休業', 'blocked'],
    ['[HOLD] Anna Berger', 'pending'],
    ['(pending) Anna', 'pending'],
    ['Anna?', 'stay'],
    ['Anna Berger (option until 3 May)', 'pending'],
    ['Option bis 3.5.: Anna', 'pending'],
    ['tbc Anna', 'pending'],
    ['TBC - Anna', 'pending'],
    ['To be confirmed: Anna', 'pending'],
    ['Waiting for payment - Anna', 'pending'],
    ['Anna Berger - unpaid', 'stay'],
    ['Angebot Anna', 'pending'],
    ['Anna – Anfrage', 'pending'],
    ['Anna, auf Anfrage', 'pending'],
    ['PRERESERVA ANNA', 'pending'],
    ['pre-reserva Anna', 'pending'],
    ['Réservation provisoire Anna', 'pending'],
    ['Prenotazione in attesa', 'pending'],
    ['Anna (in optie)', 'pending'],
    ['【仮予約】アンナ', 'pending'],
    ['Unconfirmed booking', 'pending'],
    ['Request to book: Anna', 'pending'],
    ['Reservation request', 'pending'],
    ['Late check-in on request - Anna', 'stay'],
    ['Anna, cot requested', 'stay'],
    ['Anna (no smoking request)', 'stay'],
    ['CANCELLED: Anna', 'off'],
    ['Anna (cancelled)', 'off'],
    ['Anna - CANCELED', 'off'],
    ['[Cancelled] Anna', 'off'],
    ['Storno Anna', 'off'],
    ['Anna storniert', 'off'],
    ['Annulé - Anna', 'off'],
    ['Anna (annulée)', 'off'],
    ['Cancelada: Anna', 'off'],
    ['Anna annullata', 'off'],
    ['Geannuleerd Anna', 'off'],
    ['キャンセル アンナ様', 'off'],
    ['アンナ様（キャンセル）', 'off'],
    ['No-show: Anna', 'stay'],
    ['Anna - free cancellation', 'stay'],
    ['Anna, non-cancellable', 'stay'],
    ['Anna (kostenlos stornierbar)', 'stay'],
  ])('%j is %s', (title, kind) => {
    expect(kindOf(title)).toBe(kind);
  });
});

describe('the name of the guest (faults#149)', () => {
  it.each<readonly [string, string, string | null]>([
    ['Reserved', 'Guest name: Anna Berger', 'anna berger'],
    ['Reserved', 'Name: BERGER, ANNA', 'berger anna'],
    ['ANNA BERGER', '', 'anna berger'],
    ['Anna 😀 Berger', '', 'anna berger'],
    ['😀', '', null],
    ['Reservation for Anna Berger', '', 'anna berger'],
    ['Anna Berger (2 guests)', '', 'anna berger'],
    ['Anna Berger x2', '', 'anna berger'],
    ['Anna & Bernd Berger', '', 'anna bernd berger'],
    ['Booking 12345 - Anna Berger', '', 'anna berger'],
    ['Anna Berger | Portal', '', 'anna berger'],
    ['Reserved', 'Booked by: Anna Berger\nPhone: 1', 'anna berger'],
    ['Reserved', 'Guest: Anna Berger (2 adults)', 'anna berger'],
    ['Reserved', 'Gästename: Anna Berger', 'anna berger'],
    ['Reserved', 'Nom du client : Anna Berger', 'anna berger'],
    ['Reserved', 'Nombre del huésped: Anna Berger', 'anna berger'],
    ['Reserved', "Nome dell'ospite: Anna Berger", 'anna berger'],
    ['Reserved', 'Naam van de gast: Anna Berger', 'anna berger'],
    ['Reserved', 'お名前：山田太郎', '山田太郎'],
    ['Reserved', 'First name: Anna\nLast name: Berger', 'anna berger'],
    ['Reserved', 'Vorname: Anna\nNachname: Berger', 'anna berger'],
    ['Reserved', 'Guest Name - Anna Berger', 'anna berger'],
    ['Reserved', '<b>Guest:</b> Anna Berger<br>Phone: 1', 'anna berger'],
    ['Reserved', 'Lead guest: Anna Berger', 'anna berger'],
    ['Reserved', 'Contact name: Anna Berger', 'anna berger'],
    ['Reserved', 'Primary Guest: Anna Berger', 'anna berger'],
    ['Reserved', 'Guest(s): Anna Berger', 'anna berger'],
    ['Reserved', 'Property name: Seaview\nGuest: Anna', 'anna'],
  ])('%j with %j: %s', (title, text, guest) => {
    expect(guestIn(title, text)).toBe(guest);
  });
});

describe('the number of the reservation (faults#149)', () => {
  it.each<readonly [string, string, readonly string[]]>([
    ['', 'Reservation number: 123 456 789', ['123456789']],
    ['', 'Confirmation code: HMABC12345', ['HMABC12345']],
    ['', 'Conf. no.: 12345678', ['12345678']],
    ['', 'Booking ID 1234-5678-90', ['1234-5678-90']],
    ['', 'Booking ID: 1234567890', ['1234567890']],
    ['', 'Buchungsnummer: 12 34 56 78', ['12345678']],
    ['', 'Buchungs-Nr. 12345678', ['12345678']],
    ['', 'N° de réservation : 12345678', ['12345678']],
    ['', 'Numéro de réservation: 12345678', ['12345678']],
    ['', 'Número de reserva: 12345678', ['12345678']],
    ['', 'Numero prenotazione: 12345678', ['12345678']],
    ['', 'Reserveringsnummer: 12345678', ['12345678']],
    ['', '予約番号：12345678', ['12345678']],
    ['', 'Reservation URL: https://portal.example/hosting/reservations/details/HMXYZ12345', ['HMXYZ12345']],
    ['', 'https://portal.example/r?res_id=12345678&lang=en', ['12345678']],
    ['Anna (HMXYZ12345)', '', ['HMXYZ12345']],
    ['#12345 Anna', '', ['12345']],
    ['Anna 2026-05-01', '', []],
    ['Anna Room 101', '', []],
    ['Apt12B Anna', '', []],
    ['', 'Booking date: 2026-05-01', []],
    ['', 'Booking total: 1234.50', []],
    ['', 'Booking phone: 07700900123', []],
    ['', 'Reservation for 2 guests', []],
  ])('%j with %j: %j', (title, text, ids) => {
    expect(referencesIn(title, text)).toEqual(ids);
  });

  it('is the same with hyphens and without', () => {
    const [one, other] = ['Booking ID 1234-5678-90', 'Booking ID: 1234567890'].map((text) => ({
      references: referencesIn('', text),
      phone4: null,
      guest: null,
    }));
    expect(one && other && guestVerdict(one, other, false)).toBe('same');
  });
});
