// Work on the disk that must not end what goes on in memory.
import { messageOf } from '../support/errors.ts';
import type { Log } from '../support/log.ts';

/** Null when the work failed, which the log says after the words. */
export function tryDisk<T>(log: Log, words: string, work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    log.warn(`${words}: ${messageOf(error)}`);
    return null;
  }
}
