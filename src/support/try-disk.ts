// Work on the disk that must not end what goes on in memory.
import { messageOf } from './errors.ts';
import type { Log } from './log.ts';

/** Null when the work failed, which the log says after the words. */
export function tryDisk<T>(
  log: Log,
  words: string,
  work: () => T,
  level: 'warn' | 'debug' = 'warn',
): T | null {
  try {
    return work();
  } catch (error) {
    log[level](`${words}: ${messageOf(error)}`);
    return null;
  }
}
