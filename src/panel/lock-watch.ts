// Keeps the locks current while a page is looked at: lists them every few seconds, at the pace of the service.

import type { AccountRuntime, RuntimeStatus } from '../engine/account-runtime.ts';
import type { Clock } from '../support/clock.ts';

/**
 * A page that is looked at asks when the last listing is so old, in milliseconds. With `ANSWER_WITHIN_MS` it is less than
 * 5 s: within that a turn of a bolt shows, or the page says that the service does not answer.
 */
export const WATCH_EVERY_MS = 2_700;

/** No listing for pages comes sooner after another one, in milliseconds: at most two in any 5 s, of however many pages. */
const LIST_AFTER_MS = 2_600;

/** A look that found no recent listing is followed by another one after this time, in milliseconds (our choice). */
const LIST_SOON_MS = 1_000;

/** How long a page waits for the listing, in milliseconds; then it is answered without one. */
const ANSWER_WITHIN_MS = 1_700;

/** A listing without an answer for this long is late, in milliseconds: a little less than a page waits for it. */
const LATE_AFTER_MS = 1_600;

/** Resolves when the locks are current, or after `ANSWER_WITHIN_MS`. A service that fails is asked at its own pace only. */
export async function watchLocks(
  runtime: Pick<AccountRuntime, 'status' | 'refresh'>,
  clock: Pick<Clock, 'after'>,
): Promise<void> {
  const { failing, lastListedAgoMs } = runtime.status();
  const isCurrent = lastListedAgoMs !== null && lastListedAgoMs < LIST_AFTER_MS;
  if (failing !== null || isCurrent) {
    return;
  }
  const { promise: isLate, resolve } = Promise.withResolvers<void>();
  const cancel = clock.after(ANSWER_WITHIN_MS, resolve);
  await Promise.race([runtime.refresh(), isLate]);
  cancel();
}

/** When a page looks again, in milliseconds, by the result of its last look. Any cause may have made the listing. */
export function nextLookMs({
  failing,
  lastListedAgoMs,
}: Pick<RuntimeStatus, 'failing' | 'lastListedAgoMs'>): number {
  return failing !== null || lastListedAgoMs === null
    ? WATCH_EVERY_MS
    : Math.max(WATCH_EVERY_MS - lastListedAgoMs, LIST_SOON_MS);
}

/** For how long the service has left a listing unanswered, in milliseconds; null while that is no longer than usual. */
export function unansweredMs({ askingForMs }: Pick<RuntimeStatus, 'askingForMs'>): number | null {
  return askingForMs !== null && askingForMs >= LATE_AFTER_MS ? askingForMs : null;
}
