// One lock in Home, with real HAP classes: what is shown, in which order, and what a write is answered.
import { describe, expect, it } from 'vitest';
import { lockId, unknownLock } from '../../../src/domain/lock.ts';
import { FinalError, RetryError } from '../../../src/support/errors.ts';
import type { RequestAnswer } from '../../../src/sync/account-runtime.ts';
import { settle } from '../../support/manual-clock.ts';
import { type Bench, benchWithFrontDoor, DEFAULTS, describedAs, FRONT } from './fixture.ts';

const UNSECURED = 0;
const SECURED = 1;
const JAMMED = 2;
const UNKNOWN = 3;
const NO_RESPONSE = -70402;

const thumbturn = { method: 'thumbturn', id: null, name: null } as const;

function secured(bench: Bench): void {
  bench.runtime.report(FRONT, { bolt: 'secured', connected: true });
}

describe('before the service has spoken', () => {
  it('both read paths say UNKNOWN, never a position (faults#5)', async () => {
    const bench = benchWithFrontDoor();
    expect(await bench.listed(bench.current())).toBe(UNKNOWN);
    expect(await bench.read(bench.current())).toBe(UNKNOWN);
    expect(await bench.listed(bench.current(), false)).toBe(UNKNOWN);
  });

  it('the target of a door of which nothing was ever known is SECURED', async () => {
    const bench = benchWithFrontDoor();
    expect(await bench.read(bench.target())).toBe(SECURED);
  });

  it('where a read fails, the default that HAP puts in its place is UNKNOWN and the closed target', async () => {
    const bench = benchWithFrontDoor();
    secured(bench);
    bench.runtime.setLink('expired');
    expect(await bench.read(bench.current())).toBe(NO_RESPONSE);
    expect(await bench.read(bench.target())).toBe(NO_RESPONSE);
    expect(await bench.listed(bench.current())).toBe(UNKNOWN);
    expect(await bench.listed(bench.current(), false)).toBe(UNKNOWN);
    expect(await bench.listed(bench.target())).toBe(SECURED);
  });
});

describe('a change from outside', () => {
  it('sets target first, then current, in one turn (faults#32)', () => {
    const bench = benchWithFrontDoor();
    secured(bench);
    const sent = bench.listen();
    bench.runtime.report(FRONT, { bolt: 'unsecured', accessor: thumbturn });
    expect(sent.slice(0, 2)).toEqual([
      { name: 'Lock Target State', value: UNSECURED },
      { name: 'Lock Current State', value: UNSECURED },
    ]);
  });

  it('is told to the log in one line with the name and the way', () => {
    const bench = benchWithFrontDoor();
    bench.runtime.report(FRONT, { bolt: 'secured', accessor: thumbturn });
    expect(bench.visibleLines.at(-1)).toBe('info Front door: locked by thumbturn');
  });

  it('is answered as the house knows it when it looks round, as after the machine slept', async () => {
    const bench = benchWithFrontDoor();
    secured(bench);
    bench.runtime.onLook = () => {
      const at = bench.runtime.tick();
      bench.runtime.happen(FRONT, { type: 'aged', staleBefore: at, now: at });
    };
    expect(await bench.read(bench.current())).toBe(UNKNOWN);
  });

  it('that says what Home shows already sends nothing', () => {
    const bench = benchWithFrontDoor();
    secured(bench);
    const sent = bench.listen();
    secured(bench);
    secured(bench);
    expect(sent).toEqual([]);
  });
});

