// The figures that the world has to reach, with the limits it is held to.
import { describe, expect, test } from 'vitest';
import { createWorld } from '../../../src/simulator/world/world.ts';
import type { World } from '../../../src/simulator/world/world-types.ts';
import { DAY, MINUTE, PEOPLE, START } from './home.ts';

function street(locks: number): World {
  return createWorld({
    seed: 'street',
    startAt: START,
    users: PEOPLE,
    devices: Array.from({ length: locks }, (_, number) => ({
      deviceId: `door-${number}`,
      name: `Door ${number}`,
      type: 'WifiDeadbolt',
      roles: { owner: 'owner' },
      accessCodes: [{ name: 'Resident', code: '1234' }],
      settings: { autoRelockMs: 2 * MINUTE, scheduledLockAt: '22:00' },
    })),
  });
}

const elapsedMs = (work: () => void): number => {
  const startedAt = performance.now();
  work();
  return performance.now() - startedAt;
};

describe('figures', () => {
  test('24 hours of 100 locks, each with something to do every five minutes, in under 10 seconds', () => {
    const world = street(100);
    let happened = 0;
    world.onHappening(() => {
      happened += 1;
    });
    const acts = [
      (door: string) => world.submitCommand('owner', door, 'ChangeLockState', { lockState: 'Unlocked' }),
      (door: string) => world.typeCode(door, '1234'),
      (door: string) => world.turnThumbturn(door),
      (door: string) => world.typeCode(door, '9999'),
    ];
    const elapsed = elapsedMs(() => {
      for (let round = 0; world.now() < START + DAY; round += 1) {
        for (const [index, door] of world.deviceIds().entries()) {
          acts[(round + index) % acts.length]?.(door);
        }
        world.advance(world.now() + 5 * MINUTE);
      }
    });
    expect(happened).toBeGreaterThan(100_000);
    expect(elapsed).toBeLessThan(10_000);
  });

  test('a list of 1,000 locks takes less than 50 ms', () => {
    const world = street(1000);
    world.listDevices('owner');
    expect(elapsedMs(() => expect(world.listDevices('owner')).toHaveLength(1000))).toBeLessThan(50);
  });

  test('a quiet day of 1,000 locks costs next to nothing', () => {
    const world = street(1000);
    expect(elapsedMs(() => world.advance(START + DAY))).toBeLessThan(1000);
  });
});
