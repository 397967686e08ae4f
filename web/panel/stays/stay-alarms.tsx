// Guests who come within a day and could stand before a closed door.
import type { VNode } from 'preact';
import { isDated, stayTitle } from '../../../src/words/stay-names.ts';
import { dayWords, hourWords } from '../../../src/words/times.ts';
import { t } from '../../../src/words/translate.ts';
import { Button, Notice } from '../parts/pieces.tsx';
import { usePageContext, useWay } from '../state/page-context.ts';

export function StayAlarms(): VNode | null {
  const { state } = usePageContext();
  const go = useWay();
  const stays = (state['stays.list']?.stays ?? []).filter(({ alarms }) => alarms.length > 0);
  return stays.length === 0 ? null : (
    <section aria-label={t('Stays that are not ready')}>
      <Notice tone="warning">
        {stays.map(({ id, name, calendarName, arrivalDay, checkIn, alarms }) => (
          <p key={id}>
            <strong>
              <bdi>{stayTitle(name, calendarName)}</bdi>
              {calendarName === '' || isDated(name) ? '' : <bdi>{`, ${calendarName}`}</bdi>}
            </strong>
            {`: ${t('Check-in {day}, {time}.', { day: dayWords(arrivalDay), time: hourWords(checkIn) })} `}
            {alarms.map((words) => t(words)).join(' ')}
          </p>
        ))}
        <div class="pushes">
          <Button onPress={() => go({ view: 'stays' })}>{t('Show the stays')}</Button>
        </div>
      </Notice>
    </section>
  );
}
