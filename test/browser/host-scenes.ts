// The pages of a host with two flats in one house: what today brings, the plan, and the sheets in which things are set up.
import type { Page } from 'playwright-core';
import { message } from '../../src/domain/language/message.ts';
import { lockId } from '../../src/domain/locks/lock.ts';
import type { GuestMessageView } from '../../src/panel/views/messages.ts';
import { aLock, type StandInAccount } from '../stand-ins/account/operations.ts';
import { aCalendar, aStay, dayThere } from '../stand-ins/account/stays.ts';
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

/** Pushes what shows this sentence; `t` brings it into the language of the page. */
type Act = (page: Page, t: (text: string) => string) => Promise<void>;

export interface HostView {
  readonly name: string;
  readonly at: 'stays' | 'codes' | 'locks';
  /** Stands there once everything is there. */
  readonly shows: string;
  readonly act?: Act;
  /** It shows words that are in no language of the page: names of languages, and of codes. For pictures alone. */
  readonly isMixed?: true;
}

const pushText = async (page: Page, text: string): Promise<void> =>
  page.getByText(text, { exact: true }).first().click();

const replace: Act = async (page, t) => pushText(page, t('A lock was replaced'));
const addCleaner: Act = async (page, t) => pushText(page, t('Add a cleaner'));

export const HOST_VIEWS: readonly HostView[] = [
  { name: 'plan of a host, below what today brings', at: 'stays', shows: 'table.plan' },
  {
    name: 'message to the guest of a stay',
    isMixed: true,
    at: 'stays',
    shows: 'dialog textarea',
    act: async (page, t) => {
      await page.locator('main table.people .dots').first().click();
      await pushText(page, t('Message to the guest'));
    },
  },
  {
    name: 'form of a stay by hand',
    at: 'stays',
    shows: 'dialog .field',
    act: async (page, t) => pushText(page, t('Add a stay')),
  },
  { name: 'form of a cleaner', at: 'stays', shows: 'dialog input[type=checkbox]', act: addCleaner },
  {
    name: 'digits of a new cleaner',
    at: 'stays',
    shows: 'dialog .big-digits',
    act: async (page, t) => {
      await addCleaner(page, t);
      await page.locator('dialog .field input').first().fill('Cleaning');
      await page.locator('dialog input[type=checkbox]').first().check();
      await page.locator('dialog .push.main').click();
    },
  },
  {
    name: 'hours of single locks',
    isMixed: true,
    at: 'stays',
    shows: 'dialog .lock-hours',
    act: async (page, t) => {
      await page.locator('.calendars .dots').first().click();
      await pushText(page, t('Change'));
      await page.locator('dialog summary').first().click();
      await pushText(page, t('Hours of single locks'));
      await page.locator('dialog .lock-hours').last().scrollIntoViewIfNeeded();
    },
  },
  { name: 'cleaner among the codes', at: 'codes', shows: 'table.people' },
  {
    name: 'form of a guest',
    at: 'codes',
    shows: 'dialog .field',
    act: async (page, t) => {
      await page.locator('main table.people .dots').last().click();
      await pushText(page, t('Change'));
    },
  },
  { name: 'question about a replaced lock', at: 'locks', shows: 'dialog select', act: replace },
  {
    name: 'outcome of a replaced lock',
    isMixed: true,
    at: 'locks',
    shows: 'dialog p:nth-of-type(3)',
    act: async (page, t) => {
      await replace(page, t);
      await page.locator('dialog .push.main').click();
    },
  },
];

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
