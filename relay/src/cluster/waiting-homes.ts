// Homes whose events nobody has taken: where the home asks and its consumer gives nothing, the consumer is moved.
import type { JetStreamManager } from '@nats-io/jetstream';
import { ALL_SUBJECTS, type Seat, STREAM, seatOf, subjectOf } from '../../../src/nats/seat.ts';
import type { Clock } from '../../../src/support/clock.ts';
import type { Log } from '../../../src/support/log.ts';
import { type ConsumerReading, type HomeConsumers, MOST_UNACKNOWLEDGED } from './home-consumers.ts';

/** Our choices, in milliseconds: between two looks at everybody, and how long an event may wait before a look at its home. */
export const CHECK_EVERY_MS = 5_000;
const WAITS_AT_MOST_MS = 10_000;
/** A home that is away is looked at this often. */
const AWAY_MS = 30_000;
/** Our choices: homes that are looked at in one turn, and at a time. */
const MOST_IN_A_TURN = 1_000;
const AT_A_TIME = 16;
/** Homes that are remembered, about 150 bytes each (our choice). */
const MOST_HOMES = 200_000;

interface Event {
  /** In the stream. */
  readonly position: number;
  /** Monotonic time since when it waits. */
  readonly since: number;
}

interface Waiting {
  readonly seat: Seat;
  /** Of the events that it may not have; null where only the broker knows them. */
  first: Event | null;
  last: Event | null;
  /** Monotonic time. */
  checkAt: number;
  /** It asks for events, or its consumer does not answer. */
  isUnserved: boolean;
}

export interface WaitingFigures {
  /** Homes with an event that has waited for longer than usual. */
  readonly waiting: number;
  /** Of those, homes that ask and are given nothing. */
  readonly unserved: number;
  readonly oldestMs: number;
  /** Consumers that were moved to another node. */
  readonly moved: number;
}

export interface WaitingParts {
  readonly consumers: Pick<HomeConsumers, 'read' | 'move'>;
  readonly nameOf: (seat: Seat) => string;
  readonly clock: Clock;
  readonly log: Log;
}

export class WaitingHomes {
  readonly #parts: WaitingParts;
  readonly #waiting = new Map<string, Waiting>();
  #moved = 0;

  constructor(parts: WaitingParts) {
    this.#parts = parts;
  }

  /** The broker has an event for this home at this position of the stream. */
  noted(seat: Seat, position: number): void {
    const event = { position, since: this.#parts.clock.monotonic() };
    const key = subjectOf(seat);
    const known = this.#waiting.get(key);
    if (known !== undefined) {
      known.first ??= event;
      known.last = event;
    } else if (this.#waiting.size < MOST_HOMES) {
      const checkAt = event.since + WAITS_AT_MOST_MS;
      this.#waiting.set(key, { seat, first: event, last: event, checkAt, isUnserved: false });
    }
  }

  /** Events that are there already, which another relay or an earlier run of this one has stored. */
  async recall(manager: JetStreamManager): Promise<void> {
    const { state } = await manager.streams.info(STREAM, { subjects_filter: ALL_SUBJECTS });
    const now = this.#parts.clock.monotonic();
    for (const subject of Object.keys(state.subjects ?? {})) {
      const seat = seatOf(subject);
      if (seat !== null && !this.#waiting.has(subject)) {
        this.#waiting.set(subject, { seat, first: null, last: null, checkAt: now, isUnserved: false });
      }
    }
  }

  get figures(): WaitingFigures {
    const now = this.#parts.clock.monotonic();
    const late = [...this.#waiting.values()]
      .map(({ first, isUnserved }) => ({ ms: now - (first?.since ?? now), isUnserved }))
      .filter(({ ms }) => ms >= WAITS_AT_MOST_MS);
    return {
      waiting: late.length,
      unserved: late.filter(({ isUnserved }) => isUnserved).length,
      oldestMs: late.reduce((most, { ms }) => Math.max(most, ms), 0),
      moved: this.#moved,
    };
  }

  /** Looks at those whose time has come. Never rejects. */
  async checkDue(manager: JetStreamManager): Promise<void> {
    const now = this.#parts.clock.monotonic();
    const due = [...this.#waiting]
      .filter(([, { checkAt }]) => checkAt <= now)
      .slice(0, MOST_IN_A_TURN)
      .values();
    const work = async (): Promise<void> => {
      for (const [key, waiting] of due) {
        await this.#check(key, waiting, manager).catch(() => {});
      }
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, work));
  }

  async #check(key: string, waiting: Waiting, manager: JetStreamManager): Promise<void> {
    const { consumers, nameOf, clock } = this.#parts;
    const now = clock.monotonic();
    waiting.checkAt = now + WAITS_AT_MOST_MS;
    if (waiting.last === null) {
      const position = await lastOf(manager, key);
      // Since when is not known: as if it came now.
      waiting.last ??= position === null ? null : { position, since: now };
    }
    const { last } = waiting;
    if (last === null) {
      this.#waiting.delete(key);
      return;
    }
    const info = await consumers.read(nameOf(waiting.seat));
    const given = typeof info === 'string' ? 0 : info.delivered.stream_seq;
    if (given >= (waiting.last?.position ?? 0)) {
      this.#waiting.delete(key);
      return;
    }
    const first = waiting.first ?? last;
    waiting.first = given >= first.position ? last : first;
    const lateAt = waiting.first.since + WAITS_AT_MOST_MS;
    if (now < lateAt) {
      waiting.checkAt = lateAt;
    } else {
      await this.#beLate(waiting, info, now);
    }
  }

  /** A home that is away has no consumer or does not ask: it gets its events when it is back. */
  async #beLate(waiting: Waiting, info: ConsumerReading, now: number): Promise<void> {
    const isAsking =
      typeof info === 'object' && info.num_waiting > 0 && info.num_ack_pending < MOST_UNACKNOWLEDGED;
    waiting.isUnserved = isAsking || info === 'silent';
    if (waiting.isUnserved) {
      await this.#move(waiting, typeof info === 'object' ? (info.cluster?.leader ?? null) : null);
    } else {
      waiting.checkAt = now + AWAY_MS;
    }
  }

  /** Names the home first: a cluster that is led by the full node moves nothing until it has another leader. */
  async #move({ seat }: Waiting, from: string | null): Promise<void> {
    const { consumers, nameOf, log } = this.#parts;
    const node = from ?? 'a node that does not answer';
    log.warn(
      `The home "${seat.home}" gets none of its events: its consumer stands on ${node}. Look at the disk of each node, and stop one that is full.`,
    );
    try {
      const to = await consumers.move(nameOf(seat), seat, from);
      this.#moved += 1;
      log.info(`The consumer of the home "${seat.home}" was moved to ${to}.`);
    } catch {
      log.error(`No node takes the consumer of the home "${seat.home}".`);
    }
  }
}

/** The position of its last event; null without one. */
async function lastOf(manager: JetStreamManager, subject: string): Promise<number | null> {
  const found = await manager.streams.getMessage(STREAM, { last_by_subj: subject });
  return found?.seq ?? null;
}
