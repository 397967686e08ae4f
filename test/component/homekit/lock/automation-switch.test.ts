// The switch that moves the bolt without Home asking first: its requests, its refusals, and that it shows the truth.
import type { Characteristic } from 'homebridge';
import { describe, expect, it } from 'vitest';
import type { LockOptions } from '../../../../src/homekit/hap/lock-options.ts';
import { resetCachedState } from '../../../../src/homekit/lock/lock-mechanism-service.ts';
import { FRONT } from '../../../stand-ins/account/runtime.ts';
import { DEFAULTS, fixtureWithFrontDoor, type HomeFixture, lockedDoor } from '../fixture.ts';

const ON = true;
const OFF = false;
const NOT_ALLOWED = -70401;

type Mode = LockOptions['alerts']['automationSwitch'];

function fixtureOf(automationSwitch: Mode): HomeFixture {
  return lockedDoor({ options: { alerts: { ...DEFAULTS.alerts, automationSwitch } } });
}

const on = (fixture: HomeFixture): Characteristic => fixture.characteristic('Switch', 'On');

describe('the switch', () => {
  it('is on exactly while Home shows the bolt as secured', () => {
    const fixture = fixtureOf('bothWays');
    expect(on(fixture).value).toBe(ON);
    for (const bolt of ['unsecured', 'jammed', 'unknown'] as const) {
      fixture.runtime.report(FRONT, { bolt: 'secured' });
      expect(on(fixture).value).toBe(ON);
      fixture.runtime.report(FRONT, { bolt });
      expect(on(fixture).value).toBe(OFF);
    }
  });

  it.each([
    ['lockOnly', ON, 'secured', 'unsecured'],
    ['bothWays', OFF, 'unsecured', 'secured'],
  ] as const)(
    'of %s that is set to %s asks for "%s" as everything else does, and shows it only when the bolt is there',
    async (mode, written, target, before) => {
      const fixture = fixtureOf(mode);
      fixture.runtime.report(FRONT, { bolt: before });
      fixture.acceptRequests();
      expect(await fixture.write(on(fixture), written)).toBe(0);
      expect(fixture.runtime.requests).toEqual([{ id: FRONT, target }]);
      expect([on(fixture).value, await fixture.read(on(fixture))]).toEqual([!written, !written]);
      fixture.runtime.report(FRONT, { bolt: target });
      expect(on(fixture).value).toBe(written);
    },
  );

  it('never requests an unlock when it only locks: it refuses, and shows its value again (faults#80)', async () => {
    const fixture = fixtureOf('lockOnly');
    const sent = fixture.listen();
    expect(await fixture.write(on(fixture), OFF)).toBe(NOT_ALLOWED);
    expect(fixture.runtime.requests).toEqual([]);
    expect(sent).toEqual([{ name: 'On', value: ON }]);
    expect(await fixture.read(on(fixture))).toBe(ON);
  });

  it('passes on the refusal of the runtime, and shows the truth', async () => {
    const fixture = fixtureOf('bothWays');
    fixture.runtime.answer = () => Promise.resolve({ kind: 'refused', reason: 'remote-unlock-forbidden' });
    expect(await fixture.write(on(fixture), OFF)).toBe(NOT_ALLOWED);
    expect(on(fixture).value).toBe(ON);
    expect(fixture.visibleLines.at(-1)).toBe(
      'warn Front door: couldn’t unlock: remote unlock is turned off for this lock. Allow it on the Locks page or in config.json.',
    );
  });

  it('from the cache keeps its value, marked inactive, and refuses writes until its lock takes it over (faults#99)', async () => {
    const before = fixtureOf('bothWays');
    const restored = before.throughCache();
    for (const accessory of restored) {
      resetCachedState(before.api, accessory);
    }
    const { On, StatusActive } = before.api.hap.Characteristic;
    const cached = restored[0]?.getServiceById(before.api.hap.Service.Switch, 'automation');
    const switched = cached?.getCharacteristic(On) ?? expect.fail('The switch was not cached');
    expect([switched.value, cached?.getCharacteristic(StatusActive).value]).toEqual([ON, false]);
    expect(await before.write(switched, ON)).toBe(-70402);
    const alerts = { ...DEFAULTS.alerts, automationSwitch: 'lockOnly' } as const;
    const fixture = fixtureWithFrontDoor({ restored, options: { alerts } });
    expect(on(fixture).value).toBe(ON);
    expect(fixture.characteristic('Switch', 'Status Active').value).toBe(false);
    expect(await fixture.write(on(fixture), ON)).toBe(0);
    expect(fixture.runtime.requests).toEqual([{ id: FRONT, target: 'secured' }]);
  });
});
