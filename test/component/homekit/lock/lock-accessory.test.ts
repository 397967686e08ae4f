// One lock in Home, with real HAP classes: its states, their order, and the answers to writes.
import { describe, expect, it } from 'vitest';
import { lockId, unknownLock } from '../../../../src/domain/locks/lock.ts';
import { FinalError, RetryError } from '../../../../src/support/errors.ts';
import type { RequestAnswer } from '../../../../src/sync/account-runtime.ts';
import { describedAs, FRONT } from '../../../stand-ins/account/runtime.ts';
import { settle } from '../../../support/manual-clock.ts';
import { named } from '../../../support/named-lock.ts';
import { DEFAULTS, fixtureWithFrontDoor, type HomeFixture } from '../fixture.ts';

const UNSECURED = 0;
const SECURED = 1;
const JAMMED = 2;
const UNKNOWN = 3;
const NO_RESPONSE = -70402;

const thumbturn = { method: 'thumbturn', id: null, name: null } as const;

function secured(fixture: HomeFixture): void {
  fixture.runtime.report(FRONT, { bolt: 'secured', connected: true });
}

describe('before the first answer of the service', () => {
  it('both read paths return UNKNOWN, never a position (faults#5)', async () => {
    const fixture = fixtureWithFrontDoor();
    expect(await fixture.listed(fixture.current())).toBe(UNKNOWN);
    expect(await fixture.read(fixture.current())).toBe(UNKNOWN);
    expect(await fixture.listed(fixture.current(), false)).toBe(UNKNOWN);
  });

  it('the target of a door without any history is SECURED', async () => {
    const fixture = fixtureWithFrontDoor();
    expect(await fixture.read(fixture.target())).toBe(SECURED);
  });

  it('where a read fails, HAP’s default in its place is UNKNOWN and the closed target', async () => {
    const fixture = fixtureWithFrontDoor();
    secured(fixture);
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
    const fixture = fixtureWithFrontDoor();
    secured(fixture);
    const sent = fixture.listen();
    fixture.runtime.report(FRONT, { bolt: 'unsecured', accessor: thumbturn });
    expect(sent.slice(0, 2)).toEqual([
      { name: 'Lock Target State', value: UNSECURED },
      { name: 'Lock Current State', value: UNSECURED },
    ]);
  });

  it('is logged in one line with the name and the method', () => {
    const fixture = fixtureWithFrontDoor();
    fixture.runtime.report(FRONT, { bolt: 'secured', accessor: thumbturn });
    expect(fixture.visibleLines.at(-1)).toBe('info Front door: locked by hand');
  });

  it("is answered from the runtime's present state, as after a sleep of the machine", async () => {
    const fixture = fixtureWithFrontDoor();
    secured(fixture);
    fixture.runtime.onLook = () => {
      const at = fixture.runtime.tick();
      fixture.runtime.happen(FRONT, { type: 'aged', staleBefore: at });
    };
    expect(await fixture.read(fixture.current())).toBe(UNKNOWN);
  });

  it('that brings the state which Home shows already sends nothing', () => {
    const fixture = fixtureWithFrontDoor();
    secured(fixture);
    const sent = fixture.listen();
    secured(fixture);
    secured(fixture);
    expect(sent).toEqual([]);
  });
});

