// Wishes become commands here: one at a time on a lock, the last wish wins, and no unlock is sent late.
import type { Instant, Rest } from '../domain/bolt.ts';
import type { CommandOutcome, CommandReading } from '../domain/command.ts';
import {
  judgeWish,
  type LockRules,
  mayWaitMs,
  type WishDecision,
  type WishRefusal,
} from '../domain/intent-policy.ts';
import { boltOf, type LockId } from '../domain/lock.ts';
import type { AccountLink, OpenCommand } from '../domain/ports.ts';
import { refusalHandling, refusalWords } from '../domain/refusal.ts';
import { type CancelTimer, delay } from '../support/clock.ts';
import { type LatchkeyError, WaitError } from '../support/errors.ts';
import { oneLine } from '../support/log.ts';
import { CommandFlight, type Departure, type FlightParts } from './command-flight.ts';

/** What became of a wish, as soon as it is known. Whatever comes later shows in the lock itself. */
export type WishAnswer =
  /**
   * `accepted`: the service took the command. `uncertain`: it may have. `already`: the lock is there. `joined`: a
   * command under way brings it about. `held`: it waits for its turn. `superseded`: a later wish took its place.
   */
  | { readonly kind: 'accepted' | 'uncertain' | 'already' | 'joined' | 'held' | 'superseded' }
  | { readonly kind: 'refused'; readonly reason: WishRefusal }
  | { readonly kind: 'failed'; readonly error: LatchkeyError };

export interface RunnerParts extends FlightParts {
  readonly link: AccountLink;
  readonly rulesFor: (id: LockId) => LockRules;
  /** A command came to its end. When it was refused because the lock is busy, its wish may still be waiting. */
  readonly commandEnded: (id: LockId, wish: Rest, outcome: CommandOutcome) => void;
}

/** The pause before a busy lock is asked again, in milliseconds: it doubles from the first to the last (our choice). */
const FIRST_BUSY_PAUSE_MS = 500;
const LONGEST_BUSY_PAUSE_MS = 4_000;

/** A wish that has not been sent. */
interface Wanted {
  readonly rest: Rest;
  readonly answer: (answer: WishAnswer) => void;
}

/** What was wished last and not refused, and when by both clocks: the monotonic one stands still in a sleeping machine. */
interface LastWish {
  readonly rest: Rest;
  readonly monotonicMs: number;
  readonly wallMs: number;
}

/** Serves the wishes for one lock. */
export class CommandRunner {
  readonly #parts: RunnerParts;
  readonly #lockId: LockId;
  readonly #abandon = new AbortController();
  readonly #nextWish = (): Rest | null => this.#wanted?.rest ?? null;
  #flight: CommandFlight | null = null;
  #wanted: Wanted | null = null;
  #expiry: CancelTimer | null = null;
  #serving = false;
  /** What is being sent right now. */
  #sending: Wanted | null = null;
  /** Overtakes every earlier wish, even when it has expired since. */
  #lastWish: LastWish | null = null;

  constructor(parts: RunnerParts, lockId: LockId) {
    this.#parts = parts;
    this.#lockId = lockId;
  }

  /** True while a command of this process, or one it has taken up, is under way or waits. */
  get busy(): boolean {
    return this.#serving;
  }

  /** Resolves when it is known what becomes of the wish; never rejects. */
  async wish(rest: Rest): Promise<WishAnswer> {
    const decision = this.#judge(rest);
    if (decision.kind === 'refuse') {
      return { kind: 'refused', reason: decision.reason };
    }
    const { clock } = this.#parts;
    this.#lastWish = { rest, monotonicMs: clock.monotonic(), wallMs: clock.now() };
    switch (decision.kind) {
      case 'already':
        this.#want(null);
        this.#parts.store.apply(this.#lockId, { type: 'wish-dropped' });
        return { kind: 'already' };
      case 'join':
        this.#want(null);
        this.#parts.store.apply(this.#lockId, { type: 'wished', wish: rest });
        return { kind: 'joined' };
      case 'hold':
        void this.#wanting(rest);
        return { kind: 'held' };
      case 'send': {
        const answer = this.#wanting(rest);
        void this.#serve();
        return answer;
      }
    }
  }

  /** The service told how a command ended; false when it is not the one under way here. */
  commandEnded(reading: CommandReading, at: Instant): boolean {
    if (this.#flight?.isCalled(reading.commandId) !== true) {
      return false;
    }
    this.#flight.ends(reading, at);
    return true;
  }

  /** Follows a command that an earlier process sent, before anything else is sent to this lock. */
  async resume(open: OpenCommand): Promise<void> {
    const flight = CommandFlight.resume(this.#parts, this.#nextWish, open);
    this.#serving = true;
    await this.#follow(flight);
    this.#serving = false;
    await this.#serve();
  }

  dispose(): void {
    this.#want(null);
    this.#abandon.abort(new Error('The house was closed'));
    this.#flight?.dispose();
    this.#sending?.answer({ kind: 'superseded' });
  }

  #judge(rest: Rest): WishDecision {
    const lock = this.#parts.store.get(this.#lockId);
    if (lock === undefined || this.#abandon.signal.aborted) {
      return { kind: 'refuse', reason: 'lock-missing' };
    }
    return judgeWish({
      wish: rest,
      bolt: boltOf(lock),
      confirmedAgoMs: this.#parts.serviceClock.now() - (lock.belief.confirmedAt ?? 0),
      presence: lock.presence,
      role: lock.description.role,
      linked: this.#parts.link.state() === 'linked',
      rules: this.#parts.rulesFor(this.#lockId),
      inFlight: this.#flight === null ? null : { wish: this.#flight.wish, hopeful: this.#flight.hopeful },
    });
  }