describe('a tap', () => {
  it('moves the target at once, while the current state waits for evidence', async () => {
    const bench = benchWithFrontDoor();
    secured(bench);
    bench.runtime.answer = (id, rest) => {
      bench.runtime.happen(id, { type: 'requested', target: rest });
      return Promise.resolve({ kind: 'accepted' });
    };
    const sent = bench.listen();
    expect(await bench.write(bench.target(), UNSECURED)).toBe(0);
    expect(bench.target().value).toBe(UNSECURED);
    expect(bench.current().value).toBe(SECURED);
    bench.runtime.report(FRONT, { bolt: 'unsecured' });
    expect(bench.current().value).toBe(UNSECURED);
    expect(sent.filter(({ name }) => name === 'Lock Current State')).toHaveLength(1);
  });

  it('that is accepted late is answered with success at two seconds and settles later (faults#31)', async () => {
    const bench = benchWithFrontDoor();
    secured(bench);
    const accepted = Promise.withResolvers<RequestAnswer>();
    bench.runtime.answer = (id, rest) => {
      bench.runtime.happen(id, { type: 'requested', target: rest });
      return accepted.promise;
    };
    const writing = Promise.race([bench.write(bench.target(), UNSECURED), bench.until(2_500, 'too late')]);
    const early = Promise.race([writing, bench.until(1_999, 'not yet')]);
    await bench.clock.advance(2_500);
    expect(await early).toBe('not yet');
    expect(await writing).toBe(0);
    expect(bench.target().value).toBe(UNSECURED);

    bench.runtime.happen(FRONT, { type: 'request-dropped' });
    accepted.resolve({ kind: 'failed', error: new RetryError('unreachable', 'The service is unreachable') });
    await settle();
    expect(bench.target().value).toBe(SECURED);
    expect(bench.current().value).toBe(SECURED);
  });

  it('that came to nothing before the late answer leaves no wrong target behind', async () => {
    const bench = benchWithFrontDoor();
    secured(bench);
    bench.runtime.answer = async (id, rest) => {
      bench.runtime.happen(id, { type: 'requested', target: rest });
      return new Promise(() => {});
    };
    const writing = bench.write(bench.target(), UNSECURED);
    await bench.clock.advance(1_000);
    bench.runtime.happen(FRONT, { type: 'request-dropped' });
    await bench.clock.advance(1_000);
    expect(await writing).toBe(0);
    expect(bench.target().value).toBe(SECURED);
  });

  it('that a later one overtook does not bring the older target back', async () => {
    const bench = benchWithFrontDoor();
    secured(bench);
    const first = Promise.withResolvers<RequestAnswer>();
    bench.runtime.answer = (id, rest) => {
      bench.runtime.happen(id, { type: 'requested', target: rest });
      return rest === 'unsecured' ? first.promise : Promise.resolve({ kind: 'already' });
    };
    const writing = bench.write(bench.target(), UNSECURED);
    await settle();
    expect(await bench.write(bench.target(), SECURED)).toBe(0);
    first.resolve({ kind: 'superseded' });
    expect(await writing).toBe(0);
    expect(bench.target().value).toBe(SECURED);
  });

  it('that is refused answers an error and says at once where the target is (faults#80)', async () => {
    const bench = benchWithFrontDoor();
    secured(bench);
    bench.runtime.answer = () => Promise.resolve({ kind: 'refused', reason: 'remote-unlock-forbidden' });
    const sent = bench.listen();
    expect(await bench.write(bench.target(), UNSECURED)).toBe(-70401);
    expect(sent).toEqual([{ name: 'Lock Target State', value: SECURED }]);
    expect(await bench.read(bench.target())).toBe(SECURED);
    expect(bench.visibleLines.at(-1)).toBe(
      'warn Front door: not unlocked: remote unlock is off for this lock. Allow it on the Locks page or in config.json.',
    );
  });

  it('of a role without the right to command is not authorized', async () => {
    const bench = benchWithFrontDoor();
    bench.runtime.answer = () => Promise.resolve({ kind: 'refused', reason: 'role-may-not-command' });
    expect(await bench.write(bench.target(), SECURED)).toBe(-70401);
  });

  it('on a house that throws is an error status, and the process lives (faults#1)', async () => {
    const bench = benchWithFrontDoor();
    bench.runtime.answer = () => {
      throw new Error('thrown at once');
    };
    expect(await bench.write(bench.target(), SECURED)).toBe(NO_RESPONSE);
    bench.runtime.answer = () => Promise.reject(new Error('rejected later'));
    expect(await bench.write(bench.target(), SECURED)).toBe(NO_RESPONSE);
    expect(bench.lines.at(-1)).toBe('error Front door: the command failed: rejected later. Try again.');
  });

  it('with a value that is neither of the two moves nothing', async () => {
    const bench = benchWithFrontDoor();
    for (const value of [2, -1, 0.5, 'x', '']) {
      expect(await bench.write(bench.target(), value)).toBe(-70410);
    }
    expect(bench.runtime.wishes).toEqual([]);
  });

  it('leaves no timer behind once it is answered', async () => {
    const bench = benchWithFrontDoor();
    const before = bench.clock.pendingTimers;
    await bench.write(bench.target(), SECURED);
    expect(bench.clock.pendingTimers).toBe(before);
  });
});

