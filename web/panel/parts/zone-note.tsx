// Whose clocks the times of a page are on: the zones of its locks, and one sentence where they are not the reader's.
import type { VNode } from 'preact';
import type { Instant } from '../../../src/domain/time/instant.ts';
import { sameClocks, zoneName } from '../../../src/domain/time/schedule-time.ts';
import type { LockSettingsView } from '../../../src/panel/views/lock-settings.ts';
import { machineZone } from '../../../src/words/machine-zone.ts';
import { t } from '../../../src/words/translate.ts';
import { usePageContext } from '../state/page-context.ts';
import { type LockZones, lockZones } from './lock-zones.ts';

/** An offset changes on a quarter hour in every zone, in milliseconds: until then the zones are the same. */
const QUARTER_HOUR_MS = 900_000;

export function useLockZones(now: Instant): LockZones {
  const { state } = usePageContext();
  const settings = state['locks.settings'];
  const quarter = now - (now % QUARTER_HOUR_MS);
  // Each row of a long list asks: they share one answer.
  if (latest?.settings !== settings || latest.quarter !== quarter) {
    latest = { settings, quarter, zones: lockZones(settings, now) };
  }
  return latest.zones;
}

let latest: {
  readonly settings: readonly LockSettingsView[] | null;
  readonly quarter: Instant;
  readonly zones: LockZones;
} | null = null;

export function ZoneNote({ zone }: { readonly zone: string }): VNode | null {
  return sameClocks(zone, machineZone()) ? null : (
    <p class="about">{t('Times are on the clocks of the locks ({zone}).', { zone: zoneName(zone) })}</p>
  );
}
