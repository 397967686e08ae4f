// The operations on access codes: stored before they are carried out, one at a time on each lock, and taken up after a crash.
import type { AccessCode } from '../../domain/access-code.ts';
import { codeFailure } from '../../domain/code-failure.ts';
import {
  type CodeOperation,
  type CodePhase,
  type CodeProgress,
  type CodeRequest,
  codeIdIn,
  hasEnded,
} from '../../domain/code-operation.ts';
import type { CodeEnd } from '../../domain/code-operation-policy.ts';
import type { AccessCodeGateway, CodeStore } from '../../domain/code-ports.ts';
import type { CommandReading } from '../../domain/command.ts';
import type { LockId } from '../../domain/lock.ts';
import { ageOf } from '../../domain/time.ts';
import { messageOf } from '../../support/errors.ts';
import type { CommonParts } from '../common-parts.ts';
import type { CodeLists } from './code-lists.ts';
import { endLine, nameIn } from './code-log.ts';
import { CodeRunner } from './code-runner.ts';
import type { StrayCodes } from './stray-codes.ts';

export interface CodeOperationsParts
  extends Pick<CommonParts, 'store' | 'bus' | 'clock' | 'serviceClock' | 'log'> {
  readonly codes: {
    readonly gateway: AccessCodeGateway;
    readonly store: CodeStore;
    /** The IANA time zone of a lock, in which its schedules are written. */
    readonly zoneOf: (id: LockId) => string;
  };
}

export interface CodeOperationsContext {
  readonly lists: CodeLists;
  readonly strays: StrayCodes;
  readonly takesAnyLength: (id: LockId, codes: readonly AccessCode[]) => boolean;
}

/** An operation that a crash interrupted is taken up within this time, in milliseconds (our choice). */
const TAKEN_UP_WITHIN_MS = 3_600_000;

/** Ended operations whose end can still be asked for (our choice). */
const KEPT_ENDS = 200;

const ID_RADIX = 36;

export class CodeOperations {
  readonly #parts: CodeOperationsParts;
  readonly #context: CodeOperationsContext;
  readonly #runners = new Map<LockId, CodeRunner>();
  /** Those under way, and the latest that ended. It never holds a PIN. */
  readonly #progress = new Map<string, CodeProgress>();
  #lastId = 0;

  constructor(parts: CodeOperationsParts, context: CodeOperationsContext) {
    this.#parts = parts;
    this.#context = context;
    parts.bus.on('lock-removed', ({ id }) => {
      this.#runners.get(id)?.dispose();
      this.#runners.delete(id);
    });
  }

  all(): readonly CodeProgress[] {
    return [...this.#progress.values()];
  }

  /** Throws retry (`storage-failed`) when it cannot be stored; then nothing was started. */
  start(lockId: LockId, request: CodeRequest, name: string | null): CodeProgress {
    const requestedAt = this.#parts.serviceClock.now();
    this.#lastId = Math.max(this.#lastId + 1, Math.round(requestedAt));
    const id = this.#lastId.toString(ID_RADIX);
    const operation: CodeOperation = { id, lockId, request, requestedAt, sendings: 0, sending: null };
    this.#parts.codes.store.save(operation);
    const progress = this.#begin(operation, name);
    this.#runner(lockId).add(operation);
    return progress;
  }

  /** Takes up what an earlier process left; what is too old is ended, because the person has long looked elsewhere. */
  followOpen(): void {
    const known = this.#tryStore((store) => store.open()) ?? [];
    // Another operation must not take the id of one that is still stored.
    this.#lastId = Math.max(this.#lastId, ...known.map(({ id }) => Number.parseInt(id, ID_RADIX) || 0));
    for (const operation of known.filter(({ id }) => this.#progress.get(id) === undefined)) {
      const ageMs = ageOf(operation.requestedAt, this.#parts.serviceClock.bounds()) ?? 0;
      this.#begin(operation, nameIn(operation.request));
      if (ageMs < TAKEN_UP_WITHIN_MS && this.#parts.store.get(operation.lockId) !== undefined) {
        this.#runner(operation.lockId).add(operation);
      } else {
        const reason = operation.sending === null ? 'not-sent' : 'outcome-unknown';
        this.#end(operation, { kind: 'failed', failure: codeFailure(reason) });
      }
    }
  }

  /** The service reported how a command ended; false when it is not one of an operation here. */
  ended(id: LockId, reading: CommandReading): boolean {
    return this.#runners.get(id)?.ended(reading) ?? false;
  }

  dispose(): void {
    for (const runner of this.#runners.values()) {
      runner.dispose();
    }
  }

  #runner(lockId: LockId): CodeRunner {
    const known = this.#runners.get(lockId);
    if (known !== undefined) {
      return known;
    }
    const { codes, clock, serviceClock, log } = this.#parts;
    const { lists, strays, takesAnyLength } = this.#context;
    const runner = new CodeRunner({
      ...codes,
      clock,
      serviceClock,
      log,
      lists,
      zone: () => codes.zoneOf(lockId),
      variableLength: (listed) => takesAnyLength(lockId, listed),
      onPhase: (operation, phase, waitingFor) => {
        this.#reached(operation.id, phase, waitingFor);
      },
      onStray: (operation, codeId, only) => {
        strays.found(operation, codeId, only);
      },
      onEnd: (operation, end) => {
        this.#end(operation, end);
      },
    });
    this.#runners.set(lockId, runner);
    return runner;
  }

  #end(operation: CodeOperation, end: CodeEnd): void {
    const { id, lockId, request } = operation;
    this.#tryStore((store) => {
      store.erase(id);
    });
    if (end.kind === 'failed') {
      // Every other end has read the list.
      this.#context.lists.outdate(lockId);
    }
    const lock = this.#parts.store.get(lockId)?.description.name ?? 'A lock that is gone';
    const line = endLine(lock, request, end);
    if (end.kind === 'done') {
      this.#context.strays.removed(operation);
      this.#parts.log.info(line);
    } else {
      this.#parts.log.warn(line);
    }
    this.#ended(id, end);
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

  #reached(id: string, phase: CodePhase, waitingFor: string | null): void {
    const before = this.#progress.get(id);
    if (before !== undefined && (before.phase !== phase || before.waitingFor !== waitingFor)) {
      this.#change({ ...before, phase, waitingFor });
    }
  }

  #ended(id: string, end: CodeEnd): void {
    const before = this.#progress.get(id);
    if (before !== undefined && end.kind === 'done') {
      this.#change({ ...before, phase: 'done', waitingFor: null, codeId: end.codeId ?? before.codeId });
    } else if (before !== undefined && end.kind === 'failed') {
      this.#change({ ...before, phase: 'failed', waitingFor: null, failure: end.failure });
    }
    const ended = this.all().filter(hasEnded);
    for (const { id: old } of ended.slice(0, -KEPT_ENDS)) {
      this.#progress.delete(old);
    }
  }

  #change(operation: CodeProgress): void {
    this.#progress.set(operation.id, operation);
    this.#parts.bus.publish({ type: 'code-operation', operation });
  }

  /** A failing disk must not stop an operation that this process knows. */
  #tryStore<T>(work: (store: CodeStore) => T): T | null {
    try {
      return work(this.#parts.codes.store);
    } catch (error) {
      this.#parts.log.warn(`The operations on access codes could not be stored: ${messageOf(error)}`);
      return null;
    }
  }
}
