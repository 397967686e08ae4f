// Physical actions at a lock: thumbturn, buttons, keypad, virtual keys.
import { enterCode } from '../behaviours/keypad.ts';
import { NO_ACCESSOR, record } from '../behaviours/report.ts';
import { isOnline } from '../lock.ts';
import type { Accessor, AccessType } from '../records.ts';
import { UnknownIdError } from '../unknown-id-error.ts';
import type { PhysicalActions } from '../world-types.ts';
import type { LockFleet } from './lock-fleet.ts';

const somebody = (accessType: AccessType): Accessor => ({ id: null, friendlyName: null, accessType });

export function physicalActions(fleet: LockFleet): PhysicalActions {
  const { bolts, kernel } = fleet;
  return {
    turnThumbturn(deviceId, to) {
      const lock = fleet.lock(deviceId);
      const otherSide = lock.bolt === 'Locked' ? 'Unlocked' : 'Locked';
      bolts.turn(lock, to ?? otherSide, somebody('Thumbturn'));
    },
    pressOneTouch(deviceId) {
      bolts.drive(fleet.lock(deviceId), 'Locked', somebody('1TouchLocking'));
    },
    typeCode: (deviceId, code, to = 'Unlocked') =>
      enterCode(kernel, bolts, fleet.lock(deviceId), { code, to }),
    pressInsideButton(deviceId, button) {
      bolts.drive(fleet.lock(deviceId), button === 'UnlockButton' ? 'Unlocked' : 'Locked', somebody(button));
    },
    useVirtualKey(deviceId, userId, to) {
      const lock = fleet.lock(deviceId);
      const key = fleet.virtualKey(userId);
      if (!lock.roles.has(userId)) {
        throw new UnknownIdError(`key to "${lock.name}" of a user`, userId);
      }
      bolts.drive(lock, to, key);
    },
    usePlatformHome(deviceId, to, nfc = false) {
      bolts.drive(fleet.lock(deviceId), to, somebody(nfc ? 'PlatformHomeNFC' : 'PlatformHome'));
    },
    runScheduledLock(deviceId) {
      fleet.relock.lockOnSchedule(fleet.lock(deviceId));
    },
    triggerAlarm(deviceId) {
      const lock = fleet.lock(deviceId);
      record(kernel, lock, 'AlarmTriggered', NO_ACCESSOR);
      if (isOnline(lock)) {
        kernel.emit(lock, { kind: 'alarm-triggered' });
      }
    },
  };
}
