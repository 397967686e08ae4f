// Locks in HomeKit, as aiohomekit has them: its table of the bridge, and that it stays the same.
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type Accessories, AioHomeKit } from './aiohomekit.ts';
import { type HomeStage, openHomeStage } from './stage.ts';

const LOCK_CURRENT_STATE = '0000001D-0000-1000-8000-0026BB765291';
const LOCK_MECHANISM = '00000045-0000-1000-8000-0026BB765291';
const RESTARTS = ['stop', 'kill', 'stop', 'kill', 'stop', 'kill'] as const;

/** What a controller keeps automations by: each characteristic's numbers and type. */
function identityOf(listed: Accessories): readonly string[] {
  return listed.flatMap(({ aid, services }) =>
    services.flatMap(({ iid, type, characteristics }) =>
      characteristics.map((point) => [aid, iid, type, point.iid, point.type].join(' ')),
    ),
  );
}

describe('locks at aiohomekit', () => {
  let stage: HomeStage;
  let homekit: AioHomeKit;
  let listed: Accessories;

  beforeAll(async () => {
    stage = await openHomeStage({ pluginsFolder: inject('packed').pluginsFolder });
    homekit = await AioHomeKit.start();
    listed = await homekit.pair(stage.installation.bridge);
  });

  afterAll(async () => {
    await homekit.close();
    await stage.leave();
  });

  it('are found, each with one lock, and no number stands for two things', () => {
    const locks = listed.map(({ services }) => services.filter(({ type }) => type === LOCK_MECHANISM).length);
    expect(locks.filter((count) => count > 0)).toEqual([1, 1, 1]);
    for (const { services } of listed) {
      const points = services.flatMap(({ characteristics }) => characteristics.map(({ iid }) => iid));
      const numbers = [...services.map(({ iid }) => iid), ...points];
      expect(numbers).toEqual([...new Set(numbers)]);
    }
  });

  it(`are the same over ${String(RESTARTS.length)} restarts, stopped and killed`, async () => {
    const before = identityOf(listed);
    expect(before.filter((each) => each.endsWith(LOCK_CURRENT_STATE))).toHaveLength(3);
    for (const how of RESTARTS) {
      await stage.restartHomebridge(how);
      const again = async (): Promise<readonly string[]> => identityOf(await homekit.accessories());
      await expect.poll(async () => again().catch(() => []), { timeout: 60_000 }).toEqual(before);
    }
  });
});