describe('a scene over three locks', () => {
  it('is carried out side by side, and each lock answers with its own status', async () => {
    const bench = benchWithFrontDoor();
    const back = lockId('back-2');
    const side = lockId('side-3');
    bench.runtime.add(unknownLock(back, describedAs('Back door')));
    bench.runtime.add(unknownLock(side, describedAs('Side door')));
    bench.runtime.answer = (id) => {
      if (id === back) {
        return Promise.resolve({ kind: 'refused', reason: 'remote-unlock-forbidden' });
      }
      return id === side ? new Promise(() => {}) : Promise.resolve({ kind: 'accepted' });
    };
    const writing = Promise.all(
      ['Front door', 'Back door', 'Side door'].map(async (name) =>
        bench.write(bench.target(name), UNSECURED),
      ),
    );
    await settle();
    expect(bench.runtime.wishes.map(({ id }) => id)).toEqual([FRONT, back, side]);
    await bench.clock.advance(2_000);
    expect(await writing).toEqual([0, -70401, 0]);
  });
});

describe('a jam', () => {
  it('shows JAMMED and takes the target back to where the bolt rested (faults#26)', () => {
    const bench = benchWithFrontDoor();
    bench.runtime.report(FRONT, { bolt: 'unsecured' });
    bench.runtime.happen(FRONT, { type: 'command-sent', target: 'secured', at: bench.runtime.tick() });
    expect(bench.target().value).toBe(SECURED);
    bench.runtime.happen(FRONT, {
      type: 'command-ended',
      at: bench.runtime.tick(),
      jammed: true,
      next: null,
    });
    expect(bench.target().value).toBe(UNSECURED);
    expect(bench.current().value).toBe(JAMMED);
    bench.runtime.report(FRONT, { bolt: 'secured' });
    expect(bench.current().value).toBe(SECURED);
  });
});

describe('a lock that cannot be reached', () => {
  it('is unknown by default, and comes back by itself, told once each way', () => {
    const bench = benchWithFrontDoor();
    secured(bench);
    bench.runtime.report(FRONT, { connected: false });
    bench.runtime.report(FRONT, { connected: false });
    expect(bench.current().value).toBe(UNKNOWN);
    secured(bench);
    expect(bench.current().value).toBe(SECURED);
    expect(bench.visibleLines.slice(-2)).toEqual([
      'warn Front door: offline. Check its Wi-Fi and batteries.',
      'info Front door: online again',
    ]);
  });

  it('does not respond when that was chosen, and an event tells when it does again', async () => {
    const bench = benchWithFrontDoor({ options: () => ({ ...DEFAULTS, offline: 'noResponse' }) });
    secured(bench);
    bench.runtime.report(FRONT, { connected: false });
    expect(await bench.read(bench.current())).toBe(NO_RESPONSE);
    expect(bench.current().value).toBe(UNKNOWN);
    const sent = bench.listen();
    bench.runtime.report(FRONT, { connected: true, bolt: 'unknown' });
    expect(await bench.read(bench.current())).toBe(UNKNOWN);
    expect(sent[0]).toEqual({ name: 'Lock Current State', value: UNKNOWN });
  });

  it('keeps its last position when that was chosen', () => {
    const bench = benchWithFrontDoor({ options: () => ({ ...DEFAULTS, offline: 'lastKnown' }) });
    secured(bench);
    bench.runtime.report(FRONT, { connected: false });
    expect(bench.current().value).toBe(SECURED);
  });

  it('that the account no longer lists does not respond, whatever was chosen', async () => {
    const bench = benchWithFrontDoor({ options: () => ({ ...DEFAULTS, offline: 'lastKnown' }) });
    secured(bench);
    bench.runtime.happen(FRONT, { type: 'missed', at: bench.runtime.tick() });
    expect(await bench.read(bench.current())).toBe(NO_RESPONSE);
    expect(await bench.read(bench.target())).toBe(NO_RESPONSE);
  });
});

