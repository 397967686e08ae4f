// The stream of all homes, as a relay uses it: publishes with the acknowledgement of a quorum, and sees to consumers.
import type { JetStreamManager } from '@nats-io/jetstream';
import type { Msg } from '@nats-io/transport-node';
import type { OutgoingMessage } from '../carrier/carrier.ts';
import { FinalError, RetryError, UncertainError } from '../support/errors.ts';
import type { NatsConnection } from './nats-connection.ts';
import type { NatsPackage } from './nats-package.ts';
import { readSeat, type Seat, STREAM, subjectOf } from './seat.ts';

export interface StreamOptions {
  /** Nodes that keep each event. */
  readonly replicas: number;
  readonly isRevoked: (seat: Seat) => boolean;
}

const SECOND_NS = 1_000_000_000;
const DAY_NS = 86_400 * SECOND_NS;
/** The broker's memory of message ids: longer than a relay tries (our choice). */
const SAME_WITHIN_NS = 120 * SECOND_NS;
/** Events of one home within a day (our choice): beyond them nothing is dropped, and the service is asked to wait. */
const MOST_PER_HOME = 10_000;
/** Our choices: events that a home has not acknowledged, and after which time they come again. */
const MOST_UNACKNOWLEDGED = 20;
const AGAIN_AFTER_NS = 4 * SECOND_NS;
/** A home that is away for longer gets a new consumer when it is back. */
const CONSUMER_KEPT_NS = 14 * DAY_NS;

/** Our choices, in milliseconds: a cluster that answers later has no quorum, and a consumer whose node is gone never answers. */
const ACKNOWLEDGED_WITHIN_MS = 3_000;
const CONSUMER_WITHIN_MS = 1_000;
const STREAM_WITHIN_MS = 5_000;

const NOT_FOUND = 404;
/** "maximum messages per subject exceeded" comes as a failure to store. */
const STORE_FAILED = 10_077;

export class EventStream {
  readonly #nats: NatsPackage;
  readonly #connection: NatsConnection;
  readonly #options: StreamOptions;
  readonly #publisher: ReturnType<NatsPackage['jetstream']>;

  constructor(nats: NatsPackage, connection: NatsConnection, options: StreamOptions) {
    this.#nats = nats;
    this.#connection = connection;
    this.#options = options;
    this.#publisher = nats.jetstream(connection.raw);
  }

  /** Makes the stream where it is missing, and answers homes that ask for their consumer. */
  async begin(): Promise<void> {
    const manager = await this.#manager(STREAM_WITHIN_MS);
    await manager.streams.info(STREAM).catch(async (error: unknown) => {
      if (!this.#isMissing(error)) {
        throw error;
      }
      await manager.streams.add({
        name: STREAM,
        subjects: [subjectOf('*')],
        num_replicas: this.#options.replicas,
        storage: 'file',
        max_age: DAY_NS,
        max_msgs_per_subject: MOST_PER_HOME,
        discard: 'new',
        discard_new_per_subject: true,
        duplicate_window: SAME_WITHIN_NS,
        deny_delete: true,
      });
    });
    this.#connection.raw.subscribe('ask.*', {
      queue: 'relays',
      callback: (error, message) => {
        if (error === null) {
          void this.#answer(message);
        }
      },
    });
  }

  /** Resolves when a quorum has it. `id`: the same message again is stored once. */
  async publish(
    subject: string,
    id: string,
    { payload, properties = {} }: Omit<OutgoingMessage, 'topic'>,
  ): Promise<void> {
    const headers = this.#nats.headers();
    for (const [name, value] of Object.entries(properties)) {
      headers.set(name, value);
    }
    try {
      await this.#publisher.publish(subject, payload, {
        msgID: id,
        headers,
        timeout: ACKNOWLEDGED_WITHIN_MS,
      });
    } catch (error) {
      throw refusal(this.#nats, error);
    }
  }

  async #manager(timeout: number): Promise<JetStreamManager> {
    // Without a query of the account, because a cluster that elects a leader answers that late.
    return this.#nats.jetstreamManager(this.#connection.raw, { timeout, checkAPI: false });
  }

  #isMissing(error: unknown): boolean {
    return error instanceof this.#nats.JetStreamApiError && error.status === NOT_FOUND;
  }

  /** Never rejects: a home that gets no answer asks again. */
  async #answer(message: Msg): Promise<void> {
    const name = message.subject.slice('ask.'.length);
    const seat = readSeat(name);
    if (seat === null) {
      return;
    }
    try {
      const manager = await this.#manager(CONSUMER_WITHIN_MS);
      if (this.#options.isRevoked(seat)) {
        await manager.consumers.delete(STREAM, name).catch(() => {});
        message.respond('revoked');
        return;
      }
      await this.#ensure(manager, name, seat);
      message.respond('ready');
    } catch {
      message.respond('later');
    }
  }

  /**
   * A consumer lives on one node, because one on three would be an election group for each home. When its node is gone, it is
   * made anew on another: the home gets the events of a day again, and knows them by its ledger.
   */
  async #ensure(manager: JetStreamManager, name: string, { home }: Seat): Promise<void> {
    const isThere = await manager.consumers.info(STREAM, name).then(
      ({ cluster }) => cluster === undefined || (cluster.leader ?? '') !== '',
      () => false,
    );
    if (isThere) {
      return;
    }
    await manager.consumers.delete(STREAM, name).catch(() => {});
    await manager.consumers.add(STREAM, {
      durable_name: name,
      filter_subject: subjectOf(home),
      ack_policy: 'explicit',
      ack_wait: AGAIN_AFTER_NS,
      deliver_policy: 'all',
      max_ack_pending: MOST_UNACKNOWLEDGED,
      num_replicas: 1,
      inactive_threshold: CONSUMER_KEPT_NS,
    });
  }
}

function refusal(nats: NatsPackage, error: unknown): Error {
  if (error instanceof nats.JetStreamApiError) {
    return error.code === STORE_FAILED
      ? new FinalError('not-permitted', 'The broker keeps no more events for this home.', { cause: error })
      : new RetryError('server-fault', 'The broker did not store an event.', { cause: error });
  }
  return new UncertainError('No quorum of the broker acknowledged an event in time', { cause: error });
}
