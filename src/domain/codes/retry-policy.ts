// The one schedule by which lists, commands and changes of codes are tried again.
import { backOffMs } from '../polling/backoff-policy.ts';

/** While the service, the lock or its list is not ready, in milliseconds (our choice). */
const NOT_READY = { firstMs: 1_000, longestMs: 15_000 } as const;

/** After so many such pauses, ten minutes in all, the trouble counts as one that lasts (our choice). */
const MOST_NOT_READY = 43;

/** After a lock has refused or not answered, in milliseconds (our choice). */
const REFUSED = { firstMs: 5 * 60_000, longestMs: 6 * 3_600_000 } as const;

/**
 * A command without a known outcome may take effect for this long after it was sent, in milliseconds: a service may hold it for
 * a minute (wire contract 12), and a lock works on it for a minute (wire contract 3). Only then is its absence proven.
 */
export const SETTLED_AFTER_MS = 125_000;

/** A change that cannot be sent, or whose outcome cannot be read, ends after this long, in milliseconds (our choice). */
export const GIVES_UP_AFTER_MS = 10 * 60_000;

/** A list that could not be read is read again with a later listing of the locks, in milliseconds (our choice). */
export const LIST_PAUSE_MS = 60_000;

/** The pause after so many tries in a row, 1 or more. `refused`: the lock itself took part in the last one. */
export function pauseMs(tries: number, because: 'not-ready' | 'refused'): number {
  const lasting = because === 'refused' ? tries : tries - MOST_NOT_READY;
  return lasting > 0 ? backOffMs(lasting, REFUSED) : backOffMs(tries, NOT_READY);
}
