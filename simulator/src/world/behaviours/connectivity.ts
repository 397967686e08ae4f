// Losing the cloud and finding it again. The cloud notices a loss late; a lock that is back reports where it stands now.
import type { Kernel } from '../kernel.ts';
import { isOnline, type Lock } from '../lock.ts';
import { backfill, NO_ACCESSOR, reportBattery, reportBolt, touch } from './report.ts';

/** The cloud takes up to 20 minutes to notice the loss of a lock. */
const SLOWEST_NOTICE_MS = 20 * 60_000;

/** The lock has just stopped reaching the cloud. */
export function goOffline(kernel: Kernel, lock: Lock, noticeAfterMs: number | null): void {
  const delayMs =
    noticeAfterMs ?? lock.settings.noticeOfflineMs ?? kernel.random.integer(0, SLOWEST_NOTICE_MS);
  lock.notice?.cancel();
  lock.notice = null;
  if (delayMs <= 0) {
    setConnected(kernel, lock, false);
    return;
  }
  lock.notice = kernel.after(delayMs, lock, () => {
    lock.notice = null;
    setConnected(kernel, lock, false);
  });
}

/** After a reconnect, missed entries go into the history and differences are reported once. */
export function comeOnline(kernel: Kernel, lock: Lock): void {
  if (!isOnline(lock)) {
    return;
  }
  lock.notice?.cancel();
  lock.notice = null;
  lock.cloud.connectedAt = kernel.now();
  touch(kernel, lock);
  setConnected(kernel, lock, true);
  backfill(lock, lock.unreported);
  lock.unreported = [];
  reportBolt(kernel, lock, NO_ACCESSOR);
  reportBattery(kernel, lock);
}

function setConnected(kernel: Kernel, lock: Lock, connected: boolean): void {
  if (lock.cloud.connected !== connected) {
    lock.cloud.connected = connected;
    touch(kernel, lock);
    kernel.emit(lock, { kind: 'connectivity-changed', connected });
  }
}
