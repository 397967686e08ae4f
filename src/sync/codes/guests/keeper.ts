// Keeps the codes of guests true on every lock: compares a lock whenever something may have changed, and starts one operation at a time.
import { isUnsettled } from '../../../domain/codes/failure.ts';
import { afterEnd, encouraged, recalled, sent } from '../../../domain/codes/guests/code-machine.ts';
import { type Guest, type GuestCode, isOfOthers, mayStand } from '../../../domain/codes/guests/guest.ts';
import { nextGuestStep } from '../../../domain/codes/guests/policy.ts';
import type { GuestStep } from '../../../domain/codes/guests/step.ts';
import { hasEnded } from '../../../domain/codes/operation.ts';
import type { Lock, LockId } from '../../../domain/locks/lock.ts';
import type { AccountLink } from '../../../domain/ports.ts';
import type { CancelTimer } from '../../../support/clock.ts';
import { wordsOf } from '../../../support/errors.ts';
import type { CommonParts } from '../../locks/common-parts.ts';
import type { EventBus, EventOf } from '../../locks/event-bus.ts';
import type { AccessCodes, CodeFacts } from '../access-codes.ts';
import type { FileAge } from '../file-age.ts';
import type { GuestBook } from './book.ts';
import { GuestLookTimes } from './look-times.ts';
import { GuestRounds } from './rounds.ts';
import type { GuestStandings } from './standings.ts';

export interface GuestKeeperParts extends Pick<CommonParts, 'store' | 'bus' | 'clock' | 'serviceClock'> {
  readonly codes: AccessCodes;
  readonly age: Pick<FileAge, 'isKnown' | 'isOlderThan'>;
  readonly book: GuestBook;
  readonly standings: GuestStandings;
  readonly link: Pick<AccountLink, 'state'>;
  /** An operation on a code, perhaps a guest's, has made progress. */
  readonly onChange: () => void;
}

/** After a start the locks are listed first; a short-lived command need not look at guests at all (our choice). */
const START_PAUSE_MS = 3_000;

/** A list of codes that could not be read is read again with a later listing of the locks, in milliseconds (our choice). */
const READ_PAUSE_MS = 60_000;

export class GuestKeeper {
  readonly #parts: GuestKeeperParts;
  readonly #times: GuestLookTimes;
  readonly #rounds: GuestRounds;
  #cancelStart: CancelTimer = () => {};

  constructor(parts: GuestKeeperParts) {
    this.#parts = parts;
    this.#times = new GuestLookTimes(parts.clock, (id) => this.lookAt(id));
    this.#rounds = new GuestRounds({ ...parts, look: async (id) => this.#look(id) });
    this.#listen(parts.bus);
  }

