// The services beside a lock, with real HAP classes: when they appear and go, and the state of each.
import type { Characteristic, PlatformAccessory, Service } from 'homebridge';
import { describe, expect, it } from 'vitest';
import type { AccessMethod } from '../../../../src/domain/locks/access.ts';
import { lockId } from '../../../../src/domain/locks/lock.ts';
import { ALERTS, type AlertReport } from '../../../../src/domain/webhooks/service-event.ts';
import type { AlertOptions, LockOptions } from '../../../../src/homekit/hap/lock-options.ts';
import { resetCachedState } from '../../../../src/homekit/lock/lock-mechanism-service.ts';
import { describedAs, FRONT } from '../../../stand-ins/account/runtime.ts';
import {
  DEFAULTS,
  EVERY_ALERT,
  fixtureWithFrontDoor,
  type HomeFixture,
  reconfigurations,
} from '../fixture.ts';

const PULSE_MS = 5_000;

function fixtureWith(
  alerts: Partial<AlertOptions>,
  restored: readonly PlatformAccessory[] = [],
): HomeFixture {
  return fixtureWithFrontDoor({ restored, options: { alerts: { ...DEFAULTS.alerts, ...alerts } } });
}

function side(fixture: HomeFixture, subtype: string): Service {
  const found = fixture.accessory().services.find((service) => service.subtype === subtype);
  if (found === undefined) {
    throw new Error(`There is no service ${subtype}`);
  }
  return found;
}

/** A characteristic of a service beside the lock. Looking does not add it. */
function state(fixture: HomeFixture, subtype: string, name = 'Occupancy Detected'): Characteristic {
  const found = side(fixture, subtype).characteristics.find(({ displayName }) => displayName === name);
  if (found === undefined) {
    throw new Error(`${subtype} has no ${name}`);
  }
  return found;
}

/** Every value that Home is sent from now on. */
function sentBy(fixture: HomeFixture, subtype: string, name?: string): readonly unknown[] {
  const values: unknown[] = [];
  state(fixture, subtype, name).on('change', ({ newValue }) => values.push(newValue));
  return values;
}

function subtypes(fixture: HomeFixture): readonly string[] {
  return fixture.accessory().services.flatMap(({ subtype }) => subtype ?? []);
}

/** What Home calls each service beside the lock. */
function names(fixture: HomeFixture): readonly unknown[] {
  const { ConfiguredName } = fixture.api.hap.Characteristic;
  return fixture
    .accessory()
    .services.filter(({ subtype }) => subtype !== undefined)
    .map((service) => service.getCharacteristic(ConfiguredName).value);
}

/** The values of every sensor but the switch that have been sent since, by its subtype. */
function pulses(fixture: HomeFixture): () => readonly (readonly [string, readonly unknown[]])[] {
  const sensors = subtypes(fixture).filter((subtype) => subtype !== 'automation');
  const sent = sensors.map((subtype) => [subtype, sentBy(fixture, subtype)] as const);
  return () => sent.filter(([, values]) => values.length > 0);
}

/** The service lists the lock, as it does soon after every start. */
function read(fixture: HomeFixture): void {
  fixture.runtime.report(FRONT, { source: 'poll', bolt: 'secured', connected: true });
}

function moved(fixture: HomeFixture, method: AccessMethod, name: string | null = null): void {
  fixture.runtime.report(FRONT, { bolt: 'unsecured', accessor: { method, id: null, name } });
}

