// The battery: each motor movement costs a little, an empty one is silence.
import type { Kernel } from '../kernel.ts';
import { isPowered, type Lock } from '../lock.ts';
import { comeOnline, goOffline } from './connectivity.ts';
import { NO_ACCESSOR, record, reportBattery } from './report.ts';

export function drain(kernel: Kernel, lock: Lock): void {
  fill(kernel, lock, lock.batteryPercent - lock.settings.drainPerMovement);
}

/** Sets the charge in percent; null: the lock no longer reports it. An emptied lock can no longer say that it is empty. */
export function setCharge(kernel: Kernel, lock: Lock, percent: number | null): void {
  lock.reportsBattery = percent !== null;
  fill(kernel, lock, percent ?? lock.batteryPercent);
}

/** New batteries, and a battery report that can be trusted. */
export function replaceBatteries(kernel: Kernel, lock: Lock): void {
  setCharge(kernel, lock, 100);
  record(kernel, lock, 'BatteriesReplaced', NO_ACCESSOR);
}

function fill(kernel: Kernel, lock: Lock, percent: number): void {
  const wasPowered = isPowered(lock);
  lock.batteryPercent = Math.min(Math.max(percent, 0), 100);
  if (wasPowered === isPowered(lock)) {
    reportBattery(kernel, lock);
    return;
  }
  if (lock.wifi) {
    if (wasPowered) {
      goOffline(kernel, lock, null);
    } else {
      comeOnline(kernel, lock);
    }
  }
  kernel.show(lock, 'power');
}
