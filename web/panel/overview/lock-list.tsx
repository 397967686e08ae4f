// All locks at a glance: how many are locked, those in trouble first, and a search once there are many.
import type { VNode } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { LockView } from '../../../src/panel/views/lock.ts';
import { failureWords } from '../../../src/words/commands.ts';
import { nameOf } from '../../../src/words/locks.ts';
import { t } from '../../../src/words/translate.ts';
import { Labelled } from '../../shared/labelled.tsx';
import { Announcements } from '../parts/announcements.tsx';
import { NoLocks } from '../parts/empty-page.tsx';
import { isCurrent } from '../state/account-state.ts';
import { usePageContext } from '../state/page-context.ts';
import { openFailures } from './command-failure.ts';
import { LockAll } from './lock-all.tsx';
import { LockCard } from './lock-card.tsx';
import { LockCounts } from './lock-counts.tsx';
import { inGlanceOrder, isOfKind, type LockKind } from './lock-order.ts';
import { LockRow } from './lock-row.tsx';
import { unexplainedLocks } from './unexplained.ts';

/** From this number on, locks are rows instead of cards, and can be searched for. */
const COMPACT_FROM = 12;

export function LockList({ now }: { readonly now: number }): VNode {
  const { state, may } = usePageContext();
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
  const unexplained = useMemo(() => unexplainedLocks(state.activity ?? []), [state.activity]);
  const current = isCurrent(state);
  const isCompact = locks.length >= COMPACT_FROM;
  const found = locks.filter(
    (lock) =>
      (!isCompact || isFound(lock, sought)) && (chosen === null || !current || isOfKind(lock, chosen)),
  );
  const Entry = isCompact ? LockRow : LockCard;
  return (
    <section class="glance" aria-label={t('Locks')}>
      <Announcements locks={locks} isCurrent={current} />
      {locks.length > 1 && (
        <div class="summary">
          <LockCounts locks={locks} isCurrent={current} chosen={chosen} onChoose={setChosen} />
          {current && may('lock') && <LockAll locks={locks} />}
        </div>
      )}
      {isCompact && <Search sought={sought} onSeek={setSought} />}
      <div class={isCompact ? 'rows' : 'doors'}>
        {found.map((lock) => (
          <Entry
            key={lock.id}
            lock={unexplained.has(lock.id) ? { ...lock, lastMove: null } : lock}
            isHidden={hidden.has(lock.id)}
            isCurrent={current}
            failure={failureWords(failures.get(lock.id), lock.presence)}
            now={now}
          />
        ))}
      </div>
      {locks.length > 0 && found.length === 0 && <p role="status">{t('No matching locks.')}</p>}
      {state.locks?.length === 0 && <NoLocks />}
    </section>
  );
}

function Search(props: { readonly sought: string; readonly onSeek: (sought: string) => void }): VNode {
  return (
    <Labelled label={t('Search locks')}>
      {(id) => (
        <input
          id={id}
          type="search"
          autocomplete="off"
          value={props.sought}
          onInput={({ currentTarget }) => props.onSeek(currentTarget.value)}
        />
      )}
    </Labelled>
  );
}

function isFound(lock: LockView, sought: string): boolean {
  return nameOf(lock).toLocaleLowerCase().includes(sought.trim().toLocaleLowerCase());
}
