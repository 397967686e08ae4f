// The parts from which the accessory of a lock is built.
import type { API, PlatformAccessory } from 'homebridge';
import type { RuntimeView } from '../../engine/account-runtime.ts';
import type { Clock } from '../../support/clock.ts';
import type { Log } from '../../support/log.ts';
import type { LockOptions } from './lock-options.ts';
import type { ShapeChanges } from './shape-changes.ts';
import type { ShownValues } from './shown-values.ts';

export interface AccessoryParts {
  readonly api: API;
  readonly accessory: PlatformAccessory;
  /** False for an accessory from Homebridge's cache. */
  readonly isNew: boolean;
  readonly runtime: Pick<RuntimeView, 'request' | 'caughtUp' | 'serviceNow' | 'codes' | 'guests'>;
  readonly options: LockOptions;
  readonly values: ShownValues;
  readonly shapes: Pick<ShapeChanges, 'later'>;
  readonly clock: Clock;
  readonly log: Log;
}
