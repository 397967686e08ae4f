// All locks at a glance: how many are locked, those in trouble first, and a search once there are many.
import type { VNode } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { LockView } from '../../../src/panel/views/lock.ts';
import { failureWords } from '../../../src/words/commands.ts';
import { nameOf } from '../../../src/words/locks.ts';
import { locale, t } from '../../../src/words/translate.ts';
import { Labelled } from '../../shared/labelled.tsx';
import { Announcements } from '../parts/announcements.tsx';
import { NoLocks } from '../parts/empty-page.tsx';
import { isCurrent } from '../state/account-state.ts';
import { usePageContext } from '../state/page-context.ts';
import { openFailures } from './command-failure.ts';
import { LockAll } from './lock-all.tsx';
import { LockCard, LockRow } from './lock-card.tsx';
import { COUNTED, countsOf, inGlanceOrder, isOfKind, type LockKind } from './lock-order.ts';
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

function LockCounts(props: {
  readonly locks: readonly LockView[];
  readonly isCurrent: boolean;
  /** The kind shown alone; null: all. */
  readonly chosen: LockKind | null;
  readonly onChoose: (kind: LockKind | null) => void;
}): VNode {
  const { locks, isCurrent: current, chosen, onChoose } = props;
  const counts = countsOf(locks, current);
  if (!current) {
    const list = new Intl.ListFormat(locale() ?? 'en', { type: 'unit' });
    const known = list.format(counts.map(({ kind, count }) => t(COUNTED[kind](count))));
    return <p>{t('Last known: {counts}', { counts: known })}</p>;
  }
  // A chosen count stays, so that it can be given up.
  const shown =
    chosen === null || counts.some(({ kind }) => kind === chosen)
      ? counts
      : [{ kind: chosen, count: 0 }, ...counts];
  return (
    <div class="counts" role="group" aria-label={t('Show only')}>
      {shown.map(({ kind, count }) => (
        <button
          key={kind}
          type="button"
          class="push"
          aria-pressed={kind === chosen}
          onClick={() => onChoose(kind === chosen ? null : kind)}
        >
          {t(COUNTED[kind](count))}
        </button>
      ))}
    </div>
  );
}
