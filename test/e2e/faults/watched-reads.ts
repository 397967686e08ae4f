// All states that a person would see who looks at a door in Home without a pause.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Shown, TestLock } from '../../harness/test-lock.ts';

const LOOK_EVERY_MS = 10;

export interface WatchedReads {
  /** Ends the watch and returns the shown states, oldest first. */
  end(): Promise<readonly Shown[]>;
}

export function watchReads(lock: TestLock): WatchedReads {
  const state = { looking: true };
  const looking = (async () => {
    const seen: Shown[] = [];
    while (state.looking) {
      seen.push(await lock.shown());
      await sleep(LOOK_EVERY_MS);
    }
    // What is shown as the watch ends is one of them.
    seen.push(await lock.shown());
    return seen;
  })();
  // Somebody may never ask what came of it.
  looking.catch(() => null);
  return {
    end: async () => {
      state.looking = false;
      return looking;
    },
  };
}
