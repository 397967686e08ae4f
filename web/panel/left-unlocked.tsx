// The line on a lock that was left unlocked: for how long.
import type { VNode } from 'preact';
import type { LockView } from '../../src/panel/lock-view.ts';
import { lengthWords } from './words.ts';

export function LeftUnlocked(props: {
  readonly lock: LockView;
  readonly isCurrent: boolean;
  readonly now: number;
}): VNode | null {
  const { lock, isCurrent, now } = props;
  const { leftUnlockedSince } = lock;
  return leftUnlockedSince === null || !isCurrent ? null : (
    <p class="warning">Left unlocked for {lengthWords(now - leftUnlockedSince)}</p>
  );
}
