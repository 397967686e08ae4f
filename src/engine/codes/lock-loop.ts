// Keeps the rows of the book true on every lock: list, decide, write down, send one command, follow it, list again.
import { encouraged, sent } from '../../domain/codes/code-machine.ts';
import { nextStep } from '../../domain/codes/difference.ts';
import type { OldFile } from '../../domain/codes/file-age.ts';
import {
  type Guest,
  isOfOthers,
  isSingle,
  mayBeOnLock,
  wantedBy,
  withCodeOn,
} from '../../domain/codes/guest.ts';
import type { GuestStep } from '../../domain/codes/guest-step.ts';
import { hasEnded, isRemoval } from '../../domain/codes/operation.ts';
import { LIST_PAUSE_MS, SETTLED_AFTER_MS } from '../../domain/codes/retry-policy.ts';
import { message } from '../../domain/language/message.ts';
import type { Lock, LockId } from '../../domain/locks/lock.ts';
import type { AccountLink } from '../../domain/ports.ts';
import type { Instant } from '../../domain/time/instant.ts';
import type { CancelTimer } from '../../support/clock.ts';
import { asLatchkeyError, type LatchkeyError, wordsOf } from '../../support/errors.ts';
import type { CommonParts } from '../locks/common-parts.ts';
import type { EventBus } from '../locks/event-bus.ts';
import type { AccessCodes, CodeFacts } from './access-codes.ts';
import type { GuestBook } from './book.ts';
import type { FileAge } from './file-age.ts';
import { LockTimers } from './lock-timers.ts';
import type { GuestStandings } from './standings.ts';

export interface GuestsParts extends Pick<CommonParts, 'store' | 'bus' | 'clock' | 'serviceClock' | 'log'> {
  readonly codes: AccessCodes;
  readonly age: FileAge;
  readonly link: Pick<AccountLink, 'state'>;
}

interface LockLoopParts extends GuestsParts {
  readonly book: GuestBook;
  readonly standings: GuestStandings;
}

/** After a start the locks are listed first; a short-lived command need not look at the rows at all (our choice). */
const START_PAUSE_MS = 3_000;

/** How long a person waits for locks that are slow or at work, in milliseconds (our choice). */
const COMPARED_WITHIN_MS = 10_000;

const HELD = message(
  'What was sent before the stored codes were put back may still take effect. This is done two minutes after that.',
);

interface Waiting {
  readonly open: Set<LockId>;
  readonly end: (isCompared: boolean) => void;
}

/** What a row needs next on one lock. */
interface Next {
  readonly row: Guest;
  readonly step: GuestStep;
}

export class LockLoop {
  readonly #parts: LockLoopParts;
  /** Locks to look at, one list after the other. */
  readonly #due = new Set<LockId>();
  /** Locks whose list is being read. */
  readonly #reconciling = new Set<LockId>();
  readonly #waiting = new Set<Waiting>();
  readonly #timers: LockTimers;
  #isWorking = false;
  #isStarted = false;
  /** Guests wait until the locks were listed. */
  #isRunning = false;
  /** Until then nothing is put on a lock. */
  #heldUntil: Instant = 0;
  #cancelStart: CancelTimer = () => {};

  constructor(parts: LockLoopParts) {
    this.#parts = parts;
    this.#timers = new LockTimers(parts, (id) => this.reconcile(id));
    this.#listen(parts.bus);
  }

