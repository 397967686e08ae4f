// The history of all locks: who came in today, the week by hours, the timeline by day, and files of it.
import type { VNode } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { LockId } from '../../../src/domain/locks/lock.ts';
import { offsetMinutesAt, offsetZone } from '../../../src/domain/time/schedule-time.ts';
import type { HistoryPageView } from '../../../src/panel/views/history.ts';
import { machineZone } from '../../../src/words/machine-zone.ts';
import { t } from '../../../src/words/translate.ts';
import type { LockZones } from '../parts/lock-zones.ts';
import { Failure, useServiceNow } from '../parts/pieces.tsx';
import { useLockZones, ZoneNote } from '../parts/zone-note.tsx';
import { usePageContext } from '../state/page-context.ts';
import { HistoryErase } from './erase.tsx';
import { HistoryExport } from './export.tsx';
import { type HistoryShown, NOTHING_FILTERED, type ShownFilter } from './feed.ts';
import { HistoryFilterForm } from './filter.tsx';
import { DayAndHour, NO_HOUR } from './hours.tsx';
import { Timeline } from './timeline.tsx';
import { weeksBefore } from './times.ts';
import { Today } from './today.tsx';
import { useFeed } from './use-feed.ts';
import { Week } from './week.tsx';

/** Ten years, which is the longest that a history is kept. */
const MOST_WEEKS = 522;

/** `lock`: the one whose history is wanted; null: of all. */
export function HistoryPage({ lock }: { readonly lock: LockId | null }): VNode {
  const { state, may } = usePageContext();
  const now = useServiceNow(state.aheadMs);
  const { filter, narrow } = useFilter(lock);
  const [startDay, setStartDay] = useState<string | null>(null);
  const [weeksAgo, setWeeksAgo] = useState(0);
  const place = useRef<HTMLDivElement>(null);
  const { feed, shown } = useFeed(place, { filter, startDay, weeksAgo });
  useEffect(() => feed.ask({ filter, startDay, weeksAgo }), [filter, startDay, weeksAgo]);
  const zones = useListedZones(now, shown.list);
  const { today, week, failure } = shown;
  const chooseDays = (changes: Partial<ShownFilter>): void => {
    setStartDay(null);
    narrow(changes);
  };
  /** The week goes along to the day. */
  const jump = (day: string | null): void => {
    setStartDay(day);
    const last = week?.days.at(-1)?.date;
    if (last !== undefined) {
      // These belong to the shown week: the request for another one may be under way.
      const ahead = day === null ? 0 : weeksBefore(day, last) + shown.question.weeksAgo;
      setWeeksAgo(Math.min(MOST_WEEKS, ahead));
    }
  };
  return (
    <div class="history">
      <div class="head">
        <Freshness shown={shown} />
        <HistoryExport filter={filter} />
        {may('history.erase') && <HistoryErase onErased={() => feed.again()} />}
      </div>
      <HistoryFilterForm filter={filter} onChange={narrow} />
      <Failure failure={failure} />
      <ZoneNote zone={zones.page} />
      <DayAndHour filter={filter} now={now} zone={zones.page} week={week} onChange={chooseDays} />
      {today === null || week === null ? (
        failure === null && <p class="quiet">{t('Loading …')}</p>
      ) : (
        <div class="columns">
          <div class="beside">
            <Today today={today} zones={zones} />
            <Week
              week={week}
              weeksAgo={weeksAgo}
              onWeeksAgo={setWeeksAgo}
              onDay={(day) => {
                jump(day);
                place.current?.scrollIntoView();
              }}
            />
          </div>
          <div ref={place}>
            <Timeline {...{ zones, shown, feed, startDay, now }} onStartDay={jump} />
          </div>
        </div>
      )}
    </div>
  );
}

function useFilter(lock: LockId | null): {
  readonly filter: ShownFilter;
  readonly narrow: (changes: Partial<ShownFilter>) => void;
} {
  const [filter, setFilter] = useState<ShownFilter>({
    ...NOTHING_FILTERED,
    locks: lock === null ? null : [lock],
  });
  return {
    filter,
    narrow: (changes) => {
      // Other days have other hours.
      const hour = 'firstDay' in changes || 'lastDay' in changes ? NO_HOUR : {};
      setFilter((before) => ({ ...before, ...hour, ...changes }));
    },
  };
}

/** The zones of the locks; where none is known but all lines are on one clock, that of the lines is named once for the page. */
function useListedZones(now: number, list: HistoryPageView | null): LockZones {
  const known = useLockZones(now);
  const [offset = null, ...others] = new Set(list?.lines.map(({ offsetMinutes }) => offsetMinutes));
  return useMemo(() => {
    const isKnown = offset === null || others.length > 0 || known.page !== machineZone();
    return isKnown || offset === offsetMinutesAt(known.page, now)
      ? known
      : { of: known.of, page: offsetZone(offset) };
  }, [known, offset, others.length]);
}

/** Whether the latest entries may be missing. Its place is kept free, so that nothing moves when it comes or goes. */
function Freshness({ shown: { isRefreshing, unanswered } }: { readonly shown: HistoryShown }): VNode {
  return (
    <p role="status" class={unanswered === null ? 'freshness' : 'freshness warning'}>
      {unanswered !== null
        ? t('The latest entries may be missing: {why}', { why: unanswered })
        : isRefreshing
          ? t('Checking for new entries …')
          : ''}
    </p>
  );
}
