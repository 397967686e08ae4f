// Follows one command on access codes to its end, by reading it back or by an event, and pauses in between.
import type { AccessCodeGateway, CodeCommandReading } from '../../domain/code-ports.ts';
import type { CommandId, CommandReading } from '../../domain/command.ts';
import type { LockId } from '../../domain/lock.ts';
import { FIRST_OUTCOME_READ_MS, nextOutcomeReadMs } from '../../domain/poll-policy.ts';
import type { Clock } from '../../support/clock.ts';
import { asLatchkeyError, WaitError } from '../../support/errors.ts';

export interface CommandFollowerParts {
  readonly gateway: Pick<AccessCodeGateway, 'codeOutcome'>;
  readonly clock: Clock;
}

/** Ends that are remembered until an answer names their command (our choice). */
const KEPT_REPORTS = 10;

export class CommandFollower {
  readonly #parts: CommandFollowerParts;
  #aborted = false;
  #commandId: CommandId | null = null;
  /** Since when that command is followed, in monotonic milliseconds. */
  #since = 0;
  #wake: () => void = () => {};
  /** Ends that the service reported: events may overtake the answer that names the command. */
  #reported: readonly CommandReading[] = [];

  constructor(parts: CommandFollowerParts) {
    this.#parts = parts;
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
    this.#reported = [...this.#reported, reading].slice(-KEPT_REPORTS);
    const isOwn = reading.commandId === this.#commandId;
    if (isOwn) {
      this.#wake();
    }
    return isOwn;
  }

  /** Resolves after that time, or at once when there is nothing to wait for any more. */
  async rest(waitMs: number): Promise<void> {
    if (!this.#aborted) {
      await new Promise<void>((resolve) => {
        const cancel = this.#parts.clock.after(waitMs, resolve);
        this.#wake = () => {
          cancel();
          resolve();
        };
      });
    }
  }

  /**
   * The command's end, or that it is pending after so long; null when its end will never be known, or this was aborted.
   * Rejects with relink alone: all else may pass.
   */
  async follow(lockId: LockId, commandId: CommandId, forMs: number): Promise<CodeCommandReading | null> {
    const { clock } = this.#parts;
    const begunAt = clock.monotonic();
    const isNew = commandId !== this.#commandId;
    this.#commandId = commandId;
    this.#since = isNew ? begunAt : this.#since;
    let waitMs = isNew ? FIRST_OUTCOME_READ_MS : nextOutcomeReadMs(begunAt - this.#since, 0);
    while (clock.monotonic() - begunAt < forMs) {
      const reported = this.#reported.find((reading) => reading.commandId === commandId);
      if (reported === undefined) {
        await this.rest(waitMs);
      }
      if (reported !== undefined || this.#aborted) {
        return reported === undefined ? null : { reading: reported, codeId: null };
      }
      const askedAt = clock.monotonic();
      const { answer, waitMs: pauseMs } = await this.#read(lockId, commandId);
      if (answer === 'lost' || answer.reading.state !== 'pending') {
        return answer === 'lost' ? null : answer;
      }
      waitMs = pauseMs ?? nextOutcomeReadMs(askedAt - this.#since, clock.monotonic() - askedAt);
    }
    return pendingOf(commandId);
  }

  /** The answer, `lost` when the service no longer knows the command; a reading that failed counts as pending. */
  async #read(lockId: LockId, commandId: CommandId): Promise<ReadBack> {
    try {
      return { answer: await this.#parts.gateway.codeOutcome(lockId, commandId), waitMs: null };
    } catch (thrown) {
      const error = asLatchkeyError(thrown);
      if (error.disposition === 'relink') {
        throw error;
      }
      const waitMs = error instanceof WaitError ? error.waitMs : null;
      return { answer: error.disposition === 'final' ? 'lost' : pendingOf(commandId), waitMs };
    }
  }
}

function pendingOf(commandId: CommandId): CodeCommandReading {
  return { reading: { state: 'pending', commandId }, codeId: null };
}

interface ReadBack {
  readonly answer: CodeCommandReading | 'lost';
  readonly waitMs: number | null;
}
