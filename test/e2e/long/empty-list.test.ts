// The account loses its only lock: Home stops showing a state that cannot be known, and keeps the accessory.
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Scenario } from '../../../simulator/src/scenario/scenario.ts';
import { type OpenedStage, openStage, untilShown } from '../stage.ts';

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
    const lock = stage.lock('Front door');
    await untilShown(lock, 'locked');
    await lock.at('set-role', { userId: 'resident', role: null });
    const takenAt = performance.now();
    await untilShown(lock, 'no response', 25_000);
    expect(performance.now() - takenAt).toBeLessThan(20_000);
  });

  it('keeps its accessory, which shows the truth as soon as it is listed again', async () => {
    const lock = stage.lock('Front door');
    await lock.at('turn-thumbturn');
    await lock.at('set-role', { userId: 'resident', role: 'owner' });
    await untilShown(lock, 'unlocked', 20_000);
    expect(stage.boltOf(lock)).toBe('Unlocked');
  });
});
