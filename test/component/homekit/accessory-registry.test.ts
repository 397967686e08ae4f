// Which accessories Home has: they appear, come back from the cache, are hidden and are removed.
import { Accessory, Bridge, uuid } from 'hap-nodejs';
import { describe, expect, it } from 'vitest';
import { PlatformAccessory as RealAccessory } from '../../../node_modules/homebridge/dist/platformAccessory.js';
import { type LockDescription, type LockId, lockId, unknownLock } from '../../../src/domain/locks/lock.ts';
import { resetCachedState } from '../../../src/homekit/lock/lock-mechanism-service.ts';
import { describedAs, FRONT } from '../../stand-ins/account/runtime.ts';
import { DEFAULTS, fixtureWithFrontDoor, HomeFixture } from './fixture.ts';

const UNSECURED = 0;
const SECURED = 1;
const UNKNOWN = 3;
const NO_RESPONSE = -70402;

/** What the service says of a lock that is well. */
const WELL = { bolt: 'secured', connected: true, battery: { grade: 'normal', percent: 80 } } as const;

function lockedBefore(): HomeFixture {
  const fixture = fixtureWithFrontDoor();
  fixture.runtime.report(FRONT, WELL);
  return fixture;
}

describe('a lock that appears', () => {
  it('is in Home at once, with its state, registered under the names that Homebridge keeps', () => {
    const fixture = new HomeFixture();
    const atRegistration: unknown[] = [];
    fixture.api.on('registerPlatformAccessories' as 'shutdown', () => {
      atRegistration.push(fixture.current().value);
    });
    fixture.runtime.add(unknownLock(FRONT, describedAs('Front door')));
    expect(fixture.accessories).toHaveLength(1);
    expect(RealAccessory.serialize(fixture.accessory())).toMatchObject({
      plugin: 'homebridge-latchkey',
      platform: 'Latchkey',
    });
    expect(atRegistration).toEqual([UNKNOWN]);
    expect(fixture.visibleLines).toEqual(['info Front door: added to Home']);
  });

  it('is named in the log though the account gave it no name', () => {
    const fixture = new HomeFixture();
    fixture.runtime.add(unknownLock(FRONT, describedAs(' ')));
    fixture.runtime.remove(FRONT);
    expect(fixture.visibleLines).toEqual([
      'info A lock without a name: added to Home',
      'info A lock without a name: removed from Home',
    ]);
  });

  it('keeps its identity whatever else changes', () => {
    const uuidOf = (id: LockId, description: LockDescription): string | undefined => {
      const fixture = new HomeFixture();
      fixture.runtime.add(unknownLock(id, description));
      return fixture.accessories[0]?.UUID;
    };
    const front = uuidOf(FRONT, describedAs('Front door'));
    expect(uuidOf(FRONT, { ...describedAs('Elsewhere'), serial: 'other', role: 'guest' })).toBe(front);
    expect(uuidOf(lockId('front-2'), describedAs('Front door'))).not.toBe(front);
  });

  it('shows its changes before other subscribers are called', () => {
    const shownThen: unknown[] = [];
    const fixture = new HomeFixture({
      prepare: (runtime) => {
        runtime.subscribe(() => shownThen.push(fixture.current().value));
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

describe('many locks of one listing', () => {
  const several = (first: number, count: number) =>
    Array.from({ length: count }, (_, index) => {
      const name = `Door ${String(first + index)}`;
      return unknownLock(lockId(name), describedAs(name));
    });

  it('are registered in one call, and those that a restart knows as well (faults#161)', () => {
    const calls: number[] = [];
    const fixture = new HomeFixture({
      prepare: (runtime) => {
        runtime.add(...several(0, 3));
      },
      onRegister: (accessories) => calls.push(accessories.length),
    });
    fixture.runtime.add(...several(3, 146));
    expect(calls).toEqual([3, 146]);
    expect(fixture.accessories).toHaveLength(149);
  });

  it('are saved in one call when the cache has them with a former context', () => {
    const fixture = new HomeFixture();
    fixture.runtime.add(...several(0, 20));
    const restored = fixture.throughCache();
    for (const accessory of restored) {
      accessory.context = { lockId: accessory.displayName };
    }
    const saves: number[] = [];
    const next = new HomeFixture({
      restored,
      prepare: (runtime) => {
        runtime.add(...several(0, 20));
      },
      onUpdate: (accessories) => saves.push(accessories.length),
    });
    expect([saves, next.accessories.length]).toEqual([[20], 20]);
  });

  it('go to Home as far as the bridge has room, and each that it refuses has its line', () => {
    const fixture = new HomeFixture();
    const bridge = new Bridge('Bridge', uuid.generate('bridge'));
    fixture.api.registerPlatformAccessories = (_plugin, _platform, accessories) => {
      for (const accessory of accessories) {
        if (bridge.bridgedAccessories.length === 2) {
          throw new Error('Cannot bridge more than 2 accessories');
        }
        // oxlint-disable-next-line no-underscore-dangle -- as Homebridge does it
        bridge.addBridgedAccessory(accessory._associatedHAPAccessory);
      }
    };
    fixture.runtime.add(...several(0, 3));
    expect(fixture.lines).toEqual([
      'info Door 0: added to Home',
      'info Door 1: added to Home',
      'error Door 2: could not be shown in Home: Cannot bridge more than 2 accessories',
    ]);
    expect(fixture.saved.map(({ displayName }) => displayName)).toEqual(['Door 0', 'Door 1']);
  });
});

describe('an accessory from the cache', () => {
  it('shows UNKNOWN on every read path though it was cached as SECURED, and keeps its target (faults#22)', async () => {
    const fixture = new HomeFixture({ restored: lockedBefore().throughCache() });
    for (const handlers of [true, false]) {
      expect(await fixture.listed(fixture.current(), handlers)).toBe(UNKNOWN);
    }
    expect(await fixture.read(fixture.current())).toBe(UNKNOWN);
    expect(await fixture.read(fixture.target())).toBe(SECURED);
    const opened = fixtureWithFrontDoor();
    opened.runtime.report(FRONT, { bolt: 'unsecured' });
    const reopened = new HomeFixture({ restored: opened.throughCache() });
    expect(await reopened.read(reopened.target())).toBe(UNSECURED);
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
    fixture.runtime.report(FRONT, WELL);
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

  it('has a firmware version that HomeKit accepts though Homebridge resets it', () => {
    const before = lockedBefore();
    before.characteristic('AccessoryInformation', 'Firmware Revision').value = '0';
    const after = new HomeFixture({ restored: before.throughCache() });
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

  it.each<[string, object]>([
    ['of an older version', { lockId: FRONT, pin: '4711', token: 'secret' }],
    ...['yesterday', null, Number.POSITIVE_INFINITY].map((movedAt): [string, object] => [
      `whose last move is dated ${String(movedAt)}`,
      { lockId: FRONT, version: 1, movedAt },
    ]),
  ])('%s keeps its lock and a version, and nothing else (faults#67)', (_, context) => {
    const restored = lockedBefore().throughCache();
    for (const accessory of restored) {
      accessory.context = { ...context };
    }
    const fixture = new HomeFixture({ restored });
    expect(fixture.accessory().context).toEqual({ lockId: FRONT, version: 1 });
    expect(fixture.saved).toEqual([fixture.accessory()]);
    expect(fixture.cached().join()).not.toContain('4711');
  });

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
    const first = lockedBefore().throughCache();
    const fixture = new HomeFixture({ restored: [...first, ...lockedBefore().throughCache()] });
    expect(fixture.accessories).toEqual(first);
  });
});

describe('an accessory before its lock is known', () => {
  it('claims no position and accepts no command even if the platform never starts, until its lock takes it over', async () => {
    const before = lockedBefore();
    const restored = before.throughCache();
    for (const accessory of restored) {
      resetCachedState(before.api, accessory);
    }
    const { LockCurrentState, LockTargetState } = before.api.hap.Characteristic;
    const service = restored[0]?.getService(before.api.hap.Service.LockMechanism);
    const current = service?.getCharacteristic(LockCurrentState) ?? expect.fail('There is no state');
    const target = service?.getCharacteristic(LockTargetState) ?? expect.fail('There is no target');
    expect(await before.listed(current, false)).toBe(UNKNOWN);
    expect(await before.listed(current)).toBe(UNKNOWN);
    expect(await before.read(current)).toBe(NO_RESPONSE);
    expect(await before.write(target, UNSECURED)).toBe(NO_RESPONSE);

    const fixture = new HomeFixture({ restored });
    expect(await fixture.read(fixture.current())).toBe(UNKNOWN);
    fixture.runtime.report(FRONT, { bolt: 'unsecured' });
    expect(await fixture.read(fixture.current())).toBe(UNSECURED);
    expect(await fixture.write(fixture.target(), SECURED)).toBe(0);
    expect(fixture.runtime.requests).toEqual([{ id: FRONT, target: 'secured' }]);
  });
});

describe('a hidden lock', () => {
  it('never comes into Home, and leaves it if it was there', () => {
    const fixture = fixtureWithFrontDoor({ options: { hidden: true } });
    expect([fixture.accessories, fixture.lines]).toEqual([[], []]);
    const restored = lockedBefore().throughCache();
    expect(new HomeFixture({ restored, options: { hidden: true } }).accessories).toEqual([]);
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
  it('leaves Home, with one line and without a timer, and is a new accessory when it comes back', () => {
    const fixture = lockedBefore();
    const before = fixture.accessory();
    fixture.runtime.remove(FRONT);
    expect(fixture.accessories).toEqual([]);
    expect(fixture.visibleLines.at(-1)).toBe('info Front door: removed from Home');
    expect(fixture.clock.pendingTimers).toBe(0);
    fixture.runtime.add(unknownLock(FRONT, describedAs('Front door')));
    expect(fixture.accessory()).not.toBe(before);
    expect(fixture.accessory().UUID).toBe(before.UUID);
  });

  it('is never removed by being offline, missing or out of reach of an unlinked account (faults#34)', () => {
    const fixture = lockedBefore();
    fixture.runtime.report(FRONT, { connected: false });
    fixture.runtime.happen(FRONT, { type: 'missed', at: fixture.runtime.tick() });
    const lost = ['revoked', 'expired', 'signed-out', 'used-elsewhere', 'moved', 'unlinked'] as const;
    for (const state of lost) {
      fixture.runtime.setLink(state);
    }
    expect(fixture.accessories).toHaveLength(1);
  });
});

describe('dispose', () => {
  it('ends listening to the account and to options, and timers', () => {
    let hidden = false;
    const fixture = fixtureWithFrontDoor({ options: () => ({ ...DEFAULTS, hidden }) });
    fixture.homekit.dispose();
    hidden = true;
    fixture.configured(FRONT);
    expect(fixture.accessories).toHaveLength(1);
    expect(fixture.runtime.listeners).toBe(0);
    expect(fixture.clock.pendingTimers).toBe(0);
  });
});
