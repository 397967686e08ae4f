// When a battery is low: the service's grade and percentage together, with a gap between low and good.
import type { Battery } from './lock.ts';

/** Percent between low and no longer low, so that a battery at the edge does not warn every hour (our choice). */
const GAP = 5;

/**
 * Low at or below `lowPercent`; not low only when word and number agree. Within the gap above it the result stays as it
 * was.
 */
export function isLow(battery: Battery, lowPercent: number, wasLow: boolean): boolean {
  if (battery.grade === 'low' || battery.grade === 'critical') {
    return true;
  }
  if (battery.percent === null) {
    return battery.grade === 'unknown' && wasLow;
  }
  return battery.percent <= lowPercent || (wasLow && battery.percent < lowPercent + GAP);
}
