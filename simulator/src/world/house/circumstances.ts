// Weather, faults and edits: changes at a lock without a request.
import { type StoredCode, storedCode } from '../access-code.ts';
import { replaceBatteries, setCharge } from '../behaviours/battery.ts';
import { delist, enlist } from '../behaviours/codes.ts';
import { comeOnline, goOffline } from '../behaviours/connectivity.ts';
import { NO_ACCESSOR, recordInCloud, touch } from '../behaviours/report.ts';
import { isOnline, type Lock } from '../lock.ts';
import { UnknownIdError } from '../unknown-id-error.ts';
import type { Circumstances } from '../world-types.ts';
import type { LockFleet } from './lock-fleet.ts';

export function circumstances(fleet: LockFleet): Circumstances {
  return { ...boltCircumstances(fleet), ...supplyCircumstances(fleet), ...codeCircumstances(fleet) };
}

function boltCircumstances(
  fleet: LockFleet,
): Pick<
  Circumstances,
  'jam' | 'clearJam' | 'forgetPosition' | 'failNextCommands' | 'configure' | 'setBusyMode' | 'writeHistory'
> {
  return {
    jam(deviceId, count = Number.POSITIVE_INFINITY) {
      const lock = fleet.lock(deviceId);
      lock.jamsLeft = count;
      fleet.kernel.show(lock, 'bolt');
    },
    clearJam(deviceId) {
      const lock = fleet.lock(deviceId);
      lock.jamsLeft = 0;
      fleet.kernel.show(lock, 'bolt');
    },
    forgetPosition(deviceId) {
      fleet.bolts.forget(fleet.lock(deviceId), NO_ACCESSOR);
    },
    failNextCommands(deviceId, { errorCode, count = 1, delayMs = null, moves = false }) {
      fleet.lock(deviceId).plannedFaults.push({ errorCode, delayMs, moves, left: count });
    },
    configure(deviceId, settings) {
      const lock = fleet.lock(deviceId);
      lock.settings = { ...lock.settings, ...settings };
      fleet.relock.armAutoRelock(lock);
      fleet.relock.armDailyLock(lock);
      touch(fleet.kernel, lock);
      fleet.kernel.show(lock, 'settings');
    },
    setBusyMode(mode) {
      fleet.commands.busyMode = mode;
    },
    writeHistory(deviceId, { eventCode, at = fleet.kernel.now(), accessor = NO_ACCESSOR }) {
      recordInCloud(fleet.kernel, fleet.lock(deviceId), { at, eventCode, accessor });
    },
  };
}

function supplyCircumstances(
  fleet: LockFleet,
): Pick<Circumstances, 'cutWifi' | 'restoreWifi' | 'setBattery' | 'replaceBatteries'> {
  const { kernel } = fleet;
  return {
    cutWifi(deviceId, noticeAfterMs) {
      const lock = fleet.lock(deviceId);
      const wasOnline = isOnline(lock);
      lock.wifi = false;
      if (wasOnline) {
        goOffline(kernel, lock, noticeAfterMs ?? null);
      }
      fleet.kernel.show(lock, 'wifi');
    },
    restoreWifi(deviceId) {
      const lock = fleet.lock(deviceId);
      if (!lock.wifi) {
        lock.wifi = true;
        comeOnline(kernel, lock);
        fleet.kernel.show(lock, 'wifi');
      }
    },
    setBattery(deviceId, percent) {
      setCharge(kernel, fleet.lock(deviceId), percent);
    },
    replaceBatteries(deviceId) {
      replaceBatteries(kernel, fleet.lock(deviceId));
    },
  };
}

function codeCircumstances(
  fleet: LockFleet,
): Pick<Circumstances, 'putAccessCode' | 'duplicateCodeOnLock' | 'dropAccessCode'> {
  const { kernel } = fleet;
  return {
    putAccessCode(deviceId, setup, side) {
      const lock = fleet.lock(deviceId);
      const code = storedCode(setup, setup.accessCodeId ?? kernel.random.uuid());
      if (side !== 'cloud') {
        putOnLock(lock, code);
        fleet.kernel.show(lock, 'codes-on-lock');
      }
      if (side !== 'lock') {
        enlist(kernel, lock, code);
      }
      return code.accessCodeId;
    },
    duplicateCodeOnLock(deviceId, accessCodeId) {
      const lock = fleet.lock(deviceId);
      lock.storedCodes = [...lock.storedCodes, codeOnLock(lock, accessCodeId)];
      fleet.kernel.show(lock, 'codes-on-lock');
    },
    dropAccessCode(deviceId, accessCodeId, side) {
      const lock = fleet.lock(deviceId);
      const listed = side === 'lock' ? undefined : lock.cloud.codes.get(accessCodeId);
      const isOffLock = side !== 'cloud' && takeOffLock(lock, accessCodeId);
      if (listed === undefined && !isOffLock) {
        throw new UnknownIdError('access code', accessCodeId);
      }
      if (isOffLock) {
        fleet.kernel.show(lock, 'codes-on-lock');
      }
      if (listed !== undefined) {
        delist(kernel, lock, listed);
      }
    },
  };
}

function takeOffLock(lock: Lock, accessCodeId: string): boolean {
  const before = lock.storedCodes.length;
  lock.storedCodes = lock.storedCodes.filter((code) => code.accessCodeId !== accessCodeId);
  return lock.storedCodes.length < before;
}

/** Puts a code where its namesake by id stood, else at the end. */
function putOnLock(lock: Lock, code: StoredCode): void {
  lock.storedCodes = [...lock.storedCodes.filter((other) => other.accessCodeId !== code.accessCodeId), code];
}

function codeOnLock(lock: Lock, accessCodeId: string): StoredCode {
  const code = lock.storedCodes.find((one) => one.accessCodeId === accessCodeId);
  if (code === undefined) {
    throw new UnknownIdError('access code on the lock', accessCodeId);
  }
  return code;
}
