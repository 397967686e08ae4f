// The relay's view of any broker: it keeps a message for a home, so that no crash loses it.
import type { Carrier, PublishReceipt } from '../carrier/carrier.ts';
import type { RelayedMessage } from '../webhook/relayed-message.ts';

export interface HomeMessage extends RelayedMessage {
  readonly home: string;
  /** The same for a repeat of the same request, and different for all others. */
  readonly id: string;
}

export interface RelayBroker extends Pick<Carrier, 'state' | 'subscribeState' | 'close'> {
  /**
   * Resolves when the broker holds the message, also if it is killed the next moment. Rejects as the publishing of a
   * carrier does.
   */
  keep(message: HomeMessage): Promise<PublishReceipt>;
}
