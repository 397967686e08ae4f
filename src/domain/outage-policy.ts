// Measures how long an outage of the service lasts, and how long to wait before the next call.
//
// All times are milliseconds of a clock that never jumps: a wrong wall clock must not stop polling for a day.
import { type BackOff, backOffMs } from './backoff-policy.ts';

/** Failures in a row, since the last good answer. */
export interface Outage {
  readonly since: number;
  readonly failures: number;
  /** The service asked us to stay away until then; null when it did not. */
  readonly notBefore: number | null;
}

/** After listings that failed (our choice). */
const BACK_OFF: BackOff = { firstMs: 2_000, longestMs: 120_000 };

/** One more failure. `waitMs`: how long the service asked us to wait, or null. */
export function afterFailure(outage: Outage | null, now: number, waitMs: number | null): Outage {
  return {
    since: outage?.since ?? now,
    failures: (outage?.failures ?? 0) + 1,
    notBefore: waitMs === null ? (outage?.notBefore ?? null) : now + waitMs,
  };
}

/** The same after a sleep: the service counted that time, too, while the clock of these times stood still. */
export function afterSleep(outage: Outage | null, sleptMs: number): Outage | null {
  const notBefore = outage?.notBefore ?? null;
  return outage === null || notBefore === null ? outage : { ...outage, notBefore: notBefore - sleptMs };
}

/** For how long the service has not answered; null while it does. */
export function failingForMs(outage: Outage | null, now: number): number | null {
  return outage === null ? null : now - outage.since;
}

/** How much longer the service wants to be left alone; 0 when it does not. */
export function restOfWaitMs(outage: Outage | null, now: number): number {
  return Math.max((outage?.notBefore ?? now) - now, 0);
}

/** The pause after the latest failure. */
export function outagePauseMs({ failures }: Outage): number {
  return backOffMs(failures, BACK_OFF);
}
