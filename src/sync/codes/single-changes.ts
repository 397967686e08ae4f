// Single changes of one lock's codes: rows of the book that go when the change has ended. One at a time on each lock.
import { neverSent, recalled, sent } from '../../domain/codes/code-machine.ts';
import type { CodeEnd } from '../../domain/codes/command-result.ts';
import { codeOn, type GuestCode, withCodeOn } from '../../domain/codes/guest.ts';
import type { GuestFacts, GuestStep } from '../../domain/codes/guest-step.ts';
import {
  type CodePhase,
  type CodeProgress,
  type CodeRequest,
  isRemoval,
} from '../../domain/codes/operation.ts';
import { GIVES_UP_AFTER_MS, LIST_PAUSE_MS, pauseMs } from '../../domain/codes/retry-policy.ts';
import {
  endOfSingle,
  givenUp,
  rowOfSingle,
  type SingleRow,
  singleStep,
  wantedBy,
} from '../../domain/codes/single-step.ts';
import type { Message } from '../../domain/language/message.ts';
import type { LockId } from '../../domain/locks/lock.ts';
import { ageOf } from '../../domain/time/time.ts';
import type { CancelTimer } from '../../support/clock.ts';
import { asLatchkeyError, type LatchkeyError, WaitError, wordsOf } from '../../support/errors.ts';
import { codeFailure, failureAfter } from '../../words/code-failures.ts';
import type { CommonParts } from '../locks/common-parts.ts';
import type { GuestBook } from './book.ts';
import type { CommandEnd } from './command-run.ts';
import type { FileAge } from './file-age.ts';
import type { CodeOperations } from './operations.ts';

type Listed = Pick<GuestFacts, 'codes' | 'listedAt' | 'variableLength'>;

export interface SingleChangesParts extends Pick<CommonParts, 'bus' | 'store' | 'clock' | 'serviceClock'> {
  readonly book: GuestBook;
  readonly operations: CodeOperations;
  readonly facts: (id: LockId) => Promise<Listed>;
  readonly age: Pick<FileAge, 'mayTakeUp'>;
}

/** A change that a crash interrupted is taken up within this time, in milliseconds (our choice). */
const TAKEN_UP_WITHIN_MS = 3_600_000;

/** A command is sent this often at most (our choice), each time because the last one certainly did nothing. */
const MOST_SENDINGS = 5;

interface Turn {
  /** When the change had its turn, in monotonic milliseconds. */
  startedAt: number;
  pauses: number;
  cancel: CancelTimer;
}

export class SingleChanges {
  readonly #parts: SingleChangesParts;
  /** Called when a lock is to be looked at. */
  lookAt: (id: LockId) => void = () => {};
  /** The changes that have had their turn. */
  readonly #turns = new Map<string, Turn>();
  /** Locks whose list is being read for a change. */
  readonly #reading = new Set<LockId>();
  /** Changes that an earlier process began. */
  readonly #takenUp = new Set<string>();
  #isRunning = false;

  constructor(parts: SingleChangesParts) {
    this.#parts = parts;
    parts.bus.on('lock-removed', ({ id }) => {
      // The rows stay stored.
      for (const row of this.#on(id)) {
        this.#stop(row.id);
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
    for (const id of this.#turns.keys()) {
      this.#stop(id);
    }
  }

  /** Throws retry (`storage-failed`) when the change cannot be stored; then it was not begun. */
  begin(lockId: LockId, request: CodeRequest, name: string | null): CodeProgress {
    const { book, serviceClock, operations } = this.#parts;
    const requestedAt = serviceClock.now();
    const row = rowOfSingle(book.newId(requestedAt), { lockId, request, requestedAt, sendings: 0 }, name);
    book.save(row);
    const progress = operations.begin(row.id, row.single, name);
    this.lookAt(lockId);
    return progress;
  }

  /** The change whose turn it is on that lock; null: none. */
  headOn(lockId: LockId): SingleRow | null {
    return this.#on(lockId)[0] ?? null;
  }

  /** Takes the next step of the change whose turn it is. Never rejects. */
  async look(lockId: LockId): Promise<void> {
    const row = this.headOn(lockId);
    if (row === null || !this.#mayAct(lockId) || this.#reading.has(lockId)) {
      return;
    }
    this.#turnOf(row).cancel();
    this.#reading.add(lockId);
    const read = await this.#read(row).catch(asLatchkeyError);
    this.#reading.delete(lockId);
    if (!this.#mayAct(lockId) || this.headOn(lockId)?.id !== row.id) {
      return;
    }
    try {
      if (read instanceof Error) {
        throw read;
      }
      this.#act(row, read.listed, read.isKnown);
    } catch (error) {
      this.#troubled(row, asLatchkeyError(error));
    }
  }

  /** `isKnown`: the file knows the lock's latest changes, or they do not matter. */
  async #read({ id, single }: SingleRow): Promise<{ readonly listed: Listed; readonly isKnown: boolean }> {
    const { facts, age } = this.#parts;
    const listed = await facts(single.lockId);
    const isOurs = !this.#takenUp.has(id) || isRemoval(single.request);
    return { listed, isKnown: isOurs || (await age.mayTakeUp(single.lockId)) };
  }

  #mayAct(lockId: LockId): boolean {
    const { store, operations } = this.#parts;
    return this.#isRunning && store.get(lockId) !== undefined && !operations.isCarrying(lockId);
  }

  #on(lockId: LockId): readonly SingleRow[] {
    return this.#parts.book.singles().filter(({ single }) => single.lockId === lockId);
  }

