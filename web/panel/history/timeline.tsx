// The timeline of the history, by day, the newest first; more is loaded as its end comes into view.
import type { VNode } from 'preact';
import { useEffect, useId, useMemo, useRef } from 'preact/hooks';
import { t } from '../../../src/words/translate.ts';
import { EmptyPage } from '../parts/empty-page.tsx';
import { ClockIcon } from '../parts/icons.tsx';
import type { LockZones } from '../parts/lock-zones.ts';
import { Button, Failure } from '../parts/pieces.tsx';
import { useWay } from '../state/page-context.ts';
import type { HistoryFeed, HistoryShown } from './feed.ts';
import { type HistoryQuestion, NOTHING_FILTERED } from './feed.ts';
import { DayField } from './filter.tsx';
import { TimelineLine } from './line.tsx';
import { byDay, keyOf } from './lines.ts';
import { longDay } from './times.ts';

/** A day begins on a quarter hour in every time zone: headings are made anew only then. */
const QUARTER_HOUR_MS = 900_000;

/** The next page is loaded this long before its place comes into view. */
const LOADED_AHEAD = '400px';

export function Timeline(props: {
  readonly zones: LockZones;
  readonly shown: HistoryShown;
  readonly feed: HistoryFeed;
  readonly startDay: string | null;
  readonly now: number;
  readonly onStartDay: (day: string | null) => void;
}): VNode {
  const { zones, shown, feed, startDay, now, onStartDay } = props;
  const { list, question } = shown;
  const id = useId();
  const then = now - (now % QUARTER_HOUR_MS);
  const days = useMemo(() => (list === null ? [] : byDay(list.lines, then)), [list, then]);
  const lines = useMemo(
    () =>
      days.map(([day, ofDay]) => (
        <section key={day} class="activity" aria-label={day}>
          <h4>{day}</h4>
          <ol>
            {ofDay.map((line) => (
              <TimelineLine key={keyOf(line)} line={line} zones={zones} />
            ))}
          </ol>
        </section>
      )),
    [days, zones],
  );
  return (
    <section class="part timeline" aria-labelledby={id}>
      <header>
        <h3 id={id}>{t('Timeline')}</h3>
        <DayField label={t('Jump to date')} day={startDay} onChange={onStartDay} />
      </header>
      {startDay !== null && (
        <div class="jumped">
          <p role="status">{t('Showing entries up to {day}', { day: longDay(startDay) })}</p>
          <Button onPress={() => onStartDay(null)}>{t('Back to newest')}</Button>
        </div>
      )}
      {list?.lines.length === 0 &&
        (isFiltered(question) ? <p class="about">{t('Nothing matches.')}</p> : <NoHistory />)}
      {lines}
      <End shown={shown} feed={feed} />
    </section>
  );
}

function isFiltered({ filter, startDay }: HistoryQuestion): boolean {
  return startDay !== null || JSON.stringify(filter) !== JSON.stringify(NOTHING_FILTERED);
}

function NoHistory(): VNode {
  const go = useWay();
  return (
    <EmptyPage
      picture={<ClockIcon />}
      words={`${t('No history yet.')} ${t('Every turn of a lock appears here, with who it was and how.')}`}
    >
      <Button onPress={() => go({ view: 'overview' })}>{t('See your locks')}</Button>
    </EmptyPage>
  );
}

/** Loads the next page when it comes into view, once for each page: after a failure, only a press or coming back does. */
function End({ shown, feed }: { readonly shown: HistoryShown; readonly feed: HistoryFeed }): VNode | null {
  const { list, isLoadingOlder, olderFailure } = shown;
  const place = useRef<HTMLDivElement>(null);
  const next = list?.next ?? null;
  useEffect(() => {
    const end = place.current;
    if (next === null || end === null || !('IntersectionObserver' in window)) {
      return undefined;
    }
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) {
          void feed.older();
        }
      },
      { rootMargin: LOADED_AHEAD },
    );
    observer.observe(end);
    return () => observer.disconnect();
  }, [next]);
  return (
    <>
      <Failure failure={olderFailure} />
      {next !== null && (
        <div ref={place} class="pushes">
          <Button isBusy={isLoadingOlder} onPress={() => void feed.older()}>
            {t('Show older entries')}
          </Button>
        </div>
      )}
      {next === null && list !== null && list.lines.length > 0 && (
        <p class="about">{t('No older entries.')}</p>
      )}
    </>
  );
}