  start(): void {
    this.#isStarted = true;
    this.#cancelStart();
    this.#cancelStart = this.#parts.clock.after(START_PAUSE_MS, () => {
      this.#isRunning = true;
      this.reconcileAll();
    });
  }

  dispose(): void {
    this.#cancelStart();
    this.#isStarted = false;
    this.#isRunning = false;
    this.#due.clear();
    this.#timers.dispose();
    for (const { end } of this.#waiting) {
      end(false);
    }
  }

  /** What was sent before the file was replaced is not known to it, and may still take effect: it settles first. */
  settleSince({ at }: OldFile): void {
    this.#heldUntil = at + SETTLED_AFTER_MS;
  }

  /** A single change, for which a person waits, does not wait for the lists of other locks. */
  reconcile(id: LockId): void {
    this.#due.add(id);
    if (this.#parts.codes.changes.headOn(id) !== null) {
      void this.#turn(id);
    } else if (!this.#isWorking && this.#isRunning) {
      void this.#work();
    }
  }

  reconcileIn(id: LockId, ms: number): void {
    if (ms === 0) {
      this.reconcile(id);
    } else if (this.#isStarted) {
      this.#timers.soon(id, ms);
    }
  }

  reconcileAll(): void {
    for (const id of this.#lockIds()) {
      this.reconcile(id);
    }
  }

  /** A removal is proven only by lists that are requested from now on. */
  reconcileAnew({ codes }: Guest): void {
    for (const { lockId } of codes.filter(mayBeOnLock)) {
      this.#parts.codes.lists.doubt(lockId);
    }
    this.reconcileAll();
  }

  /** Compares every lock from now on. Resolves with false when one of them could not be compared within ten seconds. */
  async compareAll(): Promise<boolean> {
    return new Promise((resolve) => {
      const cancel = this.#parts.clock.after(COMPARED_WITHIN_MS, () => waiting.end(false));
      const waiting: Waiting = {
        open: new Set(this.#lockIds()),
        end: (isCompared) => {
          cancel();
          this.#waiting.delete(waiting);
          resolve(isCompared);
        },
      };
      this.#waiting.add(waiting);
      endWhenEmpty(waiting);
      this.reconcileAll();
    });
  }

  #lockIds(): ReadonlySet<LockId> {
    const { store, book } = this.#parts;
    return new Set([...store.all().map((lock) => lock.id), ...book.lockIds()]);
  }

  #listen(bus: EventBus): void {
    const { book, standings } = this.#parts;
    bus.on('code-operation', ({ operation }) => {
      if (hasEnded(operation)) {
        this.reconcile(operation.lockId);
      }
    });
    bus.on('codes-changed', ({ id }) => this.#tryAgain(id));
    bus.on('lock-appeared', ({ lock: { id } }) => {
      book.change(id, (code) => ({ ...code, awayAs: null }));
      standings.dropLock(id);
      this.reconcile(id);
    });
    bus.on('lock-changed', ({ lock, previous }) => {
      if (lock.presence === 'reachable' && previous.presence !== 'reachable') {
        this.#tryAgain(lock.id);
      } else if (lock.presence !== previous.presence || lock.description.role !== previous.description.role) {
        this.reconcile(lock.id);
      }
    });
    bus.on('lock-removed', ({ id, name }) => {
      // The lock has its codes all the same, and may come back.
      book.change(id, (code) => ({ ...code, awayAs: name, absent: null }));
      this.reconcile(id);
    });
    for (const type of ['gap', 'suspended'] as const) {
      bus.on(type, () => this.reconcileAll());
    }
    bus.on('listed', () => this.#timers.listed());
  }

  /** A failed step on that lock is tried again without its pause. */
  #tryAgain(id: LockId): void {
    this.#parts.book.change(id, encouraged);
    this.reconcile(id);
  }

  async #work(): Promise<void> {
    this.#isWorking = true;
    for (const id of this.#due) {
      await this.#turn(id);
    }
    this.#isWorking = false;
  }

  async #turn(id: LockId): Promise<void> {
    if (!this.#isStarted || this.#reconciling.has(id)) {
      return;
    }
    this.#due.delete(id);
    this.#reconciling.add(id);
    const waiting = [...this.#waiting];
    const isCompared = await this.#reconcileNow(id);
    this.#reconciling.delete(id);
    for (const one of isCompared ? waiting : []) {
      one.open.delete(id);
      endWhenEmpty(one);
    }
    if (this.#due.delete(id)) {
      this.reconcile(id);
    }
  }

  /** Compares the lock. Resolves with whether the shown standings of guests are up to date. Never rejects. */
  async #reconcileNow(id: LockId): Promise<boolean> {
    const { book, clock, codes, standings, store } = this.#parts;
    const lock = store.get(id);
    if (lock === undefined) {
      standings.noteAway(book.all(), id);
      return true;
    }
    const isConcerned = book.concernedBy(lock).length > 0;
    const head = codes.changes.headOn(id);
    if ((head === null && !isConcerned) || !this.#isFree(id)) {
      return !isConcerned;
    }
    try {
      const isNew = head !== null || this.#timers.needsNewList(id);
      const isCompared = await this.#compare(lock, clock.monotonic(), isNew ? 'now' : 'recent');
      return head === null ? isCompared : !isConcerned;
    } catch (error) {
      this.#notListed(lock, asLatchkeyError(error));
      return head === null || !isConcerned;
    }
  }

  #notListed(lock: Lock, error: LatchkeyError): void {
    const { book, standings } = this.#parts;
    if (!this.#unread(lock.id, error)) {
      this.#timers.later(lock.id, LIST_PAUSE_MS);
      for (const guest of book.concernedBy(lock)) {
        standings.note(guest, lock.id, { kind: 'waiting', words: wordsOf(error), retryAt: null });
      }
    }
  }

  /** The single change on that lock waits for its list; false: there is none. */
  #unread(id: LockId, error: LatchkeyError): boolean {
    const { changes } = this.#parts.codes;
    const head = changes.headOn(id);
    if (head !== null) {
      changes.unread(head, error, this.#timers.pause(id));
    }
    return head !== null;
  }

  /** Decides by a list, and by one from after `from` before anything is sent: what others did meanwhile counts, too. */
  async #compare(lock: Lock, from: number, when: 'now' | 'recent'): Promise<boolean> {
    const { codes, store } = this.#parts;
    const head = codes.changes.headOn(lock.id);
    const listed = await codes.facts(lock.id, when);
    const now = store.get(lock.id);
    // Reports that came meanwhile may be newer than the list: the lock is looked at again.
    const isOvertaken = codes.changes.headOn(lock.id) !== head || (head === null && this.#due.has(lock.id));
    if (now === undefined || isOvertaken || !this.#isFree(lock.id)) {
      return false;
    }
    // A person waits for a single change: it goes before the guests of its lock.
    const next = this.#decide(head === null ? this.#parts.book.concernedBy(now) : [head], now, listed);
    if (next === null) {
      return true;
    }
    if (listed.listedAt < from) {
      return this.#compare(lock, from, 'now');
    }
    this.#begin(lock.id, next, listed);
    return true;
  }

  /** Whether this process may act on the lock now: one change at a time, and what a person waits for does not wait for the sign-in. */
  #isFree(id: LockId): boolean {
    const { codes, link } = this.#parts;
    const mayAct =
      codes.changes.headOn(id) === null ? this.#isRunning && link.state() === 'linked' : this.#isStarted;
    return mayAct && !codes.changes.isCarrying(id);
  }

  /** Removals come first: a code that is to be removed may be in the way of another. */
  #decide(rows: readonly Guest[], lock: Lock, listed: CodeFacts): Next | null {
    const { id } = lock;
    const { standings, book, codes } = this.#parts;
    const steps = rows.map((row): Next => {
      const step = this.#step(row, lock, listed);
      // The state is on the disk before the next row is looked at: one code cannot belong to two guests.
      book.saveCode(row.id, id, step.code);
      if (!isSingle(row)) {
        standings.note(row, id, step.standing, step.found);
      }
      return { row, step };
    });
    const ms = this.#timers.remind(
      id,
      steps.map(({ step }) => step.code),
      rows.some(isSingle),
    );
    const requested = steps
      .filter(({ row, step }) => !isSingle(row) || codes.changes.goesOn(row, step, ms))
      .filter(({ step }) => step.request !== null);
    return requested.find(({ step }) => step.request?.kind === 'remove') ?? requested[0] ?? null;
  }

  #step(row: Guest, lock: Lock, listed: CodeFacts): GuestStep {
    const { book, serviceClock } = this.#parts;
    const { id, presence, description } = lock;
    const isOwned = description.role === 'owner';
    const facts = { ...listed, lockId: id, presence, isOwned, now: serviceClock.now() };
    const others = book.concernedBy(lock).filter((other) => other.id !== row.id);
    const taken = listed.codes.filter((code) => isOfOthers(code, row, others, { lockId: id, isOwned }));
    return nextStep(row, { ...facts, taken: taken.map((code) => code.id) });
  }

  /** What is sent is on the disk before: after a crash it counts as possibly sent. */
  #begin(lockId: LockId, { row, step: { code, request, found } }: Next, listed: CodeFacts): void {
    const { age, book, codes } = this.#parts;
    if (code === null || request === null || (!isRemoval(request) && !this.#mayPut(row, lockId))) {
      return;
    }
    const sending = withCodeOn(row, lockId, sent(code, wantedBy(request, found)));
    const sendings = (row.single?.sendings ?? 0) + 1;
    book.save(isSingle(row) ? { ...sending, single: { ...row.single, sendings } } : sending);
    age.noteUse();
    const name = (isRemoval(request) ? found?.name : null) ?? row.draft.name;
    void codes.changes.carry(row, { lockId, request, codes: listed.codes, sendings, name });
  }

  /** Whether the row may put a code on the lock now. What a person asked this process for needs no proof that the file is new. */
  #mayPut(row: Guest, lockId: LockId): boolean {
    const { age, codes, serviceClock, standings } = this.#parts;
    if (isSingle(row) && codes.changes.isOfThisProcess(row)) {
      return true;
    }
    const heldMs = this.#heldUntil - serviceClock.now();
    if (heldMs > 0 && !isSingle(row)) {
      standings.note(row, lockId, { kind: 'waiting', words: HELD, retryAt: null });
      this.#timers.later(lockId, heldMs);
      return false;
    }
    const isKnown = age.isKnown(lockId);
    if (!isKnown) {
      void this.#reconcileWhenKnown(lockId);
    }
    return isKnown;
  }

  /** A code is put on a lock only by a file that knows the lock's latest changes. */
  async #reconcileWhenKnown(id: LockId): Promise<void> {
    try {
      await this.#parts.age.compare(id);
      this.reconcile(id);
    } catch (error) {
      this.#timers.later(id, LIST_PAUSE_MS);
      this.#unread(id, asLatchkeyError(error));
    }
  }
}

function endWhenEmpty({ open, end }: Waiting): void {
  if (open.size === 0) {
    end(true);
  }
}
