// The consumers of homes, one for each seat: whether there is one, making it, moving it to another node, and ending it.
import type { ConsumerInfo, JetStreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '../../../src/nats/nats-connection.ts';
import type { NatsPackage } from '../../../src/nats/nats-package.ts';
import { type Seat, STREAM, subjectOf } from '../../../src/nats/seat.ts';
import { type Clock, delay } from '../../../src/support/clock.ts';
import { RetryError } from '../../../src/support/errors.ts';

const SECOND_NS = 1_000_000_000;
const DAY_NS = 86_400 * SECOND_NS;
/** Our choices: events that a home has not acknowledged, and after which time they come again. */
export const MOST_UNACKNOWLEDGED = 20;
const AGAIN_AFTER_NS = 4 * SECOND_NS;
/** A home that is away for longer gets a new consumer when it is back. */
const CONSUMER_KEPT_NS = 14 * DAY_NS;

/** Our choice, in milliseconds: a consumer whose node is gone never answers. */
const ANSWERS_WITHIN_MS = 1_000;
/** Every second try waits twice as long, up to this (our choice): nodes that are slow are not given the same work again. */
const SLOW_WITHIN_MS = 4_000;
/** A consumer whose node is alive has ended by then (our choice, in milliseconds). */
const ENDS_WITHIN_MS = 100;
/** A consumer that was seen is looked for again after this time (our choice); its end is heard at once. */
const SEEN_FOR_MS = 60_000;
const MOST_SEEN = 200_000;
/** A new consumer is put on a node at random: so often, another one is all but certain. */
const MOVES = 12;
const MOVE_PAUSE_MS = 100;

const NOT_FOUND = 404;
const NO_MORE_CONSUMERS = 10_026;

/** `silent`: it is listed, and the node that it stands on does not answer for it. */
export type ConsumerReading = ConsumerInfo | 'missing' | 'silent';

export class HomeConsumers {
  readonly #nats: NatsPackage;
  readonly #connection: NatsConnection;
  readonly #clock: Clock;
  /** Names of those that are there, with the monotonic time until which that is believed. */
  readonly #seen = new Map<string, number>();
  readonly #moving = new Map<string, Promise<string>>();

  constructor(nats: NatsPackage, connection: NatsConnection, clock: Clock) {
    this.#nats = nats;
    this.#connection = connection;
    this.#clock = clock;
  }

  /** Hears of the end of each, whoever ended it. */
  begin(): void {
    this.#connection.raw.subscribe(`$JS.EVENT.ADVISORY.CONSUMER.DELETED.${STREAM}.*`, {
      callback: (error, { subject }) => {
        if (error === null) {
          this.#seen.delete(subject.split('.').at(-1) ?? '');
        }
      },
    });
  }

  /** False only where the cluster says that there is none. */
  async has(name: string): Promise<boolean> {
    if ((this.#seen.get(name) ?? 0) > this.#clock.monotonic()) {
      return true;
    }
    const looked = await this.read(name);
    if (typeof looked === 'object') {
      this.#see(name);
    }
    return looked !== 'missing';
  }

  async read(name: string): Promise<ConsumerReading> {
    try {
      const manager = await this.#manager();
      const info = await manager.consumers.info(STREAM, name);
      return info.cluster === undefined || (info.cluster.leader ?? '') !== '' ? info : 'silent';
    } catch (error) {
      return this.#codeOf(error)?.status === NOT_FOUND ? 'missing' : 'silent';
    }
  }

  /**
   * A consumer lives on one node, because one on three would be an election group for each home. When its node is gone, it is
   * made anew on another: the home gets the events of a day again, and knows them by its ledger.
   */
  async ensure(name: string, seat: Seat): Promise<void> {
    const looked = await this.read(name);
    if (typeof looked === 'string') {
      await this.move(name, seat, null);
    }
    this.#see(name);
  }

  /**
   * Makes it anew until it stands on a node that answers and is not `from`; resolves with that node. Rejects when none was
   * found, or the cluster makes no more consumers.
   */
  async move(name: string, seat: Seat, from: string | null): Promise<string> {
    const moving = this.#moving.get(name) ?? this.#move(name, seat, from);
    this.#moving.set(name, moving);
    return moving.finally(() => this.#moving.delete(name));
  }

  async #move(name: string, seat: Seat, from: string | null): Promise<string> {
    for (let tries = 0; tries < MOVES; tries += 1) {
      const withinMs = Math.min(ANSWERS_WITHIN_MS * 2 ** Math.floor(tries / 2), SLOW_WITHIN_MS);
      const made = await this.#makeAnew(name, seat, { withinMs }).catch((error: unknown) => {
        if (this.isFull(error)) {
          throw error;
        }
        return null;
      });
      // The answer is the consumer's own: its node lives.
      const node = made === null ? null : (made.cluster?.leader ?? '');
      if (node !== null && node !== from) {
        return node;
      }
      await delay(this.#clock, MOVE_PAUSE_MS);
    }
    throw new RetryError('server-fault', 'No node takes the consumer of a home');
  }

  /** Its events since then come again; the home knows by its ledger which it has. */
  async again(name: string, seat: Seat, since: Date): Promise<void> {
    await this.#makeAnew(name, seat, { since });
  }

  async end(name: string): Promise<void> {
    this.#seen.delete(name);
    const manager = await this.#manager();
    await manager.consumers.delete(STREAM, name).catch(() => {});
  }

  /** Whether the cluster refused a consumer because it has as many as it may. */
  isFull(error: unknown): boolean {
    return this.#codeOf(error)?.code === NO_MORE_CONSUMERS;
  }

  /** A consumer whose node is gone does not say that it has ended; the cluster says at once that there is none. */
  async #remove(name: string): Promise<void> {
    const ended = this.end(name);
    const missing = async (): Promise<void> => {
      await delay(this.#clock, ENDS_WITHIN_MS);
      if ((await this.read(name)) !== 'missing') {
        await ended;
      }
    };
    await Promise.race([ended, missing()]);
  }

  async #makeAnew(
    name: string,
    seat: Seat,
    {
      since = null,
      withinMs = ANSWERS_WITHIN_MS,
    }: { readonly since?: Date | null; readonly withinMs?: number },
  ): Promise<ConsumerInfo> {
    await this.#remove(name);
    const manager = await this.#manager(withinMs);
    return manager.consumers.add(STREAM, {
      durable_name: name,
      filter_subject: subjectOf(seat),
      ack_policy: 'explicit',
      ack_wait: AGAIN_AFTER_NS,
      ...(since === null
        ? { deliver_policy: 'all' }
        : { deliver_policy: 'by_start_time', opt_start_time: since.toISOString() }),
      max_ack_pending: MOST_UNACKNOWLEDGED,
      num_replicas: 1,
      inactive_threshold: CONSUMER_KEPT_NS,
    });
  }

  #see(name: string): void {
    this.#seen.delete(name);
    this.#seen.set(name, this.#clock.monotonic() + SEEN_FOR_MS);
    const [oldest] = this.#seen.keys();
    if (this.#seen.size > MOST_SEEN && oldest !== undefined) {
      this.#seen.delete(oldest);
    }
  }

  async #manager(timeout = ANSWERS_WITHIN_MS): Promise<JetStreamManager> {
    // Without a query of the account, because a cluster that elects a leader answers that late.
    return this.#nats.jetstreamManager(this.#connection.raw, { timeout, checkAPI: false });
  }

  #codeOf(error: unknown): { readonly code: number; readonly status: number } | null {
    return error instanceof this.#nats.JetStreamApiError ? error : null;
  }
}
