// The account loses its only lock: Home stops showing a state that nobody can know, and keeps the accessory.
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Scenario } from '../../src/simulator/scenario/scenario.ts';
import { type OpenedStage, openStage, untilShown } from './stage.ts';

const SCENARIO = {
  locks: [{ name: 'Front door', type: 'WifiDeadbolt', roles: { resident: 'owner' } }],
} satisfies Scenario;

describe('an account whose only lock was taken away', () => {
  let stage: OpenedStage;

  beforeAll(async () => {
    stage = await openStage({ pluginsFolder: inject('packed').pluginsFolder, scenario: SCENARIO });
  });

  afterAll(async () => {
    await stage.leave();
  });

  it('does not respond within two polls and 10 s, though it was locked last (faults#34)', async () => {
    const door = stage.door('Front door');
    await untilShown(door, 'locked');
    await door.at('set-role', { userId: 'resident', role: null });
    const takenAt = performance.now();
    await untilShown(door, 'no response', 25_000);
    expect(performance.now() - takenAt).toBeLessThan(20_000);
  });

  it('keeps its accessory, which shows the truth as soon as it is listed again', async () => {
    const door = stage.door('Front door');
    await door.at('turn-thumbturn');
    await door.at('set-role', { userId: 'resident', role: 'owner' });
    await untilShown(door, 'unlocked', 20_000);
    expect(stage.boltOf(door)).toBe('Unlocked');
  });
});
