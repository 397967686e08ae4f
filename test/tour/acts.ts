// The two things that move a bolt, as steps: a tap in Home, and a hand at the door.
import { deepEqual } from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import type { Door, Shown } from '../harness/door.ts';
import type { Stage } from '../harness/stage.ts';
import type { Step } from './step.ts';

/** The tour polls as often as the options allow; a hand at the door is noticed with the next reading. */
export const POLL_SECONDS = 5;
/** One poll, with room for a busy machine. */
export const NOTICED_WITHIN_MS = (POLL_SECONDS + 5) * 1_000;
/** Longest travel of a bolt in the default house, with the time to read the result. */
export const MOVED_WITHIN_MS = 10_000;

/** How long Home took to notice hands at the door by asking alone, in milliseconds. */
export const noticedByAskingMs: number[] = [];

/** HAP status of a write that was taken. */
export const OK = 0;

/** How often one looks at Home while waiting. */
const LOOK_EVERY_MS = 50;

type BoltPosition = 'locked' | 'unlocked';

/** A tap in Home: the target changes at once, the state only when the bolt has moved. */
export function tap(title: string, name: string, target: BoltPosition): Step {
  return {
    title,
    play: async (stage) => {
      const door = stage.door(name);
      const before = await door.shown();
      stage.home.forgetEvents();
      const startedAt = performance.now();
      deepEqual(await door.tap(target), OK, 'Home was refused');
      deepEqual(await door.requested(), target, 'The target did not follow the tap');
      deepEqual(await door.shown(), before, 'The state changed before there was evidence');
      const { at } = await door.showed(target, MOVED_WITHIN_MS);
      agree(stage, door, target);
      return `Home showed ${target} ${Math.round(at - startedAt)} ms after the tap, with the bolt there`;
    },
  };
}

/** A hand at the door: Home notices by itself, and target and state agree. */
export function hand(title: string, name: string, to: BoltPosition): Step {
  return {
    title,
    play: async (stage) => {
      const door = stage.door(name);
      stage.home.forgetEvents();
      const startedAt = performance.now();
      await turn(door, to);
      const { at } = await door.showed(to, NOTICED_WITHIN_MS);
      noticedByAskingMs.push(at - startedAt);
      deepEqual(await door.requested(), to, 'Target and state differ: Home would hang');
      return `Home showed ${to} by itself after ${Math.round(at - startedAt)} ms, target and state agree`;
    },
  };
}

/** Turns the thumbturn. */
export async function turn(door: Door, to: BoltPosition): Promise<void> {
  await door.at('turn-thumbturn', { to: to === 'locked' ? 'Locked' : 'Unlocked' });
}

/** What Home shows must be so at the door. */
export function agree(stage: Stage, door: Door, shown: BoltPosition): void {
  deepEqual(stage.boltOf(door).toLowerCase(), shown, `Home shows ${shown}, which is not so at the door`);
}

/** Waits until Home shows this, whether it does so already or is told later. */
export async function settled(
  door: Door,
  wanted: Exclude<Shown, 'no response'>,
  withinMs = MOVED_WITHIN_MS,
): Promise<void> {
  const deadline = performance.now() + withinMs;
  let shown = await door.shown();
  while (shown !== wanted) {
    if (performance.now() > deadline) {
      throw new Error(`${door.name} shows ${shown}, not ${wanted}, after ${withinMs} ms`);
    }
    await setTimeout(LOOK_EVERY_MS);
    shown = await door.shown();
  }
}
