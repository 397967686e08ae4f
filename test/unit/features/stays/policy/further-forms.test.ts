// Forms of portals, programs and owners that were once read wrongly: strangers' numbers, other states, names that are no guest's.
import { describe, expect, it } from 'vitest';
import {
  guestIn,
  referencesIn,
  shownGuest,
  stateIn,
} from '../../../../../src/features/stays/policy/booking-marks.ts';
import {
  blockedMarksOf,
  isCancelledTitle,
  isUnconfirmed,
  NOT_STAYS,
} from '../../../../../src/features/stays/policy/booking-terms.ts';
import { guestDigits } from '../../../../../src/features/stays/policy/guest-phone.ts';
import { staysIn } from '../../../../../src/features/stays/policy/stay-entries.ts';
import { guestVerdict, isSurelyOf } from '../../../../../src/features/stays/policy/stay-identity.ts';
import { entry } from '../../../../homes/stay-home.ts';

const isBlockedBy = blockedMarksOf(NOT_STAYS);

describe('the phone of the guest (faults#150)', () => {
  it.each<readonly [string, string | null]>([
    ['Tour operator phone: +49 511 5678000', null],
    ['Reiseveranstalter: Sonne, Telefon 0511 567000', null],
    ['Reisbureau: tel 020-1234567', null],
    ['Airport transfer driver: +351 912 345 678', null],
    ['Taxi: +351 912 345 678', null],
    ['Cohost phone: +39 333 1112223', null],
    ['Neighbour: +39 333 1112223 has the spare key', null],
    ['Nachbar Tel. 0171 5550000 hat den Schlüssel', null],
    ['Key holder: +44 7700 900888', null],
    ['Emergency contact of guest: +44 7700 900555\nPhone: +44 7700 900123', '447700900123'],
    ['Phone: +1 000 000 0000', null],
    ['Phone: 000000000', null],
    ['Tel.: 0171 2345678 4 Pers.', '01712345678'],
    ['Tel.: 0171 2345678 2 Erw. 1 Kind', '01712345678'],
    ['Tel. 0171 2345678 5 Tage', '01712345678'],
    ['Tél 06 12 34 56 78 2 pers', '0612345678'],
    ['Tel 06-12345678 2 pers.', '0612345678'],
    ['Phone: +44 7700 900123 3 pets', '447700900123'],
    ['Phone: +44 7700 900123 2A 1C', '447700900123'],
    ['Phone: +44 7700 900123 10:30', '447700900123'],
    ['Phone: +44 7700 900123 16h', '447700900123'],
    ['Phone: +44 7700 900123 2026-05-01', '447700900123'],
    ['Phone: +44 7700 900123 01/05/2026', '447700900123'],
    ['Phone ends with 0142', '0142'],
    ['Last four of phone: 0142', '0142'],
    ['Tel. (últimas 4 cifras): 0142', '0142'],
    ['Teléfono termina en 0142', '0142'],
    ['Téléphone finissant par 0142', '0142'],
    ['Telefono che finisce con 0142', '0142'],
    ['Telefoon eindigt op 0142', '0142'],
  ])('in %j is %s', (text, digits) => {
    expect(guestDigits(text)).toBe(digits);
  });
});

