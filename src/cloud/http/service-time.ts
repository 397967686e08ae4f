// The service's time, measured from the Date headers of its answers and carried on by our own clocks.

import type { ServiceTimeline } from '../../domain/ports.ts';
import {
  answered,
  askedAt,
  boundsOf,
  eventReceived,
  likeliest,
  noticeSleep,
  questionAsked,
  type TimeEstimate,
  unmeasured,
} from '../../domain/time/estimate.ts';
import type { Instant } from '../../domain/time/instant.ts';
import type { TimeBounds } from '../../domain/time/time.ts';
import { type Clock, momentOf } from '../../support/clock.ts';

/** How far the machine's wall clock is ahead of the service's, and how exactly that is known, in milliseconds. */
export interface ClockSkew {
  readonly aheadMs: number;
  readonly uncertaintyMs: number;
}

/** The instant in a Date header, or null. */
export function instantOf(date: string | undefined): Instant | null {
  const at = new Date(date ?? '').getTime();
  return Number.isFinite(at) ? at : null;
}

export class ServiceTime implements ServiceTimeline {
  readonly #clock: Clock;
  #estimate: TimeEstimate;
  #bounded: { readonly estimate: TimeEstimate; readonly bounds: TimeBounds } | null = null;

  /** Until the first answer the machine's wall clock is taken for the service's. */
  constructor(clock: Clock) {
    this.#clock = clock;
    this.#estimate = unmeasured(momentOf(clock));
  }

  now(): Instant {
    return this.bounds().earliest;
  }

  bounds(): TimeBounds {
    const estimate = this.#current();
    if (this.#bounded?.estimate !== estimate) {
      this.#bounded = { estimate, bounds: boundsOf(estimate) };
    }
    return this.#bounded.bounds;
  }

  received(at: Instant): void {
    this.#estimate = eventReceived(this.#current(), at);
  }

  /** To be called before a question is sent: no answer to it is true for an earlier instant. */
  asking(): Instant {
    this.#estimate = questionAsked(this.#current());
    return this.#estimate.datedUntil;
  }

  /** The earliest service time at a monotonic instant, and not before `asking`, unless the clock was set back since. */
  at(monotonicMs: number, asking = Number.NEGATIVE_INFINITY): Instant {
    return Math.max(askedAt(this.#current(), monotonicMs), Math.min(asking, this.#estimate.datedUntil));
  }

  /** Learns from an answer: its Date was written after the question was sent and before the answer came. */
  observe(date: string | undefined, sentAt: number, receivedAt: number): void {
    this.#estimate = answered(this.#current(), { dateMs: instantOf(date), sentAt, receivedAt });
  }

  /** The measured skew of the machine's clock, or null before the first answer. */
  skew(): ClockSkew | null {
    const time = likeliest(this.#current());
    return time === null
      ? null
      : { aheadMs: Math.round(this.#clock.now() - time.at), uncertaintyMs: time.uncertaintyMs };
  }

  /** Asked a dozen times for one event: the answer is another only in the next millisecond, to which bounds are rounded outwards. */
  #current(): TimeEstimate {
    const { seen } = this.#estimate;
    const monotonicMs = Math.floor(this.#clock.monotonic());
    const wallMs = this.#clock.now();
    if (monotonicMs !== seen.monotonicMs || wallMs !== seen.wallMs) {
      this.#estimate = noticeSleep(this.#estimate, { monotonicMs, wallMs });
    }
    return this.#estimate;
  }
}
