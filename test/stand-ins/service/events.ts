// A feed of events that tests speak into.
import type { BoltPosition } from '../../../src/domain/locks/bolt.ts';
import type { EventFeed, EventTrust, TrustedEvent } from '../../../src/domain/webhooks/ports.ts';
import type { ServiceEvent, ServiceReport } from '../../../src/domain/webhooks/service-event.ts';
import { FRONT_DOOR } from './locks.ts';

export const thumbturn = { method: 'thumbturn', id: null, name: null } as const;

export function turned(bolt: BoltPosition): ServiceReport {
  return { type: 'bolt', bolt, accessor: thumbturn };
}

export class StandInFeed implements EventFeed {
  #listener: (message: TrustedEvent) => void = () => {};
  #count = 0;

  subscribe(listener: (message: TrustedEvent) => void): () => void {
    this.#listener = listener;
    return () => {
      this.#listener = () => {};
    };
  }

  emit(
    message: ServiceReport,
    about: Partial<Pick<ServiceEvent, 'at' | 'lockId'>>,
    trust: EventTrust = 'verified',
  ): void {
    this.#count += 1;
    const event: ServiceEvent = {
      eventId: `e-${this.#count}`,
      at: null,
      lockId: FRONT_DOOR,
      ...message,
      ...about,
    };
    this.#listener({ event, trust });
  }
}
