// Which accessories Home has: they appear, come back from the cache, are hidden and are removed.
import { Accessory, Bridge, uuid } from 'hap-nodejs';
import { describe, expect, it } from 'vitest';
import { PlatformAccessory as RealAccessory } from '../../../node_modules/homebridge/dist/platformAccessory.js';
import { type LockId, lockId, unknownLock } from '../../../src/domain/locks/lock.ts';
import { resetCachedState } from '../../../src/homekit/lock/lock-mechanism-service.ts';
import { describedAs, FRONT } from '../../stand-ins/account/runtime.ts';
import { DEFAULTS, fixtureWithFrontDoor, HomeFixture } from './fixture.ts';

const UNSECURED = 0;
const SECURED = 1;
const UNKNOWN = 3;
const NO_RESPONSE = -70402;

function lockedBefore(): HomeFixture {
  const fixture = fixtureWithFrontDoor();
  fixture.runtime.report(FRONT, {
    bolt: 'secured',
    connected: true,
    battery: { grade: 'normal', percent: 80 },
  });
  return fixture;
}

describe('a lock that appears', () => {
  it('is in Home at once, registered under the names that Homebridge keeps', () => {
    const fixture = new HomeFixture();
    expect(fixture.accessories).toEqual([]);
    fixture.runtime.add(unknownLock(FRONT, describedAs('Front door')));
    expect(fixture.accessories).toHaveLength(1);
    expect(RealAccessory.serialize(fixture.accessory())).toMatchObject({
      plugin: 'homebridge-latchkey',
      platform: 'Latchkey',
    });
    expect(fixture.visibleLines).toEqual(['info Front door: added to Home']);
  });

  it('has the name of the options, else that of the account', () => {
    const fixture = new HomeFixture({
      options: (id) => ({ ...DEFAULTS, name: id === FRONT ? 'Main entrance' : null }),
    });
    fixture.runtime.add(unknownLock(FRONT, describedAs('Front door')));
    fixture.runtime.add(unknownLock(lockId('back'), describedAs('Back door')));
    expect(fixture.accessories.map(({ displayName }) => displayName)).toEqual(['Main entrance', 'Back door']);
  });

  it('has its state before Homebridge gets the accessory', () => {
    const fixture = new HomeFixture();
    const atRegistration: unknown[] = [];
    fixture.api.registerPlatformAccessories = (_plugin, _platform, [accessory]) => {
      const service = accessory?.getService(fixture.api.hap.Service.LockMechanism);
      atRegistration.push(service?.getCharacteristic(fixture.api.hap.Characteristic.LockCurrentState).value);
    };
    fixture.runtime.add(unknownLock(FRONT, describedAs('Front door')));
    expect(atRegistration).toEqual([UNKNOWN]);
  });

  it('keeps its identity whatever else changes', () => {
    const first = new HomeFixture();
    first.runtime.add(unknownLock(FRONT, describedAs('Front door')));
    const second = new HomeFixture();
    second.runtime.add(unknownLock(FRONT, { ...describedAs('Elsewhere'), serial: 'other', role: 'guest' }));
    expect(second.accessories[0]?.UUID).toBe(first.accessories[0]?.UUID);
    const other = new HomeFixture();
    other.runtime.add(unknownLock(lockId('front-2'), describedAs('Front door')));
    expect(other.accessories[0]?.UUID).not.toBe(first.accessories[0]?.UUID);
  });

  it('shows its changes before other subscribers are called', () => {
    const shownThen: unknown[] = [];
    const fixture = new HomeFixture({
      prepare: (runtime) => {
        runtime.subscribe(() =>
          shownThen.push(fixture.characteristic('LockMechanism', 'Lock Current State').value),
        );
      },
    });
    fixture.runtime.add(unknownLock(FRONT, describedAs('Front door')));
    fixture.runtime.report(FRONT, { bolt: 'secured', connected: true });
    expect(shownThen).toEqual([UNKNOWN, SECURED]);
  });

  it('that Homebridge refuses affects no other lock', () => {
    const fixture = new HomeFixture();
    fixture.api.registerPlatformAccessories = () => {
      throw new Error('Cannot bridge more than 149 accessories');
    };
    fixture.runtime.add(unknownLock(FRONT, describedAs('Front door')));
    expect(fixture.lines).toEqual([
      'error Front door: could not be shown in Home: Cannot bridge more than 149 accessories',
    ]);
  });
});

