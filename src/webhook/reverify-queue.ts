// Deliveries that were refused because no known key had made their signature, looked at again once newer keys are to be
// had: the service changes its key when it likes, and it does not repeat what was refused.
import type { SigningKeys } from '../domain/ports.ts';
import type { CancelTimer, Clock } from '../support/clock.ts';

interface Refused {
  readonly bytes: Buffer;
  readonly signature: string;
  /** The keys that were tried. */
  readonly tried: readonly string[];
}

export interface ReverifyQueueParts {
  readonly keys: SigningKeys;
  readonly clock: Clock;
  /** Receives a delivery as if it had just come, by keys that were not tried before. */
  readonly receive: (bytes: Buffer, signature: string, keys: readonly string[]) => Promise<void>;
}

/** Keys are asked for once a minute at most (wire contract 7): after that, a refusal can be reconsidered. */
const LOOK_AFTER_MS = 60_000;

/** The first so many are kept, 2 MB at most (our choice), so that nothing that comes later pushes out what was taken. */
const MOST_KEPT = 32;

export class ReverifyQueue {
  readonly #parts: ReverifyQueueParts;
  #kept: Refused[] = [];
  #timer: CancelTimer | null = null;

  constructor(parts: ReverifyQueueParts) {
    this.#parts = parts;
  }

  /** Keeps a refused delivery for a minute; false when there is no place for it. */
  keep(refused: Refused): boolean {
    if (this.#kept.length >= MOST_KEPT) {
      return false;
    }
    this.#kept.push(refused);
    this.#timer ??= this.#parts.clock.after(LOOK_AFTER_MS, () => {
      void this.#look();
    });
    return true;
  }

  close(): void {
    this.#timer?.();
    this.#kept = [];
  }

  async #look(): Promise<void> {
    const { keys, receive } = this.#parts;
    this.#timer = null;
    await keys.refresh();
    const kept = this.#kept;
    this.#kept = [];
    for (const { bytes, signature, tried } of kept) {
      const untried = keys.keys().filter((key) => !tried.includes(key));
      if (untried.length > 0) {
        await receive(bytes, signature, untried);
      }
    }
  }
}
