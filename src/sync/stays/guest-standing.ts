// The standing of a stay's guest on the locks of the stay.
import type { LockId } from '../../domain/locks/lock.ts';
import type { GuestView } from '../codes/guests/guests.ts';

export function isOnAll({ onLocks, locks }: Pick<GuestView, 'onLocks' | 'locks'>): boolean {
  const wanted = onLocks.filter(({ isLeaving }) => !isLeaving);
  const isKept = wanted.every(({ standing }) => standing.kind === 'up-to-date');
  return isKept && wanted.length > 0 && (locks === 'all' || wanted.length === locks.length);
}

export function sameLocks(a: readonly LockId[], b: GuestView['locks']): boolean {
  return b !== 'all' && a.length === b.length && a.every((id) => b.includes(id));
}
