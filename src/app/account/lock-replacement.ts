// Moves everything that is kept of a lock to the one that took its place: guests, calendars and their stays, and history.
import { message } from '../../domain/language/message.ts';
import type { LockId } from '../../domain/locks/lock.ts';
import type { HistoryMover } from '../../domain/ports.ts';
import type { ReplacementApi, ReplacementView } from '../../panel/views/replacement.ts';
import { FinalError } from '../../support/errors.ts';
import type { AccountRuntime } from '../../sync/account-runtime.ts';
import { nameOf } from '../../words/locks.ts';

export interface LockReplacementParts {
  readonly runtime: Pick<AccountRuntime, 'lock' | 'locks' | 'guests' | 'stays' | 'history'>;
  readonly calendars: { replaceLock(old: LockId, by: LockId): number; calendars(): readonly UsesLocks[] };
  readonly archive: HistoryMover;
  /** Throws `not-owner` unless this process owns the account. */
  readonly assertOwned: () => void;
}

interface UsesLocks {
  readonly locks: readonly LockId[];
}

const SAME = message('The old and the new lock are the same.');
const NO_NEW = message(
  'The new lock is not in the account. Add it in the lock’s app, then read the list of locks.',
);
const NO_OLD = message('Nothing is kept of the old lock: no guest, no calendar and no history.');
const STILL_THERE = message(
  'The old lock is still in the account: its codes are removed from it once it is reachable.',
);
const RESET_IT = message(
  'The old lock is not in the account, so its codes may still be on it. Reset it before you give it away.',
);

export class LockReplacement implements ReplacementApi {
  readonly #parts: LockReplacementParts;

  constructor(parts: LockReplacementParts) {
    this.#parts = parts;
  }

  /** Repeated after an interruption, it moves what is left. Throws final, and retry (`storage-failed`). */
  replace(old: LockId, by: LockId): ReplacementView {
    const { runtime, calendars, archive, assertOwned } = this.#parts;
    assertOwned();
    if (old === by) {
      throw new FinalError('bad-request', SAME);
    }
    const fresh = runtime.lock(by);
    if (fresh === undefined || fresh.presence === 'missing') {
      throw new FinalError('not-found', NO_NEW);
    }
    runtime.history.keepReported();
    const former = runtime.lock(old);
    const isAway = former === undefined || former.presence === 'missing';
    const entries = archive.moveLock(old, by);
    const moved = calendars.replaceLock(old, by);
    const stays = runtime.stays.replaceLock(old, by);
    const guests = runtime.guests.replaceLock(old, by, isAway);
    if (entries + moved + stays + guests === 0) {
      throw new FinalError('not-found', NO_OLD);
    }
    runtime.stays.setUpAnew();
    return { guests, calendars: moved, entries, note: isAway ? RESET_IT : STILL_THERE };
  }

  /** Locks of which something is kept and that may have been replaced, the likeliest first. */
  candidates(): readonly { readonly id: LockId; readonly name: string }[] {
    const { runtime, calendars } = this.#parts;
    const guests = runtime.guests.list();
    const away = guests.flatMap(({ onLocks }) =>
      onLocks.flatMap(({ lockId, lockName }) =>
        runtime.lock(lockId) === undefined ? [[lockId, lockName] as const] : [],
      ),
    );
    const wanted = [
      ...calendars.calendars().flatMap(({ locks }) => locks),
      ...guests.flatMap(({ locks }) => (locks === 'all' ? [] : locks)),
    ];
    const unknown = wanted.filter((id) => runtime.lock(id) === undefined).map((id) => [id, id] as const);
    const present = runtime.locks().map((lock) => [lock.id, nameOf(lock), lock.presence] as const);
    const missing = present.filter(([, , presence]) => presence === 'missing');
    const offline = present.filter(([, , presence]) => presence === 'offline');
    const others = present.filter(([, , presence]) => presence === 'reachable');
    const all = [...unknown, ...away, ...missing, ...offline, ...others];
    return [...new Map(all.map(([id, name]) => [id, { id, name }])).values()];
  }
}
