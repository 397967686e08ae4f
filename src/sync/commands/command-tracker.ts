// One command from its departure to its end: sent once, followed until whoever knows first tells how it ended.
import type { BoltPosition, Instant } from '../../domain/bolt.ts';
import type { CommandDraft, CommandOutcome, CommandReading } from '../../domain/command.ts';
import {
  ABANDONED_AFTER_MS,
  advanceCommand,
  type CommandEvent,
  type CommandState,
  ISSUED,
  OVERDUE_AFTER_MS,
} from '../../domain/command-machine.ts';
import type { LockId } from '../../domain/lock.ts';
import { FIRST_OUTCOME_READ_MS } from '../../domain/poll-policy.ts';
import type { JournalId, LockGateway, OpenCommand, ServiceClock } from '../../domain/ports.ts';
import { isRefusalReason, type RefusalReason, refusalHandling } from '../../domain/refusal.ts';
import type { CancelTimer, Clock } from '../../support/clock.ts';
import { asLatchkeyError, FinalError, type LatchkeyError, WaitError } from '../../support/errors.ts';
import type { Log } from '../../support/log.ts';
import type { LockStore } from '../state/lock-store.ts';
import { CommandRecord } from './command-record.ts';
import type { JournalQueue } from './journal-queue.ts';
import { type NextTarget, OptimisticState } from './optimistic-state.ts';
import { OutcomeReader } from './outcome-reader.ts';

export interface TrackerParts {
  readonly gateway: Pick<LockGateway, 'command' | 'outcome'>;
  readonly journal: Pick<JournalQueue, 'begin' | 'note'>;
  readonly store: LockStore;
  readonly clock: Clock;
  readonly serviceClock: ServiceClock;
  readonly log: Log;
  /** The door should be read soon. */
  readonly pollSoon: () => void;
}

/** How the service answered when the command was sent. */
export type SendResult =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'uncertain' }
  | { readonly kind: 'failed'; readonly error: LatchkeyError };

/**
 * How long after its beginning the house is told of a departure, in milliseconds (our choice). A command that can leave at
 * once has left by then: nobody sees a millisecond in Home, and the bolt moves by that work earlier.
 */
const SHOWN_AFTER_MS = 1;

export class CommandTracker {
  readonly target: BoltPosition;
  /** Resolves once, when the command has ended for us. */
  readonly ended: Promise<CommandOutcome>;
  readonly #parts: TrackerParts;
  readonly #command: CommandDraft;
  readonly #record: CommandRecord;
  readonly #shown: OptimisticState;
  readonly #resolveEnded: (outcome: CommandOutcome) => void;
  readonly #timers: CancelTimer[] = [];
  /** When the command was issued, in monotonic milliseconds. */
  readonly #issuedAtMs: number;
  readonly #reader: OutcomeReader;
  #state: CommandState = ISSUED;
  /** An earlier process sent it. */
  readonly #isResumed: boolean;
  /** Whether the house was told of it. */
  #told = false;
  #unsubscribe = (): void => {};
  #released = false;
  /** What was told of the lock's commands before the service said how it calls this one: events overtake answers. */
  readonly #earlyEnds: { readonly reading: CommandReading; readonly at: Instant }[] = [];
  /** When the command ended, if an event told; 0 when only a read-back did, which does not know. */
  #endedAt: Instant = 0;

  /** `ageMs`: how long ago the command was issued. */
  private constructor(
    parts: TrackerParts,
    nextTarget: NextTarget,
    command: CommandDraft,
    { journalId, ageMs }: { readonly journalId: JournalId | null; readonly ageMs: number },
  ) {
    this.#parts = parts;
    this.#command = command;
    this.target = command.target;
    this.#record = new CommandRecord(parts.journal, command, journalId);
    this.#shown = new OptimisticState({ ...parts, command, nextTarget });
    this.#isResumed = journalId !== null;
    const { promise, resolve } = Promise.withResolvers<CommandOutcome>();
    this.ended = promise;
    this.#resolveEnded = resolve;
    this.#issuedAtMs = parts.clock.monotonic() - ageMs;
    this.#reader = this.#newReader(this.#issuedAtMs);
  }

