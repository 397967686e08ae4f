// A lock as it comes out of its box: at rest, online, and the cloud knows it as it is.
import { type StoredCode, storedCode } from './access-code.ts';
import type { Kernel } from './kernel.ts';
import { batteryWord, type Lock, shownPercent } from './lock.ts';
import { defaultSettings } from './lock-settings.ts';
import type { DeviceSetup } from './setup.ts';

/** Builds a lock without roles. Throws a RangeError for a schedule that makes no sense. */
export function newLock(kernel: Kernel, setup: DeviceSetup): Lock {
  const now = kernel.now();
  const bolt = setup.bolt ?? 'Locked';
  const codes = (setup.accessCodes ?? []).map((code) =>
    storedCode(code, code.accessCodeId ?? kernel.random.uuid()),
  );
  const lock: Lock = {
    deviceId: setup.deviceId ?? kernel.random.uuid(),
    type: setup.type,
    serialNumber: setup.serialNumber ?? kernel.random.uuid().replaceAll('-', '').slice(0, 10).toUpperCase(),
    createdAt: now,
    roles: new Map(),
    name: setup.name,
    settings: { ...defaultSettings(setup.type), ...setup.settings },
    isPresent: true,
    bolt,
    movement: null,
    jamsLeft: 0,
    relock: null,
    dailyLock: null,
    wifi: true,
    notice: null,
    batteryPercent: setup.batteryPercent ?? 100,
    reportsBattery: true,
    wrongEntries: 0,
    lockedOutUntil: null,
    storedCodes: codes,
    unreported: [],
    inFlight: null,
    plannedFaults: [],
    cloud: {
      lockState: bolt,
      batteryState: 'Unknown',
      batteryPercent: 0,
      connected: true,
      connectedAt: now,
      updatedAt: now,
      codes: new Map(codes.map((code): [string, StoredCode] => [code.accessCodeId, code])),
      history: [],
      commands: new Map(),
    },
  };
  lock.cloud.batteryState = batteryWord(lock);
  lock.cloud.batteryPercent = shownPercent(lock);
  return lock;
}
