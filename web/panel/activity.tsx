// The latest activity, grouped by day, the newest first.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { ActivityView } from '../../src/panel/activity-view.ts';
import { Choice } from '../shared/labelled.tsx';
import { activityWords, isTrouble } from './activity-words.ts';
import { Part } from './pieces.tsx';
import { clockWords, dayWords } from './words.ts';

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
  const days = [...new Set(lines.map(({ at }) => dayWords(at, now)))];
  return (
    <Part title="Activity">
      {activity.length === 0 ? (
        <p class="about">No activity since the plugin started.</p>
      ) : (
        <Choice
          label="Show"
          names={filters}
          chosen={filters.indexOf(filter)}
          onChoose={(index) => {
            setFilter(filters[index] ?? EVERYTHING);
          }}
        />
      )}
      {lines.length > 0 && (
        <div class="activity" role="region" tabIndex={0} aria-label="Activity, newest first">
          {days.map((day) => (
            <Day key={day} day={day} lines={lines.filter(({ at }) => dayWords(at, now) === day)} />
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

/** The newest first. A command that was carried out is left out: the move of the bolt says the same. */
function linesOf(activity: readonly ActivityView[]): readonly Line[] {
  const lines: Line[] = [];
  for (const entry of activity.toReversed()) {
    const { detail, lock } = entry;
    if (detail.type === 'command' && detail.outcome.kind === 'moved') {
      continue;
    }
    const words = activityWords(detail);
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
