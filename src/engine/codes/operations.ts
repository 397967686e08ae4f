// Changes of codes, one at a time on each lock. A single change is a row of the book that ends; how it stands is its operation: in memory and in the log, never with a PIN.
import type { AccessCode } from '../../domain/codes/access-code.ts';
import { afterEnd, unknownCode } from '../../domain/codes/code-machine.ts';
import type { CodeEnd, CommandEnd } from '../../domain/codes/command-result.ts';
import { endOfSingle } from '../../domain/codes/difference.ts';
import type { CodeFailure } from '../../domain/codes/failure.ts';
import {
  codeOn,
  type Guest,
  isSingle,
  leftAfter,
  rowOfSingle,
  type SingleRow,
  withCodeOn,
} from '../../domain/codes/guest.ts';
import type { GuestStep } from '../../domain/codes/guest-step.ts';
import {
  type CodeProgress,
  type CodeRequest,
  codeIdIn,
  hasEnded,
  isRemoval,
  removedBy,
  type SingleChange,
} from '../../domain/codes/operation.ts';
import { GIVES_UP_AFTER_MS, LIST_PAUSE_MS } from '../../domain/codes/retry-policy.ts';
import type { CommandReading } from '../../domain/commands/command.ts';
import { type Message, message } from '../../domain/language/message.ts';
import type { LockId } from '../../domain/locks/lock.ts';
import type { Instant } from '../../domain/time/instant.ts';
import { ageOf } from '../../domain/time/time.ts';
import { type LatchkeyError, wordsOf } from '../../support/errors.ts';
import { oneLine } from '../../support/log.ts';
import { codeFailure } from '../../words/code-failures.ts';
import { endedWords } from '../../words/codes.ts';
import { t } from '../../words/translate.ts';
import type { CommonParts } from '../locks/common-parts.ts';
import type { GuestBook } from './book.ts';
import { CommandRun, type CommandRunParts, readTurns, type Turns, unsentEnd } from './command-run.ts';
import type { FileAge } from './file-age.ts';
import type { CodeLists } from './lists.ts';
import { type LockNotes, lengthIn } from './lock-notes.ts';

interface CodeOperationsParts
  extends Omit<CommandRunParts, 'nextTurn'>,
    Pick<CommonParts, 'bus' | 'store' | 'serviceClock'> {
  readonly lists: CodeLists;
  readonly notes: LockNotes;
  readonly book: GuestBook;
  readonly age: Pick<FileAge, 'isOld'>;
}

/** One step of a row: the command that it needs, by the list that it was decided by. `name`: of its code. */
interface CodeStep {
  readonly lockId: LockId;
  readonly request: CodeRequest;
  readonly name: string;
  readonly codes: readonly AccessCode[];
  /** How often the change has sent a command, this one included. */
  readonly sendings: number;
}

/** `name`: of the code; null where it is not known. */
export interface NamedChange {
  readonly request: CodeRequest;
  readonly name: string | null;
}

/** The number of ended changes whose outcome can still be read (our choice). */
const KEPT_ENDS = 200;

/** A change that a crash interrupted is taken up within this time, in milliseconds (our choice). */
const TAKEN_UP_WITHIN_MS = 3_600_000;

/** A command is sent this often at most (our choice), each time because the last one certainly did nothing. */
const MOST_SENDINGS = 5;

const NOT_BEGUN: CodeFailure = {
  ...codeFailure('not-sent'),
  words: message('An earlier change of the same plan failed, so this one was not begun.'),
};

/** What this process knows of a change. It never holds a PIN. */
interface Known {
  readonly progress: CodeProgress;
  /** An earlier process began it. */
  readonly isTakenUp: boolean;
  /** When it had its turn, in monotonic milliseconds; null: not yet. */
  startedAt: number | null;
}

export class CodeOperations {
  readonly #parts: CodeOperationsParts;
  readonly #nextTurn: Turns;
  /** Called when a lock is to be looked at in so many milliseconds. */
  reconcileIn: (id: LockId, ms: number) => void = () => {};
  /** Locks that carry out a command. */
  readonly #runs = new Map<
    LockId,
    { readonly run: CommandRun; readonly onEnd: (end: CommandEnd | null) => void }
  >();
  /** Changes under way, and the latest that ended. */
  readonly #known = new Map<string, Known>();
  #isRunning = false;