describe('a tap', () => {
  it('moves the target at once, while the current state waits for evidence', async () => {
    const fixture = fixtureWithFrontDoor();
    secured(fixture);
    fixture.runtime.answer = (id, target) => {
      fixture.runtime.happen(id, { type: 'requested', target });
      return Promise.resolve({ kind: 'accepted' });
    };
    const sent = fixture.listen();
    expect(await fixture.write(fixture.target(), UNSECURED)).toBe(0);
    expect(fixture.target().value).toBe(UNSECURED);
    expect(fixture.current().value).toBe(SECURED);
    fixture.runtime.report(FRONT, { bolt: 'unsecured' });
    expect(fixture.current().value).toBe(UNSECURED);
    expect(sent.filter(({ name }) => name === 'Lock Current State')).toHaveLength(1);
  });

  it('that is accepted late is answered with success at two seconds and settles later (faults#31)', async () => {
    const fixture = fixtureWithFrontDoor();
    secured(fixture);
    const accepted = Promise.withResolvers<RequestAnswer>();
    fixture.runtime.answer = (id, target) => {
      fixture.runtime.happen(id, { type: 'requested', target });
      return accepted.promise;
    };
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
    const fixture = fixtureWithFrontDoor();
    secured(fixture);
    fixture.runtime.answer = async (id, target) => {
      fixture.runtime.happen(id, { type: 'requested', target });
      return new Promise(() => {});
    };
    const writing = fixture.write(fixture.target(), UNSECURED);
    await fixture.clock.advance(1_000);
    fixture.runtime.happen(FRONT, { type: 'request-dropped' });
    await fixture.clock.advance(1_000);
    expect(await writing).toBe(0);
    expect(fixture.target().value).toBe(SECURED);
  });

  it('that a later tap overtook does not bring the older target back', async () => {
    const fixture = fixtureWithFrontDoor();
    secured(fixture);
    const first = Promise.withResolvers<RequestAnswer>();
    fixture.runtime.answer = (id, target) => {
      fixture.runtime.happen(id, { type: 'requested', target });
      return target === 'unsecured' ? first.promise : Promise.resolve({ kind: 'already' });
    };
    const writing = fixture.write(fixture.target(), UNSECURED);
    await settle();
    expect(await fixture.write(fixture.target(), SECURED)).toBe(0);
    first.resolve({ kind: 'superseded' });
    expect(await writing).toBe(0);
    expect(fixture.target().value).toBe(SECURED);
  });

  it('that is refused answers an error and resets the target at once (faults#80)', async () => {
    const fixture = fixtureWithFrontDoor();
    secured(fixture);
    fixture.runtime.answer = () => Promise.resolve({ kind: 'refused', reason: 'remote-unlock-forbidden' });
    const sent = fixture.listen();
    expect(await fixture.write(fixture.target(), UNSECURED)).toBe(-70401);
    expect(sent).toEqual([{ name: 'Lock Target State', value: SECURED }]);
    expect(await fixture.read(fixture.target())).toBe(SECURED);
    expect(fixture.visibleLines.at(-1)).toBe(
      'warn Front door: couldn’t unlock: remote unlock is turned off for this lock. Allow it on the Locks page or in config.json.',
    );
  });

  it('to lock goes to the account although Home shows "Locked": a hand may have opened the bolt since', async () => {
    const fixture = fixtureWithFrontDoor();
    secured(fixture);
    expect(await fixture.write(fixture.target(), SECURED)).toBe(0);
    expect(fixture.runtime.requests).toEqual([{ id: FRONT, target: 'secured' }]);
  });

  it('by a role without the right to command is not authorized', async () => {
    const fixture = fixtureWithFrontDoor();
    fixture.runtime.answer = () => Promise.resolve({ kind: 'refused', reason: 'role-may-not-command' });
    expect(await fixture.write(fixture.target(), SECURED)).toBe(-70401);
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

  it('with a value that is neither of the two moves nothing', async () => {
    const fixture = fixtureWithFrontDoor();
    for (const value of [2, -1, 0.5, 'x', '']) {
      expect(await fixture.write(fixture.target(), value)).toBe(-70410);
    }
    expect(fixture.runtime.requests).toEqual([]);
  });

  it('leaves no timer behind once it is answered', async () => {
    const fixture = fixtureWithFrontDoor();
    const before = fixture.clock.pendingTimers;
    await fixture.write(fixture.target(), SECURED);
    expect(fixture.clock.pendingTimers).toBe(before);
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
    fixture.runtime.happen(FRONT, {
      type: 'command-ended',
      at: fixture.runtime.tick(),
      jammed: true,
      next: null,
    });
    expect(fixture.target().value).toBe(UNSECURED);
    expect(fixture.current().value).toBe(JAMMED);
    fixture.runtime.report(FRONT, { bolt: 'secured' });
    expect(fixture.current().value).toBe(SECURED);
  });
});

describe('a lock that cannot be reached', () => {
  it('is unknown by default, and recovers by itself, with one log line each way', () => {
    const fixture = fixtureWithFrontDoor();
    secured(fixture);
    fixture.runtime.report(FRONT, { connected: false });
    fixture.runtime.report(FRONT, { connected: false });
    expect(fixture.current().value).toBe(UNKNOWN);
    secured(fixture);
    expect(fixture.current().value).toBe(SECURED);
    expect(fixture.visibleLines.slice(-2)).toEqual([
      'warn Front door: offline. Check its Wi-Fi and batteries.',
      'info Front door: back online',
    ]);
  });

  it('does not respond with that option, and an event is sent when it does again', async () => {
    const fixture = fixtureWithFrontDoor({ options: () => ({ ...DEFAULTS, offline: 'noResponse' }) });
    secured(fixture);
    fixture.runtime.report(FRONT, { connected: false });
    expect(await fixture.read(fixture.current())).toBe(NO_RESPONSE);
    expect(fixture.current().value).toBe(UNKNOWN);
    const sent = fixture.listen();
    fixture.runtime.report(FRONT, { connected: true, bolt: 'unknown' });
    expect(await fixture.read(fixture.current())).toBe(UNKNOWN);
    expect(sent[0]).toEqual({ name: 'Lock Current State', value: UNKNOWN });
  });

  it('keeps its last position with that option', () => {
    const fixture = fixtureWithFrontDoor({ options: () => ({ ...DEFAULTS, offline: 'lastKnown' }) });
    secured(fixture);
    fixture.runtime.report(FRONT, { connected: false });
    expect(fixture.current().value).toBe(SECURED);
  });

  it('does not respond once the account no longer lists it, with any option', async () => {
    const fixture = fixtureWithFrontDoor({ options: () => ({ ...DEFAULTS, offline: 'lastKnown' }) });
    secured(fixture);
    fixture.runtime.happen(FRONT, { type: 'missed', at: fixture.runtime.tick() });
    expect(await fixture.read(fixture.current())).toBe(NO_RESPONSE);
    expect(await fixture.read(fixture.target())).toBe(NO_RESPONSE);
  });
});

describe('a read', () => {
  it('asks the runtime for nothing, because every value is in memory', async () => {
    const fixture = fixtureWithFrontDoor();
    secured(fixture);
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

describe('adminOnly', () => {
  it('keeps writes of the target for administrators, and reads for all (faults#77)', () => {
    const fixture = fixtureWithFrontDoor({ options: () => ({ ...DEFAULTS, adminOnly: true }) });
    expect(fixture.target().props.adminOnlyAccess).toEqual([1]);
  });

  it('is removed from a cached accessory when the option is off', () => {
    const before = fixtureWithFrontDoor({ options: () => ({ ...DEFAULTS, adminOnly: true }) });
    const after = fixtureWithFrontDoor({ restored: before.throughCache() });
    expect(after.target().props.adminOnlyAccess).toEqual([]);
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
    const names = (): string[] =>
      (fixture.service('LockManagement')?.characteristics ?? []).map(({ displayName }) => displayName);
    fixture.runtime.report(FRONT, {
      bolt: 'secured',
      accessor: { method: 'virtual-key', id: null, name: null },
    });
    expect(names()).not.toContain('Lock Last Known Action');
    fixture.runtime.report(FRONT, {
      bolt: 'unsecured',
      accessor: { method: 'access-code', id: 'a', name: 'Ann' },
    });
    expect(fixture.characteristic('LockManagement', 'Lock Last Known Action').value).toBe(5);
  });

  it('shows a command of ours as remote', () => {
    const fixture = fixtureWithFrontDoor();
    fixture.runtime.report(FRONT, { bolt: 'unsecured', accessor: thumbturn });
    const at = fixture.runtime.tick();
    fixture.runtime.happen(FRONT, {
      type: 'command-completed',
      target: 'secured',
      provenSince: at,
      at,
      next: null,
    });
    expect(fixture.characteristic('LockManagement', 'Lock Last Known Action').value).toBe(6);
    expect(fixture.visibleLines.at(-1)).toBe('info Front door: locked by this plugin');
  });
});

describe('the battery service', () => {
  it('appears when something of the battery is known, and has a level when the percentage is known', () => {
    const fixture = fixtureWithFrontDoor();
    secured(fixture);
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
  const values = (fixture: HomeFixture, kind: string, state: string): unknown[] =>
    [state, 'Status Active', 'Status Fault'].map((name) => fixture.characteristic(kind, name).value);

  it('is an occupancy sensor by default: occupied while reports and commands get through', () => {
    const fixture = fixtureWithFrontDoor();
    expect(values(fixture, 'OccupancySensor', 'Occupancy Detected')).toEqual([0, false, 0]);
    secured(fixture);
    expect(values(fixture, 'OccupancySensor', 'Occupancy Detected')).toEqual([1, true, 0]);
    fixture.runtime.report(FRONT, { connected: false });
    expect(values(fixture, 'OccupancySensor', 'Occupancy Detected')).toEqual([0, true, 0]);
    fixture.runtime.setLink('revoked');
    expect(values(fixture, 'OccupancySensor', 'Occupancy Detected')).toEqual([0, false, 1]);
  });

  it('is a contact sensor on request, closed while connected', () => {
    const fixture = fixtureWithFrontDoor({ options: () => ({ ...DEFAULTS, connectivitySensor: 'contact' }) });
    expect(values(fixture, 'ContactSensor', 'Contact Sensor State')).toEqual([1, false, 0]);
    secured(fixture);
    expect(values(fixture, 'ContactSensor', 'Contact Sensor State')).toEqual([0, true, 0]);
    expect(fixture.service('OccupancySensor')).toBeUndefined();
  });

  it('is removed when another kind, or none, is chosen', () => {
    const before = fixtureWithFrontDoor();
    const contact = fixtureWithFrontDoor({
      restored: before.throughCache(),
      options: () => ({ ...DEFAULTS, connectivitySensor: 'contact' }),
    });
    expect(contact.service('OccupancySensor')).toBeUndefined();
    expect(contact.service('ContactSensor')).toBeDefined();
    const none = fixtureWithFrontDoor({
      restored: contact.throughCache(),
      options: () => ({ ...DEFAULTS, connectivitySensor: 'none' }),
    });
    expect(none.service('ContactSensor')).toBeUndefined();
  });

  it('shows a service that never answers, a minute after the start', async () => {
    const before = fixtureWithFrontDoor();
    secured(before);
    const fixture = fixtureWithFrontDoor({ restored: before.throughCache() });
    expect(values(fixture, 'OccupancySensor', 'Occupancy Detected')).toEqual([1, false, 0]);
    await fixture.clock.advance(60_000);
    expect(values(fixture, 'OccupancySensor', 'Occupancy Detected')).toEqual([0, false, 0]);
  });

  it('keeps the name that a person gave it, and saves that at once', () => {
    const before = fixtureWithFrontDoor();
    const name = before.characteristic('OccupancySensor', 'Configured Name');
    expect(name.value).toBe('Front door online');
    name.updateValue('Is the lock there');
    expect(before.saved).toEqual([before.accessory()]);
    const after = fixtureWithFrontDoor({ restored: before.throughCache() });
    expect(after.characteristic('OccupancySensor', 'Configured Name').value).toBe('Is the lock there');
  });
});

describe('the accessory of a lock', () => {
  it('has the lock as its primary service, with the others linked to it, and no NFC', () => {
    const fixture = fixtureWithFrontDoor();
    fixture.runtime.report(FRONT, { bolt: 'secured', battery: { grade: 'normal', percent: 80 } });
    const mechanism = fixture.service('LockMechanism');
    expect(mechanism?.isPrimaryService).toBe(true);
    expect(mechanism?.linkedServices.map((service) => service.constructor.name)).toEqual([
      'LockManagement',
      'OccupancySensor',
      'Battery',
    ]);
    expect(fixture.accessory().services.map((service) => service.constructor.name)).toEqual([
      'AccessoryInformation',
      'LockMechanism',
      'LockManagement',
      'OccupancySensor',
      'Battery',
    ]);
    expect(fixture.accessory().category).toBe(6);
  });

  it('has model, serial number and firmware of the lock', () => {
    const fixture = fixtureWithFrontDoor();
    const value = (name: string): unknown => fixture.characteristic('AccessoryInformation', name).value;
    expect(['Manufacturer', 'Model', 'Serial Number', 'Firmware Revision', 'Name'].map(value)).toEqual([
      'Latchkey',
      'Deadbolt',
      'SN-0042',
      '4.20.1',
      'Front door',
    ]);
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

  it('causes no warning of HAP', () => {
    const fixture = fixtureWithFrontDoor();
    const warnings: string[] = [];
    for (const service of fixture.accessory().services) {
      service.on('characteristic-warning', ({ message }) => {
        warnings.push(message);
      });
    }
    fixture.runtime.report(FRONT, {
      bolt: 'secured',
      accessor: thumbturn,
      battery: { grade: 'low', percent: 4 },
    });
    fixture.runtime.report(FRONT, {
      connected: false,
      description: { ...describedAs(''), model: 'x', serial: '' },
    });
    fixture.runtime.setLink('expired');
    expect(warnings).toEqual([]);
  });

  it('follows the service in model, serial number and firmware, and never in the name', () => {
    const fixture = fixtureWithFrontDoor();
    fixture.runtime.report(FRONT, {
      description: { ...describedAs('Renamed'), model: 'Deadbolt 2', firmware: 'v5.0.3-beta' },
    });
    const value = (name: string): unknown => fixture.characteristic('AccessoryInformation', name).value;
    expect([value('Name'), value('Model'), value('Firmware Revision')]).toEqual([
      'Front door',
      'Deadbolt 2',
      '5.0.3',
    ]);
    expect(fixture.accessory().displayName).toBe('Front door');
  });
});

describe('a failure that is known in time', () => {
  it('is an error status, and the target follows the truth', async () => {
    const fixture = fixtureWithFrontDoor();
    secured(fixture);
    fixture.runtime.answer = (id, target) => {
      fixture.runtime.happen(id, { type: 'requested', target });
      fixture.runtime.happen(id, { type: 'request-dropped' });
      return Promise.resolve({ kind: 'failed', error: new FinalError('refused', 'The lock refused') });
    };
    expect(await fixture.write(fixture.target(), UNSECURED)).toBe(-70412);
    expect(fixture.target().value).toBe(SECURED);
    expect(await fixture.read(fixture.target())).toBe(SECURED);
  });
});
