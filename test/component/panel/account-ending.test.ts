// The end of an account: what it left on locks, at the service and on the disk is undone, and what is left is named.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MINUTE_MS, StayAccount } from '../../homes/stay-account.ts';

const BOOKING = { guest: 'Ada', arrival: '2026-04-15', nights: 3 } as const;
const GUEST = { name: 'Cleaner', pin: '482915', schedule: { kind: 'always' } } as const;

async function accountWithCodes() {
  const account = await StayAccount.open([BOOKING]);
  await account.addCalendar();
  const { home, locks } = account;
  const { operations } = home.app;
  await home.answered(operations['guests.add']({ draft: GUEST, locks }));
  await home.clock.advance(2 * MINUTE_MS);
  const codesOnLocks = () =>
    locks.flatMap((lock) => home.simulator.world.inspect(lock).codesOnLock.map(({ name }) => name));
  return { home, operations, locks, codesOnLocks };
}

describe('ending an account (faults#164)', () => {
  it('names what would go, and changes nothing', async () => {
    const { home, operations, codesOnLocks } = await accountWithCodes();
    const before = codesOnLocks();
    const view = await operations['ending.show']({});
    expect(view.codes.map(({ name }) => name)).toContain('Cleaner');
    expect(view.codes).toHaveLength(2);
    expect(view.codes[0]?.locks).toEqual(['Front door', 'Back door']);
    expect(view.calendars).toEqual([{ name: 'Flat', from: 'page' }]);
    expect(view.isConnected).toBe(true);
    await home.clock.advance(MINUTE_MS);
    expect(codesOnLocks()).toEqual(before);
    expect(JSON.stringify(view)).not.toContain(GUEST.pin);
  });

  it('takes codes off, ends the sign-in and deletes the files, in this order', async () => {
    const { home, operations, codesOnLocks } = await accountWithCodes();
    const named = { account: home.config.name };
    expect(codesOnLocks().length).toBeGreaterThan(0);
    await expect(operations['ending.finish'](named)).rejects.toThrow('may still open');
    await operations['ending.begin'](named);
    await home.clock.advance(5 * MINUTE_MS);
    expect((await operations['ending.show']({})).codes).toEqual([]);
    expect(codesOnLocks()).toEqual([]);
    const report = await home.answered(operations['ending.finish'](named));
    expect(report).toEqual({ codes: [], webhooks: false, broker: null });
    expect(home.app.runtime.linkState()).toBe('unlinked');
    await home.clock.advance(1_000);
    await home.app.dispose();
    const folder = join(home.folder, 'latchkey');
    expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([]);
  });

  it('makes no code any more for a calendar of config.json, neither in reserve nor for a new booking', async () => {
    const { home, locks, portal } = await StayAccount.open([BOOKING]);
    const flat = { name: 'Flat', address: portal.url, locks, reserve: true };
    await home.restart({ polling: { idleSeconds: 600 }, stays: [flat] });
    await home.clock.advance(5 * MINUTE_MS);
    const codesOn = () => locks.map((lock) => home.simulator.world.inspect(lock).codesOnLock.length);
    expect(codesOn()).toEqual([2, 2]);
    const { operations } = home.app;
    await operations['ending.begin']({ account: home.config.name });
    await portal.add({ guest: 'Ben', arrival: '2026-04-19', nights: 1 });
    await home.answered(operations['stays.read']({}));
    await home.clock.advance(5 * MINUTE_MS);
    expect((await operations['stays.list']({})).stays).toHaveLength(2);
    expect(codesOn()).toEqual([0, 0]);
    const report = await home.answered(operations['ending.finish']({ account: home.config.name }));
    expect(report.codes).toEqual([]);
  });

  it('keeps the account while a lock that is away may have a code, and names it if it is left', async () => {
    const { home, operations } = await accountWithCodes();
    const named = { account: home.config.name };
    await home.control('locks/Back door/cut-wifi', {});
    await home.clock.advance(2 * MINUTE_MS);
    await operations['ending.begin'](named);
    await home.clock.advance(5 * MINUTE_MS);
    const { codes } = await operations['ending.show']({});
    const onBackDoor = home.simulator.world.inspect(home.idOf('Back door')).codesOnLock;
    expect(onBackDoor.length).toBeGreaterThan(0);
    expect(codes).toEqual(onBackDoor.map(({ name }) => ({ name, locks: ['Back door'] })));
    await expect(operations['ending.finish'](named)).rejects.toThrow('Back door');
    const report = await home.answered(operations['ending.finish']({ ...named, leaveCodes: true }));
    expect(report.codes).toEqual(codes);
  });

  it('refuses another name, so that nobody ends the account that they did not mean', async () => {
    const { home, operations } = await accountWithCodes();
    await expect(operations['ending.begin']({ account: `${home.config.name} ` })).rejects.toThrow(
      'not the name',
    );
  });
});
