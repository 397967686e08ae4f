// The account of a host with two flats in one house, and its views as scenes.
import { message } from '../../src/domain/language/message.ts';
import { lockId } from '../../src/domain/locks/lock.ts';
import type { GuestMessageView } from '../../src/panel/views/messages.ts';
import { aLock, type StandInAccount } from '../stand-ins/account/operations.ts';
import { aCalendar, aStay, dayThere } from '../stand-ins/account/stays.ts';
import { HOST_VIEWS } from './host-views.ts';
import { aGuest, listCodes, onLock, type Scene } from './scenes.ts';

const HOUSE = aLock('House door', { id: lockId('house') });
const ONE = aLock('Flat 1', { id: lockId('flat-1') });
const TWO = aLock('Flat 2', { id: lockId('flat-2') });

const FLATS = [
  aCalendar({
    id: 'page:1',
    name: 'Flat 1',
    locks: [HOUSE.id, ONE.id],
    lockNames: ['House door', 'Flat 1'],
    lockHours: [{ lock: HOUSE.id, minutesBefore: 180, minutesAfter: 60 }],
  }),
  aCalendar({
    id: 'page:2',
    name: 'Flat 2',
    locks: [HOUSE.id, TWO.id],
    lockNames: ['House door', 'Flat 2'],
    trouble: message(
      'The calendar has no address yet. Enter the one that the portal gives for exporting it.',
    ),
  }),
];

const MESSAGE: GuestMessageView = {
  text: [
    'Hello Anna,',
    '',
    'Your code for House door and Flat 1: 0417',
    'It opens from Thu, Nov 26, 15:00 to Sun, Nov 29, 11:00.',
    'Touch the keypad, then type the digits one after the other.',
    '',
    'The code does not work yet at: Flat 1. Please wait until I write again.',
  ].join('\n'),
  language: 'en',
  missing: ['Flat 1'],
  notice: message('The code is not on {doors} yet. The message says so.', { doors: ['Flat 1'] }),
};

function hosted(account: StandInAccount): void {
  account.saveCredentials();
  account.link = { ...account.link, state: 'linked' };
  account.hold(HOUSE, ONE, TWO);
  listCodes(account, () => ({}));
  const stayIn = (flat: 1 | 2) => ({
    calendarId: `page:${String(flat)}`,
    calendarName: `Flat ${String(flat)}`,
  });
  const late = [message('The code is not on every lock.')];
  account.stays = {
    calendars: FLATS,
    stays: [
      aStay(-3, 0, { ...stayIn(1), id: 'a', code: 'hidden', phase: 'arrived', booking: 'Reserved - Anna' }),
      aStay(0, 3, { ...stayIn(1), id: 'b', code: 'hidden', phase: 'preparing', alarms: late }),
      aStay(0, 6, { ...stayIn(2), id: 'c', code: 'hidden', phase: 'ready' }),
    ],
  };
  const hours = {
    kind: 'temporary',
    from: Date.parse(`${dayThere(3)}T10:00Z`),
    until: Date.parse(`${dayThere(3)}T17:00Z`),
  } as const;
  const cleaner = aGuest(
    'Cleaning',
    [HOUSE, ONE].map((lock) => onLock(lock, { kind: 'up-to-date' })),
    {
      id: 'g7',
      locks: [HOUSE.id, ONE.id],
      schedule: hours,
      hoursOn: { [HOUSE.id]: hours, [ONE.id]: hours },
      between: { calendars: ['page:1'], until: '18:00' },
    },
  );
  account.guests = [cleaner, aGuest('Neighbour', [onLock(HOUSE, { kind: 'up-to-date' })], { id: 'g8' })];
  account.answers.set('stays.message', () => MESSAGE);
  account.answers.set('guests.message', () => MESSAGE);
  account.answers.set('guests.add-between', () => ({ kind: 'saved', guest: cleaner }));
  account.answers.set('locks.replaced', () =>
    [TWO, ONE].map(({ id, description: { name } }) => ({ id, name })),
  );
  account.answers.set('locks.replace', () => ({
    guests: 3,
    calendars: 1,
    entries: 120,
    notes: [
      message(
        'The old lock is not in the account, so its codes may still be on it. Reset it before you give it away.',
      ),
      message('Not moved, and not removed from the old lock, because they belong to no guest: {codes}.', {
        codes: ['Resident', 'Neighbour'],
      }),
    ],
  }));
}

export const HOST_SCENES: readonly Scene[] = HOST_VIEWS.map(({ name, at, shows, act }) => ({
  name: `host, ${name}`,
  set: hosted,
  act: async (page) => {
    // On a phone, some pages stand behind "More".
    await page.evaluate((place) => {
      location.hash = place;
    }, at);
    await act?.(page, (text) => text);
    await page.locator(shows).first().waitFor();
  },
}));
