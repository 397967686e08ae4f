// Hands at the door, and the boxes that act like hands.
import { enterCode } from './behaviours/keypad.ts';
import { NO_ACCESSOR, record } from './behaviours/report.ts';
import { isOnline } from './lock.ts';
import { type Neighbourhood, UnknownIdError } from './neighbourhood.ts';
import type { Accessor, AccessType } from './records.ts';
import type { Hands } from './world-types.ts';

const somebody = (accessType: AccessType): Accessor => ({ id: null, friendlyName: null, accessType });

/** What can be done by hand in a neighbourhood. */
export function hands(hood: Neighbourhood): Hands {
  const { bolts, kernel } = hood;
  return {
    turnThumbturn(deviceId, to) {
      const lock = hood.lock(deviceId);
      const otherSide = lock.bolt === 'Locked' ? 'Unlocked' : 'Locked';
      bolts.turn(lock, to ?? otherSide, somebody('Thumbturn'));
    },
    pressOneTouch(deviceId) {
      bolts.drive(hood.lock(deviceId), 'Locked', somebody('1TouchLocking'));
    },
    typeCode: (deviceId, code, to = 'Unlocked') =>
      enterCode(kernel, bolts, hood.lock(deviceId), { code, to }),
    pressInsideButton(deviceId, button) {
      bolts.drive(hood.lock(deviceId), button === 'UnlockButton' ? 'Unlocked' : 'Locked', somebody(button));
    },
    useVirtualKey(deviceId, userId, to) {
      const lock = hood.lock(deviceId);
      const key = hood.virtualKey(userId);
      if (!lock.roles.has(userId)) {
        throw new UnknownIdError(`key to "${lock.name}" of a user`, userId);
      }
      bolts.drive(lock, to, key);
    },
    usePlatformHome(deviceId, to, nfc = false) {
      bolts.drive(hood.lock(deviceId), to, somebody(nfc ? 'PlatformHomeNFC' : 'PlatformHome'));
    },
    runScheduledLock(deviceId) {
      hood.relock.lockOnSchedule(hood.lock(deviceId));
    },
    triggerAlarm(deviceId) {
      const lock = hood.lock(deviceId);
      record(kernel, lock, 'AlarmTriggered', NO_ACCESSOR);
      if (isOnline(lock)) {
        kernel.tell(lock, { kind: 'alarm-triggered' });
      }
    },
  };
}