describe('an accessory from the cache', () => {
  it('shows UNKNOWN on every read path though it was cached as SECURED, and keeps its target (faults#22)', async () => {
    const restored = lockedBefore().throughCache();
    const fixture = new HomeFixture({ restored });
    for (const handlers of [true, false]) {
      expect(await fixture.listed(fixture.current(), handlers)).toBe(UNKNOWN);
    }
    expect(await fixture.read(fixture.current())).toBe(UNKNOWN);
    expect(await fixture.read(fixture.target())).toBe(SECURED);
  });

  it('keeps an open target, too, until evidence comes', async () => {
    const before = fixtureWithFrontDoor();
    before.runtime.report(FRONT, { bolt: 'unsecured' });
    const fixture = new HomeFixture({ restored: before.throughCache() });
    expect(await fixture.read(fixture.target())).toBe(UNSECURED);
  });

  it('sends the state once when the lock is unchanged, and never "unsecured"', () => {
    const restored = lockedBefore().throughCache();
    const fixture = new HomeFixture({
      restored,
      prepare: (runtime) => {
        runtime.setLink('other-process');
      },
    });
    const sent = fixture.listen();
    fixture.runtime.setLink('linked');
    fixture.runtime.report(FRONT, {
      bolt: 'secured',
      connected: true,
      battery: { grade: 'normal', percent: 80 },
    });
    expect(sent).toEqual([
      { name: 'Lock Current State', value: SECURED },
      { name: 'Status Active', value: true },
    ]);
  });

  it('sends no command, however often Homebridge restarts (faults#33)', () => {
    let fixture = lockedBefore();
    for (let restart = 0; restart < 100; restart += 1) {
      fixture = new HomeFixture({ restored: fixture.throughCache() });
      fixture.runtime.report(FRONT, { bolt: restart % 2 === 0 ? 'secured' : 'unsecured' });
      expect(fixture.runtime.requests).toEqual([]);
      expect(fixture.accessories).toHaveLength(1);
    }
  });

  it('has all its services: showing it again makes no controller read everything anew', () => {
    const restored = lockedBefore().throughCache();
    let changes = 0;
    for (const service of restored.flatMap(({ services }) => services)) {
      service.on('service-configurationChange', () => {
        changes += 1;
      });
    }
    const fixture = new HomeFixture({ restored });
    fixture.runtime.report(FRONT, { bolt: 'secured', battery: { grade: 'normal', percent: 80 } });
    expect(changes).toBe(0);
  });

  it('has a firmware version that HomeKit accepts though Homebridge resets it', () => {
    const restored = lockedBefore().throughCache();
    const fixture = lockedBefore();
    const { AccessoryInformation } = fixture.api.hap.Service;
    for (const accessory of restored) {
      accessory.getService(AccessoryInformation)?.updateCharacteristic('Firmware Revision', '0');
    }
    const after = new HomeFixture({ restored });
    expect(after.characteristic('AccessoryInformation', 'Firmware Revision').value).toBe('0.0.0');
    expect(after.characteristic('AccessoryInformation', 'Model').value).toBe('Deadbolt');
  });

  it('names its lock to the runtime', () => {
    const fixture = new HomeFixture({ restored: lockedBefore().throughCache() });
    expect(fixture.runtime.lock(FRONT)?.description.name).toBe('Front door');
  });

  it('keeps a name that a person or an earlier version gave it', () => {
    const restored = lockedBefore().throughCache();
    restored[0]?.updateDisplayName('Main entrance');
    const fixture = new HomeFixture({ restored });
    fixture.runtime.report(FRONT, { bolt: 'secured', description: describedAs('Front door') });
    expect(fixture.accessory('Main entrance').displayName).toBe('Main entrance');
  });

  it('of an older context is migrated: its lock and a version, and nothing else (faults#67)', () => {
    const restored = lockedBefore().throughCache();
    for (const accessory of restored) {
      accessory.context = { lockId: FRONT, pin: '4711', token: 'secret' };
    }
    const fixture = new HomeFixture({ restored });
    expect(fixture.accessory().context).toEqual({ lockId: FRONT, version: 1 });
    expect(fixture.saved).toEqual([fixture.accessory()]);
    expect(JSON.stringify(fixture.throughCache().map(({ context }) => context as unknown))).not.toContain(
      '4711',
    );
  });

  it.each(['yesterday', null, Number.POSITIVE_INFINITY])(
    'whose context has %s as the date of the last move forgets that date',
    (movedAt) => {
      const restored = lockedBefore().throughCache();
      for (const accessory of restored) {
        accessory.context = { ...accessory.context, movedAt };
      }
      expect(new HomeFixture({ restored }).accessory().context).toEqual({ lockId: FRONT, version: 1 });
    },
  );

  it('whose context names no lock is found again by its identity', async () => {
    const restored = lockedBefore().throughCache();
    for (const accessory of restored) {
      accessory.context = {};
    }
    const fixture = new HomeFixture({ restored });
    expect(fixture.accessories).toHaveLength(1);
    fixture.runtime.add(unknownLock(FRONT, describedAs('Front door')));
    expect(fixture.accessories).toEqual(restored);
    expect(fixture.accessory().context).toEqual({ lockId: FRONT, version: 1 });
    expect(fixture.saved).toEqual(restored);
    expect(await fixture.read(fixture.current())).toBe(UNKNOWN);
  });

  it('that is there twice for one lock is kept once', () => {
    const [first] = lockedBefore().throughCache();
    const [second] = lockedBefore().throughCache();
    const restored = [first, second].filter((accessory) => accessory !== undefined);
    const fixture = new HomeFixture({ restored });
    expect(fixture.accessories).toEqual([first]);
  });
});

