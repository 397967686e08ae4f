// The changes of access codes: one at a time on each lock. Those that a person asked for are stored first, and taken up after a crash.
import {
  type CodeOperation,
  type CodeProgress,
  type CodeRequest,
  codeIdIn,
  hasEnded,
} from '../../domain/codes/operation.ts';
import { type CodeEnd, type CodeStepFacts, nextCodeStep } from '../../domain/codes/operation-policy.ts';
import type { CodeStore } from '../../domain/codes/ports.ts';
import type { CommandReading } from '../../domain/commands/command.ts';
import type { LockId } from '../../domain/locks/lock.ts';
import { ageOf } from '../../domain/time/time.ts';
import { scheduleCommit } from '../../support/commit-scheduler.ts';
import { nextId } from '../../support/dated-ids.ts';
import { messageOf } from '../../support/errors.ts';
import { tryDisk } from '../../support/files/try-disk.ts';
import { codeFailure } from '../../words/code-failures.ts';
import { t } from '../../words/translate.ts';
import type { CommonParts } from '../locks/common-parts.ts';
import { CodeRun, type CodeRunParts, type CommandEnd } from './code-run.ts';
import { readTurns, type Turns } from './command-follower.ts';
import type { CodeLists } from './lists.ts';
import { endLine, nameIn } from './log.ts';
import { lengthIn, type PinLengths } from './pin-lengths.ts';
import type { StrayCodes } from './stray-codes.ts';

export interface CodeOperationsParts
  extends Omit<CodeRunParts, 'nextTurn' | 'codes'>,
    Pick<CommonParts, 'bus' | 'store'> {
  readonly codes: CodeRunParts['codes'] & { readonly store: CodeStore };
  readonly lists: CodeLists;
  readonly strays: StrayCodes;
  readonly lengths: PinLengths;
}

/** An operation that a crash interrupted is taken up within this time, in milliseconds (our choice). */
const TAKEN_UP_WITHIN_MS = 3_600_000;

/** The number of ended operations whose outcome can still be read (our choice). */
const KEPT_ENDS = 200;

export class CodeOperations {
  readonly #parts: CodeOperationsParts;
  readonly #nextTurn: Turns;
  /** Under way, or waiting for their turn. */
  readonly #runs = new Set<CodeRun>();
  /** Locks that carry out a step of a row. */
  readonly #carrying = new Set<LockId>();
  /** The end of the last operation of each lock: a lock takes one command at a time. */
  readonly #turns = new Map<LockId, Promise<void>>();
  /** Operations under way, and the latest that ended. They never hold a PIN. */
  readonly #progress = new Map<string, CodeProgress>();
  #lastId = '0';
  /** Whether this process carries out the stored operations. */
  #isFollowing = false;

  constructor(parts: CodeOperationsParts) {
    this.#parts = parts;
    this.#nextTurn = readTurns(parts.clock);
    parts.bus.on('lock-removed', ({ id }) => {
      this.#abort((run) => run.operation.lockId === id);
      this.#forgetOpen(id);
    });
    parts.bus.on('lock-appeared', ({ lock }) => {
      if (this.#isFollowing) {
        this.followOpen(lock.id);
      }
    });
  }

