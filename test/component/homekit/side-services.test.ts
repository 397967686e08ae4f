// The services beside a lock, with real HAP classes: when they appear and go, and what each of them says.
import type { Characteristic, PlatformAccessory, Service } from 'homebridge';
import { describe, expect, it } from 'vitest';
import type { AccessMethod } from '../../../src/domain/access.ts';
import { unknownLock } from '../../../src/domain/lock.ts';
import { resetCachedState } from '../../../src/homekit/lock-mechanism-service.ts';
import type { AlertOptions, MoveMethod } from '../../../src/homekit/lock-options.ts';
import { Bench, benchWithFrontDoor, DEFAULTS, describedAs, FRONT } from './fixture.ts';

const PULSE_MS = 5_000;

const EVERYTHING: AlertOptions = {
  wrongCode: { enabled: true, count: 3, minutes: 5 },
  keypadLockedOut: true,
  activityAlarm: true,
  jam: true,
  lowBattery: true,
  unlockedByCode: ['Ann', 'Ben'],
  movedBy: ['keypad', 'inside', 'outside', 'remote', 'autoRelock', 'nfc'],
  boltSensor: 'occupancy',
  automationSwitch: 'lockOnly',
};

function benchWith(alerts: Partial<AlertOptions>, restored: readonly PlatformAccessory[] = []): Bench {
  const options = { ...DEFAULTS, alerts: { ...DEFAULTS.alerts, ...alerts } };
  return benchWithFrontDoor({ restored, options: () => options });
}

function side(bench: Bench, subtype: string): Service {
  const found = bench.accessory().services.find((service) => service.subtype === subtype);
  if (found === undefined) {
    throw new Error(`There is no service ${subtype}`);
  }
  return found;
}

/** A characteristic of a service beside the lock. Looking does not add it. */
function state(bench: Bench, subtype: string, name = 'Occupancy Detected'): Characteristic {
  const found = side(bench, subtype).characteristics.find(({ displayName }) => displayName === name);
  if (found === undefined) {
    throw new Error(`${subtype} has no ${name}`);
  }
  return found;
}

/** Every value that Home is sent from now on. */
function heard(bench: Bench, subtype: string, name?: string): readonly unknown[] {
  const values: unknown[] = [];
  state(bench, subtype, name).on('change', ({ newValue }) => values.push(newValue));
  return values;
}

function subtypes(bench: Bench): readonly (string | undefined)[] {
  return bench.accessory().services.flatMap(({ subtype }) => (subtype === undefined ? [] : [subtype]));
}

/** What Home calls each service beside the lock. */
function names(bench: Bench, name = 'Front door'): readonly unknown[] {
  const { ConfiguredName } = bench.api.hap.Characteristic;
  return bench
    .accessory(name)
    .services.filter(({ subtype }) => subtype !== undefined)
    .map((service) => service.getCharacteristic(ConfiguredName).value);
}

const LONG = 'Grandmothers garden house side door by the old apple tree north';

function longNamed(alerts: Partial<AlertOptions>, restored: readonly PlatformAccessory[] = []): Bench {
  const options = { ...DEFAULTS, alerts: { ...DEFAULTS.alerts, ...alerts } };
  return new Bench({
    restored,
    options: () => options,
    prepare: (runtime) => {
      runtime.add(unknownLock(FRONT, describedAs(LONG)));
    },
  });
}

/** The service lists the lock, as it does soon after every start. */
function read(bench: Bench): void {
  bench.runtime.report(FRONT, { source: 'poll', bolt: 'secured', connected: true });
}

function moved(bench: Bench, method: AccessMethod, name: string | null = null): void {
  bench.runtime.report(FRONT, { bolt: 'unsecured', accessor: { method, id: null, name } });
}

