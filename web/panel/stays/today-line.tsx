// What today brings, on top of the page of stays.
import type { VNode } from 'preact';
import type { StayView } from '../../../src/panel/views/stays.ts';
import { seriesWords } from '../../../src/words/sentence.ts';
import { stayTitle } from '../../../src/words/stay-names.ts';
import { t } from '../../../src/words/translate.ts';
import { Notice } from '../parts/pieces.tsx';
import { todayOf } from './plan-facts.ts';

/** More would not fit on a phone above everything else. */
const MOST_NAMED = 4;

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
