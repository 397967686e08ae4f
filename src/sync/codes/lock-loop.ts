// Keeps the rows of the book true on every lock: list, decide, write down, send one command, follow it, list again.
import { LISTS_APART_MS } from '../../domain/codes/absence.ts';
import { encouraged, sent } from '../../domain/codes/code-machine.ts';
import type { OldFile } from '../../domain/codes/file-age.ts';
import { codeOn, type Guest, type GuestCode, isOfOthers, mayStand } from '../../domain/codes/guest.ts';
import { nextGuestStep } from '../../domain/codes/guest-policy.ts';
import type { GuestStep } from '../../domain/codes/guest-step.ts';
import { hasEnded } from '../../domain/codes/operation.ts';
import { LIST_PAUSE_MS, pauseMs, SETTLED_AFTER_MS } from '../../domain/codes/retry-policy.ts';
import { wantedBy } from '../../domain/codes/single-step.ts';
import { message } from '../../domain/language/message.ts';
import type { Lock, LockId } from '../../domain/locks/lock.ts';
import type { AccountLink } from '../../domain/ports.ts';
import type { Instant } from '../../domain/time/instant.ts';
import type { CancelTimer } from '../../support/clock.ts';
import { wordsOf } from '../../support/errors.ts';
import type { CommonParts } from '../locks/common-parts.ts';
import type { EventBus } from '../locks/event-bus.ts';
import type { AccessCodes, CodeFacts } from './access-codes.ts';
import type { GuestBook } from './book.ts';
import { afterCommand } from './command-run.ts';
import type { FileAge } from './file-age.ts';
import type { GuestStandings } from './standings.ts';

export interface LockLoopParts extends Pick<CommonParts, 'store' | 'bus' | 'clock' | 'serviceClock'> {
  readonly codes: Pick<AccessCodes, 'facts' | 'doubt' | 'carry' | 'isBusy' | 'singles'>;
  readonly age: Pick<FileAge, 'isKnown' | 'isOlderThan' | 'noteUse'>;
  readonly book: GuestBook;
  readonly standings: GuestStandings;
  readonly link: Pick<AccountLink, 'state'>;
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
  readonly guest: Guest;
  readonly step: GuestStep;
}

export class LockLoop {
  readonly #parts: LockLoopParts;
  /** Locks to look at, one list after the other. */
  readonly #due = new Set<LockId>();
  readonly #waiting = new Set<Waiting>();
  /** Looks that wait for their time, and then for a listing of the locks, in monotonic milliseconds. */
  readonly #later = new Map<LockId, number>();
  readonly #timers = new Map<LockId, CancelTimer>();
  /** How often in a row a lock was looked at while a command may still take effect there. */
  readonly #unsettledLooks = new Map<LockId, number>();
  #isWorking = false;
  #isRunning = false;
  /** Until then nothing is put on a lock. */
  #heldUntil: Instant = 0;
  #cancelStart: CancelTimer = () => {};

  constructor(parts: LockLoopParts) {
    this.#parts = parts;
    this.#listen(parts.bus);
  }

