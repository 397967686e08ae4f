// The switch that moves the bolt without Home asking first: what it wishes, what it refuses, and that it shows the truth.
import { describe, expect, it } from 'vitest';
import { resetCachedState } from '../../../src/homekit/lock-mechanism-service.ts';
import type { LockOptions } from '../../../src/homekit/lock-options.ts';
import { settle } from '../../support/manual-clock.ts';
import { type Bench, benchWithFrontDoor, DEFAULTS, FRONT } from './fixture.ts';

const ON = true;
const OFF = false;
const NOT_ALLOWED = -70401;

type Mode = LockOptions['alerts']['automationSwitch'];

function benchOf(automationSwitch: Mode, more: Partial<LockOptions> = {}): Bench {
  const options = { ...DEFAULTS, alerts: { ...DEFAULTS.alerts, automationSwitch }, ...more };
  const bench = benchWithFrontDoor({ options: () => options });
  bench.runtime.report(FRONT, { bolt: 'secured', connected: true });
  return bench;
}

const on = (bench: Bench): ReturnType<Bench['characteristic']> => bench.characteristic('Switch', 'On');

/** As the house does it when the service takes a command: the wish is the target, and the bolt is still where it was. */
function acceptWishes(bench: Bench): void {
  bench.runtime.answer = (id, rest) => {
    bench.runtime.happen(id, { type: 'requested', target: rest });
    return Promise.resolve({ kind: 'accepted' });
  };
}

describe('the switch', () => {
  it('is there only when it was asked for', () => {
    expect(benchOf('off').service('Switch')).toBeUndefined();
    expect(benchOf('lockOnly').service('Switch')).toBeDefined();
  });

  it('is on exactly while Home shows the bolt as secured', () => {
    const bench = benchOf('bothWays');
    expect(on(bench).value).toBe(ON);
    for (const bolt of ['unsecured', 'jammed', 'unknown'] as const) {
      bench.runtime.report(FRONT, { bolt: 'secured' });
      expect(on(bench).value).toBe(ON);
      bench.runtime.report(FRONT, { bolt });
      expect(on(bench).value).toBe(OFF);
    }
  });

  it('locks by the same wish as everything else, and says "on" only when the bolt is there', async () => {
    const bench = benchOf('lockOnly');
    bench.runtime.report(FRONT, { bolt: 'unsecured' });
    acceptWishes(bench);
    expect(await bench.write(on(bench), ON)).toBe(0);
    expect(bench.runtime.wishes).toEqual([{ id: FRONT, rest: 'secured' }]);
    expect(bench.target().value).toBe(1);
    expect(on(bench).value).toBe(OFF);
    expect(await bench.read(on(bench))).toBe(OFF);
    bench.runtime.report(FRONT, { bolt: 'secured' });
    expect(on(bench).value).toBe(ON);
  });

  it('both ways unlocks, and says "off" only when the bolt is there', async () => {
    const bench = benchOf('bothWays');
    acceptWishes(bench);
    expect(await bench.write(on(bench), OFF)).toBe(0);
    expect(bench.runtime.wishes).toEqual([{ id: FRONT, rest: 'unsecured' }]);
    expect(on(bench).value).toBe(ON);
    bench.runtime.report(FRONT, { bolt: 'unsecured' });
    expect(on(bench).value).toBe(OFF);
  });

  it('lock-only never wishes the bolt open: it refuses, and says again how it is (faults#80)', async () => {
    const bench = benchOf('lockOnly');
    const sent = bench.listen();
    expect(await bench.write(on(bench), OFF)).toBe(NOT_ALLOWED);
    expect(bench.runtime.wishes).toEqual([]);
    expect(sent).toEqual([{ name: 'On', value: ON }]);
    expect(await bench.read(on(bench))).toBe(ON);
  });

  it('passes the refusal of the house on, and shows the truth', async () => {
    const bench = benchOf('bothWays');
    bench.runtime.answer = () => Promise.resolve({ kind: 'refused', reason: 'remote-unlock-forbidden' });
    expect(await bench.write(on(bench), OFF)).toBe(NOT_ALLOWED);
    expect(on(bench).value).toBe(ON);
    expect(bench.visibleLines.at(-1)).toBe(
      'warn Front door: not unlocked: remote unlock is off for this lock. Allow it on the Locks page or in config.json.',
    );
  });

  it('answers within two seconds though the house is slow, and shows the truth meanwhile', async () => {
    const bench = benchOf('bothWays');
    bench.runtime.answer = async () => {
      await bench.until(30_000, 'late');
      return { kind: 'accepted' };
    };
    const written = bench.write(on(bench), OFF);
    await bench.clock.advance(2_000);
    expect(await written).toBe(0);
    await settle();
    expect(on(bench).value).toBe(ON);
  });

  it('is for administrators alone where the lock is (faults#77, faults#80)', () => {
    expect(on(benchOf('bothWays', { adminOnly: true })).props.adminOnlyAccess).toEqual([1]);
    expect(on(benchOf('bothWays')).props.adminOnlyAccess).toEqual([]);
  });

  it('from the cache keeps its value, marked inactive, and refuses writes until its lock takes it over (faults#99)', async () => {
    const before = benchOf('bothWays');
    const restored = before.throughCache();
    for (const accessory of restored) {
      resetCachedState(before.api, accessory);
    }
    const cached = restored[0]?.getServiceById(before.api.hap.Service.Switch, 'automation');
    const switched = cached?.getCharacteristic(before.api.hap.Characteristic.On);
    if (switched === undefined) {
      throw new Error('The switch was not cached');
    }
    expect(switched.value).toBe(ON);
    expect(cached?.getCharacteristic(before.api.hap.Characteristic.StatusActive).value).toBe(false);
    expect(await before.write(switched, ON)).toBe(-70402);
    const options = { ...DEFAULTS, alerts: { ...DEFAULTS.alerts, automationSwitch: 'lockOnly' as const } };
    const bench = benchWithFrontDoor({ restored, options: () => options });
    expect(on(bench).value).toBe(ON);
    expect(bench.characteristic('Switch', 'Status Active').value).toBe(false);
    expect(await bench.write(on(bench), ON)).toBe(0);
    expect(bench.runtime.wishes).toEqual([{ id: FRONT, rest: 'secured' }]);
  });
});
