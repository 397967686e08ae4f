// The panel's operations on guests: list, show a code, add, change, remove, and decide about a difference.
import { z } from 'zod';
import { lockId } from '../../domain/locks/lock.ts';
import type { AccountRuntime } from '../../engine/account-runtime.ts';
import { codeChanges, codeDraft } from './codes.ts';
import { nothing, oneLock, pageRows } from './operation.ts';

export type { GuestAnswer, GuestView } from '../../engine/codes/guests.ts';

export interface GuestOperationParts {
  readonly runtime: Pick<AccountRuntime, 'guests'>;
  /** Throws `not-owner` unless this process owns the account. */
  readonly assertOwned: () => void;
}

/** More guests than any account has (our choice). */
const MOST_CONFIRMED = 10_000;

/** More locks than any account has (our choice). */
const MOST_LOCKS = 2_000;

const locks = () =>
  z.union([z.literal('all'), z.array(z.string().min(1).max(256).transform(lockId)).max(MOST_LOCKS)]);
const oneGuest = () => z.object({ guest: z.string().min(1).max(256) });
const settling = () =>
  oneLock().extend({
    guest: z.string().min(1).max(256),
    choice: z.enum(['keep', 'overwrite', 'retry']),
    revision: z.number().int(),
  });

const confirmation = () => z.object({ guests: z.array(z.string()).max(MOST_CONFIRMED).exactOptional() });

const owned = pageRows(({ assertOwned, runtime: { guests } }: GuestOperationParts) => {
  assertOwned();
  return guests;
});

/** Inputs hold PINs; answers do not, but for `guests.reveal`. Only `guests.look` waits for the service. */
export const GUEST_OPERATIONS = {
  /** Why stored guests let nobody in until they are confirmed; null: they do. `unread`: how many cannot be read. */
  'codes.proposals': owned('reads', nothing, (guests) => ({
    old: guests.oldFile(),
    unread: guests.unreadCount,
  })),
  /** Confirms these guests as they are stored; all of them without. */
  'codes.confirm': owned('changes', confirmation, (guests, { guests: ids }) => {
    guests.confirm(ids);
    return {};
  }),
  'guests.list': owned('reads', nothing, (guests) => guests.list()),
  /** Compares every lock again, for ten seconds at most; events of type `guests` follow where something else is found. */
  'guests.look': owned('reads', nothing, async (guests) => ({ isCompared: await guests.compareAll() })),
  /** The digits of a guest's code, for a person who asked to see them. */
  'guests.reveal': owned('reads', oneGuest, (guests, { guest }) => ({ pin: guests.reveal(guest) })),
  'guests.add': owned(
    'changes',
    () => z.object({ draft: codeDraft(), locks: locks() }),
    (guests, { draft, locks: wanted }) => guests.add(draft, wanted),
  ),
  /** `revision`: of the guest that the person saw. Absent changes stay. */
  'guests.update': owned(
    'changes',
    () =>
      oneGuest().extend({
        changes: codeChanges().extend({ locks: locks().exactOptional() }),
        revision: z.number().int(),
      }),
    (guests, { guest, changes, revision }) => guests.update(guest, changes, revision),
  ),
  /** The guest stays in the list until the code is gone from every lock. */
  'guests.remove': owned('changes', oneGuest, (guests, { guest }) => {
    guests.remove(guest);
    return { removed: guest };
  }),
  'guests.settle': owned('changes', settling, (guests, { guest, lock, choice, revision }) => {
    guests.settle(guest, lock, choice, revision);
    return { settled: guest };
  }),
};
