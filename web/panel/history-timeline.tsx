// The timeline of the history, by day, the newest first, fifty lines at a time.
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { HistoryLineView, HistoryPageView } from '../../src/panel/history-view.ts';
import { entryWords } from '../../src/panel/history-words.ts';
import type { ShownFilter } from './history-filter.tsx';
import { clockThere, dayThere } from './history-times.ts';
import { useAction, usePageContext } from './page-context.ts';
import { Button, Failure, Part } from './pieces.tsx';
import { byWords } from './words.ts';

const PAGE_LINES = 50;

export function Timeline(props: {
  readonly filter: ShownFilter;
  /** Differs when something new may be there. */
  readonly changed: string;
}): VNode {
  const { filter, changed } = props;
  const { call } = usePageContext();
  const loading = useAction();
  const [shown, setShown] = useState<HistoryPageView | null>(null);
  const pages = useRef(0);
  const load = async (below: HistoryPageView['next']): Promise<void> => {
    const page = await call('history.page', { ...filter, below, limit: PAGE_LINES });
    pages.current = below === null ? 1 : pages.current + 1;
    setShown((before) => ({
      lines: below === null ? page.lines : [...(before?.lines ?? []), ...page.lines],
      next: page.next,
    }));
  };
  useEffect(() => {
    // A person who reads further down is not thrown back to the top.
    if (pages.current <= 1) {
      void loading.run(async () => load(null));
    }
  }, [changed]);
  const days = shown === null ? [] : [...Map.groupBy(shown.lines, dayOf)];
  return (
    <Part title="Timeline">
      {shown === null && loading.failure === null && <p class="quiet">Loading …</p>}
      {shown?.lines.length === 0 && <p class="about">Nothing of this kind is recorded.</p>}
      {days.map(([day, lines]) => (
        <section key={day} class="activity" aria-label={day}>
          <h4>{day}</h4>
          <ol>
            {lines.map((line) => (
              <Line key={keyOf(line)} line={line} />
            ))}
          </ol>
        </section>
      ))}
      <Failure failure={loading.failure} />
      {shown !== null && shown.next !== null && (
        <div class="pushes">
          <Button
            isBusy={loading.isBusy}
            onPress={() => {
              void loading.run(async () => load(shown.next));
            }}
          >
            Show older entries
          </Button>
        </div>
      )}
    </Part>
  );
}

function Line({ line }: { readonly line: HistoryLineView }): VNode {
  const { lockName, offsetMinutes } = line;
  const at = placeOf(line);
  return (
    <li class={line.what === 'gap' ? 'gap' : ''}>
      <time dateTime={new Date(at).toISOString()}>{clockThere(at, offsetMinutes)}</time>
      <span>
        <strong>
          <bdi>{lockName}</bdi>
        </strong>{' '}
        {line.what === 'gap'
          ? `Not known what happened since ${dayThere(line.from, offsetMinutes)}, ${clockThere(line.from, offsetMinutes)}`
          : capitalised(entryWords(line, byWords))}
      </span>
    </li>
  );
}

function placeOf(line: HistoryLineView): number {
  return line.what === 'gap' ? line.to : line.at;
}

function dayOf(line: HistoryLineView): string {
  return dayThere(placeOf(line), line.offsetMinutes);
}

function keyOf(line: HistoryLineView): string {
  return `${line.lock} ${String(placeOf(line))} ${line.what === 'gap' ? 'gap' : line.id}`;
}

function capitalised(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
