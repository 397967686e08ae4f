// The ledger of received events, as it is kept; it can break, and counts its commits.
import type { EventLedger, ReceivedEvent } from '../../../src/domain/webhooks/ports.ts';
import type { ServiceEvent } from '../../../src/domain/webhooks/service-event.ts';
import { RetryError } from '../../../src/support/errors.ts';

/** A ledger in memory that can break, and that counts its commits. */
export class MemoryLedger implements EventLedger {
  readonly events = new Map<string, ReceivedEvent>();
  commits = 0;
  asked = 0;
  broken = false;

  has(event: ServiceEvent): boolean {
    this.#assertWhole();
    this.asked += 1;
    return this.events.get(event.eventId)?.event.at === event.at;
  }

  newestAt(): number | null {
    this.#assertWhole();
    const times = [...this.events.values()].flatMap(({ event }) => event.at ?? []);
    return times.length === 0 ? null : Math.max(...times);
  }

  appendAll(events: readonly ReceivedEvent[]): void {
    this.#assertWhole();
    this.commits += 1;
    for (const trusted of events) {
      this.events.set(trusted.event.eventId, this.events.get(trusted.event.eventId) ?? trusted);
    }
  }

  #assertWhole(): void {
    if (this.broken) {
      throw new RetryError('storage-failed', 'The disk is full');
    }
  }
}
