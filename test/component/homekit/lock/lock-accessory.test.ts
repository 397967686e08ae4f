// One lock in Home, with real HAP classes: its states, their order, and the answers to writes.
import { describe, expect, it } from 'vitest';
import { lockId, unknownLock } from '../../../../src/domain/locks/lock.ts';
import type { RequestAnswer } from '../../../../src/engine/account-runtime.ts';
import { RetryError } from '../../../../src/support/errors.ts';
import { describedAs, FRONT } from '../../../stand-ins/account/runtime.ts';
import { settle } from '../../../support/manual-clock.ts';
import { named } from '../../../support/named-lock.ts';
import { fixtureWithFrontDoor, type HomeFixture, lockedDoor } from '../fixture.ts';

const UNSECURED = 0;
const SECURED = 1;
const JAMMED = 2;
const UNKNOWN = 3;
const NO_RESPONSE = -70402;

const thumbturn = { method: 'thumbturn', id: null, name: null } as const;

/** The account takes the request, and says later what became of it. */
function answerLater(fixture: HomeFixture): PromiseWithResolvers<RequestAnswer> {
  const later = Promise.withResolvers<RequestAnswer>();
  fixture.runtime.answer = (id, target) => {
    fixture.runtime.happen(id, { type: 'requested', target });
    return later.promise;
  };
  return later;
}

describe('before the first answer of the service', () => {
  it('both read paths return UNKNOWN and a closed target, never a position (faults#5)', async () => {
    const fixture = fixtureWithFrontDoor();
    expect(await fixture.listed(fixture.current())).toBe(UNKNOWN);
    expect(await fixture.read(fixture.current())).toBe(UNKNOWN);
    expect(await fixture.listed(fixture.current(), false)).toBe(UNKNOWN);
    expect(await fixture.read(fixture.target())).toBe(SECURED);
  });

  it('where a read fails, HAP’s default in its place is UNKNOWN and the closed target', async () => {
    const fixture = lockedDoor();
    fixture.runtime.setLink('expired');
    expect(await fixture.read(fixture.current())).toBe(NO_RESPONSE);
    expect(await fixture.read(fixture.target())).toBe(NO_RESPONSE);
    expect(await fixture.listed(fixture.current())).toBe(UNKNOWN);
    expect(await fixture.listed(fixture.current(), false)).toBe(UNKNOWN);
    expect(await fixture.listed(fixture.target())).toBe(SECURED);
  });
});

describe('a change from outside', () => {
  it('sets target first, then current, in one turn (faults#32)', () => {
    const fixture = lockedDoor();
    const sent = fixture.listen();
    fixture.runtime.report(FRONT, { bolt: 'unsecured', accessor: thumbturn });
    expect(sent.slice(0, 2)).toEqual([
      { name: 'Lock Target State', value: UNSECURED },
      { name: 'Lock Current State', value: UNSECURED },
    ]);
  });

  it("is answered from the runtime's present state, as after a sleep of the machine", async () => {
    const fixture = lockedDoor();
    fixture.runtime.onLook = () => {
      const at = fixture.runtime.tick();
      fixture.runtime.happen(FRONT, { type: 'aged', staleBefore: at });
    };
    expect(await fixture.read(fixture.current())).toBe(UNKNOWN);
  });

  it('waits for the events that waited with it while the process stood still (faults#145)', async () => {
    const fixture = lockedDoor();
    const caughtUp = Promise.withResolvers<void>();
    fixture.runtime.catchingUp = caughtUp.promise;
    const read = Promise.all([fixture.read(fixture.current()), fixture.read(fixture.target())]);
    fixture.runtime.report(FRONT, { bolt: 'unsecured' });
    caughtUp.resolve();
    expect(await read).toEqual([UNSECURED, UNSECURED]);
  });
});

