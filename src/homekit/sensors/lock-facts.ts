// The input of the sensors and the switch beside a lock: its state, and recent events.

import type { Lock } from '../../domain/locks/lock.ts';
import type { LastMove } from '../../domain/locks/move.ts';
import type { Instant } from '../../domain/time/instant.ts';
import type { AlertReport } from '../../domain/webhooks/service-event.ts';
import type { Connectivity, LockView } from '../hap/lock-mapping.ts';
import type { LockOptions } from '../hap/lock-options.ts';

export interface LockFacts {
  readonly lock: Lock;
  readonly view: LockView;
  readonly batteryLow: boolean;
  readonly connectivity: Connectivity;
}

/** A recent event; never an old one. */
export type SensorEvent =
  | { readonly type: 'alert'; readonly alert: AlertReport['type']; readonly at: Instant }
  | { readonly type: 'moved'; readonly move: LastMove }
  /** A guest of a booked stay used their code for the first time. */
  | { readonly type: 'arrived' }
  /** The code of a booked stay is not on the lock shortly before the check-in. */
  | { readonly type: 'not-ready' };

/** A sensor or switch beside the lock. Each implements the part that it needs. */
export interface SideService {
  readonly show: (facts: LockFacts) => void;
  readonly receive?: (event: SensorEvent) => void;
  /** Other options are in force. Which services there are does not depend on those that can change. */
  readonly configure?: (options: LockOptions) => void;
  readonly dispose?: () => void;
}
