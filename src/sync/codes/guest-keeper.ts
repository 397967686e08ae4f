// Keeps the codes of guests true on every lock: looks when something may have changed, and starts one operation at a time.
import { isUnsettled } from '../../domain/code-failure.ts';
import { type CodeProgress, hasEnded } from '../../domain/code-operation.ts';
import { codeOn, type Guest, type GuestCode, isWantedOn } from '../../domain/guest.ts';
import { afterEnd, encouraged, recalled } from '../../domain/guest-code-machine.ts';
import { type GuestStep, nextGuestStep } from '../../domain/guest-policy.ts';
import type { Lock, LockId } from '../../domain/lock.ts';
import type { AccountLink } from '../../domain/ports.ts';
import type { CancelTimer } from '../../support/clock.ts';
import { messageOf } from '../../support/errors.ts';
import type { CommonParts } from '../common-parts.ts';
import type { EventBus } from '../event-bus.ts';
import type { AccessCodes, CodeFacts } from './access-codes.ts';
import type { GuestBook } from './guest-book.ts';
import type { GuestStandings } from './guest-standings.ts';

export interface GuestKeeperParts extends Pick<CommonParts, 'store' | 'bus' | 'clock' | 'serviceClock'> {
  readonly codes: AccessCodes;
  readonly book: GuestBook;
  readonly standings: GuestStandings;
  readonly link: Pick<AccountLink, 'state'>;
  /** A code has come further, which may be of a guest. */
  readonly onChange: () => void;
}

/** After a start the locks are listed first; a short-lived command need not look at guests at all (our choice). */
const START_PAUSE_MS = 3_000;

/** A list of codes that could not be read is read again with a later listing of the locks, in milliseconds (our choice). */
const READ_PAUSE_MS = 60_000;

export class GuestKeeper {
  readonly #parts: GuestKeeperParts;
  readonly #due = new Set<LockId>();
  /** When to look again at the earliest, in monotonic milliseconds. */
  readonly #later = new Map<LockId, number>();
  #cancelStart: CancelTimer = () => {};
  #isWorking = false;
  #isRunning = false;

  constructor(parts: GuestKeeperParts) {
    this.#parts = parts;
    this.#listen(parts.bus);
  }

