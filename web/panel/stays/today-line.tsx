// What today brings, on top of the page of stays.
import type { VNode } from 'preact';
import type { Message } from '../../../src/domain/language/message.ts';
import type { CalendarView, StaysView } from '../../../src/features/stays/panel/views.ts';
import { blockedQuestion } from '../../../src/features/stays/words/stays.ts';
import { seriesWords } from '../../../src/words/sentence.ts';
import { stayTitle } from '../../../src/words/stay-names.ts';
import { t } from '../../../src/words/translate.ts';
import { Notice } from '../parts/pieces.tsx';
import { todayOf } from './plan-facts.ts';

/** More would not fit on a phone above everything else. */
const MOST_NAMED = 4;

/** "Today: 2 arrive, 1 leaves, 1 needs you", and who does. */
export function TodayLine(props: { readonly view: StaysView; readonly today: string }): VNode {
  const { stays, calendars } = props.view;
  const { arriving, leaving, needing } = todayOf(stays, props.today);
  const needs = [
    ...needing.map(({ id, name, calendarName, alarms, obstacles }) => ({
      id,
      name: stayTitle(name, calendarName),
      words: alarms.length > 0 ? alarms : obstacles,
    })),
    ...calendars
      .map((calendar) => ({ id: calendar.id, name: calendar.name, words: troublesOf(calendar).slice(0, 1) }))
      .filter(({ words }) => words.length > 0),
  ];
  const facts = seriesWords([
    t('{count, plural, =0 {nobody arrives} one {# arrives} other {# arrive}}', { count: arriving.length }),
    t('{count, plural, =0 {nobody leaves} one {# leaves} other {# leave}}', { count: leaving.length }),
    t('{count, plural, =0 {nothing needs you} one {# needs you} other {# need you}}', {
      count: needs.length,
    }),
  ]);
  return (
    <section class="today" aria-label={t('Today')}>
      <p>
        <strong>{t('Today: {facts}', { facts })}</strong>
      </p>
      {needs.length > 0 && (
        <Notice tone="warning">
          <ul class="needs">
            {needs.slice(0, MOST_NAMED).map(({ id, name, words }) => (
              <li key={id}>
                <bdi>{name}</bdi>
                {`: ${words.map((one) => t(one)).join(' ')}`}
              </li>
            ))}
          </ul>
          {needs.length > MOST_NAMED && (
            <p>{t('{count, plural, other {# more}}', { count: needs.length - MOST_NAMED })}</p>
          )}
        </Notice>
      )}
    </section>
  );
}

/** What a person has to see to at a calendar, the most urgent first. */
function troublesOf({ trouble, notices, question }: CalendarView): readonly Message[] {
  return [
    ...(trouble === null ? [] : [trouble]),
    ...notices,
    ...(question === null ? [] : [blockedQuestion(question.titles)]),
  ];
}