  constructor(parts: CodeOperationsParts) {
    this.#parts = parts;
    this.#nextTurn = readTurns(parts.clock);
    parts.bus.on('lock-removed', ({ id }) => {
      this.#runs.get(id)?.run.abort();
      // The rows stay stored.
      for (const row of this.#on(id)) {
        this.#known.delete(row.id);
      }
    });
    parts.bus.on('lock-appeared', ({ lock }) => this.#takeUp(this.#on(lock.id)));
  }

  /** Takes over what an earlier process left. Nobody waits for old changes: they end. */
  start(): void {
    this.#isRunning = true;
    this.#takeUp(this.#parts.book.singles());
  }

  /** The next owner of the account learns now what was certainly not sent, and from the lists what became of the rest. */
  dispose(): void {
    this.#isRunning = false;
    for (const { run, onEnd } of this.#runs.values()) {
      onEnd(run.abort());
    }
    this.#runs.clear();
  }

  all(): readonly CodeProgress[] {
    return [...this.#known.values()].map(({ progress }) => progress);
  }

  isCarrying(lockId: LockId): boolean {
    return this.#runs.has(lockId);
  }

  /** Carries out one step on a lock that carries out none: its row is stored already, with what is sent. Never rejects. */
  async carry(row: Guest, step: CodeStep): Promise<void> {
    const { lockId, request, codes, sendings } = step;
    const command = { request, sendings, listed: removedBy(request, codes).map(({ id }) => id) };
    const parts = { ...this.#parts, nextTurn: this.#nextTurn };
    const run = new CommandRun(parts, lockId, command, (phase) =>
      this.#progressed(row.id, { phase, ...NO_WAIT }),
    );
    const requestedAt = this.#parts.serviceClock.now();
    const onEnd = (end: CommandEnd | null): void =>
      isSingle(row) ? this.#after(row.id, request, end) : this.#ofGuest(row.id, step, requestedAt, end);
    this.#runs.set(lockId, { run, onEnd });
    const end = await run.toItsEnd();
    if (this.#runs.get(lockId)?.run === run) {
      this.#runs.delete(lockId);
      onEnd(end);
    }
  }

  /** The service reported how a command ended; false when it is not one of a change here. */
  ended(id: LockId, reading: CommandReading): boolean {
    return this.#runs.get(id)?.run.ended(reading) === true;
  }

  /** Throws retry (`storage-failed`) when the changes cannot be stored; then none was begun. Several are one plan. */
  begin(lockId: LockId, changes: readonly NamedChange[]): readonly CodeProgress[] {
    const { book, serviceClock } = this.#parts;
    const requestedAt = serviceClock.now();
    const plan = changes.length > 1 ? { plan: book.newId(requestedAt) } : {};
    const rows = changes.map(({ request, name }) => {
      const single = { lockId, request, requestedAt, sendings: 0, ...plan };
      return rowOfSingle(book.newId(requestedAt), single, name);
    });
    book.saveAll(rows);
    const begun = rows.map(({ id, single, draft }) => this.#begin(id, single, draft.name || null));
    this.reconcileIn(lockId, 0);
    return begun;
  }

  /** A guest’s step has ended: it is shown and logged as a change of its own. */
  #ofGuest(
    row: string,
    { lockId, request, name }: CodeStep,
    requestedAt: Instant,
    end: CommandEnd | null,
  ): void {
    const { book, serviceClock } = this.#parts;
    if (this.#isLearned(end)) {
      book.noteCode(row, lockId, (code) => afterEnd(code, end, serviceClock.now()));
    }
    this.reconcileIn(lockId, 0);
    if (end?.kind === 'done' || end?.kind === 'failed') {
      const id = book.newId(requestedAt);
      this.#begin(id, { lockId, request, requestedAt }, name);
      this.#ended(id, { lockId, request }, end);
    }
  }

  /** Once this process gives the account away, the next owner learns the outcome from the lists, but for what was never sent. */
  #isLearned(end: CommandEnd | null): boolean {
    return this.#isRunning || end?.kind === 'unsent';
  }

  /** The single change whose turn it is on that lock; null: none. */
  headOn(lockId: LockId): SingleRow | null {
    return this.#on(lockId)[0] ?? null;
  }

  isOfThisProcess({ id }: SingleRow): boolean {
    return this.#known.get(id)?.isTakenUp === false;
  }

  /** False when nothing is sent for the single change now. `ms`: when the lock is looked at again then. */
  goesOn(row: SingleRow, step: GuestStep, ms: number): boolean {
    const { request, sendings } = row.single;
    const { standing } = step;
    const end = endOfSingle(step);
    // What an earlier process wanted may have been removed since: a file that is older than its lock puts no code there.
    const mayPut = this.isOfThisProcess(row) || isRemoval(request) || !this.#parts.age.isOld;
    if (end !== null) {
      this.#end(row, end);
    } else if (step.request === null) {
      const isForLock = standing.kind === 'waiting' && standing.isSettling !== true;
      this.#wait(row, isForLock ? standing.words : null, ms);
    } else if (mayPut && sendings < MOST_SENDINGS) {
      return true;
    } else {
      this.#giveUp(row);
    }
    return false;
  }

  /** The codes could not be listed, for which this change waits, or ends. */
  unread(row: SingleRow, error: LatchkeyError, pauseMs: number): void {
    const end = unsentEnd(error);
    if (end?.kind === 'unsent') {
      this.#wait(row, wordsOf(error), end.waitMs ?? pauseMs);
    } else if (end?.kind === 'failed') {
      this.#end(row, end);
    }
  }

  /** What the end of a command means for its single change. */
  #after(id: string, sent: CodeRequest, end: CommandEnd | null): void {
    const row = this.#parts.book.singles().find((one) => one.id === id);
    if (row === undefined || end === null || !this.#isLearned(end)) {
      return;
    }
    const left = end.kind === 'done' ? leftAfter(row.single, sent) : null;
    if (left !== null) {
      this.#parts.book.note({ ...row, single: left });
      this.reconcileIn(left.lockId, 0);
    } else if (end.kind === 'done' || end.kind === 'failed') {
      this.#end(row, end);
    } else {
      this.#undecided(row, end);
    }
  }

  /** Nothing was sent, and it is tried again; or the lists tell what became of it. */
  #undecided(row: SingleRow, end: Extract<CommandEnd, { readonly kind: 'unsent' | 'unknown' }>): void {
    const { book, clock, serviceClock } = this.#parts;
    const { lockId, sendings } = row.single;
    const isUnsent = end.kind === 'unsent';
    const now = serviceClock.now();
    const code = afterEnd(codeOn(row, lockId) ?? unknownCode(lockId), end, now);
    const known = withCodeOn(row, lockId, isUnsent ? code : { ...code, absent: null });
    const next = { ...known, single: { ...row.single, sendings: isUnsent ? sendings - 1 : sendings } };
    book.note(next);
    if (!isUnsent) {
      // After an answer that came late, there is time to look what became of it.
      this.#turnOf(row, clock.monotonic() + LIST_PAUSE_MS - GIVES_UP_AFTER_MS);
      this.#wait(next, null, 0);
    } else if (this.#isRunning && code.setback !== null) {
      this.#wait(next, code.setback.failure.words, (code.setback.retryAt ?? 0) - now);
    }
  }

