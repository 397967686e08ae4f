// The bolt: a motor that takes its time, can jam and can be overtaken, and a thumbturn that always turns.
import type { Kernel } from '../kernel.ts';
import { isOnline, isPowered, type Lock } from '../lock.ts';
import type { Accessor, AccessType, BoltEnd, EventCode } from '../records.ts';
import { drain } from './battery.ts';
import { record, reportBolt } from './report.ts';

/** How a movement ended: at an end, in a jam, or somewhere between because the power went. */
export type BoltPosition = BoltEnd | 'jammed' | 'stalled';

/** Called when a bolt starts and when it comes to rest. */
export interface BoltWatcher {
  started(lock: Lock): void;
  rested(lock: Lock, rest: BoltPosition): void;
}

type EventCodesByEnd = Readonly<Record<BoltEnd, EventCode>>;

const BY_MOBILE: EventCodesByEnd = { Locked: 'LockedByMobileDevice', Unlocked: 'UnlockedByMobileDevice' };
const BY_TIME: EventCodesByEnd = { Locked: 'LockedByTime', Unlocked: 'UnlockedByTime' };
const BY_PLATFORM: EventCodesByEnd = { Locked: 'LockedByPlatformKey', Unlocked: 'UnlockedByPlatformKey' };
const NO_CODE: EventCodesByEnd = { Locked: 'Unknown', Unlocked: 'Unknown' };

/** Wire contract 5 and 11: some accessors have no event code of their own. */
const EVENT_CODES_BY_ACCESS: Readonly<Record<AccessType, EventCodesByEnd>> = {
  VirtualKey: BY_MOBILE,
  '1TouchLocking': { Locked: 'LockedByExteriorButton', Unlocked: 'Unknown' },
  AccessCode: { Locked: 'LockedByKeypad', Unlocked: 'UnlockedByKeypad' },
  AutoRelock: BY_TIME,
  Thumbturn: { Locked: 'LockedByThumbturn', Unlocked: 'UnlockedByThumbturn' },
  UnlockButton: NO_CODE,
  LockButton: NO_CODE,
  ScheduledLock: BY_TIME,
  PlatformHome: BY_PLATFORM,
  PlatformHomeNFC: BY_PLATFORM,
  AccessTypeUnavailable: NO_CODE,
};

export class Bolts {
  readonly #kernel: Kernel;
  readonly #watcher: BoltWatcher;

  constructor(kernel: Kernel, watcher: BoltWatcher) {
    this.#kernel = kernel;
    this.#watcher = watcher;
  }

  /** Starts the motor; a movement under way gives way to it. Without power nothing starts and false is returned. */
  drive(lock: Lock, to: BoltEnd, accessor: Accessor): boolean {
    if (!isPowered(lock)) {
      return false;
    }
    const { travelMs, travelJitterMs } = lock.settings;
    const jitterMs = travelJitterMs > 0 ? this.#kernel.random.integer(0, travelJitterMs) : 0;
    lock.movement?.arrival.cancel();
    lock.movement = {
      to,
      accessor,
      arrival: this.#kernel.after(travelMs + jitterMs, lock, () => this.#arrive(lock, to, accessor)),
    };
    this.#watcher.started(lock);
    this.#kernel.show(lock, 'bolt');
    return true;
  }

  /** Turns the bolt by hand: at once, against a jam and against the motor. */
  turn(lock: Lock, to: BoltEnd, accessor: Accessor): void {
    if (lock.movement === null && lock.bolt === to) {
      return;
    }
    this.#rest(lock, to, accessor);
  }

  /** The bolt sticks where it is, on the way to `to` or before it started. */
  stick(lock: Lock, accessor: Accessor): void {
    this.#rest(lock, 'jammed', accessor);
  }

  /** The bolt's position becomes unknown. */
  forget(lock: Lock, accessor: Accessor): void {
    this.#rest(lock, 'stalled', accessor);
  }

  #arrive(lock: Lock, to: BoltEnd, accessor: Accessor): void {
    if (!isPowered(lock)) {
      this.forget(lock, accessor);
      return;
    }
    const isJammed = lock.jamsLeft > 0;
    lock.jamsLeft = Math.max(lock.jamsLeft - 1, 0);
    this.#rest(lock, isJammed ? 'jammed' : to, accessor);
    drain(this.#kernel, lock);
  }

  #rest(lock: Lock, rest: BoltPosition, accessor: Accessor): void {
    lock.movement?.arrival.cancel();
    lock.movement = null;
    lock.bolt = rest === 'Locked' || rest === 'Unlocked' ? rest : 'Unknown';
    this.#kernel.show(lock, 'bolt');
    if (rest === 'jammed') {
      record(this.#kernel, lock, 'LockJammed', accessor);
    } else if (rest !== 'stalled') {
      record(this.#kernel, lock, EVENT_CODES_BY_ACCESS[accessor.accessType][rest], accessor);
    }
    reportBolt(this.#kernel, lock, accessor);
    if (rest === 'jammed' && isOnline(lock)) {
      this.#kernel.emit(lock, { kind: 'jammed' });
    }
    this.#watcher.rested(lock, rest);
  }
}
