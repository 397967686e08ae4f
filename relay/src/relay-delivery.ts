// Hands one delivery to the broker for one home or several; the broker's acknowledgement decides the answer.
import { createHash } from 'node:crypto';
import type { PublishReceipt } from '../../src/carrier/carrier.ts';
import type { Clock } from '../../src/support/clock.ts';
import { LatchkeyError, WaitError } from '../../src/support/errors.ts';
import type { Log } from '../../src/support/log.ts';
import {
  type Delivery,
  type HomePublicKey,
  publicKeyOf,
  sealDelivery,
} from '../../src/webhook/relayed-message.ts';
import { HomeLimiter } from './home-limits.ts';
import type { HomeClaim } from './home-token.ts';
import type { LiveConfig } from './live-config.ts';
import type { Outcome, RelayAnswer } from './relay-answers.ts';
import type { RelayBroker } from './relay-broker.ts';

/** Parsed keys that are cached (our choice): parsing one costs a fraction of a millisecond. */
const MOST_KEYS = 10_000;
/** Homes without a consumer or session that have a line each (our choice): beyond them the figures alone tell. */
const MOST_TOLD = 1_000;

export type DeliveryTarget = HomeClaim;

export class HomeDeliveries {
  readonly #broker: Pick<RelayBroker, 'store'>;
  readonly #config: LiveConfig;
  readonly #limiter: HomeLimiter;
  readonly #log: Log;
  /** Homes whose refused deliveries have their line already. */
  readonly #told = new Set<string>();
  readonly #keys = new Map<string, Promise<HomePublicKey>>();
  #waiting = 0;

  constructor(
    broker: Pick<RelayBroker, 'store'>,
    config: LiveConfig,
    { clock, log }: { readonly clock: Clock; readonly log: Log },
  ) {
    this.#broker = broker;
    this.#config = config;
    this.#limiter = new HomeLimiter(clock, () => config.current.limits);
    this.#log = log;
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
      return { answer: this.#heard(target.home, result) };
    } catch (error) {
      if (error instanceof WaitError) {
        return { answer: 'limited', waitMs: error.waitMs ?? 0 };
      }
      return { answer: error instanceof LatchkeyError ? 'not-acknowledged' : 'failed' };
    } finally {
      this.#waiting -= 1;
    }
  }

  /** One line for each home until it is served again. */
  #heard(home: string, { hasSubscriber }: PublishReceipt): RelayAnswer {
    if (hasSubscriber) {
      this.#told.delete(home);
      return 'relayed';
    }
    if (!this.#told.has(home) && this.#told.size < MOST_TOLD) {
      this.#told.add(home);
      this.#log.warn(
        `Deliveries for the home "${home}" are answered with 503 (no-session), because nothing at the broker keeps them for it.`,
      );
    }
    return 'no-session';
  }

  async #publish(
    delivery: Delivery,
    { home, generation, publicKey }: DeliveryTarget,
  ): Promise<PublishReceipt> {
    const key = this.#config.current.encrypt ? await this.#keyOf(publicKey) : null;
    const { payload, properties } = await sealDelivery(delivery, key);
    const subject = `${home} ${String(generation)}`;
    return this.#broker.store({ home, generation, id: idOf(subject, delivery), payload, properties });
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
function idOf(subject: string, { bytes, headers }: Delivery): string {
  const hash = createHash('sha256').update(JSON.stringify([subject, headers]));
  return hash.update(bytes).digest('base64url');
}
