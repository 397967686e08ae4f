// The week by hours: a table whose cells say how often locks were unlocked, and are the darker the more often.
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { message } from '../../../src/domain/language/message.ts';
import type { WeekDay, WeekView } from '../../../src/panel/views/history.ts';
import { t } from '../../../src/words/translate.ts';
import { Fold } from '../../shared/fold.tsx';
import { Button, Part } from '../parts/pieces.tsx';
import { shortDay, shortHour } from './times.ts';

const TITLE = message('The week');

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

/** Shades of a cell. */
const LEVELS = 4;

/** From this width on, the week stands beside the list, as history.css has it. */
const BESIDE = '(width >= 60rem)';

interface WeekProps {
  readonly week: WeekView;
  readonly weeksAgo: number;
  readonly onWeeksAgo: (weeks: number) => void;
  /** The list is to begin with this day. */
  readonly onDay: (date: string) => void;
}

/** Above the list, where it does not fit beside it, the week is folded: the list has no end to come after. */
export function Week(props: WeekProps): VNode {
  return useMatches(BESIDE) ? (
    <Part title={t(TITLE)}>
      <Hours {...props} />
    </Part>
  ) : (
    <section class="part" aria-label={t(TITLE)}>
      <Fold title={t(TITLE)}>{() => <Hours {...props} />}</Fold>
    </section>
  );
}

function useMatches(query: string): boolean {
  const [matches, setMatches] = useState(() => window.matchMedia(query).matches);
  useEffect(() => {
    const list = window.matchMedia(query);
    const update = (): void => setMatches(list.matches);
    list.addEventListener('change', update);
    return () => list.removeEventListener('change', update);
  }, [query]);
  return matches;
}

function Hours({ week, weeksAgo, onWeeksAgo, onDay }: WeekProps): VNode {
  return (
    <>
      <p class="about">
        {t('Unlocks by hour, on the lock’s own clock. “?” marks hours without a full record.')}
      </p>
      <Grid week={week} onDay={onDay} />
      <div class="pushes">
        <Button onPress={() => onWeeksAgo(weeksAgo + 1)}>{t('Week before')}</Button>
        <Button isOff={weeksAgo === 0} onPress={() => onWeeksAgo(weeksAgo - 1)}>
          {t('Week after')}
        </Button>
      </div>
    </>
  );
}

function Grid({ week: { days, total }, onDay }: Pick<WeekProps, 'week' | 'onDay'>): VNode {
  const most = Math.max(1, ...days.flatMap(({ unlocks }) => unlocks));
  return (
    <table class="week">
      <caption>
        {t('{count, plural, one {# unlock} other {# unlocks}} in seven days', { count: total })}
      </caption>
      <thead>
        <tr>
          <th scope="col">{t('Hour')}</th>
          {days.map(({ date }) => (
            <th key={date} scope="col">
              <button type="button" class="day" title={t('Jump to this day')} onClick={() => onDay(date)}>
                {shortDay(date)}
              </button>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {HOURS.map((hour) => (
          <tr key={hour}>
            <th scope="row">{shortHour(hour)}</th>
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