describe('the services that the options ask for', () => {
  it('are absent by default but for the connection, added to a cached accessory when an option turns on, and removed when it turns off', () => {
    const none = fixtureWith({});
    expect(subtypes(none)).toEqual(['connection']);
    const all = fixtureWith(EVERY_ALERT, none.throughCache());
    expect(subtypes(all)).toEqual([
      'connection',
      'bolt',
      'jam',
      'low-battery',
      'left-unlocked',
      'wrong-code',
      'keypad-locked-out',
      'alarm',
      'guest-arrived',
      'stay-not-ready',
      ...EVERY_ALERT.unlockedByCode.map((name) => `unlocked-by:${name}`),
      ...EVERY_ALERT.movedBy.map((way) => `moved-by:${way}`),
      'automation',
    ]);
    expect(new Set(names(all)).size).toBe(19);
    const some = fixtureWith({ jam: true, unlockedByCode: ['Ben'] }, all.throughCache());
    expect(subtypes(some)).toEqual(['connection', 'jam', 'unlocked-by:Ben']);
    const linked = some.service('LockMechanism')?.linkedServices.map(({ subtype }) => subtype) ?? [];
    expect(linked.filter((subtype) => subtype !== undefined)).toEqual([
      'connection',
      'jam',
      'unlocked-by:Ben',
    ]);
    expect(subtypes(fixtureWith({}, some.throughCache()))).toEqual(['connection']);
  });

  it('change nothing for controllers when they come back from the cache unchanged', () => {
    const before = fixtureWith(EVERY_ALERT);
    before.runtime.report(FRONT, { bolt: 'secured', battery: { grade: 'normal', percent: 80 } });
    const restored = before.throughCache();
    const changes = reconfigurations(restored);
    const after = fixtureWith(EVERY_ALERT, restored);
    after.runtime.report(FRONT, { bolt: 'secured', battery: { grade: 'normal', percent: 80 } });
    expect(changes()).toBe(0);
  });

  it('stay, with their names, when the connection sensor is of another kind, or none', () => {
    const at = (connectivitySensor: LockOptions['connectivitySensor'], before: HomeFixture): HomeFixture =>
      fixtureWithFrontDoor({
        restored: before.throughCache(),
        options: { connectivitySensor, alerts: { ...DEFAULTS.alerts, jam: true } },
      });
    const contact = at('contact', fixtureWith({ jam: true }));
    expect(names(contact)).toEqual(['Front door jammed', 'Front door online']);
    const none = at('none', contact);
    expect(subtypes(none)).toEqual(['jam']);
    expect(subtypes(at('occupancy', none))).toEqual(['jam', 'connection']);
  });

  it('keep the name that a person gave them, and save that at once', () => {
    const before = fixtureWith({ jam: true });
    state(before, 'jam', 'Configured Name').updateValue('Stuck again');
    expect(before.saved).toEqual([before.accessory()]);
    const after = fixtureWith({ jam: true }, before.throughCache());
    expect(state(after, 'jam', 'Configured Name').value).toBe('Stuck again');
  });

  it('are numbered where their names would be equal in Home, and keep their numbers', () => {
    const [long, other] = [`${'玄'.repeat(23)}甲`, `${'玄'.repeat(23)}乙`];
    const before = fixtureWith({ unlockedByCode: ['Ann', 'Ann!', long, other] });
    const cut = `unlocked by ${'玄'.repeat(17)}`;
    expect(names(before).slice(1)).toEqual([
      'Front door unlocked by Ann',
      'Front door unlocked by Ann 2',
      cut,
      `F unlocked by ${'玄'.repeat(16)} 2`,
    ]);
    const after = fixtureWith({ unlockedByCode: ['Ann!', 'Eve', long, 'Ann'] }, before.throughCache());
    expect(state(after, 'unlocked-by:Ann!', 'Configured Name').value).toBe('Front door unlocked by Ann 2');
    expect(state(after, 'unlocked-by:Ann', 'Configured Name').value).toBe('Front door unlocked by Ann');
    expect(state(after, `unlocked-by:${long}`, 'Configured Name').value).toBe(cut);
    expect(after.saved).toEqual([]);
    const third = fixtureWith({ unlockedByCode: ['Ann?', 'Ann;', 'Ann!'] }, before.throughCache());
    expect(state(third, 'unlocked-by:Ann?', 'Configured Name').value).toBe('Front door unlocked by Ann');
    expect(state(third, 'unlocked-by:Ann;', 'Configured Name').value).toBe('Front door unlocked by Ann 3');
    expect(state(third, 'unlocked-by:Ann!', 'Configured Name').value).toBe('Front door unlocked by Ann 2');
  });

  it('cause no warning of HAP', () => {
    const warnings: string[] = [];
    const fixture = fixtureWith(EVERY_ALERT, fixtureWith(EVERY_ALERT).throughCache());
    for (const service of fixture.accessory().services) {
      service.on('characteristic-warning', ({ message }) => {
        warnings.push(message);
      });
    }
    read(fixture);
    moved(fixture, 'access-code', 'Ann');
    fixture.runtime.alert(FRONT, 'alarm');
    fixture.runtime.report(FRONT, { bolt: 'jammed', battery: { grade: 'low', percent: 4 } });
    fixture.runtime.report(FRONT, {
      connected: false,
      description: { ...describedAs(''), model: 'x', serial: '' },
    });
    fixture.runtime.setLink('expired');
    expect(warnings).toEqual([]);
  });
});