  /** Makes this the next wish to be sent. While it waits it is shown as the target; what is sent at once shows itself. */
  async #wanting(rest: Rest): Promise<WishAnswer> {
    const { promise, resolve } = Promise.withResolvers<WishAnswer>();
    this.#want({ rest, answer: resolve });
    if (this.#serving) {
      this.#parts.store.apply(this.#lockId, { type: 'wished', wish: rest });
    }
    return promise;
  }

  /** The last wish wins: whatever waited is superseded. A wish that waits too long is dropped, never sent late. */
  #want(next: Wanted | null): void {
    this.#takeWanted()?.answer({ kind: 'superseded' });
    if (next === null) {
      return;
    }
    this.#wanted = next;
    this.#expiry = this.#parts.clock.after(mayWaitMs(next.rest) - this.#waitedMs(), () => {
      this.#takeWanted();
      this.#fail(next, { kind: 'failed', error: tooLate() });
    });
  }

  /** How long ago the last wish was made, by whichever clock saw more of it. */
  #waitedMs(): number {
    const { clock } = this.#parts;
    const last = this.#lastWish;
    return last === null ? 0 : Math.max(clock.monotonic() - last.monotonicMs, clock.now() - last.wallMs);
  }

  /** Whether a later wish has overtaken this one. */
  #isOvertaken({ rest }: Wanted): boolean {
    return this.#abandon.signal.aborted || this.#lastWish?.rest !== rest;
  }

  #isStillWanted(wanted: Wanted): boolean {
    return !this.#isOvertaken(wanted) && this.#waitedMs() <= mayWaitMs(wanted.rest);
  }

  #takeWanted(): Wanted | null {
    const wanted = this.#wanted;
    this.#wanted = null;
    this.#expiry?.();
    this.#expiry = null;
    return wanted;
  }

  /** Sends what is wanted, one after the other, until nothing is. Runs once at a time. */
  async #serve(): Promise<void> {
    if (this.#serving) {
      return;
    }
    this.#serving = true;
    let pauseMs = FIRST_BUSY_PAUSE_MS;
    for (let wanted = this.#takeWanted(); wanted !== null; wanted = this.#takeWanted()) {
      const busy = await this.#send(wanted);
      if (busy) {
        await this.#waitForTurn(wanted, pauseMs);
        pauseMs = Math.min(pauseMs * 2, LONGEST_BUSY_PAUSE_MS);
      }
    }
    // Nothing is wanted any more, by whatever way it came to that: the target follows the truth.
    this.#serving = false;
    this.#parts.store.apply(this.#lockId, { type: 'wish-dropped' });
  }

  /** Sends one wish and follows it to its end. True when the lock was busy and the wish came to nothing. */
  async #send(wanted: Wanted): Promise<boolean> {
    const flight = this.#prepare(wanted);
    if (flight === null) {
      return false;
    }
    this.#sending = wanted;
    const following = this.#follow(flight);
    const departure = await flight.send(() => this.#isStillWanted(wanted));
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
  #prepare(wanted: Wanted): CommandFlight | null {
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
    return CommandFlight.begin(this.#parts, this.#nextWish, this.#lockId, wanted.rest);
  }

  /** A command that did not leave because a later wish overtook it did not fail. */
  #answerOf(departure: Departure, wanted: Wanted): WishAnswer {
    const unsent = departure.kind === 'failed' && departure.error.code === 'aborted';
    return unsent && this.#isOvertaken(wanted) ? { kind: 'superseded' } : departure;
  }

  async #follow(flight: CommandFlight): Promise<CommandOutcome> {
    this.#flight = flight;
    const outcome = await flight.ended;
    this.#flight = null;
    this.#tell(flight.wish, outcome);
    this.#parts.commandEnded(this.#lockId, flight.wish, outcome);
    return outcome;
  }

  /** Somebody else's command is running on the lock: the wish goes back to wait, unless a later one overtook it. */
  async #waitForTurn(wanted: Wanted, pauseMs: number): Promise<void> {
    if (this.#wanted === null && !this.#isOvertaken(wanted)) {
      this.#want(wanted);
    } else {
      wanted.answer({ kind: 'superseded' });
    }
    try {
      await delay(this.#parts.clock, pauseMs, this.#abandon.signal);
    } catch {
      this.#want(null);
    }
  }

  /** A wish came to nothing without a flight: the target follows the truth, or what is still under way. */
  #fail(wanted: Wanted, answer: WishAnswer): void {
    const { store } = this.#parts;
    const next = this.#flight?.hopeful === true ? this.#flight.wish : null;
    store.apply(this.#lockId, next === null ? { type: 'wish-dropped' } : { type: 'wished', wish: next });
    wanted.answer(answer);
    if (answer.kind === 'failed') {
      this.#say(wanted.rest, answer.error.message);
    }
  }

  #tell(wish: Rest, outcome: CommandOutcome): void {
    switch (outcome.kind) {
      case 'moved':
      case 'unsent':
        return;
      case 'refused':
        if (refusalHandling(outcome.reason) !== 'busy') {
          this.#say(wish, refusalWords(outcome.reason));
        }
        return;
      case 'overdue':
        this.#say(wish, 'the service never said how it ended; the lock shows what was read since');
        return;
      case 'uncertain':
        this.#say(wish, 'nobody knows whether it arrived; the lock shows what was read since');
    }
  }

  #say(wish: Rest, why: string): void {
    const name = this.#parts.store.get(this.#lockId)?.description.name ?? 'A lock that is gone';
    const verb = wish === 'secured' ? 'lock' : 'unlock';
    this.#parts.log.warn(oneLine(`${name}: the command to ${verb} did not do it: ${why}`));
  }
}

function tooLate(): WaitError {
  return new WaitError('lock-busy', 'It could not be sent in time, so nothing was sent', null);
}
