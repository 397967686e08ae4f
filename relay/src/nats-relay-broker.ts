// A relay's broker as a NATS cluster: an event is kept once a quorum of nodes has it, and sent again while none answers.
import type { CarrierState, PublishReceipt } from '../../src/carrier/carrier.ts';
import { LastingConnection, type LastingParts } from '../../src/carrier/lasting-connection.ts';
import {
  faultOfNats,
  NatsConnection,
  type NatsOptions,
  OTHER_NODE_PAUSE_MS,
} from '../../src/nats/nats-connection.ts';
import type { NatsPackage } from '../../src/nats/nats-package.ts';
import type { Seat } from '../../src/nats/seat.ts';
import { type Clock, delay } from '../../src/support/clock.ts';
import { FinalError, RetryError } from '../../src/support/errors.ts';
import type { Metric } from '../../src/support/server/prometheus.ts';
import { EventStream, type StreamParts } from './cluster/event-stream.ts';
import { clusterMetrics } from './cluster-metrics.ts';
import type { HomeMessage, RelayBroker } from './relay-broker.ts';

/**
 * How long an event is sent again, in milliseconds (our choice): the nodes elect a new leader within about ten seconds, and the
 * service waits for 30 (wire contract 7).
 */
const TRIES_FOR_MS = 15_000;
const PAUSE_MS = 150;
/** A consumer that is being moved to another node is missing for a moment (our choice). */
const UNSEATED_FOR_MS = 1_000;

export interface NatsRelayParts
  extends Pick<LastingParts<NatsConnection>, 'random' | 'longestPauseMs' | 'log'> {
  readonly nats: NatsPackage;
  readonly options: NatsOptions;
  readonly stream: Pick<StreamParts, 'shape' | 'secret' | 'homes' | 'revoked'>;
  readonly clock: Clock;
}

export class NatsRelayBroker implements RelayBroker {
  readonly #clock: Clock;
  readonly #lasting: LastingConnection<NatsConnection>;
  #stream: EventStream | null = null;

  constructor(parts: NatsRelayParts) {
    const { nats, options, clock } = parts;
    this.#clock = clock;
    this.#lasting = new LastingConnection({
      ...parts,
      open: async (signal) => {
        const connection = await NatsConnection.open(nats, options, signal);
        const stream = new EventStream({ ...parts.stream, nats, connection, options, clock, log: parts.log });
        try {
          await stream.begin();
        } catch (error) {
          await stream.stop();
          await connection.close();
          throw error;
        }
        void this.#stream?.stop();
        this.#stream = stream;
        return connection;
      },
      faultOf: faultOfNats,
      firstPauseMs: OTHER_NODE_PAUSE_MS,
    });
  }

  get state(): CarrierState {
    return this.#lasting.state;
  }

  subscribeState(listener: (state: CarrierState) => void): () => void {
    return this.#lasting.subscribeState(listener);
  }

  async store(message: HomeMessage): Promise<PublishReceipt> {
    const from = this.#clock.monotonic();
    for (;;) {
      try {
        if (await this.#hasConsumer(message)) {
          await this.#publish(message);
          return { hasSubscriber: true };
        }
        // Nothing is stored: what nobody gets is not acknowledged.
        if (this.#clock.monotonic() >= from + UNSEATED_FOR_MS) {
          return { hasSubscriber: false };
        }
      } catch (error) {
        if (error instanceof FinalError || this.#clock.monotonic() >= from + TRIES_FOR_MS) {
          throw error;
        }
      }
      await delay(this.#clock, PAUSE_MS);
    }
  }

  isRevoked(seat: Seat): boolean {
    return this.#stream?.isRevoked(seat) ?? false;
  }

  reread(): void {
    if (this.#lasting.current !== null) {
      void this.#stream?.revokeConfigured().catch(() => {});
    }
  }

  metrics(): readonly Metric[] {
    return this.#stream === null ? [] : clusterMetrics(this.#stream.figures);
  }

  async close(): Promise<void> {
    await this.#stream?.stop();
    await this.#lasting.close();
  }

  async #hasConsumer(seat: Seat): Promise<boolean> {
    return this.#openStream().hasConsumer(seat);
  }

  async #publish({ id, payload, properties, ...seat }: HomeMessage): Promise<void> {
    // The id keeps an event that was stored without an acknowledgement from being stored twice.
    await this.#openStream().publish(seat, id, { payload, properties });
  }

  #openStream(): EventStream {
    if (this.#stream === null || this.#lasting.current === null) {
      throw new RetryError(
        'unreachable',
        'An event was not sent, because there is no connection to the broker',
      );
    }
    return this.#stream;
  }
}
