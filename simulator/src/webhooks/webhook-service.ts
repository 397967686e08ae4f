// The facade of webhooks: subscriptions, notifications, keys, faults and switches.
import type { Clock } from '../../../src/support/clock.ts';
import { type Refusal, refuse } from '../contract/errors.ts';
import type { Answer } from '../world/records.ts';
import type { WorldEvent } from '../world/world-event.ts';
import { type AttemptRecord, Courier } from './courier.ts';
import { DeliveryFaults } from './delivery-faults.ts';
import { type DeviceDescription, earlierEnvelopeOf } from './earlier-envelope.ts';
import { type Envelope, envelopeOf } from './envelope.ts';
import { readReceiverUrl, shakeHands } from './handshake.ts';
import { algorithmName } from './signature.ts';
import { type SigningKeyPair, SigningKeys } from './signing-keys.ts';
import {
  type Subscription,
  type SubscriptionOwner,
  type SubscriptionRecord,
  SubscriptionRegistry,
} from './subscription-registry.ts';
import {
  DEFAULT_WEBHOOK_SETTINGS,
  type WebhookSettings,
  type WebhookSettingsChange,
} from './webhook-settings.ts';

export interface WebhookOptions {
  /** The simulator's clock: retries fall due when a test moves it on. */
  readonly clock: Clock;
  /** The seed of jitter and of faults at a rate. */
  readonly seed: string;
  /** Default: one made for this process. */
  readonly keys?: SigningKeyPair;
  /** PEM of the authority to trust for https receivers, instead of the built-in ones. */
  readonly trustedAuthority?: string;
  /** Facts for the earlier envelope; undefined for a removed device. */
  readonly describeDevice: (deviceId: string) => DeviceDescription | undefined;
  readonly settings?: WebhookSettingsChange;
  /** Called with every attempt, in order of their ends. */
  readonly onAttempt?: (record: AttemptRecord) => void;
}

/** A subscription asked for: 201 when it is new, 200 when it was there. */
export interface Subscribed {
  readonly status: 200 | 201;
  readonly record: SubscriptionRecord;
}

const HANDSHAKE_FAILED: Refusal = { ...refuse(20), description: 'Webhook endpoint validation failed' };

/** Hand it every event of the world (`publish`) and every revocation (`unlink`). */
export class WebhookService {
  readonly faults: DeliveryFaults;
  readonly #options: WebhookOptions;
  readonly #keys: SigningKeys;
  readonly #registry = new SubscriptionRegistry();
  readonly #courier: Courier;
  readonly #closed = new AbortController();
  #settings: WebhookSettings;

