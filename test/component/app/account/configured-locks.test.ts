// Locks as pages set, secure and forget them: over the real app and the simulated service.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { boltOf, type LockId } from '../../../../src/domain/locks/lock.ts';
import { isPageOperation } from '../../../../src/panel/operations/panel-api.ts';
import type { PanelEvent } from '../../../../src/panel/panel-event.ts';
import type { LockSettingsChange } from '../../../../src/panel/views/lock-settings.ts';
import { KeptValues } from '../../../../src/storage/account/settings.ts';
import { RetryError } from '../../../../src/support/errors.ts';
import { SimulatedHome } from '../../../homes/simulated-home.ts';

const REFUSED = { kind: 'refused', reason: 'remote-unlock-forbidden' };

let home: SimulatedHome;
let front: LockId;

beforeEach(async () => {
  home = await SimulatedHome.linked();
  front = home.idOf('Front door');
});

afterEach(() => {
  vi.restoreAllMocks();
});

async function configure(settings: LockSettingsChange, lock: string = front): Promise<unknown> {
  return home.app.operations['locks.configure']({ lock, settings });
}

/** Its settings as a page shows them. */
async function settingsOf(id: LockId = front): Promise<unknown> {
  return (await home.app.operations['locks.settings']({})).find((lock) => lock.id === id);
}

/** How the front door is believed to be. */
function boltShown(): string {
  return boltOf(home.app.runtime.lock(front) ?? expect.fail('gone'));
}

/** Every event that pages get from now on. */
function listen(): readonly PanelEvent[] {
  const received: PanelEvent[] = [];
  home.app.subscribe((event) => {
    received.push(event);
  });
  return received;
}

describe('the settings of a lock', () => {
  it('are shown with the person or file that set them', async () => {
    await configure({ hide: true, lowBattery: 30 });
    expect(await settingsOf()).toEqual({
      id: front,
      accountName: 'Front door',
      name: { value: null, from: 'default' },
      hide: { value: true, from: 'page' },
      remoteUnlock: { value: true, from: 'default' },
      adminOnly: { value: false, from: 'default' },
      timeZone: { value: null, from: 'default' },
      offsetMinutes: -240,
      lowBattery: { value: 30, from: 'page' },
    });
  });

  it('are sent to all pages once when a page changes them, and only when something is different', async () => {
    const received = listen();
    const view = await configure({ adminOnly: true });
    expect(view).toEqual(await settingsOf());
    await configure({ adminOnly: true });
    expect(received).toEqual([{ type: 'lock-settings', id: front }]);
    expect(home.lines.filter((line) => line.includes('changed on a page'))).toEqual([
      'Front door: changed on a page: adminOnly',
    ]);
  });

  it('survive a restart, and a page can take back what it has set', async () => {
    await configure({ name: 'Porch', timeZone: 'Europe/Paris' });
    await home.restart();
    expect(await settingsOf()).toMatchObject({
      name: { value: 'Porch', from: 'page' },
      timeZone: { value: 'Europe/Paris', from: 'page' },
    });
    await configure({ name: null });
    await home.restart();
    expect(await settingsOf()).toMatchObject({
      name: { value: null, from: 'default' },
      timeZone: { value: 'Europe/Paris', from: 'page' },
    });
  });

  it('are refused for an unknown lock, and in words when they make no sense, and none of them is kept', async () => {
    await expect(configure({ hide: true }, 'no-such-lock')).rejects.toMatchObject({ code: 'not-found' });
    const wrong = { timeZone: 'Mars/Olympus', lowBattery: 99, hide: true };
    await expect(configure(wrong)).rejects.toMatchObject({
      code: 'bad-request',
      message:
        'timeZone: is not an IANA time zone; enter one such as Europe/Paris. lowBattery: must be at most 95; lower it.',
    });
    expect(await settingsOf()).toMatchObject({ hide: { value: false, from: 'default' } });
  });

  it('are not in force when the disk does not take them, and the page gets an error', async () => {
    const received = listen();
    vi.spyOn(KeptValues.prototype, 'write').mockImplementationOnce(() => {
      throw new RetryError('storage-failed', 'The disk is full.');
    });
    await expect(configure({ remoteUnlock: false })).rejects.toMatchObject({ code: 'storage-failed' });
    expect(await settingsOf()).toMatchObject({ remoteUnlock: { value: true, from: 'default' } });
    expect(received).toEqual([]);
  });
});

