// The step that goes to another world: a second home, whose locks stand in HomeKit and over Matter at once.
import { equal } from 'node:assert/strict';
import { join } from 'node:path';
import { MatterHome, matterBridgeOf } from '../harness/matter-home.ts';
import { Stage } from '../harness/stage.ts';
import { FRONT, MOVED_WITHIN_MS, POLL_SECONDS, settled } from './acts.ts';
import type { Step } from './step.ts';

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

export const matterSteps: readonly Step[] = [
  {
    title: 'Show the locks of another home over Matter, too, and move one from either side',
    play: async ({ installation }) => {
      const folder = join(installation.storeFolder, '..', 'matter-home');
      const stage = await Stage.open({
        folder,
        pluginsFolder: installation.pluginsFolder,
        onChildBridge: true,
        matter: true,
        options: { matter: 'both', polling: { idleSeconds: POLL_SECONDS } },
      });
      try {
        await stage.link();
        await stage.pair();
        await stage.listen();
        await stage.homebridge.line(/Matter server is now running/, ONLINE_WITHIN_MS);
        const matter = await MatterHome.join(matterBridgeOf(stage.installation), folder);
        try {
          return await moveBothWays(stage, matter);
        } finally {
          await matter.close();
        }
      } finally {
        await stage.close();
      }
    },
  },
];
