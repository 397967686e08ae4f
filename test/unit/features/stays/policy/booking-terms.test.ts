// Words of portals and owners in titles: blocked nights, inquiries, cancellations, and names, in seven languages.
import { describe, expect, it } from 'vitest';
import { guestIn, referencesIn } from '../../../../../src/features/stays/policy/booking-marks.ts';
import {
  blockedMarksOf,
  isCancelledTitle,
  isUnconfirmed,
  NOT_STAYS,
  nameWords,
} from '../../../../../src/features/stays/policy/booking-terms.ts';

const LANGUAGES = {
  English: {
    blocked: [
      'Portal (Not available)',
      'CLOSED - Not available',
      'Blocked',
      'Owner stay',
      'Maintenance: boiler',
    ],
    pending: [
      'Pending: Anna',
      'Anna (tentative)',
      'HOLD - Anna',
      'Option',
      'Booking request from Anna',
      'Inquiry - Anna',
      'Anna - On hold',
    ],
  },
  German: {
    blocked: [
      'Nicht verfügbar',
      'Gesperrt',
      'Wohnung blockiert',
      'Eigennutzung',
      'GESCHLOSSEN – nicht buchbar',
    ],
    pending: ['Anfrage Anna', 'Option: Anna', 'Anna (unbestätigt)', 'Vorreservierung Anna', 'Vorläufig'],
  },
  French: {
    blocked: ['Non disponible', 'Indisponible', 'Bloqué', 'FERMÉ - Non disponible', 'Séjour propriétaire'],
    pending: ['En attente - Anna', 'Demande de réservation', 'Option - Anna', 'Anna (non confirmée)'],
  },
  Spanish: {
    blocked: ['No disponible', 'Bloqueado', 'CERRADO - No disponible', 'Uso propio'],
    pending: ['Pendiente: Anna', 'Solicitud de reserva', 'Anna (sin confirmar)', 'Prerreserva'],
  },
  Italian: {
    blocked: ['Non disponibile', 'Bloccato', 'CHIUSO - Non disponibile', 'Uso personale', 'Manutenzione'],
    pending: ['In attesa: Anna', 'Richiesta di prenotazione', 'Opzione - Anna', 'Anna (da confermare)'],
  },
  Dutch: {
    blocked: ['Niet beschikbaar', 'Geblokkeerd', 'GESLOTEN - Niet beschikbaar', 'Eigen gebruik', 'Onderhoud'],
    pending: ['In afwachting - Anna', 'Aanvraag: Anna', 'Optie', 'Anna (voorlopig)'],
  },
  Japanese: {
    blocked: ['予約不可', 'ブロック', 'クローズ - 予約不可', 'オーナー利用', 'メンテナンス'],
    pending: ['仮予約 アンナ様', '保留', 'アンナ様（承認待ち）', '予約リクエスト'],
  },
} as const;

describe.each(Object.entries(LANGUAGES))('in %s', (_, { blocked, pending }) => {
  it.each(blocked)('"%s" is no stay', (title) => {
    expect(blockedMarksOf(NOT_STAYS)(title)).not.toEqual([]);
  });

  it.each(pending)('"%s" is not confirmed (faults#151)', (title) => {
    expect(isUnconfirmed(title)).toBe(true);
    expect(blockedMarksOf(NOT_STAYS)(title)).toEqual([]);
  });
});

it.each([
  'Reserved',
  'Anna Berger',
  'The closed circle',
  'Late check-in on request',
  'Holden family',
  'Reserviert - Klaus',
  'Optima Reisen',
  '',
])('"%s" is a confirmed stay', (title) => {
  expect([blockedMarksOf(NOT_STAYS)(title), isUnconfirmed(title), isCancelledTitle(title)]).toEqual([
    [],
    false,
    false,
  ]);
});

it('words of a person are the only ones that count', () => {
  expect(blockedMarksOf(['Yoga'])('Gesperrt')).toEqual([]);
  expect(blockedMarksOf(['Yoga'])('Yoga-Woche')).toEqual(['yoga']);
});

it.each(['Cancelled: Anna', 'Storniert - Anna', 'Annulé Anna', 'Cancelada: Anna', 'キャンセル アンナ'])(
  '"%s" is cancelled',
  (title) => {
    expect(isCancelledTitle(title)).toBe(true);
  },
);

it.each([
  ['Reserved', null],
  ['Reserved - Anna B.', 'anna b'],
  ['Booking 12345: Müller, Jörg (2 adults)', 'muller jorg'],
  ['Booked (HMAB12CD34)', null],
  ['予約済み', null],
  ['CLOSED - Not available', null],
])('the name in "%s" is %s', (title, name) => {
  expect(guestIn(title, '')).toBe(name);
});

it('a name that the text gives counts where the title has none', () => {
  expect(guestIn('Reserved', 'Nights: 3\nGuest name: Anna Berger')).toBe('anna berger');
  expect(guestIn('Reserviert', 'Gast: Jörg Müller\nTelefon: 1')).toBe('jorg muller');
  expect(nameWords('2 guests')).toBeNull();
});

it.each([
  ['', 'Reservation URL: https://www.portal.example/hosting/reservations/details/HMAB12CD34', ['HMAB12CD34']],
  ['', 'https://admin.rooms.example/booking.html?res_id=4711001234&lang=en', ['4711001234']],
  ['', 'Booking number: 4711001234\nPhone: +44 7700 900123', ['4711001234']],
  ['', 'Reservierungsnummer: AB-12345', ['AB-12345']],
  ['', 'Confirmation code HMAB12CD34', ['HMAB12CD34']],
  ['Anna Berger (ORB1234567)', '', ['ORB1234567']],
  ['Booking #4711001', '', ['4711001']],
  ['Anna', 'Arrival: 2026-04-16, https://portal.example/rooms/1234567', []],
])('the numbers of the reservation in "%s" "%s" are %s', (title, text, references) => {
  expect(referencesIn(title, text)).toEqual(references);
});
