// Which accessories Home has: they appear, come back from the cache, are hidden and are removed.
import { Accessory, Bridge, uuid } from 'hap-nodejs';
import { describe, expect, it } from 'vitest';
import { PlatformAccessory as RealAccessory } from '../../../node_modules/homebridge/dist/platformAccessory.js';
import { type LockId, lockId, unknownLock } from '../../../src/domain/lock.ts';
import { resetCachedState } from '../../../src/homekit/lock-mechanism-service.ts';
import { Bench, benchWithFrontDoor, DEFAULTS, describedAs, FRONT } from './fixture.ts';

const UNSECURED = 0;
const SECURED = 1;
const UNKNOWN = 3;
const NO_RESPONSE = -70402;

function lockedBefore(): Bench {
  const bench = benchWithFrontDoor();
  bench.runtime.report(FRONT, {
    bolt: 'secured',
    connected: true,
    battery: { grade: 'normal', percent: 80 },
  });
  return bench;
}

describe('a lock that appears', () => {
  it('is in Home at once, registered under the names that Homebridge keeps', () => {
    const bench = new Bench();
    expect(bench.accessories).toEqual([]);
    bench.runtime.add(unknownLock(FRONT, describedAs('Front door')));
    expect(bench.accessories).toHaveLength(1);
    expect(RealAccessory.serialize(bench.accessory())).toMatchObject({
      plugin: 'homebridge-latchkey',
      platform: 'Latchkey',
    });
    expect(bench.visibleLines).toEqual(['info Front door: added to Home']);
  });

  it('is called what the options call it, else what the account does', () => {
    const bench = new Bench({
      options: (id) => ({ ...DEFAULTS, name: id === FRONT ? 'Main entrance' : null }),
    });
    bench.runtime.add(unknownLock(FRONT, describedAs('Front door')));
    bench.runtime.add(unknownLock(lockId('back'), describedAs('Back door')));
    expect(bench.accessories.map(({ displayName }) => displayName)).toEqual(['Main entrance', 'Back door']);
  });

  it('shows what is known of it before Homebridge gets to know the accessory', () => {
    const bench = new Bench();
    const atRegistration: unknown[] = [];
    bench.api.registerPlatformAccessories = (_plugin, _platform, [accessory]) => {
      const service = accessory?.getService(bench.api.hap.Service.LockMechanism);
      atRegistration.push(service?.getCharacteristic(bench.api.hap.Characteristic.LockCurrentState).value);
    };
    bench.runtime.add(unknownLock(FRONT, describedAs('Front door')));
    expect(atRegistration).toEqual([UNKNOWN]);
  });

  it('has the same identity whatever else is said of it', () => {
    const first = new Bench();
    first.runtime.add(unknownLock(FRONT, describedAs('Front door')));
    const second = new Bench();
    second.runtime.add(unknownLock(FRONT, { ...describedAs('Elsewhere'), serial: 'other', role: 'guest' }));
    expect(second.accessories[0]?.UUID).toBe(first.accessories[0]?.UUID);
    const other = new Bench();
    other.runtime.add(unknownLock(lockId('front-2'), describedAs('Front door')));
    expect(other.accessories[0]?.UUID).not.toBe(first.accessories[0]?.UUID);
  });

  it('shows what becomes of it before anybody else hears of it', () => {
    const shownThen: unknown[] = [];
    const bench = new Bench({
      prepare: (runtime) => {
        runtime.subscribe(() =>
          shownThen.push(bench.characteristic('LockMechanism', 'Lock Current State').value),
        );
      },
    });
    bench.runtime.add(unknownLock(FRONT, describedAs('Front door')));
    bench.runtime.report(FRONT, { bolt: 'secured', connected: true });
    expect(shownThen).toEqual([UNKNOWN, SECURED]);
  });

  it('that Homebridge does not take harms no other', () => {
    const bench = new Bench();
    bench.api.registerPlatformAccessories = () => {
      throw new Error('Cannot bridge more than 149 accessories');
    };
    bench.runtime.add(unknownLock(FRONT, describedAs('Front door')));
    expect(bench.lines).toEqual([
      'error Front door: could not be shown in Home: Cannot bridge more than 149 accessories',
    ]);
  });
});

