// The promise of stays, from the pasted address to the refused code: real reader, real storage, simulated portal and locks.
import { expect, it } from 'vitest';
import { HOUR_MS, StayAccount } from '../../../../homes/stay-account.ts';

/** The first guest leaves today, the second comes today, and the third comes tomorrow, when the second leaves. */
const THREE = [
  { arrival: -2, nights: 2, phone: '+44 7700 900101' },
  { arrival: 0, nights: 1, phone: '+44 7700 900202' },
  { arrival: 1, nights: 1, phone: '+44 7700 900303' },
];
const [FIRST, SECOND, THIRD] = ['0101', '0202', '0303'] as const;
const NAMES = ['Stay 12-14 Apr', 'Stay 14-15 Apr', 'Stay 15-16 Apr'];
const IN = ['accepted', 'accepted'];
const OUT = ['refused', 'refused'];
const DOUBTED = /missing from the calendar.*stay as they are/u;

it('an account lets the next three guests in with their own digits, while the calendar fails twice (faults#136)', async () => {
  const account = await StayAccount.open(THREE);
  const { home, portal, locks } = account;
  const onLocks = () => locks.map((lock) => account.namesOn(lock));
  const said = (pattern: RegExp) => home.lines.filter((line) => pattern.test(line)).length;
  expect(await account.addCalendar({ checkOut: '13:00', checkIn: '14:00' })).toMatchObject({ kind: 'saved' });
  expect(onLocks()).toEqual([NAMES, NAMES]);
  expect((await account.stays()).map(({ phase }) => phase)).toEqual(['ready', 'ready', 'ready']);
  expect(await account.typed(FIRST)).toEqual(IN);
  expect(await account.typed(SECOND)).toEqual(OUT);

  // A page where people sign in, in the place of the calendar.
  await portal.fail({ kind: 'html', often: 'once' });
  await account.until('2026-04-14T12:40');
  expect([said(/Calendar "Flat": .*stay as they are/u), said(/"Flat" is read again/u)]).toEqual([1, 1]);
  expect(onLocks()).toEqual([NAMES, NAMES]);

  await account.until('2026-04-14T12:59');
  expect(await account.typed(FIRST)).toEqual(IN);
  // A calendar without a single booking, while one guest has left and the next has not come.
  await portal.fail({ kind: 'entries-gone', share: 1, often: 'once' });
  await account.until('2026-04-14T13:01');
  expect(await account.typed(FIRST)).toEqual(OUT);
  await account.until('2026-04-14T13:59');
  expect([said(DOUBTED), said(/"Flat" is read again/u)]).toEqual([1, 2]);
  expect(onLocks()).toEqual([NAMES.slice(1), NAMES.slice(1)]);
  expect(await account.typed(SECOND)).toEqual(OUT);
  await account.until('2026-04-14T14:01');
  expect(await account.typed(SECOND)).toEqual(IN);
  expect(await account.typed(THIRD)).toEqual(OUT);

  // The computer is off for the night.
  home.clock.standStill(22 * HOUR_MS);
  await home.restart();
  await account.until('2026-04-15T13:01');
  expect(await account.typed(SECOND)).toEqual(OUT);
  await account.until('2026-04-15T14:01');
  expect(await account.typed(THIRD)).toEqual(IN);
  expect(onLocks()).toEqual([NAMES.slice(2), NAMES.slice(2)]);
  await home.clock.advance(HOUR_MS);
  const stays = await account.stays();
  expect(stays.map(({ phase, arrivedAt }) => [phase, arrivedAt !== null])).toEqual([
    ['gone', true],
    ['gone', true],
    ['arrived', true],
  ]);
  expect(home.lines.join('\n')).not.toMatch(/\b0101\b|\b0202\b|\b0303\b/u);
});
