// All locks at a glance: how many are locked, those in trouble first, and a search once there are many.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { LockView } from '../../src/panel/lock-view.ts';
import { Labelled } from '../shared/labelled.tsx';
import { isCurrent, listTrouble } from './account-state.ts';
import { Announcements } from './announcements.tsx';
import { LockCard } from './lock-card.tsx';
import { inGlanceOrder, summaryWords } from './lock-order.ts';
import { LockRow } from './lock-row.tsx';
import { usePageContext } from './page-context.ts';
import { nameOf } from './words.ts';

/** From so many on, locks are rows instead of cards, and can be searched for. */
const COMPACT_FROM = 12;

export function LockList({ now }: { readonly now: number }): VNode {
  const { state } = usePageContext();
  const [sought, setSought] = useState('');
  const locks = inGlanceOrder(state.locks ?? []);
  const hidden = new Set(state['locks.settings']?.flatMap(({ id, hide }) => (hide.value ? [id] : [])));
  const current = isCurrent(state);
  const isCompact = locks.length >= COMPACT_FROM;
  const found = isCompact ? locks.filter((lock) => isFound(lock, sought)) : locks;
  const Entry = isCompact ? LockRow : LockCard;
  return (
    <section class="glance" aria-label="Locks">
      <Announcements locks={locks} isCurrent={current} />
      {locks.length > 0 && <p class="summary">{summaryWords(locks, current)}</p>}
      {isCompact && (
        <Labelled label="Search locks">
          {(id) => (
            <input
              id={id}
              type="search"
              autocomplete="off"
              value={sought}
              onInput={({ currentTarget }) => {
                setSought(currentTarget.value);
              }}
            />
          )}
        </Labelled>
      )}
      <div class={isCompact ? 'rows' : 'doors'}>
        {found.map((lock) => (
          <Entry key={lock.id} lock={lock} isHidden={hidden.has(lock.id)} isCurrent={current} now={now} />
        ))}
      </div>
      {locks.length > 0 && found.length === 0 && <p role="status">No lock has this in its name.</p>}
      {state.locks?.length === 0 && <p>{listTrouble(state) ?? 'No locks found in this account.'}</p>}
    </section>
  );
}

function isFound(lock: LockView, sought: string): boolean {
  return nameOf(lock).toLocaleLowerCase().includes(sought.trim().toLocaleLowerCase());
}
