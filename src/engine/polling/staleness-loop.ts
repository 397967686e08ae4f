// Checks again and again whether the machine slept, or this process was suspended, and whether beliefs have become stale.
import type { Instant } from '../../domain/time/instant.ts';
import {
  CATCHES_UP_WITHIN_MS,
  elapsedMs,
  HELD_UP_COUNTS_FOR_MS,
  type Moment,
  SHOWN_AFTER_UNHEARD_COMMAND_MS,
  STOOD_STILL_MS,
  staleBefore,
  suspendedMs,
} from '../../domain/time/time.ts';
import { type CancelTimer, momentOf, untilBeat } from '../../support/clock.ts';
import type { CommonParts } from '../locks/common-parts.ts';
import type { ListingLoop, PollingLimits } from './listing-loop.ts';

/**
 * The longest time between two checks, in milliseconds (our choice): an unlock may wait longer than this, so that the age of
 * one that was received late is known.
 */
const CHECK_EVERY_MS = 6_000;

export class StalenessLoop {
  readonly #parts;
  /** When it was last checked whether the machine slept. */
  #lastCheck: Moment;
  /** How long there was no check, and until when a request may stem from that time, in monotonic milliseconds. */
  #heldUp = { ms: 0, untilMs: 0 };
  /** Until then events may be taken in that waited while this process stood still, in monotonic milliseconds. */
  #catchesUpUntilMs = 0;
  /** A command met an outage: when it was begun, and from when on nothing older is shown, in monotonic milliseconds. */
  #unheard: { readonly at: Instant; readonly fromMs: number; readonly cancel: CancelTimer } | null = null;
  #timer: CancelTimer | null = null;
  #disposed = false;

  constructor(
    parts: Pick<CommonParts, 'bus' | 'clock' | 'store' | 'serviceClock'> & {
      readonly polling: Pick<ListingLoop, 'failing'>;
      readonly limits: Pick<PollingLimits, 'evidenceMaxAgeMs'>;
    },
  ) {
    this.#parts = parts;
    this.#lastCheck = momentOf(parts.clock);
    parts.bus.on('listed', ({ listing }) => {
      this.#unheard?.cancel();
      this.#unheard = null;
      parts.store.age();
      this.#readUndated(listing.askedAt);
    });
    parts.bus.on('command-unheard', ({ agoMs }) => this.#commandUnheard(agoMs));
  }

  start(): void {
    // No request was received before this, so none can have waited.
    this.#lastCheck = momentOf(this.#parts.clock);
    this.#heldUp = { ms: 0, untilMs: 0 };
    this.#parts.store.age();
    this.#checkLater();
  }

  /** After a suspend, all beliefs are older and a reading follows. The check is cheap: call it whenever it could matter. */
  checkSuspend(): void {
    const { store, serviceClock, clock } = this.#parts;
    const now = momentOf(clock);
    const ms = suspendedMs(this.#lastCheck, now);
    const { unheardMs } = this;
    if (unheardMs > this.#heldUpMs()) {
      this.#heldUp = { ms: unheardMs, untilMs: now.monotonicMs + HELD_UP_COUNTS_FOR_MS };
    }
    if (elapsedMs(this.#lastCheck, now) > STOOD_STILL_MS) {
      this.#catchesUpUntilMs = now.monotonicMs + CATCHES_UP_WITHIN_MS;
    }
    this.#lastCheck = now;
    if (ms > 0) {
      store.applyToAll({ type: 'slept', ms, at: serviceClock.bounds().latest });
      store.age();
      this.#parts.bus.emit({ type: 'suspended', ms });
      this.#parts.bus.emit({ type: 'reading-wanted' });
    }
  }

  /** A belief last confirmed before this instant is stale. */
  get staleBefore(): Instant {
    const { serviceClock, limits, polling, clock } = this.#parts;
    const { failing } = polling;
    const aged = staleBefore(serviceClock.bounds(), {
      maxAgeMs: limits.evidenceMaxAgeMs,
      failing: failing === null ? null : { forMs: failing.forMs, isAsked: failing.code !== 'storage-failed' },
    });
    const unheard = this.#unheard;
    return unheard !== null && clock.monotonic() >= unheard.fromMs ? Math.max(aged, unheard.at) : aged;
  }

  /** The first such command counts, until the locks were read, which is done soon. */
  #commandUnheard(agoMs: number): void {
    const { clock, serviceClock, store, bus } = this.#parts;
    if (this.#unheard === null && !this.#disposed) {
      const inMs = Math.max(SHOWN_AFTER_UNHEARD_COMMAND_MS - agoMs, 0);
      this.#unheard = {
        // What was learned just before the command is older than it, however inexact the service's clock is known.
        at: serviceClock.bounds().latest - agoMs,
        fromMs: clock.monotonic() + inMs,
        cancel: clock.after(inMs, () => store.age()),
      };
      bus.emit({ type: 'poll-soon' });
    }
  }

  /** How long a request may have waited for this process, in milliseconds: since the last check at most. */
  get unheardMs(): number {
    return Math.max(elapsedMs(this.#lastCheck, momentOf(this.#parts.clock)), this.#heldUpMs());
  }

  /** How long events that waited while this process stood still may take to be taken in, in milliseconds; mostly 0. */
  get catchesUpInMs(): number {
    return Math.max(this.#catchesUpUntilMs - this.#parts.clock.monotonic(), 0);
  }

  dispose(): void {
    this.#disposed = true;
    this.#unheard?.cancel();
    this.#timer?.();
  }

  /**
   * A report that came while the clock was in doubt, and after the question that settles it, seems to be as old as the doubt was
   * long: only the next reading can confirm it (faults#147).
   */
  #readUndated(askedAt: Instant): void {
    const { store, bus } = this.#parts;
    if (store.all().some(({ belief }) => belief.stale && (belief.latest?.at ?? 0) > askedAt)) {
      bus.emit({ type: 'reading-wanted' });
    }
  }

  #heldUpMs(): number {
    return this.#parts.clock.monotonic() < this.#heldUp.untilMs ? this.#heldUp.ms : 0;
  }

  #checkLater(): void {
    const { clock, limits } = this.#parts;
    const everyMs = Math.min(CHECK_EVERY_MS, limits.evidenceMaxAgeMs / 4);
    this.#timer = clock.after(untilBeat(clock, everyMs), () => {
      if (!this.#disposed) {
        this.checkSuspend();
        this.#parts.store.age();
        this.#checkLater();
      }
    });
  }
}
