// What features bring to a bridge of Homebridge, beside the locks in HomeKit.
import type { API, MatterAccessory } from 'homebridge';
import type { Config } from '../config/config.ts';
import type { FeatureStatus } from '../domain/account/feature-status.ts';
import type { LockId } from '../domain/locks/lock.ts';
import type { SourcedValues } from '../domain/locks/settings.ts';
import type { RuntimeView } from '../engine/account-runtime.ts';
import { Additions } from '../support/additions.ts';
import type { Clock } from '../support/clock.ts';
import type { Log } from '../support/log.ts';

/** The bridge, and the account whose locks it shows. */
export interface BridgeAccount {
  readonly api: API;
  readonly config: Config;
  readonly runtime: RuntimeView;
  /** The options in force for one lock. */
  readonly lockOptions: (id: LockId) => SourcedValues;
  /** The rows of config.json under `locks`, and what a lock in the place of another took over. */
  readonly lockRows: () => Config['locks'];
  /** Calls `listener` when a page changed the options of a lock; the returned function unsubscribes. */
  readonly subscribeOptions: (listener: (id: LockId) => void) => () => void;
  /** What the account keeps on the disk. Throws storage errors. */
  readonly settings: {
    read(key: string): unknown;
    write(key: string, value: unknown): void;
    erase(key: string): void;
  };
  /** The accessories over Matter that Homebridge restored. */
  readonly restoredOverMatter: readonly MatterAccessory[];
  readonly clock: Clock;
  readonly log: Log;
}

export interface BridgeFeature {
  /** Whether it shows this lock alone, so that it is not in HomeKit. `wasInHome`: before the start it was. */
  takes?(id: LockId, wasInHome: boolean): boolean;
  /** Calls `listener` when `takes` may have changed, until the returned function is called. */
  subscribe?(listener: () => void): () => void;
  status?(): Partial<FeatureStatus>;
  /** Once HomeKit has its locks. */
  start?(): void;
  dispose?(): void;
}

export const bridgeFeatures = new Additions<(bridge: BridgeAccount) => BridgeFeature>();