  start(): void {
    this.#cancelStart();
    this.#cancelStart = this.#parts.clock.after(START_PAUSE_MS, () => {
      this.#isRunning = true;
      this.lookAtAll();
    });
  }

  dispose(): void {
    this.#cancelStart();
    this.#isRunning = false;
    this.#due.clear();
    for (const cancel of this.#timers.values()) {
      cancel();
    }
    this.#timers.clear();
    for (const { end } of this.#waiting) {
      end(false);
    }
  }

  /** What was sent before the file was replaced is not known to it, and may still take effect: it settles first. */
  hold({ at }: OldFile): void {
    this.#heldUntil = at + SETTLED_AFTER_MS;
  }

  /** A single change, for which a person waits, does not wait for the lists of other locks. */
  lookAt(id: LockId): void {
    void this.#parts.codes.singles.look(id);
    this.#due.add(id);
    if (!this.#isWorking && this.#isRunning) {
      void this.#work();
    }
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
      this.lookAtAll();
    });
  }

  #lockIds(): ReadonlySet<LockId> {
    const { store, book } = this.#parts;
    return new Set([...store.all().map((lock) => lock.id), ...book.lockIds()]);
  }

  #listen(bus: EventBus): void {
    const { book, standings, clock } = this.#parts;
    bus.on('code-operation', ({ operation }) => {
      if (hasEnded(operation)) {
        this.lookAt(operation.lockId);
      }
    });
    bus.on('codes-changed', ({ id }) => this.#tryAgain(id));
    bus.on('lock-appeared', ({ lock: { id } }) => {
      book.change(id, (code) => ({ ...code, awayAs: null }));
      standings.dropLock(id);
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
      book.change(id, (code) => ({ ...code, awayAs: name, absent: null }));
      this.lookAt(id);
    });
    for (const type of ['gap', 'suspended'] as const) {
      bus.on(type, () => this.lookAtAll());
    }
    // The regular listing of the locks sets the pace: a look that has waited for its time comes with it.
    bus.on('listed', () => {
      for (const id of [...this.#later].flatMap(([one, at]) => (clock.monotonic() >= at ? one : []))) {
        this.#later.delete(id);
        this.lookAt(id);
      }
    });
  }

  /** A failed step on that lock is tried again without its pause. */
  #tryAgain(id: LockId): void {
    this.#parts.book.change(id, encouraged);
    this.lookAt(id);
  }

  async #work(): Promise<void> {
    this.#isWorking = true;
    for (const id of this.#due) {
      this.#due.delete(id);
      const waiting = [...this.#waiting];
      if (await this.#look(id)) {
        for (const one of waiting) {
          one.open.delete(id);
          endWhenEmpty(one);
        }
      }
    }
    this.#isWorking = false;
  }

  /** Compares the lock. Resolves with whether the shown standings are up to date. Never rejects. */
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
    const from = clock.monotonic();
    const isProofDue = from >= (book.proofDueAt(id) ?? Number.POSITIVE_INFINITY);
    try {
      return await this.#compare(lock, from, isProofDue || this.#unsettledLooks.has(id) ? 'now' : 'recent');
    } catch (error) {
      this.#later.set(id, clock.monotonic() + LIST_PAUSE_MS);
      for (const guest of book.concernedBy(lock)) {
        standings.note(guest, id, { kind: 'waiting', words: wordsOf(error), retryAt: null });
      }
      return true;
    }
  }

  /** Decides by a list, and by one from after `from` before anything is sent: what others did meanwhile counts, too. */
  async #compare(lock: Lock, from: number, when: 'now' | 'recent'): Promise<boolean> {
    const { codes, store } = this.#parts;
    const listed = await codes.facts(lock.id, when);
    if (!this.#isFree(lock.id) || this.#due.has(lock.id)) {
      // Reports that came meanwhile may be newer than the list: the lock is looked at again.
      return false;
    }
    const next = this.#decide(store.get(lock.id) ?? lock, listed);
    if (next !== null && listed.listedAt < from) {
      return this.#compare(lock, from, 'now');
    }
    if (next !== null) {
      this.#begin(lock.id, next, listed);
    }
    return true;
  }

  /** Whether this process may act on the lock now. The end of a change under way causes another look. */
  #isFree(id: LockId): boolean {
    return this.#isRunning && !this.#parts.codes.isBusy(id) && this.#parts.link.state() === 'linked';
  }

  /** Removals come first: a code that is to be removed may be in the way of another. */
  #decide(lock: Lock, listed: CodeFacts): Next | null {
    const { standings, book } = this.#parts;
    const steps = book.concernedBy(lock).map((guest): Next => {
      const step = this.#step(guest, lock, listed);
      // The state is on the disk before the next row is looked at: one code cannot belong to two guests.
      book.saveCode(guest.id, lock.id, step.code);
      standings.note(guest, lock.id, step.standing, step.found);
      return { guest, step };
    });
    this.#remind(
      lock.id,
      steps.map(({ step }) => step.code),
    );
    const requested = steps.filter(({ step }) => step.request !== null);
    return requested.find(({ step }) => step.request?.kind === 'remove') ?? requested[0] ?? null;
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

  /** What is sent is on the disk before: after a crash it counts as possibly sent. */
  #begin(lockId: LockId, { guest, step: { code, request, found } }: Next, listed: CodeFacts): void {
    const { id, draft } = guest;
    const { age, book, codes } = this.#parts;
    if (code === null || request === null) {
      return;
    }
    const isRemoval = request.kind === 'remove';
    const heldMs = this.#heldUntil - this.#parts.serviceClock.now();
    if (!isRemoval && heldMs > 0) {
      this.#parts.standings.note(guest, lockId, { kind: 'waiting', words: HELD, retryAt: null });
      this.#later.set(lockId, this.#parts.clock.monotonic() + heldMs);
      return;
    }
    if (!isRemoval && !age.isKnown(lockId)) {
      void this.#lookWhenKnown(lockId);
      return;
    }
    book.saveCode(id, lockId, sent(code, wantedBy(request, found)));
    age.noteUse();
    const name = isRemoval ? (found?.name ?? draft.name) : draft.name;
    void codes.carry({ lockId, request, codes: listed.codes, sendings: 1 }, name, (end) => {
      const now = book.get(id);
      const before = now === undefined ? null : codeOn(now, lockId);
      // Once this process gives the account away, the next owner learns the outcome from the lists, but for what was never sent.
      if (before !== null && (this.#isRunning || end?.kind === 'unsent')) {
        book.noteCode(id, lockId, afterCommand(before, end, this.#parts.serviceClock.now()));
      }
      this.lookAt(lockId);
    });
  }

  /** A code is put on a lock only by a file that knows the lock's latest changes. */
  async #lookWhenKnown(id: LockId): Promise<void> {
    try {
      await this.#parts.age.isOlderThan(id);
      this.lookAt(id);
    } catch {
      this.#later.set(id, this.#parts.clock.monotonic() + LIST_PAUSE_MS);
    }
  }

  /** Looks again when a command has taken effect or cannot any more, a failed step may be tried again, or an absence is proven. */
  #remind(id: LockId, codes: readonly (GuestCode | null)[]): void {
    const { book, clock, serviceClock } = this.#parts;
    const now = serviceClock.now();
    const looks = codes.some((code) => code !== null && code.unsettledUntil !== null)
      ? (this.#unsettledLooks.get(id) ?? 0) + 1
      : 0;
    const times = codes.flatMap((code) => [code?.unsettledUntil ?? now, code?.setback?.retryAt ?? now]);
    let leftMs = Math.min(...times.filter((at) => at > now)) - now;
    if (looks === 0) {
      this.#unsettledLooks.delete(id);
    } else {
      this.#unsettledLooks.set(id, looks);
      leftMs = Math.min(leftMs, pauseMs(looks, 'not-ready'));
    }
    const dueAt = book.proofDueAt(id);
    const proofMs = dueAt === null ? Number.POSITIVE_INFINITY : dueAt - clock.monotonic();
    // One list without a code proves nothing. The next one comes a pause later where it was asked for earlier.
    const soonMs = Math.min(
      leftMs < LIST_PAUSE_MS ? leftMs : Number.POSITIVE_INFINITY,
      proofMs > 0 ? proofMs : LISTS_APART_MS,
    );
    this.#later.set(id, clock.monotonic() + leftMs);
    this.#timers.get(id)?.();
    if (soonMs < Number.POSITIVE_INFINITY) {
      this.#timers.set(
        id,
        clock.after(soonMs, () => {
          this.#timers.delete(id);
          this.lookAt(id);
        }),
      );
    }
  }
}

function endWhenEmpty({ open, end }: Waiting): void {
  if (open.size === 0) {
    end(true);
  }
}
