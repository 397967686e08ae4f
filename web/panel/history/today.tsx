// Who came in today: every person or way by which a lock was unlocked from outside.
import type { VNode } from 'preact';
import { offsetZone } from '../../../src/domain/time/schedule-time.ts';
import type { TodayView, VisitorView } from '../../../src/panel/views/history.ts';
import { WAYS_IN } from '../../../src/words/history.ts';
import { listWords } from '../../../src/words/sentence.ts';
import { t } from '../../../src/words/translate.ts';
import type { LockZones } from '../parts/lock-zones.ts';
import { Part } from '../parts/pieces.tsx';
import { zoneMark } from '../parts/reader-times.ts';
import { clocksThere } from './times.ts';

export function Today(props: { readonly today: TodayView; readonly zones: LockZones }): VNode {
  const { today, zones } = props;
  return (
    <Part title={t('Who came in today')}>
      {today.visitors.length === 0 && <p class="about">{t('No one yet today.')}</p>}
      {today.visitors.length > 0 && (
        <ul class="visitors">
          {today.visitors.map((visitor) => (
            <Visitor key={`${visitor.method} ${visitor.name ?? ''}`} visitor={visitor} zones={zones} />
          ))}
        </ul>
      )}
      {today.hasGap && <p class="about">{t('Part of today has no record.')}</p>}
    </Part>
  );
}

/** "Dog walker: Front door · code · twice, 9:33–10:33 AM". */
function Visitor(props: { readonly visitor: VisitorView; readonly zones: LockZones }): VNode {
  const { visitor, zones } = props;
  const { name, method, lockNames, count, firstAt, lastAt, offsetMinutes } = visitor;
  const way = WAYS_IN[method];
  const times = clocksThere(firstAt, lastAt, offsetMinutes);
  return (
    <li>
      <strong>
        <bdi>{name ?? t('Someone')}</bdi>
      </strong>{' '}
      <span class="about">
        <bdi>{listWords(lockNames)}</bdi>
        {way !== undefined && ` · ${t(way)}`}
        {` · ${countWords(count, times)}`}
        {zoneMark(lastAt, offsetZone(offsetMinutes), zones.page)}
      </span>
    </li>
  );
}

function countWords(count: number, times: string): string {
  return count === 1 ? times : t('{count, plural, =2 {twice} other {# times}}, {times}', { count, times });
}
