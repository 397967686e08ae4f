// The zones of the locks' clocks on a page: that of each lock, and the one that a page names once for all of them.
import { zoneOfLock } from '../../../src/domain/codes/lock-zone.ts';
import type { LockId } from '../../../src/domain/locks/lock.ts';
import type { Instant } from '../../../src/domain/time/instant.ts';
import { sameClocks } from '../../../src/domain/time/schedule-time.ts';
import type { LockSettingsView } from '../../../src/panel/views/lock-settings.ts';
import { machineZone } from '../../../src/words/machine-zone.ts';

export interface LockZones {
  /** The zone of this lock's clock; the reader's own where none is known, or for the account as a whole. */
  readonly of: (id: LockId | null) => string;
  /** The zone that all locks have, where it is not the reader's: a page names it once. Else the reader's own. */
  readonly page: string;
}

export function lockZones(
  settings: readonly LockSettingsView[] | null,
  now: Instant,
  own = machineZone(),
): LockZones {
  const zones = new Map(
    (settings ?? []).map(({ id, timeZone, offsetMinutes }) => [
      id,
      zoneOfLock({ written: timeZone.value, offsetMinutes, machineZone: own, now }).timeZone,
    ]),
  );
  const [first = own, ...others] = new Set(zones.values());
  return {
    of: (id) => (id === null ? undefined : zones.get(id)) ?? own,
    page: others.every((other) => sameClocks(first, other)) && !sameClocks(first, own) ? first : own,
  };
}
