// Who came in today: every person or way by which a lock was unlocked from outside.
import type { VNode } from 'preact';
import type { TodayView, VisitorView } from '../../src/panel/history-view.ts';
import { clockThere } from './history-times.ts';
import { Part } from './pieces.tsx';
import { byWords } from './words.ts';

export function Today({ today }: { readonly today: TodayView | null }): VNode {
  return (
    <Part title="Who came in today">
      {today === null && <p class="quiet">Loading …</p>}
      {today !== null && today.visitors.length === 0 && <p class="about">Nobody that is known of.</p>}
      {today !== null && today.visitors.length > 0 && (
        <ul class="visitors">
          {today.visitors.map((visitor) => (
            <Visitor key={`${visitor.method} ${visitor.name ?? ''}`} visitor={visitor} />
          ))}
        </ul>
      )}
      {today?.hasGap === true && <p class="about">Part of today is not known.</p>}
    </Part>
  );
}

function Visitor({ visitor }: { readonly visitor: VisitorView }): VNode {
  const { name, method, lockNames, count, firstAt, lastAt, offsetMinutes } = visitor;
  const last = clockThere(lastAt, offsetMinutes);
  const way = byWords({ method, id: null, name: null }).trim();
  return (
    <li>
      <strong>
        <bdi>{name ?? 'Someone'}</bdi>
      </strong>{' '}
      {way}, at <bdi>{new Intl.ListFormat('en').format(lockNames)}</bdi>:{' '}
      {count === 1 ? last : `${String(count)} times, ${clockThere(firstAt, offsetMinutes)} to ${last}`}
    </li>
  );
}
