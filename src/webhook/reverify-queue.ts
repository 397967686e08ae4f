// Deliveries that no known key verifies, kept until newer keys are fetched: sooner than the service repeats them.
import type { SigningKeys } from '../domain/webhooks/ports.ts';
import type { CancelTimer, Clock } from '../support/clock.ts';

interface Refused {
  readonly bytes: Buffer;
  readonly signature: string;
  /** The keys that were tried already. */
  readonly tried: readonly string[];
  readonly keptAt: number;
}

/** While a delivery waits, newer keys are tried for this often; the keys themselves are fetched once a minute at most. */
const VERIFY_EVERY_MS = 2_000;

/** A delivery is given up after this long, when the keys could not be fetched (our choice). */
const KEPT_FOR_MS = 180_000;

/** Later deliveries never displace earlier ones: 32 of 64 kB are 2 MB at most (our choice). */
const MOST_KEPT = 32;

export class ReverifyQueue {
  readonly #parts;
  #kept: readonly Refused[] = [];
  #timer: CancelTimer | null = null;
  #closed = false;

  constructor(parts: {
    readonly keys: SigningKeys;
    readonly clock: Clock;
    /** Receives a delivery by keys that were not tried before; resolves with whether one of them verifies it. */
    readonly receive: (bytes: Buffer, signature: string, keys: readonly string[]) => Promise<boolean>;
  }) {
    this.#parts = parts;
  }

  /** Keeps a refused delivery; false when there is no place for it. */
  add(bytes: Buffer, signature: string, tried: readonly string[]): boolean {
    if (this.#kept.length >= MOST_KEPT) {
      return false;
    }
    const keptAt = this.#parts.clock.monotonic();
    this.#kept = [...this.#kept, { bytes, signature, tried, keptAt }];
    this.#timer ??= this.#verifyLater();
    return true;
  }

  close(): void {
    this.#closed = true;
    this.#timer?.();
    this.#kept = [];
  }

  #verifyLater(): CancelTimer {
    return this.#parts.clock.after(VERIFY_EVERY_MS, () => void this.#verifyAll());
  }

  /** Keys that were just confirmed are the newest: a delivery that they do not verify is forged. */
  async #verifyAll(): Promise<void> {
    const { keys, clock, receive } = this.#parts;
    const isConfirmed = (await keys.refresh()) === 'current';
    const taken = this.#kept;
    this.#kept = [];
    const known = keys.keys();
    const oldest = clock.monotonic() - KEPT_FOR_MS;
    const stillKept: Refused[] = [];
    for (const refused of taken) {
      const { bytes, signature, tried, keptAt } = refused;
      const untried = known.filter((key) => !tried.includes(key));
      const isVerified = untried.length > 0 && (await receive(bytes, signature, untried));
      if (!isVerified && !isConfirmed && keptAt > oldest) {
        stillKept.push({ ...refused, tried: known });
      }
    }
    this.#kept = this.#closed ? [] : [...stillKept, ...this.#kept];
    this.#timer = this.#kept.length === 0 ? null : this.#verifyLater();
  }
}
