// Carries out one operation on access codes: list, send once, follow; when the outcome is unknown, list again and decide.
import { backOffMs } from '../../domain/backoff-policy.ts';
import { codeFailure, failureAfter } from '../../domain/code-failure.ts';
import {
  type CodeOperation,
  type CodePhase,
  type CodeSending,
  codeIdIn,
} from '../../domain/code-operation.ts';
import {
  achieved,
  afterUnknownId,
  type CodeEnd,
  type CodeStep,
  nextCodeStep,
  strayAfter,
} from '../../domain/code-operation-policy.ts';
import type { CodeCommandReading } from '../../domain/code-ports.ts';
import type { CommandId } from '../../domain/command.ts';
import { ABANDONED_AFTER_MS } from '../../domain/command-state.ts';
import { isRefusalReason, type RefusalReason, refusalHandling } from '../../domain/refusal.ts';
import { scheduleCommit } from '../../support/commit-scheduler.ts';
import {
  asLatchkeyError,
  FinalError,
  type LatchkeyError,
  messageOf,
  WaitError,
} from '../../support/errors.ts';
import type { CodeRunParts } from './code-run-parts.ts';
import { CommandFollower } from './command-follower.ts';
import { ListLooks, PAUSES } from './list-looks.ts';

/** An operation that cannot be sent, or whose outcome cannot be read, ends after so long, in milliseconds (our choice). */
const GIVES_UP_AFTER_MS = 10 * 60_000;

/** Pauses between readings of the list, in milliseconds (our choice). */
const LOOKS = { firstMs: 1_000, longestMs: 15_000 } as const;

export class CodeRun {
  /** Is told the ends of commands, and ends this run when it is aborted. */
  readonly follower: CommandFollower;
  readonly #parts: CodeRunParts;
  readonly #startedAt: number;
  #operation: CodeOperation;
  /** Pauses in a row, for the back-off. */
  #pauses = 0;
  readonly #looks: ListLooks;

  constructor(parts: CodeRunParts, operation: CodeOperation) {
    this.#parts = parts;
    this.follower = new CommandFollower(parts);
    this.#looks = new ListLooks(parts, this.follower);
    this.#operation = operation;
    this.#startedAt = parts.clock.monotonic();
  }

  /** Resolves with null when it was aborted: the operation stays stored. */
  async run(): Promise<CodeEnd | null> {
    let end: CodeEnd | null = null;
    while (end === null && !this.follower.aborted) {
      end = await this.#advance().catch(async (error: unknown) => this.#troubled(asLatchkeyError(error)));
    }
    return end;
  }

