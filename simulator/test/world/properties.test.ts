// Properties of every world, whatever people, weather and partners do to it.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ERROR_CODES } from '../../src/contract/errors.ts';
import { createWorld } from '../../src/world/house/world.ts';
import type { LockState } from '../../src/world/records.ts';
import type { WorldEvent } from '../../src/world/world-event.ts';
import type { LockInspection, World } from '../../src/world/world-types.ts';
import { DAY, HOUR, MINUTE, PEOPLE, SECOND, START, value } from './home.ts';

const DOORS = ['deadbolt', 'lever'] as const;
type Door = (typeof DOORS)[number];
type Act = (world: World, door: Door) => void;

interface Step {
  readonly door: Door;
  readonly waitMs: number;
  readonly name: string;
  readonly act: Act;
}

const named = (name: string, act: Act) => ({ name, act });
const end = fc.constantFrom('Locked', 'Unlocked');
const code = fc.constantFrom('1234', '4821', '48210', '999999');

/** What never moves a bolt. */
const quietAct = fc.oneof(
  fc.constant(named('wait', () => undefined)),
  fc.constant(named('wrong code', (world, door) => world.typeCode(door, '0000'))),
  fc.constant(named('bad command', (world, door) => world.submitCommand('owner', door, 'Open', {}))),
  fc.constant(
    named('stranger', (world, door) =>
      world.submitCommand('stranger', door, 'ChangeLockState', { lockState: 'Unlocked' }),
    ),
  ),
  fc
    .record({ code, name: fc.constantFrom('A', 'B') })
    .map((draft) =>
      named(`add ${draft.name}`, (world, door) =>
        world.submitCommand('owner', door, 'AddAccessCode', { ...draft, scheduleType: 'Always' }),
      ),
    ),
  fc.constant(
    named('delete all', (world, door) => world.submitCommand('owner', door, 'DeleteAllAccessCodes', {})),
  ),
  fc.constant(named('cut Wi-Fi', (world, door) => world.cutWifi(door))),
  fc.constant(named('restore Wi-Fi', (world, door) => world.restoreWifi(door))),
  fc
    .constantFrom(null, 0, 3, 50, 100)
    .map((percent) => named(`battery ${percent}`, (world, door) => world.setBattery(door, percent))),
  fc.constant(named('new batteries', (world, door) => world.replaceBatteries(door))),
  fc
    .constantFrom(1, 2, undefined)
    .map((count) => named(`jam ${count}`, (world, door) => world.jam(door, count))),
  fc.constant(named('clear jam', (world, door) => world.clearJam(door))),
  fc.constant(named('alarm', (world, door) => world.triggerAlarm(door))),
);

/** The causes that may move a bolt. */
const movingAct = fc.oneof(
  fc
    .tuple(fc.constantFrom('owner', 'guest'), end)
    .map(([user, lockState]) =>
      named(`${user} ${lockState}`, (world, door) =>
        world.submitCommand(user, door, 'ChangeLockState', { lockState }),
      ),
    ),
  fc.constant(named('thumbturn', (world, door) => world.turnThumbturn(door))),
  fc.constant(named('one touch', (world, door) => world.pressOneTouch(door))),
  code.map((digits) => named(`type ${digits}`, (world, door) => world.typeCode(door, digits))),
  fc.constant(named('unlock button', (world, door) => world.pressInsideButton(door, 'UnlockButton'))),
  fc.constant(named('forget position', (world, door) => world.forgetPosition(door))),
  fc
    .tuple(fc.constantFrom(...ERROR_CODES), fc.constantFrom(100, 5 * SECOND, 70 * SECOND))
    .map(([errorCode, delayMs]) =>
      named(`fail ${errorCode}`, (world, door) => world.failNextCommands(door, { errorCode, delayMs })),
    ),
);

const steps = (acts: fc.Arbitrary<Pick<Step, 'name' | 'act'>>) =>
  fc.array(
    fc
      .tuple(fc.constantFrom(...DOORS), fc.constantFrom(0, 300, SECOND, 30 * SECOND, HOUR), acts)
      .map(([door, waitMs, { name, act }]): Step => ({ door, waitMs, name, act })),
    { maxLength: 40, size: 'max' },
  );

