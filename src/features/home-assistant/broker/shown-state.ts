// The retained state and availability of one lock: published when they change, and renewed before the broker drops them.
import type { Clock } from '../../../support/clock.ts';
import type { LockState } from './lock-state.ts';
import type { RetainedTopics } from './retained-topics.ts';
import type { LockTopics } from './topics.ts';

/** Either is sent this many times before the broker would drop it (our choice): what is not acknowledged is sent again at once. */
const RENEWALS = 2;

const MS_PER_SECOND = 1_000;

export class ShownState {
  readonly #parts;
  #state: LockState | null = null;
  #statePublishedAtMs = 0;
  #isAvailable: boolean | null = null;
  #availablePublishedAtMs = 0;

  constructor(parts: {
    readonly topics: LockTopics;
    readonly retained: RetainedTopics;
    readonly clock: Pick<Clock, 'monotonic'>;
    /** How long evidence counts: the broker drops a topic that is not renewed for this long. */
    readonly evidenceMaxAgeMs: number;
  }) {
    this.#parts = parts;
  }

  /** The last published one; null before. */
  get state(): LockState | null {
    return this.#state;
  }

  show(state: LockState, isAvailable: boolean): void {
    const { retained, topics, clock, evidenceMaxAgeMs } = this.#parts;
    const expirySeconds = Math.ceil(evidenceMaxAgeMs / MS_PER_SECOND);
    if (this.#state === null || this.#isDue(this.#statePublishedAtMs) || !looksTheSame(this.#state, state)) {
      this.#state = state;
      this.#statePublishedAtMs = clock.monotonic();
      retained.set(topics.state, JSON.stringify(state), { expirySeconds });
    }
    // Availability has a time of its own: a state that changes often is never due, and the availability would be dropped.
    if (isAvailable !== this.#isAvailable || (isAvailable && this.#isDue(this.#availablePublishedAtMs))) {
      this.#isAvailable = isAvailable;
      this.#availablePublishedAtMs = clock.monotonic();
      const online = { expirySeconds, after: [topics.state] };
      retained.set(topics.available, isAvailable ? 'online' : 'offline', isAvailable ? online : {});
    }
  }

  #isDue(publishedAtMs: number): boolean {
    const { clock, evidenceMaxAgeMs } = this.#parts;
    return clock.monotonic() - publishedAtMs >= evidenceMaxAgeMs / RENEWALS;
  }
}

/** Every listing confirms the state again; that alone is not published. */
function looksTheSame(a: LockState, b: LockState): boolean {
  return JSON.stringify({ ...a, confirmed_at: null }) === JSON.stringify({ ...b, confirmed_at: null });
}
