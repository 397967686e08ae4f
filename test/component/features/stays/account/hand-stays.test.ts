// Stays that a person enters: they open at the keypads, behave as those of a calendar, and survive its readings.
import { describe, expect, it } from 'vitest';
import { MINUTE_MS, StayAccount } from '../../../../homes/stay-account.ts';
import { inWords } from '../../../../support/in-words.ts';

const ANNA = { name: 'Anna Berg', from: '2026-04-15', until: '2026-04-17', phone: '+46 70 555 01 99' };
const HAND_NAME = 'Stay 15-17 Apr';

async function added(account: StayAccount, typed: object): Promise<unknown> {
  const answer = await account.home.answered(account.home.app.operations['stays.add'](typed));
  await account.home.clock.advance(MINUTE_MS);
  return answer;
}

describe('a stay that is added by hand', () => {
  it('without a calendar has a code for its nights, opens at the keypads, and ends', async () => {
    const account = await StayAccount.open([]);
    const [front] = account.locks;
    expect(await added(account, { ...ANNA, locks: [front] })).toMatchObject({ kind: 'saved' });
    const { calendars } = await account.home.app.operations['stays.list']({});
    expect(calendars).toMatchObject([{ id: 'hand:1', name: 'Front door', from: 'hand', trouble: null }]);
    expect(await account.stays()).toMatchObject([
      { name: HAND_NAME, booking: 'Anna Berg', phase: 'ready', isByHand: true },
    ]);
    await account.until('2026-04-15T15:01');
    expect(await account.typed('0199')).toEqual(['accepted', 'refused']);
    await account.until('2026-04-17T11:20');
    expect(await account.typed('0199')).toEqual(['refused', 'refused']);
    expect(await account.stays()).toMatchObject([{ phase: 'gone' }]);
  });

  it('on the locks of a calendar is one of its stays, over its readings and a restart', async () => {
    const account = await StayAccount.open([{ arrival: 5, nights: 2 }]);
    await account.addCalendar();
    await added(account, { ...ANNA, locks: account.locks.toReversed() });
    const names = async () => (await account.stays()).map(({ name, calendarId }) => [name, calendarId]);
    const both = [
      [HAND_NAME, 'page:1'],
      ['Stay 19-21 Apr', 'page:1'],
    ];
    expect(await names()).toEqual(both);
    await account.home.clock.advance(60 * MINUTE_MS);
    expect(await names()).toEqual(both);
    await account.home.restart();
    await account.home.clock.advance(60 * MINUTE_MS);
    expect(await names()).toEqual(both);
    expect(account.locks.map((lock) => account.digitsOn(lock, HAND_NAME))).toEqual(['0199', '0199']);
  });

  it('is removed by a person with its code, and a stay of the calendar is not', async () => {
    const account = await StayAccount.open([{ arrival: 5, nights: 2 }]);
    await account.addCalendar();
    await added(account, { ...ANNA, locks: account.locks });
    const [hand, booked] = await account.stays();
    const { operations } = account.home.app;
    await expect(operations['stays.remove']({ stay: booked?.id })).rejects.toMatchObject({
      code: 'bad-request',
    });
    await account.home.answered(operations['stays.remove']({ stay: hand?.id }));
    await account.home.clock.advance(MINUTE_MS);
    expect(account.locks.flatMap((lock) => account.namesOn(lock))).toEqual([
      'Stay 19-21 Apr',
      'Stay 19-21 Apr',
    ]);
    await account.home.clock.advance(60 * MINUTE_MS);
    expect((await account.stays()).map(({ phase }) => phase)).toEqual(['gone', 'ready']);
  });

  it.each([
    [{ name: ' ' }, 'name'],
    [{ from: '2026-02-30' }, 'from'],
    [{ until: '2026-04-15' }, 'until'],
    [{ from: '2026-04-10', until: '2026-04-12' }, 'until'],
    [{ until: '2036-04-12' }, 'until'],
    [{ phone: '99' }, 'phone'],
    [{ locks: [] }, 'locks'],
    [{ locks: ['unknown'] }, 'locks'],
  ])('is refused at its field: %j', async (change, field) => {
    const account = await StayAccount.open([]);
    const answer = inWords(await added(account, { ...ANNA, locks: account.locks, ...change }));
    expect(answer).toMatchObject({ kind: 'invalid', faults: [{ field }] });
    expect((await account.home.app.operations['stays.list']({})).calendars).toEqual([]);
  });
});