  #turnOf({ id }: SingleRow): Turn {
    const startedAt = this.#parts.clock.monotonic();
    const turn = this.#turns.get(id) ?? { startedAt, pauses: 0, cancel: () => {} };
    this.#turns.set(id, turn);
    return turn;
  }

  #stop(id: string): void {
    this.#turns.get(id)?.cancel();
    this.#turns.delete(id);
  }

  #takeUp(rows: readonly SingleRow[]): void {
    const { operations, book, serviceClock, store } = this.#parts;
    const known = new Set(operations.all().map(({ id }) => id));
    for (const row of rows.filter(({ id }) => this.#isRunning && !known.has(id))) {
      const { lockId, requestedAt } = row.single;
      operations.begin(row.id, row.single, row.draft.name || null);
      this.#takenUp.add(row.id);
      const ageMs = ageOf(requestedAt, serviceClock.bounds()) ?? 0;
      if (ageMs >= TAKEN_UP_WITHIN_MS || store.get(lockId) === undefined) {
        this.#giveUp(row);
      } else {
        const code = codeOn(row, lockId);
        book.noteCode(row.id, lockId, code === null ? null : recalled(code, serviceClock.now()));
        this.lookAt(lockId);
      }
    }
  }

  #act(row: SingleRow, listed: Listed, isKnown: boolean): void {
    const { lockId } = row.single;
    const now = this.#parts.serviceClock.now();
    const ours = { lockId, presence: 'reachable', isOwned: true, taken: [], now } as const;
    const step = singleStep(row, { ...listed, ...ours });
    const end = endOfSingle(step);
    if (end !== null) {
      this.#end(row, end);
    } else if (step.request === null) {
      this.#parts.book.saveCode(row.id, lockId, step.code);
      this.#wait(row, 'checking', null, null);
    } else if (isKnown && row.single.sendings < MOST_SENDINGS) {
      this.#send(row, step, listed);
    } else {
      // What an earlier process wanted may have been removed since: a file that is older than its lock puts no code there.
      this.#giveUp(row);
    }
  }

  /** What is sent is on the disk before: after a crash it counts as possibly sent. */
  #send(row: SingleRow, { code, found }: GuestStep, { codes }: Listed): void {
    const { book, operations } = this.#parts;
    const { id, single } = row;
    const { lockId, request } = single;
    const sendings = single.sendings + 1;
    if (code !== null) {
      const now = withCodeOn(row, lockId, sent(code, wantedBy(request, found)));
      book.save({ ...now, single: { ...single, sendings } });
      void operations.carry(
        { lockId, request, codes, sendings },
        (end) => this.#after(lockId, id, end),
        (phase) => operations.stands(id, phase),
      );
    }
  }

  /** `end` null: the run was aborted, and the next owner, or the lock's return, finds what is stored. */
  #after(lockId: LockId, id: string, end: CommandEnd | null): void {
    const { serviceClock, clock } = this.#parts;
    const row = this.headOn(lockId);
    const code = row === null ? null : codeOn(row, lockId);
    if (end === null || row?.id !== id || code === null || (!this.#isRunning && end.kind !== 'unsent')) {
      return;
    }
    const turn = this.#turnOf(row);
    switch (end.kind) {
      case 'done':
      case 'failed':
        this.#end(row, end);
        return;
      case 'unsent':
        if (end.error.code !== 'not-owner') {
          this.#note(row, neverSent(code), row.single.sendings - 1);
        }
        if (this.#isRunning) {
          this.#troubled(row, end.error);
        }
        return;
      case 'unknown':
        turn.pauses = 0;
        // After an answer that came late, there is time to look what became of it.
        turn.startedAt = Math.max(turn.startedAt, clock.monotonic() + LIST_PAUSE_MS - GIVES_UP_AFTER_MS);
        this.#note(row, { ...recalled(code, serviceClock.now()), absent: null }, row.single.sendings);
        this.#parts.operations.stands(id, 'checking');
        this.lookAt(lockId);
    }
  }

  #note(row: SingleRow, code: GuestCode, sendings: number): void {
    this.#parts.book.note({
      ...withCodeOn(row, row.single.lockId, code),
      single: { ...row.single, sendings },
    });
  }

  /** Waits where a later try may succeed; ends the change otherwise. */
  #troubled(row: SingleRow, error: LatchkeyError): void {
    if (error.code === 'not-owner') {
      // Another process has the account, and the stored row with it.
      this.#stop(row.id);
    } else if (error.disposition === 'relink' || error.disposition === 'final') {
      this.#end(row, { kind: 'failed', failure: failureAfter(error.code) });
    } else {
      this.#wait(row, 'waiting', wordsOf(error), error instanceof WaitError ? error.waitMs : null);
    }
  }

  /** Pauses before the next look, unless the change took too long already. */
  #wait(row: SingleRow, phase: CodePhase, why: Message | null, waitMs: number | null): void {
    const { clock, operations } = this.#parts;
    const turn = this.#turnOf(row);
    turn.pauses += 1;
    const restMs = waitMs ?? pauseMs(turn.pauses, 'not-ready');
    if (clock.monotonic() - turn.startedAt + restMs >= GIVES_UP_AFTER_MS) {
      this.#giveUp(row);
      return;
    }
    operations.stands(row.id, phase, why);
    turn.cancel();
    turn.cancel = clock.after(restMs, () => this.lookAt(row.single.lockId));
  }

  /** What was sent may have happened. */
  #giveUp(row: SingleRow): void {
    const { single } = this.#on(row.single.lockId).find(({ id }) => id === row.id) ?? row;
    this.#end(row, { kind: 'failed', failure: codeFailure(givenUp(single)) });
  }

  #end(row: SingleRow, end: CodeEnd): void {
    this.#stop(row.id);
    this.#parts.book.drop(row.id);
    this.#parts.operations.end(row.id, row.single, end);
  }
}