describe('a tap', () => {
  it('moves the target at once, while the current state waits for evidence', async () => {
    const fixture = lockedDoor();
    fixture.acceptRequests();
    const sent = fixture.listen();
    expect(await fixture.write(fixture.target(), UNSECURED)).toBe(0);
    expect(fixture.target().value).toBe(UNSECURED);
    expect(fixture.current().value).toBe(SECURED);
    fixture.runtime.report(FRONT, { bolt: 'unsecured' });
    expect(fixture.current().value).toBe(UNSECURED);
    expect(sent.filter(({ name }) => name === 'Lock Current State')).toHaveLength(1);
  });

  it('that is accepted late is answered with success at two seconds and settles later (faults#31)', async () => {
    const fixture = lockedDoor();
    const accepted = answerLater(fixture);
    const writing = Promise.race([
      fixture.write(fixture.target(), UNSECURED),
      fixture.until(2_500, 'too late'),
    ]);
    const early = Promise.race([writing, fixture.until(1_999, 'not yet')]);
    await fixture.clock.advance(2_500);
    expect(await early).toBe('not yet');
    expect(await writing).toBe(0);
    expect(fixture.target().value).toBe(UNSECURED);

    fixture.runtime.happen(FRONT, { type: 'request-dropped' });
    accepted.resolve({ kind: 'failed', error: new RetryError('unreachable', 'The service is unreachable') });
    await settle();
    expect(fixture.target().value).toBe(SECURED);
    expect(fixture.current().value).toBe(SECURED);
  });

  it('that failed before the late answer leaves no wrong target behind', async () => {
    const fixture = lockedDoor();
    answerLater(fixture);
    const writing = fixture.write(fixture.target(), UNSECURED);
    await fixture.clock.advance(1_000);
    fixture.runtime.happen(FRONT, { type: 'request-dropped' });
    await fixture.clock.advance(1_000);
    expect(await writing).toBe(0);
    expect(fixture.target().value).toBe(SECURED);
  });

  it('that is refused answers an error and resets the target at once (faults#80)', async () => {
    const fixture = lockedDoor();
    fixture.runtime.answer = () => Promise.resolve({ kind: 'refused', reason: 'remote-unlock-forbidden' });
    const sent = fixture.listen();
    expect(await fixture.write(fixture.target(), UNSECURED)).toBe(-70401);
    expect(sent).toEqual([{ name: 'Lock Target State', value: SECURED }]);
    expect(await fixture.read(fixture.target())).toBe(SECURED);
    expect(fixture.visibleLines.at(-1)).toBe(
      'warn Front door: couldn’t unlock: remote unlock is turned off for this lock. Allow it on the Locks page or in config.json.',
    );
  });

  it('to lock goes to the account although Home shows "Locked" (a hand may have opened the bolt), and leaves no timer', async () => {
    const fixture = lockedDoor();
    const before = fixture.clock.pendingTimers;
    expect(await fixture.write(fixture.target(), SECURED)).toBe(0);
    expect(fixture.runtime.requests).toEqual([{ id: FRONT, target: 'secured' }]);
    expect(fixture.clock.pendingTimers).toBe(before);
  });

  it('on a runtime that throws is an error status, and the process lives (faults#1)', async () => {
    const fixture = fixtureWithFrontDoor();
    fixture.runtime.answer = () => {
      throw new Error('thrown at once');
    };
    expect(await fixture.write(fixture.target(), SECURED)).toBe(NO_RESPONSE);
    fixture.runtime.answer = () => Promise.reject(new Error('rejected later'));
    expect(await fixture.write(fixture.target(), SECURED)).toBe(NO_RESPONSE);
    expect(fixture.lines.at(-1)).toBe('error Front door: the command failed: rejected later. Try again.');
  });
});

describe('a scene with three locks', () => {
  it('is carried out side by side, and each lock answers with its own status', async () => {
    const fixture = fixtureWithFrontDoor();
    const back = lockId('back-2');
    const side = lockId('side-3');
    fixture.runtime.add(unknownLock(back, describedAs('Back door')));
    fixture.runtime.add(unknownLock(side, describedAs('Side door')));
    fixture.runtime.answer = (id) => {
      if (id === back) {
        return Promise.resolve({ kind: 'refused', reason: 'remote-unlock-forbidden' });
      }
      return id === side ? new Promise(() => {}) : Promise.resolve({ kind: 'accepted' });
    };
    const writing = Promise.all(
      ['Front door', 'Back door', 'Side door'].map(async (name) =>
        fixture.write(fixture.target(name), UNSECURED),
      ),
    );
    await settle();
    expect(fixture.runtime.requests.map(({ id }) => id)).toEqual([FRONT, back, side]);
    await fixture.clock.advance(2_000);
    expect(await writing).toEqual([0, -70401, 0]);
  });
});

