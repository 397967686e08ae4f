// Who came in today: every person or way by which a lock was unlocked from outside.

import type { VNode } from 'preact';
import type { TodayView, VisitorView } from '../../../src/panel/views/history.ts';
import { WAYS_IN } from '../../../src/words/history.ts';
import { t } from '../../../src/words/translate.ts';
import { Part } from '../parts/pieces.tsx';
import { clocksThere } from './times.ts';

export function Today({ today }: { readonly today: TodayView }): VNode {
  return (
    <Part title="Who came in today">
      {today.visitors.length === 0 && <p class="about">No one yet today.</p>}
      {today.visitors.length > 0 && (
        <ul class="visitors">
          {today.visitors.map((visitor) => (
            <Visitor key={`${visitor.method} ${visitor.name ?? ''}`} visitor={visitor} />
          ))}
        </ul>
      )}
      {today.hasGap && <p class="about">Part of today has no record.</p>}
    </Part>
  );
}

/** "Dog walker: Front door · code · twice, 9:33–10:33 AM". */
function Visitor({ visitor }: { readonly visitor: VisitorView }): VNode {
  const { name, method, lockNames, count, firstAt, lastAt, offsetMinutes } = visitor;
  const way = WAYS_IN[method];
  const times = clocksThere(firstAt, lastAt, offsetMinutes);
  return (
    <li>
      <strong>
        <bdi>{name ?? 'Someone'}</bdi>
      </strong>{' '}
      <span class="about">
        <bdi>{new Intl.ListFormat('en').format(lockNames)}</bdi>
        {way !== undefined && ` · ${t(way)}`}
        {` · ${countWords(count)}${times}`}
      </span>
    </li>
  );
}

function countWords(count: number): string {
  return count === 1 ? '' : count === 2 ? 'twice, ' : `${String(count)} times, `;
}
