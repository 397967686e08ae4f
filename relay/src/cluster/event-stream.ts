// The stream of all homes, as a relay uses it: publishes with the acknowledgement of a quorum, and sees to consumers.
import type { JetStreamManager } from '@nats-io/jetstream';
import type { Msg } from '@nats-io/transport-node';
import type { OutgoingMessage } from '../../../src/carrier/carrier.ts';
import { ASK_WITHIN_MS } from '../../../src/nats/home-pull.ts';
import type { NatsConnection, NatsOptions } from '../../../src/nats/nats-connection.ts';
import type { NatsPackage } from '../../../src/nats/nats-package.ts';
import { readSeat, type Seat, STREAM, seatName, subjectOf } from '../../../src/nats/seat.ts';
import { type CancelTimer, type Clock, withTimeout } from '../../../src/support/clock.ts';
import { FinalError, RetryError, UncertainError } from '../../../src/support/errors.ts';
import type { Log } from '../../../src/support/log.ts';
import { AskLimiter } from './ask-limiter.ts';
import { EndedLogins } from './ended-logins.ts';
import { HomeConsumers } from './home-consumers.ts';
import type { HomesKeys } from './homes-account.ts';
import { publishRevoked, RevokedSeats } from './revoked-seats.ts';
import { oldServerLine } from './server-version.ts';
import { type StreamShape, shapeStream } from './stream-shape.ts';
import { CHECK_EVERY_MS, type WaitingFigures, WaitingHomes } from './waiting-homes.ts';

export interface StreamParts {
  readonly nats: NatsPackage;
  readonly connection: NatsConnection;
  /** Of that connection. */
  readonly options: NatsOptions;
  readonly shape: StreamShape;
  /** The secret in the names of seats. */
  readonly secret: string;
  /** Null: the keys are of version 1.0, whose seats have other names and which may neither look nor change. */
  readonly homes: HomesKeys | null;
  /** For each home, the last generation that the configuration refuses. */
  readonly revoked: () => Readonly<Record<string, number>>;
  readonly clock: Clock;
  readonly log: Log;
}

/** Our choices, in milliseconds: a cluster that answers later has no quorum. */
const ACKNOWLEDGED_WITHIN_MS = 3_000;
const STREAM_WITHIN_MS = 5_000;
/** Before a home takes its connection for broken (our choice, in milliseconds). */
const HOMES_ANSWERED_WITHIN_MS = ASK_WITHIN_MS - 1_000;
/** Generations of one home whose consumers a revocation ends (our choice). */
const MOST_GENERATIONS = 20;

/** "maximum messages per subject exceeded" comes as a failure to store. */
const STORE_FAILED = 10_077;

/** What all homes together have of the stream. */
interface Size {
  readonly homes: number;
  readonly events: number;
  readonly bytes: number;
}

export interface StreamFigures extends Size, WaitingFigures {
  /** Homes that the cluster has no consumer for. */
  readonly refused: number;
  readonly most: Size;
}

export class EventStream {
  readonly #parts: StreamParts;
  readonly #consumers: HomeConsumers;
  readonly #waiting: WaitingHomes;
  readonly #revoked: RevokedSeats;
  readonly #endedLogins: EndedLogins;
  readonly #asks: AskLimiter;
  readonly #publisher: ReturnType<NatsPackage['jetstream']>;
  #size: Size = { homes: 0, events: 0, bytes: 0 };
  #cancelCheck: CancelTimer = () => {};
  /** Homes that the cluster has no consumer for. */
  readonly #refused = new Set<string>();

  constructor(parts: StreamParts) {
    const { nats, connection, clock, log, secret } = parts;
    this.#parts = parts;
    this.#publisher = nats.jetstream(connection.raw);
    this.#consumers = new HomeConsumers(nats, connection, clock);
    this.#asks = new AskLimiter(clock);
    const nameOf = (seat: Seat): string => seatName(seat, secret);
    this.#waiting = new WaitingHomes({ consumers: this.#consumers, nameOf, clock, log });
    this.#revoked = new RevokedSeats((seat) => void this.#end(seat));
    this.#endedLogins = new EndedLogins({ ...parts, revoked: () => this.#revoked.seats.flatMap(upTo) });
  }

