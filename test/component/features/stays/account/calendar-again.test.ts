// A calendar that is removed and added again: whoever is there keeps the one code.
import { expect, it } from 'vitest';
import { MINUTE_MS, StayAccount } from '../../../../homes/stay-account.ts';

it('gives a guest who is there no second code when it is added again', async () => {
  const account = await StayAccount.open([{ guest: 'Ada', arrival: '2026-04-15', nights: 3 }]);
  await account.addCalendar();
  await account.until('2026-04-15T20:00');
  const codes = () => account.locks.flatMap((lock) => account.home.simulator.world.inspect(lock).codesOnLock);
  const before = codes();
  expect(before).toHaveLength(2);
  const { operations } = account.home.app;
  const [calendar] = (await operations['stays.list']({})).calendars;
  await operations['stays.remove-calendar']({ calendar: calendar?.id ?? '' });
  await account.home.clock.advance(10 * MINUTE_MS);
  await account.addCalendar();
  await account.home.clock.advance(10 * MINUTE_MS);
  expect(codes()).toEqual(before);
  expect(await account.stays()).toHaveLength(1);
});