/** The log line of each alert. One without a line here does not compile. */
const ALERT_LINES: Readonly<Record<AlertReport['type'], string>> = {
  'wrong-code': 'info Front door: a wrong code was entered',
  'keypad-locked-out':
    'warn Front door: the keypad locked itself after wrong codes. Wait, or unlock another way.',
  alarm: 'warn Front door: the alarm sounded. Check the lock.',
};

describe('an alert', () => {
  it.each(ALERTS)(
    '%s is a pulse of its own sensor alone, moves no bolt, and is a line in the log',
    async (alert) => {
      const fixture = fixtureWith(EVERY_ALERT);
      read(fixture);
      // Three of these are an alert; each other one is reported at once.
      for (let before = 1; before < (alert === 'wrong-code' ? 3 : 1); before += 1) {
        fixture.runtime.alert(FRONT, alert);
      }
      const pulsed = pulses(fixture);
      const sent = fixture.listen();
      fixture.runtime.alert(FRONT, alert);
      expect(pulsed()).toEqual([[alert, [1]]]);
      expect(sent).toEqual([{ name: 'Occupancy Detected', value: 1 }]);
      await fixture.clock.advance(PULSE_MS);
      expect(pulsed()).toEqual([[alert, [1, 0]]]);
      expect(fixture.visibleLines.at(-1)).toBe(ALERT_LINES[alert]);
      expect(fixture.runtime.requests).toEqual([]);
    },
  );

  it('without an option is only a line in the log', () => {
    const fixture = fixtureWith({});
    const sent = fixture.listen();
    fixture.runtime.alert(FRONT, 'wrong-code');
    expect(sent).toEqual([]);
    expect(fixture.visibleLines.at(-1)).toBe('info Front door: a wrong code was entered');
  });
});

it('a guest who arrives is a pulse of the sensor of that lock alone, unless the arrival is found late, in the history', async () => {
  const fixture = fixtureWith(EVERY_ALERT);
  read(fixture);
  const pulsed = pulses(fixture);
  fixture.runtime.stay('stay-code-ready', FRONT);
  fixture.runtime.stay('stay-ended', FRONT);
  fixture.runtime.stay('stay-arrived', lockId('elsewhere'));
  fixture.runtime.stay('stay-arrived', FRONT, fixture.runtime.tick() - 130_000);
  expect(pulsed()).toEqual([]);
  fixture.runtime.stay('stay-arrived', FRONT);
  expect(pulsed()).toEqual([['guest-arrived', [1]]]);
  await fixture.clock.advance(PULSE_MS);
  expect(pulsed()).toEqual([['guest-arrived', [1, 0]]]);
  expect(fixture.runtime.requests).toEqual([]);
});

it('a stay whose code is not ready is a pulse of the sensor of the lock that lacks it (faults#157)', async () => {
  const fixture = fixtureWith(EVERY_ALERT);
  read(fixture);
  const pulsed = pulses(fixture);
  fixture.runtime.stay('stay-not-ready', lockId('elsewhere'));
  expect(pulsed()).toEqual([]);
  fixture.runtime.stay('stay-not-ready', FRONT);
  expect(pulsed()).toEqual([['stay-not-ready', [1]]]);
  await fixture.clock.advance(PULSE_MS);
  expect(pulsed()).toEqual([['stay-not-ready', [1, 0]]]);
});

