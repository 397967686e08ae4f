// The order in which locks are shown, and the counts of them.
import { type Message, message } from '../../../src/domain/language/message.ts';
import type { LockView } from '../../../src/panel/views/lock.ts';
import { nameOf } from '../../../src/words/locks.ts';
import { certainBolt, isLow } from '../parts/lock-signs.ts';

/** The collator is made once: `localeCompare` with options makes one for each comparison. */
const BY_NAME = new Intl.Collator(undefined, { numeric: true });

/** Locks that need a person come first, the rest by name. */
export function inGlanceOrder(locks: readonly LockView[]): readonly LockView[] {
  return locks.toSorted(
    (one, other) => urgency(one) - urgency(other) || BY_NAME.compare(nameOf(one), nameOf(other)),
  );
}

/** 0 is the most urgent. */
function urgency({ bolt, presence, battery, leftUnlockedSince }: LockView): number {
  if (presence !== 'reachable' || bolt === 'unknown') {
    return 3;
  }
  if (bolt === 'jammed') {
    return 0;
  }
  if (bolt === 'unsecured') {
    return leftUnlockedSince === null ? 2 : 1;
  }
  return isLow(battery) ? 4 : 5;
}

const KINDS = ['unlocked', 'jammed', 'unknown', 'offline', 'removed', 'low battery', 'locked'] as const;

/** What locks are counted by, and can be filtered by. */
export type LockKind = (typeof KINDS)[number];

/** "2 unlocked". */
export const COUNTED: Readonly<Record<LockKind, (count: number) => Message>> = {
  unlocked: (count) => message('{count, plural, one {# unlocked} other {# unlocked}}', { count }),
  jammed: (count) => message('{count, plural, one {# jammed} other {# jammed}}', { count }),
  unknown: (count) => message('{count, plural, one {# unknown} other {# unknown}}', { count }),
  offline: (count) => message('{count, plural, one {# offline} other {# offline}}', { count }),
  removed: (count) => message('{count, plural, one {# removed} other {# removed}}', { count }),
  'low battery': (count) => message('{count, plural, one {# low battery} other {# low battery}}', { count }),
  locked: (count) => message('{count, plural, one {# locked} other {# locked}}', { count }),
};

/** Whether a lock is of that kind; on a disconnected page, whether it was. */
export function isOfKind(lock: LockView, kind: LockKind, isCurrent = true): boolean {
  const bolt = isCurrent ? certainBolt(lock, true) : lock.bolt;
  switch (kind) {
    case 'locked':
      return bolt === 'secured';
    case 'unlocked':
      return bolt === 'unsecured';
    case 'jammed':
      return bolt === 'jammed';
    case 'unknown':
      return bolt === 'unknown' && (lock.presence === 'reachable' || !isCurrent);
    case 'offline':
      return isCurrent && lock.presence === 'offline';
    case 'removed':
      return isCurrent && lock.presence === 'missing';
    case 'low battery':
      return isLow(lock.battery);
  }
}

/** How many locks are of each kind, those in trouble first; a kind without any is left out. */
export function countsOf(
  locks: readonly LockView[],
  isCurrent: boolean,
): readonly { readonly kind: LockKind; readonly count: number }[] {
  return KINDS.map((kind) => ({
    kind,
    count: locks.filter((lock) => isOfKind(lock, kind, isCurrent)).length,
  })).filter(({ count }) => count > 0);
}