it('remoteUnlock: false from a page forbids every way at once, and still after a restart (faults#80)', async () => {
  await configure({ remoteUnlock: false });
  expect(await home.app.operations.move({ lock: front, to: 'unsecured' })).toEqual(REFUSED);
  expect(await home.app.runtime.request(front, 'unsecured')).toEqual(REFUSED);
  await home.restart();
  expect(await home.app.runtime.request(front, 'unsecured')).toEqual(REFUSED);
  expect(await home.requests('POST', 'commands')).toEqual([]);
});

it('an option of a lock that config.json sets cannot be changed by a page, wins over the stored value, and is shown as fixed', async () => {
  await configure({ hide: true, adminOnly: true });
  const fixed = { locks: [{ id: front, hide: false, remoteUnlock: false }] };
  await home.restart(fixed);
  expect(await settingsOf()).toMatchObject({
    hide: { value: false, from: 'config' },
    remoteUnlock: { value: false, from: 'config' },
    adminOnly: { value: true, from: 'page' },
  });
  await expect(configure({ remoteUnlock: true })).rejects.toMatchObject({
    code: 'bad-request',
    message: 'remoteUnlock: is set in config.json (locks[].remoteUnlock); change it there.',
  });
  expect(await home.app.runtime.request(front, 'unsecured')).toEqual(REFUSED);
});

describe('the lock button of a page', () => {
  it('locks the door, and no page has an operation that unlocks one (faults#80)', async () => {
    await home.control('locks/Front%20door/turn-thumbturn', { to: 'Unlocked' });
    await home.clock.advance(60_000);
    expect(boltShown()).toBe('unsecured');
    const answer = home.app.operations.lock({ lock: front, to: 'unsecured' });
    await home.clock.advance(10_000);
    expect(await answer).toEqual({ kind: 'accepted' });
    expect(boltShown()).toBe('secured');
    expect(isPageOperation('move')).toBe(false);
  });

  it.each([
    ['the button of a page', async () => home.app.operations.lock({ lock: front })],
    ['the command line', async () => home.app.operations.move({ lock: front, to: 'secured' })],
  ])(
    'has its command sent, by %s, although the last reading says "locked": a hand has opened the door since',
    async (_, lock) => {
      await home.control('locks/Front%20door/turn-thumbturn', { to: 'Locked' });
      await home.clock.advance(60_000);
      await home.control('locks/Front%20door/turn-thumbturn', { to: 'Unlocked' });
      await home.clock.advance(6_000);
      expect(boltShown()).toBe('secured');
      const answer = lock();
      await home.clock.advance(10_000);
      expect([await answer, home.simulator.world.inspect(front).bolt]).toEqual([
        { kind: 'accepted' },
        'Locked',
      ]);
    },
  );
});

it('forgetting a lock is refused while the account lists the lock, with what to do instead, and leaves its history', async () => {
  await expect(home.app.operations.forget({ lock: front })).rejects.toMatchObject({
    disposition: 'final',
    code: 'refused',
    message: 'As far as is known, this lock is still in the account, so it would come back. Hide it instead.',
  });
  await home.control('locks/Front%20door/turn-thumbturn', { to: 'Unlocked' });
  await home.clock.advance(60_000);
  await home.answered(home.app.operations['history.refresh']({ locks: [front] }));
  const kept = async () =>
    (await home.app.operations['history.page']({ locks: [front], limit: 50 })).lines.length;
  const before = await kept();
  await home.control('locks/Front%20door/remove');
  await home.clock.advance(60_000);
  expect(home.app.runtime.locks()).toHaveLength(3);
  expect(await home.app.operations.forget({ lock: front })).toEqual({ forgotten: true });
  expect(home.app.runtime.locks().map(({ id }) => id)).not.toContain(front);
  expect([before > 0, await kept()]).toEqual([true, before]);
  await expect(home.app.operations.forget({ lock: front })).rejects.toMatchObject({ code: 'not-found' });
});

it("the status names its account, the service's time, and when the locks were last listed", async () => {
  await home.clock.advance(10_000);
  const status = await home.app.operations.status({});
  expect(status.accountName).toBe('Latchkey');
  expect(status.version).toMatch(/^\d+\.\d+\.\d+/);
  expect(Math.abs(status.serviceNow - home.clock.now())).toBeLessThan(2_000);
  expect(status.lastListedAgoMs).toBe(10_000);
});
