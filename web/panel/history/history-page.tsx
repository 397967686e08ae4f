// The history of all locks: who came in today, the week by hours, the timeline by day, and files of it.
import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { t } from '../../../src/words/translate.ts';
import { Failure, useServiceNow } from '../parts/pieces.tsx';
import { useLockZones, ZoneNote } from '../parts/zone-note.tsx';
import { usePageContext } from '../state/page-context.ts';
import { HistoryErase } from './erase.tsx';
import { HistoryExport } from './export.tsx';
import { HistoryFeed, type HistoryShown, NOTHING_FILTERED, NOTHING_SHOWN } from './feed.ts';
import { HistoryFilterForm } from './filter.tsx';
import { Timeline } from './timeline.tsx';
import { weeksBefore } from './times.ts';
import { Today } from './today.tsx';
import { Week } from './week.tsx';

/** Ten years, which is the longest that a history is kept. */
const MOST_WEEKS = 522;

export function HistoryPage(): VNode {
  const { state } = usePageContext();
  const now = useServiceNow(state.aheadMs);
  const zones = useLockZones(now);
  const [filter, setFilter] = useState(NOTHING_FILTERED);
  const [startDay, setStartDay] = useState<string | null>(null);
  const [weeksAgo, setWeeksAgo] = useState(0);
  const place = useRef<HTMLDivElement>(null);
  const { feed, shown } = useFeed(place);
  useEffect(() => feed.ask({ filter, startDay, weeksAgo }), [filter, startDay, weeksAgo]);
  const { today, week, failure } = shown;
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
        <HistoryErase onErased={() => setFilter((before) => ({ ...before }))} />
      </div>
      <HistoryFilterForm
        filter={filter}
        onChange={(changes) => setFilter((before) => ({ ...before, ...changes }))}
      />
      <Failure failure={failure} />
      <ZoneNote zone={zones.page} />
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
            <Timeline shown={shown} feed={feed} startDay={startDay} now={now} onStartDay={jump} />
          </div>
        </div>
      )}
    </div>
  );
}

/** The shown content, kept current while the page is open. */
function useFeed(place: { readonly current: HTMLElement | null }): {
  readonly feed: HistoryFeed;
  readonly shown: HistoryShown;
} {
  const { state, call } = usePageContext();
  const [shown, setShown] = useState(NOTHING_SHOWN);
  const restorePlace = useRef<() => void>(() => undefined);
  const feed = useMemo(
    () =>
      new HistoryFeed(call, (next) => {
        restorePlace.current = placeKeeper(place.current);
        setShown(next);
      }),
    [],
  );
  useLayoutEffect(() => {
    restorePlace.current();
    restorePlace.current = () => undefined;
  }, [shown]);
  useEffect(() => {
    void feed.open();
    return () => feed.close();
  }, []);
  const { activity } = state;
  const before = useRef(activity);
  useEffect(() => {
    if (before.current !== null && before.current !== activity) {
      feed.noteEvent();
    }
    before.current = activity;
  }, [activity]);
  return { feed, shown };
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

/** Notes the place of the first line in view; the returned function moves the page so that it stands there again. */
function placeKeeper(list: HTMLElement | null): () => void {
  if (list === null || window.scrollY === 0) {
    return () => undefined;
  }
  const line = [...list.querySelectorAll('li')].find((one) => one.getBoundingClientRect().bottom > 0);
  const before = line?.getBoundingClientRect().top ?? 0;
  return () => {
    if (line?.isConnected === true) {
      window.scrollBy(0, line.getBoundingClientRect().top - before);
    }
  };
}
