// Experimental: sends a lock's events to subscribed controllers at once, without HAP's quarter-second delay.
import type { Service } from 'homebridge';
import type { AccessoryParts } from './accessory-parts.ts';
import { Pulse } from './pulse.ts';

/** The pulse has no meaning; it ends soon so that it is not taken for a state, in milliseconds (our choice). */
const FLUSH_PULSE_MS = 1_000;

/**
 * A pulse to be started right after the characteristics were updated: HAP sends a MotionDetected event at once, along
 * with all events that wait on the same connection. Null where the option is off; cached leftovers are removed then.
 */
export function fastEventsOf({ api, clock, options }: AccessoryParts, management: Service): Pulse | null {
  const { MotionDetected } = api.hap.Characteristic;
  if (options.fastEvents) {
    const motion = management.getCharacteristic(MotionDetected);
    motion.updateValue(false);
    return new Pulse(clock, FLUSH_PULSE_MS, (on) => {
      // "On" again is no change of the value, but must be sent.
      motion.sendEventNotification(on);
    });
  }
  if (management.testCharacteristic(MotionDetected)) {
    management.removeCharacteristic(management.getCharacteristic(MotionDetected));
  }
  return null;
}
