// Options that pages store, across processes: the next owner of the account has them, and does not begin without them.
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { KeptLockOptions } from '../../../src/app/kept-lock-options.ts';
import { lockId, unknownLock } from '../../../src/domain/locks/lock.ts';
import type { PanelEvent } from '../../../src/panel/panel-event.ts';
import { RetryError } from '../../../src/support/errors.ts';
import { silentLog } from '../../../src/support/log.ts';
import { SimulatedHome } from '../../homes/simulated-home.ts';
import { configOf } from '../../support/checked-config.ts';
import { named } from '../../support/named-lock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { openedStorage } from '../storage/place.ts';

const CONFIG = configOf({});
const description = named('Door');
const FRONT = unknownLock(lockId('front'), description);
const BACK = unknownLock(lockId('back'), description);

it('a process takes in the options that another one stored, and reports only the locks whose options differ', () => {
  const { settings } = openedStorage(join(temporaryFolder(), 'house.db'));
  const received: PanelEvent[] = [];
  const events = { emit: (event: PanelEvent) => received.push(event) };
  const parts = { config: CONFIG, settings, log: silentLog };
  const other = new KeptLockOptions({ ...parts, events: { emit: () => {} } });
  other.configure(FRONT, { hide: true });
  other.configure(BACK, { remoteUnlock: false });
  // Something else that is kept is no option of a lock.
  settings.write('link.front', { adminOnly: true });

  const ours = new KeptLockOptions({ ...parts, events });
  expect(ours.optionsFor(BACK.id).remoteUnlock).toEqual({ value: false, from: 'page' });
  other.configure(FRONT, { hide: null });
  expect(ours.optionsFor(FRONT.id).hide.value).toBe(true);
  ours.reload();
  expect(ours.optionsFor(FRONT.id).adminOnly.value).toBe(false);
  expect(ours.optionsFor(FRONT.id).hide).toEqual({ value: false, from: 'default' });
  expect(received).toEqual([{ type: 'lock-settings', id: FRONT.id }]);
});

it('a lock in the place of another gets what was forbidden for that one, also in config.json, and is not hidden', () => {
  const { settings } = openedStorage(join(temporaryFolder(), 'house.db'));
  const received: PanelEvent[] = [];
  const events = { emit: (event: PanelEvent) => received.push(event) };
  const config = configOf({ locks: [{ id: FRONT.id, remoteUnlock: false, hide: true, matter: 'off' }] });
  const options = new KeptLockOptions({ config, settings, log: silentLog, events });
  options.configure(FRONT, { adminOnly: true, lowBattery: 30 });
  options.configure(BACK, { lowBattery: 40 });
  expect(options.moveTo(FRONT.id, BACK.id)).toBe(true);
  // config.json may forget the old lock.
  const next = new KeptLockOptions({ config: CONFIG, settings, log: silentLog, events });
  expect(next.rows().get(BACK.id)).toMatchObject({ matter: 'off' });
  expect(options.rows().get(FRONT.id)).toMatchObject({ matter: 'off', adminOnly: true });
  expect(next.optionsFor(BACK.id)).toMatchObject({
    remoteUnlock: { value: false, from: 'page' },
    adminOnly: { value: true },
    lowBattery: { value: 40 },
    hide: { value: false },
  });
  expect(received.at(-1)).toEqual({ type: 'lock-settings', id: BACK.id });
  expect(options.moveTo(FRONT.id, BACK.id)).toBe(false);
});

it('an account does not begin while the stored prohibitions cannot be read', () => {
  const settings = {
    all: () => {
      throw new RetryError('storage-failed', 'The disk does not answer.');
    },
  } as unknown as ConstructorParameters<typeof KeptLockOptions>[0]['settings'];
  const events = { emit: () => {} };
  expect(() => new KeptLockOptions({ config: CONFIG, settings, log: silentLog, events })).toThrow(RetryError);
});

it('a stored option is in force in the next process that owns the account (faults#80)', async () => {
  const home = await SimulatedHome.linked();
  const front = home.idOf('Front door');
  const next = home.another();
  onTestFinished(async () => next.dispose());
  const started = next.start();
  await home.clock.advance(1_000);
  await home.app.operations['locks.configure']({ lock: front, settings: { remoteUnlock: false } });
  await expect(
    next.operations['locks.configure']({ lock: front, settings: { remoteUnlock: null } }),
  ).rejects.toMatchObject({ code: 'not-owner' });
  await expect(next.operations.forget({ lock: front })).rejects.toMatchObject({ code: 'not-owner' });
  await expect(next.operations['stays.list']({})).rejects.toMatchObject({ code: 'not-owner' });
  await home.app.dispose();
  await home.clock.advance(60_000);
  await started;
  expect(await next.runtime.request(front, 'unsecured')).toEqual({
    kind: 'refused',
    reason: 'remote-unlock-forbidden',
  });
});