  /** Makes the stream as it is to be, and answers homes that ask for their consumer. */
  async begin(): Promise<void> {
    const { nats, connection, shape, log } = this.#parts;
    this.#sayOld();
    const manager = await this.#manager();
    if (this.#parts.homes !== null) {
      for (const line of await shapeStream(nats, manager, shape)) {
        log.warn(line);
      }
      this.#consumers.begin();
      await this.#revoked.begin(manager, connection, shape.replicas);
      await this.revokeConfigured();
      void this.#endedLogins.tell();
      await this.#waiting.recall(manager);
      this.#checkLater();
    } else {
      await this.#beginFormer(manager);
    }
    connection.raw.subscribe('ask.*', {
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
    seat: Seat,
    id: string,
    { payload, properties = {} }: Omit<OutgoingMessage, 'topic'>,
  ): Promise<void> {
    const headers = this.#parts.nats.headers();
    for (const [name, value] of Object.entries(properties)) {
      headers.set(name, value);
    }
    try {
      const { seq } = await this.#publisher.publish(subjectOf(seat), payload, {
        msgID: id,
        headers,
        timeout: ACKNOWLEDGED_WITHIN_MS,
      });
      this.#waiting.noted(seat, seq);
    } catch (error) {
      throw refusal(this.#parts.nats, error);
    }
  }

  /** False: the cluster says that the home has no consumer, so that nobody would get its events. */
  async hasConsumer(seat: Seat): Promise<boolean> {
    return this.#parts.homes === null || this.#consumers.has(this.#nameOf(seat));
  }

  isRevoked(seat: Seat): boolean {
    return seat.generation <= (this.#parts.revoked()[seat.home] ?? 0) || this.#revoked.has(seat);
  }

  /** Tells all relays of those that this one's configuration revokes. */
  async revokeConfigured(): Promise<void> {
    const { nats, connection, revoked } = this.#parts;
    for (const [home, generation] of Object.entries(revoked())) {
      if (this.#parts.homes !== null && !this.#revoked.has({ home, generation })) {
        await publishRevoked(nats, connection, { home, generation });
      }
    }
  }

  get figures(): StreamFigures {
    const { shape } = this.#parts;
    return { ...this.#size, ...this.#waiting.figures, refused: this.#refused.size, most: shape };
  }

  /** Nothing is looked at any more. */
  async stop(): Promise<void> {
    this.#cancelCheck();
    await this.#endedLogins.close();
  }

  #sayOld(): void {
    const { connection, log } = this.#parts;
    const { server_name = '', version = '' } = connection.raw.info ?? {};
    const line = oldServerLine(server_name, version);
    if (line !== null) {
      log.warn(line);
    }
  }

  /** What the keys of version 1.0 allow: the stream where it is missing. */
  async #beginFormer(manager: JetStreamManager): Promise<void> {
    const { nats, shape, log } = this.#parts;
    log.warn(
      'broker.keysFile was made by version 1.0: the relay cannot see whether a home has a consumer, change the stream, or move a home. Make a new cluster with `latchkey relay cluster`, and enrol the homes at it.',
    );
    const isThere = await manager.streams.info(STREAM).then(
      () => true,
      () => false,
    );
    if (!isThere) {
      await shapeStream(nats, manager, shape);
    }
  }

  #nameOf(seat: Seat): string {
    return seatName(seat, this.#parts.secret);
  }

  async #manager(): Promise<JetStreamManager> {
    const { nats, connection } = this.#parts;
    return nats.jetstreamManager(connection.raw, { timeout: STREAM_WITHIN_MS, checkAPI: false });
  }

  #checkLater(): void {
    this.#cancelCheck = this.#parts.clock.after(CHECK_EVERY_MS, () => {
      void this.#check().then(() => this.#checkLater());
    });
  }

  /** Never rejects: the next look comes soon. */
  async #check(): Promise<void> {
    if (this.#parts.connection.raw.isClosed()) {
      return;
    }
    const manager = await this.#manager();
    // Each step runs although another one fails: a node that is full or silent may answer only some of them.
    const steps = [
      async () => this.#measure(manager),
      async () => this.#waiting.checkDue(manager),
      async () => this.#revoked.read(manager),
      async () => this.#endedLogins.tell(),
    ];
    for (const step of steps) {
      await step().catch(() => {});
    }
  }

  async #measure(manager: JetStreamManager): Promise<void> {
    const { state } = await manager.streams.info(STREAM);
    this.#size = { homes: state.consumer_count, events: state.messages, bytes: state.bytes };
  }

  async #end(seat: Seat): Promise<void> {
    for (const former of upTo(seat)) {
      await this.#consumers.end(this.#nameOf(former)).catch(() => {});
    }
    await this.#endedLogins.changed();
  }

  /** Never rejects: a home that gets no answer asks again. */
  async #answer(message: Msg): Promise<void> {
    const name = message.subject.slice('ask.'.length);
    const seat = readSeat(name);
    if (seat === null) {
      return;
    }
    const asked = this.#asks.asked(name);
    if (asked !== 'answered') {
      if (asked === 'endless' && name === this.#nameOf(seat)) {
        await this.#endedLogins.shutOut(name, seat);
      }
      return;
    }
    // What was begun goes on; the home asks again.
    const { clock } = this.#parts;
    const seated = await withTimeout(clock, HOMES_ANSWERED_WITHIN_MS, this.#seated(name, seat));
    message.respond(seated ?? 'later');
  }

  async #seated(name: string, seat: Seat): Promise<'ready' | 'revoked' | 'full' | 'later'> {
    const isOurs = this.#parts.homes === null || name === this.#nameOf(seat);
    const isRefused = (): boolean => !isOurs || this.isRevoked(seat);
    try {
      if (!isRefused()) {
        await this.#consumers.ensure(name, seat);
      }
      // It may have been revoked meanwhile.
      if (isRefused()) {
        await this.#consumers.end(name);
        return 'revoked';
      }
      this.#refused.delete(seat.home);
      return 'ready';
    } catch (error) {
      return this.#consumers.isFull(error) ? this.#full(seat) : 'later';
    }
  }

  #full({ home }: Seat): 'full' {
    if (!this.#refused.has(home)) {
      this.#refused.add(home);
      this.#parts.log.error(
        `The cluster gives the home "${home}" no consumer, because it has as many as it may (broker.homes). Deliveries for it are answered with 503.`,
      );
    }
    return 'full';
  }
}

/** This generation and those before it. */
function upTo({ home, generation }: Seat): readonly Seat[] {
  const count = Math.min(generation, MOST_GENERATIONS);
  return Array.from({ length: count }, (_, back) => ({ home, generation: generation - back }));
}

function refusal(nats: NatsPackage, error: unknown): Error {
  if (error instanceof nats.JetStreamApiError) {
    return error.code === STORE_FAILED
      ? new FinalError('not-permitted', 'The broker keeps no more events for this home.', { cause: error })
      : new RetryError('server-fault', 'The broker did not store an event.', { cause: error });
  }
  return new UncertainError('No quorum of the broker acknowledged an event in time', { cause: error });
}