  #on(lockId: LockId): readonly SingleRow[] {
    return this.#parts.book.singles().filter(({ single }) => single.lockId === lockId);
  }

  #takeUp(rows: readonly SingleRow[]): void {
    const { serviceClock, store } = this.#parts;
    for (const row of rows.filter(({ id }) => this.#isRunning && !this.#known.has(id))) {
      const { lockId, requestedAt } = row.single;
      this.#begin(row.id, row.single, row.draft.name || null, true);
      const ageMs = ageOf(requestedAt, serviceClock.bounds()) ?? 0;
      if (ageMs >= TAKEN_UP_WITHIN_MS || store.get(lockId) === undefined) {
        this.#giveUp(row);
      } else {
        this.reconcileIn(lockId, 0);
      }
    }
  }

  /** Since when the change has its turn, or from `least` on. */
  #turnOf({ id }: SingleRow, least = Number.NEGATIVE_INFINITY): number {
    const known = this.#known.get(id);
    const startedAt = Math.max(known?.startedAt ?? this.#parts.clock.monotonic(), least);
    if (known !== undefined) {
      known.startedAt = startedAt;
    }
    return startedAt;
  }

  /** `why` null: what was sent is being looked for. A change that took too long already ends. */
  #wait(row: SingleRow, why: Message | null, ms: number): void {
    if (this.#parts.clock.monotonic() - this.#turnOf(row) + ms >= GIVES_UP_AFTER_MS) {
      this.#giveUp(row);
    } else {
      this.#progressed(row.id, { phase: why === null ? 'checking' : 'waiting', waitingFor: why });
      this.reconcileIn(row.single.lockId, ms);
    }
  }

  /** What was sent may have happened. */
  #giveUp(row: SingleRow): void {
    const failure = codeFailure(row.single.sendings === 0 ? 'not-sent' : 'outcome-unknown');
    this.#end(row, { kind: 'failed', failure });
  }

  #end(row: SingleRow, end: CodeEnd): void {
    const { lockId, plan } = row.single;
    const isStopped = end.kind === 'failed' && plan !== undefined;
    const rest = this.#on(lockId).filter((one) => isStopped && one.id !== row.id && one.single.plan === plan);
    this.#parts.book.drop([row, ...rest]);
    this.#ended(row.id, row.single, end);
    for (const { id, single } of rest) {
      this.#ended(id, single, { kind: 'failed', failure: NOT_BEGUN });
    }
  }

  /** A change is known from now on. `name`: of the code; null where it is not known. */
  #begin(
    id: string,
    { lockId, request, requestedAt }: Omit<SingleChange, 'sendings'>,
    name: string | null,
    isTakenUp = false,
  ): CodeProgress {
    const change = { id, lockId, kind: request.kind, codeId: codeIdIn(request), name, requestedAt };
    const progress: CodeProgress = { ...change, phase: 'queued', failure: null, ...NO_WAIT };
    this.#known.set(id, { progress, isTakenUp, startedAt: null });
    return progress;
  }

  #ended(id: string, { lockId, request }: Pick<SingleChange, 'lockId' | 'request'>, end: CodeEnd): void {
    const { lists, store, notes, log } = this.#parts;
    const lock = store.get(lockId)?.description.name ?? t('A lock that is gone');
    const line = oneLine(`${lock}: ${endedWords(request, end)}`);
    const named = end.codeId ? { codeId: end.codeId } : {};
    if (end.kind === 'done' || isUnknownToBoth(request, end)) {
      notes.removed(lockId, request);
    }
    if (end.kind === 'done') {
      notes.lengthTaken(lockId, lengthIn(request));
      log.info(line);
      this.#progressed(id, { phase: 'done', ...NO_WAIT, ...named });
    } else {
      // Every other end has read the list.
      lists.outdate(lockId);
      log.warn(line);
      this.#progressed(id, { phase: 'failed', ...NO_WAIT, failure: end.failure, ...named });
    }
    for (const { id: old } of this.all().filter(hasEnded).slice(0, -KEPT_ENDS)) {
      this.#known.delete(old);
    }
  }

  /** Nothing where the step is a guest’s: its row has a standing of its own. */
  #progressed(id: string, change: Partial<CodeProgress>): void {
    const known = this.#known.get(id);
    const operation = known && { ...known.progress, ...change };
    if (known && operation && JSON.stringify(operation) !== JSON.stringify(known.progress)) {
      this.#known.set(id, { ...known, progress: operation });
      this.#parts.bus.publish({ type: 'code-operation', operation });
    }
  }
}

const NO_WAIT = { waitingFor: null } as const;

/** The service looked for the code to be removed, and neither side has it. */
function isUnknownToBoth({ kind }: CodeRequest, end: CodeEnd): boolean {
  return kind === 'remove' && end.kind === 'failed' && end.failure.reason === 'code-id-invalid';
}
