// Reports a lock's events to the cloud: at once when it is online, else on reconnect.
import type { Kernel } from '../kernel.ts';
import { batteryWord, type HistoryEntry, isOnline, isPowered, type Lock, shownPercent } from '../lock.ts';
import type { Accessor, BatteryState, EventCode } from '../records.ts';

/** The number of entries that one call can return (wire contract 5); older entries can never be read again. */
const HISTORY_KEPT = 100;

/** No accessor, or an unknown one. */
export const NO_ACCESSOR: Accessor = { id: null, friendlyName: null, accessType: 'AccessTypeUnavailable' };

/** The cloud's picture of the device has changed. */
export function touch(kernel: Kernel, lock: Lock): void {
  lock.cloud.updatedAt = kernel.now();
}

/** Writes a history entry now, or keeps it on the lock until it is online again. Without power nothing is written. */
export function record(kernel: Kernel, lock: Lock, eventCode: EventCode, accessor: Accessor): void {
  if (!isPowered(lock)) {
    return;
  }
  const entry = { id: kernel.random.uuid(), at: kernel.now(), eventCode, accessor };
  addEntry(isOnline(lock) ? lock.cloud.history : lock.unreported, entry);
}

/** Writes an entry that the cloud itself knows of, at its place in time, wherever the lock is. */
export function recordInCloud(kernel: Kernel, lock: Lock, entry: Omit<HistoryEntry, 'id'>): void {
  backfill(lock, [{ id: kernel.random.uuid(), ...entry }]);
}

/** Adds an entry and lets the oldest go. */
function addEntry(history: HistoryEntry[], entry: HistoryEntry): void {
  history.push(entry);
  if (history.length > HISTORY_KEPT) {
    history.shift();
  }
}

/** Writes an entry of the past into the cloud's history, at its place in time. */
export function backfill(lock: Lock, entries: readonly HistoryEntry[]): void {
  const { history } = lock.cloud;
  history.push(...entries);
  history.sort((one, other) => one.at - other.at);
  history.splice(0, Math.max(history.length - HISTORY_KEPT, 0));
}

/** Reports the position of the bolt to the cloud. `Unknown` has no event of its own: it is only read. */
export function reportBolt(kernel: Kernel, lock: Lock, accessor: Accessor): void {
  if (!isOnline(lock) || lock.cloud.lockState === lock.bolt) {
    return;
  }
  lock.cloud.lockState = lock.bolt;
  touch(kernel, lock);
  if (lock.bolt !== 'Unknown') {
    kernel.emit(lock, { kind: 'lock-state-changed', lockState: lock.bolt, accessor });
  }
}

const BATTERY_EVENT_CODES: Readonly<Partial<Record<BatteryState, EventCode>>> = {
  Low: 'LowBatteryIndicated',
  CriticallyLow: 'CriticalBatteryState',
};

/** Reports the charge of the battery to the cloud; a new word is an event and, when it is a bad one, a history entry. */
export function reportBattery(kernel: Kernel, lock: Lock): void {
  const { cloud } = lock;
  const [word, percent] = [batteryWord(lock), shownPercent(lock)];
  if (!isOnline(lock) || (cloud.batteryState === word && cloud.batteryPercent === percent)) {
    return;
  }
  const isNewWord = cloud.batteryState !== word;
  cloud.batteryState = word;
  cloud.batteryPercent = percent;
  touch(kernel, lock);
  if (!isNewWord) {
    return;
  }
  const eventCode = BATTERY_EVENT_CODES[word];
  if (eventCode !== undefined) {
    record(kernel, lock, eventCode, NO_ACCESSOR);
  }
  kernel.emit(lock, { kind: 'battery-changed', batteryState: word, percentageBatteryLevel: percent });
}
