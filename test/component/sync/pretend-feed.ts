// A feed of events that tests speak into.
import type { BoltPosition } from '../../../src/domain/bolt.ts';
import type { ServiceEvent, ServiceReport } from '../../../src/domain/service-event.ts';
import type { EventFeed, EventTrust, TrustedEvent } from '../../../src/domain/webhook-ports.ts';
import { FRONT_DOOR } from './pretend-service.ts';

export const thumbturn = { method: 'thumbturn', id: null, name: null } as const;

export function turned(bolt: BoltPosition): ServiceReport {
  return { type: 'bolt', bolt, accessor: thumbturn };
}

export class PretendFeed implements EventFeed {
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