  constructor(options: WebhookOptions) {
    this.#options = options;
    this.#keys = new SigningKeys(options.keys);
    this.#settings = { ...DEFAULT_WEBHOOK_SETTINGS, ...options.settings };
    this.faults = new DeliveryFaults(options.seed);
    this.#courier = new Courier({
      clock: options.clock,
      seed: options.seed,
      keys: this.#keys,
      faults: this.faults,
      settings: () => this.#settings,
      ...this.#trust(),
      onAttempt: (record) => options.onAttempt?.(record),
      onGone: (subscriptionId) => {
        this.#registry.setStatus(subscriptionId, 'Inactive');
        this.#courier.cancel(subscriptionId);
      },
    });
  }

  get settings(): WebhookSettings {
    return this.#settings;
  }

  configure(change: WebhookSettingsChange): void {
    this.#settings = { ...this.#settings, ...change };
  }

  /** Sends an event to every active subscription of the users it concerns. */
  publish(worldEvent: WorldEvent): void {
    const envelope = envelopeOf(worldEvent, this.#settings);
    const signedOut = worldEvent.kind === 'signed-out-everywhere' ? worldEvent.userId : null;
    const receivers = this.#registry.activeOf(signedOut === null ? worldEvent.userIds : [signedOut]);
    if (envelope !== null && receivers.length > 0) {
      const { eventId, trigger } = envelope;
      const body = this.#bodyOf(worldEvent, envelope);
      for (const { record } of receivers) {
        this.#courier.accept(record, { eventId, trigger, body });
      }
    }
    if (signedOut !== null) {
      this.unlink(signedOut, null);
    }
  }

  /** Subscribes after a handshake; the same URL again finds the existing one, and reactivates it when it was inactive. */
  async subscribe(owner: SubscriptionOwner, url: unknown): Promise<Answer<Subscribed>> {
    const receiver = readReceiverUrl(url, this.#settings);
    if (receiver === null || typeof url !== 'string') {
      return { ok: false, refusal: refuse(20) };
    }
    const known = this.#registry.findByUrl(owner, url);
    if (known?.status === 'Active') {
      return { ok: true, value: { status: 200, record: known } };
    }
    const { clock } = this.#options;
    const signal = this.#closed.signal;
    if (!(await shakeHands(receiver, this.#settings, { clock, signal, ...this.#trust() }))) {
      return { ok: false, refusal: HANDSHAKE_FAILED };
    }
    return { ok: true, value: this.#activate(owner, url) };
  }

  list(owner: SubscriptionOwner): readonly SubscriptionRecord[] {
    return this.#registry.list(owner);
  }

  get(owner: SubscriptionOwner, subscriptionId: string): SubscriptionRecord | undefined {
    return this.#registry.get(owner, subscriptionId);
  }

  /** Ends a subscription and its pending deliveries; false when this owner has none with that id. */
  unsubscribe(owner: SubscriptionOwner, subscriptionId: string): boolean {
    const removed = this.#registry.remove(owner, subscriptionId);
    if (removed) {
      this.#courier.cancel(subscriptionId);
    }
    return removed;
  }

  /**
   * Deletes a user's subscriptions with one client, or with all when `clientId` is null, as unlinking does. What was
   * sent before, the notification of a sign-out included, is still delivered.
   */
  unlink(userId: string, clientId: string | null): void {
    this.#registry.removeAll(userId, clientId);
  }

  subscriptions(): readonly Subscription[] {
    return this.#registry.all();
  }

  /** The newest key, as `GET /events/publickey` answers it. */
  publishedKey(): { readonly algorithm: string; readonly publicKey: string } {
    return { algorithm: algorithmName(this.#settings), publicKey: this.#keys.publicKeyPem };
  }

  /** Puts a new key in force; the one before it stays at hand for `signWith: 'previous'`. */
  rotateKey(next?: SigningKeyPair): void {
    this.#keys.rotate(next);
  }

  /** Resolves when nothing is being sent. Retries that wait for their time do not count. */
  async idle(): Promise<void> {
    await this.#courier.idle();
  }

  /** Ends everything and leaves no timer and no connection behind. */
  async close(): Promise<void> {
    this.#closed.abort();
    await this.#courier.close();
  }

  /** Looks again for the URL: the same request may have run beside this one during the handshake. */
  #activate(owner: SubscriptionOwner, url: string): Subscribed {
    const known = this.#registry.findByUrl(owner, url);
    const woken = known && this.#registry.setStatus(known.subscriptionId, 'Active');
    return woken === undefined
      ? { status: 201, record: this.#registry.add(owner, url, this.#options.clock.now()) }
      : { status: 200, record: woken };
  }

  /** The envelope, or the earlier form of it where the settings ask for that and there is one. */
  #bodyOf(worldEvent: WorldEvent, envelope: Envelope): Buffer {
    const { form } = this.#settings;
    const wantsEarlier = form === 'earlier' || form === 'earlier-in-array';
    const earlier = wantsEarlier ? this.#earlierEnvelopeOf(worldEvent) : null;
    const alone = earlier ?? envelope;
    return Buffer.from(JSON.stringify(form === 'earlier-in-array' && earlier !== null ? [alone] : alone));
  }

  #earlierEnvelopeOf(worldEvent: WorldEvent): Record<string, unknown> | null {
    const { deviceId } = worldEvent;
    return deviceId === null
      ? null
      : earlierEnvelopeOf(worldEvent, deviceId, this.#options.describeDevice(deviceId));
  }

  #trust(): { readonly trustedAuthority?: string } {
    const { trustedAuthority } = this.#options;
    return trustedAuthority === undefined ? {} : { trustedAuthority };
  }
}
