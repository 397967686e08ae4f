// Single changes of one lock's codes: rows of the book that end, one at a time on each lock. The loop of the lock takes their steps.
import { unknownCode } from '../../domain/codes/code-machine.ts';
import type { CodeEnd } from '../../domain/codes/command-result.ts';
import type { CodeFailure } from '../../domain/codes/failure.ts';
import { type GuestCode, withCodeOn } from '../../domain/codes/guest.ts';
import type { GuestStep } from '../../domain/codes/guest-step.ts';
import {
  type CodePhase,
  type CodeProgress,
  type CodeRequest,
  isRemoval,
} from '../../domain/codes/operation.ts';
import { GIVES_UP_AFTER_MS, LIST_PAUSE_MS } from '../../domain/codes/retry-policy.ts';
import {
  endOfSingle,
  givenUp,
  leftAfter,
  rowOfSingle,
  type SingleRow,
} from '../../domain/codes/single-step.ts';
import { type Message, message } from '../../domain/language/message.ts';
import type { LockId } from '../../domain/locks/lock.ts';
import { ageOf } from '../../domain/time/time.ts';
import { type LatchkeyError, WaitError, wordsOf } from '../../support/errors.ts';
import { codeFailure, failureAfter } from '../../words/code-failures.ts';
import type { CommonParts } from '../locks/common-parts.ts';
import type { GuestBook } from './book.ts';
import { afterCommand, type CommandEnd } from './command-run.ts';
import type { FileAge } from './file-age.ts';
import type { CodeOperations, CodeStep } from './operations.ts';

export interface SingleChangesParts extends Pick<CommonParts, 'bus' | 'store' | 'clock' | 'serviceClock'> {
  readonly book: GuestBook;
  readonly operations: CodeOperations;
  readonly age: Pick<FileAge, 'isOld'>;
}

/** A change that a crash interrupted is taken up within this time, in milliseconds (our choice). */
const TAKEN_UP_WITHIN_MS = 3_600_000;

/** A command is sent this often at most (our choice), each time because the last one certainly did nothing. */
const MOST_SENDINGS = 5;

/** `name`: of the code; null where it is not known. */
export interface NamedChange {
  readonly request: CodeRequest;
  readonly name: string | null;
}

const NOT_BEGUN: CodeFailure = {
  ...codeFailure('not-sent'),
  words: message('An earlier change of the same plan failed, so this one was not begun.'),
};

export class SingleChanges {
  readonly #parts: SingleChangesParts;
  /** Called when a lock is to be looked at. */
  lookAt: (id: LockId) => void = () => {};
  /** When each change had its turn, in monotonic milliseconds. */
  readonly #turns = new Map<string, number>();
  /** Changes that an earlier process began. */
  readonly #takenUp = new Set<string>();
  #isRunning = false;

  constructor(parts: SingleChangesParts) {
    this.#parts = parts;
    parts.bus.on('lock-removed', ({ id }) => {
      // The rows stay stored.
      for (const row of this.#on(id)) {
        this.#turns.delete(row.id);
        parts.operations.forget(row.id);
      }
    });
    parts.bus.on('lock-appeared', ({ lock }) => this.#takeUp(this.#on(lock.id)));
  }

  /** Takes over what an earlier process left. Nobody waits for old changes: they end. */
  start(): void {
    this.#isRunning = true;
    this.#takeUp(this.#parts.book.singles());
  }

  /** The rows stay for the next owner of the account. */
  dispose(): void {
    this.#isRunning = false;
  }

  /** Throws retry (`storage-failed`) when the changes cannot be stored; then none was begun. Several are one plan. */
  begin(lockId: LockId, changes: readonly NamedChange[]): readonly CodeProgress[] {
    const { book, serviceClock, operations } = this.#parts;
    const requestedAt = serviceClock.now();
    const plan = changes.length > 1 ? { plan: book.newId(requestedAt) } : {};
    const rows = changes.map(({ request, name }) => {
      const single = { lockId, request, requestedAt, sendings: 0, ...plan };
      return { row: rowOfSingle(book.newId(requestedAt), single, name), name };
    });
    book.saveAll(rows.map(({ row }) => row));
    const begun = rows.map(({ row, name }) => operations.begin(row.id, row.single, name));
    this.lookAt(lockId);
    return begun;
  }

  /** The change whose turn it is on that lock; null: none. */
  headOn(lockId: LockId): SingleRow | null {
    return this.#on(lockId)[0] ?? null;
  }

  isOfThisProcess({ id }: SingleRow): boolean {
    return !this.#takenUp.has(id);
  }

  /** False when this step ends the change. `ms`: when the lock is looked at again where nothing is sent now. */
  goesOn(row: SingleRow, step: GuestStep, ms: number): boolean {
    const { request, sendings } = row.single;
    const { standing } = step;
    const end = endOfSingle(step);
    if (end !== null) {
      this.#end(row, end);
      return false;
    }
    if (step.request === null) {
      const isForLock = standing.kind === 'waiting' && standing.isSettling !== true;
      return this.#wait(row, isForLock ? standing.words : null, ms);
    }
    // What an earlier process wanted may have been removed since: a file that is older than its lock puts no code there.
    const mayPut = this.isOfThisProcess(row) || isRemoval(request) || !this.#parts.age.isOld;
    if (!mayPut || sendings >= MOST_SENDINGS) {
      this.#giveUp(row);
    }
    return mayPut && sendings < MOST_SENDINGS;
  }

  /** The codes could not be listed; returns in how many milliseconds they may be, or null: not for this change. */
  unread(row: SingleRow, error: LatchkeyError, pauseMs: number): number | null {
    const ms = (error instanceof WaitError ? error.waitMs : null) ?? pauseMs;
    return this.#isOver(row, error) || !this.#wait(row, wordsOf(error), ms) ? null : ms;
  }

  /** Carries out a step: see `CodeOperations.carry`. `onEnd`: in how many milliseconds the lock is to be looked at for it; null: never. */
  async carry(id: string, step: CodeStep, onEnd: (ms: number | null) => void): Promise<void> {
    const { book, operations } = this.#parts;
    return operations.carry(
      step,
      (end) => {
        const row = book.singles().find((one) => one.id === id);
        onEnd(row === undefined || end === null ? null : this.#after(row, step.request, end));
      },
      (phase) => operations.stands(id, phase),
    );
  }

  #after(row: SingleRow, sent: CodeRequest, end: CommandEnd): number | null {
    if (end.kind === 'unsent') {
      return this.#isOver(row, end.error) ? null : this.#afterUnsent(row, end);
    }
    if (!this.#isRunning) {
      return null;
    }
    const left = end.kind === 'done' ? leftAfter(row.single, sent) : null;
    if (left !== null) {
      this.#parts.book.note({ ...row, single: left });
      return 0;
    }
    if (end.kind !== 'unknown') {
      this.#end(row, end);
      return null;
    }
    this.#note(row, { ...this.#stateAfter(row, end), absent: null }, row.single.sendings);
    // After an answer that came late, there is time to look what became of it.
    const startedAt = this.#parts.clock.monotonic() + LIST_PAUSE_MS - GIVES_UP_AFTER_MS;
    this.#turns.set(row.id, Math.max(this.#turnOf(row), startedAt));
    return this.#wait(row, null, 0) ? 0 : null;
  }

  #afterUnsent(row: SingleRow, end: CommandEnd): number | null {
    const code = this.#stateAfter(row, end);
    this.#note(row, code, row.single.sendings - 1);
    if (!this.#isRunning || code.setback === null) {
      return null;
    }
    const { failure, retryAt } = code.setback;
    const ms = (retryAt ?? 0) - this.#parts.serviceClock.now();
    return this.#wait(row, failure.words, ms) ? ms : null;
  }