describe('an accessory from the cache', () => {
  it('shows UNKNOWN on every read path though it was cached as SECURED, and keeps its target (faults#22)', async () => {
    const restored = lockedBefore().throughCache();
    const bench = new Bench({ restored });
    for (const handlers of [true, false]) {
      expect(await bench.listed(bench.current(), handlers)).toBe(UNKNOWN);
    }
    expect(await bench.read(bench.current())).toBe(UNKNOWN);
    expect(await bench.read(bench.target())).toBe(SECURED);
  });

  it('keeps an open target, too, until evidence comes', async () => {
    const before = benchWithFrontDoor();
    before.runtime.report(FRONT, { bolt: 'unsecured' });
    const bench = new Bench({ restored: before.throughCache() });
    expect(await bench.read(bench.target())).toBe(UNSECURED);
  });

  it('sends the state once when the lock is unchanged, and never "unsecured"', () => {
    const restored = lockedBefore().throughCache();
    const bench = new Bench({
      restored,
      prepare: (runtime) => {
        runtime.setLink('other-process');
      },
    });
    const sent = bench.listen();
    bench.runtime.setLink('linked');
    bench.runtime.report(FRONT, {
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
    let bench = lockedBefore();
    for (let restart = 0; restart < 100; restart += 1) {
      bench = new Bench({ restored: bench.throughCache() });
      bench.runtime.report(FRONT, { bolt: restart % 2 === 0 ? 'secured' : 'unsecured' });
      expect(bench.runtime.wishes).toEqual([]);
      expect(bench.accessories).toHaveLength(1);
    }
  });

  it('is whole already: showing it again tells no controller to read everything anew', () => {
    const restored = lockedBefore().throughCache();
    let changes = 0;
    for (const service of restored.flatMap(({ services }) => services)) {
      service.on('service-configurationChange', () => {
        changes += 1;
      });
    }
    const bench = new Bench({ restored });
    bench.runtime.report(FRONT, { bolt: 'secured', battery: { grade: 'normal', percent: 80 } });
    expect(changes).toBe(0);
  });

  it('has a firmware version that HomeKit accepts though Homebridge resets it', () => {
    const restored = lockedBefore().throughCache();
    const bench = lockedBefore();
    const { AccessoryInformation } = bench.api.hap.Service;
    for (const accessory of restored) {
      accessory.getService(AccessoryInformation)?.updateCharacteristic('Firmware Revision', '0');
    }
    const after = new Bench({ restored });
    expect(after.characteristic('AccessoryInformation', 'Firmware Revision').value).toBe('0.0.0');
    expect(after.characteristic('AccessoryInformation', 'Model').value).toBe('Deadbolt');
  });

  it('tells the house of its lock', () => {
    const bench = new Bench({ restored: lockedBefore().throughCache() });
    expect(bench.runtime.lock(FRONT)?.description.name).toBe('Front door');
  });

  it('keeps a name that a person or an earlier version gave it', () => {
    const restored = lockedBefore().throughCache();
    restored[0]?.updateDisplayName('Main entrance');
    const bench = new Bench({ restored });
    bench.runtime.report(FRONT, { bolt: 'secured', description: describedAs('Front door') });
    expect(bench.accessory('Main entrance').displayName).toBe('Main entrance');
  });

  it('of an older context is migrated: its lock and a version, and nothing else (faults#67)', () => {
    const restored = lockedBefore().throughCache();
    for (const accessory of restored) {
      accessory.context = { lockId: FRONT, pin: '4711', token: 'secret' };
    }
    const bench = new Bench({ restored });
    expect(bench.accessory().context).toEqual({ lockId: FRONT, version: 1 });
    expect(bench.saved).toEqual([bench.accessory()]);
    expect(JSON.stringify(bench.throughCache().map(({ context }) => context as unknown))).not.toContain(
      '4711',
    );
  });

  it.each(['yesterday', null, Number.POSITIVE_INFINITY])(
    'whose context dates the last move by %s forgets that date',
    (movedAt) => {
      const restored = lockedBefore().throughCache();
      for (const accessory of restored) {
        accessory.context = { ...accessory.context, movedAt };
      }
      expect(new Bench({ restored }).accessory().context).toEqual({ lockId: FRONT, version: 1 });
    },
  );

  it('whose context names no lock is found again by its identity', async () => {
    const restored = lockedBefore().throughCache();
    for (const accessory of restored) {
      accessory.context = {};
    }
    const bench = new Bench({ restored });
    expect(bench.accessories).toHaveLength(1);
    bench.runtime.add(unknownLock(FRONT, describedAs('Front door')));
    expect(bench.accessories).toEqual(restored);
    expect(bench.accessory().context).toEqual({ lockId: FRONT, version: 1 });
    expect(bench.saved).toEqual(restored);
    expect(await bench.read(bench.current())).toBe(UNKNOWN);
  });

  it('that is there twice for one lock is kept once', () => {
    const [first] = lockedBefore().throughCache();
    const [second] = lockedBefore().throughCache();
    const restored = [first, second].filter((accessory) => accessory !== undefined);
    const bench = new Bench({ restored });
    expect(bench.accessories).toEqual([first]);
  });
});

describe('an accessory before its lock is known', () => {
  it('claims nothing and takes no command, even if the platform never starts', async () => {
    const bench = lockedBefore();
    const [cached] = bench.throughCache();
    if (cached === undefined) {
      throw new Error('Nothing was cached');
    }
    resetCachedState(bench.api, cached);
    const service = cached.getService(bench.api.hap.Service.LockMechanism);
    const current = service?.getCharacteristic(bench.api.hap.Characteristic.LockCurrentState);
    const target = service?.getCharacteristic(bench.api.hap.Characteristic.LockTargetState);
    if (current === undefined || target === undefined) {
      throw new Error('The lock has no states');
    }
    expect(await bench.listed(current, false)).toBe(UNKNOWN);
    expect(await bench.listed(current)).toBe(UNKNOWN);
    expect(await bench.read(current)).toBe(NO_RESPONSE);
    expect(await bench.write(target, UNSECURED)).toBe(NO_RESPONSE);
  });

  it('is taken over by its lock as if nothing had been', async () => {
    const before = lockedBefore();
    const restored = before.throughCache();
    for (const accessory of restored) {
      resetCachedState(before.api, accessory);
    }
    const bench = new Bench({ restored });
    expect(await bench.read(bench.current())).toBe(UNKNOWN);
    bench.runtime.report(FRONT, { bolt: 'unsecured' });
    expect(await bench.read(bench.current())).toBe(UNSECURED);
    expect(await bench.write(bench.target(), SECURED)).toBe(0);
    expect(bench.runtime.wishes).toEqual([{ id: FRONT, rest: 'secured' }]);
  });
});

describe('a hidden lock', () => {
  const hidden = (): typeof DEFAULTS => ({ ...DEFAULTS, hidden: true });

  it('never comes into Home', () => {
    const bench = benchWithFrontDoor({ options: hidden });
    expect(bench.accessories).toEqual([]);
    expect(bench.lines).toEqual([]);
  });

  it('leaves Home if it was there', () => {
    const bench = new Bench({ restored: lockedBefore().throughCache(), options: hidden });
    expect(bench.accessories).toEqual([]);
  });
});

describe('more locks than a bridge takes (faults#98)', () => {
  const MOST = 149;
  const idOf = (number: number): LockId => lockId(`lock-${String(number)}`);

  function fullBridge(hidden = new Set<LockId>()): Bench {
    const bench = new Bench({ options: (id) => ({ ...DEFAULTS, hidden: hidden.has(id) }) });
    for (let number = 1; number <= MOST + 6; number += 1) {
      bench.runtime.add(unknownLock(idOf(number), describedAs(`Lock ${String(number)}`)));
    }
    return bench;
  }

  const warnings = (bench: Bench): readonly string[] =>
    bench.lines.filter((line) => !line.startsWith('info '));

  it('are shown as far as they fit, with one line for the others', () => {
    const bench = fullBridge();
    expect(bench.accessories).toHaveLength(MOST);
    expect(warnings(bench)).toEqual([
      'warn Lock 150 is not in Home: this bridge already has 149 accessories, the most that Home accepts. Hide locks that you do not need, or move other accessories to another bridge. Further locks wait for room, too.',
    ]);
  });

  it('fill places that become free, by hiding or by leaving the account', () => {
    const hidden = new Set([idOf(3)]);
    const bench = fullBridge(hidden);
    expect(bench.accessories).toHaveLength(MOST);
    hidden.add(idOf(4));
    bench.configured(idOf(4));
    bench.runtime.remove(idOf(5));
    const names = bench.accessories.map(({ displayName }) => displayName);
    expect(names).toHaveLength(MOST);
    expect(names).not.toContain('Lock 4');
    expect(names).toContain('Lock 152');
    expect(warnings(bench)).toHaveLength(1);
  });

  it('say again why one that is shown again must wait, and once there is room for all, nothing waits', () => {
    const hidden = new Set([idOf(3)]);
    const bench = fullBridge(hidden);
    hidden.delete(idOf(3));
    bench.configured(idOf(3));
    expect(warnings(bench).at(-1)).toContain('Lock 3 is not in Home');
    for (let number = 10; number < 30; number += 1) {
      bench.runtime.remove(idOf(number));
    }
    expect(bench.accessories).toHaveLength(MOST + 6 - 20);
    bench.runtime.add(unknownLock(idOf(10), describedAs('Lock 10')));
    expect(bench.accessories).toHaveLength(MOST + 6 - 19);
  });

  it('wait behind the accessories of other plugins, and get a place of theirs with the next listing', () => {
    const bench = benchWithFrontDoor();
    const bridge = new Bridge('Bridge', uuid.generate('bridge'));
    const others = Array.from(
      { length: MOST - 1 },
      (_, number) => new Accessory(`Light ${String(number)}`, uuid.generate(`light-${String(number)}`)),
    );
    // oxlint-disable-next-line no-underscore-dangle -- as Homebridge bridges an accessory
    bridge.addBridgedAccessories([bench.accessory()._associatedHAPAccessory, ...others]);
    bench.runtime.add(unknownLock(lockId('back'), describedAs('Back door')));
    expect(bench.accessories).toEqual([bench.accessory()]);
    bridge.removeBridgedAccessories(others.slice(0, 1));
    bench.runtime.report(FRONT, { source: 'poll', bolt: 'secured', connected: true });
    bench.runtime.report(FRONT, { source: 'poll', bolt: 'secured', connected: true });
    expect(bench.accessories.map(({ displayName }) => displayName)).toEqual(['Front door', 'Back door']);
  });
});

describe('a lock that is removed', () => {
  it('leaves Home, with one line, and leaves no timer', () => {
    const bench = lockedBefore();
    bench.runtime.remove(FRONT);
    expect(bench.accessories).toEqual([]);
    expect(bench.visibleLines.at(-1)).toBe('info Front door: removed from Home');
    expect(bench.clock.pendingTimers).toBe(0);
  });

  it('and comes back later is a new accessory', () => {
    const bench = lockedBefore();
    const before = bench.accessory();
    bench.runtime.remove(FRONT);
    bench.runtime.add(unknownLock(FRONT, describedAs('Front door')));
    expect(bench.accessory()).not.toBe(before);
    expect(bench.accessory().UUID).toBe(before.UUID);
  });

  it('is never removed by being offline, missing or out of reach of an unlinked account (faults#34)', () => {
    const bench = lockedBefore();
    bench.runtime.report(FRONT, { connected: false });
    bench.runtime.happen(FRONT, { type: 'missed', at: bench.runtime.tick() });
    for (const state of ['revoked', 'expired', 'signed-out', 'unlinked'] as const) {
      bench.runtime.setLink(state);
    }
    expect(bench.accessories).toHaveLength(1);
  });
});

describe('dispose', () => {
  it('ends listening and timers', () => {
    const bench = lockedBefore();
    bench.homekit.dispose();
    expect(bench.runtime.listeners).toBe(0);
    expect(bench.clock.pendingTimers).toBe(0);
  });
});
