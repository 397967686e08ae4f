// Locks in HomeKit, as aiohomekit has them.
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { AioHomeKit } from './aiohomekit.ts';
import { type HomeStage, openHomeStage } from './stage.ts';

const LOCK_CURRENT_STATE = '0000001D-0000-1000-8000-0026BB765291';

describe('locks at aiohomekit', () => {
  let stage: HomeStage;
  let homekit: AioHomeKit;

  beforeAll(async () => {
    stage = await openHomeStage({ pluginsFolder: inject('packed').pluginsFolder });
    homekit = await AioHomeKit.start();
  });

  afterAll(async () => {
    await homekit.close();
    await stage.leave();
  });

  it('are found, paired, and followed', async () => {
    const listed = await homekit.pair(stage.installation.bridge);
    const states = listed.flatMap(({ aid, services }) =>
      services.flatMap(({ characteristics }) =>
        characteristics
          .filter(({ type }) => type === LOCK_CURRENT_STATE)
          .map(({ iid }) => [aid, iid] as const),
      ),
    );
    expect(states).toHaveLength(3);
  });
});