describe('a jam', () => {
  it('shows JAMMED and takes the target back to where the bolt rested (faults#26)', () => {
    const fixture = fixtureWithFrontDoor();
    fixture.runtime.report(FRONT, { bolt: 'unsecured' });
    fixture.runtime.happen(FRONT, { type: 'command-sent', target: 'secured', at: fixture.runtime.tick() });
    expect(fixture.target().value).toBe(SECURED);
    const at = fixture.runtime.tick();
    fixture.runtime.happen(FRONT, { type: 'command-ended', at, jammed: true, next: null });
    expect(fixture.target().value).toBe(UNSECURED);
    expect(fixture.current().value).toBe(JAMMED);
    fixture.runtime.report(FRONT, { bolt: 'secured' });
    expect(fixture.current().value).toBe(SECURED);
  });
});

describe('a lock that cannot be reached', () => {
  it('is unknown by default, and recovers by itself, with one log line each way', () => {
    const fixture = lockedDoor();
    fixture.runtime.report(FRONT, { connected: false });
    fixture.runtime.report(FRONT, { connected: false });
    expect(fixture.current().value).toBe(UNKNOWN);
    fixture.runtime.report(FRONT, { bolt: 'secured', connected: true });
    expect(fixture.current().value).toBe(SECURED);
    expect(fixture.visibleLines.slice(-2)).toEqual([
      'warn Front door: offline. Check its Wi-Fi and batteries.',
      'info Front door: back online',
    ]);
  });

  it('does not respond with that option, and both states are sent when it does again (faults#167)', async () => {
    const fixture = lockedDoor({ options: { offline: 'noResponse' } });
    fixture.runtime.report(FRONT, { connected: false });
    expect(await fixture.read(fixture.current())).toBe(NO_RESPONSE);
    expect(fixture.current().value).toBe(UNKNOWN);
    const sent = fixture.listen();
    fixture.runtime.report(FRONT, { connected: true, bolt: 'unknown' });
    expect(await fixture.read(fixture.current())).toBe(UNKNOWN);
    // Some controllers take the lock for unreachable until each of the two has had an event (faults#167).
    expect(sent.slice(0, 2)).toEqual([
      { name: 'Lock Target State', value: SECURED },
      { name: 'Lock Current State', value: UNKNOWN },
    ]);
  });
});

describe('a read', () => {
  it('asks the runtime for nothing, because every value is in memory', async () => {
    const fixture = lockedDoor();
    const asked = (): never => {
      throw new Error('asked');
    };
    fixture.runtime.lock = asked;
    fixture.runtime.locks = asked;
    fixture.runtime.linkState = asked;
    for (const { characteristics } of fixture.accessory().services) {
      for (const characteristic of characteristics.filter(({ props }) => props.perms.join().includes('pr'))) {
        expect(await characteristic.handleGetRequest()).toBe(characteristic.value);
      }
    }
  });
});

describe('the service LockManagement', () => {
  it('has its version, and a control point that accepts nothing', async () => {
    const fixture = fixtureWithFrontDoor();
    expect(fixture.characteristic('LockManagement', 'Version').value).toBe('1.0');
    const point = fixture.characteristic('LockManagement', 'Lock Control Point');
    expect(await fixture.write(point, 'AQEB')).toBe(-70412);
  });

  it('shows the last action once HomeKit has a word for it', () => {
    const fixture = fixtureWithFrontDoor();
    const moved = (method: 'virtual-key' | 'access-code', bolt: 'secured' | 'unsecured'): void => {
      fixture.runtime.report(FRONT, { bolt, accessor: { method, id: null, name: null } });
    };
    moved('virtual-key', 'secured');
    const names = fixture.service('LockManagement')?.characteristics.map(({ displayName }) => displayName);
    expect(names).not.toContain('Lock Last Known Action');
    moved('access-code', 'unsecured');
    expect(fixture.characteristic('LockManagement', 'Lock Last Known Action').value).toBe(5);
  });
});

