// A broker that keeps what is published, and misbehaves as a test says.

import { BARRIER_TOPIC } from '../../../relay/src/save-barrier.ts';
import type { Carrier, CarrierState, OutgoingMessage, PublishReceipt } from '../../../src/carrier/carrier.ts';
import { FinalError, RetryError, UncertainError } from '../../../src/support/errors.ts';

export class StandInBroker implements Carrier {
  /** What it acknowledged or was about to, but for the barrier of a save. */
  readonly published: OutgoingMessage[] = [];
  /** Topics that no session subscribes to, and topics that may not be written. */
  readonly deserted = new Set<string>([BARRIER_TOPIC]);
  readonly forbidden = new Set<string>();
  /** `gone`: nobody answers at its address; `dies`: it takes a message, and its process ends. */
  fate: 'lives' | 'gone' | 'dies' = 'lives';
  /** Awaited before a message of this topic is acknowledged. */
  acknowledging: (topic: string) => Promise<unknown> = async () => Promise.resolve();
  state: CarrierState = { kind: 'connected', resumed: false };

  async publish(message: OutgoingMessage): Promise<PublishReceipt> {
    const { topic } = message;
    if (this.fate === 'gone' || this.state.kind === 'closed') {
      throw new RetryError('unreachable', 'There is no connection to the broker.');
    }
    if (this.forbidden.has(topic)) {
      throw new FinalError('not-permitted', 'The broker does not permit this topic.');
    }
    if (topic !== BARRIER_TOPIC) {
      this.published.push(message);
    }
    if (this.fate === 'dies') {
      throw new UncertainError('The connection ended before the broker acknowledged a message.');
    }
    await this.acknowledging(topic);
    return { hasSubscriber: !this.deserted.has(topic) };
  }

  subscribeState(): () => void {
    return () => {};
  }

  async close(): Promise<void> {
    this.state = { kind: 'closed' };
    return Promise.resolve();
  }
}