  /** A new command, which `send` sends. */
  static begin(
    parts: TrackerParts,
    nextTarget: NextTarget,
    lockId: LockId,
    target: BoltPosition,
  ): CommandTracker {
    const draft: CommandDraft = { lockId, target, issuedAt: parts.serviceClock.now() };
    return new CommandTracker(parts, nextTarget, draft, { journalId: null, ageMs: 0 });
  }

  /**
   * Takes up a command that an earlier process sent: it is only followed, never sent again. What may be hoped for counts
   * from when it was issued, not from the restart.
   */
  static resume(parts: TrackerParts, nextTarget: NextTarget, open: OpenCommand): CommandTracker {
    const { journalId, commandId, issuedAt } = open;
    const ageMs = Math.max(parts.serviceClock.now() - issuedAt, 0);
    const inFlight = new CommandTracker(parts, nextTarget, open, { journalId, ageMs });
    inFlight.#emit();
    if (commandId === null) {
      inFlight.#apply({ type: 'reply-lost' });
    } else {
      inFlight.#apply({ type: 'accepted', commandId, at: issuedAt });
      inFlight.#reader.start(commandId, 0);
    }
    return inFlight;
  }

  /** True while the end of the command is still expected to come by itself. */
  get hopeful(): boolean {
    return this.#state.phase === 'issued' || this.#state.phase === 'accepted';
  }