describe('an accessory before its lock is known', () => {
  it('claims no position and accepts no command, even if the platform never starts', async () => {
    const fixture = lockedBefore();
    const [cached] = fixture.throughCache();
    if (cached === undefined) {
      throw new Error('Nothing was cached');
    }
    resetCachedState(fixture.api, cached);
    const service = cached.getService(fixture.api.hap.Service.LockMechanism);
    const current = service?.getCharacteristic(fixture.api.hap.Characteristic.LockCurrentState);
    const target = service?.getCharacteristic(fixture.api.hap.Characteristic.LockTargetState);
    if (current === undefined || target === undefined) {
      throw new Error('The lock has no states');
    }
    expect(await fixture.listed(current, false)).toBe(UNKNOWN);
    expect(await fixture.listed(current)).toBe(UNKNOWN);
    expect(await fixture.read(current)).toBe(NO_RESPONSE);
    expect(await fixture.write(target, UNSECURED)).toBe(NO_RESPONSE);
  });

  it('is taken over by its lock without a change', async () => {
    const before = lockedBefore();
    const restored = before.throughCache();
    for (const accessory of restored) {
      resetCachedState(before.api, accessory);
    }
    const fixture = new HomeFixture({ restored });
    expect(await fixture.read(fixture.current())).toBe(UNKNOWN);
    fixture.runtime.report(FRONT, { bolt: 'unsecured' });
    expect(await fixture.read(fixture.current())).toBe(UNSECURED);
    expect(await fixture.write(fixture.target(), SECURED)).toBe(0);
    expect(fixture.runtime.requests).toEqual([{ id: FRONT, target: 'secured' }]);
  });
});

describe('a hidden lock', () => {
  const hidden = (): typeof DEFAULTS => ({ ...DEFAULTS, hidden: true });

  it('never comes into Home', () => {
    const fixture = fixtureWithFrontDoor({ options: hidden });
    expect(fixture.accessories).toEqual([]);
    expect(fixture.lines).toEqual([]);
  });

  it('leaves Home if it was there', () => {
    const fixture = new HomeFixture({ restored: lockedBefore().throughCache(), options: hidden });
    expect(fixture.accessories).toEqual([]);
  });
});

