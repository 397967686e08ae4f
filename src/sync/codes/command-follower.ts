// Follows one command on access codes to its end, by reading it back or by an event, and pauses in between.
import type { AccessCodeGateway, CodeCommandReading } from '../../domain/codes/ports.ts';
import type { CommandId, CommandReading } from '../../domain/commands/command.ts';
import { ABANDONED_AFTER_MS } from '../../domain/commands/state.ts';
import type { LockId } from '../../domain/locks/lock.ts';
import { nextOutcomeReadMs } from '../../domain/polling/poll-policy.ts';
import type { Clock } from '../../support/clock.ts';
import { asLatchkeyError, WaitError } from '../../support/errors.ts';

/** Readings of one account's codes are this far apart, in milliseconds (our choice; the service counts bursts as abuse). */
const READS_APART_MS = 250;

/** Takes the next turn of the read-backs of all locks; returns the milliseconds until it comes. */
export type Turns = () => number;

export function readTurns(clock: Pick<Clock, 'monotonic'>): Turns {
  let freeAt = 0;
  return () => {
    const now = clock.monotonic();
    const at = Math.max(now, freeAt);
    freeAt = at + READS_APART_MS;
    return at - now;
  };
}

export class CommandFollower {
  readonly #gateway: Pick<AccessCodeGateway, 'codeOutcome'>;
  readonly #clock: Clock;
  readonly #nextTurn: Turns;
  #aborted = false;
  #commandId: CommandId | null = null;
  #wake: () => void = () => {};
  /** Ends that the service reported: events may overtake the answer that names the command. */
  readonly #reported = new Map<CommandId, CommandReading>();

  constructor(gateway: Pick<AccessCodeGateway, 'codeOutcome'>, clock: Clock, nextTurn: Turns) {
    this.#gateway = gateway;
    this.#clock = clock;
    this.#nextTurn = nextTurn;
  }

  get aborted(): boolean {
    return this.#aborted;
  }

  abort(): void {
    this.#aborted = true;
    this.#wake();
  }

  /** The service reported the end of a command; false when it is not the one that is followed. */
  ended(reading: CommandReading): boolean {
    this.#reported.set(reading.commandId, reading);
    const isOwn = reading.commandId === this.#commandId;
    if (isOwn) {
      this.#wake();
    }
    return isOwn;
  }

  /** Resolves after that time, or as soon as the wait has become needless. */
  async rest(waitMs: number): Promise<void> {
    if (!this.#aborted) {
      await new Promise<void>((resolve) => {
        const cancel = this.#clock.after(waitMs, resolve);
        this.#wake = () => {
          cancel();
          resolve();
        };
      });
    }
  }

  /** Waits for a turn after the readings of other locks. */
  async #turn(commandId: CommandId): Promise<void> {
    const waitMs = this.#reported.has(commandId) ? 0 : this.#nextTurn();
    if (waitMs > 0) {
      await this.rest(waitMs);
    }
  }

  /** Resolves with the end of a command, "pending" after the longest, or null: never known. Rejects with relink alone. */
  async follow(lockId: LockId, commandId: CommandId, sentAt: number): Promise<CodeCommandReading | null> {
    const begunAt = this.#clock.monotonic();
    const leftMs = (): number => begunAt + ABANDONED_AFTER_MS - this.#clock.monotonic();
    this.#commandId = commandId;
    let waitMs = nextOutcomeReadMs(begunAt - sentAt, 0);
    while (leftMs() > 0) {
      if (!this.#reported.has(commandId)) {
        await this.rest(Math.min(waitMs, leftMs()));
        await this.#turn(commandId);
      }
      const reading = this.#reported.get(commandId);
      if (reading !== undefined || this.#aborted) {
        return reading === undefined ? null : { reading, codeId: null };
      }
      const askedAt = this.#clock.monotonic();
      let pauseMs: number | null = null;
      try {
        const answer = await this.#gateway.codeOutcome(lockId, commandId);
        if (answer.reading.state !== 'pending') {
          return answer;
        }
      } catch (thrown) {
        const error = asLatchkeyError(thrown);
        if (error.disposition === 'relink') {
          throw error;
        }
        if (error.disposition === 'final') {
          return null;
        }
        pauseMs = error instanceof WaitError ? error.waitMs : null;
      }
      waitMs = pauseMs ?? nextOutcomeReadMs(askedAt - sentAt, this.#clock.monotonic() - askedAt);
    }
    return { reading: { state: 'pending', commandId }, codeId: null };
  }
}
