// Reads a command back repeatedly until it is stopped; the machine of its lock judges the outcome.
import type { CommandEffect, CommandInput } from '../../domain/commands/state.ts';
import type { LockId } from '../../domain/locks/lock.ts';
import {
  FIRST_LISTED_INSTEAD_MS,
  LISTED_INSTEAD_EVERY_MS,
  nextOutcomeReadMs,
  READ_BACK_MISSED_AFTER_MS,
} from '../../domain/polling/poll-policy.ts';
import type { LockGateway } from '../../domain/ports.ts';
import { TRAVEL_MS } from '../../domain/time/time.ts';
import type { CancelTimer } from '../../support/clock.ts';
import { asLatchkeyError, WaitError } from '../../support/errors.ts';
import type { CommonParts } from '../locks/common-parts.ts';
import type { EventBus } from '../locks/event-bus.ts';

/** The service asked for no read-back of this lock until then, in milliseconds of the monotonic clock. */
export interface ReadPause {
  until: number;
}

/** Passes each reading to `onInput`, from now on until it is stopped. */
export class OutcomeReader {
  readonly #parts;
  readonly #sentAt: number;
  #listAt: number;
  #isStopped = false;
  #cancelRead: CancelTimer = () => {};
  /** Not null from a read-back that is missed to the next good answer: listings are read instead. */
  #cancelListing: CancelTimer | null = null;

  constructor(
    parts: Pick<CommonParts, 'clock' | 'log'> & {
      readonly bus: Pick<EventBus, 'emit'>;
      readonly gateway: Pick<LockGateway, 'outcome'>;
      readonly lockId: LockId;
      readonly pause: ReadPause;
      readonly command: Omit<Extract<CommandEffect, { readonly type: 'start-reading' }>, 'type'>;
      readonly onInput: (input: CommandInput) => void;
    },
  ) {
    this.#parts = parts;
    const { clock, command, pause } = parts;
    this.#sentAt = clock.monotonic() - command.sentAgoMs;
    this.#listAt = this.#sentAt + FIRST_LISTED_INSTEAD_MS;
    const pauseMs = pause.until - clock.monotonic();
    if (pauseMs > command.firstMs) {
      this.#missed();
    }
    this.#readAfter(Math.max(command.firstMs, pauseMs));
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelRead();
    this.#answered();
  }

  #answered(): void {
    this.#cancelListing?.();
    this.#cancelListing = null;
  }

  #readAfter(ms: number): void {
    if (!this.#isStopped) {
      this.#cancelRead = this.#parts.clock.after(ms, () => void this.#read());
    }
  }

  /** Never rejects. */
  async #read(): Promise<void> {
    const { gateway, clock, log, lockId, pause, onInput } = this.#parts;
    const { commandId } = this.#parts.command;
    const askedAt = clock.monotonic();
    const nextMs = (): number => nextOutcomeReadMs(askedAt - this.#sentAt, clock.monotonic() - askedAt);
    this.#cancelRead = clock.after(READ_BACK_MISSED_AFTER_MS, () => this.#missed());
    try {
      const answer = await gateway.outcome(lockId, commandId);
      this.#cancelRead();
      this.#answered();
      onInput({ type: 'read-back', ...answer });
      this.#readAfter(nextMs());
    } catch (thrown) {
      this.#cancelRead();
      const error = asLatchkeyError(thrown);
      log.debug(`A command could not be read back: ${error.message}`);
      if (error.disposition === 'final' || error.disposition === 'relink') {
        onInput({ type: 'read-back-lost', commandId });
      }
      const waitMs = error instanceof WaitError ? error.waitMs : null;
      pause.until = clock.monotonic() + (waitMs ?? 0);
      this.#missed();
      this.#readAfter(waitMs ?? nextMs());
    }
  }

  #missed(): void {
    const { onInput, command } = this.#parts;
    if (!this.#isStopped) {
      onInput({ type: 'read-back-missed', commandId: command.commandId });
      this.#listInstead();
    }
  }

  /** Causes listings of the locks until a read-back is answered, while the bolt may travel. */
  #listInstead(): void {
    if (this.#cancelListing !== null || this.#isStopped) {
      return;
    }
    const { clock, bus } = this.#parts;
    const now = clock.monotonic();
    const travelsUntil = this.#sentAt + TRAVEL_MS;
    const listAt = Math.max(this.#listAt, now);
    if (listAt < travelsUntil) {
      this.#cancelListing = clock.after(listAt - now, () => {
        this.#listAt = listAt + LISTED_INSTEAD_EVERY_MS;
        this.#cancelListing = null;
        bus.emit({ type: 'reading-wanted' });
        this.#listInstead();
      });
    }
  }
}
