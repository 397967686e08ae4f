// The steps of the tour in a plain home: it is linked, its locks are moved from both sides, and the bolt, the Wi-Fi or the
// service fails.
import { deepEqual } from 'node:assert/strict';
import { Characteristic, Service } from 'hap-nodejs';
import type { Stage } from '../harness/stage.ts';
import { sceneRequest } from '../harness/test-lock.ts';
import {
  agree,
  BELIEVED_AGAIN_WITHIN_MS,
  FRONT,
  hand,
  MOVED_WITHIN_MS,
  NOTICED_WITHIN_MS,
  OK,
  settled,
  tap,
  turn,
} from './acts.ts';
import type { Part } from './part.ts';
import type { Step } from './step.ts';

const BACK = 'Back door';

/** A command that the service did not answer ends what was known before within half a minute. */
const AGED_WITHIN_MS = 45_000;
/** Attempts stretch out while the service is down: 2, 4, 8, 16 s. */
const BACK_WITHIN_MS = 40_000;

const linking: readonly Step[] = [
  {
    title: 'Link the account: consent page, redirect, code for tokens',
    play: async (stage) => {
      await stage.link();
      return 'the account is linked';
    },
  },
  {
    title: 'Pair a home, and look at its locks',
    // Five other homes begin at the same time: a busy machine may be late with its first readings.
    warns: /no update for too long/,
    play: async (stage) => {
      await stage.pair();
      await stage.listen();
      const account = stage.locks.map(({ name }) => name);
      deepEqual(stage.home.accessories.sort(), account.sort(), 'Home does not show the locks of the account');
      for (const lock of stage.locks) {
        await settled(lock, 'locked');
        agree(stage, lock, 'locked');
      }
      return `Home shows ${account.join(', ')}, all locked, as they are`;
    },
  },
];

const bothWays: readonly Step[] = [
  tap('Tap to unlock the front door', FRONT, 'unlocked'),
  tap('Tap to lock the front door', FRONT, 'locked'),
  hand('Turn the thumbturn inside the front door to unlock it', FRONT, 'unlocked'),
  {
    title: 'Restart Homebridge',
    play: async (stage) => {
      const lock = stage.lock(FRONT);
      const before = await stage.commands();
      stage.home.forgetEvents();
      await stage.restartHomebridge();
      const first = await lock.shown();
      await settled(lock, 'unlocked');
      deepEqual(await stage.commands(), before, 'The restart sent a command');
      return `Home's first reading was ${first}, then the truth, unlocked; no command was sent`;
    },
  },
  hand('Turn the thumbturn back', FRONT, 'locked'),
];

const jams: readonly Step[] = [
  {
    title: 'Tap to unlock, and the bolt jams',
    warns: /jam/,
    play: async (stage) => {
      const lock = stage.lock(FRONT);
      await lock.at('jam', { count: 1 });
      stage.home.forgetEvents();
      await lock.tap('unlocked');
      await lock.showed('jammed', MOVED_WITHIN_MS);
      return 'Home showed jammed, neither locked nor unlocked';
    },
  },
  {
    title: 'Clear the jam, and lock by hand',
    play: async (stage) => {
      const lock = stage.lock(FRONT);
      await lock.at('clear-jam');
      stage.home.forgetEvents();
      await turn(lock, 'locked');
      await lock.showed('locked', BELIEVED_AGAIN_WITHIN_MS);
      deepEqual(await lock.requested(), 'locked');
      return 'Home showed locked again';
    },
  },
  {
    title: 'Tap to unlock, and the command fails',
    warns: /Front door/,
    play: async (stage) => {
      const lock = stage.lock(FRONT);
      await lock.at('fail-next-commands', { errorCode: 1, delayMs: 500 });
      stage.home.forgetEvents();
      await lock.tap('unlocked');
      await lock.showed('unknown', MOVED_WITHIN_MS);
      await settled(lock, 'locked', BELIEVED_AGAIN_WITHIN_MS);
      deepEqual(await lock.requested(), 'locked');
      agree(stage, lock, 'locked');
      return 'the bolt might have moved, so Home showed unknown until a later reading, then locked';
    },
  },
];

