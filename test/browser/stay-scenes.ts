// The page of stays in its states, for the tests of the look and for pictures.
import type { Page } from 'playwright-core';
import type { StandInAccount } from '../stand-ins/account/operations.ts';
import { aCalendar, lateStays, someStays, stayGuests } from '../stand-ins/account/stays.ts';
import { BLOCK, listCodes, lived, push, type Scene, show } from './scenes.ts';

function booked(account: StandInAccount): void {
  lived(account);
  listCodes(account, () => ({}));
  account.stays = someStays();
  account.guests = stayGuests();
  account.answers.set('stays.reveal', () => ({ pin: '0417' }));
}

async function toStays(page: Page): Promise<void> {
  await show(page, 'Stays');
  await page.getByRole('rowgroup', { name: 'Stay of Anna', exact: true }).waitFor();
}

export const STAY_SCENES: readonly Scene[] = [
  {
    name: 'stays, none yet',
    set: lived,
    act: async (page) => {
      await show(page, 'Stays');
      await page.getByRole('button', { name: 'Add a calendar' }).waitFor();
    },
  },
  {
    name: 'stays, with the form of a new calendar',
    set: lived,
    act: async (page) => {
      await show(page, 'Stays');
      await push(page, 'Add a calendar');
      await page.getByRole('dialog').getByText('More', { exact: true }).click();
      await push(page, 'Save');
      await page.getByText('Choose at least one lock.').waitFor();
    },
  },
  { name: 'stays', set: booked, act: toStays },
  {
    name: 'stays, with a menu, digits and ended ones',
    set: booked,
    act: async (page) => {
      await toStays(page);
      await page.getByText('1 ended stay').click();
      await push(page, 'More, Stay of Anna');
      await push(page, 'Show the code, Stay of Anna');
      await page.getByText('0417').waitFor();
      await push(page, 'More, Stay of Anna');
    },
  },
  {
    name: 'stays, with the question before one is skipped',
    set: booked,
    act: async (page) => {
      await toStays(page);
      await push(page, 'More, Stay of Anna');
      await push(page, 'Skip this stay, Stay of Anna');
    },
  },
  {
    name: 'stays, with the hours of one',
    set: booked,
    act: async (page) => {
      await toStays(page);
      await push(page, 'More, Stay of Bob');
      await push(page, 'Change hours, Stay of Bob');
    },
  },
  {
    name: 'stays, with a guest who seems to have left',
    set: (account) => {
      booked(account);
      account.stays = {
        ...account.stays,
        stays: account.stays.stays.map((one) =>
          one.phase === 'arrived' ? { ...one, seemsLeftAt: one.closesAt - 2 * 3_600_000 } : one,
        ),
      };
    },
    act: async (page) => {
      await toStays(page);
      await page.getByText('Seems to have left').waitFor();
    },
  },
  {
    name: 'stays, with the address of a feed',
    set: (account) => {
      booked(account);
      account.answers.set('stays.make-feed', () => {
        account.stays = {
          ...account.stays,
          calendars: account.stays.calendars.map((one) => ({ ...one, hasFeed: true })),
        };
        const path = `/stays/${'aB3-_x9Q'.repeat(6).slice(0, 43)}.ics`;
        return {
          addresses: ['http://hallway.local:18582', 'http://192.168.1.20:18582'].map((at) => at + path),
        };
      });
    },
    act: async (page) => {
      await toStays(page);
      await push(page, 'More, Garden flat');
      await push(page, 'Share the stays, Garden flat');
      await push(page, 'Make an address');
      await page.getByText('It is shown only now.').waitFor();
    },
  },
  {
    name: 'overview, with stays that are not ready',
    set: (account) => {
      booked(account);
      account.stays = lateStays();
    },
    act: async (page) => {
      await page.getByRole('region', { name: 'Stays that are not ready' }).waitFor();
    },
  },
  {
    name: 'stays, with a code in reserve on offer',
    set: (account) => {
      booked(account);
      account.stays = lateStays();
      account.guests = [];
    },
    act: async (page) => {
      await show(page, 'Stays');
      await page.getByText('Use the code in reserve').waitFor();
    },
  },
  {
    name: 'stays, with the question what closed nights are',
    set: (account) => {
      lived(account);
      account.stays = {
        calendars: [
          aCalendar({
            question: { titles: ['CLOSED - Not available'] },
            counts: { stays: 0, notStays: 4, marks: 0, unconfirmed: 0, leftOut: 0 },
          }),
        ],
        stays: [],
      };
    },
    act: async (page) => {
      await show(page, 'Stays');
      await page.getByText('These are bookings').waitFor();
    },
  },
  {
    name: 'stays, in the Homebridge UI',
    set: booked,
    blocks: [BLOCK],
    act: toStays,
  },
  {
    name: 'guests of stays among the codes',
    set: booked,
    act: async (page) => {
      await show(page, 'Codes');
      await page.getByRole('rowgroup', { name: 'Stay of Anna', exact: true }).waitFor();
      await push(page, 'More, Stay of Anna');
    },
  },
];