describe('reading', () => {
  it('asks the house for nothing: everything comes from memory', async () => {
    const bench = benchWithFrontDoor();
    secured(bench);
    const asked = (): never => {
      throw new Error('asked');
    };
    bench.runtime.lock = asked;
    bench.runtime.locks = asked;
    bench.runtime.linkState = asked;
    for (const { characteristics } of bench.accessory().services) {
      for (const characteristic of characteristics.filter(({ props }) => props.perms.join().includes('pr'))) {
        expect(await characteristic.handleGetRequest()).toBe(characteristic.value);
      }
    }
  });
});

describe('adminOnly', () => {
  it('keeps writes of the target for administrators, and reads for all (faults#77)', () => {
    const bench = benchWithFrontDoor({ options: () => ({ ...DEFAULTS, adminOnly: true }) });
    expect(bench.target().props.adminOnlyAccess).toEqual([1]);
  });

  it('is taken back from a cached accessory when it is no longer chosen', () => {
    const before = benchWithFrontDoor({ options: () => ({ ...DEFAULTS, adminOnly: true }) });
    const after = benchWithFrontDoor({ restored: before.throughCache() });
    expect(after.target().props.adminOnlyAccess).toEqual([]);
  });
});

describe('LockManagement', () => {
  it('has its version, and a control point that takes nothing', async () => {
    const bench = benchWithFrontDoor();
    expect(bench.characteristic('LockManagement', 'Version').value).toBe('1.0');
    const point = bench.characteristic('LockManagement', 'Lock Control Point');
    expect(await bench.write(point, 'AQEB')).toBe(-70412);
  });

  it('names the last action once there is one that HomeKit has a word for', () => {
    const bench = benchWithFrontDoor();
    const names = (): string[] =>
      (bench.service('LockManagement')?.characteristics ?? []).map(({ displayName }) => displayName);
    bench.runtime.report(FRONT, {
      bolt: 'secured',
      accessor: { method: 'virtual-key', id: null, name: null },
    });
    expect(names()).not.toContain('Lock Last Known Action');
    bench.runtime.report(FRONT, {
      bolt: 'unsecured',
      accessor: { method: 'access-code', id: 'a', name: 'Ann' },
    });
    expect(bench.characteristic('LockManagement', 'Lock Last Known Action').value).toBe(5);
  });

  it('counts a command of ours as remote', () => {
    const bench = benchWithFrontDoor();
    bench.runtime.report(FRONT, { bolt: 'unsecured', accessor: thumbturn });
    const at = bench.runtime.tick();
    bench.runtime.happen(FRONT, {
      type: 'command-completed',
      target: 'secured',
      provenSince: at,
      at,
      next: null,
    });
    expect(bench.characteristic('LockManagement', 'Lock Last Known Action').value).toBe(6);
    expect(bench.visibleLines.at(-1)).toBe('info Front door: locked by this plugin');
  });
});

