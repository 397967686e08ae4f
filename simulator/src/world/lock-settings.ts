// Default settings of a lock.
import type { DeviceSetup, LockSettings } from './setup.ts';

/** A heavy bolt takes longer than a latch. Assumed, from common motors. */
const TRAVEL_MS = { WifiDeadbolt: 1200, WifiLever: 600 } as const;

const MODEL_NAME = { WifiDeadbolt: 'Model-D1', WifiLever: 'Model-L1' } as const;

const COMMON_SETTINGS: Omit<LockSettings, 'travelMs' | 'modelName'> = {
  timeZone: 'America/New_York',
  travelJitterMs: 0,
  /** Writing to flash and answering over Wi-Fi. Assumed. */
  codeWriteMs: 800,
  autoRelockMs: null,
  scheduledLockAt: null,
  accessCodeLength: 4,
  vlac: false,
  activityAlarm: false,
  wrongCodesToLockout: 5,
  keypadLockoutMs: 60_000,
  noticeOfflineMs: null,
  /** About 3,300 movements to a set of batteries, a year of nine a day. Assumed. */
  drainPerMovement: 0.03,
  /** Wire contract 7 shows Low at 18 percent; the thresholds themselves are assumed. */
  lowBatteryPercent: 20,
  criticalBatteryPercent: 5,
  wifiRssi: -58,
  firmwareVersion: '10.21.0',
};

export function defaultSettings(type: DeviceSetup['type']): LockSettings {
  return { ...COMMON_SETTINGS, travelMs: TRAVEL_MS[type], modelName: MODEL_NAME[type] };
}