  #stateAfter({ codes: [code], single }: SingleRow, end: CommandEnd): GuestCode {
    return afterCommand(code ?? unknownCode(single.lockId), end, this.#parts.serviceClock.now());
  }

  #note(row: SingleRow, code: GuestCode, sendings: number): void {
    this.#parts.book.note({
      ...withCodeOn(row, row.single.lockId, code),
      single: { ...row.single, sendings },
    });
  }

  /** An error that ends the change, or its time in this process: another one may have the account, and the stored row with it. */
  #isOver(row: SingleRow, error: LatchkeyError): boolean {
    const isFinal = error.disposition === 'relink' || error.disposition === 'final';
    if (isFinal && error.code !== 'not-owner') {
      this.#end(row, { kind: 'failed', failure: failureAfter(error.code) });
    }
    return isFinal || error.code === 'not-owner';
  }

  #on(lockId: LockId): readonly SingleRow[] {
    return this.#parts.book.singles().filter(({ single }) => single.lockId === lockId);
  }

  #turnOf({ id }: SingleRow): number {
    const startedAt = this.#turns.get(id) ?? this.#parts.clock.monotonic();
    this.#turns.set(id, startedAt);
    return startedAt;
  }

  #takeUp(rows: readonly SingleRow[]): void {
    const { operations, serviceClock, store } = this.#parts;
    const known = new Set(operations.all().map(({ id }) => id));
    for (const row of rows.filter(({ id }) => this.#isRunning && !known.has(id))) {
      const { lockId, requestedAt } = row.single;
      operations.begin(row.id, row.single, row.draft.name || null);
      this.#takenUp.add(row.id);
      const ageMs = ageOf(requestedAt, serviceClock.bounds()) ?? 0;
      if (ageMs >= TAKEN_UP_WITHIN_MS || store.get(lockId) === undefined) {
        this.#giveUp(row);
      } else {
        this.lookAt(lockId);
      }
    }
  }

  /** `why` null: what was sent is being looked for. False when the change took too long already, and ends. */
  #wait(row: SingleRow, why: Message | null, ms: number): boolean {
    const { clock, operations } = this.#parts;
    const phase: CodePhase = why === null ? 'checking' : 'waiting';
    const isInTime = clock.monotonic() - this.#turnOf(row) + ms < GIVES_UP_AFTER_MS;
    if (isInTime) {
      operations.stands(row.id, phase, why);
    } else {
      this.#giveUp(row);
    }
    return isInTime;
  }

  /** What was sent may have happened. */
  #giveUp({ id, single }: SingleRow): void {
    const row = this.#on(single.lockId).find((one) => one.id === id);
    if (row !== undefined) {
      this.#end(row, { kind: 'failed', failure: codeFailure(givenUp(row.single)) });
    }
  }

  #end(row: SingleRow, end: CodeEnd): void {
    const { book, operations } = this.#parts;
    const { lockId, plan } = row.single;
    const isStopped = end.kind === 'failed' && plan !== undefined;
    const rest = this.#on(lockId).filter(
      ({ id, single }) => isStopped && id !== row.id && single.plan === plan,
    );
    this.#turns.delete(row.id);
    book.drop([row, ...rest]);
    operations.end(row.id, row.single, end);
    for (const { id, single } of rest) {
      operations.end(id, single, { kind: 'failed', failure: NOT_BEGUN });
    }
  }
}