describe('a title (faults#151)', () => {
  it.each([
    'Reservation cancelled - Anna Berger',
    'Stornierte Buchung',
    'Buchung storniert Anna',
    'Anna Berger STORNIERT wg. Krankheit',
    'Anna Berger cancelled 3 May',
    'CXL Anna Berger',
    'Réservation annulée Anna',
    'Reserva cancelada - Ana',
    'Prenotazione annullata Anna',
    'Reservering geannuleerd - Anna',
    '予約キャンセル 山田様',
  ])('%j is off', (title) => {
    expect(isCancelledTitle(title)).toBe(true);
  });

  it.each([
    'Reservation pending - Anna',
    'Payment pending: Anna',
    'Held for Anna Berger',
    'Waitlist: Anna',
    'Request from Anna',
    'Vrbo inquiry Anna',
    'Unverbindliche Anfrage Anna',
    'Warteliste Anna',
    'Demande en cours Anna',
    'Reserva pendiente de pago - Ana',
    'Solicitud de Ana',
    'Richiesta di Anna',
    'Aanvraag Anna',
    'Nog te bevestigen: Anna',
    'リクエスト中 山田様',
    '要確認 山田様',
  ])('%j is not confirmed', (title) => {
    expect(isUnconfirmed(title)).toBe(true);
  });

  it.each([
    'Owners',
    'Repairs',
    'Cleaning day',
    'Selbstnutzung',
    'Reparatur Heizung',
    'Usage privé',
    'Réparation chaudière',
    'Uso privado',
    'Reparación',
    'Uso privato',
    'Ristrutturazione',
    'Eigen verblijf',
    'Verbouwing',
    '自社利用',
    '工事',
  ])('%j is no stay', (title) => {
    expect(isBlockedBy(title)).not.toEqual([]);
  });

  it.each([
    'Held, Anna',
    'Wunsch, Peter',
    'Devis Rossi',
    'Anna, flight cancelled? ask',
    'Not cancelled: Anna',
  ])('%j is a stay', (title) => {
    expect([isCancelledTitle(title), isUnconfirmed(title), isBlockedBy(title)]).toEqual([false, false, []]);
  });
});

it.each([
  ['Guest: Anna\nStatus: Cancelled', 'Cancelled'],
  ['Booking status: pending', 'pending'],
  ['Estado de la reserva: cancelada', 'cancelada'],
  ['Statut : annulée', 'annulee'],
  ['Buchungsstatus: storniert', 'storniert'],
  ['予約ステータス：キャンセル', 'キャンセル'],
  ['Payment status: pending', ''],
  ['', ''],
])('the state of the booking in %j is %j', (text, state) => {
  expect(stateIn(text)).toBe(state.normalize('NFKD').replaceAll(/\p{M}/gu, ''));
});

it('a state in the text counts as one in the title', () => {
  const found = (description: string) => {
    const { bookings, unconfirmed, cancelled } = staysIn(
      [entry('a', '2026-04-16', '2026-04-19', { summary: 'Anna', description })],
      NOT_STAYS,
    );
    return [bookings.length, unconfirmed, cancelled.size];
  };
  expect(found('Status: Confirmed')).toEqual([1, 0, 0]);
  expect(found('Status: Cancelled')).toEqual([0, 0, 1]);
  expect(found('Status: Pending')).toEqual([0, 1, 1]);
});

describe('the name of the guest (faults#149)', () => {
  it.each<readonly [string, string, string | null]>([
    ['Reserved - Vrbo', '', null],
    ['Airbnb reservation', '', null],
    ['Busy', '', null],
    ['Réservé (Casanéo)', 'Guest: Anna Berger', 'casaneo anna berger'],
    ['Anna', 'Guest: Anna Berger', 'anna'],
    ['Reserved', '<p>Guest: Anna Berger</p><p>Phone: 1</p>', 'anna berger'],
    ['山田太郎様', '', '山田太郎'],
    ['anna@mail.example', '', 'anna mail example'],
  ])('in %j with %j is %s', (title, text, guest) => {
    expect(guestIn(title, text)).toBe(guest);
  });

  it('is shown as it is written', () => {
    expect(shownGuest({ summary: '山田太郎様', guest: '山田太郎' })).toBe('山田太郎様');
  });

  it.each([
    ['muller', 'mueller'],
    ['strauß', 'strauss'],
    ['søren', 'soeren'],
  ])('"%s" is "%s"', (a, b) => {
    expect(guestVerdict({ guest: a, phone4: null }, { guest: b, phone4: null }, false)).toBe('same');
  });

  it('is needed beside a phone, or a number of the reservation, to be sure of the guest', () => {
    const phone = { guest: null, phone4: '0999', references: [] };
    expect(guestVerdict(phone, phone, false)).toBe('same');
    expect(isSurelyOf(phone, phone)).toBe(false);
    expect(isSurelyOf({ ...phone, guest: 'anna' }, { ...phone, guest: 'anna' })).toBe(true);
    expect(isSurelyOf({ ...phone, references: ['A1'] }, { ...phone, references: ['A1'] })).toBe(true);
  });
});

