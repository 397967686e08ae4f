// The relay's view of any broker: it keeps a message for a home, so that no crash loses it.
import type { Carrier, PublishReceipt } from '../../src/carrier/carrier.ts';
import type { Metric } from '../../src/support/server/prometheus.ts';
import type { RelayedMessage } from '../../src/webhook/relayed-message.ts';
import type { HomeClaim } from './home-token.ts';

export interface HomeMessage extends RelayedMessage, Pick<HomeClaim, 'home' | 'generation'> {
  /** The same for a repeat of the same request, and different for all others. */
  readonly id: string;
}

export interface RelayBroker extends Pick<Carrier, 'state' | 'subscribeState' | 'close'> {
  /**
   * Resolves when the broker holds the message, also if it is killed the next moment. Rejects as the publishing of a
   * carrier does.
   */
  store(message: HomeMessage): Promise<PublishReceipt>;
  /** Whether another relay has said that this enrolment is revoked. Left out: they do not tell each other. */
  isRevoked?(claim: Pick<HomeClaim, 'home' | 'generation'>): boolean;
  /** The configuration was read anew. */
  reread?(): void;
  metrics?(): readonly Metric[];
}
