// Attributes reported moves to our own commands: the service names the linked user as their accessor.
import type { AccessMethod, Accessor } from '../locks/access.ts';
import { isBoltPosition } from '../locks/bolt.ts';
import type { InFlightCommand } from '../locks/evidence-policy.ts';
import { type Instant } from '../time/instant.ts';
import { SAME_WITHIN_MS } from '../time/time.ts';
import type { ServiceEvent } from '../webhooks/service-event.ts';

/** How the service may report a command that came through its interface. All other moves are made at the lock, or by the lock itself. */
const FROM_AFAR: ReadonlySet<AccessMethod> = new Set(['virtual-key', 'platform', 'other']);

export interface AttributionFacts {
  readonly inFlight: InFlightCommand | null;
  /** The person of the link, as its token names them; null when it names none. */
  readonly subject: string | null;
  /** When the move happened. */
  readonly at: Instant;
}

/**
 * The event, with our command as the accessor where the move is its effect: made from afar, by the person of the link, to the
 * target of the command and from elsewhere, while it was under way. Where the token names no person, the event as it is.
 */
export function attributeMove<Event extends ServiceEvent>(event: Event, facts: AttributionFacts): Event {
  if (event.type !== 'bolt' || event.accessor === null || event.bolt === null) {
    return event;
  }
  const { inFlight, subject, at } = facts;
  const { id, method } = event.accessor;
  const isOurs =
    inFlight !== null &&
    isBoltPosition(event.bolt) &&
    inFlight.target === event.bolt &&
    inFlight.before !== event.bolt &&
    at >= inFlight.from &&
    (inFlight.until === null || at <= inFlight.until + SAME_WITHIN_MS) &&
    FROM_AFAR.has(method) &&
    subject !== null &&
    id === subject;
  return isOurs ? { ...event, accessor: { method: 'own-command', id, name: null } } : event;
}

/** Whether `other` is the service's name for the accessor that `ours` calls a command of ours. */
export function isReportedForOurs(ours: Accessor, other: Accessor): boolean {
  return ours.method === 'own-command' && ours.id !== null && ours.id === other.id;
}
