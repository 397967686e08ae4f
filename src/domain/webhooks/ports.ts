// Interfaces that webhooks need from their adapters: events, the ledger, signing keys, and subscriptions at the service.
//
// Every port rejects with an error of support/errors.ts whose disposition defines how the caller reacts.
import type { Instant } from '../time/instant.ts';
import type { ServiceEvent } from './service-event.ts';

/** `unverified`: no signature proves its sender; it may cause a reading, never a state. */
export type EventTrust = 'verified' | 'unverified';

export interface TrustedEvent {
  readonly event: ServiceEvent;
  readonly trust: EventTrust;
}

/** Events that the service sends by itself. */
export interface EventFeed {
  /**
   * Calls `listener` once for every event, before anything is written to the disk, until the returned function is called.
   * Repeats are left out; the order is that of arrival, which proves nothing.
   */
  subscribe(listener: (event: TrustedEvent) => void): () => void;
}

/** An event, and when it came on the service's clock. */
export interface ReceivedEvent {
  readonly event: ServiceEvent;
  readonly receivedAt: Instant;
}

/** The events that were received, across restarts, so that none has an effect twice. */
export interface EventLedger {
  /** Whether this very event was kept before. A repeat has the same time. */
  has(event: ServiceEvent): boolean;
  /** The latest time of any event kept, or null: no later event is here. Events without a time do not count. */
  newestAt(): Instant | null;
  /** Keeps all of them, in one step, or none. Events kept already stay. Throws retry (`storage-failed`). */
  appendAll(events: readonly ReceivedEvent[]): void;
}

/** The public keys with which the service may have signed an event. */
export interface SigningKeys {
  /** Each as PEM or as the JSON of a JWK. The same text is the same key. */
  keys(): readonly string[];
  /**
   * Asks for the keys again, as after a signature that none of them verifies; at most once a minute. Never rejects.
   * `current`: this request confirmed the keys, or they have no other source; `recent`: confirmed within that minute, so
   * newer ones may exist; `unavailable`: not confirmed. Known keys stay.
   */
  refresh(): Promise<'current' | 'recent' | 'unavailable'>;
}

/** An address to which the service sends its events. */
export interface Subscription {
  readonly id: string;
  readonly url: string;
  /** False when the service has stopped telling it anything. */
  readonly active: boolean;
}

/** The subscriptions of this account at the service. Every call rejects with retry, wait, relink or final. */
export interface SubscriptionGateway {
  list(): Promise<readonly Subscription[]>;
  /** The service asks the address for consent before it answers. Asking for the same address again changes nothing. */
  register(url: string): Promise<Subscription>;
  /** A subscription that is gone already is no error. */
  remove(id: string): Promise<void>;
}
