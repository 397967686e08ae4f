// Hands one delivery to the broker for one home or several; what is answered follows from the broker's acknowledgement.
import type { Carrier, PublishReceipt } from '../mqtt/carrier.ts';
import type { Clock } from '../support/clock.ts';
import { LatchkeyError, WaitError } from '../support/errors.ts';
import { type Delivery, type HomePublicKey, publicKeyOf, sealDelivery } from '../webhook/relayed-message.ts';
import { HomeLimiter } from './home-limits.ts';
import type { Outcome } from './relay-answers.ts';
import type { RelayConfig } from './relay-config.ts';
import { SaveBarrier } from './save-barrier.ts';

/** The service repeats a delivery for a day (wire contract 7): later the event is out of date. */
const EXPIRY_SECONDS = 86_400;

/** Keys at hand (our choice): reading one costs a fraction of a millisecond. */
const MOST_KEYS = 10_000;

export interface DeliveryTarget {
  readonly home: string;
  /** X25519, as base64url. */
  readonly publicKey: string;
}

export function topicOf(home: string): string {
  return `latchkey/homes/${home}/events`;
}

export class HomeDeliveries {
  readonly #carrier: Pick<Carrier, 'publish'>;
  readonly #encrypt: boolean;
  readonly #limiter: HomeLimiter;
  readonly #keys = new Map<string, Promise<HomePublicKey>>();
  readonly #barrier: SaveBarrier;
  #waiting = 0;

  constructor(
    carrier: Pick<Carrier, 'publish'>,
    { encrypt, limits }: Pick<RelayConfig, 'encrypt' | 'limits'>,
    clock: Clock,
  ) {
    this.#carrier = carrier;
    this.#barrier = new SaveBarrier(carrier);
    this.#encrypt = encrypt;
    this.#limiter = new HomeLimiter(clock, limits);
  }

  /** Deliveries that wait for the broker's acknowledgement. */
  get waiting(): number {
    return this.#waiting;
  }

  /** `relayed` once the broker holds it for each of the homes. Never rejects. */
  async deliver(delivery: Delivery, targets: readonly DeliveryTarget[]): Promise<Outcome> {
    const outcomes = await Promise.all(targets.map(async (target) => this.#toHome(delivery, target)));
    // A repeat reaches homes that have it already: they know it by its id.
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
    const receipt = await this.#carrier.publish({
      topic: topicOf(home),
      payload,
      properties,
      expirySeconds: EXPIRY_SECONDS,
    });
    await this.#barrier.pass();
    return receipt;
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
