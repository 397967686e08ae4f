// Wishes become commands here: one at a time on a lock, the last wish wins, and no unlock is sent late.
import type { BoltPosition, Instant } from '../../domain/bolt.ts';
import type { CommandOutcome, CommandReading } from '../../domain/command.ts';
import { judgeRequest, type LockRules, type RequestDecision } from '../../domain/intent-policy.ts';
import { boltOf, type LockId } from '../../domain/lock.ts';
import type { AccountLink, OpenCommand } from '../../domain/ports.ts';
import { refusalHandling, refusalWords } from '../../domain/refusal.ts';
import { delay } from '../../support/clock.ts';
import { WaitError } from '../../support/errors.ts';
import { oneLine } from '../../support/log.ts';
import { CommandTracker, type SendResult, type TrackerParts } from './command-tracker.ts';
import { PendingRequests, type RequestAnswer, type Wanted } from './pending-request.ts';

export interface RunnerParts extends TrackerParts {
  readonly link: AccountLink;
  readonly rulesFor: (id: LockId) => LockRules;
  /** How long a wish that is heard right now may have waited for that, in milliseconds. */
  readonly unheardMs: () => number;
  /** A command came to its end. When it was refused because the lock is busy, its wish may still be waiting. */
  readonly commandEnded: (id: LockId, target: BoltPosition, outcome: CommandOutcome) => void;
}

/** The pause before a busy lock is asked again, in milliseconds: it doubles from the first to the last (our choice). */
const FIRST_BUSY_PAUSE_MS = 500;
const LONGEST_BUSY_PAUSE_MS = 4_000;

/** Serves the wishes for one lock. */
export class CommandRunner {
  readonly #parts: RunnerParts;
  readonly #lockId: LockId;
  readonly #abandon = new AbortController();
  readonly #line: PendingRequests;
  readonly #nextTarget = (): BoltPosition | null => this.#line.next;
  #inFlight: CommandTracker | null = null;
  #serving = false;
  /** What is being sent right now. */
  #sending: Wanted | null = null;