describe('the services that the options ask for', () => {
  it('are none by default, but for the connection', () => {
    expect(subtypes(benchWith({}))).toEqual(['connection']);
  });

  it('appear each with a name of its own', () => {
    const bench = benchWith(EVERYTHING);
    expect(
      subtypes(bench).map((subtype) => [subtype, state(bench, subtype ?? '', 'Configured Name').value]),
    ).toEqual([
      ['connection', 'Front door online'],
      ['bolt', 'Front door locked'],
      ['jam', 'Front door jammed'],
      ['low-battery', 'Front door battery low'],
      ['wrong-code', 'Front door wrong code'],
      ['keypad-locked-out', 'Front door keypad locked out'],
      ['alarm', 'Front door activity alarm'],
      ['unlocked-by:Ann', 'Front door unlocked by Ann'],
      ['unlocked-by:Ben', 'Front door unlocked by Ben'],
      ['moved-by:keypad', 'Front door moved by keypad'],
      ['moved-by:inside', 'Front door moved from inside'],
      ['moved-by:outside', 'Front door moved from outside'],
      ['moved-by:remote', 'Front door moved remotely'],
      ['moved-by:autoRelock', 'Front door relocked by itself'],
      ['moved-by:nfc', 'Front door moved by NFC'],
      ['automation', 'Front door lock switch'],
    ]);
  });

  it('leave the lock primary, and everything linked to it, also after the cache', () => {
    for (const bench of [
      benchWith(EVERYTHING),
      benchWith(EVERYTHING, benchWith(EVERYTHING).throughCache()),
    ]) {
      const primary = bench.accessory().services.filter(({ isPrimaryService }) => isPrimaryService);
      expect(primary.map(({ UUID }) => UUID)).toEqual([bench.api.hap.Service.LockMechanism.UUID]);
      const linked = primary[0]?.linkedServices.map(({ subtype }) => subtype) ?? [];
      expect(linked).toEqual(expect.arrayContaining([...subtypes(bench)]));
    }
  });

  it('are added to a cached accessory when an option turns on, and removed when it turns off', () => {
    const none = benchWith({});
    const all = benchWith(EVERYTHING, none.throughCache());
    expect(subtypes(all)).toHaveLength(16);
    const some = benchWith({ jam: true, unlockedByCode: ['Ben'] }, all.throughCache());
    expect(subtypes(some)).toEqual(['connection', 'jam', 'unlocked-by:Ben']);
    const linked = some.service('LockMechanism')?.linkedServices.map(({ subtype }) => subtype) ?? [];
    expect(linked.filter((subtype) => subtype !== undefined)).toEqual([
      'connection',
      'jam',
      'unlocked-by:Ben',
    ]);
    expect(subtypes(benchWith({}, some.throughCache()))).toEqual(['connection']);
  });

  it('change nothing for controllers when they come back from the cache as they were', () => {
    const restored = benchWith(EVERYTHING).throughCache();
    let changes = 0;
    for (const service of restored.flatMap(({ services }) => services)) {
      service.on('service-configurationChange', () => {
        changes += 1;
      });
    }
    benchWith(EVERYTHING, restored);
    expect(changes).toBe(0);
  });

  it('stay when the connection sensor is of another kind, or none', () => {
    const restored = benchWith({ jam: true }).throughCache();
    const bench = benchWithFrontDoor({
      restored,
      options: () => ({
        ...DEFAULTS,
        connectivitySensor: 'none',
        alerts: { ...DEFAULTS.alerts, jam: true },
      }),
    });
    expect(subtypes(bench)).toEqual(['jam']);
    expect(subtypes(benchWith({ jam: true }, bench.throughCache()))).toEqual(['jam', 'connection']);
  });

  it('keep the name that a person gave them, and save it at once', () => {
    const before = benchWith({ jam: true });
    state(before, 'jam', 'Configured Name').updateValue('Stuck again');
    expect(before.saved).toEqual([before.accessory()]);
    const after = benchWith({ jam: true }, before.throughCache());
    expect(state(after, 'jam', 'Configured Name').value).toBe('Stuck again');
  });

  it('keep what tells them apart where the lock has a long name', () => {
    const short = benchWith({ ...EVERYTHING, unlockedByCode: ['Dog walker', 'Dog washer'] });
    const long = longNamed({ ...EVERYTHING, unlockedByCode: ['Dog walker', 'Dog washer'] });
    const labels = names(short).map((name) => String(name).slice('Front door'.length));
    expect(labels).toHaveLength(16);
    for (const [at, name] of names(long, LONG).entries()) {
      expect(name).toMatch(/^Grandmothers garden house side door/u);
      expect(String(name).slice(-(labels[at]?.length ?? 0))).toBe(labels[at]);
      expect(Buffer.byteLength(String(name))).toBeLessThanOrEqual(64);
    }
  });

  it('are numbered where nothing that Home can show tells two apart, and keep their numbers', () => {
    const [long, other] = [`${'玄'.repeat(23)}甲`, `${'玄'.repeat(23)}乙`];
    const before = benchWith({ unlockedByCode: ['Ann', 'Ann!', long, other] });
    const cut = `unlocked by ${'玄'.repeat(17)}`;
    expect(names(before).slice(1)).toEqual([
      'Front door unlocked by Ann',
      'Front door unlocked by Ann 2',
      cut,
      `F unlocked by ${'玄'.repeat(16)} 2`,
    ]);
    const after = benchWith({ unlockedByCode: ['Ann!', 'Eve', long, 'Ann'] }, before.throughCache());
    expect(state(after, 'unlocked-by:Ann!', 'Configured Name').value).toBe('Front door unlocked by Ann 2');
    expect(state(after, 'unlocked-by:Ann', 'Configured Name').value).toBe('Front door unlocked by Ann');
    expect(state(after, `unlocked-by:${long}`, 'Configured Name').value).toBe(cut);
    expect(after.saved).toEqual([]);
    const third = benchWith({ unlockedByCode: ['Ann?', 'Ann;', 'Ann!'] }, before.throughCache());
    expect(state(third, 'unlocked-by:Ann?', 'Configured Name').value).toBe('Front door unlocked by Ann');
    expect(state(third, 'unlocked-by:Ann;', 'Configured Name').value).toBe('Front door unlocked by Ann 3');
    expect(state(third, 'unlocked-by:Ann!', 'Configured Name').value).toBe('Front door unlocked by Ann 2');
  });

  it('take the name over when the kind of the connection sensor changes', () => {
    const restored = benchWith({}).throughCache();
    const bench = benchWithFrontDoor({
      restored,
      options: () => ({ ...DEFAULTS, connectivitySensor: 'contact' }),
    });
    expect(names(bench)).toEqual(['Front door online']);
  });

  it('make HAP warn of nothing', () => {
    const warnings: string[] = [];
    const restored = benchWith(EVERYTHING).throughCache();
    const bench = benchWith(EVERYTHING, restored);
    for (const service of bench.accessory().services) {
      service.on('characteristic-warning', ({ message }) => {
        warnings.push(message);
      });
    }
    read(bench);
    moved(bench, 'access-code', 'Ann');
    bench.runtime.alert(FRONT, 'alarm');
    bench.runtime.report(FRONT, { bolt: 'jammed', battery: { grade: 'low', percent: 4 } });
    expect(warnings).toEqual([]);
  });
});

