// Hands one delivery to the broker for one home or several; the broker's acknowledgement decides the answer.
import { createHash } from 'node:crypto';
import type { PublishReceipt } from '../carrier/carrier.ts';
import type { Clock } from '../support/clock.ts';
import { LatchkeyError, WaitError } from '../support/errors.ts';
import { type Delivery, type HomePublicKey, publicKeyOf, sealDelivery } from '../webhook/relayed-message.ts';
import { HomeLimiter } from './home-limits.ts';
import type { HomeClaim } from './home-token.ts';
import type { Outcome } from './relay-answers.ts';
import type { RelayBroker } from './relay-broker.ts';
import type { RelayConfig } from './relay-config.ts';

/** Parsed keys that are cached (our choice): parsing one costs a fraction of a millisecond. */
const MOST_KEYS = 10_000;

export type DeliveryTarget = Pick<HomeClaim, 'home' | 'publicKey'>;

export class HomeDeliveries {
  readonly #broker: Pick<RelayBroker, 'keep'>;
  readonly #encrypt: boolean;
  readonly #limiter: HomeLimiter;
  readonly #keys = new Map<string, Promise<HomePublicKey>>();
  #waiting = 0;

  constructor(
    broker: Pick<RelayBroker, 'keep'>,
    { encrypt, limits }: Pick<RelayConfig, 'encrypt' | 'limits'>,
    clock: Clock,
  ) {
    this.#broker = broker;
    this.#encrypt = encrypt;
    this.#limiter = new HomeLimiter(clock, limits);
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** `relayed` once the broker holds it for each of the homes. Never rejects. */
  async deliver(delivery: Delivery, targets: readonly DeliveryTarget[]): Promise<Outcome> {
    const outcomes = await Promise.all(targets.map(async (target) => this.#toHome(delivery, target)));
    // A repeat also reaches homes that have it already: they recognise it by its id.
    return outcomes.find(({ answer }) => answer !== 'relayed') ?? { answer: 'relayed' };
  }

  async #toHome(delivery: Delivery, target: DeliveryTarget): Promise<Outcome> {
    this.#waiting += 1;
    try {
      const result = await this.#limiter.run(target.home, async () => this.#publish(delivery, target));
      if ('waitMs' in result) {
        return { answer: 'limited', waitMs: result.waitMs };
      }
      return { answer: result.hasSubscriber ? 'relayed' : 'no-session' };
    } catch (error) {
      if (error instanceof WaitError) {
        return { answer: 'limited', waitMs: error.waitMs ?? 0 };
      }
      return { answer: error instanceof LatchkeyError ? 'not-acknowledged' : 'failed' };
    } finally {
      this.#waiting -= 1;
    }
  }

  async #publish(delivery: Delivery, { home, publicKey }: DeliveryTarget): Promise<PublishReceipt> {
    const key = this.#encrypt ? await this.#keyOf(publicKey) : null;
    const { payload, properties } = await sealDelivery(delivery, key);
    return this.#broker.keep({ home, id: idOf(home, delivery), payload, properties });
  }

  async #keyOf(publicKey: string): Promise<HomePublicKey> {
    const known = this.#keys.get(publicKey);
    if (known !== undefined) {
      return known;
    }
    const [oldest] = this.#keys.keys();
    if (this.#keys.size >= MOST_KEYS && oldest !== undefined) {
      this.#keys.delete(oldest);
    }
    const read = publicKeyOf(publicKey);
    this.#keys.set(publicKey, read);
    return read;
  }
}

/** A digest of everything that is sent: a stranger's copy with another signature is another message. */
function idOf(home: string, { bytes, headers }: Delivery): string {
  const hash = createHash('sha256').update(JSON.stringify([home, headers]));
  return hash.update(bytes).digest('base64url');
}
