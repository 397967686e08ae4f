// Runs work on the disk whose failure must not end the work in memory.
import { messageOf } from '../errors.ts';
import type { Log } from '../log.ts';

/** Null when the work failed, which is logged with these words. */
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
