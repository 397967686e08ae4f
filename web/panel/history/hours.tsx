// Which days the history is about, and the hours of one of them to tap: the list then has what happened in that hour.
import type { VNode } from 'preact';
import { offsetMinutesAt } from '../../../src/domain/time/schedule-time.ts';
import type { WeekView } from '../../../src/panel/views/history.ts';
import { t } from '../../../src/words/translate.ts';
import type { ShownFilter } from './feed.ts';
import { dateThere, longDay, shortHour, spokenHour } from './times.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MINUTE_MS = 60_000;

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

/** Shades of an hour. */
const LEVELS = 4;

interface DaysProps {
  readonly filter: ShownFilter;
  readonly now: number;
  /** Of the clocks that the page names. */
  readonly zone: string;
  readonly onChange: (changes: Partial<ShownFilter>) => void;
}

export const NO_HOUR = { since: null, until: null };

interface StripProps extends DaysProps {
  readonly week: WeekView | null;
}

export function DayAndHour(props: StripProps): VNode {
  return (
    <>
      <Days {...props} />
      <HourStrip {...props} />
    </>
  );
}

/** All, today, yesterday, or the last seven days. */
function Days({ filter, now, zone, onChange }: DaysProps): VNode {
  const [today, yesterday, weekAgo] = [0, 1, 6].map((days) =>
    dateThere(now - days * DAY_MS, offsetMinutesAt(zone, now)),
  );
  const choices = [
    [t('All'), null, null],
    [t('Today'), today, today],
    [t('Yesterday'), yesterday, yesterday],
    [t('Week'), weekAgo, today],
  ] as const;
  return (
    <div class="days" role="group" aria-label={t('Days')}>
      {choices.map(([label, firstDay = null, lastDay = null]) => (
        <button
          key={label}
          type="button"
          class="push"
          aria-pressed={filter.firstDay === firstDay && filter.lastDay === lastDay}
          onClick={() => onChange({ firstDay, lastDay })}
        >
          {label}
        </button>
      ))}
    </div>
  );
}

/** The hours of the chosen day, else of today, the darker the more often a lock was unlocked. */
function HourStrip(props: StripProps): VNode {
  const { filter, now, zone, week, onChange } = props;
  const isOneDay = filter.firstDay !== null && filter.firstDay === filter.lastDay;
  const day = isOneDay ? (filter.firstDay ?? '') : dateThere(now, offsetMinutesAt(zone, now));
  const known = week?.days.find(({ date }) => date === day);
  const most = Math.max(1, ...(known?.unlocks ?? []));
  const beginOf = (hour: number): number => {
    const there = Date.parse(day) + hour * HOUR_MS;
    return there - offsetMinutesAt(zone, there) * MINUTE_MS;
  };
  return (
    <div class="hours" role="group" aria-label={t('Unlocks by hour, {day}', { day: longDay(day) })}>
      {HOURS.map((hour) => {
        const since = beginOf(hour);
        const isChosen = filter.since === since;
        const count = known?.unlocks[hour] ?? 0;
        return (
          <button
            key={hour}
            type="button"
            data-level={Math.ceil((count / most) * LEVELS)}
            aria-pressed={isChosen}
            aria-label={t('{hour}, {count, plural, =0 {no unlocks} one {# unlock} other {# unlocks}}', {
              hour: spokenHour(hour),
              count,
            })}
            onClick={() =>
              onChange(isChosen ? NO_HOUR : { firstDay: day, lastDay: day, since, until: since + HOUR_MS })
            }
          >
            {shortHour(hour)}
          </button>
        );
      })}
    </div>
  );
}
