// The public keys that verify webhooks: as written in the configuration, or asked of the service and remembered.
import { message } from '../domain/language/message.ts';
import type { SigningKeys } from '../domain/webhooks/ports.ts';
import type { Clock } from '../support/clock.ts';
import { FinalError, messageOf, RelinkError } from '../support/errors.ts';
import type { Log } from '../support/log.ts';
import { eventEndpoints } from '../wire/endpoints.ts';
import { publicKeysOf, publicKeyTexts } from '../wire/public-key-codec.ts';
import { t } from '../words/translate.ts';
import type { DeviceInterface } from './device-interface.ts';

/** Keys as written, each as PEM, JWK or JWKS. Throws final (`bad-configuration`) for a text without a key. */
export function writtenKeys(texts: readonly string[]): SigningKeys {
  const keys = texts.flatMap((text, index) => {
    const found = publicKeyTexts(text);
    if (found.length === 0) {
      throw new FinalError(
        'bad-configuration',
        message(
          '{option} holds no RSA public key; write a PEM, a JWK or a JWKS, or the path of a file with one.',
          { option: `webhooks.keys[${String(index)}]` },
        ),
      );
    }
    return found;
  });
  return { keys: () => keys, refresh: async () => Promise.resolve('current') };
}

/** Wire contract 7: after a failed verification the keys are fetched again, at most once a minute. */
const FETCH_EVERY_MS = 60_000;

/** A replaced key stays valid for this long (our choice): the service repeats a delivery for a day, signed with the key of its time. */
const REPLACED_GOOD_FOR_MS = 25 * 3_600_000;

/** However often the key is replaced, and however many the service names at a time (our choice). */
const MOST_KEYS = 512;

/** Fetches keys from the service (wire contract 6), which answers with its newest key only: known keys stay known. */
export class FetchedSigningKeys implements SigningKeys {
  readonly #parts;
  readonly #path: string;
  /** The newest first, each with when it was found replaced; null while the service names it. */
  #keys: readonly { readonly key: string; readonly replacedAt: number | null }[] = [];
  #fetchedAt = Number.NEGATIVE_INFINITY;
  #latest: Promise<'current' | 'unavailable'> = Promise.resolve('unavailable');
  #fetching = false;

  constructor(parts: {
    readonly service: Pick<DeviceInterface, 'read'>;
    readonly productSegment: string;
    readonly clock: Clock;
    readonly log: Log;
  }) {
    this.#parts = parts;
    this.#path = eventEndpoints(parts.productSegment).publicKey;
  }

  keys(): readonly string[] {
    const now = this.#parts.clock.monotonic();
    return this.#keys
      .filter(({ replacedAt }) => replacedAt === null || now - replacedAt < REPLACED_GOOD_FOR_MS)
      .map(({ key }) => key);
  }

  async refresh(): Promise<'current' | 'recent' | 'unavailable'> {
    const now = this.#parts.clock.monotonic();
    if (now - this.#fetchedAt >= FETCH_EVERY_MS) {
      this.#fetchedAt = now;
      this.#fetching = true;
      this.#latest = this.#fetch();
    }
    const asksAnew = this.#fetching;
    const freshness = await this.#latest;
    return freshness === 'current' && !asksAnew ? 'recent' : freshness;
  }

  #take(found: readonly string[]): void {
    const now = this.#parts.clock.monotonic();
    const replaced = this.#keys
      .filter(({ key }) => !found.includes(key))
      .map(({ key, replacedAt }) => ({ key, replacedAt: replacedAt ?? now }));
    const named = [...new Set(found)].map((key) => ({ key, replacedAt: null }));
    const all = [...named, ...replaced];
    this.#keys = all.slice(0, MOST_KEYS);
    if (named.length > MOST_KEYS) {
      this.#parts.log.warn(
        t('The service names {count} keys for its webhooks, of which the first {most} are used.', {
          count: named.length,
          most: MOST_KEYS,
        }),
      );
    }
  }

  async #fetch(): Promise<'current' | 'unavailable'> {
    const { service, log } = this.#parts;
    try {
      const { body } = await service.read(this.#path, 'signing-keys');
      const found = publicKeysOf(body);
      if (found.length === 0) {
        log.warn(t('The service was asked for the key of its webhooks, and its answer holds none.'));
        return 'unavailable';
      }
      this.#take(found);
      return 'current';
    } catch (error) {
      log.debug(`The key of the service's webhooks could not be fetched: ${messageOf(error)}`);
      if (error instanceof RelinkError || (error instanceof FinalError && error.code === 'not-owner')) {
        // Nothing was sent: once the account is linked and ours, the key may be fetched at once.
        this.#fetchedAt = Number.NEGATIVE_INFINITY;
      }
      return 'unavailable';
    } finally {
      this.#fetching = false;
    }
  }
}
