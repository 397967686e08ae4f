// Guests: people with one code and one schedule on a set of locks, for the pages and the command line.
import {
  type AccessCodeId,
  type CodeDraft,
  type CodeSchedule,
  toTheMinute,
} from '../../domain/access-code.ts';
import type { CodeFault } from '../../domain/access-code-policy.ts';
import { type CodeChanges, hasEnded } from '../../domain/code-operation.ts';
import type { GuestStore } from '../../domain/code-ports.ts';
import {
  codeOn,
  faultsOfGuest,
  type Guest,
  type GuestLocks,
  isWantedOn,
  leaving,
} from '../../domain/guest.ts';
import { decided, encouraged, unknownCode } from '../../domain/guest-code-machine.ts';
import type { GuestStanding } from '../../domain/guest-policy.ts';
import type { Lock, LockId } from '../../domain/lock.ts';
import { Emitter } from '../../support/emitter.ts';
import { FinalError } from '../../support/errors.ts';
import type { CommonParts } from '../common-parts.ts';
import { GuestBook } from './guest-book.ts';
import { GuestKeeper, type GuestKeeperParts } from './guest-keeper.ts';
import { GuestStandings, mayTryAgain } from './guest-standings.ts';

export interface GuestsParts
  extends Omit<GuestKeeperParts, 'book' | 'standings' | 'onChange'>,
    Pick<CommonParts, 'log'> {
  readonly guests: GuestStore;
}

export interface GuestOnLock {
  readonly lockId: LockId;
  /** Which code of the lock is the guest's; null while none is. */
  readonly codeId: AccessCodeId | null;
  /** The code is to be gone from that lock. */
  readonly isLeaving: boolean;
  readonly standing: GuestStanding;
  /** Whether the same may end otherwise when it is tried again at once. */
  readonly mayRetry: boolean;
  /** A decision names it: it holds for what was shown. */
  readonly revision: number;
}

/** A guest without the digits of the code. */
export interface GuestView {
  readonly id: string;
  readonly name: string;
  readonly pinLength: number;
  readonly schedule: CodeSchedule;
  readonly locks: GuestLocks;
  /** The guest was removed, and the code is not gone from every lock yet. */
  readonly isLeaving: boolean;
  readonly onLocks: readonly GuestOnLock[];
  /** In which the schedule is shown: the zone of the first of these locks. */
  readonly timeZone: string;
}

/** `invalid`: nothing was changed. */
export type GuestAnswer =
  | { readonly kind: 'saved'; readonly guest: GuestView }
  | { readonly kind: 'invalid'; readonly faults: readonly CodeFault[] };

export interface GuestChanges extends CodeChanges {
  readonly locks?: GuestLocks;
}

/** `keep`: the lock keeps what somebody else made. `overwrite`: the guest's values are written. `retry`: at once. */
export type GuestChoice = 'keep' | 'overwrite' | 'retry';

const ID_RADIX = 36;

const NOT_CHECKED = 'Checking the lock’s codes …';

export class Guests {
  readonly #parts: GuestsParts;
  readonly #book: GuestBook;
  readonly #standings: GuestStandings;
  readonly #keeper: GuestKeeper;
  readonly #changes: Emitter<null>;

  constructor(parts: GuestsParts) {
    this.#parts = parts;
    this.#changes = new Emitter(parts.log);
    const onChange = (): void => {
      this.#changes.emit(null);
    };
    this.#book = new GuestBook({ ...parts, onChange });
    this.#standings = new GuestStandings({ ...parts, onChange });
    this.#keeper = new GuestKeeper({ ...parts, book: this.#book, standings: this.#standings, onChange });
  }

  start(): void {
    this.#book.load();
    this.#keeper.start();
  }

  dispose(): void {
    this.#keeper.dispose();
  }

  /** Calls `listener` whenever a guest changes, or how a code stands, until the returned function is called. */
  subscribe(listener: () => void): () => void {
    return this.#changes.subscribe(listener);
  }

  list(): readonly GuestView[] {
    return this.#book.all().map((guest) => this.#viewOf(guest));
  }

  /** A person looks: every lock is compared again as far as its list may have changed. */
  look(): void {
    this.#keeper.lookAtAll();
  }

  /** The digits, for a person who asks for them. Never to be logged or kept. */
  reveal(id: string): string {
    return this.#found(id).draft.pin;
  }

  /** Throws final for an unknown lock, and retry (`storage-failed`); then nothing has changed. */
  add(draft: CodeDraft, locks: GuestLocks): GuestAnswer {
    const id = this.#newId();
    this.#assertKnown(locks);
    return this.#save({ id, draft, locks, isLeaving: false, codes: [] }, draft);
  }

