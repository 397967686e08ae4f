// Access codes in their two places: stored on the lock, and listed by the cloud. The two can drift apart.
import type { ErrorCode } from '../../contract/errors.ts';
import { accessCodeRecord, findClash, MOST_CODES, type StoredCode } from '../access-code.ts';
import type { Kernel } from '../kernel.ts';
import type { Lock } from '../lock.ts';
import type { Accessor } from '../records.ts';
import { NO_ACCESSOR, record, touch } from './report.ts';

const accessorOf = (code: StoredCode): Accessor => ({
  id: code.accessCodeId,
  friendlyName: code.name,
  accessType: 'AccessCode',
});

const holdings = (lock: Lock, accessCodeId: string): readonly StoredCode[] =>
  lock.storedCodes.filter((code) => code.accessCodeId === accessCodeId);

/** The lock stores a new code, or answers with the reason for its refusal. */
export function storeNew(kernel: Kernel, lock: Lock, code: StoredCode): ErrorCode | null {
  const clash = findClash(lock.storedCodes, code, code.accessCodeId, lock.settings.vlac);
  if (clash !== null) {
    return clash;
  }
  if (lock.storedCodes.length >= MOST_CODES) {
    return 5;
  }
  lock.storedCodes.push(code);
  record(kernel, lock, 'AccessCodeUserAdded', accessorOf(code));
  return null;
}

/** The lock changes a code it has. History has no code for that. */
export function storeChanged(lock: Lock, code: StoredCode): ErrorCode | null {
  const held = holdings(lock, code.accessCodeId).length;
  if (held !== 1) {
    return held === 0 ? 26 : 27;
  }
  const clash = findClash(lock.storedCodes, code, code.accessCodeId, lock.settings.vlac);
  if (clash === null) {
    lock.storedCodes = lock.storedCodes.map((other) =>
      other.accessCodeId === code.accessCodeId ? code : other,
    );
  }
  return clash;
}

/** The lock deletes a code. One that it does not have is as good as deleted. */
export function erase(kernel: Kernel, lock: Lock, accessCodeId: string): ErrorCode | null {
  const [code, ...more] = holdings(lock, accessCodeId);
  if (more.length > 0) {
    return 27;
  }
  if (code !== undefined) {
    lock.storedCodes = lock.storedCodes.filter((other) => other !== code);
    record(kernel, lock, 'AccessCodeUserDeleted', accessorOf(code));
  }
  return null;
}

/** The lock deletes every code that is not read-only. */
export function eraseAll(kernel: Kernel, lock: Lock): null {
  lock.storedCodes = lock.storedCodes.filter((code) => code.readOnly);
  record(kernel, lock, 'AllAccessCodesDeleted', NO_ACCESSOR);
  return null;
}

/** The cloud's list takes a new or changed code, and an event reports it. */
export function enlist(kernel: Kernel, lock: Lock, code: StoredCode): void {
  const kind = lock.cloud.codes.has(code.accessCodeId) ? 'access-code-updated' : 'access-code-added';
  lock.cloud.codes.set(code.accessCodeId, code);
  touch(kernel, lock);
  kernel.emit(lock, { kind, accessCode: accessCodeRecord(code, lock.settings.timeZone) });
}

/** The cloud's list drops a code, and an event reports it. */
export function delist(kernel: Kernel, lock: Lock, code: StoredCode): void {
  lock.cloud.codes.delete(code.accessCodeId);
  touch(kernel, lock);
  kernel.emit(lock, { kind: 'access-code-deleted', accessCodeId: code.accessCodeId, name: code.name });
}

/** The cloud's list lets every code go that is not read-only. */
export function delistAll(kernel: Kernel, lock: Lock): void {
  for (const code of [...lock.cloud.codes.values()].filter((one) => !one.readOnly)) {
    delist(kernel, lock, code);
  }
}
