// The picture of a month: a table of its days, and a bar for each stay.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { StayView } from '../../../src/features/stays/panel/views.ts';
import { phaseWords } from '../../../src/features/stays/words/stays.ts';
import { stayTitle } from '../../../src/words/stay-names.ts';
import { dayWords } from '../../../src/words/times.ts';
import { locale, t } from '../../../src/words/translate.ts';
import { Button, Part } from '../parts/pieces.tsx';
import { firstWeekday, readersWeek } from '../parts/weekdays.ts';
import { type MonthPiece, type MonthWeek, monthAfter, monthWeeks } from './month-weeks.ts';

export function Month(props: {
  readonly stays: readonly StayView[];
  /** The day, such as "2026-12-12", at the place of the locks. */
  readonly today: string;
}): VNode {
  const { stays, today } = props;
  const [month, setMonth] = useState(today.slice(0, 7));
  const shown = stays.filter(({ phase, isCancelled }) => !isCancelled || phase !== 'gone');
  const title = new Intl.DateTimeFormat(locale() ?? 'en', {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
  const move = (count: number): void => setMonth(monthAfter(month, count));
  return (
    <Part title={t('Month')}>
      <table class="month">
        <caption aria-live="polite">{title.format(new Date(`${month}-01`))}</caption>
        <thead>
          <tr>
            {readersWeek().map(({ day, short }) => (
              <th key={day} scope="col" colSpan={2}>
                {short}
              </th>
            ))}
          </tr>
        </thead>
        {monthWeeks(month, shown, firstWeekday()).map((week) => (
          <Week key={week.days[0]?.day} week={week} today={today} />
        ))}
      </table>
      <div class="pushes">
        <Button onPress={() => move(-1)}>{t('Month before')}</Button>
        <Button onPress={() => move(1)}>{t('Month after')}</Button>
      </div>
    </Part>
  );
}

function Week(props: { readonly week: MonthWeek<StayView>; readonly today: string }): VNode {
  const { week, today } = props;
  return (
    <tbody>
      <tr class="days">
        {week.days.map(({ day, isOfMonth }) => (
          <td
            key={day}
            colSpan={2}
            class={isOfMonth ? '' : 'outside'}
            aria-current={day === today ? 'date' : undefined}
          >
            <time dateTime={day}>{Number(day.slice(8))}</time>
          </td>
        ))}
      </tr>
      {week.lines.map((line, index) => (
        <tr key={index}>
          {line.map((piece, place) => (
            <Piece key={place} piece={piece} />
          ))}
        </tr>
      ))}
    </tbody>
  );
}

function Piece({ piece }: { readonly piece: MonthPiece<StayView> }): VNode {
  const { stay, halves, goesOn } = piece;
  if (stay === null) {
    return <td colSpan={halves} />;
  }
  const { name, arrivalDay, departureDay, calendarName, phase } = stay;
  const title = stayTitle(name, calendarName);
  const { tone, words } = phaseWords(stay);
  const edges = `${goesOn.before ? '' : ' begins'}${goesOn.after ? '' : ' ends'}`;
  return (
    <td colSpan={halves}>
      <div
        class={`stay-bar ${phase === 'gone' || phase === 'skipped' ? 'quiet' : tone}${edges}`}
        title={`${title}: ${words}`}
      >
        <bdi>{title}</bdi>
        <span class="unseen">
          {`, ${t('{from} to {until}', { from: dayWords(arrivalDay), until: dayWords(departureDay) })}`}
        </span>
      </div>
    </td>
  );
}
