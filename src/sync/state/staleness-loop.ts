// Checks again and again whether the machine slept and whether beliefs have grown too old.
import type { Instant } from '../../domain/bolt.ts';
import { staleBefore } from '../../domain/time.ts';
import { type CancelTimer, untilBeat } from '../../support/clock.ts';
import type { CommonParts } from '../common-parts.ts';
import type { ListingLoop, PollingLimits } from '../polling/listing-loop.ts';
import { SuspendDetector } from './suspend-detector.ts';

export interface StalenessLoopParts extends Pick<CommonParts, 'bus' | 'clock' | 'store' | 'serviceClock'> {
  readonly polling: Pick<ListingLoop, 'failingForMs'>;
  readonly limits: Pick<PollingLimits, 'evidenceMaxAgeMs'>;
}

/**
 * The longest time between two checks, in milliseconds (our choice): every second one coincides with the renewal of the
 * account's lease, so that both wake the machine once; and an unlock may wait longer than this, so that the age of one that
 * was received late is known.
 */
const CHECK_EVERY_MS = 6_000;

export class StalenessLoop {
  readonly #parts: StalenessLoopParts;
  #suspends: SuspendDetector;
  #timer: CancelTimer | null = null;
  #disposed = false;

  constructor(parts: StalenessLoopParts) {
    this.#parts = parts;
    this.#suspends = new SuspendDetector(parts.clock);
    parts.bus.on('listed', () => {
      parts.store.age();
    });
  }

  start(): void {
    // Nothing was received before this, so nothing can have waited.
    this.#suspends = new SuspendDetector(this.#parts.clock);
    this.#parts.store.age();
    this.#checkLater();
  }

  /** After a suspend, all beliefs are older and a reading follows. Cheap: to be called whenever that could matter. */
  checkSuspend(): void {
    const ms = this.#suspends.look();
    if (ms > 0) {
      const { store, serviceClock } = this.#parts;
      store.applyToAll({ type: 'slept', ms, at: serviceClock.bounds().latest });
      store.age();
      this.#parts.bus.emit({ type: 'suspended', ms });
      this.#parts.bus.emit({ type: 'reading-wanted' });
    }
  }

  /** A belief last confirmed before this instant is stale. */
  get staleBefore(): Instant {
    const { serviceClock, limits, polling } = this.#parts;
    return staleBefore(serviceClock.bounds(), {
      maxAgeMs: limits.evidenceMaxAgeMs,
      failingForMs: polling.failingForMs,
    });
  }

  /** How long a request that arrives right now may have waited for this process, in milliseconds. */
  get unheardMs(): number {
    return this.#suspends.unheardMs();
  }

  dispose(): void {
    this.#disposed = true;
    this.#timer?.();
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
