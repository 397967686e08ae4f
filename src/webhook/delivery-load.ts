// How many deliveries wait for their answer, and how long answers take: figures for Prometheus, without a name.
import type { Clock } from '../support/clock.ts';
import { Histogram, type Metric, single } from '../support/server/prometheus.ts';

/** Upper ends in seconds: from a signature verified in memory to a disk that hangs. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

const MS_PER_SECOND = 1_000;

export class DeliveryLoad {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #seconds = new Histogram(SECONDS);
  #waiting = 0;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** Counts the deliveries that `judge` takes, until their answer. */
  async measure<T>(judge: () => Promise<T>): Promise<T> {
    const startedAt = this.#clock.monotonic();
    this.#waiting += 1;
    try {
      return await judge();
    } finally {
      this.#waiting -= 1;
      this.#seconds.observe((this.#clock.monotonic() - startedAt) / MS_PER_SECOND);
    }
  }

  metrics(): readonly Metric[] {
    const waiting = 'Deliveries of the service that wait for their answer.';
    const seconds = 'From a delivery to its answer: the signature, and its row in the ledger.';
    return [
      single('latchkey_webhook_waiting', 'gauge', waiting, this.#waiting),
      this.#seconds.metric('latchkey_webhook_seconds', seconds),
    ];
  }
}
