// Computes a lock's effective options and their sources: config.json wins over a page, a page over the defaults.
import type { Config, LowBattery } from './config.ts';
import type { LockSettings } from './options/option-table.ts';

/** A value and its source; pages cannot change values from `config`. */
export interface Sourced<T> {
  readonly value: T;
  readonly from: 'config' | 'page' | 'default';
}

export interface EffectiveLockOptions {
  /** Null: the lock's name in the account. */
  readonly name: Sourced<string | null>;
  readonly hide: Sourced<boolean>;
  readonly remoteUnlock: Sourced<boolean>;
  readonly adminOnly: Sourced<boolean>;
  /** Null: the offset that the service reports. */
  readonly timeZone: Sourced<string | null>;
  readonly lowBattery: Sourced<LowBattery>;
}

/** `stored`: settings saved on a page, possibly none. */
export function effectiveLockOptions(
  config: Config,
  stored: LockSettings,
  lockId: string,
): EffectiveLockOptions {
  const written = config.locks.get(lockId) ?? {};
  const threshold = pick(written.lowBattery, stored.lowBattery, config.lowBattery.thresholdPercent);
  return {
    name: pick<string | null>(written.name, stored.name, null),
    hide: pick(written.hide, stored.hide, false),
    remoteUnlock: pick(written.remoteUnlock, stored.remoteUnlock, true),
    adminOnly: pick(written.adminOnly, stored.adminOnly, false),
    timeZone: pick<string | null>(written.timeZone, stored.timeZone, null),
    lowBattery: { from: threshold.from, value: shifted(config.lowBattery, threshold.value) },
  };
}

function pick<T>(written: T | undefined, stored: T | undefined, fallback: T): Sourced<T> {
  if (written !== undefined) {
    return { value: written, from: 'config' };
  }
  return stored === undefined ? { value: fallback, from: 'default' } : { value: stored, from: 'page' };
}

/** The distance between low and no longer low stays as configured for all locks. */
function shifted({ thresholdPercent, clearPercent }: LowBattery, threshold: number): LowBattery {
  return {
    thresholdPercent: threshold,
    clearPercent: Math.min(threshold + clearPercent - thresholdPercent, 100),
  };
}
