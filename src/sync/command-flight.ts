// One command from its departure to its end: sent once, followed until whoever knows first tells how it ended.
import type { Instant, Rest } from '../domain/bolt.ts';
import type { CommandDraft, CommandId, CommandOutcome, CommandReading } from '../domain/command.ts';
import {
  ABANDONED_AFTER_MS,
  advanceCommand,
  type CommandEvent,
  type CommandState,
  ISSUED,
  OVERDUE_AFTER_MS,
} from '../domain/command-machine.ts';
import { boltOf, type LockId } from '../domain/lock.ts';
import { nextOutcomeReadMs } from '../domain/poll-policy.ts';
import type { CommandJournal, JournalId, LockGateway, OpenCommand, ServiceClock } from '../domain/ports.ts';
import { isRefusalReason, type RefusalReason, refusalHandling } from '../domain/refusal.ts';
import type { CancelTimer, Clock } from '../support/clock.ts';
import { FinalError, LatchkeyError, messageOf, WaitError } from '../support/errors.ts';
import type { Log } from '../support/log.ts';
import type { LockStore } from './lock-store.ts';

export interface FlightParts {
  readonly gateway: Pick<LockGateway, 'command' | 'outcome'>;
  readonly journal: CommandJournal;
  readonly store: LockStore;
  readonly clock: Clock;
  readonly serviceClock: ServiceClock;
  readonly log: Log;
  /** The door should be read soon. */
  readonly stir: () => void;
}

/** What waits behind a flight: the last wish that was not sent, or null. */
type NextWish = () => Rest | null;

/** How the service answered when the command was sent. */
export type Departure =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'uncertain' }
  | { readonly kind: 'failed'; readonly error: LatchkeyError };

export class CommandFlight {
  readonly wish: Rest;
  /** Resolves once, when the command has ended for us. */
  readonly ended: Promise<CommandOutcome>;
  readonly #parts: FlightParts;
  readonly #nextWish: NextWish;
  readonly #lockId: LockId;
  readonly #departedAt: number;
  readonly #issuedAt: number;
  readonly #journalId: JournalId;
  readonly #unsubscribe: () => void;
  readonly #resolveEnded: (outcome: CommandOutcome) => void;
  readonly #timers = new Map<'overdue' | 'abandoned' | 'read', CancelTimer>();
  #state: CommandState = ISSUED;
  #released = false;
  /** When the command ended, if an event told; 0 when only a read-back did, which does not know. */
  #endedAt: Instant = 0;