describe('Battery', () => {
  it('appears when something is known, and its level when that is', () => {
    const bench = benchWithFrontDoor();
    secured(bench);
    expect(bench.service('Battery')).toBeUndefined();
    bench.runtime.report(FRONT, { battery: { grade: 'normal', percent: null } });
    expect(bench.service('Battery')?.characteristics.map(({ displayName }) => displayName)).not.toContain(
      'Battery Level',
    );
    expect(bench.characteristic('Battery', 'Charging State').value).toBe(2);
    bench.runtime.report(FRONT, { battery: { grade: 'normal', percent: 80 } });
    expect(bench.characteristic('Battery', 'Battery Level').value).toBe(80);
    expect(bench.characteristic('Battery', 'Status Low Battery').value).toBe(0);
  });

  it('that runs low is told once, and once when it is good again', () => {
    const bench = benchWithFrontDoor();
    for (const percent of [30, 19, 18, 22, 24, 26, 22]) {
      bench.runtime.report(FRONT, { battery: { grade: 'normal', percent } });
    }
    expect(bench.visibleLines.slice(1)).toEqual([
      'warn Front door: battery low (19%). Replace the batteries soon.',
      'info Front door: battery OK again (26%)',
    ]);
  });
});

describe('the connectivity sensor', () => {
  const values = (bench: Bench, kind: string, state: string): unknown[] =>
    [state, 'Status Active', 'Status Fault'].map((name) => bench.characteristic(kind, name).value);

  it('is an occupancy sensor by default: occupied while reports and commands get through', () => {
    const bench = benchWithFrontDoor();
    expect(values(bench, 'OccupancySensor', 'Occupancy Detected')).toEqual([0, false, 0]);
    secured(bench);
    expect(values(bench, 'OccupancySensor', 'Occupancy Detected')).toEqual([1, true, 0]);
    bench.runtime.report(FRONT, { connected: false });
    expect(values(bench, 'OccupancySensor', 'Occupancy Detected')).toEqual([0, true, 0]);
    bench.runtime.setLink('revoked');
    expect(values(bench, 'OccupancySensor', 'Occupancy Detected')).toEqual([0, false, 1]);
  });

  it('may be a contact sensor instead, closed while connected', () => {
    const bench = benchWithFrontDoor({ options: () => ({ ...DEFAULTS, connectivitySensor: 'contact' }) });
    expect(values(bench, 'ContactSensor', 'Contact Sensor State')).toEqual([1, false, 0]);
    secured(bench);
    expect(values(bench, 'ContactSensor', 'Contact Sensor State')).toEqual([0, true, 0]);
    expect(bench.service('OccupancySensor')).toBeUndefined();
  });

  it('goes when another kind, or none, is chosen', () => {
    const before = benchWithFrontDoor();
    const contact = benchWithFrontDoor({
      restored: before.throughCache(),
      options: () => ({ ...DEFAULTS, connectivitySensor: 'contact' }),
    });
    expect(contact.service('OccupancySensor')).toBeUndefined();
    expect(contact.service('ContactSensor')).toBeDefined();
    const none = benchWithFrontDoor({
      restored: contact.throughCache(),
      options: () => ({ ...DEFAULTS, connectivitySensor: 'none' }),
    });
    expect(none.service('ContactSensor')).toBeUndefined();
  });

  it('tells of a service that never speaks, a minute after the start', async () => {
    const before = benchWithFrontDoor();
    secured(before);
    const bench = benchWithFrontDoor({ restored: before.throughCache() });
    expect(values(bench, 'OccupancySensor', 'Occupancy Detected')).toEqual([1, false, 0]);
    await bench.clock.advance(60_000);
    expect(values(bench, 'OccupancySensor', 'Occupancy Detected')).toEqual([0, false, 0]);
  });

  it('keeps the name that a person gave it, and saves it at once', () => {
    const before = benchWithFrontDoor();
    const name = before.characteristic('OccupancySensor', 'Configured Name');
    expect(name.value).toBe('Front door online');
    name.updateValue('Is the lock there');
    expect(before.saved).toEqual([before.accessory()]);
    const after = benchWithFrontDoor({ restored: before.throughCache() });
    expect(after.characteristic('OccupancySensor', 'Configured Name').value).toBe('Is the lock there');
  });
});

