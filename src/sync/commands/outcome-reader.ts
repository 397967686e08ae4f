// Reads a command back repeatedly until it is stopped; the machine of its lock judges the outcome.
import type { CommandEffect, CommandInput } from '../../domain/commands/state.ts';
import type { LockId } from '../../domain/locks/lock.ts';
import {
  FIRST_LISTED_INSTEAD_MS,
  LISTED_INSTEAD_EVERY_MS,
  nextOutcomeReadMs,
} from '../../domain/polling/poll-policy.ts';
import type { LockGateway } from '../../domain/ports.ts';
import { TRAVEL_MS } from '../../domain/time/time.ts';
import type { CancelTimer } from '../../support/clock.ts';
import { asLatchkeyError, WaitError } from '../../support/errors.ts';
import type { CommonParts } from '../locks/common-parts.ts';

export interface OutcomeParts extends Pick<CommonParts, 'clock' | 'log'> {
  readonly bus: Pick<CommonParts['bus'], 'emit'>;
  readonly gateway: Pick<LockGateway, 'outcome'>;
}

/** The service asked for no read-back of this lock until then, in milliseconds of the monotonic clock. */
export interface ReadPause {
  until: number;
}

interface ReadingParts extends OutcomeParts {
  readonly lockId: LockId;
  readonly pause: ReadPause;
  readonly command: Omit<Extract<CommandEffect, { readonly type: 'start-reading' }>, 'type'>;
  readonly onInput: (input: CommandInput) => void;
}

/** Passes each reading to `onInput`, from now on until it is stopped. */
export class OutcomeReader {
  readonly #parts: ReadingParts;
  readonly #sentAt: number;
  #listAt: number;
  #isStopped = false;
  #cancel: CancelTimer = () => {};

  constructor(parts: ReadingParts) {
    this.#parts = parts;
    const { clock, command, pause } = parts;
    this.#sentAt = clock.monotonic() - command.sentAgoMs;
    this.#listAt = this.#sentAt + FIRST_LISTED_INSTEAD_MS;
    this.#readAfter(Math.max(command.firstMs, pause.until - clock.monotonic()));
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel();
  }

  #after(ms: number, work: () => void): void {
    if (!this.#isStopped) {
      this.#cancel = this.#parts.clock.after(ms, work);
    }
  }

  #readAfter(ms: number): void {
    this.#after(ms, () => void this.#read());
  }

  /** Never rejects. */
  async #read(): Promise<void> {
    const { gateway, clock, log, lockId, pause, onInput } = this.#parts;
    const { commandId } = this.#parts.command;
    const askedAt = clock.monotonic();
    const nextMs = (): number => nextOutcomeReadMs(askedAt - this.#sentAt, clock.monotonic() - askedAt);
    try {
      onInput({ type: 'read-back', ...(await gateway.outcome(lockId, commandId)) });
      this.#readAfter(nextMs());
    } catch (thrown) {
      const error = asLatchkeyError(thrown);
      log.debug(`A command could not be read back: ${error.message}`);
      if (error.disposition === 'final' || error.disposition === 'relink') {
        onInput({ type: 'read-back-lost', commandId });
      }
      const waitMs = error instanceof WaitError ? error.waitMs : null;
      pause.until = clock.monotonic() + (waitMs ?? 0);
      this.#listUntil(clock.monotonic() + (waitMs ?? nextMs()));
    }
  }

  /** Waits for the next read-back, and causes listings of the locks meanwhile. */
  #listUntil(readAt: number): void {
    const now = this.#parts.clock.monotonic();
    const travelsUntil = this.#sentAt + TRAVEL_MS;
    if (!this.#isStopped && now >= this.#listAt && now < travelsUntil) {
      this.#listAt = now + LISTED_INSTEAD_EVERY_MS;
      this.#parts.bus.emit({ type: 'reading-wanted' });
    }
    if (this.#listAt < Math.min(readAt, travelsUntil)) {
      this.#after(this.#listAt - now, () => this.#listUntil(readAt));
    } else {
      this.#readAfter(Math.max(readAt - now, 0));
    }
  }
}
