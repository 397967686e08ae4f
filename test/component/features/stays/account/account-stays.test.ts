// The answers of stays to pages, their state over a restart, and that the calendar's address appears nowhere.
import { describe, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS, StayAccount } from '../../../../homes/stay-account.ts';
import { inWords } from '../../../../support/in-words.ts';
import { filesBesideDatabase, outputOf } from '../../../app/outputs.ts';

const TWO = [
  { arrival: 1, nights: 1, phone: '+44 7700 900202' },
  { arrival: 2, nights: 1, phone: '+44 7700 900303' },
];
const NAMES = ['Stay 15-16 Apr', 'Stay 16-17 Apr'];

describe('an account with a booking calendar', () => {
  it('answers pages: reveal, skip, other hours and another code, each on the locks at once', async () => {
    const account = await StayAccount.open(TWO);
    const { home, locks } = account;
    const { operations } = home.app;
    const [front] = locks;
    await account.addCalendar();
    const [stay, next] = await account.stays();
    expect(await operations['stays.reveal']({ stay: stay?.id })).toEqual({ pin: '0202' });

    const again = operations['stays.new-code']({ stay: stay?.id, pin: '7391' });
    expect(await home.answered(again)).toMatchObject({ kind: 'saved' });
    await home.clock.advance(MINUTE_MS);
    expect(front === undefined ? null : account.digitsOn(front, NAMES[0] ?? '')).toBe('7391');

    const hours = { stay: stay?.id, checkIn: '13:00', checkOut: null };
    expect(await home.answered(operations['stays.hours'](hours))).toMatchObject({ kind: 'saved' });
    const overlapping = { stay: stay?.id, checkIn: null, checkOut: '16:00' };
    expect(await operations['stays.hours'](overlapping)).toMatchObject({
      kind: 'invalid',
      faults: [{ field: 'hours' }],
    });
    const unreadable = { stay: stay?.id, checkIn: '3 pm', checkOut: null };
    expect(inWords(await operations['stays.hours'](unreadable))).toMatchObject({
      faults: [{ words: 'Enter times as hours and minutes, for example 15:00.' }],
    });

    await operations['stays.skip']({ stay: next?.id });
    await home.clock.advance(MINUTE_MS);
    expect(locks.map((lock) => account.namesOn(lock))).toEqual([NAMES.slice(0, 1), NAMES.slice(0, 1)]);
    home.clock.standStill(25 * HOUR_MS);
    expect(await account.typed('7391')).toEqual(['accepted', 'accepted']);
    await expect(operations['stays.reveal']({ stay: 'none' })).rejects.toMatchObject({ code: 'not-found' });
    await expect(operations['stays.read']({ calendar: 'none' })).rejects.toMatchObject({ code: 'not-found' });
  });

  it('asks whether entries called closed are bookings, and keeps the answer', async () => {
    const account = await StayAccount.open([{ arrival: 3, nights: 2 }], { form: 'closed' });
    const { home } = account;
    const { operations } = home.app;
    await account.addCalendar();
    const asked = async () => (await operations['stays.list']({})).calendars[0]?.question;
    expect(await account.stays()).toEqual([]);
    expect(await asked()).toEqual({ titles: ['CLOSED - Not available'] });
    expect(home.lines.filter((line) => line.includes('No stay was found, but entries called'))).toHaveLength(
      1,
    );
    const answer = async (are: string): Promise<unknown> =>
      home.answered(operations['stays.answer']({ calendar: 'page:1', are }));
    await expect(operations['stays.answer']({ calendar: 'page:1', are: 'perhaps' })).rejects.toMatchObject({
      code: 'bad-request',
    });
    await expect(operations['stays.answer']({ calendar: 'none', are: 'blocked' })).rejects.toMatchObject({
      code: 'not-found',
    });
    await answer('blocked');
    expect([await asked(), await account.stays()]).toEqual([null, []]);
    await answer('bookings');
    expect([await asked(), (await account.stays()).map(({ name }) => name)]).toEqual([
      null,
      ['Stay 17-19 Apr'],
    ]);
    // The answer holds for what comes later.
    await account.portal.add({ arrival: 9, nights: 1 });
    await home.clock.advance(HOUR_MS);
    expect(await account.stays()).toHaveLength(2);
  });

  it('removes the codes of a removed calendar, but not that of a guest who is there', async () => {
    const account = await StayAccount.open([{ arrival: -1, nights: 2 }, ...TWO.slice(1)]);
    const { home, locks } = account;
    await account.addCalendar();
    expect(account.namesOn(locks[0] ?? ('' as never))).toEqual(['Stay 13-15 Apr', 'Stay 16-17 Apr']);
    expect(await home.app.operations['stays.remove-calendar']({ calendar: 'page:1' })).toMatchObject({
      kind: 'saved',
      stays: { calendars: [] },
    });
    await home.clock.advance(MINUTE_MS);
    expect(locks.map((lock) => account.namesOn(lock))).toEqual([['Stay 13-15 Apr'], ['Stay 13-15 Apr']]);
  });

  it('makes no codes for bookings of a removed calendar when another one is added in its place', async () => {
    const account = await StayAccount.open(TWO);
    const { home, portal, locks } = account;
    await account.addCalendar();
    await home.app.operations['stays.remove-calendar']({ calendar: 'page:1' });
    await home.clock.advance(MINUTE_MS);
    await portal.fail({ kind: 'entries-gone', share: 1, often: 'always' });
    await account.addCalendar({ name: 'House' });
    const { calendars } = await home.app.operations['stays.list']({});
    expect(calendars).toMatchObject([{ id: 'page:2', name: 'House', doubt: null }]);
    expect(locks.map((lock) => account.namesOn(lock))).toEqual([[], []]);
  });

  it('leaves a guest who is there in their home when a removed calendar is followed by that of another', async () => {
    const account = await StayAccount.open([{ arrival: 0, nights: 3 }]);
    const { home, locks } = account;
    const { operations } = home.app;
    const [front, back] = locks;
    await account.addCalendar({ name: 'Flat A', locks: [front] });
    await home.clock.advance(4 * HOUR_MS);
    const namesOn = () => locks.map((lock) => account.namesOn(lock));
    const before = namesOn();
    expect(before).toEqual([['Stay 14-17 Apr'], []]);
    const [calendar] = (await operations['stays.list']({})).calendars;
    await home.answered(operations['stays.remove-calendar']({ calendar: calendar?.id }));
    await home.answered(operations['stays.add-calendar']({ name: 'Flat B', locks: [back] }));
    await home.clock.advance(10 * MINUTE_MS);
    await home.restart();
    await home.clock.advance(10 * MINUTE_MS);
    expect(namesOn()).toEqual(before);
  });
});