describe('a move that triggers a sensor', () => {
  it('is a pulse of the sensor of its way alone, where the service names the way', async () => {
    const fixture = fixtureWith({ movedBy: EVERY_ALERT.movedBy });
    read(fixture);
    const pulsed = pulses(fixture);
    moved(fixture, 'schedule');
    expect(pulsed()).toEqual([]);
    read(fixture);
    moved(fixture, 'one-touch');
    await fixture.clock.advance(PULSE_MS);
    expect(pulsed()).toEqual([['moved-by:outside', [1, 0]]]);
  });

  it('with a code is a pulse for the name of that code, when it unlocks', () => {
    const fixture = fixtureWith(EVERY_ALERT);
    read(fixture);
    const ann = sentBy(fixture, 'unlocked-by:Ann');
    const ben = sentBy(fixture, 'unlocked-by:Ben');
    const accessor = { method: 'access-code', id: null, name: 'Ann' } as const;
    fixture.runtime.report(FRONT, { bolt: 'secured', accessor });
    moved(fixture, 'virtual-key', 'Ann');
    moved(fixture, 'access-code', 'Annabel');
    moved(fixture, 'access-code');
    expect([ann, ben]).toEqual([[], []]);
    moved(fixture, 'access-code', 'Ann');
    expect([ann, ben]).toEqual([[1], []]);
  });

  it('again while the pulse is on prolongs it, and sends nothing twice', async () => {
    const fixture = fixtureWith(EVERY_ALERT);
    read(fixture);
    const sent = sentBy(fixture, 'moved-by:keypad');
    moved(fixture, 'access-code');
    await fixture.clock.advance(PULSE_MS - 1);
    moved(fixture, 'access-code');
    await fixture.clock.advance(PULSE_MS - 1);
    expect(sent).toEqual([1]);
    await fixture.clock.advance(1);
    expect(sent).toEqual([1, 0]);
  });

  it("is sent after the lock's own events", () => {
    const fixture = fixtureWith({ movedBy: ['keypad'] });
    read(fixture);
    const sent = fixture.listen();
    moved(fixture, 'access-code');
    expect(sent.map(({ name }) => name)).toEqual([
      'Lock Target State',
      'Lock Current State',
      'Occupancy Detected',
    ]);
  });

  it('is no pulse in an old report, nor before the first reading after a start', () => {
    const fixture = fixtureWith(EVERY_ALERT);
    const sent = sentBy(fixture, 'moved-by:keypad');
    moved(fixture, 'access-code');
    read(fixture);
    const accessor = { method: 'access-code', id: null, name: null } as const;
    const at = fixture.runtime.tick();
    const later = at + 9_000_000;
    fixture.runtime.happen(FRONT, { type: 'reported', source: 'poll', at: later, bolt: 'secured' });
    fixture.runtime.happen(FRONT, { type: 'reported', source: 'event', at, bolt: 'unsecured', accessor });
    expect(sent).toEqual([]);
  });

  it('is no pulse after a restart: a pulse that was cached has ended', () => {
    const before = fixtureWith(EVERY_ALERT);
    read(before);
    moved(before, 'access-code', 'Ann');
    expect(state(before, 'unlocked-by:Ann').value).toBe(1);
    const fixture = fixtureWith(EVERY_ALERT, before.throughCache());
    const sent = sentBy(fixture, 'unlocked-by:Ann');
    expect(state(fixture, 'unlocked-by:Ann').value).toBe(0);
    read(fixture);
    fixture.runtime.setLink('expired');
    fixture.runtime.setLink('linked');
    expect(sent).toEqual([]);
  });

  it('ends its pulse when the lock is removed or HomeKit is closed, and leaves no timer', () => {
    for (const end of ['remove', 'dispose'] as const) {
      const fixture = fixtureWith(EVERY_ALERT);
      read(fixture);
      moved(fixture, 'access-code', 'Ann');
      const shown = state(fixture, 'unlocked-by:Ann');
      if (end === 'remove') {
        fixture.runtime.remove(FRONT);
      } else {
        fixture.homekit.dispose();
      }
      expect(shown.value).toBe(0);
      expect(fixture.clock.pendingTimers).toBe(0);
    }
  });
});

