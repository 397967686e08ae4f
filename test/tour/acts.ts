// The two things that move a bolt, as steps: a tap in Home, and a hand at the door.
import { deepEqual } from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import type { Stage } from '../harness/stage.ts';
import type { Shown, TestLock } from '../harness/test-lock.ts';
import type { Step } from './step.ts';

/** The tour polls as often as the options allow; a hand at the door is noticed with the next reading. */
export const POLL_SECONDS = 5;
/** One poll, with room for a busy machine. */
export const NOTICED_WITHIN_MS = (POLL_SECONDS + 5) * 1_000;

/** For ten seconds after an unlock that may have opened the bolt, a listing of "locked" proves nothing. */
export const BELIEVED_AGAIN_WITHIN_MS = NOTICED_WITHIN_MS + 12_000;
/** Longest travel of a bolt in the default house, with the time to read the result. */
export const MOVED_WITHIN_MS = 10_000;

/** HAP status of a write that was taken. */
export const OK = 0;

/** How often one looks at Home while waiting. */
const LOOK_EVERY_MS = 50;

export const FRONT = 'Front door';

type BoltPosition = 'locked' | 'unlocked';

/** A tap in Home: the target changes at once, the state only when the bolt has moved. */
export function tap(title: string, name: string, target: BoltPosition): Step {
  return {
    title,
    play: async (stage) => {
      const lock = stage.lock(name);
      const before = await lock.shown();
      stage.home.forgetEvents();
      const startedAt = performance.now();
      deepEqual(await lock.tap(target), OK, 'Home was refused');
      deepEqual(await lock.requested(), target, 'The target did not follow the tap');
      deepEqual(await lock.shown(), before, 'The state changed before there was evidence');
      const { at } = await lock.showed(target, MOVED_WITHIN_MS);
      agree(stage, lock, target);
      return `Home showed ${target} ${Math.round(at - startedAt)} ms after the tap, with the bolt there`;
    },
  };
}

/** A hand at the door: Home notices by itself, and target and state agree. */
export function hand(title: string, name: string, to: BoltPosition): Step {
  return {
    title,
    play: async (stage) => {
      const lock = stage.lock(name);
      stage.home.forgetEvents();
      const startedAt = performance.now();
      await turn(lock, to);
      const { at } = await lock.showed(to, NOTICED_WITHIN_MS);
      deepEqual(await lock.requested(), to, 'Target and state differ: Home would hang');
      return `Home showed ${to} by itself after ${Math.round(at - startedAt)} ms, target and state agree`;
    },
  };
}

/** Turns the thumbturn. */
export async function turn(lock: TestLock, to: BoltPosition): Promise<void> {
  await lock.at('turn-thumbturn', { to: to === 'locked' ? 'Locked' : 'Unlocked' });
}

/** What Home shows must be so at the door. */
export function agree(stage: Stage, lock: TestLock, shown: BoltPosition): void {
  deepEqual(stage.boltOf(lock).toLowerCase(), shown, `Home shows ${shown}, which is not so at the door`);
}

/** Waits until Home shows this, whether it does so already or is notified later. */
export async function settled(
  lock: TestLock,
  wanted: Exclude<Shown, 'no response'>,
  withinMs = MOVED_WITHIN_MS,
): Promise<void> {
  let shown: Shown = 'no response';
  const isShown = async (): Promise<boolean> => {
    shown = await lock.shown();
    return shown === wanted;
  };
  await until(isShown, withinMs, () => `${lock.name} shows ${shown}, not ${wanted}, after ${withinMs} ms`);
}

/** Looks again and again until it is so; throws `words` when it is not in time. */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  withinMs: number,
  words: () => string,
  everyMs = LOOK_EVERY_MS,
): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!(await isSo())) {
    if (performance.now() > deadline) {
      throw new Error(words());
    }
    await setTimeout(everyMs);
  }
}