it('an account has the address of a calendar in no answer, no line of the log and no file but the database (faults#66)', async () => {
  const account = await StayAccount.open(TWO);
  const { home, portal } = account;
  const { operations } = home.app;
  const canary = new URL(portal.url).pathname.split('/').at(-1)?.replace('.ics', '') ?? '';
  expect(canary.length).toBeGreaterThan(20);
  const outputs: string[] = [];
  const ask = async (asked: Promise<unknown>) => outputs.push(await outputOf(home, asked));
  await ask(account.addCalendar());
  for (const fault of ['html', 'empty-body', 'truncated', 'other-document'] as const) {
    await portal.fail({ kind: fault, often: { times: 2 } });
    await ask(operations['stays.check']({}));
    await ask(operations['stays.read']({}));
  }
  const misspelt = { calendar: 'page:1', change: { address: `${portal.url} #x`.replace('http:', 'ftp:') } };
  await ask(operations['stays.change-calendar'](misspelt));
  await home.restart({
    polling: { idleSeconds: 600 },
    stays: [{ name: 'House', address: `${portal.url}?s=second`, locks: [...account.locks] }],
  });
  await home.clock.advance(HOUR_MS);
  for (const name of [
    'diagnostics',
    'status',
    'checkup',
    'stays.list',
    'guests.list',
    'locks.settings',
  ] as const) {
    await ask(home.app.operations[name]({}));
  }
  const around = (text: string) =>
    text
      .split(canary)
      .slice(0, -1)
      .map((before) => before.slice(-120));
  expect(outputs.flatMap(around)).toEqual([]);
  expect(home.lines.flatMap(around)).toEqual([]);
  expect(filesBesideDatabase(home).flatMap(around)).toEqual([]);
});