  /** Takes up what an earlier process left. */
  start(): void {
    const { book, clock, serviceClock } = this.#parts;
    this.#cancelStart();
    // What an earlier process sent may still take effect.
    book.change('all', (code) => recalled(code, serviceClock.now()));
    this.#cancelStart = clock.after(START_PAUSE_MS, () => {
      this.#isRunning = true;
      this.lookAtAll();
    });
  }

  dispose(): void {
    this.#cancelStart();
    this.#isRunning = false;
    this.#due.clear();
  }

  lookAtAll(): void {
    for (const { id } of this.#parts.store.all()) {
      this.lookAt(id);
    }
  }

  lookAt(id: LockId): void {
    this.#due.add(id);
    if (!this.#isWorking && this.#isRunning) {
      void this.#work();
    }
  }

  #listen(bus: EventBus): void {
    bus.on('code-operation', ({ operation }) => {
      this.#progressed(operation);
    });
    bus.on('codes-changed', ({ id }) => {
      this.#tryAgain(id);
    });
    bus.on('lock-appeared', ({ lock }) => {
      this.lookAt(lock.id);
    });
    bus.on('lock-changed', ({ lock, previous }) => {
      if (lock.presence === 'reachable' && previous.presence !== 'reachable') {
        this.#tryAgain(lock.id);
      } else if (lock.presence !== previous.presence || lock.description.role !== previous.description.role) {
        this.lookAt(lock.id);
      }
    });
    bus.on('lock-removed', ({ id }) => {
      this.#parts.book.change(id, () => null);
    });
    for (const type of ['gap', 'suspended'] as const) {
      bus.on(type, () => {
        this.lookAtAll();
      });
    }
    bus.on('listed', () => {
      this.#lookAtPassed();
    });
  }

  /** What failed on that lock need not wait for its time. */
  #tryAgain(id: LockId): void {
    this.#parts.book.change(id, encouraged);
    this.lookAt(id);
  }

  /** The regular listing of the locks is the only beat here: what waited for a time is looked at with it. */
  #lookAtPassed(): void {
    const now = this.#parts.clock.monotonic();
    for (const [id, at] of this.#later) {
      if (now >= at) {
        this.#later.delete(id);
        this.lookAt(id);
      }
    }
  }

  async #work(): Promise<void> {
    this.#isWorking = true;
    for (const id of this.#due) {
      this.#due.delete(id);
      await this.#look(id);
    }
    this.#isWorking = false;
  }

  /** Never rejects. */
  async #look(id: LockId): Promise<void> {
    const lock = this.#parts.store.get(id);
    if (lock === undefined || this.#concerned(lock).length === 0 || !this.#isFree(id)) {
      return;
    }
    try {
      const listed = await this.#parts.codes.facts(id);
      if (this.#isFree(id)) {
        this.#decide(this.#parts.store.get(id) ?? lock, listed);
      }
    } catch (error) {
      this.#laterAfter(id, READ_PAUSE_MS);
      for (const guest of this.#concerned(lock)) {
        const standing = { kind: 'waiting', words: messageOf(error), retryAt: null } as const;
        this.#parts.standings.note(guest, id, standing);
      }
    }
  }

  /** Whether this process may act on the lock now. The end of an operation under way looks again. */
  #isFree(id: LockId): boolean {
    const operations = this.#parts.codes.operations();
    const isBusy = operations.some((one) => one.lockId === id && !hasEnded(one));
    return this.#isRunning && !isBusy && this.#parts.link.state() === 'linked';
  }

  #concerned({ id, description }: Lock): readonly Guest[] {
    const isOwned = description.role === 'owner';
    return this.#parts.book
      .all()
      .filter((guest) => codeOn(guest, id) !== null || isWantedOn(guest, id, isOwned));
  }

  /** Removals come first: a code that goes may be in the way of another. */
  #decide(lock: Lock, listed: CodeFacts): void {
    const { standings, book } = this.#parts;
    const steps = this.#concerned(lock).map((guest) => ({ guest, step: this.#step(guest, lock, listed) }));
    const requested = steps.filter(({ step }) => step.request !== null);
    const next = requested.find(({ step }) => step.request?.kind === 'remove') ?? requested[0];
    for (const { guest, step } of steps) {
      // What is not begun now is not sent yet.
      const code = step.request === null ? step.code : step.code && { ...step.code, sending: null };
      book.saveCode(guest.id, lock.id, code);
      const found = listed.codes.find(({ id }) => id === step.code?.codeId) ?? null;
      standings.note(guest, lock.id, step.standing, found);
    }
    this.#remind(
      lock.id,
      steps.map(({ step }) => step.code),
    );
    if (next !== undefined) {
      this.#begin(next.guest, lock.id, next.step);
    }
  }

  #step(guest: Guest, { id, presence, description }: Lock, listed: CodeFacts): GuestStep {
    const { book, serviceClock } = this.#parts;
    const others = book.all().filter((other) => other.id !== guest.id);
    const taken = others
      .map((other) => codeOn(other, id)?.codeId ?? null)
      .filter((codeId) => codeId !== null);
    return nextGuestStep(guest, {
      ...listed,
      lockId: id,
      presence,
      isOwned: description.role === 'owner',
      taken,
      now: serviceClock.now(),
    });
  }

  /** What is sent is on the disk before it leaves: after a crash it counts as perhaps sent. */
  #begin({ id, draft }: Guest, lockId: LockId, { code, request }: GuestStep): void {
    const { book, codes } = this.#parts;
    if (code === null || code.sending === null || request === null) {
      return;
    }
    book.saveCode(id, lockId, code);
    const operation = codes.begin(lockId, request, draft.name);
    const sending = { ...code.sending, operationId: operation.id };
    book.noteCode(id, lockId, { ...code, sending });
  }

  #progressed(operation: CodeProgress): void {
    const { book, onChange, serviceClock } = this.#parts;
    const { id, lockId } = operation;
    if (hasEnded(operation)) {
      const now = serviceClock.now();
      // The id of ours may not have been stored before a crash.
      const others = (code: GuestCode): GuestCode =>
        isUnsettled(operation.failure) ? recalled(code, now) : code;
      book.change(lockId, (code) =>
        code.sending?.operationId === id ? afterEnd(code, operation, now) : others(code),
      );
      this.lookAt(lockId);
    }
    onChange();
  }

  /** Looks again when what may still take effect is settled, and when what failed may be tried again. */
  #remind(id: LockId, codes: readonly (GuestCode | null)[]): void {
    const now = this.#parts.serviceClock.now();
    const times = codes.flatMap((code) => [code?.unsettledUntil ?? now, code?.setback?.retryAt ?? now]);
    this.#laterAfter(id, Math.min(...times.filter((at) => at > now)) - now);
  }

  #laterAfter(id: LockId, ms: number): void {
    this.#later.set(id, this.#parts.clock.monotonic() + ms);
  }
}
