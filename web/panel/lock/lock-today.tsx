// What happened at one lock today, on its own clock.
import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { offsetMinutesAt } from '../../../src/domain/time/schedule-time.ts';
import type { LockView } from '../../../src/panel/views/lock.ts';
import { t } from '../../../src/words/translate.ts';
import { NOTHING_FILTERED, NOTHING_SHOWN } from '../history/feed.ts';
import { TimelineLine } from '../history/line.tsx';
import { keyOf } from '../history/lines.ts';
import { dateThere } from '../history/times.ts';
import { useFeed } from '../history/use-feed.ts';
import { Button, Failure, Part } from '../parts/pieces.tsx';
import { useLockZones, ZoneNote } from '../parts/zone-note.tsx';
import { useWay } from '../state/page-context.ts';

export function LockToday({ lock, now }: { readonly lock: LockView; readonly now: number }): VNode {
  const go = useWay();
  const all = useLockZones(now);
  const zone = all.of(lock.id);
  const today = useRef(dateThere(now, offsetMinutesAt(zone, now))).current;
  const filter = { ...NOTHING_FILTERED, locks: [lock.id], firstDay: today };
  const { shown } = useFeed({ current: null }, { ...NOTHING_SHOWN.question, filter });
  const { list, failure, unanswered } = shown;
  return (
    <Part title={t('Today')}>
      <ZoneNote zone={zone} />
      {list === null && failure === null && <p class="about">{t('Loading …')}</p>}
      {list?.lines.length === 0 && <p class="about">{t('Nothing yet today.')}</p>}
      {list !== null && list.lines.length > 0 && (
        <div class="history">
          <div class="activity">
            <ol>
              {list.lines.map((line) => (
                <TimelineLine key={keyOf(line)} line={line} zones={{ of: all.of, page: zone }} isOfOneLock />
              ))}
            </ol>
          </div>
        </div>
      )}
      {unanswered !== null && (
        <p class="warning">{t('The latest entries may be missing: {why}', { why: unanswered })}</p>
      )}
      <Failure failure={failure} />
      <div class="pushes">
        <Button onPress={() => go({ view: 'history', lock: lock.id })}>{t('Whole history')}</Button>
      </div>
    </Part>
  );
}
