// The service's time, measured from the Date headers of its answers and carried on by our monotonic clock.
import type { Instant } from '../domain/bolt.ts';
import type { ServiceClock } from '../domain/ports.ts';
import type { Clock } from '../support/clock.ts';

/** How far the machine's wall clock is ahead of the service's, and how exactly that is known, in milliseconds. */
export interface ClockSkew {
  readonly aheadMs: number;
  readonly uncertaintyMs: number;
}

/** All offsets from our monotonic clock to the service's time that one answer allows, and when it came. */
interface OffsetRange {
  readonly low: number;
  readonly high: number;
  readonly measuredAt: number;
}

/** A Date header counts whole seconds (RFC 9110, 5.6.7). */
const DATE_RESOLUTION_MS = 1_000;

/** How far two quartz clocks may drift apart: a tenth of a millisecond a second each (our choice, twice the usual). */
const DRIFT = 0.000_2;

export class ServiceTime implements ServiceClock {
  readonly #clock: Clock;
  readonly #assumedOffset: number;
  #range: OffsetRange | null = null;
  /** What one answer claimed against all that is known, until a later one agrees with either. */
  #contradiction: OffsetRange | null = null;

  /** Until the first answer the machine's wall clock, as it stands now, is taken for the service's. */
  constructor(clock: Clock) {
    this.#clock = clock;
    this.#assumedOffset = clock.now() - clock.monotonic();
  }

  now(): Instant {
    return this.at(this.#clock.monotonic());
  }

  /**
   * The earliest service time that a monotonic instant can have been. The earliest and not the likeliest, for two
   * reasons: a question is never dated after the truth it was asked about, and time does not go back while better
   * answers come in.
   */
  at(monotonicMs: number): Instant {
    const offset =
      this.#range === null
        ? this.#assumedOffset
        : widened(this.#range, Math.max(monotonicMs, this.#range.measuredAt)).low;
    return Math.floor(monotonicMs + offset);
  }

  /**
   * Learns from an answer: its Date was written after the question was sent and before the answer came. A range that
   * contradicts all earlier ones may mean that a clock was set, or that this machine slept: it is believed when the
   * answer to a question that was sent later agrees with it and not with them. One strange Date changes nothing, since
   * a claim dated by it would outrank the truth for as long as it was wrong.
   */
  observe(date: string | undefined, sentAt: number, receivedAt: number): void {
    const wholeSeconds = new Date(date ?? '').getTime();
    if (!Number.isFinite(wholeSeconds)) {
      return;
    }
    const low = wholeSeconds - receivedAt;
    const high = wholeSeconds + DATE_RESOLUTION_MS - sentAt;
    const told = { low, high, measuredAt: receivedAt };
    const known = this.#range === null ? told : common(this.#range, told);
    if (known !== null) {
      this.#range = known;
      this.#contradiction = null;
      return;
    }
    const claimed = this.#contradiction;
    if (claimed !== null && sentAt < claimed.measuredAt) {
      // Both were under way at once, through the same strange hour: no second witness.
      return;
    }
    const agreed = claimed === null ? null : common(claimed, told);
    this.#range = agreed ?? this.#range;
    this.#contradiction = agreed === null ? told : null;
  }

  /** The measured skew of the machine's clock, or null before the first answer. */
  skew(): ClockSkew | null {
    if (this.#range === null) {
      return null;
    }
    const { low, high } = widened(this.#range, this.#clock.monotonic());
    const wallOffset = this.#clock.now() - this.#clock.monotonic();
    return { aheadMs: Math.round(wallOffset - (low + high) / 2), uncertaintyMs: Math.ceil((high - low) / 2) };
  }
}

/** What two answers allow together, or null when they contradict each other. */
function common(earlier: OffsetRange, told: OffsetRange): OffsetRange | null {
  const known = widened(earlier, told.measuredAt);
  const low = Math.max(known.low, told.low);
  const high = Math.min(known.high, told.high);
  return low <= high ? { low, high, measuredAt: told.measuredAt } : null;
}

/** What is known of the offset at a later instant, when both clocks may have drifted. */
function widened(range: OffsetRange, monotonicMs: number): OffsetRange {
  const driftMs = (monotonicMs - range.measuredAt) * DRIFT;
  return { low: range.low - driftMs, high: range.high + driftMs, measuredAt: monotonicMs };
}
