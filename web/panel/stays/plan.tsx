// The plan of flats by days: a bar for each stay, coloured by its code.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { StaysView, StayView } from '../../../src/features/stays/panel/views.ts';
import { phaseWords } from '../../../src/features/stays/words/stays.ts';
import { dateFormat } from '../../../src/words/formats.ts';
import { stayTitle } from '../../../src/words/stay-names.ts';
import { dayWords } from '../../../src/words/times.ts';
import { locale, t } from '../../../src/words/translate.ts';
import { Button, Part } from '../parts/pieces.tsx';
import { dayAfter, planLines, planRows } from './plan-facts.ts';

const DAYS = 14;

const DAY: Intl.DateTimeFormatOptions = { weekday: 'narrow', day: 'numeric', timeZone: 'UTC' };

export function Plan(props: { readonly view: StaysView; readonly today: string }): VNode {
  const { view, today } = props;
  // A day before today shows who leaves.
  const [first, setFirst] = useState(dayAfter(today, -1));
  const days = Array.from({ length: DAYS }, (_, index) => dayAfter(first, index));
  const rows = planRows(view.calendars, view.stays, first, DAYS);
  return (
    <Part title={t('Plan')}>
      <div class="plan-frame" tabIndex={0} role="group" aria-label={t('Plan of the homes by days')}>
        <table class="plan">
          <thead>
            <tr>
              <th scope="col">{t('Home')}</th>
              {days.map((day) => (
                <th key={day} scope="col" colSpan={2} aria-current={day === today ? 'date' : undefined}>
                  <time dateTime={day}>
                    {dayParts(day).map((part) => (
                      <span key={part}>{part}</span>
                    ))}
                  </time>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ id, name, bars }) => {
              const now = days.indexOf(today) * 2;
              const lines = planLines(bars, DAYS * 2, now);
              return lines.map((cells, line) => (
                <tr key={`${id} ${String(line)}`}>
                  {line === 0 && (
                    <th scope="row" rowSpan={lines.length}>
                      <bdi>{name}</bdi>
                    </th>
                  )}
                  {cells.map(({ stay, from, halves }) => (
                    <td key={from} colSpan={halves} class={from === now ? 'plan-today' : undefined}>
                      {stay !== null && <Bar stay={stay} />}
                    </td>
                  ))}
                </tr>
              ));
            })}
          </tbody>
        </table>
      </div>
      <div class="pushes">
        <Button onPress={() => setFirst(dayAfter(first, -DAYS))}>{t('Earlier')}</Button>
        <Button onPress={() => setFirst(dayAfter(today, -1))}>{t('Today')}</Button>
        <Button onPress={() => setFirst(dayAfter(first, DAYS))}>{t('Later')}</Button>
      </div>
    </Part>
  );
}

/** Weekday and number, one above the other: beside each other they are too wide for a day in some languages. */
function dayParts(day: string): readonly string[] {
  const parts = dateFormat(locale() ?? 'en', DAY).formatToParts(new Date(day));
  return (['weekday', 'day'] as const).map((type) => parts.find((part) => part.type === type)?.value ?? '');
}

function Bar({ stay }: { readonly stay: StayView }): VNode {
  const { name, calendarName, arrivalDay, departureDay, phase, booking } = stay;
  const { tone, words } = phaseWords(stay);
  const title = stayTitle(name, calendarName);
  const dates = t('{from} to {until}', { from: dayWords(arrivalDay), until: dayWords(departureDay) });
  return (
    <div
      class={`stay-bar ${phase === 'gone' || phase === 'skipped' ? 'quiet' : tone} begins ends`}
      title={`${title}: ${dates}. ${words}`}
    >
      <bdi>{booking === '' ? title : booking}</bdi>
      <span class="unseen">{`, ${dates}, ${words}`}</span>
    </div>
  );
}