  async #advance(): Promise<CodeEnd | null> {
    const { sending } = this.#operation;
    const commandId = sending?.commandId ?? null;
    return sending === null || commandId === null ? this.#decide() : this.#follow(sending, commandId);
  }

  async #decide(): Promise<CodeEnd | null> {
    const { lists, serviceClock, variableLength } = this.#parts;
    const { codes } = await lists.read(this.#operation.lockId);
    if (this.follower.aborted) {
      return null;
    }
    const now = serviceClock.now();
    const step = nextCodeStep(this.#operation, { codes, variableLength: variableLength(codes), now });
    switch (step.kind) {
      case 'done':
      case 'failed':
        return step;
      case 'look-again':
        return this.#lookAgain();
      case 'send':
        return this.#send(step);
    }
  }

  async #lookAgain(): Promise<CodeEnd | null> {
    if (this.#parts.clock.monotonic() - this.#startedAt >= GIVES_UP_AFTER_MS) {
      return { kind: 'failed', failure: codeFailure('outcome-unknown') };
    }
    this.#pauses += 1;
    this.#phase('checking');
    await this.follower.rest(backOffMs(this.#pauses, LOOKS));
    return null;
  }

  async #send({ command, listed }: Extract<CodeStep, { readonly kind: 'send' }>): Promise<CodeEnd | null> {
    const { gateway, serviceClock, zone } = this.#parts;
    const before = { ...this.#operation, sending: null };
    const sending: CodeSending = { at: serviceClock.now(), commandId: null, codeId: null, listed };
    this.#phase('sent');
    const written = this.#save({ ...before, sendings: before.sendings + 1, sending });
    // The call that sends the command rejects with it, unless it had to give up before.
    written.catch(() => {});
    try {
      const answer = await gateway.send(before.lockId, command, zone(), {
        written,
        withinMs: GIVES_UP_AFTER_MS,
        stillWanted: () => !this.follower.aborted,
        left: () => {},
      });
      this.#pauses = 0;
      return await this.#answered(answer, sending);
    } catch (thrown) {
      const error = asLatchkeyError(thrown);
      if (error.disposition === 'uncertain') {
        this.#phase('checking');
        this.#pauses = 0;
        return null;
      }
      if (error instanceof FinalError && error.reason !== null && isRefusalReason(error.reason)) {
        return this.#refused(error.reason);
      }
      this.#note(before);
      throw error;
    }
  }

  async #answered({ reading, codeId }: CodeCommandReading, sending: CodeSending): Promise<CodeEnd | null> {
    switch (reading.state) {
      case 'pending':
        this.#note({
          ...this.#operation,
          sending: { ...sending, commandId: reading.commandId, codeId },
        });
        return null;
      case 'successful':
        return this.#looks.afterSuccess(
          { ...this.#operation, sending },
          codeId ?? sending.codeId ?? codeIdIn(this.#operation.request),
        );
      case 'failed':
        return this.#refused(reading.reason);
    }
  }

  async #follow(sending: CodeSending, commandId: CommandId): Promise<CodeEnd | null> {
    this.#phase('sent');
    const { lockId } = this.#operation;
    // No command lasts longer: from then on the list may know what the service does not say.
    const end = await this.follower.follow(lockId, commandId, ABANDONED_AFTER_MS);
    if (end !== null && end.reading.state !== 'pending') {
      return this.#answered(end, sending);
    }
    if (end !== null && this.#parts.clock.monotonic() - this.#startedAt < GIVES_UP_AFTER_MS) {
      const { codes } = await this.#parts.lists.read(lockId);
      return achieved(this.#operation, codes);
    }
    if (!this.follower.aborted) {
      // Its end will never be known: from now on the list decides.
      this.#note({ ...this.#operation, sending: { ...sending, commandId: null } });
    }
    return null;
  }

  /** A refusal: another client may have done the same, and after some failures the lock has the code all the same. */
  async #refused(reason: RefusalReason): Promise<CodeEnd | null> {
    if (refusalHandling(reason) === 'busy') {
      const { sendings } = this.#operation;
      this.#note({ ...this.#operation, sendings: sendings - 1, sending: null });
      throw new WaitError('lock-busy', 'The lock is busy with another command.', null);
    }
    const done = await this.#looks.afterRefusal(this.#operation);
    if (done !== null || this.follower.aborted) {
      return done;
    }
    const unknownId = afterUnknownId(this.#operation, reason);
    if (unknownId !== null) {
      return unknownId;
    }
    const stray = strayAfter(this.#operation, reason);
    if (stray !== null) {
      this.#parts.onStray(this.#operation, stray.codeId, stray.only);
    }
    return { kind: 'failed', failure: codeFailure(reason) };
  }

  /** Pauses when a later try may succeed; ends the operation otherwise. */
  async #troubled(error: LatchkeyError): Promise<CodeEnd | null> {
    if (error.disposition === 'relink' || error.disposition === 'final') {
      return this.#ended(error);
    }
    this.#pauses += 1;
    const waitMs = (error instanceof WaitError ? error.waitMs : null) ?? backOffMs(this.#pauses, PAUSES);
    const waited = this.#parts.clock.monotonic() - this.#startedAt;
    if (waited + waitMs >= GIVES_UP_AFTER_MS) {
      const reason = this.#operation.sending === null ? 'not-sent' : 'outcome-unknown';
      return { kind: 'failed', failure: codeFailure(reason) };
    }
    this.#phase('waiting', error.message);
    await this.follower.rest(waitMs);
    return null;
  }

  #ended(error: LatchkeyError): CodeEnd | null {
    if (error.code === 'not-owner') {
      // Another process has the account, and the stored operation with it.
      this.follower.abort();
      return null;
    }
    this.#parts.log.debug(`An operation on access codes ended: ${error.message}`);
    return { kind: 'failed', failure: failureAfter(error.code) };
  }

  /** Resolves once the change is on the disk; rejects when it cannot be written. */
  async #save(operation: CodeOperation): Promise<void> {
    this.#operation = operation;
    await scheduleCommit(this.#parts.clock.commits, () => {
      this.#parts.store.save(operation);
    });
  }

  /** Notes a change for the next process. This one knows it, so a failing disk ends nothing. */
  #note(operation: CodeOperation): void {
    this.#save(operation).catch((error: unknown) => {
      this.#parts.log.debug(`An operation on access codes could not be stored: ${messageOf(error)}`);
    });
  }

  #phase(phase: CodePhase, waitingFor: string | null = null): void {
    this.#parts.onPhase(this.#operation, phase, waitingFor);
  }
}