describe('a sensor of a state', () => {
  it('shows "jammed" while the bolt is jammed, until it rests, unchanged by a restart', () => {
    const before = fixtureWith({ jam: true });
    const sentBefore = sentBy(before, 'jam');
    read(before);
    before.runtime.report(FRONT, { bolt: 'jammed' });
    before.runtime.report(FRONT, { bolt: 'unknown' });
    expect(sentBefore).toEqual([1]);
    const fixture = fixtureWith({ jam: true }, before.throughCache());
    const sent = sentBy(fixture, 'jam');
    expect(state(fixture, 'jam').value).toBe(1);
    fixture.runtime.report(FRONT, { bolt: 'jammed' });
    expect(sent).toEqual([]);
    fixture.runtime.report(FRONT, { bolt: 'unsecured' });
    expect(sent).toEqual([0]);
  });

  it('shows that the bolt was left unlocked, as long as it is so', () => {
    const fixture = fixtureWith({ leftUnlocked: 30 });
    fixture.runtime.report(FRONT, { bolt: 'unsecured' });
    const sent = sentBy(fixture, 'left-unlocked');
    fixture.runtime.happen(FRONT, { type: 'left-unlocked', since: fixture.runtime.tick() });
    expect(sent).toEqual([1]);
    fixture.runtime.happen(FRONT, { type: 'left-unlocked', since: null });
    expect(sent).toEqual([1, 0]);
  });

  it('shows a low battery exactly while Home does, also after a restart', () => {
    const fixture = fixtureWith({ lowBattery: true });
    const sent = sentBy(fixture, 'low-battery');
    for (const percent of [30, 19, 22, 24]) {
      fixture.runtime.report(FRONT, { battery: { grade: 'normal', percent } });
    }
    expect(sent).toEqual([1]);
    const after = fixtureWith({ lowBattery: true }, fixture.throughCache());
    expect(state(after, 'low-battery').value).toBe(1);
    after.runtime.report(FRONT, { battery: { grade: 'normal', percent: 26 } });
    expect(state(after, 'low-battery').value).toBe(0);
  });

  describe.each([
    ['occupancy', 'Occupancy Detected', 1, 0],
    ['contact', 'Contact Sensor State', 0, 1],
  ] as const)('bolt, as %s', (boltSensor, name, locked, otherwise) => {
    const shown = (fixture: HomeFixture): unknown[] =>
      [name, 'Status Active'].map((one) => state(fixture, 'bolt', one).value);

    it('says "locked" only where Home does', () => {
      const fixture = fixtureWith({ boltSensor });
      expect(shown(fixture)).toEqual([otherwise, false]);
      for (const bolt of ['unsecured', 'jammed'] as const) {
        fixture.runtime.report(FRONT, { bolt: 'secured', connected: true });
        expect(shown(fixture)).toEqual([locked, true]);
        fixture.runtime.report(FRONT, { bolt });
        expect(shown(fixture)).toEqual([otherwise, true]);
      }
      read(fixture);
      fixture.runtime.happen(FRONT, { type: 'aged', staleBefore: fixture.runtime.tick() });
      expect(shown(fixture)).toEqual([otherwise, false]);
      read(fixture);
      fixture.runtime.setLink('revoked');
      expect(shown(fixture)).toEqual([otherwise, false]);
    });

    it('keeps its cached value, marked inactive, until evidence confirms or corrects it (faults#99)', () => {
      for (const bolt of ['secured', 'unsecured'] as const) {
        const before = fixtureWith({ boltSensor });
        before.runtime.report(FRONT, { bolt, connected: true });
        const fixture = fixtureWith({ boltSensor }, before.throughCache());
        const sent = sentBy(fixture, 'bolt', name);
        expect(shown(fixture)).toEqual([bolt === 'secured' ? locked : otherwise, false]);
        fixture.runtime.setLink('other-process');
        fixture.runtime.setLink('linked');
        fixture.runtime.report(FRONT, { bolt, connected: true });
        expect(shown(fixture)).toEqual([bolt === 'secured' ? locked : otherwise, true]);
        expect(sent).toEqual([]);
        const corrected = fixtureWith({ boltSensor }, before.throughCache());
        corrected.runtime.report(FRONT, { bolt: 'jammed', connected: true });
        expect(shown(corrected)).toEqual([otherwise, true]);
      }
    });

    it('is marked inactive even if the platform never starts (faults#99)', () => {
      const before = fixtureWith({ boltSensor });
      read(before);
      const [cached] = before.throughCache();
      resetCachedState(before.api, cached ?? expect.fail('Nothing was cached'));
      const service = cached?.services.find(({ subtype }) => subtype === 'bolt');
      const values = service?.characteristics.map(({ displayName, value }) => [displayName, value]);
      expect(Object.fromEntries(values ?? [])).toMatchObject({ [name]: locked, 'Status Active': false });
    });
  });

  it.each(['revoked', 'unlinked', 'other-process'] as const)(
    'is marked inactive while the link is %s, and active again afterwards',
    (link) => {
      const fixture = fixtureWith(EVERY_ALERT);
      const all = subtypes(fixture);
      const active = (): unknown[] => [
        ...new Set(all.map((one) => state(fixture, one, 'Status Active').value)),
      ];
      read(fixture);
      expect([all.length > 10, active()]).toEqual([true, [true]]);
      fixture.runtime.setLink(link);
      expect(active()).toEqual([false]);
      fixture.runtime.setLink('linked');
      expect(active()).toEqual([true]);
    },
  );
});