  start(): void {
    const { book, clock, serviceClock } = this.#parts;
    this.#cancelStart();
    // An operation of an earlier process may still take effect.
    book.change('all', (code) => recalled(code, serviceClock.now()));
    this.#cancelStart = clock.after(START_PAUSE_MS, () => {
      this.#rounds.start();
      this.lookAtAll();
    });
  }

  dispose(): void {
    this.#cancelStart();
    this.#times.dispose();
    this.#rounds.dispose();
  }

  /** Compares every lock from now on. Resolves with false when one of them could not be compared within ten seconds. */
  async compareAll(): Promise<boolean> {
    return this.#rounds.compare(this.#lockIds());
  }

  lookAtAll(): void {
    for (const id of this.#lockIds()) {
      this.lookAt(id);
    }
  }

  /** A removal is proven only by lists that are requested from now on. */
  lookAnew({ codes }: Guest): void {
    for (const { lockId } of codes.filter(mayStand)) {
      this.#parts.codes.doubt(lockId);
    }
    this.lookAtAll();
  }

  #lockIds(): ReadonlySet<LockId> {
    const { store, book } = this.#parts;
    return new Set([...store.all().map((lock) => lock.id), ...book.lockIds()]);
  }

  lookAt(id: LockId): void {
    this.#rounds.lookAt(id);
  }

  #listen(bus: EventBus): void {
    bus.on('code-operation', this.#progressed.bind(this));
    bus.on('codes-changed', ({ id }) => this.#tryAgain(id));
    bus.on('lock-appeared', ({ lock: { id } }) => {
      this.#parts.book.change(id, (code) => ({ ...code, awayAs: null }));
      this.#parts.standings.dropLock(id);
      this.lookAt(id);
    });
    bus.on('lock-changed', ({ lock, previous }) => {
      if (lock.presence === 'reachable' && previous.presence !== 'reachable') {
        this.#tryAgain(lock.id);
      } else if (lock.presence !== previous.presence || lock.description.role !== previous.description.role) {
        this.lookAt(lock.id);
      }
    });
    bus.on('lock-removed', ({ id, name }) => {
      // The lock has its codes all the same, and may come back.
      this.#parts.book.change(id, (code) => ({ ...code, awayAs: name, absent: null }));
      this.lookAt(id);
    });
    for (const type of ['gap', 'suspended'] as const) {
      bus.on(type, () => this.lookAtAll());
    }
    bus.on('listed', () => this.#times.listed());
  }

  /** A failed operation on that lock is tried again without its pause. */
  #tryAgain(id: LockId): void {
    this.#parts.book.change(id, encouraged);
    this.lookAt(id);
  }

  /** Compares the lock. Resolves with whether the shown standings of its guests are up to date. Never rejects. */
  async #look(id: LockId): Promise<boolean> {
    const { book, clock, standings, store } = this.#parts;
    const lock = store.get(id);
    if (lock === undefined) {
      standings.noteAway(book.all(), id);
      return true;
    }
    const isConcerned = book.concernedBy(lock).length > 0;
    if (!isConcerned || !this.#isFree(id)) {
      return !isConcerned;
    }
    const isProofDue = clock.monotonic() >= (book.proofDueAt(id) ?? Number.POSITIVE_INFINITY);
    try {
      const listed = await this.#parts.codes.facts(id, isProofDue ? 'now' : 'recent');
      // Reports that came meanwhile may be newer than the list: the lock is looked at again.
      const isNewest = this.#isFree(id) && !this.#rounds.isDue(id);
      if (isNewest) {
        this.#decide(store.get(id) ?? lock, listed);
      }
      return isNewest;
    } catch (error) {
      this.#times.after(id, READ_PAUSE_MS);
      for (const guest of book.concernedBy(lock)) {
        standings.note(guest, id, { kind: 'waiting', words: wordsOf(error), retryAt: null });
      }
      return true;
    }
  }

  /** Whether this process may act on the lock now. The end of an operation under way causes another look. */
  #isFree(id: LockId): boolean {
    const operations = this.#parts.codes.operations();
    const isBusy = operations.some((one) => one.lockId === id && !hasEnded(one));
    return this.#rounds.isRunning && !isBusy && this.#parts.link.state() === 'linked';
  }

  /** Removals come first: a code that is to be removed may be in the way of another. */
  #decide(lock: Lock, listed: CodeFacts): void {
    const { standings, book } = this.#parts;
    const steps = book.concernedBy(lock).map((guest) => {
      const step = this.#step(guest, lock, listed);
      // The state is on the disk before the next guest is looked at: one code cannot belong to two guests.
      book.saveCode(guest.id, lock.id, step.code);
      standings.note(guest, lock.id, step.standing, step.found);
      return { guest, step };
    });
    const requested = steps.filter(({ step }) => step.request !== null);
    const next = requested.find(({ step }) => step.request?.kind === 'remove') ?? requested[0];
    const codes = steps.map(({ step }) => step.code);
    this.#remind(lock.id, codes);
    if (next === undefined) {
      return;
    }
    if (next.step.request?.kind === 'remove' || this.#parts.age.isKnown(lock.id)) {
      this.#begin(next.guest, lock.id, next.step);
    } else {
      void this.#lookWhenKnown(lock.id);
    }
  }

  #step(guest: Guest, { id, presence, description }: Lock, listed: CodeFacts): GuestStep {
    const { book, serviceClock } = this.#parts;
    const isOwned = description.role === 'owner';
    const others = book.all().filter((other) => other.id !== guest.id);
    const taken = listed.codes.filter((code) => isOfOthers(code, guest, others, { lockId: id, isOwned }));
    return nextGuestStep(guest, {
      ...listed,
      lockId: id,
      presence,
      isOwned,
      taken: taken.map((code) => code.id),
      now: serviceClock.now(),
    });
  }

  /** A code is put on a lock only by a file that knows the lock's latest changes. */
  async #lookWhenKnown(id: LockId): Promise<void> {
    try {
      await this.#parts.age.isOlderThan(id);
      this.lookAt(id);
    } catch {
      this.#times.after(id, READ_PAUSE_MS);
    }
  }

  /** The operation is on the disk before it is sent: after a crash it counts as possibly sent. */
  #begin({ id, draft }: Guest, lockId: LockId, { code, request, found }: GuestStep): void {
    const { book, codes } = this.#parts;
    if (code === null || request === null) {
      return;
    }
    const leaves = sent(code, request.kind === 'remove' ? null : draft);
    book.saveCode(id, lockId, leaves);
    const name = request.kind === 'remove' ? (found?.name ?? draft.name) : draft.name;
    const operation = codes.begin(lockId, request, name);
    book.noteCode(id, lockId, {
      ...leaves,
      sending: leaves.sending && { ...leaves.sending, operationId: operation.id },
    });
  }

  #progressed({ operation, isConfirmed, isDoubted }: EventOf<'code-operation'>): void {
    const { book, onChange, serviceClock } = this.#parts;
    const { id, lockId } = operation;
    if (hasEnded(operation)) {
      const now = serviceClock.now();
      // The id of the operation may not have been stored before a crash.
      const others = (code: GuestCode): GuestCode =>
        isUnsettled(operation.failure) ? recalled(code, now) : code;
      book.change(lockId, (code) =>
        code.sending?.operationId === id
          ? afterEnd(code, { ...operation, isConfirmed, isDoubted }, now)
          : others(code),
      );
      this.lookAt(lockId);
    }
    onChange();
  }

  /** Looks again when an unsettled operation is settled, and when a failed one may be tried again. */
  #remind(id: LockId, codes: readonly (GuestCode | null)[]): void {
    const { book, serviceClock } = this.#parts;
    const now = serviceClock.now();
    const times = codes.flatMap((code) => [code?.unsettledUntil ?? now, code?.setback?.retryAt ?? now]);
    this.#times.after(id, Math.min(...times.filter((at) => at > now)) - now);
    const proofDueAt = book.proofDueAt(id);
    if (proofDueAt !== null) {
      this.#times.again(id, proofDueAt);
    }
  }
}
