// The history of all locks: who came in today, the timeline by day, the week by hours, and files of it.
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { TodayView, WeekView } from '../../src/panel/history-view.ts';
import { HistoryExport } from './history-export.tsx';
import { HistoryFilterForm, type ShownFilter } from './history-filter.tsx';
import { Timeline } from './history-timeline.tsx';
import { Today } from './history-today.tsx';
import { Week } from './history-week.tsx';
import { usePageContext } from './page-context.ts';
import { Failure, Notice } from './pieces.tsx';
import { type CallError, shownError } from './transport.ts';

const NOTHING_FILTERED: ShownFilter = { locks: null, person: null, methods: null };

export function HistoryPage(): VNode {
  const { state, call } = usePageContext();
  const [filter, setFilter] = useState(NOTHING_FILTERED);
  const [weeksAgo, setWeeksAgo] = useState(0);
  const [isRefreshed, setRefreshed] = useState(false);
  const [unanswered, setUnanswered] = useState<string | null>(null);
  const newest = state.activity?.at(-1)?.number ?? 0;
  useEffect(() => {
    let isCurrent = true;
    const take = (words: string | null): void => {
      if (isCurrent) {
        setUnanswered(words);
        setRefreshed(true);
      }
    };
    const refresh = async (): Promise<void> => {
      try {
        take((await call('history.refresh', {})).unanswered);
      } catch (thrown) {
        take(shownError(thrown).message);
      }
    };
    void refresh();
    return () => {
      isCurrent = false;
    };
  }, [newest]);
  const key = `${JSON.stringify(filter)} ${String(newest)} ${String(isRefreshed)}`;
  const today = useAnswer<TodayView>(key, async () => call('history.today', filter));
  const week = useAnswer<WeekView>(`${key} ${String(weeksAgo)}`, async () =>
    call('history.week', { ...filter, weeksAgo }),
  );
  return (
    <div class="history">
      {unanswered !== null && (
        <Notice tone="warning">
          <p>The latest entries may be missing: {unanswered}</p>
        </Notice>
      )}
      <HistoryFilterForm
        filter={filter}
        onChange={(changes) => {
          setFilter((before) => ({ ...before, ...changes }));
        }}
      />
      <Failure failure={today.failure ?? week.failure} />
      <Today today={today.answer} />
      <Timeline
        key={JSON.stringify(filter)}
        filter={filter}
        changed={`${String(newest)} ${String(isRefreshed)}`}
      />
      <Week week={week.answer} weeksAgo={weeksAgo} onWeeksAgo={setWeeksAgo} />
      <HistoryExport filter={filter} />
    </div>
  );
}

/** The answer of a call that is repeated whenever `key` changes; the former answer stands meanwhile. */
function useAnswer<T>(
  key: string,
  ask: () => Promise<T>,
): { readonly answer: T | null; readonly failure: CallError | null } {
  const [state, setState] = useState<{ readonly answer: T | null; readonly failure: CallError | null }>({
    answer: null,
    failure: null,
  });
  useEffect(() => {
    let isCurrent = true;
    const read = async (): Promise<void> => {
      const next = await ask().then(
        (answer) => ({ answer, failure: null }),
        (thrown: unknown) => ({ failure: shownError(thrown) }),
      );
      if (isCurrent) {
        setState((before) => ({ ...before, ...next }));
      }
    };
    void read();
    return () => {
      isCurrent = false;
    };
  }, [key]);
  return state;
}
