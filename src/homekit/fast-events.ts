// Experimental: brings a lock's news to subscribed controllers at once, where HAP would hold it back for a quarter second.
import type { Characteristic, HAP, Service } from 'homebridge';
import type { Clock } from '../support/clock.ts';
import { Pulse } from './pulse.ts';

/** The pulse means nothing by itself; it ends soon so that it is not taken for a state, in milliseconds (our choice). */
const FLUSH_PULSE_MS = 1_000;

/**
 * HAP sends an event of MotionDetected at once, and with it everything that waits on the same connection. It is among
 * LockManagement's own optional characteristics; only controllers that subscribe to it notice anything.
 */
export class FastEvents {
  readonly #pulse: Pulse;

  constructor(hap: HAP, management: Service, clock: Clock) {
    const motion: Characteristic = management.getCharacteristic(hap.Characteristic.MotionDetected);
    motion.updateValue(false);
    this.#pulse = new Pulse(clock, FLUSH_PULSE_MS, (on) => {
      // "On" again is no change of its value, and has to be sent all the same.
      motion.sendEventNotification(on);
    });
  }

  /** Call it right after the news was put into its characteristics. */
  flush(): void {
    this.#pulse.start();
  }

  dispose(): void {
    this.#pulse.end();
  }
}

/** Takes away what an earlier start with the option left in the cache. */
export function removeFastEvents(hap: HAP, management: Service): void {
  const { MotionDetected } = hap.Characteristic;
  if (management.testCharacteristic(MotionDetected)) {
    management.removeCharacteristic(management.getCharacteristic(MotionDetected));
  }
}
