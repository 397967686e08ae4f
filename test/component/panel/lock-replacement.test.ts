// A lock that was replaced: guests, stays, calendars and history go to the new one in one step.
import { describe, expect, it } from 'vitest';
import type { LockId } from '../../../src/domain/locks/lock.ts';
import { HOUR_MS, MINUTE_MS, StayAccount } from '../../homes/stay-account.ts';
import { inWords } from '../../support/in-words.ts';

const STAY = 'Stay 15-16 Apr';

async function account(): Promise<{ at: StayAccount; front: LockId; back: LockId }> {
  const at = await StayAccount.open([{ arrival: 1, nights: 1, phone: '+44 7700 900202' }]);
  const [front, back] = at.locks;
  if (front === undefined || back === undefined) {
    throw new Error('There are no two locks.');
  }
  await at.addCalendar({ locks: [front], lockHours: [{ lock: front, minutesBefore: 60, minutesAfter: 0 }] });
  const draft = { name: 'Cleaner', pin: '5839', schedule: { kind: 'always' } };
  await at.home.answered(at.home.app.operations['guests.add']({ draft, locks: [front] }));
  await at.home.clock.advance(MINUTE_MS);
  return { at, front, back };
}

const entriesOf = async (at: StayAccount, lock: LockId): Promise<number> => {
  const { operations } = at.home.app;
  await at.home.answered(operations['history.refresh']({ locks: [lock] }));
  return (await operations['history.count']({ lock, person: null })).entries;
};

describe('a lock that was replaced', () => {
  it('gives its guests, stays, calendars and history to the new one', async () => {
    const { at, front, back } = await account();
    const { operations } = at.home.app;
    const before = await entriesOf(at, front);
    expect(before).toBeGreaterThan(0);
    const answer = await at.home.answered(operations['locks.replace']({ old: front, by: back }));
    expect(inWords(answer)).toMatchObject({
      guests: 2,
      calendars: 1,
      entries: before,
      notes: [
        'The old lock is still in the account: the codes of these guests are removed from it once it is reachable.',
      ],
    });
    await at.home.clock.advance(2 * MINUTE_MS);
    const names = (lock: LockId) =>
      at.home.simulator.world
        .inspect(lock)
        .codesOnLock.map(({ name }) => name)
        .toSorted();
    expect([names(front), names(back)]).toEqual([[], ['Cleaner', STAY]]);
    expect(at.digitsOn(back, STAY)).toBe('0202');
    const { calendars, stays } = await operations['stays.list']({});
    expect(calendars[0]).toMatchObject({ locks: [back], lockHours: [{ lock: back, minutesBefore: 60 }] });
    expect(stays).toMatchObject([{ phase: 'ready', onLocks: [{ lockId: back }] }]);
    expect(await entriesOf(at, back)).toBeGreaterThan(before);
    // It stays so, also over a restart.
    await at.home.restart();
    await at.home.clock.advance(HOUR_MS);
    expect(names(back)).toEqual(['Cleaner', STAY]);
  });

  it('names the codes without a guest, which stay where they are', async () => {
    const { at, front, back } = await account();
    const { operations } = at.home.app;
    const draft = { name: 'Neighbour', pin: '6174', schedule: { kind: 'always' } };
    await at.home.answered(operations['codes.add']({ lock: front, draft }));
    await at.home.clock.advance(MINUTE_MS);
    const answer = await at.home.answered(operations['locks.replace']({ old: front, by: back }));
    expect(inWords(answer)).toMatchObject({
      notes: [
        expect.stringContaining('the codes of these guests'),
        'Not moved, and not removed from the old lock, because they belong to no guest: Neighbour.',
      ],
    });
    await at.home.clock.advance(2 * MINUTE_MS);
    const names = at.home.simulator.world.inspect(front).codesOnLock.map(({ name }) => name);
    expect(names).toEqual(['Neighbour']);
  });

  it('gives the new one its settings, but not that it is hidden', async () => {
    const { at, front, back } = await account();
    const { operations } = at.home.app;
    const set = async (lock: LockId, settings: object): Promise<unknown> =>
      operations['locks.configure']({ lock, settings });
    await set(front, { remoteUnlock: false, hide: true, timeZone: 'Europe/Paris', lowBattery: 30 });
    await set(back, { lowBattery: 40 });
    await at.home.answered(operations['locks.replace']({ old: front, by: back }));
    const settings = await operations['locks.settings']({});
    expect(settings.find(({ id }) => id === back)).toMatchObject({
      remoteUnlock: { value: false, from: 'page' },
      timeZone: { value: 'Europe/Paris' },
      lowBattery: { value: 40 },
      hide: { value: false },
    });
  });

  it('moves a guest who comes between stays with the hours', async () => {
    const { at, front, back } = await account();
    const { operations } = at.home.app;
    const [calendar = ''] = (await operations['stays.list']({})).calendars.map(({ id }) => id);
    const cleaner = { name: 'Cleaning', pin: '8402', calendars: [calendar], until: '18:00' };
    await at.home.answered(operations['guests.add-between'](cleaner));
    await at.home.clock.advance(MINUTE_MS);
    const hoursOn = (lock: LockId) =>
      at.home.simulator.world
        .inspect(lock)
        .codesOnLock.filter(({ name }) => name === 'Cleaning')
        .map(({ scheduleDetails }) => scheduleDetails?.startDateTime);
    const [hours] = hoursOn(front);
    expect(hours).toBeDefined();
    await at.home.answered(operations['locks.replace']({ old: front, by: back }));
    await at.home.clock.advance(2 * MINUTE_MS);
    expect([hoursOn(front), hoursOn(back)]).toEqual([[], [hours]]);
  });

  it('is refused where there is nothing to move, or nowhere to', async () => {
    const { at, front, back } = await account();
    const replace = at.home.app.operations['locks.replace'];
    await expect(replace({ old: front, by: front })).rejects.toMatchObject({ code: 'bad-request' });
    await expect(replace({ old: front, by: 'none' })).rejects.toMatchObject({ code: 'not-found' });
    await expect(replace({ old: 'none', by: back })).rejects.toMatchObject({ code: 'not-found' });
    expect((await at.stays())[0]).toMatchObject({ onLocks: [{ lockId: front }] });
  });
});
