// Each fact of a lock, and who shows it: a fact that is added later has to be placed here.
import { expect, it } from 'vitest';
import { lockLines } from '../../../src/cli/terminal/lock-lines.ts';
import type { Belief } from '../../../src/domain/locks/evidence-policy.ts';
import { type Lock, type LockDescription, unknownLock } from '../../../src/domain/locks/lock.ts';
import { advanceLock } from '../../../src/domain/locks/machine.ts';
import { stateOf } from '../../../src/features/home-assistant/broker/lock-state.ts';
import { viewOf } from '../../../src/panel/views/lock.ts';
import { describedAs, FRONT } from '../../stand-ins/account/runtime.ts';
import { DEFAULTS, HomeFixture } from './fixture.ts';

const AT = Date.UTC(2026, 3, 14, 12);
const LOCK = advanceLock(unknownLock(FRONT, describedAs('Front door')), {
  type: 'reported',
  source: 'poll',
  at: AT,
  bolt: 'secured',
  connected: true,
  battery: { grade: 'normal', percent: 87 },
});
const UNLOCKED: Belief = advanceLock(LOCK, {
  type: 'reported',
  source: 'event',
  at: AT + 1,
  bolt: 'unsecured',
}).belief;
const RENAMED: LockDescription = { ...LOCK.description, name: 'Porch' };

type Place = 'home' | 'broker' | 'terminal';

/** Every fact with another value, and where that is seen. The pages have tests of their own in a browser. */
const FACTS: { readonly [Fact in keyof Omit<Lock, 'id'>]: readonly [Lock[Fact], ...Place[]] } = {
  description: [RENAMED, 'home', 'terminal'],
  belief: [UNLOCKED, 'home', 'broker', 'terminal'],
  presence: ['offline', 'home', 'broker', 'terminal'],
  battery: [{ grade: 'low', percent: 9 }, 'home', 'broker', 'terminal'],
  wifiDbm: [-70, 'broker'],
  target: ['unsecured', 'home', 'broker', 'terminal'],
  leftUnlockedSince: [AT, 'home'],
  lastMove: [
    { to: 'secured', at: AT, by: { method: 'thumbturn', id: null, name: null } },
    'home',
    'broker',
    'terminal',
  ],
  // What the service says of the device, and the dates of what is shown.
  device: [{ type: 'lever', createdAt: 3, variableLengthCodes: true, offsetMinutes: 60 }],
  recent: [{ moves: [], commands: [] }],
  presenceAt: [AT + 5],
  batteryAt: [AT + 5],
  inFlight: [{ target: 'secured', before: 'unsecured', from: AT, until: null }],
};

/** Every value of the accessory, with all sensors that follow a state. */
function homeOf(lock: Lock): unknown {
  const alerts = {
    ...DEFAULTS.alerts,
    boltSensor: 'contact',
    jam: true,
    lowBattery: true,
    leftUnlocked: 30,
  } as const;
  const options = { ...DEFAULTS, alerts };
  const { accessories } = new HomeFixture({
    options: () => options,
    prepare: (runtime) => {
      runtime.add(lock);
    },
  });
  return accessories.map(({ displayName, services }) => ({
    displayName,
    values: services.flatMap(({ characteristics }) => characteristics.map(({ value }) => value)),
  }));
}

const SHOWN: Readonly<Record<Place, (lock: Lock) => unknown>> = {
  home: homeOf,
  broker: (lock) =>
    stateOf({
      lock,
      link: 'linked',
      name: 'Front door',
      lowPercent: 20,
      wasLow: false,
      isPresenceFresh: true,
    }),
  terminal: (lock) => lockLines([viewOf(lock)], AT),
};

it.each(Object.entries(FACTS))(
  'the fact "%s" of a lock is shown where this table says, and nowhere else',
  (fact, [value, ...places]) => {
    const changed: Lock = { ...LOCK, [fact]: value };
    const seen = Object.entries(SHOWN).flatMap(([place, show]) =>
      JSON.stringify(show(changed)) === JSON.stringify(show(LOCK)) ? [] : [place],
    );
    expect(seen).toEqual(places);
  },
);
