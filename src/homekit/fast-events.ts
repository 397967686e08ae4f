// Experimental: sends a lock's events to subscribed controllers at once, without HAP's quarter-second delay.
import type { Characteristic, HAP, Service } from 'homebridge';
import type { Clock } from '../support/clock.ts';
import type { AccessoryParts } from './accessory-parts.ts';
import { Pulse } from './pulse.ts';

/** The pulse has no meaning; it ends soon so that it is not taken for a state, in milliseconds (our choice). */
const FLUSH_PULSE_MS = 1_000;

/** HAP sends a MotionDetected event at once, along with all events that wait on the same connection. */
export class FastEvents {
  readonly #pulse: Pulse;

  constructor(hap: HAP, management: Service, clock: Clock) {
    const motion: Characteristic = management.getCharacteristic(hap.Characteristic.MotionDetected);
    motion.updateValue(false);
    this.#pulse = new Pulse(clock, FLUSH_PULSE_MS, (on) => {
      // "On" again is no change of the value, but must be sent.
      motion.sendEventNotification(on);
    });
  }

  /** Call it right after the characteristics were updated. */
  flush(): void {
    this.#pulse.start();
  }

  dispose(): void {
    this.#pulse.end();
  }
}

/** Null where the option is off; cached leftovers of an earlier start are removed. */
export function fastEventsOf(
  { api, clock, options }: AccessoryParts,
  management: Service,
): FastEvents | null {
  if (options.fastEvents) {
    return new FastEvents(api.hap, management, clock);
  }
  const { MotionDetected } = api.hap.Characteristic;
  if (management.testCharacteristic(MotionDetected)) {
    management.removeCharacteristic(management.getCharacteristic(MotionDetected));
  }
  return null;
}
