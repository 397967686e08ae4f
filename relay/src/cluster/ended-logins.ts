// The logins that the nodes do not accept: of revoked seats for good, and for some minutes of a home that asks without end.
import type { NatsConnection, NatsOptions } from '../../../src/nats/nats-connection.ts';
import type { NatsPackage } from '../../../src/nats/nats-package.ts';
import { type Seat, seatHead } from '../../../src/nats/seat.ts';
import type { Clock } from '../../../src/support/clock.ts';
import { RetryError } from '../../../src/support/errors.ts';
import type { Log } from '../../../src/support/log.ts';
import { endLogins, type HomesKeys, MOST_LOGINS, openClerk } from './homes-account.ts';
import { seatUser } from './seat-login.ts';

/** Our choice, in milliseconds. */
const SHUT_OUT_FOR_MS = 600_000;

export interface EndedParts {
  readonly nats: NatsPackage;
  readonly options: NatsOptions;
  /** Null: keys of version 1.0, which end no login. */
  readonly homes: HomesKeys | null;
  /** All that are revoked, and those before them. */
  readonly revoked: () => readonly Seat[];
  readonly clock: Clock;
  readonly log: Log;
}

interface ShutOut {
  readonly seat: Seat;
  /** Monotonic time. */
  readonly until: number;
}

export class EndedLogins {
  readonly #parts: EndedParts;
  #isTold = false;
  /** One after the other: a former list never follows a later one. */
  #telling: Promise<void> = Promise.resolve();
  readonly #shutOut = new Map<string, ShutOut>();
  /** Public keys by seat: thousands of them, reckoned at each change, would hold up all deliveries. */
  readonly #users = new Map<string, string>();
  #clerk: NatsConnection | null = null;
  #isClosed = false;

  constructor(parts: EndedParts) {
    this.#parts = parts;
  }

  /** Another seat is revoked. Never rejects. */
  async changed(): Promise<void> {
    this.#isTold = false;
    await this.tell();
  }

  /** This home asks without end: its connections end, and it may log in again after ten minutes. Never rejects. */
  async shutOut(name: string, seat: Seat): Promise<void> {
    const { homes, clock, log } = this.#parts;
    if (homes === null || this.#shutOut.has(name)) {
      return;
    }
    this.#shutOut.set(name, { seat, until: clock.monotonic() + SHUT_OUT_FOR_MS });
    log.warn(
      `The home "${seat.home}" asks for its consumer without end. Its login is not accepted for ten minutes.`,
    );
    await this.changed();
  }

  /** Tried again at each look until the nodes know. Never rejects. */
  async tell(): Promise<void> {
    this.#telling = this.#telling.then(async () => this.#tellNow()).catch(() => {});
    await this.#telling;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#dismiss();
  }

  async #tellNow(): Promise<void> {
    const { nats, homes, revoked, clock, log } = this.#parts;
    for (const [name, { until }] of this.#shutOut) {
      if (until <= clock.monotonic()) {
        this.#shutOut.delete(name);
        this.#isTold = false;
      }
    }
    if (homes === null || this.#isTold || this.#isClosed) {
      return;
    }
    this.#isTold = true;
    // Also when there are none: an earlier run may have shut a home out.
    const seats = [...revoked(), ...[...this.#shutOut.values()].map(({ seat }) => seat)];
    const users = seats.slice(0, MOST_LOGINS).map((seat) => this.#userOf(seat, homes));
    try {
      await endLogins(nats, await this.#clerkOf(homes), homes, users);
    } catch (error) {
      this.#isTold = false;
      await this.#dismiss();
      throw error;
    }
    const over = seats.length - users.length;
    if (over > 0) {
      log.warn(
        `The nodes go on accepting the logins of ${String(over)} revoked enrolments, because their list is full. No relay serves them.`,
      );
    }
  }

  async #clerkOf(homes: HomesKeys): Promise<NatsConnection> {
    if (this.#clerk === null || this.#clerk.raw.isClosed()) {
      const clerk = await openClerk(this.#parts.nats, this.#parts.options, homes);
      if (this.#isClosed) {
        await clerk.close();
        throw new RetryError('unreachable', 'The relay has ended');
      }
      this.#clerk = clerk;
    }
    return this.#clerk;
  }

  async #dismiss(): Promise<void> {
    await this.#clerk?.close();
    this.#clerk = null;
  }

  #userOf(seat: Seat, { seed }: HomesKeys): string {
    const head = seatHead(seat);
    const user = this.#users.get(head) ?? seatUser(this.#parts.nats, seat, seed).getPublicKey();
    this.#users.set(head, user);
    return user;
  }
}
