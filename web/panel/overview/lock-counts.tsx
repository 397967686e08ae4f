// How many locks are locked, unlocked, offline and so on: each count shows those alone.
import type { VNode } from 'preact';
import type { LockView } from '../../../src/panel/views/lock.ts';
import { locale, t } from '../../../src/words/translate.ts';
import { COUNTED, countsOf, type LockKind } from './lock-order.ts';

export function LockCounts(props: {
  readonly locks: readonly LockView[];
  readonly isCurrent: boolean;
  /** The kind shown alone; null: all. */
  readonly chosen: LockKind | null;
  readonly onChoose: (kind: LockKind | null) => void;
}): VNode {
  const { locks, isCurrent, chosen, onChoose } = props;
  const counts = countsOf(locks, isCurrent);
  if (!isCurrent) {
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
