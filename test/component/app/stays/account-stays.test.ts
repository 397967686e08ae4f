// The answers of stays to pages, their state over a restart, and that the calendar's address appears nowhere.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS, StayAccount } from '../../../homes/stay-account.ts';
import { inWords } from '../../../support/in-words.ts';

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

  it('checks a calendar without changing anything, and says what its portal answers', async () => {
    const account = await StayAccount.open(TWO);
    const { home, portal } = account;
    const { operations } = home.app;
    await account.addCalendar();
    await portal.add({ arrival: 5, nights: 1 });
    expect(await operations['stays.check']({})).toMatchObject([
      { kind: 'read', words: null, counts: { stays: 3 } },
    ]);
    expect(await account.stays()).toHaveLength(2);
    await portal.fail({ kind: 'status', status: 404, often: 'once' });
    expect(inWords(await operations['stays.check']({}))).toMatchObject([
      { kind: 'failed', words: expect.stringMatching(/\S/u) as string, counts: { stays: 0 } },
    ]);
    const { calendars } = await home.answered(operations['stays.read']({}));
    expect(calendars).toMatchObject([{ trouble: null, counts: { stays: 3 } }]);
    expect(await account.stays()).toHaveLength(3);
  });

  it('keeps over a restart which guest has which code, and sends no code twice', async () => {
    const account = await StayAccount.open(TWO);
    const { home, locks } = account;
    await account.addCalendar();
    const sent = (await home.requests('POST', '/commands')).length;
    const before = await account.stays();
    expect(before.map(({ phase }) => phase)).toEqual(['ready', 'ready']);
    await home.restart();
    await home.clock.advance(HOUR_MS);
    const kept = ({ id, name, guestId, readyAt }: (typeof before)[number]) => [id, name, guestId, readyAt];
    expect((await account.stays()).map(kept)).toEqual(before.map(kept));
    expect(locks.map((lock) => account.namesOn(lock))).toEqual([NAMES, NAMES]);
    expect(await home.requests('POST', '/commands')).toHaveLength(sent);
    expect(home.lines.filter((line) => line.includes('is on all locks'))).toHaveLength(2);
  });

  it('makes no second code when it is restarted while the first one is on its way to an offline lock', async () => {
    const account = await StayAccount.open(TWO.slice(0, 1));
    const { home, locks } = account;
    await home.control('locks/Back door/cut-wifi', { noticeAfterMs: 0 });
    await home.clock.advance(11 * MINUTE_MS);
    await account.addCalendar();
    expect(locks.map((lock) => account.namesOn(lock))).toEqual([NAMES.slice(0, 1), []]);
    await home.restart();
    await home.control('locks/Back door/restore-wifi');
    await home.clock.advance(HOUR_MS);
    expect(locks.map((lock) => account.namesOn(lock))).toEqual([NAMES.slice(0, 1), NAMES.slice(0, 1)]);
    const guests = await home.app.operations['guests.list']({});
    expect(guests.map(({ name }) => name)).toEqual(NAMES.slice(0, 1));
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
});

it('an account has the address of a calendar in no answer, no line of the log and no file but the database (faults#66)', async () => {
  const account = await StayAccount.open(TWO);
  const { home, portal } = account;
  const { operations } = home.app;
  const canary = new URL(portal.url).pathname.split('/').at(-1)?.replace('.ics', '') ?? '';
  expect(canary.length).toBeGreaterThan(20);
  const outputs = [inspect(await account.addCalendar(), { depth: 20 })];
  for (const fault of ['html', 'empty-body', 'truncated', 'other-document'] as const) {
    await portal.fail({ kind: fault, often: { times: 2 } });
    outputs.push(inspect(await operations['stays.check']({}), { depth: 20 }));
    outputs.push(inspect(await home.answered(operations['stays.read']({})), { depth: 20 }));
  }
  const misspelt = { calendar: 'page:1', change: { address: `${portal.url} #x`.replace('http:', 'ftp:') } };
  outputs.push(inspect(await operations['stays.change-calendar'](misspelt), { depth: 20 }));
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
    outputs.push(inspect(await home.answered<unknown>(home.app.operations[name]({})), { depth: 20 }));
  }
  const around = (text: string) =>
    text
      .split(canary)
      .slice(0, -1)
      .map((before) => before.slice(-120));
  expect(outputs.flatMap(around)).toEqual([]);
  expect(home.lines.flatMap(around)).toEqual([]);
  const files = readdirSync(home.folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !basename(entry.name).startsWith('latchkey.db'))
    .map((entry) => join(entry.parentPath, entry.name));
  expect(files.filter((path) => readFileSync(path, 'latin1').includes(canary))).toEqual([]);
});
