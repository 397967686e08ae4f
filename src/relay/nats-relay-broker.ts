// A relay's broker as a NATS cluster: an event is kept once a quorum of nodes has it, and sent again while none answers.
import type { CarrierState, PublishReceipt } from '../carrier/carrier.ts';
import { LastingConnection, type LastingParts } from '../carrier/lasting-connection.ts';
import { EventStream, type StreamOptions } from '../nats/event-stream.ts';
import {
  faultOfNats,
  NatsConnection,
  type NatsOptions,
  OTHER_NODE_PAUSE_MS,
} from '../nats/nats-connection.ts';
import type { NatsPackage } from '../nats/nats-package.ts';
import { subjectOf } from '../nats/seat.ts';
import { type Clock, delay } from '../support/clock.ts';
import { FinalError, RetryError } from '../support/errors.ts';
import type { HomeMessage, RelayBroker } from './relay-broker.ts';

/**
 * How long an event is sent again, in milliseconds (our choice): the nodes elect a new leader within about ten seconds, and the
 * service waits for 30 (wire contract 7).
 */
const TRIES_FOR_MS = 15_000;
const PAUSE_MS = 150;

export interface NatsRelayParts
  extends Pick<LastingParts<NatsConnection>, 'random' | 'longestPauseMs' | 'log'> {
  readonly nats: NatsPackage;
  readonly options: NatsOptions;
  readonly stream: StreamOptions;
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
        const stream = new EventStream(nats, connection, parts.stream);
        try {
          await stream.begin();
        } catch (error) {
          await connection.close();
          throw error;
        }
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

  async keep(message: HomeMessage): Promise<PublishReceipt> {
    const until = this.#clock.monotonic() + TRIES_FOR_MS;
    for (;;) {
      try {
        await this.#publish(message);
        // The stream keeps the event for a day, whether or not the home has connected before.
        return { hasSubscriber: true };
      } catch (error) {
        if (error instanceof FinalError || this.#clock.monotonic() >= until) {
          throw error;
        }
      }
      await delay(this.#clock, PAUSE_MS);
    }
  }

  async close(): Promise<void> {
    await this.#lasting.close();
  }

  async #publish({ home, id, payload, properties }: HomeMessage): Promise<void> {
    if (this.#stream === null || this.#lasting.current === null) {
      throw new RetryError(
        'unreachable',
        'An event was not sent, because there is no connection to the broker',
      );
    }
    // The id keeps an event that was stored without an acknowledgement from being stored twice.
    await this.#stream.publish(subjectOf(home), id, { payload, properties });
  }
}
