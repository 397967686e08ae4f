// Moves what is kept of a lock to the one that took its place: guests, calendars and their stays, history, and settings.
import { type Message, message } from '../domain/language/message.ts';
import type { LockId } from '../domain/locks/lock.ts';
import type { HistoryMover } from '../domain/ports.ts';
import type { AccountRuntime } from '../engine/account-runtime.ts';
import type { GuestSource } from '../engine/codes/guest-source.ts';
import { FinalError } from '../support/errors.ts';
import { nameOf } from '../words/locks.ts';
import type { ReplacementApi, ReplacementView } from './views/replacement.ts';

const SAME = message('The old and the new lock are the same.');
const NO_NEW = message(
  'The new lock is not in the account. Add it in the lock’s app, then read the list of locks.',
);
const NO_OLD = message('Nothing is kept of the old lock: no guest, no calendar, no history and no setting.');
const STILL_THERE = message(
  'The old lock is still in the account: the codes of these guests are removed from it once it is reachable.',
);
const RESET_IT = message(
  'The old lock is not in the account, so its codes may still be on it. Reset it before you give it away.',
);

const OTHERS = message(
  'Codes without a guest were not moved, and were not removed from the old lock. Add those that are still needed to the new one.',
);

/** `names`: null where the old lock was not listed. */
function othersNote(names: readonly string[] | null): readonly Message[] {
  if (names === null) {
    return [OTHERS];
  }
  return names.length === 0
    ? []
    : [
        message('Not moved, and not removed from the old lock, because they belong to no guest: {codes}.', {
          codes: names,
        }),
      ];
}

const sum = (counts: readonly number[]): number => counts.reduce((all, one) => all + one, 0);

export class LockReplacement implements ReplacementApi {
  readonly #parts;

  constructor(parts: {
    readonly runtime: Pick<AccountRuntime, 'lock' | 'locks' | 'codes' | 'guests' | 'history'>;
    readonly sources: readonly Pick<GuestSource, 'booked' | 'replaceLock' | 'setUpAnew'>[];
    readonly archive: HistoryMover;
    readonly options: { moveTo(old: LockId, by: LockId): boolean };
    /** Throws `not-owner` unless this process owns the account. */
    readonly assertOwned: () => void;
  }) {
    this.#parts = parts;
  }

  /** Repeated after an interruption, it moves what is left. Throws final, and retry (`storage-failed`). */
  replace(old: LockId, by: LockId): ReplacementView {
    const { runtime, sources, archive, options, assertOwned } = this.#parts;
    assertOwned();
    if (old === by) {
      throw new FinalError('bad-request', SAME);
    }
    const fresh = runtime.lock(by);
    if (fresh === undefined || fresh.presence === 'missing') {
      throw new FinalError('not-found', NO_NEW);
    }
    runtime.history.saveReported();
    const former = runtime.lock(old);
    const isAway = former === undefined || former.presence === 'missing';
    const others = runtime.codes.namesWithoutGuest(old);
    const entries = archive.moveLock(old, by);
    const moved = sources.map((source) => source.replaceLock(old, by));
    const calendars = sum(moved.map((one) => one.calendars));
    const stays = sum(moved.map((one) => one.stays));
    const guests = runtime.guests.replaceLock(old, by, isAway);
    const isConfigured = options.moveTo(old, by);
    if (entries + calendars + stays + guests === 0 && !isConfigured) {
      throw new FinalError('not-found', NO_OLD);
    }
    for (const source of sources) {
      source.setUpAnew();
    }
    const notes = [isAway ? RESET_IT : STILL_THERE, ...othersNote(others)];
    return { guests, calendars, entries, notes };
  }

  /** Locks of which something is kept and that may have been replaced, the likeliest first. */
  candidates(): readonly { readonly id: LockId; readonly name: string }[] {
    const { runtime, sources } = this.#parts;
    const guests = runtime.guests.list();
    const away = guests.flatMap(({ onLocks }) =>
      onLocks.flatMap(({ lockId, lockName }) =>
        runtime.lock(lockId) === undefined ? [[lockId, lockName] as const] : [],
      ),
    );
    const wanted = [
      ...sources.flatMap(({ booked }) => booked.calendars().flatMap(({ locks }) => locks)),
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
