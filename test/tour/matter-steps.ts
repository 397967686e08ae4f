// The step that goes to another world: a home whose locks stand in HomeKit and over Matter at once.
import { equal } from 'node:assert/strict';
import { join } from 'node:path';
import { MatterHome, matterBridgeOf } from '../harness/matter-home.ts';
import type { Stage } from '../harness/stage.ts';
import { FRONT, MOVED_WITHIN_MS, settled } from './acts.ts';
import type { Part } from './part.ts';

/** Homebridge waits for two quiet seconds before its Matter node goes online. */
const ONLINE_WITHIN_MS = 30_000;
const LOCKED = 1;
const UNLOCKED = 2;

async function moveBothWays(stage: Stage, matter: MatterHome): Promise<string> {
  const inHome = stage.lock(FRONT);
  const lock = matter.lock(FRONT);
  await settled(inHome, 'locked');
  equal(await lock.read(), LOCKED, 'Matter does not show that the door is locked');
  equal(await lock.command('unlockDoor'), 0, 'The command over Matter was refused');
  const shownAtOnce = await lock.read();
  equal(shownAtOnce, LOCKED, 'Matter showed a position that nothing had confirmed');
  await lock.reported('lockState', (value) => value === UNLOCKED, MOVED_WITHIN_MS);
  await settled(inHome, 'unlocked');
  await inHome.tap('locked');
  await lock.reported('lockState', (value) => value === LOCKED, MOVED_WITHIN_MS);
  return 'unlocked over Matter, locked by a tap in Home; both showed each end, and neither before it was confirmed';
}

export const matterPart: Part = {
  stage: { onChildBridge: true, matter: true, options: { matter: 'both' } },
  steps: [
    {
      title: 'Show the locks over Matter, too, and move one from either side',
      play: async (stage) => {
        await stage.homebridge.line(/Matter server is now running/, ONLINE_WITHIN_MS);
        const folder = join(stage.installation.storeFolder, '..');
        const matter = await MatterHome.join(matterBridgeOf(stage.installation), folder);
        try {
          return await moveBothWays(stage, matter);
        } finally {
          await matter.close();
        }
      },
    },
  ],
};
