// In which order locks are shown, and what they are as a whole.
import type { BoltState } from '../../src/domain/bolt.ts';
import type { LockView } from '../../src/panel/lock-view.ts';
import { certainBolt, nameOf } from './words.ts';

/** Made once: `localeCompare` with options makes one for each comparison. */
const BY_NAME = new Intl.Collator(undefined, { numeric: true });

/** Those that need a person first, the rest by name. */
export function inGlanceOrder(locks: readonly LockView[]): readonly LockView[] {
  return locks.toSorted(
    (one, other) => urgency(one) - urgency(other) || BY_NAME.compare(nameOf(one), nameOf(other)),
  );
}

/** 0 is the most urgent. */
function urgency({ bolt, presence, battery, leftUnlockedSince }: LockView): number {
  if (presence === 'reachable' && bolt === 'jammed') {
    return 0;
  }
  if (presence !== 'reachable' || bolt === 'unknown') {
    return 1;
  }
  if (leftUnlockedSince !== null) {
    return 2;
  }
  return battery.grade === 'critical' || battery.grade === 'low' ? 3 : 4;
}

const COUNTED: readonly (readonly [BoltState, string])[] = [
  ['secured', 'locked'],
  ['unsecured', 'unlocked'],
  ['jammed', 'jammed'],
  ['unknown', 'unknown'],
];

/** "29 locked, 1 jammed"; of locks that the page no longer hears of, what they were. */
export function summaryWords(locks: readonly LockView[], isCurrent: boolean): string {
  const counts = COUNTED.flatMap(([bolt, word]) => {
    const count = locks.filter((lock) => (isCurrent ? certainBolt(lock, true) : lock.bolt) === bolt).length;
    return count === 0 ? [] : [`${String(count)} ${word}`];
  });
  return `${isCurrent ? '' : 'Last known: '}${counts.join(', ')}`;
}