  constructor(parts: RunnerParts, lockId: LockId) {
    this.#parts = parts;
    this.#lockId = lockId;
    this.#line = new PendingRequests(parts.clock, (wanted) => {
      this.#fail(wanted, { kind: 'failed', error: tooLate() });
    });
  }

  /** True while a command of this process, or one it has taken up, is under way or waits. */
  get busy(): boolean {
    return this.#serving;
  }

  /** Resolves when it is known what becomes of the wish; never rejects. */
  async request(rest: BoltPosition): Promise<RequestAnswer> {
    const decision = this.#judge(rest);
    if (decision.kind === 'refuse') {
      return { kind: 'refused', reason: decision.reason };
    }
    this.#line.requested(rest);
    switch (decision.kind) {
      case 'already':
        this.#parts.store.apply(this.#lockId, { type: 'request-dropped' });
        return { kind: 'already' };
      case 'join':
        this.#parts.store.apply(this.#lockId, { type: 'requested', target: rest });
        return { kind: 'joined' };
      case 'hold':
        void this.#wanting(rest);
        return { kind: 'held' };
      case 'send':
        return this.#wanting(rest);
    }
  }

  /** The service told how a command ended; false when it is not the one under way here. */
  commandEnded(reading: CommandReading, at: Instant): boolean {
    return this.#inFlight?.endReported(reading, at) ?? false;
  }

  /** Follows a command that an earlier process sent, before anything else is sent to this lock. */
  async resume(open: OpenCommand): Promise<void> {
    const inFlight = CommandTracker.resume(this.#parts, this.#nextTarget, open);
    this.#serving = true;
    await this.#follow(inFlight);
    this.#serving = false;
    await this.#serve(this.#line.take());
  }

  dispose(): void {
    this.#line.clear();
    this.#abandon.abort(new Error('The house was closed'));
    this.#inFlight?.dispose();
    this.#sending?.answer({ kind: 'superseded' });
  }

  #judge(rest: BoltPosition): RequestDecision {
    const lock = this.#parts.store.get(this.#lockId);
    if (lock === undefined || this.#abandon.signal.aborted) {
      return { kind: 'refuse', reason: 'lock-missing' };
    }
    return judgeRequest({
      target: rest,
      bolt: boltOf(lock),
      confirmedAgoMs: this.#parts.serviceClock.now() - (lock.belief.confirmedAt ?? 0),
      presence: lock.presence,
      role: lock.description.role,
      linked: this.#parts.link.state() === 'linked',
      rules: this.#parts.rulesFor(this.#lockId),
      unheardMs: this.#parts.unheardMs(),
      inFlight:
        this.#inFlight === null ? null : { target: this.#inFlight.target, hopeful: this.#inFlight.hopeful },
    });
  }

  /** Sends it now, or when its turn has come: while it waits it is shown as the target, what is sent shows itself. */
  async #wanting(rest: BoltPosition): Promise<RequestAnswer> {
    const { promise, resolve } = Promise.withResolvers<RequestAnswer>();
    const wanted: Wanted = { rest, answer: resolve };
    if (this.#serving) {
      this.#line.wait(wanted);
      this.#parts.store.apply(this.#lockId, { type: 'requested', target: rest });
    } else {
      void this.#serve(wanted);
    }
    return promise;
  }

  /** Whether a later wish has overtaken this one, or nobody may wish any more. */
  #isOvertaken(wanted: Wanted): boolean {
    return this.#abandon.signal.aborted || this.#line.isOvertaken(wanted);
  }

  #isStillWanted(wanted: Wanted): boolean {
    return !this.#abandon.signal.aborted && this.#line.mayBeSent(wanted);
  }

  /** Sends this wish and then what waits, one after the other, until nothing does. Runs once at a time. */
  async #serve(first: Wanted | null): Promise<void> {
    this.#serving = true;
    let pauseMs = FIRST_BUSY_PAUSE_MS;
    for (let wanted = first; wanted !== null; wanted = this.#line.take()) {
      const busy = await this.#send(wanted);
      if (busy) {
        await this.#waitForTurn(wanted, pauseMs);
        pauseMs = Math.min(pauseMs * 2, LONGEST_BUSY_PAUSE_MS);
      }
    }
    // Nothing is wanted any more, by whatever way it came to that: the target follows the truth.
    this.#serving = false;
    this.#parts.store.apply(this.#lockId, { type: 'request-dropped' });
  }

  /** Sends one wish and follows it to its end. True when the lock was busy and the wish came to nothing. */
  async #send(wanted: Wanted): Promise<boolean> {
    const inFlight = this.#prepare(wanted);
    if (inFlight === null) {
      return false;
    }
    this.#sending = wanted;
    const following = this.#follow(inFlight);
    const departure = await inFlight.send(() => this.#isStillWanted(wanted));
    const busyAtOnce = departure.kind === 'failed' && departure.error.code === 'lock-busy';
    if (!busyAtOnce) {
      wanted.answer(this.#answerOf(departure, wanted));
    }
    const outcome = await following;
    this.#sending = null;
    if (outcome.kind === 'unsent' && departure.kind === 'failed' && !this.#isOvertaken(wanted)) {
      this.#say(wanted.rest, departure.error.message);
    }
    return outcome.kind === 'refused' && refusalHandling(outcome.reason) === 'busy';
  }

  /** Judges a wish once more when its turn has come. Null when nothing is to be sent; then it was answered. */
  #prepare(wanted: Wanted): CommandTracker | null {
    const decision = this.#judge(wanted.rest);
    if (decision.kind === 'refuse' || decision.kind === 'already') {
      this.#fail(
        wanted,
        decision.kind === 'already' ? decision : { kind: 'refused', reason: decision.reason },
      );
      return null;
    }
    if (!this.#isStillWanted(wanted)) {
      this.#fail(wanted, { kind: 'failed', error: tooLate() });
      return null;
    }
    return CommandTracker.begin(this.#parts, this.#nextTarget, this.#lockId, wanted.rest);
  }

  /** A command that did not leave because a later wish overtook it did not fail. */
  #answerOf(departure: SendResult, wanted: Wanted): RequestAnswer {
    const unsent = departure.kind === 'failed' && departure.error.code === 'aborted';
    return unsent && this.#isOvertaken(wanted) ? { kind: 'superseded' } : departure;
  }

  async #follow(inFlight: CommandTracker): Promise<CommandOutcome> {
    this.#inFlight = inFlight;
    const outcome = await inFlight.ended;
    this.#inFlight = null;
    this.#emit(inFlight.target, outcome);
    this.#parts.commandEnded(this.#lockId, inFlight.target, outcome);
    return outcome;
  }

  /** Somebody else's command is running on the lock: the wish goes back to wait, unless a later one overtook it. */
  async #waitForTurn(wanted: Wanted, pauseMs: number): Promise<void> {
    if (this.#line.next === null && !this.#isOvertaken(wanted)) {
      this.#line.wait(wanted);
    } else {
      wanted.answer({ kind: 'superseded' });
    }
    try {
      await delay(this.#parts.clock, pauseMs, this.#abandon.signal);
    } catch {
      this.#line.clear();
    }
  }

  /** A wish came to nothing without a flight: the target follows the truth, or what is still under way. */
  #fail(wanted: Wanted, answer: RequestAnswer): void {
    const { store } = this.#parts;
    const next = this.#inFlight?.hopeful === true ? this.#inFlight.target : null;
    store.apply(
      this.#lockId,
      next === null ? { type: 'request-dropped' } : { type: 'requested', target: next },
    );
    wanted.answer(answer);
    if (answer.kind === 'failed') {
      this.#say(wanted.rest, answer.error.message);
    }
  }

  #emit(target: BoltPosition, outcome: CommandOutcome): void {
    switch (outcome.kind) {
      case 'moved':
      case 'unsent':
        return;
      case 'refused':
        if (refusalHandling(outcome.reason) !== 'busy') {
          this.#say(target, refusalWords(outcome.reason));
        }
        return;
      case 'overdue':
        this.#say(target, 'the service never said how it ended; the lock shows what was read since');
        return;
      case 'uncertain':
        this.#say(target, 'nobody knows whether it arrived; the lock shows what was read since');
    }
  }

  #say(target: BoltPosition, why: string): void {
    const name = this.#parts.store.get(this.#lockId)?.description.name ?? 'A lock that is gone';
    const verb = target === 'secured' ? 'lock' : 'unlock';
    this.#parts.log.warn(oneLine(`${name}: the command to ${verb} did not do it: ${why}`));
  }
}

function tooLate(): WaitError {
  return new WaitError('lock-busy', 'It could not be sent in time, so nothing was sent', null);
}
