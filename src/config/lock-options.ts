// Computes a lock's effective options and their sources: config.json wins over a page, a page over the defaults.
import {
  eachSetting,
  LOCK_SETTINGS,
  type LockSettings,
  type Sourced,
  type SourcedValues,
} from '../domain/locks/settings.ts';
import type { Config } from './config.ts';

/** `stored`: settings saved on a page, possibly none. */
export function effectiveLockOptions(config: Config, stored: LockSettings, lockId: string): SourcedValues {
  const written: LockSettings = config.locks.get(lockId) ?? {};
  return eachSetting<SourcedValues>((name) => {
    const usual = name === 'lowBattery' ? config.lowBatteryPercent : LOCK_SETTINGS[name].usual;
    return pick(written[name], stored[name], usual);
  });
}

function pick<T>(written: T | undefined, stored: T | undefined, fallback: T): Sourced<T> {
  if (written !== undefined) {
    return { value: written, from: 'config' };
  }
  return stored === undefined ? { value: fallback, from: 'default' } : { value: stored, from: 'page' };
}
