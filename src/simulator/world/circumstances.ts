// Weather, faults and edits: what befalls a lock without anybody asking it to do something.
import type { StoredCode } from './access-code.ts';
import { replaceBatteries, setCharge } from './behaviours/battery.ts';
import { delist, enlist } from './behaviours/codes.ts';
import { comeOnline, goOffline } from './behaviours/connectivity.ts';
import { NO_ACCESSOR, recordInCloud, touch } from './behaviours/report.ts';
import { isOnline, type Lock } from './lock.ts';
import { changeSettings } from './lock-settings.ts';
import { type Neighbourhood, UnknownIdError } from './neighbourhood.ts';
import { storedCode } from './stored-code.ts';
import type { Circumstances } from './world-types.ts';

/** What can befall the locks of a neighbourhood. */
export function circumstances(hood: Neighbourhood): Circumstances {
  return { ...boltCircumstances(hood), ...supplyCircumstances(hood), ...codeCircumstances(hood) };
}

function boltCircumstances(
  hood: Neighbourhood,
): Pick<
  Circumstances,
  'jam' | 'clearJam' | 'forgetPosition' | 'failNextCommands' | 'configure' | 'setBusyMode' | 'writeHistory'
> {
  return {
    jam(deviceId, count = Number.POSITIVE_INFINITY) {
      const lock = hood.lock(deviceId);
      lock.jamsLeft = count;
      hood.kernel.show(lock, 'bolt');
    },
    clearJam(deviceId) {
      const lock = hood.lock(deviceId);
      lock.jamsLeft = 0;
      hood.kernel.show(lock, 'bolt');
    },
    forgetPosition(deviceId) {
      hood.bolts.forget(hood.lock(deviceId), NO_ACCESSOR);
    },
    failNextCommands(deviceId, { errorCode, count = 1, delayMs = null }) {
      hood.lock(deviceId).plannedFaults.push({ errorCode, delayMs, left: count });
    },
    configure(deviceId, settings) {
      const lock = hood.lock(deviceId);
      lock.settings = changeSettings(lock.settings, settings);
      hood.relock.armAutoRelock(lock);
      hood.relock.armDailyLock(lock);
      touch(hood.kernel, lock);
      hood.kernel.show(lock, 'settings');
    },
    setBusyMode(mode) {
      hood.commands.busyMode = mode;
    },
    writeHistory(deviceId, { eventCode, at = hood.kernel.now(), accessor = NO_ACCESSOR }) {
      recordInCloud(hood.kernel, hood.lock(deviceId), { at, eventCode, accessor });
    },
  };
}

function supplyCircumstances(
  hood: Neighbourhood,
): Pick<Circumstances, 'cutWifi' | 'restoreWifi' | 'setBattery' | 'replaceBatteries'> {
  const { kernel } = hood;
  return {
    cutWifi(deviceId, noticeAfterMs) {
      const lock = hood.lock(deviceId);
      const wasOnline = isOnline(lock);
      lock.wifi = false;
      if (wasOnline) {
        goOffline(kernel, lock, noticeAfterMs ?? null);
      }
      hood.kernel.show(lock, 'wifi');
    },
    restoreWifi(deviceId) {
      const lock = hood.lock(deviceId);
      if (!lock.wifi) {
        lock.wifi = true;
        comeOnline(kernel, lock);
        hood.kernel.show(lock, 'wifi');
      }
    },
    setBattery(deviceId, percent) {
      setCharge(kernel, hood.lock(deviceId), percent);
    },
    replaceBatteries(deviceId) {
      replaceBatteries(kernel, hood.lock(deviceId));
    },
  };
}

function codeCircumstances(
  hood: Neighbourhood,
): Pick<Circumstances, 'putAccessCode' | 'duplicateCodeOnLock' | 'dropAccessCode'> {
  const { kernel } = hood;
  return {
    putAccessCode(deviceId, setup, side) {
      const lock = hood.lock(deviceId);
      const code = storedCode(setup, setup.accessCodeId ?? kernel.chance.uuid());
      if (side !== 'cloud') {
        putOnLock(lock, code);
        hood.kernel.show(lock, 'codes-on-lock');
      }
      if (side !== 'lock') {
        enlist(kernel, lock, code);
      }
      return code.accessCodeId;
    },
    duplicateCodeOnLock(deviceId, accessCodeId) {
      const lock = hood.lock(deviceId);
      lock.storedCodes = [...lock.storedCodes, codeOnLock(lock, accessCodeId)];
      hood.kernel.show(lock, 'codes-on-lock');
    },
    dropAccessCode(deviceId, accessCodeId, side) {
      const lock = hood.lock(deviceId);
      const listed = side === 'lock' ? undefined : lock.cloud.codes.get(accessCodeId);
      const before = lock.storedCodes.length;
      if (side !== 'cloud') {
        lock.storedCodes = lock.storedCodes.filter((code) => code.accessCodeId !== accessCodeId);
      }
      if (listed === undefined && lock.storedCodes.length === before) {
        throw new UnknownIdError('access code', accessCodeId);
      }
      if (lock.storedCodes.length < before) {
        hood.kernel.show(lock, 'codes-on-lock');
      }
      if (listed !== undefined) {
        delist(kernel, lock, listed);
      }
    },
  };
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