describe('what the accessory is made of', () => {
  it('the lock is primary, everything else is linked to it, and there is no NFC', () => {
    const bench = benchWithFrontDoor();
    bench.runtime.report(FRONT, { bolt: 'secured', battery: { grade: 'normal', percent: 80 } });
    const mechanism = bench.service('LockMechanism');
    expect(mechanism?.isPrimaryService).toBe(true);
    expect(mechanism?.linkedServices.map((service) => service.constructor.name)).toEqual([
      'LockManagement',
      'OccupancySensor',
      'Battery',
    ]);
    expect(bench.accessory().services.map((service) => service.constructor.name)).toEqual([
      'AccessoryInformation',
      'LockMechanism',
      'LockManagement',
      'OccupancySensor',
      'Battery',
    ]);
    expect(bench.accessory().category).toBe(6);
  });

  it('says who the lock is', () => {
    const bench = benchWithFrontDoor();
    const value = (name: string): unknown => bench.characteristic('AccessoryInformation', name).value;
    expect(['Manufacturer', 'Model', 'Serial Number', 'Firmware Revision', 'Name'].map(value)).toEqual([
      'Latchkey',
      'Deadbolt',
      'SN-0042',
      '4.20.1',
      'Front door',
    ]);
  });

  it('has values that HomeKit accepts even when the service says nothing', () => {
    const bench = benchWithFrontDoor();
    bench.runtime.add(
      unknownLock(lockId('bare'), { name: '', model: '', serial: '', firmware: '', role: 'owner' }),
    );
    const value = (name: string): unknown => bench.characteristic('AccessoryInformation', name, 'Lock').value;
    expect([value('Model'), value('Serial Number'), value('Firmware Revision')]).toEqual([
      'Lock',
      bench.accessory('Lock').UUID,
      '0.0.0',
    ]);
  });

  it('makes HAP warn of nothing', () => {
    const bench = benchWithFrontDoor();
    const warnings: string[] = [];
    for (const service of bench.accessory().services) {
      service.on('characteristic-warning', ({ message }) => {
        warnings.push(message);
      });
    }
    bench.runtime.report(FRONT, {
      bolt: 'secured',
      accessor: thumbturn,
      battery: { grade: 'low', percent: 4 },
    });
    bench.runtime.report(FRONT, {
      connected: false,
      description: { ...describedAs(''), model: 'x', serial: '' },
    });
    bench.runtime.setLink('expired');
    expect(warnings).toEqual([]);
  });

  it('follows the service in model, serial number and firmware, and never in the name', () => {
    const bench = benchWithFrontDoor();
    bench.runtime.report(FRONT, {
      description: { ...describedAs('Renamed'), model: 'Deadbolt 2', firmware: 'v5.0.3-beta' },
    });
    const value = (name: string): unknown => bench.characteristic('AccessoryInformation', name).value;
    expect([value('Name'), value('Model'), value('Firmware Revision')]).toEqual([
      'Front door',
      'Deadbolt 2',
      '5.0.3',
    ]);
    expect(bench.accessory().displayName).toBe('Front door');
  });
});

describe('a failure that is known in time', () => {
  it('is an error status, and the target follows the truth', async () => {
    const bench = benchWithFrontDoor();
    secured(bench);
    bench.runtime.answer = (id, rest) => {
      bench.runtime.happen(id, { type: 'requested', target: rest });
      bench.runtime.happen(id, { type: 'request-dropped' });
      return Promise.resolve({ kind: 'failed', error: new FinalError('refused', 'The lock refused') });
    };
    expect(await bench.write(bench.target(), UNSECURED)).toBe(-70412);
    expect(bench.target().value).toBe(SECURED);
    expect(await bench.read(bench.target())).toBe(SECURED);
  });
});
