// Steps with a wrong reply, reading or folder, in which Home shows the truth all the same.
import { deepEqual, equal } from 'node:assert/strict';
import { chownSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Stage } from '../harness/stage.ts';
import { agree, FRONT, OK, settled, turn, until } from './acts.ts';
import type { Part } from './part.ts';
import type { Step } from './step.ts';

/** After a command of ours, "Locked" on an open lock may be shown for at most this long. */
const LONGEST_UNTRUTH_MS = 3_000;
/** So long nothing is read while the service is away. */
const UNREAD_FOR_MS = 1_000;
const BACK_WITHIN_MS = 40_000;
/** A user that exists nowhere: only its number counts. */
const OTHER_USER = 12_345;

const lost: readonly Step[] = [
  {
    title: 'Tap to unlock, and the reply of the service is lost',
    warns: /Front door/,
    play: async (stage) => {
      const lock = stage.lock(FRONT);
      await settled(lock, 'locked', BACK_WITHIN_MS);
      const before = (await stage.commands()).length;
      const fault = { kind: 'cut', when: 'after-work', method: 'POST', path: '**/commands' } as const;
      await stage.fault({ ...fault, often: { times: 1 } });
      await tapUntilTaken(stage);
      const untruthMs = await untruth(stage);
      equal(untruthMs <= LONGEST_UNTRUTH_MS, true, `Home said locked for ${String(untruthMs)} ms`);
      equal((await stage.commands()).length - before, 1, 'The unlock was sent twice');
      agree(stage, lock, 'unlocked');
      return `Home never called the open lock locked for longer than ${String(untruthMs)} ms, and nothing was sent twice`;
    },
  },
  {
    title: 'A hand opens between two readings, and Home asks to lock',
    warns: /lock service|Front door/,
    play: async (stage) => {
      const lock = stage.lock(FRONT);
      await turn(lock, 'locked');
      await settled(lock, 'locked', BACK_WITHIN_MS);
      await stage.fault({ kind: 'status', status: 503, method: 'GET', path: '**/devices', often: 'always' });
      await setTimeout(UNREAD_FOR_MS);
      await turn(lock, 'unlocked');
      const before = (await stage.commands()).length;
      deepEqual(await lock.tap('locked'), OK);
      await stage.heal();
      await boltLocked(stage);
      await settled(lock, 'locked', BACK_WITHIN_MS);
      equal((await stage.commands()).length - before, 1, 'Home took its own old word for the truth');
      return 'the command was sent although the last reading said locked, and the bolt is there';
    },
  },
];

const refused: readonly Step[] = [
  {
    title: 'Tap to unlock, the service refuses the token in the middle of it, and there is no new one',
    warns: /lock service|no update|Front door|token/,
    play: async (stage) => {
      const lock = stage.lock(FRONT);
      await settled(lock, 'locked', BACK_WITHIN_MS);
      const refusal = { kind: 'status', status: 401, method: 'POST', path: '**/commands' } as const;
      await stage.fault({ ...refusal, often: { times: 1 } });
      await stage.fault({ kind: 'status', status: 500, path: '**/token', often: 'always' });
      await lock.tap('unlocked');
      await setTimeout(LONGEST_UNTRUTH_MS);
      await stage.heal();
      await turn(lock, 'unlocked');
      await settled(lock, 'unlocked', BACK_WITHIN_MS);
      await turn(lock, 'locked');
      await settled(lock, 'locked', BACK_WITHIN_MS);
      return 'nothing of the command was left: Home followed the hands at the door, both ways';
    },
  },
  {
    title: "Homebridge's folder belongs to another user, as in a container",
    warns: /lock service|no update/,
    play: async (stage) => {
      if (process.getuid?.() !== 0) {
        return 'not tried: only root may give folders away';
      }
      const folder = stage.installation.storeFolder;
      for (const path of [folder, ...readdirSync(folder).map((name) => join(folder, name))]) {
        chownSync(path, OTHER_USER, OTHER_USER);
      }
      await stage.restartHomebridge();
      await settled(stage.lock(FRONT), 'locked', BACK_WITHIN_MS);
      return 'Homebridge restarted there, and Home showed the truth';
    },
  },
];

export const truthParts: readonly Part[] = [{ steps: lost }, { steps: refused }];

/** The service has asked for a pause of commands just before; until that is over, an unlock is refused at once. */
async function tapUntilTaken(stage: Stage): Promise<void> {
  const isTaken = async (): Promise<boolean> => (await stage.lock(FRONT).tap('unlocked')) === OK;
  await until(isTaken, BACK_WITHIN_MS, () => 'The unlock was refused again and again', 2_000);
}

async function boltLocked(stage: Stage): Promise<void> {
  const isLocked = (): boolean => stage.boltOf(stage.lock(FRONT)) === 'Locked';
  await until(isLocked, BACK_WITHIN_MS, () => 'The bolt was not locked: the request came to nothing');
}

/** For how long Home said "locked" at the most, in one go, while the lock was open; until it says that it is open. */
async function untruth(stage: Stage): Promise<number> {
  const lock = stage.lock(FRONT);
  let longestMs = 0;
  let since: number | null = null;
  const deadline = performance.now() + BACK_WITHIN_MS;
  for (let shown = await lock.shown(); shown !== 'unlocked'; shown = await lock.shown()) {
    const isUntrue = shown === 'locked' && stage.boltOf(lock) === 'Unlocked';
    since = isUntrue ? (since ?? performance.now()) : null;
    longestMs = Math.max(longestMs, since === null ? 0 : performance.now() - since);
    if (performance.now() > deadline) {
      throw new Error(`Home shows ${shown}, not unlocked; the bolt is ${stage.boltOf(lock)}`);
    }
    await setTimeout(50);
  }
  return Math.round(longestMs);
}
