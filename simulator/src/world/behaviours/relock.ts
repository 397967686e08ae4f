// Locking by time: a set time after the door was unlocked, and every day at a set hour.

import { nextWallTime } from '../../time/zone.ts';
import type { Kernel } from '../kernel.ts';
import type { Lock } from '../lock.ts';
import type { Accessor } from '../records.ts';
import type { Bolts } from './bolt.ts';

const AUTO_RELOCK: Accessor = { id: null, friendlyName: null, accessType: 'AutoRelock' };
const SCHEDULED_LOCK: Accessor = { id: null, friendlyName: null, accessType: 'ScheduledLock' };

/** The timers inside the locks of a world. They run without the cloud. */
export class Relock {
  readonly #kernel: Kernel;
  readonly #bolts: Bolts;

  constructor(kernel: Kernel, bolts: Bolts) {
    this.#kernel = kernel;
    this.#bolts = bolts;
  }

  /** Starts counting when the bolt rests unlocked and the lock is set to relock; stops in every other case. */
  armAutoRelock(lock: Lock): void {
    const { autoRelockMs } = lock.settings;
    this.disarmAutoRelock(lock);
    if (lock.bolt === 'Unlocked' && lock.movement === null && autoRelockMs !== null) {
      lock.relock = this.#kernel.after(autoRelockMs, lock, () => {
        lock.relock = null;
        this.#bolts.drive(lock, 'Locked', AUTO_RELOCK);
      });
    }
  }

  disarmAutoRelock(lock: Lock): void {
    lock.relock?.cancel();
    lock.relock = null;
  }

  /** Waits for the next time the door's own clock shows the hour of the daily lock. */
  armDailyLock(lock: Lock): void {
    const { scheduledLockAt, timeZone } = lock.settings;
    lock.dailyLock?.cancel();
    lock.dailyLock = null;
    if (scheduledLockAt !== null) {
      const now = this.#kernel.now();
      lock.dailyLock = this.#kernel.after(nextWallTime(timeZone, scheduledLockAt, now) - now, lock, () => {
        this.lockOnSchedule(lock);
        this.armDailyLock(lock);
      });
    }
  }

  lockOnSchedule(lock: Lock): void {
    this.#bolts.drive(lock, 'Locked', SCHEDULED_LOCK);
  }
}