  /** Absent members stay. Throws as `add` does. */
  update(id: string, { locks, ...changes }: GuestChanges): GuestAnswer {
    const guest = this.#found(id);
    if (guest.isLeaving) {
      throw new FinalError('bad-request', 'This guest is being removed.');
    }
    const before = guest.locks === 'all' ? [] : guest.locks;
    this.#assertKnown(locks === 'all' ? 'all' : (locks ?? []).filter((one) => !before.includes(one)));
    return this.#save(
      { ...guest, draft: { ...guest.draft, ...changes }, locks: locks ?? guest.locks },
      changes,
    );
  }

  /** The guest stays known until the code is gone from every lock. Throws as `add` does. */
  remove(id: string): void {
    const guest = leaving(this.#found(id));
    this.#book.save(guest);
    this.#standings.drop(guest);
    this.#keeper.lookAtAll();
  }

  /** `revision`: of the standing that the person saw. Throws final when something else is found by now. */
  settle(id: string, lockId: LockId, choice: GuestChoice, revision: number): void {
    const guest = this.#found(id);
    const known = this.#standings.of(guest, lockId);
    if (known === undefined || known.revision !== revision) {
      throw new FinalError('bad-request', 'The code changed meanwhile. Look again, then decide.');
    }
    const code = codeOn(guest, lockId) ?? unknownCode(lockId);
    const next = choice === 'retry' ? encouraged(code) : decided(code, { choice, seen: known.found });
    this.#book.saveCode(id, lockId, next);
    this.#standings.drop(guest, lockId);
    this.#keeper.lookAt(lockId);
  }

  /** The account is another one: its locks are not meant. Throws retry (`storage-failed`). */
  forgetAll(): void {
    this.#book.eraseAll();
  }

  #save(guest: Guest, judged: CodeChanges): GuestAnswer {
    const now = this.#parts.serviceClock.now();
    const draft = { ...guest.draft, schedule: toTheMinute(guest.draft.schedule) };
    // Dates are those of the first lock; on the others the code opens at the same instants.
    const all = this.#parts.store.all();
    const first = all.find(({ id, description: { role } }) => isWantedOn(guest, id, role === 'owner'))?.id;
    const before = this.#book.get(guest.id)?.draft.schedule;
    const faults = [
      ...faultsOfGuest(guest, judged, { others: this.#book.all(), now }),
      ...(first === undefined ? [] : this.#parts.codes.zoneFaults(first, draft.schedule, before)),
    ];
    if (faults.length > 0) {
      return { kind: 'invalid', faults };
    }
    this.#book.save({ ...guest, draft });
    this.#standings.drop(guest);
    this.#keeper.lookAtAll();
    return { kind: 'saved', guest: this.#viewOf({ ...guest, draft }) };
  }

  #viewOf(guest: Guest): GuestView {
    const { id, draft, locks, isLeaving } = guest;
    const onLocks = this.#parts.store
      .all()
      .map((lock) => this.#onLock(guest, lock))
      .filter((one) => one !== null);
    const { name, pin, schedule } = draft;
    const first = onLocks[0]?.lockId ?? this.#parts.store.all()[0]?.id;
    const timeZone = first === undefined ? 'UTC' : this.#parts.codes.zoneOf(first);
    return { id, name, pinLength: pin.length, schedule, locks, isLeaving, onLocks, timeZone };
  }

  #onLock(guest: Guest, { id: lockId, description }: Lock): GuestOnLock | null {
    const code = codeOn(guest, lockId);
    const isWanted = isWantedOn(guest, lockId, description.role === 'owner');
    if (code === null && !isWanted) {
      return null;
    }
    const known = this.#standings.of(guest, lockId);
    const standing = this.#underWay(code?.sending?.operationId ?? null) ??
      known?.standing ?? { kind: 'waiting', words: NOT_CHECKED, retryAt: null };
    const codeId = code?.codeId ?? null;
    const mayRetry = mayTryAgain(standing, code);
    return { lockId, codeId, isLeaving: !isWanted, standing, mayRetry, revision: known?.revision ?? 0 };
  }

  #underWay(operationId: string | null): GuestStanding | null {
    const operation = this.#parts.codes.operations().find(({ id }) => id === operationId);
    if (operation === undefined || hasEnded(operation)) {
      return null;
    }
    return operation.phase === 'waiting'
      ? { kind: 'waiting', words: operation.waitingFor ?? 'Waiting for the lock.', retryAt: null }
      : { kind: 'on-its-way' };
  }

  #found(id: string): Guest {
    const guest = this.#book.get(id);
    if (guest === undefined) {
      throw new FinalError('not-found', 'There is no such guest. Look at the list again.');
    }
    return guest;
  }

  #assertKnown(locks: GuestLocks): void {
    if (locks !== 'all' && locks.some((id) => this.#parts.store.get(id) === undefined)) {
      throw new FinalError('not-found', 'There is no such lock. Read the list of locks again.');
    }
  }

  #newId(): string {
    const last = this.#book.all().map(({ id }) => Number.parseInt(id, ID_RADIX) || 0);
    return Math.max(...last.map((one) => one + 1), Math.round(this.#parts.serviceClock.now())).toString(
      ID_RADIX,
    );
  }
}
