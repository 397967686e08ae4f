// One sentence for a whole page: whose clocks its times are on, where they are not the reader's.
import type { VNode } from 'preact';
import { sameClocks, zoneName } from '../../../src/domain/time/schedule-time.ts';
import { machineZone } from '../../../src/words/schedules.ts';
import { t } from '../../../src/words/translate.ts';

export function ZoneNote({ zone }: { readonly zone: string }): VNode | null {
  return sameClocks(zone, machineZone()) ? null : (
    <p class="about">{t('Times are on the clocks of the locks ({zone}).', { zone: zoneName(zone) })}</p>
  );
}
