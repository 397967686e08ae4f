// The keypad: it knows the codes on the lock and the clock on the wall, and after too many wrong entries it sulks.
import type { Kernel } from '../kernel.ts';
import { isOnline, isPowered, type Lock } from '../lock.ts';
import type { Accessor, BoltEnd } from '../records.ts';
import { isActive } from '../schedule.ts';
import type { KeypadResult } from '../world-types.ts';
import type { Bolts } from './bolt.ts';
import { NO_ACCESSOR, record } from './report.ts';

/** An entry on the keypad. The lock goes by its own codes, which need not be those of the cloud's list. */
export function enterCode(
  kernel: Kernel,
  bolts: Bolts,
  lock: Lock,
  entry: { readonly code: string; readonly to: BoltEnd },
): KeypadResult {
  if (!isPowered(lock)) {
    return 'no-power';
  }
  if (lock.lockedOutUntil !== null) {
    return 'locked-out';
  }
  const match = lock.storedCodes.find(
    (stored) => stored.code === entry.code && isActive(stored.schedule, kernel.now(), lock.settings.timeZone),
  );
  if (match === undefined) {
    refuse(kernel, lock, entry.code);
    return 'refused';
  }
  lock.wrongEntries = 0;
  const accessor: Accessor = {
    id: match.accessCodeId,
    friendlyName: match.name,
    accessType: 'AccessCode',
  };
  bolts.drive(lock, entry.to, accessor);
  return 'accepted';
}

function refuse(kernel: Kernel, lock: Lock, enteredAccessCode: string): void {
  lock.wrongEntries += 1;
  if (isOnline(lock)) {
    kernel.emit(lock, { kind: 'incorrect-code-entered', enteredAccessCode });
  }
  if (lock.wrongEntries >= lock.settings.wrongCodesToLockout) {
    disable(kernel, lock);
  }
}

function disable(kernel: Kernel, lock: Lock): void {
  const { keypadLockoutMs } = lock.settings;
  lock.wrongEntries = 0;
  lock.lockedOutUntil = kernel.now() + keypadLockoutMs;
  record(kernel, lock, 'KeypadDisabledInvalidCode', NO_ACCESSOR);
  if (isOnline(lock)) {
    kernel.emit(lock, { kind: 'keypad-locked-out' });
  }
  kernel.show(lock, 'keypad');
  kernel.after(keypadLockoutMs, lock, () => {
    lock.lockedOutUntil = null;
    kernel.show(lock, 'keypad');
  });
}