describe('more locks than a bridge holds (faults#98)', () => {
  const MOST = 149;
  const idOf = (number: number): LockId => lockId(`lock-${String(number)}`);

  function fullBridge(hidden = new Set<LockId>()): HomeFixture {
    const fixture = new HomeFixture({ options: (id) => ({ ...DEFAULTS, hidden: hidden.has(id) }) });
    for (let number = 1; number <= MOST + 6; number += 1) {
      fixture.runtime.add(unknownLock(idOf(number), describedAs(`Lock ${String(number)}`)));
    }
    return fixture;
  }

  const warnings = (fixture: HomeFixture): readonly string[] =>
    fixture.lines.filter((line) => !line.startsWith('info '));

  it('are shown as far as there is room, with one line for the others', () => {
    const fixture = fullBridge();
    expect(fixture.accessories).toHaveLength(MOST);
    expect(warnings(fixture)).toEqual([
      'warn Lock 150 is not in Home: this bridge already has 149 accessories, the most that Home accepts. Hide locks that you do not need, or move other accessories to another bridge. Further locks wait for room, too.',
    ]);
  });

  it('fill places that become free, by hiding or by leaving the account', () => {
    const hidden = new Set([idOf(3)]);
    const fixture = fullBridge(hidden);
    expect(fixture.accessories).toHaveLength(MOST);
    hidden.add(idOf(4));
    fixture.configured(idOf(4));
    fixture.runtime.remove(idOf(5));
    const names = fixture.accessories.map(({ displayName }) => displayName);
    expect(names).toHaveLength(MOST);
    expect(names).not.toContain('Lock 4');
    expect(names).toContain('Lock 152');
    expect(warnings(fixture)).toHaveLength(1);
  });

  it('are named again when one that is shown again must wait, and once there is room for all, none waits', () => {
    const hidden = new Set([idOf(3)]);
    const fixture = fullBridge(hidden);
    hidden.delete(idOf(3));
    fixture.configured(idOf(3));
    expect(warnings(fixture).at(-1)).toContain('Lock 3 is not in Home');
    for (let number = 10; number < 30; number += 1) {
      fixture.runtime.remove(idOf(number));
    }
    expect(fixture.accessories).toHaveLength(MOST + 6 - 20);
    fixture.runtime.add(unknownLock(idOf(10), describedAs('Lock 10')));
    expect(fixture.accessories).toHaveLength(MOST + 6 - 19);
  });

  it('wait behind the accessories of other plugins, and get the place of a removed one with the next listing', () => {
    const fixture = fixtureWithFrontDoor();
    const bridge = new Bridge('Bridge', uuid.generate('bridge'));
    const others = Array.from(
      { length: MOST - 1 },
      (_, number) => new Accessory(`Light ${String(number)}`, uuid.generate(`light-${String(number)}`)),
    );
    // oxlint-disable-next-line no-underscore-dangle -- as Homebridge bridges an accessory
    bridge.addBridgedAccessories([fixture.accessory()._associatedHAPAccessory, ...others]);
    fixture.runtime.add(unknownLock(lockId('back'), describedAs('Back door')));
    expect(fixture.accessories).toEqual([fixture.accessory()]);
    bridge.removeBridgedAccessories(others.slice(0, 1));
    fixture.runtime.report(FRONT, { source: 'poll', bolt: 'secured', connected: true });
    fixture.runtime.report(FRONT, { source: 'poll', bolt: 'secured', connected: true });
    expect(fixture.accessories.map(({ displayName }) => displayName)).toEqual(['Front door', 'Back door']);
  });
});

describe('a lock that is removed', () => {
  it('leaves Home, with one line, and without a timer', () => {
    const fixture = lockedBefore();
    fixture.runtime.remove(FRONT);
    expect(fixture.accessories).toEqual([]);
    expect(fixture.visibleLines.at(-1)).toBe('info Front door: removed from Home');
    expect(fixture.clock.pendingTimers).toBe(0);
  });

  it('is a new accessory when it comes back later', () => {
    const fixture = lockedBefore();
    const before = fixture.accessory();
    fixture.runtime.remove(FRONT);
    fixture.runtime.add(unknownLock(FRONT, describedAs('Front door')));
    expect(fixture.accessory()).not.toBe(before);
    expect(fixture.accessory().UUID).toBe(before.UUID);
  });

  it('is never removed by being offline, missing or out of reach of an unlinked account (faults#34)', () => {
    const fixture = lockedBefore();
    fixture.runtime.report(FRONT, { connected: false });
    fixture.runtime.happen(FRONT, { type: 'missed', at: fixture.runtime.tick() });
    for (const state of [
      'revoked',
      'expired',
      'signed-out',
      'used-elsewhere',
      'moved',
      'unlinked',
    ] as const) {
      fixture.runtime.setLink(state);
    }
    expect(fixture.accessories).toHaveLength(1);
  });
});

describe('dispose', () => {
  it('ends listening and timers', () => {
    const fixture = lockedBefore();
    fixture.homekit.dispose();
    expect(fixture.runtime.listeners).toBe(0);
    expect(fixture.clock.pendingTimers).toBe(0);
  });
});
