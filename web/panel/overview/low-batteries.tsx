// Locks whose batteries are to be changed, named once above what is less urgent.
import type { VNode } from 'preact';
import { batteryWords, nameOf } from '../../../src/words/locks.ts';
import { listWords } from '../../../src/words/sentence.ts';
import { t } from '../../../src/words/translate.ts';
import { isLow } from '../parts/lock-signs.ts';
import { Notice } from '../parts/pieces.tsx';
import { usePageContext } from '../state/page-context.ts';

export function LowBatteries(): VNode | null {
  const { state } = usePageContext();
  const low = (state.locks ?? []).filter(({ battery }) => isLow(battery));
  return low.length === 0 ? null : (
    <Notice tone="warning">
      <p>
        {t('Change the batteries: {locks}', {
          locks: listWords(
            low.map((lock) =>
              t('{name} ({charge})', { name: nameOf(lock), charge: batteryWords(lock.battery) }),
            ),
          ),
        })}
      </p>
    </Notice>
  );
}
