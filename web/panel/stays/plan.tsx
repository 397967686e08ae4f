// What today brings, on top of the page, and the plan of flats by days: a bar for each stay, coloured by its code.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { StaysView, StayView } from '../../../src/panel/views/stays.ts';
import { seriesWords } from '../../../src/words/sentence.ts';
import { stayTitle } from '../../../src/words/stay-names.ts';
import { phaseWords, stayDay } from '../../../src/words/stays.ts';
import { locale, t } from '../../../src/words/translate.ts';
import { Button, Notice, Part } from '../parts/pieces.tsx';
import { dayAfter, type PlanBar, planRows, todayOf } from './plan-facts.ts';

/** "Today: 2 arrive, 1 leaves, 1 needs you", and who does. */
export function TodayLine(props: { readonly stays: readonly StayView[]; readonly today: string }): VNode {
  const { arriving, leaving, needing } = todayOf(props.stays, props.today);
  const facts = seriesWords([
    t('{count, plural, =0 {nobody arrives} one {# arrives} other {# arrive}}', { count: arriving.length }),
    t('{count, plural, =0 {nobody leaves} one {# leaves} other {# leave}}', { count: leaving.length }),
    t('{count, plural, =0 {nothing needs you} one {# needs you} other {# need you}}', {
      count: needing.length,
    }),
  ]);
  return (
    <section class="today" aria-label={t('Today')}>
      <p>
        <strong>{t('Today: {facts}', { facts })}</strong>
      </p>
      {needing.length > 0 && (
        <Notice tone="warning">
          <ul class="needs">
            {needing.slice(0, MOST_NAMED).map((stay) => (
              <li key={stay.id}>
                <bdi>{stayTitle(stay.name, stay.calendarName)}</bdi>
                {`: ${(stay.alarms.length > 0 ? stay.alarms : stay.obstacles).map((words) => t(words)).join(' ')}`}
              </li>
            ))}
          </ul>
          {needing.length > MOST_NAMED && (
            <p>{t('{count, plural, other {# more}}', { count: needing.length - MOST_NAMED })}</p>
          )}
        </Notice>
      )}
    </section>
  );
}

/** More would not fit on a phone above everything else. */
const MOST_NAMED = 4;

const DAYS = 14;

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
                  <time dateTime={day}>{shortDay(day)}</time>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ id, name, bars }) => (
              <tr key={id}>
                <th scope="row">
                  <bdi>{name}</bdi>
                </th>
                <td colSpan={DAYS * 2}>
                  <div class="plan-bars">
                    <span class="plan-today" style={placeOf(days.indexOf(today) * 2 + 1, 1)} />
                    {bars.map((bar) => (
                      <Bar key={bar.stay.id} bar={bar} />
                    ))}
                  </div>
                </td>
              </tr>
            ))}
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

function placeOf(
  from: number,
  halves: number,
): { readonly gridColumn: string; readonly gridRow: number } | undefined {
  return from < 0 ? undefined : { gridColumn: `${String(from + 1)} / span ${String(halves)}`, gridRow: 1 };
}

function shortDay(day: string): string {
  return new Intl.DateTimeFormat(locale() ?? 'en', {
    weekday: 'narrow',
    day: 'numeric',
    timeZone: 'UTC',
  }).format(new Date(day));
}

function Bar({ bar }: { readonly bar: PlanBar }): VNode {
  const { stay, from, halves } = bar;
  const { name, calendarName, arrivalDay, departureDay, phase, booking } = stay;
  const { tone, words } = phaseWords(stay);
  const title = stayTitle(name, calendarName);
  const dates = t('{from} to {until}', { from: stayDay(arrivalDay), until: stayDay(departureDay) });
  return (
    <div
      class={`stay-bar ${phase === 'gone' || phase === 'skipped' ? 'quiet' : tone} begins ends`}
      style={placeOf(from, halves)}
      title={`${title}: ${dates}. ${words}`}
    >
      <bdi>{booking === '' ? title : booking}</bdi>
      <span class="unseen">{`, ${dates}, ${words}`}</span>
    </div>
  );
}
