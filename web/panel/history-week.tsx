// The week by hours: a table whose cells say how often locks were unlocked, and are the darker the more often.
import type { VNode } from 'preact';
import type { WeekDay, WeekView } from '../../src/panel/history-view.ts';
import { shortDay } from './history-times.ts';
import { Button, Part } from './pieces.tsx';

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

/** Shades of a cell. */
const LEVELS = 4;

export function Week(props: {
  readonly week: WeekView | null;
  readonly weeksAgo: number;
  readonly onWeeksAgo: (weeks: number) => void;
}): VNode {
  const { week, weeksAgo, onWeeksAgo } = props;
  return (
    <Part title="The week">
      <p class="about">
        Unlocks by hour, on the lock’s own clock. “?” marks hours of which something is not known.
      </p>
      {week === null ? <p class="quiet">Loading …</p> : <Grid week={week} />}
      <div class="pushes">
        <Button
          onPress={() => {
            onWeeksAgo(weeksAgo + 1);
          }}
        >
          Week before
        </Button>
        <Button
          isOff={weeksAgo === 0}
          onPress={() => {
            onWeeksAgo(weeksAgo - 1);
          }}
        >
          Week after
        </Button>
      </div>
    </Part>
  );
}

function Grid({ week: { days, total } }: { readonly week: WeekView }): VNode {
  const most = Math.max(1, ...days.flatMap(({ unlocks }) => unlocks));
  return (
    <table class="week">
      <caption>{total === 1 ? '1 unlock' : `${String(total)} unlocks`} in seven days</caption>
      <thead>
        <tr>
          <th scope="col">Hour</th>
          {days.map(({ date }) => (
            <th key={date} scope="col">
              {shortDay(date)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {HOURS.map((hour) => (
          <tr key={hour}>
            <th scope="row">{String(hour).padStart(2, '0')}</th>
            {days.map((day) => (
              <Cell key={day.date} day={day} hour={hour} most={most} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Cell(props: { readonly day: WeekDay; readonly hour: number; readonly most: number }): VNode {
  const { day, hour, most } = props;
  const count = day.unlocks[hour] ?? 0;
  const mark = day.gaps[hour] === true ? '?' : '';
  return (
    <td data-level={Math.ceil((count / most) * LEVELS)}>{count === 0 ? mark : `${String(count)}${mark}`}</td>
  );
}
