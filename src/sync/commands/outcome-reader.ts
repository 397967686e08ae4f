// Reads a command back repeatedly until it is stopped; the caller judges the outcome.
import type { CommandId } from '../../domain/command.ts';
import type { LockId } from '../../domain/lock.ts';
import { nextOutcomeReadMs } from '../../domain/poll-policy.ts';
import type { LockGateway, TimedCommandReading } from '../../domain/ports.ts';
import type { CancelTimer, Clock } from '../../support/clock.ts';
import { asLatchkeyError, WaitError } from '../../support/errors.ts';
import type { Log } from '../../support/log.ts';

export interface OutcomeReaderParts {
  readonly gateway: Pick<LockGateway, 'outcome'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly lockId: LockId;
  /** When the command was sent, in monotonic milliseconds. */
  readonly sentAt: number;
  readonly onReading: (reading: TimedCommandReading) => void;
  /** The outcome will never be known: the service no longer knows the command, or does not let us ask. */
  readonly onLost: () => void;
}

export class OutcomeReader {
  readonly #parts: OutcomeReaderParts;
  #timer: CancelTimer | null = null;
  #commandId: CommandId | null = null;

  constructor(parts: OutcomeReaderParts) {
    this.#parts = parts;
  }

  start(commandId: CommandId, firstMs: number): void {
    this.#commandId = commandId;
    this.#readAfter(firstMs);
  }

  stop(): void {
    this.#commandId = null;
    this.#timer?.();
  }

  #readAfter(waitMs: number): void {
    this.#timer?.();
    this.#timer = this.#parts.clock.after(waitMs, () => {
      void this.#read();
    });
  }

  /** Never rejects. */
  async #read(): Promise<void> {
    if (this.#commandId === null) {
      return;
    }
    const { gateway, clock, lockId, sentAt, onReading } = this.#parts;
    const askedAt = clock.monotonic();
    let waitMs: number | null = null;
    try {
      onReading(await gateway.outcome(lockId, this.#commandId));
    } catch (error) {
      waitMs = this.#failed(error);
    }
    if (this.#commandId !== null) {
      this.#readAfter(waitMs ?? nextOutcomeReadMs(askedAt - sentAt, clock.monotonic() - askedAt));
    }
  }

  /** How long the service asked us to wait before the next reading, or null. */
  #failed(thrown: unknown): number | null {
    const error = asLatchkeyError(thrown);
    this.#parts.log.debug(`A command could not be read back: ${error.message}`);
    if (error.disposition === 'final' || error.disposition === 'relink') {
      this.#parts.onLost();
    }
    return error instanceof WaitError ? error.waitMs : null;
  }
}