describe('an alert', () => {
  it.each([
    [
      'keypad-locked-out',
      'warn Front door: the keypad locked itself after wrong codes. Wait, or unlock another way.',
    ],
    ['alarm', 'warn Front door: the activity alarm went off. Check the lock.'],
  ] as const)('%s is a pulse of its own sensor, and a line in the log', async (alert, line) => {
    const bench = benchWith(EVERYTHING);
    const others = ['keypad-locked-out', 'alarm', 'wrong-code'].filter((subtype) => subtype !== alert);
    const quiet = others.map((subtype) => heard(bench, subtype));
    const told = heard(bench, alert);
    bench.runtime.alert(FRONT, alert);
    expect(told).toEqual([1]);
    await bench.clock.advance(PULSE_MS);
    expect(told).toEqual([1, 0]);
    expect(quiet).toEqual([[], []]);
    expect(bench.visibleLines.at(-1)).toBe(line);
  });

  it.each([
    ['is raised by the third within five minutes', [0, 1, 300_000, 300_001, 599_999], [1]],
    ['is not raised by those of a longer time that are told at once', [0, 150_000, 300_000], []],
    ['is raised in whichever order the three are told', [299_999, 0, 150_000], [1]],
  ])('of wrong codes %s', (_title, entered, expected) => {
    const bench = benchWith(EVERYTHING);
    const told = heard(bench, 'wrong-code');
    for (const at of entered) {
      expect(told).toEqual([]);
      bench.runtime.alert(FRONT, 'wrong-code', at);
    }
    expect(told).toEqual(expected);
  });

  it('that nobody asked for is only a line in the log', () => {
    const bench = benchWith({});
    const sent = bench.listen();
    bench.runtime.alert(FRONT, 'wrong-code');
    expect(sent).toEqual([]);
    expect(bench.visibleLines.at(-1)).toBe('info Front door: wrong code entered at the keypad');
  });

  it('moves no bolt and sends nothing of the lock', () => {
    const bench = benchWith(EVERYTHING);
    read(bench);
    const sent = bench.listen();
    for (const alert of ['wrong-code', 'keypad-locked-out', 'alarm'] as const) {
      bench.runtime.alert(FRONT, alert);
    }
    expect(sent).toEqual([
      { name: 'Occupancy Detected', value: 1 },
      { name: 'Occupancy Detected', value: 1 },
    ]);
    expect(bench.runtime.wishes).toEqual([]);
  });
});