describe('the number of the reservation (faults#149)', () => {
  it.each<readonly [string, string, readonly string[]]>([
    ['', 'https://portal.example/hosting/reservations/details/HMABCDEFGH', ['HMABCDEFGH']],
    ['', 'Confirmation code: HMABCDEFGH', ['HMABCDEFGH']],
    ['', 'Booking CONFIRMED', []],
    ['', 'https://rooms.example/booking.html?hotel_id=12345&res_id=4711001234', ['4711001234']],
    ['', 'https://portal.example/reservations/67890/property/12345', ['67890']],
    ['', 'https://portal.example/properties/12345/reservations', []],
    ['', 'Booking.com ID: 3344556677', ['3344556677']],
    ['', 'Bestätigungscode: HM3AB4CD5E', ['HM3AB4CD5E']],
    ['', 'Reservierung Nr. 2026/0815', ['2026/0815']],
    ['', 'Booking 01/05/2026', []],
    ['Guest 12345', '', ['12345']],
    ['Reserved 1250 EUR', '', []],
    ['Reserved 2026', '', []],
    ['Anna 80331', '', []],
  ])('in %j with %j is %j', (title, text, ids) => {
    expect(referencesIn(title, text)).toEqual(ids);
  });
});

describe('a name that every booking has (faults#149)', () => {
  const NIGHTS = [
    ['2026-04-16', '2026-04-19'],
    ['2026-04-19', '2026-04-22'],
    ['2026-04-25', '2026-04-27'],
  ] as const;
  const titled = (summary: string, description = '', count: number = NIGHTS.length) =>
    NIGHTS.slice(0, count).map(([from, until], index) =>
      entry(String(index), from, until, { summary, description }),
    );

  it('is that of the home: its guests are several, and a number in all texts is nobody’s', () => {
    const entries = titled('Réservé - Villa Bel Air', 'Contact +33 1 23 45 67 89');
    const { bookings, commonNames } = staysIn(entries, NOT_STAYS);
    expect(bookings).toMatchObject([0, 1, 2].map((uid) => ({ uid: String(uid), guest: null, phone4: null })));
    expect(commonNames).toEqual(['bel air']);
  });

  it('stays known where only two of them are left', () => {
    const two = titled('Réservé - Villa Bel Air', '', 2);
    const count = (commonNames: readonly string[]): number =>
      staysIn(two, NOT_STAYS, { commonNames }).bookings.length;
    expect([count([]), count(['bel air'])]).toEqual([1, 2]);
  });

  it('is a guest’s where there are other guests, marks of one stay, or entries for each night of one', () => {
    const others = [
      ...titled('Anna Berger'),
      entry('o', '2026-05-01', '2026-05-03', { summary: 'Bernd Koch' }),
    ];
    expect(staysIn(others, NOT_STAYS).bookings).toHaveLength(3);
    const marks = [
      entry('a', '2026-04-16', '2026-04-19', { summary: 'Anna Berger' }),
      entry('i', '2026-04-16', '2026-04-17', { summary: 'Check-in Anna Berger' }),
      entry('o', '2026-04-19', '2026-04-20', { summary: 'Check-out Anna Berger' }),
    ];
    const nights = ['16', '17', '18', '19'].map((day) =>
      entry(day, `2026-04-${day}`, `2026-04-${String(Number(day) + 1)}`, { summary: 'Anna Berger' }),
    );
    for (const entries of [marks, nights]) {
      expect(staysIn(entries, NOT_STAYS)).toMatchObject({
        bookings: [{ guest: 'anna berger' }],
        commonNames: [],
      });
    }
  });
});
