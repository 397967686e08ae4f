// When a battery is low: the service's grade and percentage together, with a gap between low and good.
import type { Battery } from './lock.ts';

/** Two bounds, so that a battery at the edge does not warn every hour. Whole percent. */
export interface LowBatteryLimits {
  /** Low at or below this. */
  readonly thresholdPercent: number;
  /** No longer low at or above this. */
  readonly clearPercent: number;
}

/** Not low only when word and number agree; between the bounds the result stays as it was. */
export function isLow(battery: Battery, limits: LowBatteryLimits, wasLow: boolean): boolean {
  if (battery.grade === 'low' || battery.grade === 'critical') {
    return true;
  }
  if (battery.percent === null) {
    return battery.grade === 'unknown' && wasLow;
  }
  return battery.percent <= limits.thresholdPercent || (wasLow && battery.percent < limits.clearPercent);
}