const losses: readonly Step[] = [
  {
    title: 'The back door loses its Wi-Fi',
    warns: /Back door: offline/,
    play: async (stage) => {
      const lock = stage.lock(BACK);
      await lock.at('cut-wifi', { noticeAfterMs: 0 });
      await settled(lock, 'unknown');
      return 'Home showed unknown instead of a guess';
    },
  },
  {
    title: 'Its Wi-Fi comes back',
    play: async (stage) => {
      const lock = stage.lock(BACK);
      await lock.at('restore-wifi');
      await settled(lock, 'locked');
      return 'Home showed locked again';
    },
  },
  {
    title: 'The battery of the back door runs low',
    warns: /Back door: battery low/,
    play: async (stage) => {
      const lock = stage.lock(BACK);
      const low = lock.point(Service.Battery, Characteristic.StatusLowBattery);
      await stage.home.subscribe([low]);
      stage.home.forgetEvents();
      await lock.at('set-battery', { percent: 10 });
      await stage.home.received(low, Characteristic.StatusLowBattery.BATTERY_LEVEL_LOW, NOTICED_WITHIN_MS);
      const level = await stage.home.read(lock.point(Service.Battery, Characteristic.BatteryLevel));
      deepEqual(level, { status: OK, value: 10 });
      return 'Home showed a low battery at 10 %';
    },
  },
];

async function unlockAll({ home, locks }: Stage): Promise<void> {
  const answers = await home.writeAll(locks.map((lock) => sceneRequest(lock, 'unlocked')));
  deepEqual(answers, [OK, OK, OK]);
}

const many: readonly Step[] = [
  {
    title: 'A scene unlocks three locks with one write',
    play: async (stage) => {
      stage.home.forgetEvents();
      await unlockAll(stage);
      for (const lock of stage.locks) {
        await lock.showed('unlocked', MOVED_WITHIN_MS);
        agree(stage, lock, 'unlocked');
      }
      return 'each answered for itself, and all three showed unlocked';
    },
  },
  {
    title: 'The same scene again, with every lock already there',
    play: async (stage) => {
      const before = await stage.commands();
      await unlockAll(stage);
      deepEqual(await stage.commands(), before, 'A command was sent for a lock that was already there');
      return 'nothing was sent';
    },
  },
  {
    title: 'Two taps in a row: lock, and unlock at once',
    play: async (stage) => {
      const lock = stage.lock(FRONT);
      const before = await stage.commands();
      stage.home.forgetEvents();
      await lock.tap('locked');
      await lock.tap('unlocked');
      await lock.showed('unlocked', 2 * MOVED_WITHIN_MS);
      deepEqual(await lock.requested(), 'unlocked', 'The last request did not win');
      agree(stage, lock, 'unlocked');
      const sent = (await stage.commands()).length - before.length;
      return `the last request won, with ${sent} commands one after the other`;
    },
  },
];

const outage: readonly Step[] = [
  {
    title: 'The lock service goes down, a hand locks the front door meanwhile',
    warns: /lock service|Front door|Back door|Garage/,
    play: async (stage) => {
      const lock = stage.lock(FRONT);
      await stage.fault({ kind: 'status', status: 503, often: 'always' });
      deepEqual(await lock.tap('locked'), OK, 'A request to lock may wait for the service');
      await turn(lock, 'locked');
      for (const each of stage.locks) {
        await settled(each, 'unknown', AGED_WITHIN_MS);
      }
      return 'the request to lock waits, and after a while Home showed unknown instead of an old position';
    },
  },
  {
    title: 'The lock service is back',
    warns: /lock service/,
    play: async (stage) => {
      await stage.heal();
      await settled(stage.lock(FRONT), 'locked', BACK_WITHIN_MS);
      await settled(stage.lock(BACK), 'unlocked', BACK_WITHIN_MS);
      deepEqual(await stage.lock(FRONT).requested(), 'locked');
      return 'Home showed every door as it is now';
    },
  },
];

export const firstPart: Part = { steps: [...linking, ...bothWays, ...many], linksItself: true };
export const jamPart: Part = { steps: jams };
export const wifiPart: Part = { steps: losses };
export const outagePart: Part = {
  steps: outage,
  begin: async (stage) => {
    for (const name of [FRONT, BACK]) {
      await turn(stage.lock(name), 'unlocked');
      await settled(stage.lock(name), 'unlocked');
    }
  },
};
