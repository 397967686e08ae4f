// The latest activity, grouped by day, the newest first.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { ActivityDetail, ActivityView } from '../../../src/panel/views/activity.ts';
import { activityWords } from '../../../src/words/activity.ts';
import { capital } from '../../../src/words/sentence.ts';
import { Choice } from '../../shared/labelled.tsx';
import { Part } from '../parts/pieces.tsx';
import { clockWords, dayWords } from '../parts/reader-times.ts';

/** Entries in a row that say the same of the same lock. */
interface Line {
  readonly newest: ActivityView;
  readonly at: number;
  readonly words: string;
  readonly count: number;
}

const EVERYTHING = 'Everything';
const TROUBLE = 'Problems only';

export function Activity(props: { readonly activity: readonly ActivityView[]; readonly now: number }): VNode {
  const { activity, now } = props;
  const [filter, setFilter] = useState(EVERYTHING);
  const names = [...new Set(activity.flatMap(({ lock }) => (lock === null ? [] : [lock.name])))].toSorted();
  const filters = [EVERYTHING, TROUBLE, ...names];
  const lines = linesOf(activity.filter((entry) => isWanted(entry, filter)));
  const days = [...Map.groupBy(lines, ({ at }) => dayWords(at, now))];
  return (
    <Part title="Activity">
      {activity.length === 0 ? (
        <p class="about">No activity since the plugin started.</p>
      ) : (
        <Choice
          label="Show"
          names={filters}
          chosen={filters.indexOf(filter)}
          onChoose={(index) => setFilter(filters[index] ?? EVERYTHING)}
        />
      )}
      {lines.length > 0 && (
        <div class="activity" role="region" tabIndex={0} aria-label="Activity, newest first">
          {days.map(([day, linesThen]) => (
            <Day key={day} day={day} lines={linesThen} />
          ))}
        </div>
      )}
      {activity.length > 0 && lines.length === 0 && <p class="about">Nothing of this kind.</p>}
    </Part>
  );
}

function Day({ day, lines }: { readonly day: string; readonly lines: readonly Line[] }): VNode {
  return (
    <section aria-label={day}>
      <h4>{day}</h4>
      <ol>
        {lines.map((line) => (
          <Entry key={line.newest.number} line={line} />
        ))}
      </ol>
    </section>
  );
}

function Entry({ line: { newest, at, words, count } }: { readonly line: Line }): VNode {
  return (
    <li class={isTrouble(newest.detail) ? 'warning' : ''}>
      <time dateTime={new Date(at).toISOString()}>{clockWords(at)}</time>
      <span>
        <strong>
          <bdi>{newest.lock === null ? 'Account' : newest.lock.name}</bdi>
        </strong>{' '}
        {words}
        {count > 1 && ` (${String(count)} times)`}
      </span>
    </li>
  );
}

/** The newest entries first. A successful command is left out, because the move of the bolt shows the same. */
function linesOf(activity: readonly ActivityView[]): readonly Line[] {
  const lines: Line[] = [];
  for (const entry of activity.toReversed()) {
    const { detail, lock } = entry;
    if (detail.type === 'command' && detail.outcome.kind === 'moved') {
      continue;
    }
    const words = capital(activityWords(detail));
    const last = lines.at(-1);
    if (last !== undefined && last.words === words && last.newest.lock?.id === lock?.id) {
      lines.splice(-1, 1, { ...last, count: last.count + 1 });
    } else {
      const at = detail.type === 'bolt' && detail.move !== null ? detail.move.at : entry.at;
      lines.push({ newest: entry, at, words, count: 1 });
    }
  }
  return lines;
}

function isWanted({ lock, detail }: ActivityView, filter: string): boolean {
  return filter === EVERYTHING || (filter === TROUBLE ? isTrouble(detail) : lock?.name === filter);
}

/** Whether it deserves a second look. */
function isTrouble(detail: ActivityDetail): boolean {
  switch (detail.type) {
    case 'bolt':
      return detail.bolt === 'jammed' || detail.bolt === 'unknown';
    case 'presence':
      return detail.presence !== 'reachable';
    case 'command':
      return detail.outcome.kind !== 'moved';
    case 'link':
      return detail.link !== 'linked';
    case 'alert':
      return true;
    case 'appeared':
    case 'removed':
      return false;
  }
}