const anySteps = steps(fc.oneof(quietAct, movingAct));

function makeWorld(seed = 'property', autoRelockMs: number | null = 20 * SECOND): World {
  return createWorld({
    seed,
    startAt: START,
    users: PEOPLE,
    devices: DOORS.map((door) => ({
      deviceId: door,
      name: door,
      type: door === 'deadbolt' ? 'WifiDeadbolt' : 'WifiLever',
      roles: { owner: 'owner', guest: 'guest' },
      accessCodes: [{ name: 'Resident', code: '1234' }],
      settings: { autoRelockMs, travelJitterMs: 200, vlac: true },
    })),
  });
}

/** Lives through the steps, stopping at every instant at which something is due. */
function live(world: World, plan: readonly Step[], look: (when: 'due' | 'acted', step: Step) => void): void {
  for (const step of plan) {
    step.act(world, step.door);
    look('acted', step);
    const until = world.now() + step.waitMs;
    for (let due = world.nextDueAt(); due !== null && due <= until; due = world.nextDueAt()) {
      world.advance(due);
      look('due', step);
    }
    world.advance(until);
  }
}

const record = (world: World): WorldEvent[] => {
  const activities: WorldEvent[] = [];
  world.onEvent((worldEvent) => activities.push(worldEvent));
  return activities;
};

describe('a bolt never moves without a cause', () => {
  test('only motors, thumbturns and a lost position change the position', () => {
    fc.assert(
      fc.property(anySteps, (plan) => {
        const world = makeWorld();
        const before = new Map<Door, LockInspection>(DOORS.map((door) => [door, world.inspect(door)]));
        live(world, plan, (when, step) => {
          for (const door of DOORS) {
            const [was, is] = [before.get(door), world.inspect(door)];
            before.set(door, is);
            if (is.bolt === was?.bolt) {
              continue;
            }
            const atDoor = when === 'acted' && door === step.door;
            const isHand = atDoor && /thumbturn|forget/.test(step.name);
            const arrived: readonly (LockState | null | undefined)[] = [was?.movingTo];
            const isMotor = when === 'due' && was?.movingTo !== null && arrived.includes(is.bolt);
            const isStuck = when === 'due' && is.bolt === 'Unknown';
            expect(isHand || isMotor || isStuck).toBe(true);
          }
        });
      }),
    );
  });

  test('a bolt that no one moves stays for ever', () => {
    fc.assert(
      fc.property(steps(quietAct), (plan) => {
        const world = makeWorld();
        live(world, plan, () => {
          expect(DOORS.map((door) => world.inspect(door).bolt)).toEqual(['Locked', 'Locked']);
        });
      }),
    );
  });
});

describe('time only goes on', () => {
  test('events come in the order of time, and an earlier instant changes nothing', () => {
    fc.assert(
      fc.property(anySteps, (plan) => {
        const world = makeWorld();
        const activities = record(world);
        live(world, plan, () => {
          const now = world.now();
          expect(world.advance(now - HOUR)).toEqual([]);
          expect(world.now()).toBe(now);
        });
        const times = activities.map((worldEvent) => worldEvent.at);
        expect(times).toEqual(times.toSorted((one, other) => one - other));
        expect(new Set(activities.map((worldEvent) => worldEvent.id)).size).toBe(activities.length);
      }),
    );
  });

  test('one long advance is the same as many short ones', () => {
    fc.assert(
      fc.property(anySteps, (plan) => {
        const [slow, fast] = [makeWorld(), makeWorld()];
        const [slowly, quickly] = [record(slow), record(fast)];
        live(slow, plan, () => undefined);
        for (const step of plan) {
          step.act(fast, step.door);
          fast.advance(fast.now() + step.waitMs);
        }
        expect(quickly).toEqual(slowly);
      }),
    );
  });

  test('advance returns what it reported to its listeners', () => {
    const world = makeWorld();
    world.submitCommand('owner', 'deadbolt', 'ChangeLockState', { lockState: 'Unlocked' });
    const received = record(world);
    const returned = world.advance(START + MINUTE);
    expect(returned).toEqual(received);
    expect(returned.length).toBeGreaterThan(0);
  });

  test('a listener that has unsubscribed gets no further events', () => {
    const world = makeWorld();
    const received: WorldEvent[] = [];
    const leave = world.onEvent((worldEvent) => received.push(worldEvent));
    leave();
    world.turnThumbturn('deadbolt');
    expect(received).toEqual([]);
  });
});