describe('a move that somebody waits for', () => {
  it.each<[AccessMethod, MoveMethod]>([
    ['access-code', 'keypad'],
    ['thumbturn', 'inside'],
    ['one-touch', 'outside'],
    ['virtual-key', 'remote'],
    ['auto-relock', 'autoRelock'],
    ['platform-key', 'nfc'],
  ])('by %s is a pulse of "%s" alone', async (method, way) => {
    const bench = benchWith(EVERYTHING);
    read(bench);
    const pulses = EVERYTHING.movedBy.map((one) => [one, heard(bench, `moved-by:${one}`)] as const);
    moved(bench, method);
    await bench.clock.advance(PULSE_MS);
    expect(pulses.filter(([, told]) => told.length > 0)).toEqual([[way, [1, 0]]]);
  });

  it.each(['unlock-button', 'schedule', 'unavailable', 'other'] as const)(
    'by %s is the pulse of nobody: the service does not say which way that is',
    (method) => {
      const bench = benchWith(EVERYTHING);
      read(bench);
      const pulses = EVERYTHING.movedBy.map((one) => heard(bench, `moved-by:${one}`));
      moved(bench, method);
      expect(pulses.flat()).toEqual([]);
    },
  );

  it('with a code is a pulse for the name of that code, when it unlocks', () => {
    const bench = benchWith(EVERYTHING);
    read(bench);
    const ann = heard(bench, 'unlocked-by:Ann');
    const ben = heard(bench, 'unlocked-by:Ben');
    const accessor = { method: 'access-code', id: null, name: 'Ann' } as const;
    bench.runtime.report(FRONT, { bolt: 'secured', accessor });
    moved(bench, 'virtual-key', 'Ann');
    moved(bench, 'access-code', 'Annabel');
    moved(bench, 'access-code');
    expect([ann, ben]).toEqual([[], []]);
    moved(bench, 'access-code', 'Ann');
    expect([ann, ben]).toEqual([[1], []]);
  });

  it('again while the pulse is on prolongs it, and sends nothing twice', async () => {
    const bench = benchWith(EVERYTHING);
    read(bench);
    const told = heard(bench, 'moved-by:keypad');
    moved(bench, 'access-code');
    await bench.clock.advance(PULSE_MS - 1);
    moved(bench, 'access-code');
    await bench.clock.advance(PULSE_MS - 1);
    expect(told).toEqual([1]);
    await bench.clock.advance(1);
    expect(told).toEqual([1, 0]);
  });

  it('is told after the lock itself', () => {
    const bench = benchWith({ movedBy: ['keypad'] });
    read(bench);
    const sent = bench.listen();
    moved(bench, 'access-code');
    expect(sent.map(({ name }) => name)).toEqual([
      'Lock Target State',
      'Lock Current State',
      'Occupancy Detected',
    ]);
  });

  it('is no news in an old report, nor before the first reading after a start', () => {
    const bench = benchWith(EVERYTHING);
    const told = heard(bench, 'moved-by:keypad');
    moved(bench, 'access-code');
    read(bench);
    const accessor = { method: 'access-code', id: null, name: null } as const;
    const at = bench.runtime.tick();
    bench.runtime.happen(FRONT, {
      type: 'reported',
      source: 'poll',
      at: at + 9_000_000,
      connected: true,
      bolt: 'secured',
    });
    bench.runtime.happen(FRONT, { type: 'reported', source: 'event', at, bolt: 'unsecured', accessor });
    expect(told).toEqual([]);
  });

  it('is no news in a restart: a pulse that was cached has ended', () => {
    const before = benchWith(EVERYTHING);
    read(before);
    moved(before, 'access-code', 'Ann');
    expect(state(before, 'unlocked-by:Ann').value).toBe(1);
    const bench = benchWith(EVERYTHING, before.throughCache());
    const told = heard(bench, 'unlocked-by:Ann');
    expect(state(bench, 'unlocked-by:Ann').value).toBe(0);
    read(bench);
    bench.runtime.setLink('expired');
    bench.runtime.setLink('linked');
    expect(told).toEqual([]);
  });

  it('ends its pulse when the lock goes or the room is closed, and leaves no timer', () => {
    for (const end of [
      (bench: Bench) => {
        bench.runtime.remove(FRONT);
      },
      (bench: Bench) => {
        bench.homekit.dispose();
      },
    ]) {
      const bench = benchWith(EVERYTHING);
      read(bench);
      moved(bench, 'access-code', 'Ann');
      const shown = state(bench, 'unlocked-by:Ann');
      end(bench);
      expect(shown.value).toBe(0);
      expect(bench.clock.pendingTimers).toBe(0);
    }
  });
});