describe('the battery service', () => {
  it('appears when something of the battery is known, and has a level when the percentage is known', () => {
    const fixture = lockedDoor();
    expect(fixture.service('Battery')).toBeUndefined();
    fixture.runtime.report(FRONT, { battery: { grade: 'normal', percent: null } });
    expect(fixture.service('Battery')?.characteristics.map(({ displayName }) => displayName)).not.toContain(
      'Battery Level',
    );
    expect(fixture.characteristic('Battery', 'Charging State').value).toBe(2);
    fixture.runtime.report(FRONT, { battery: { grade: 'normal', percent: 80 } });
    expect(fixture.characteristic('Battery', 'Battery Level').value).toBe(80);
    expect(fixture.characteristic('Battery', 'Status Low Battery').value).toBe(0);
  });

  it('logs a low battery once, and its recovery once', () => {
    const fixture = fixtureWithFrontDoor();
    for (const percent of [30, 19, 18, 22, 24, 26, 22]) {
      fixture.runtime.report(FRONT, { battery: { grade: 'normal', percent } });
    }
    expect(fixture.visibleLines.slice(1)).toEqual([
      'warn Front door: battery low, 19%. Replace the batteries soon.',
      'info Front door: battery OK again, 26%',
    ]);
  });
});

describe('the connectivity sensor', () => {
  /** Connected, active, faulty. */
  const values = (fixture: HomeFixture): unknown[] =>
    ['Occupancy Detected', 'Status Active', 'Status Fault'].map(
      (name) => fixture.characteristic('OccupancySensor', name).value,
    );

  it('is occupied while reports and commands get through', () => {
    const fixture = fixtureWithFrontDoor();
    expect(values(fixture)).toEqual([0, false, 0]);
    fixture.runtime.report(FRONT, { bolt: 'secured', connected: true });
    expect(values(fixture)).toEqual([1, true, 0]);
    fixture.runtime.report(FRONT, { connected: false });
    expect(values(fixture)).toEqual([0, true, 0]);
    fixture.runtime.setLink('revoked');
    expect(values(fixture)).toEqual([0, false, 1]);
  });

  it('shows a service that never answers, a minute after the start', async () => {
    const fixture = fixtureWithFrontDoor({ restored: lockedDoor().throughCache() });
    expect(values(fixture)).toEqual([1, false, 0]);
    await fixture.clock.advance(60_000);
    expect(values(fixture)).toEqual([0, false, 0]);
  });
});

describe('the accessory of a lock', () => {
  it('has the lock as its primary service, with the others linked to it, and no NFC, also after the cache', () => {
    const before = fixtureWithFrontDoor();
    before.runtime.report(FRONT, { bolt: 'secured', battery: { grade: 'normal', percent: 80 } });
    const linked = ['LockManagement', 'OccupancySensor', 'Battery'];
    for (const fixture of [before, fixtureWithFrontDoor({ restored: before.throughCache() })]) {
      const { services, category } = fixture.accessory();
      const mechanism = fixture.service('LockMechanism');
      expect(services.filter(({ isPrimaryService }) => isPrimaryService)).toEqual([mechanism]);
      expect(mechanism?.linkedServices.map((service) => service.constructor.name)).toEqual(linked);
      expect(services.map((service) => service.constructor.name)).toEqual([
        'AccessoryInformation',
        'LockMechanism',
        ...linked,
      ]);
      expect(category).toBe(6);
    }
  });

  it('has model, serial number and firmware of the lock and follows them, but never its name', () => {
    const fixture = fixtureWithFrontDoor();
    const values = (): readonly unknown[] =>
      ['Manufacturer', 'Model', 'Serial Number', 'Firmware Revision', 'Name'].map(
        (name) => fixture.characteristic('AccessoryInformation', name).value,
      );
    expect(values()).toEqual(['Latchkey', 'Deadbolt', 'SN-0042', '4.20.1', 'Front door']);
    fixture.runtime.report(FRONT, {
      description: { ...describedAs('Renamed'), model: 'Deadbolt 2', firmware: 'v5.0.3-beta' },
    });
    expect(values()).toEqual(['Latchkey', 'Deadbolt 2', 'SN-0042', '5.0.3', 'Front door']);
    expect(fixture.accessory().displayName).toBe('Front door');
  });

  it('has values that HomeKit accepts even when the service leaves them out', () => {
    const fixture = fixtureWithFrontDoor();
    fixture.runtime.add(unknownLock(lockId('bare'), named('')));
    const value = (name: string): unknown =>
      fixture.characteristic('AccessoryInformation', name, 'Lock').value;
    expect([value('Model'), value('Serial Number'), value('Firmware Revision')]).toEqual([
      'Lock',
      fixture.accessory('Lock').UUID,
      '0.0.0',
    ]);
  });
});
