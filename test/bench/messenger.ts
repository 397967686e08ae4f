// Turns a lock at the service and delivers that to a contestant: as a signed event to ours, and as its route takes it to the
// limit; over one warm connection.
import { type KeyObject, randomUUID } from 'node:crypto';
import { Client } from 'undici';
import { type Delivery, signed } from '../support/signed-events.ts';
import { type Contestant, type Lock, WEBHOOK_PATH } from './contestant.ts';

/** A lock on its way to another state. */
export interface TurnedLock extends Lock {
  readonly state: 'Locked' | 'Unlocked';
}

export class Messenger {
  readonly #to: Contestant;
  readonly #key: KeyObject;
  readonly #client: Client;
  readonly #path: string;

  /** `url`: where ours takes events in; its listener if left out. */
  constructor(to: Contestant, key: KeyObject, url?: string) {
    const { origin, pathname } = new URL(url ?? `http://127.0.0.1:${String(to.routePort)}${WEBHOOK_PATH}`);
    this.#to = to;
    this.#key = key;
    this.#client = new Client(origin);
    this.#path = pathname;
  }

  /**
   * Turns the lock of this number. Resolves with how long after the request its event was in Home and, at `elsewhere`, when that
   * resolves with the instant at which the turn was seen; in milliseconds.
   */
  async turn(
    round: number,
    elsewhere: (lock: TurnedLock) => Promise<number> = async () => Promise.resolve(Number.NaN),
  ): Promise<{ readonly toHomeMs: number; readonly elsewhereMs: number }> {
    const { service, controller, side } = this.#to;
    const lock = this.#to.lock(round);
    const state = service.locks.get(lock.id) === 'Locked' ? 'Unlocked' : 'Locked';
    service.locks.set(lock.id, state);
    const value = state === 'Locked' ? 1 : 0;
    const turn = { id: randomUUID(), lockId: lock.id, state, at: Date.now() } as const;
    const delivery = side === 'ours' ? await signed(turn, this.#key) : plain(value);
    const path = side === 'ours' ? this.#path : `/locks/${lock.id}`;
    const received = controller.received({ [lock.current]: value });
    const seen = elsewhere({ ...lock, state });
    const startedAt = performance.now();
    const [receivedAt, seenAt, { statusCode, body }] = await Promise.all([
      received,
      seen,
      this.#client.request({ method: 'POST', path, ...delivery }),
    ]);
    await body.dump();
    if (statusCode !== 204) {
      throw new Error(`An event was answered with ${String(statusCode)} by ${side}`);
    }
    return { toHomeMs: receivedAt - startedAt, elsewhereMs: seenAt - startedAt };
  }

  async close(): Promise<void> {
    await this.#client.close();
  }
}

function plain(value: number): Delivery {
  const body = Buffer.from(JSON.stringify({ current: value, target: value }));
  return { headers: { 'content-type': 'application/json' }, body };
}