describe('commands', () => {
  test('a command ends once, within 60 seconds, and a device never has two pending', () => {
    fc.assert(
      fc.property(anySteps, (plan) => {
        const world = makeWorld();
        const activities = record(world);
        const submitted = new Map<string, { readonly door: Door; readonly at: number }>();
        const submit: World['submitCommand'] = (userId, door, name, data) => {
          const answer = world.submitCommand(userId, door, name, data);
          if (answer.ok) {
            submitted.set(answer.value.commandId, { door: door as Door, at: world.now() });
          }
          return answer;
        };
        const observed: World = { ...world, submitCommand: submit };
        live(observed, plan, () => {
          const recent = [...submitted].filter(([, { at }]) => world.now() - at <= MINUTE);
          for (const door of DOORS) {
            const pending = recent.filter(
              ([id, where]) =>
                where.door === door && value(world.getCommand('owner', door, id)).state === 'Pending',
            );
            expect(pending.length).toBeLessThanOrEqual(1);
          }
        });
        world.advance(world.now() + MINUTE);
        const ends = activities.filter((worldEvent) => worldEvent.kind === 'command-ended');
        expect(ends.map((worldEvent) => worldEvent.command.commandId).sort()).toEqual(
          [...submitted.keys()].sort(),
        );
        for (const { at, command } of ends) {
          expect(command.state).not.toBe('Pending');
          expect(command.data.error === null).toBe(command.state === 'Successful');
          expect(at - (submitted.get(command.commandId)?.at ?? 0)).toBeLessThanOrEqual(MINUTE);
        }
      }),
    );
  });
});

describe('the cloud and the door', () => {
  test('agree once the lock is online and at rest', () => {
    fc.assert(
      fc.property(anySteps, (plan) => {
        const world = makeWorld();
        live(world, plan, () => undefined);
        for (const door of DOORS) {
          world.replaceBatteries(door);
          world.restoreWifi(door);
        }
        world.advance(world.now() + HOUR);
        for (const door of DOORS) {
          const { bolt, device, movingTo } = world.inspect(door);
          expect(movingTo).toBe(null);
          expect(device).toMatchObject({
            lockState: bolt,
            connected: true,
            percentageBatteryLevel: expect.any(Number) as unknown,
          });
        }
      }),
    );
  });

  test('the last lock-state event of a door is what the cloud shows, unless that is Unknown', () => {
    fc.assert(
      fc.property(anySteps, (plan) => {
        const world = makeWorld();
        const activities = record(world);
        live(world, plan, () => undefined);
        for (const door of DOORS) {
          const last = activities.findLast(
            (worldEvent) => worldEvent.deviceId === door && worldEvent.kind === 'lock-state-changed',
          );
          const shown = world.inspect(door).device.lockState;
          const reported = last?.kind === 'lock-state-changed' ? last.lockState : 'Locked';
          expect([reported, 'Unknown']).toContain(shown);
        }
      }),
    );
  });
});

describe('the same seed', () => {
  test('and the same calls give the same events and state, byte for byte', () => {
    fc.assert(
      fc.property(fc.string(), anySteps, (seed, plan) => {
        const [one, other] = [makeWorld(seed), makeWorld(seed)].map((world) => {
          const activities = record(world);
          live(world, plan, () => undefined);
          const state = DOORS.map((door) => [
            world.inspect(door),
            world.history('owner', door, 100, true),
            world.listAccessCodes('owner', door),
          ]);
          return JSON.stringify([activities, state]);
        });
        expect(one).toBe(other);
      }),
    );
  });
});

test('without auto-relock an unlocked door stays unlocked', () => {
  const world = makeWorld('open', null);
  world.turnThumbturn('deadbolt');
  world.advance(START + 30 * DAY);
  expect(world.inspect('deadbolt').bolt).toBe('Unlocked');
  expect(world.nextDueAt()).toBe(null);
});