  private constructor(parts: FlightParts, nextWish: NextWish, command: CommandDraft, journalId: JournalId) {
    this.#parts = parts;
    this.#nextWish = nextWish;
    this.#lockId = command.lockId;
    this.wish = command.wish;
    this.#issuedAt = command.issuedAt;
    this.#journalId = journalId;
    this.#departedAt = parts.clock.monotonic();
    const { promise, resolve } = Promise.withResolvers<CommandOutcome>();
    this.ended = promise;
    this.#resolveEnded = resolve;
    this.#unsubscribe = parts.store.subscribe(() => {
      this.#lookForArrival();
    });
    this.#armTime('overdue', OVERDUE_AFTER_MS);
    this.#armTime('abandoned', ABANDONED_AFTER_MS);
    parts.store.apply(this.#lockId, { type: 'departed', wish: this.wish, at: this.#issuedAt });
  }

  /** Writes the command down. Throws a retry error, and nothing is sent, when that is not possible. */
  static prepare(parts: FlightParts, nextWish: NextWish, lockId: LockId, wish: Rest): CommandFlight {
    const draft: CommandDraft = { lockId, wish, issuedAt: parts.serviceClock.now() };
    return new CommandFlight(parts, nextWish, draft, parts.journal.begin(draft));
  }

  /** Takes up a command that an earlier process sent: it is only followed, never sent again. */
  static resume(parts: FlightParts, nextWish: NextWish, open: OpenCommand): CommandFlight {
    const flight = new CommandFlight(parts, nextWish, open, open.journalId);
    if (open.commandId === null) {
      flight.#apply({ type: 'reply-lost' });
    } else {
      flight.#apply({ type: 'accepted', commandId: open.commandId, at: open.issuedAt });
    }
    return flight;
  }

  /** True while the end of the command is still expected to come by itself. */
  get hopeful(): boolean {
    return this.#state.phase === 'issued' || this.#state.phase === 'accepted';
  }

  /** True when the service calls the command by this name. */
  isCalled(commandId: CommandId): boolean {
    return 'commandId' in this.#state && this.#state.commandId === commandId;
  }

  /** Sends the command, once, if it is still wanted when it leaves. Never rejects. */
  async send(stillWanted: () => boolean): Promise<Departure> {
    try {
      const { reading, askedAt } = await this.#parts.gateway.command(this.#lockId, this.wish, stillWanted);
      this.#accepted(reading, askedAt);
      return { kind: 'accepted' };
    } catch (error) {
      return this.#notAccepted(asLatchkeyError(error));
    }
  }

  /** The service told on its own how the command ended, and when. */
  ends(reading: CommandReading, at: Instant): void {
    this.#endedAt = at;
    this.hear(reading, at);
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

  #accepted(reading: CommandReading, askedAt: number): void {
    this.#journal((journal) => {
      journal.accepted(this.#journalId, reading.commandId);
    });
    this.#apply({ type: 'accepted', commandId: reading.commandId, at: askedAt });
    this.hear(reading, askedAt);
  }

  #notAccepted(error: LatchkeyError): Departure {
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
    switch (this.#state.phase) {
      case 'issued':
        return;
      case 'accepted':
        this.#armRead();
        return;
      case 'overdue':
        this.#land(this.#nextWish());
        this.#parts.stir();
        return;
      case 'uncertain':
        this.#parts.stir();
        this.#lookForArrival();
        return;
      case 'settled':
        this.#settle(this.#state.outcome, before);
    }
  }

  #settle(outcome: CommandOutcome, before: CommandState): void {
    this.#release();
    this.#journal((journal) => {
      journal.ended(this.#journalId, outcome.kind);
    });
    const { store, serviceClock, stir } = this.#parts;
    const at = serviceClock.now();
    if (outcome.kind === 'moved') {
      const pendingAt = 'pendingAt' in before ? before.pendingAt : this.#issuedAt;
      const provenSince = Math.max(pendingAt, this.#endedAt);
      store.apply(this.#lockId, {
        type: 'arrived',
        wish: this.wish,
        provenSince,
        at,
        next: this.#nextWish(),
      });
    } else {
      const handling = outcome.kind === 'refused' ? refusalHandling(outcome.reason) : null;
      const next = this.#nextWish() ?? (handling === 'busy' ? this.wish : null);
      this.#land(next, handling === 'jammed');
    }
    stir();
    this.#resolveEnded(outcome);
  }

  #land(next: Rest | null, jammed = false): void {
    const at = this.#parts.serviceClock.now();
    this.#parts.store.apply(this.#lockId, { type: 'flight-ended', at, jammed, next });
  }

  /** An uncertain command is only read: the lock where it was wished, by younger evidence, is its end. */
  #lookForArrival(): void {
    const lock = this.#parts.store.get(this.#lockId);
    if (this.#state.phase !== 'uncertain' || lock === undefined || boltOf(lock) !== this.wish) {
      return;
    }
    if ((lock.belief.latest?.at ?? 0) > this.#issuedAt && lock.flight?.before !== this.wish) {
      this.#apply({ type: 'seen-at-wish' });
    }
  }

  #armTime(name: 'overdue' | 'abandoned', afterMs: number): void {
    this.#arm(name, afterMs, () => {
      this.#apply({ type: 'time', elapsedMs: afterMs });
    });
  }

  #armRead(waitMs?: number): void {
    const elapsedMs = this.#parts.clock.monotonic() - this.#departedAt;
    this.#arm('read', waitMs ?? nextOutcomeReadMs(elapsedMs), () => {
      void this.#read();
    });
  }

  #arm(name: 'overdue' | 'abandoned' | 'read', afterMs: number, callback: () => void): void {
    this.#timers.get(name)?.();
    if (this.#released) {
      return;
    }
    this.#timers.set(name, this.#parts.clock.after(afterMs, callback));
  }

  async #read(): Promise<void> {
    if (!('commandId' in this.#state)) {
      return;
    }
    try {
      const { reading, askedAt } = await this.#parts.gateway.outcome(this.#lockId, this.#state.commandId);
      this.hear(reading, askedAt);
      this.#readAgain();
    } catch (error) {
      this.#readFailed(asLatchkeyError(error));
    }
  }

  #readAgain(waitMs?: number): void {
    if ('commandId' in this.#state) {
      this.#armRead(waitMs);
    }
  }

  #readFailed(error: LatchkeyError): void {
    this.#parts.log.debug(`A command could not be read back: ${error.message}`);
    if (error.disposition === 'final' || error.disposition === 'relink') {
      this.#apply({ type: 'reply-lost' });
      return;
    }
    this.#readAgain(error instanceof WaitError ? (error.waitMs ?? undefined) : undefined);
  }

  /** The journal is for the next process: when it fails now, this one still knows what it does. */
  #journal(write: (journal: CommandJournal) => void): void {
    try {
      write(this.#parts.journal);
    } catch (error) {
      this.#parts.log.warn(`The command journal could not be written: ${messageOf(error)}`);
    }
  }

  #release(): void {
    this.#released = true;
    this.#unsubscribe();
    for (const cancel of this.#timers.values()) {
      cancel();
    }
    this.#timers.clear();
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

/** Whatever a port threw, as an error that says what to do. A stranger is a mistake of ours: final. */
export function asLatchkeyError(thrown: unknown): LatchkeyError {
  return thrown instanceof LatchkeyError
    ? thrown
    : new FinalError('bad-request', `Unexpected failure: ${messageOf(thrown)}`, { cause: thrown });
}
