// The figures of a relay for Prometheus: counts, latencies and ages, without a name of a home.
import type { CarrierState } from '../../src/carrier/carrier.ts';
import type { Clock } from '../../src/support/clock.ts';
import { byLabel, Histogram, type Metric, single } from '../../src/support/server/prometheus.ts';
import type { RelayAnswer } from './relay-answers.ts';

const LATENCIES_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

const MS_PER_SECOND = 1_000;
const HOUR_MS = 3_600_000;
const PERIODS = { hour: HOUR_MS, day: 24 * HOUR_MS, week: 168 * HOUR_MS } as const;

/** Homes whose last event is remembered (our choice): about 100 bytes each. */
const MOST_HOMES = 200_000;

export class RelayFigures {
  readonly #clock: Clock;
  readonly #answers = new Map<RelayAnswer, number>();
  readonly #latency = new Histogram(LATENCIES_S);
  /** The monotonic instant of each home's last event, the oldest first. */
  readonly #lastEvents = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  count(answer: RelayAnswer): void {
    this.#answers.set(answer, (this.#answers.get(answer) ?? 0) + 1);
  }

  /** The broker took an event for these homes, `tookMs` after the request arrived. */
  relayed(homes: readonly string[], tookMs: number): void {
    this.#latency.observe(tookMs / MS_PER_SECOND);
    for (const home of homes) {
      this.#lastEvents.delete(home);
      this.#lastEvents.set(home, this.#clock.monotonic());
    }
    const [oldest] = this.#lastEvents.keys();
    if (this.#lastEvents.size > MOST_HOMES && oldest !== undefined) {
      this.#lastEvents.delete(oldest);
    }
  }

  metrics(waiting: number, state: CarrierState): readonly Metric[] {
    const connected = state.kind === 'connected' ? 1 : 0;
    const homes = 'Homes whose last event came within this time, since the start of this process.';
    return [
      single('latchkey_relay_connected', 'gauge', '1 while the broker is connected.', connected),
      byLabel(
        'latchkey_relay_requests_total',
        'counter',
        'Requests by answer, as relay/README.md names them.',
        'answer',
        Object.fromEntries(this.#answers),
      ),
      single('latchkey_relay_waiting', 'gauge', 'Deliveries that wait for the broker.', waiting),
      this.#latency.metric('latchkey_relay_seconds', 'From a request to the acknowledgement of the broker.'),
      byLabel('latchkey_relay_homes', 'gauge', homes, 'within', this.#homesWithin()),
      single('process_resident_memory_bytes', 'gauge', 'Memory of this process.', process.memoryUsage.rss()),
    ];
  }

  #homesWithin(): Readonly<Record<string, number>> {
    const now = this.#clock.monotonic();
    const ages = [...this.#lastEvents.values()].map((at) => now - at);
    return Object.fromEntries(
      Object.entries(PERIODS).map(([name, ms]) => [name, ages.filter((age) => age <= ms).length]),
    );
  }
}
