// All locks at a glance: how many are locked, those in trouble first, and a search once there are many.
import type { VNode } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { LockView } from '../../src/panel/lock-view.ts';
import { Labelled } from '../shared/labelled.tsx';
import { isCurrent, listTrouble } from './account-state.ts';
import { Announcements } from './announcements.tsx';
import { failureWords, openFailures } from './command-failure.ts';
import { LockAll } from './lock-all.tsx';
import { LockCard, type LockEntryProps } from './lock-card.tsx';
import { LockCounts } from './lock-counts.tsx';
import { inGlanceOrder, isOfKind, type LockKind } from './lock-order.ts';
import { LockRow } from './lock-row.tsx';
import { usePageContext } from './page-context.ts';
import { NO_LOCKS, nameOf } from './words.ts';

/** From so many on, locks are rows instead of cards, and can be searched for. */
const COMPACT_FROM = 12;

const QUARTER_HOUR_MS = 900_000;

export function LockList({ now }: { readonly now: number }): VNode {
  const { state } = usePageContext();
  const [sought, setSought] = useState('');
  const [chosen, setChosen] = useState<LockKind | null>(null);
  const settings = state['locks.settings'];
  const locks = useMemo(() => inGlanceOrder(state.locks ?? []), [state.locks]);
  const hidden = useMemo(
    () => new Set(settings?.flatMap(({ id, hide }) => (hide.value ? [id] : []))),
    [settings],
  );
  const failures = useMemo(
    () => openFailures(state.activity ?? [], state.locks ?? []),
    [state.activity, state.locks],
  );
  const current = isCurrent(state);
  const isCompact = locks.length >= COMPACT_FROM;
  const found = locks.filter(
    (lock) =>
      (!isCompact || isFound(lock, sought)) && (chosen === null || !current || isOfKind(lock, chosen)),
  );
  const Entry = isCompact ? Row : LockCard;
  return (
    <section class="glance" aria-label="Locks">
      <Announcements locks={locks} isCurrent={current} />
      {locks.length > 1 && (
        <div class="summary">
          <LockCounts locks={locks} isCurrent={current} chosen={chosen} onChoose={setChosen} />
          {current && <LockAll locks={locks} />}
        </div>
      )}
      {isCompact && <Search sought={sought} onSeek={setSought} />}
      <div class={isCompact ? 'rows' : 'doors'}>
        {found.map((lock) => (
          <Entry
            key={lock.id}
            lock={lock}
            isHidden={hidden.has(lock.id)}
            isCurrent={current}
            failure={failureWords(failures.get(lock.id), lock.presence)}
            now={now}
          />
        ))}
      </div>
      {locks.length > 0 && found.length === 0 && <p role="status">No matching locks.</p>}
      {state.locks?.length === 0 && <p>{listTrouble(state) ?? NO_LOCKS}</p>}
    </section>
  );
}

function Search(props: { readonly sought: string; readonly onSeek: (sought: string) => void }): VNode {
  return (
    <Labelled label="Search locks">
      {(id) => (
        <input
          id={id}
          type="search"
          autocomplete="off"
          value={props.sought}
          onInput={({ currentTarget }) => {
            props.onSeek(currentTarget.value);
          }}
        />
      )}
    </Labelled>
  );
}

/** Made anew only when something of it changed: a page of many locks gets many events that concern none of them. */
function Row(props: LockEntryProps): VNode {
  const { lock, isHidden, isCurrent: current, failure, now } = props;
  // A row tells the day of a move, which turns on a quarter hour in every time zone; only this one counts minutes.
  const then = lock.leftUnlockedSince === null ? now - (now % QUARTER_HOUR_MS) : now;
  return useMemo(
    () => <LockRow lock={lock} isHidden={isHidden} isCurrent={current} failure={failure} now={then} />,
    [lock, isHidden, current, failure, then],
  );
}

function isFound(lock: LockView, sought: string): boolean {
  return nameOf(lock).toLocaleLowerCase().includes(sought.trim().toLocaleLowerCase());
}
