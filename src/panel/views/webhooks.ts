// Webhooks as people see them: the listener's state, the service's subscriptions, and the operations on both.
import type { Message } from '../../domain/language/message.ts';
import type {
  HealthReport,
  IgnoredEvents,
  RegistrationState,
  SelfTestReport,
} from '../../domain/webhooks/report.ts';

export interface WebhooksView extends HealthReport {
  /** Whether the configuration wants webhooks. */
  readonly enabled: boolean;
  /** `http://host:port` where events are received; null while nothing listens. */
  readonly listener: string | null;
  /** The address of the configuration that leads to the listener, without the unguessable path; null when none is set. */
  readonly publicUrl: string | null;
  /** The whole address, or its path alone when no public one is set. Null unless it was asked for, or while nothing listens. */
  readonly address: string | null;
  readonly registration: RegistrationState;
  /** Why no listener is open, or why the registration failed, in words; null when neither is so. */
  readonly trouble: Message | null;
  /** How long ago the last event of the service came in, in milliseconds; null when none has since the start. */
  readonly lastEventAgoMs: number | null;
  /** How often each answer was given since the listener was opened, by its name in docs/operate/webhooks.md. */
  readonly answers: Readonly<Record<string, number>>;
  readonly ignored: IgnoredEvents;
  readonly lastSelfTest: SelfTestReport | null;
}

/** One subscription that the service holds for this account. */
export interface SubscriptionView {
  readonly id: string;
  /** Its origin, without path and query, which may be the subscriber's secrets. */
  readonly origin: string;
  /** `ours`: the address in use. `former`: one that this plugin registered before. `other`: another subscriber's. */
  readonly whose: 'ours' | 'former' | 'other';
  /** False when the service has stopped sending it events. */
  readonly active: boolean;
}

/** Operations on webhooks. Rejects with the errors of `support/errors.ts`. */
export interface WebhookApi {
  /** `withAddress`: includes the whole address, which is shown only on request. */
  status(withAddress: boolean): WebhooksView;
  /** The subscriptions that the service holds. */
  list(): Promise<readonly SubscriptionView[]>;
  /** Registers now. Rejects with `bad-configuration` without a public address, `not-permitted` where nothing listens. */
  register(): Promise<WebhooksView>;
  /** Ends one subscription. Rejects with `not-found` when the service holds none of that id. */
  remove(id: string): Promise<void>;
  /** Sends a request of our own through the public address. Rejects with `not-permitted` where nothing listens. */
  test(): Promise<SelfTestReport>;
}
