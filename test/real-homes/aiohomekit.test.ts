// Locks in HomeKit, as aiohomekit has them: its table of the bridge, and that it stays the same.
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

import { type Accessories, AioHomeKit } from './aiohomekit.ts';
import { type HomeStage, openHomeStage } from './stage.ts';

const LOCK_CURRENT_STATE = '0000001D-0000-1000-8000-0026BB765291';
const LOCK_MECHANISM = '00000045-0000-1000-8000-0026BB765291';
const NAME = '00000023-0000-1000-8000-0026BB765291';
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

describe('names of locks at aiohomekit', () => {
  const MOST = 64;
  /** What a person may write in the app of the lock, and what HomeKit is given. */
  const NAMES: readonly (readonly [string, string])[] = [
    ['Front door', 'Front door'],
    ['a'.repeat(200), 'a'.repeat(MOST)],
    ['ü'.repeat(MOST), 'ü'.repeat(MOST / 2)],
    ['玄'.repeat(MOST), '玄'.repeat(21)],
    ['\u{20BB7}'.repeat(MOST), '\u{20BB7}'.repeat(MOST / 4)],
    ['🔒'.repeat(MOST), 'Lock'],
    ['🚪 Haustür 🔒', 'Haustür'],
    ['', 'Lock'],
    ['\u202Erood\u202C \u0007kcab\u200F', 'rood kcab'],
  ];

  it(`have ${String(MOST)} characters at most and one at the least, and no marks, in Homebridge, HAP-NodeJS and aiohomekit`, async () => {
    const stage = await openHomeStage({
      pluginsFolder: inject('packed').pluginsFolder,
      scenario: {
        locks: NAMES.map(([name]) => ({ name, type: 'WifiDeadbolt', roles: { resident: 'owner' } })),
      },
    });
    try {
      const homekit = await AioHomeKit.start();
      try {
        const listed = await homekit.pair(stage.installation.bridge);
        const locks = listed.filter(({ services }) => services.some(({ type }) => type === LOCK_MECHANISM));
        const names = locks.map(({ services }) =>
          services
            .flatMap(({ characteristics }) => characteristics)
            .filter(({ type }) => type === NAME)
            .map(({ value }) => String(value)),
        );
        const shown = names.map(([first]) => first ?? '');
        expect(shown.toSorted()).toEqual(NAMES.map(([, name]) => name).toSorted());
        for (const name of names.flat()) {
          // By characters, by UTF-16 units, and by bytes: the three count differently.
          expect([name, 0 < name.length && Buffer.byteLength(name) <= MOST]).toEqual([name, true]);
          expect(name).not.toMatch(/\p{C}/u);
        }
        expect(stage.complaints()).toEqual([]);
      } finally {
        await homekit.close();
      }
    } finally {
      await stage.leave();
    }
  });
});