  /** Writes the command down and sends it, once, if it is still wanted when it leaves. Never rejects. */
  async send(stillWanted: () => boolean): Promise<SendResult> {
    const written = this.#record.write();
    written.catch(() => {
      // Whoever sends it hears of that, though perhaps not before a token is there.
    });
    try {
      const leave = { written, stillWanted };
      const answer = this.#parts.gateway.command(this.#command.lockId, this.target, leave);
      this.#after(SHOWN_AFTER_MS, () => {
        this.#emit();
      });
      const { reading, askedAt } = await answer;
      this.#accepted(reading, askedAt);
      return { kind: 'accepted' };
    } catch (error) {
      // What became of the command can be noted only once it stands in the journal, or cannot stand there.
      await Promise.allSettled([written]);
      return this.#notAccepted(asLatchkeyError(error));
    }
  }

  /**
   * The service told on its own how a command ended, and when. False when it is not known to be this one: until the
   * service has said how it calls ours, it may be, and is remembered.
   */
  endReported(reading: CommandReading, at: Instant): boolean {
    if (this.#state.phase === 'issued') {
      this.#earlyEnds.push({ reading, at });
      return false;
    }
    const isOurs = 'commandId' in this.#state && this.#state.commandId === reading.commandId;
    if (isOurs) {
      this.#endedAt = at;
      this.hear(reading, at);
    }
    return isOurs;
  }

  /** What a read-back said, asked at that instant. */
  hear(reading: CommandReading, askedAt: Instant): void {
    switch (reading.state) {
      case 'pending':
        this.#apply({ type: 'still-pending', at: askedAt });
        return;
      case 'successful':
        this.#apply({ type: 'succeeded' });
        return;
      case 'failed':
        // A failure that claims success contradicts itself: only the lock can tell.
        this.#apply(
          refusalHandling(reading.reason) === 'contradiction'
            ? { type: 'reply-lost' }
            : { type: 'refused', reason: reading.reason },
        );
    }
  }

  /** Stops following. The journal keeps the command open, so that the next process follows it. */
  dispose(): void {
    this.#release();
  }

  /** Tells the house, and follows the command from now on. */
  #emit(): void {
    if (this.#told || this.#released) {
      return;
    }
    this.#told = true;
    const { store, clock } = this.#parts;
    this.#shown.depart();
    this.#unsubscribe = store.subscribe(() => {
      this.#checkTargetReached();
    });
    const elapsed = clock.monotonic() - this.#issuedAtMs;
    for (const elapsedMs of [OVERDUE_AFTER_MS, ABANDONED_AFTER_MS]) {
      this.#after(elapsedMs - elapsed, () => {
        this.#apply({ type: 'time', elapsedMs });
      });
    }
  }

  #after(delayMs: number, act: () => void): void {
    this.#timers.push(this.#parts.clock.after(delayMs, act));
  }

  #accepted(reading: CommandReading, askedAt: number): void {
    this.#record.noteName(reading.commandId);
    this.#apply({ type: 'accepted', commandId: reading.commandId, at: askedAt });
    for (const end of this.#earlyEnds.splice(0)) {
      this.endReported(end.reading, end.at);
    }
    this.hear(reading, askedAt);
  }

  #notAccepted(error: LatchkeyError): SendResult {
    if (error.disposition === 'uncertain') {
      this.#apply({ type: 'reply-lost' });
      return { kind: 'uncertain' };
    }
    const reason = refusalOf(error);
    this.#apply(reason === null ? { type: 'unsent' } : { type: 'refused', reason });
    return { kind: 'failed', error };
  }

  #apply(event: CommandEvent): void {
    if (this.#released) {
      return;
    }
    const before = this.#state;
    this.#state = advanceCommand(before, event);
    if (this.#state.phase === before.phase) {
      return;
    }
    if (event.type !== 'unsent') {
      this.#emit();
    }
    switch (this.#state.phase) {
      case 'issued':
        return;
      case 'accepted':
        this.#reader.start(this.#state.commandId, FIRST_OUTCOME_READ_MS);
        return;
      case 'overdue':
        this.#shown.land();
        this.#parts.pollSoon();
        return;
      case 'uncertain':
        this.#reader.stop();
        this.#parts.pollSoon();
        this.#checkTargetReached();
        return;
      case 'settled':
        this.#settle(this.#state.outcome, before);
    }
  }

  #settle(outcome: CommandOutcome, before: CommandState): void {
    this.#release();
    this.#record.noteEnd(outcome.kind);
    if (outcome.kind === 'moved' && this.#knowsWhen(before)) {
      const pendingAt = 'pendingAt' in before ? before.pendingAt : this.#command.issuedAt;
      this.#shown.arrive(Math.max(pendingAt, this.#endedAt));
    } else {
      const handling = outcome.kind === 'refused' ? refusalHandling(outcome.reason) : null;
      this.#shown.land({ goesOn: handling === 'busy', jammed: handling === 'jammed' });
    }
    // What the service told on its own needs no closer look: it will tell what comes after as well.
    if (this.#endedAt === 0) {
      this.#parts.pollSoon();
    }
    this.#resolveEnded(outcome);
  }

  /**
   * Whether the bolt came to rest while somebody looked. A command that an earlier process sent may have ended long ago,
   * and the bolt may have been turned since: then only a reading of the lock shows where it is.
   */
  #knowsWhen(before: CommandState): boolean {
    const seenPending = 'pendingAt' in before && before.pendingAt > this.#command.issuedAt;
    return !this.#isResumed || seenPending || this.#endedAt !== 0;
  }

  /** An uncertain command is only read: the lock where it was wished, by younger evidence, is its end. */
  #checkTargetReached(): void {
    if (this.#state.phase === 'uncertain' && this.#shown.isSeenAtTarget) {
      this.#apply({ type: 'seen-at-target' });
    }
  }

  #newReader(departedAt: number): OutcomeReader {
    return new OutcomeReader({
      ...this.#parts,
      lockId: this.#command.lockId,
      departedAt,
      onReading: ({ reading, askedAt }) => {
        this.hear(reading, askedAt);
      },
      onLost: () => {
        this.#apply({ type: 'reply-lost' });
      },
    });
  }

  #release(): void {
    this.#released = true;
    this.#unsubscribe();
    this.#reader.stop();
    for (const cancel of this.#timers) {
      cancel();
    }
  }
}

/** The reason a command was refused for at once, or null when it never got so far. */
function refusalOf(error: LatchkeyError): RefusalReason | null {
  if (error instanceof WaitError) {
    return error.code === 'lock-busy' ? 'lock-busy' : null;
  }
  return error instanceof FinalError && error.reason !== null && isRefusalReason(error.reason)
    ? error.reason
    : null;
}
