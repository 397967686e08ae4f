// Measures how long an outage of the service lasts, and how long to wait before the next call.
//
// All times are milliseconds of a clock that never jumps: a wrong wall clock must not stop polling for a day.
import { type BackOff, backOffMs } from './backoff-policy.ts';

/** Failures in a row, since the last good answer. */
export interface Outage {
  readonly since: number;
  readonly failures: number;
  /** The service asked for a pause until then; null when it did not. */
  readonly notBefore: number | null;
}

/** The pauses after failed listings (our choice). The first ones are shorter, so that an outage of minutes ends before beliefs do. */
const BACK_OFF: BackOff = { firstMs: 2_000, longestMs: 120_000 };
const FIRST_FAILURES = 10;
const LONGEST_FIRST_PAUSE_MS = 60_000;

/** Counts one more failure. `waitMs`: the pause that the service asked for, or null. `since`: when the first one was asked. */
export function afterFailure(outage: Outage | null, now: number, waitMs: number | null, since = now): Outage {
  return {
    since: outage?.since ?? since,
    failures: (outage?.failures ?? 0) + 1,
    notBefore: waitMs === null ? (outage?.notBefore ?? null) : now + waitMs,
  };
}

/** The state after a sleep: the service counted that time, too, while the clock of these times stood still. */
export function afterSleep(outage: Outage | null, sleptMs: number): Outage | null {
  const notBefore = outage?.notBefore ?? null;
  return outage === null || notBefore === null ? outage : { ...outage, notBefore: notBefore - sleptMs };
}

/** How long the service has not answered; null while it does. */
export function failingForMs(outage: Outage | null, now: number): number | null {
  return outage === null ? null : now - outage.since;
}

/** The rest of the pause that the service asked for; 0 without one. */
export function restOfWaitMs(outage: Outage | null, now: number): number {
  return Math.max((outage?.notBefore ?? now) - now, 0);
}

export function outagePauseMs({ failures }: Outage): number {
  const pauseMs = backOffMs(failures, BACK_OFF);
  return failures <= FIRST_FAILURES ? Math.min(pauseMs, LONGEST_FIRST_PAUSE_MS) : pauseMs;
}
