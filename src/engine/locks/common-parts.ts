// The parts that the modules of an account's runtime share. Each module names the members that it uses.
import type { AccountLink, ServiceTimeline } from '../../domain/ports.ts';
import type { Clock } from '../../support/clock.ts';
import type { Log } from '../../support/log.ts';
import type { EventBus } from './event-bus.ts';
import type { LockStore } from './lock-store.ts';

export interface CommonParts {
  readonly bus: EventBus;
  readonly store: LockStore;
  readonly link: AccountLink;
  readonly clock: Clock;
  readonly serviceClock: ServiceTimeline;
  readonly log: Log;
}