  all(): readonly CodeProgress[] {
    return [...this.#progress.values()];
  }

  /** Throws retry (`storage-failed`) when the operation cannot be stored; then it was not started. */
  start(lockId: LockId, request: CodeRequest, name: string | null): CodeProgress {
    const operation = this.#new(lockId, request);
    this.#parts.codes.store.save(operation);
    const progress = this.#begin(operation, name);
    this.#enqueue(operation, false);
    return progress;
  }

  /** Whether a lock is at work: it takes one change at a time. */
  isBusy(lockId: LockId): boolean {
    return this.#carrying.has(lockId) || this.all().some((one) => one.lockId === lockId && !hasEnded(one));
  }

  /**
   * Carries out one step of a row, judged by these codes, on a lock that is not busy: the row is stored already, with what is
   * sent. `onEnd` is called before the lock takes another change; with null when it was aborted. Never rejects.
   */
  async carry(
    lockId: LockId,
    request: CodeRequest,
    name: string,
    facts: Omit<CodeStepFacts, 'now'>,
    onEnd: (end: CommandEnd | null) => void,
  ): Promise<void> {
    const operation = this.#new(lockId, request);
    const step = nextCodeStep(operation, { ...facts, now: operation.requestedAt });
    if (step.kind !== 'send') {
      onEnd(step.kind === 'look-again' ? { kind: 'unknown' } : step);
      return;
    }
    const run = new CodeRun({ ...this.#parts, nextTurn: this.#nextTurn }, operation, {
      save: async () => Promise.resolve(),
      onPhase: () => {},
    });
    this.#carrying.add(lockId);
    const work = run.send(step);
    this.#inTurn(run, work);
    const end = await work;
    this.#carrying.delete(lockId);
    onEnd(run.isAborted ? null : end);
    if (end.kind === 'done' || end.kind === 'failed') {
      this.#begin(operation, name);
      this.#end(operation, end);
    }
  }

  /** Takes over what an earlier process left, or left of one lock that is back. Nobody waits for old ones: they end. */
  followOpen(lockId?: LockId): void {
    this.#isFollowing = true;
    const { codes, log } = this.#parts;
    const known =
      tryDisk(log, t('Stored operations on access codes could not be read'), () => codes.store.open()) ?? [];
    // Another operation must not take the id of one that is still stored.
    this.#lastId = nextId([this.#lastId, ...known.map(({ id }) => id)], 0);
    const isMeant = (operation: CodeOperation): boolean =>
      lockId === undefined || operation.lockId === lockId;
    for (const operation of known.filter((one) => isMeant(one) && this.#progress.get(one.id) === undefined)) {
      const ageMs = ageOf(operation.requestedAt, this.#parts.serviceClock.bounds()) ?? 0;
      this.#begin(operation, nameIn(operation.request));
      if (ageMs < TAKEN_UP_WITHIN_MS && this.#parts.store.get(operation.lockId) !== undefined) {
        this.#enqueue(operation, true);
      } else {
        const reason = operation.sending === null ? 'not-sent' : 'outcome-unknown';
        this.#erase(operation);
        this.#end(operation, { kind: 'failed', failure: codeFailure(reason) });
      }
    }
  }

  /** The service reported how a command ended; false when it is not one of an operation here. */
  ended(id: LockId, reading: CommandReading): boolean {
    return [...this.#runs].some((run) => run.operation.lockId === id && run.follower.ended(reading));
  }

  /** Stored operations stay for the next owner of the account. */
  dispose(): void {
    this.#isFollowing = false;
    this.#abort(() => true);
  }

  /** The operations of a lock that has left the account stay stored, and delay no others. */
  #forgetOpen(lockId: LockId): void {
    for (const { id } of this.all().filter((one) => one.lockId === lockId && !hasEnded(one))) {
      this.#progress.delete(id);
    }
  }

  #abort(isMeant: (run: CodeRun) => boolean): void {
    for (const run of [...this.#runs].filter(isMeant)) {
      run.follower.abort();
    }
  }

  #new(lockId: LockId, request: CodeRequest): CodeOperation {
    const requestedAt = this.#parts.serviceClock.now();
    const id = nextId([this.#lastId], requestedAt);
    this.#lastId = id;
    return { id, lockId, request, requestedAt, sendings: 0, sending: null };
  }

  /** Begins when the change before has ended. The operation must be stored already. */
  #enqueue(operation: CodeOperation, isTakenUp: boolean): void {
    const { clock, codes } = this.#parts;
    const run = new CodeRun({ ...this.#parts, nextTurn: this.#nextTurn }, operation, {
      save: async (changed) => scheduleCommit(clock.commits, () => codes.store.save(changed)),
      onPhase: (phase, waitingFor) => this.#progressed(operation.id, { phase, waitingFor }),
    });
    const before = this.#turns.get(operation.lockId);
    const work = async (): Promise<void> => {
      await before;
      const end = await run.toItsEnd(isTakenUp).catch((error: unknown): CodeEnd => {
        this.#parts.log.error(t('An operation on access codes failed: {why}', { why: messageOf(error) }));
        return { kind: 'failed', failure: codeFailure('service-trouble') };
      });
      if (end !== null) {
        this.#erase(operation);
        this.#end(operation, end);
      }
    };
    this.#inTurn(run, work());
  }

  /** Other operations of the lock begin when that work has ended. */
  #inTurn(run: CodeRun, work: Promise<unknown>): void {
    this.#runs.add(run);
    const turn = async (): Promise<void> => {
      await work;
      this.#runs.delete(run);
    };
    this.#turns.set(run.operation.lockId, turn());
  }

  #erase({ id }: CodeOperation): void {
    const { codes, log } = this.#parts;
    tryDisk(log, t('An operation on access codes could not be erased'), () => codes.store.erase(id));
  }

  #end(operation: CodeOperation, end: CodeEnd): void {
    const { id, lockId, request } = operation;
    if (end.kind === 'failed') {
      // Every other end has read the list.
      this.#parts.lists.outdate(lockId);
    }
    const lock = this.#parts.store.get(lockId)?.description.name ?? t('A lock that is gone');
    const line = endLine(lock, request, end);
    if (end.kind === 'done' || isUnknownToBoth(request, end)) {
      this.#parts.strays.removed(operation);
    }
    if (end.kind === 'done') {
      this.#parts.lengths.taken(lockId, lengthIn(request));
      this.#parts.log.info(line);
    } else {
      this.#parts.log.warn(line);
    }
    const named = end.codeId ? { codeId: end.codeId } : {};
    this.#progressed(
      id,
      end.kind === 'done'
        ? { phase: 'done', waitingFor: null, ...named }
        : { phase: 'failed', waitingFor: null, failure: end.failure, ...named },
    );
    for (const { id: old } of this.all().filter(hasEnded).slice(0, -KEPT_ENDS)) {
      this.#progress.delete(old);
    }
  }

  #begin({ id, lockId, request, requestedAt }: CodeOperation, name: string | null): CodeProgress {
    const progress: CodeProgress = {
      id,
      lockId,
      kind: request.kind,
      codeId: codeIdIn(request),
      name,
      requestedAt,
      phase: 'queued',
      waitingFor: null,
      failure: null,
    };
    this.#progress.set(id, progress);
    return progress;
  }

  #progressed(id: string, change: Partial<CodeProgress>): void {
    const before = this.#progress.get(id);
    const operation = before && { ...before, ...change };
    if (operation !== undefined && JSON.stringify(operation) !== JSON.stringify(before)) {
      this.#progress.set(id, operation);
      this.#parts.bus.publish({ type: 'code-operation', operation });
    }
  }
}

/** The service looked for the code to be removed, and neither side has it. */
function isUnknownToBoth({ kind }: CodeRequest, end: CodeEnd): boolean {
  return kind === 'remove' && end.kind === 'failed' && end.failure.reason === 'code-id-invalid';
}