describe('the sensors of states', () => {
  it('jammed: while the bolt is, until it rests somewhere', () => {
    const bench = benchWith({ jam: true });
    const told = heard(bench, 'jam');
    read(bench);
    bench.runtime.report(FRONT, { bolt: 'jammed' });
    bench.runtime.report(FRONT, { bolt: 'unknown' });
    expect(told).toEqual([1]);
    bench.runtime.report(FRONT, { bolt: 'unsecured' });
    expect(told).toEqual([1, 0]);
  });

  it('jammed: neither ended nor begun by a restart', () => {
    const before = benchWith({ jam: true });
    before.runtime.report(FRONT, { bolt: 'jammed' });
    const bench = benchWith({ jam: true }, before.throughCache());
    const told = heard(bench, 'jam');
    expect(state(bench, 'jam').value).toBe(1);
    bench.runtime.report(FRONT, { bolt: 'jammed' });
    expect(told).toEqual([]);
  });

  it('battery low: exactly while Home shows it, also after a restart', () => {
    const bench = benchWith({ lowBattery: true });
    const told = heard(bench, 'low-battery');
    for (const percent of [30, 19, 22, 24]) {
      bench.runtime.report(FRONT, { battery: { grade: 'normal', percent } });
    }
    expect(told).toEqual([1]);
    const after = benchWith({ lowBattery: true }, bench.throughCache());
    expect(state(after, 'low-battery').value).toBe(1);
    after.runtime.report(FRONT, { battery: { grade: 'normal', percent: 26 } });
    expect(state(after, 'low-battery').value).toBe(0);
  });

  describe.each([
    ['occupancy', 'Occupancy Detected', 1, 0],
    ['contact', 'Contact Sensor State', 0, 1],
  ] as const)('bolt, as %s', (boltSensor, name, locked, otherwise) => {
    const shown = (bench: Bench): unknown[] =>
      [name, 'Status Active'].map((one) => state(bench, 'bolt', one).value);

    it('says "locked" only where Home does', () => {
      const bench = benchWith({ boltSensor });
      expect(shown(bench)).toEqual([otherwise, false]);
      bench.runtime.report(FRONT, { bolt: 'secured', connected: true });
      expect(shown(bench)).toEqual([locked, true]);
      bench.runtime.report(FRONT, { bolt: 'unsecured' });
      expect(shown(bench)).toEqual([otherwise, true]);
      bench.runtime.report(FRONT, { bolt: 'jammed' });
      expect(shown(bench)).toEqual([otherwise, true]);
      bench.runtime.report(FRONT, { bolt: 'secured' });
      bench.runtime.happen(FRONT, {
        type: 'aged',
        staleBefore: bench.runtime.tick(),
        now: bench.runtime.tick(),
      });
      expect(shown(bench)).toEqual([otherwise, false]);
      bench.runtime.report(FRONT, { bolt: 'secured' });
      bench.runtime.setLink('revoked');
      expect(shown(bench)).toEqual([otherwise, false]);
    });

    it('keeps what was cached, marked inactive, until there is evidence (faults#99)', () => {
      for (const bolt of ['secured', 'unsecured'] as const) {
        const before = benchWith({ boltSensor });
        before.runtime.report(FRONT, { bolt, connected: true });
        const bench = benchWith({ boltSensor }, before.throughCache());
        const sent = heard(bench, 'bolt', name);
        expect(shown(bench)).toEqual([bolt === 'secured' ? locked : otherwise, false]);
        bench.runtime.setLink('other-process');
        bench.runtime.setLink('linked');
        bench.runtime.report(FRONT, { bolt, connected: true });
        expect(shown(bench)).toEqual([bolt === 'secured' ? locked : otherwise, true]);
        expect(sent).toEqual([]);
      }
    });

    it('is corrected by the first evidence after a restart', () => {
      const before = benchWith({ boltSensor });
      read(before);
      const bench = benchWith({ boltSensor }, before.throughCache());
      bench.runtime.report(FRONT, { bolt: 'unsecured', connected: true });
      expect(shown(bench)).toEqual([otherwise, true]);
    });

    it('is marked inactive even if the platform never starts (faults#99)', () => {
      const before = benchWith({ boltSensor });
      read(before);
      const restored = before.throughCache();
      for (const accessory of restored) {
        resetCachedState(before.api, accessory);
      }
      const [cached] = restored;
      const service = cached?.services.find(({ subtype }) => subtype === 'bolt');
      const values = service?.characteristics.map(({ displayName, value }) => [displayName, value]);
      expect(values).toEqual(
        expect.arrayContaining([
          [name, locked],
          ['Status Active', false],
        ]),
      );
    });
  });

  it('bolt: of another kind, the first one goes', () => {
    const before = benchWith({ boltSensor: 'occupancy' });
    const bench = benchWith({ boltSensor: 'contact' }, before.throughCache());
    expect(bench.accessory().services.filter(({ subtype }) => subtype === 'bolt')).toEqual([
      side(bench, 'bolt'),
    ]);
    expect(side(bench, 'bolt').UUID).toBe(bench.api.hap.Service.ContactSensor.UUID);
  });
});
