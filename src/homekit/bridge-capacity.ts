// Counts the accessories of the bridge: HomeKit takes 149 on one, those of other plugins included.
import type { PlatformAccessory } from 'homebridge';
import { type Log, oneLine } from '../support/log.ts';

/** HAP's own limit: 150 accessories with the bridge itself. */
const BRIDGE_CAPACITY = 149;

export class BridgeCapacity {
  readonly #own: () => readonly PlatformAccessory[];
  readonly #log: Log;
  /** A lock was refused, and the log says so. */
  #refused = false;

  /** `own`: our accessories on the bridge. Without any, those of other plugins cannot be counted. */
  constructor(own: () => readonly PlatformAccessory[], log: Log) {
    this.#own = own;
    this.#log = log;
  }

  get hasRoom(): boolean {
    const own = this.#own();
    // oxlint-disable-next-line no-underscore-dangle -- Homebridge shows a bridge's accessories nowhere else
    const bridge = own.map((accessory) => accessory._associatedHAPAccessory.bridge).find(Boolean);
    return (bridge?.bridgedAccessories ?? own).length < BRIDGE_CAPACITY;
  }

  get hasReopened(): boolean {
    return this.#refused && this.hasRoom;
  }

  /** Whether the bridge has capacity for this lock; one log line stands for all that are refused until `reset`. */
  admits(name: string): boolean {
    const { hasRoom } = this;
    if (!hasRoom && !this.#refused) {
      this.#refused = true;
      this.#log.warn(
        `${oneLine(name)} is not in Home: this bridge already has ${BRIDGE_CAPACITY} accessories, the most that Home accepts. Hide locks that you do not need, or move other accessories to another bridge. Further locks wait for room, too.`,
      );
    }
    return hasRoom;
  }

  reset(): void {
    this.#refused = false;
  }
}
