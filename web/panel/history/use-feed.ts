// What a page shows of the history, kept current while the page is open, so that the lines which are read stay in their place.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { usePageContext } from '../state/page-context.ts';
import { HistoryFeed, type HistoryQuestion, type HistoryShown, NOTHING_SHOWN } from './feed.ts';

/** The shown content, kept current while the page is open. */
export function useFeed(
  place: { readonly current: HTMLElement | null },
  first: HistoryQuestion,
): {
  readonly feed: HistoryFeed;
  readonly shown: HistoryShown;
} {
  const { state, call } = usePageContext();
  const [shown, setShown] = useState(NOTHING_SHOWN);
  const restorePlace = useRef<() => void>(() => undefined);
  const feed = useMemo(
    () =>
      new HistoryFeed(
        call,
        (next) => {
          restorePlace.current = placeKeeper(place.current);
          setShown(next);
        },
        first,
      ),
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
