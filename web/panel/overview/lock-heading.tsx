// The name of a lock as a heading, which leads to the page of the lock from all of its card.
import type { VNode } from 'preact';
import type { LockView } from '../../../src/panel/views/lock.ts';
import { nameOf } from '../../../src/words/locks.ts';
import { useWay } from '../state/page-context.ts';
import { addressOf } from '../state/views.ts';

export function LockHeading({ lock }: { readonly lock: LockView }): VNode {
  const go = useWay();
  const place = { view: 'overview', lock: lock.id } as const;
  return (
    <h3>
      <a
        class="whole-card"
        href={`#${addressOf(place)}`}
        onClick={(event) => {
          event.preventDefault();
          go(place);
        }}
      >
        <bdi>{nameOf(lock)}</bdi>
      </a>
    </h3>
  );
}
