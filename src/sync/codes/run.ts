// Carries out one operation on access codes: list, send once, follow; when the outcome is unknown, list again and decide.

import { absenceStep, LISTS_APART_MS } from '../../domain/codes/absence.ts';
import {
  type CodeOperation,
  type CodePhase,
  type CodeSending,
  codeIdIn,
  isRemoval,
} from '../../domain/codes/operation.ts';
import { achieved, type CodeEnd, type CodeStep, nextCodeStep } from '../../domain/codes/operation-policy.ts';
import type { AccessCodeGateway, CodeCommandReading, CodeStore } from '../../domain/codes/ports.ts';
import type { CommandId } from '../../domain/commands/command.ts';
import { isRefusalReason, type RefusalReason, refusalHandling } from '../../domain/commands/refusal.ts';
import { type Message, message } from '../../domain/language/message.ts';
import type { LockId } from '../../domain/locks/lock.ts';
import { backOffMs } from '../../domain/polling/backoff-policy.ts';
import { scheduleCommit } from '../../support/commit-scheduler.ts';
import {
  asLatchkeyError,
  FinalError,
  type LatchkeyError,
  messageOf,
  WaitError,
  wordsOf,
} from '../../support/errors.ts';
import { codeFailure, failureAfter } from '../../words/code-failures.ts';
import type { CommonParts } from '../locks/common-parts.ts';
import { CommandFollower, type Turns } from './command-follower.ts';
import type { FileAge } from './file-age.ts';
import { endAfterRefusal, endAfterSuccess, type ListLooksParts, PAUSES } from './list-looks.ts';
import type { PinLengths } from './pin-lengths.ts';

export interface CodeRunParts
  extends Pick<CommonParts, 'store' | 'clock' | 'serviceClock' | 'log'>,
    Pick<ListLooksParts, 'lists' | 'strays' | 'onPhase'> {
  readonly codes: {
    readonly gateway: AccessCodeGateway;
    readonly store: CodeStore;
    /** The IANA time zone of a lock, in which its schedules are written. */
    readonly zoneOf: (id: LockId) => string;
  };
  readonly lengths: Pick<PinLengths, 'of' | 'refused' | 'taken'>;
  readonly nextTurn: Turns;
  readonly age: Pick<FileAge, 'mayTakeUp'>;
}

/** An operation that cannot be sent, or whose outcome cannot be read, ends after this long, in milliseconds (our choice). */
const GIVES_UP_AFTER_MS = 10 * 60_000;

export class CodeRun {
  readonly lockId: LockId;
  readonly follower: CommandFollower;
  readonly #parts: CodeRunParts;
  readonly #looks: ListLooksParts;
  readonly #isTakenUp: boolean;
  #operation: CodeOperation;
  /** The beginning, in monotonic milliseconds. */
  #startedAt = 0;
  #sentAt = 0;
  #pauses = 0;
  /** When the first list without the codes to be removed was asked for, in monotonic milliseconds; null: the latest has them. */
  #absentSince: number | null = null;

  /** `isTakenUp`: an earlier process began the operation. */
  constructor(parts: CodeRunParts, operation: CodeOperation, isTakenUp: boolean) {
    this.#parts = parts;
    this.#isTakenUp = isTakenUp;
    this.follower = new CommandFollower(parts.codes.gateway, parts.clock, parts.nextTurn);
    this.lockId = operation.lockId;
    this.#operation = operation;
    this.#looks = { ...parts, follower: this.follower };
  }

  /** Resolves with null when it was aborted: the operation stays stored. */
  async run(): Promise<CodeEnd | null> {
    this.#startedAt = this.#parts.clock.monotonic();
    this.#sentAt = this.#startedAt;
    let end: CodeEnd | null = null;
    while (end === null && !this.follower.aborted) {
      end = await this.#advance().catch(async (error: unknown) => this.#troubled(asLatchkeyError(error)));
    }
    return end;
  }

  async #advance(): Promise<CodeEnd | null> {
    const { sending } = this.#operation;
    return sending?.commandId ? this.#follow(sending, sending.commandId) : this.#decide();
  }

  async #decide(): Promise<CodeEnd | null> {
    const { lists, lengths, serviceClock } = this.#parts;
    const { codes, askedAt } = await lists.read(this.lockId);
    if (this.follower.aborted) {
      return null;
    }
    const variableLength = lengths.of(this.lockId, codes).pinLength === null;
    const step = nextCodeStep(this.#operation, { codes, variableLength, now: serviceClock.now() });
    if (step.kind === 'done' && isRemoval(this.#operation)) {
      return this.#proven(step, askedAt);
    }
    this.#absentSince = null;
    if (step.kind === 'send') {
      if (this.#mayBeOutOfDate(step) && !(await this.#parts.age.mayTakeUp(this.lockId))) {
        return failedAs(this.#operation);
      }
      return this.#send(step);
    }
    return step.kind === 'look-again' ? this.#pause('checking') : step;
  }

  /** A code that an earlier process wanted may have been removed since: a file that is older than its lock puts none there. */
  #mayBeOutOfDate({ command: { kind } }: Extract<CodeStep, { readonly kind: 'send' }>): boolean {
    return this.#isTakenUp && (kind === 'add' || kind === 'update');
  }

  /** All codes were removed together, so there is no id to ask for. */
  async #proven(end: CodeEnd, listedAt: number): Promise<CodeEnd | null> {
    this.#absentSince ??= listedAt;
    return absenceStep({ said: null, since: this.#absentSince }, listedAt, false) === 'proven'
      ? end
      : this.#pause('checking', null, LISTS_APART_MS);
  }

  async #send({ command, listed }: Extract<CodeStep, { readonly kind: 'send' }>): Promise<CodeEnd | null> {
    const { codes, clock, serviceClock } = this.#parts;
    const before = { ...this.#operation, sending: null };
    let sending: CodeSending = { at: serviceClock.now(), commandId: null, codeId: null, listed };
    this.#phase('sent');
    const written = this.#save({ ...before, sendings: before.sendings + 1, sending });
    // The call that sends the command rejects with this error, unless it had to give up before.
    written.catch(() => {});
    let answer: CodeCommandReading;
    try {
      answer = await codes.gateway.send(this.lockId, command, codes.zoneOf(this.lockId), {
        written,
        withinMs: GIVES_UP_AFTER_MS,
        stillWanted: () => !this.follower.aborted,
        left: () => {
          // Tokens and connections take time, and the absence of a code is proven from when the command was really sent.
          sending = { ...sending, at: serviceClock.now() };
          this.#note({ ...this.#operation, sending });
        },
      });
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
    this.#pauses = 0;
    this.#sentAt = clock.monotonic();
    return this.#answered(answer, sending);
  }

  async #answered({ reading, codeId }: CodeCommandReading, sending: CodeSending): Promise<CodeEnd | null> {
    switch (reading.state) {
      case 'pending':
        this.#note({ ...this.#operation, sending: { ...sending, commandId: reading.commandId, codeId } });
        return null;
      case 'successful': {
        const known = codeId ?? sending.codeId ?? codeIdIn(this.#operation.request);
        return endAfterSuccess(this.#looks, { ...this.#operation, sending }, known);
      }
      case 'failed':
        return this.#refused(reading.reason);
    }
  }

  async #follow(sending: CodeSending, commandId: CommandId): Promise<CodeEnd | null> {
    this.#phase('sent');
    const end = await this.follower.follow(this.lockId, commandId, this.#sentAt);
    if (end !== null && end.reading.state !== 'pending') {
      return this.#answered(end, sending);
    }
    if (end !== null && this.#triedForMs() < GIVES_UP_AFTER_MS) {
      // From now on the list may tell more than the service, but for an absence: the lock may not have done it yet.
      const { codes } = await this.#parts.lists.read(this.lockId);
      return isRemoval(this.#operation) ? null : achieved(this.#operation, codes);
    }
    if (!this.follower.aborted) {
      // The end of the command will never be known: from now on the list decides.
      this.#phase('checking');
      this.#note({ ...this.#operation, sending: { ...sending, commandId: null } });
    }
    return null;
  }

  async #refused(reason: RefusalReason): Promise<CodeEnd | null> {
    if (refusalHandling(reason) === 'busy') {
      const { sendings } = this.#operation;
      this.#note({ ...this.#operation, sendings: sendings - 1, sending: null });
      throw new WaitError('lock-busy', message('The lock is busy with another command.'), null);
    }
    this.#parts.lengths.refused(this.lockId, this.#operation.request, reason);
    return endAfterRefusal(this.#looks, this.#operation, reason);
  }

  /** Pauses when a later try may succeed; ends the operation otherwise. */
  async #troubled(error: LatchkeyError): Promise<CodeEnd | null> {
    if (error.code === 'not-owner') {
      // Another process has the account, and the stored operation with it.
      this.follower.abort();
      return null;
    }
    if (error.disposition === 'relink' || error.disposition === 'final') {
      this.#parts.log.debug(`An operation on access codes ended: ${error.message}`);
      return { kind: 'failed', failure: failureAfter(error.code) };
    }
    return this.#pause('waiting', wordsOf(error), error instanceof WaitError ? error.waitMs : null);
  }

  /** Pauses before the next try, unless this one took too long already. */
  async #pause(
    phase: CodePhase,
    waitingFor: Message | null = null,
    waitMs: number | null = null,
  ): Promise<CodeEnd | null> {
    this.#pauses += 1;
    const pauseMs = waitMs ?? backOffMs(this.#pauses, PAUSES);
    if (this.#triedForMs() + pauseMs >= GIVES_UP_AFTER_MS) {
      return failedAs(this.#operation);
    }
    this.#phase(phase, waitingFor);
    await this.follower.rest(pauseMs);
    return null;
  }

  #triedForMs(): number {
    return this.#parts.clock.monotonic() - this.#startedAt;
  }

  /** Resolves once the change is on the disk; rejects when it cannot be written. */
  async #save(operation: CodeOperation): Promise<void> {
    this.#operation = operation;
    await scheduleCommit(this.#parts.clock.commits, () => this.#parts.codes.store.save(operation));
  }

  /** Notes a change for the next process. This process knows the change, so a failing disk ends nothing. */
  #note(operation: CodeOperation): void {
    this.#save(operation).catch((error: unknown) => {
      this.#parts.log.debug(`An operation on access codes could not be stored: ${messageOf(error)}`);
    });
  }

  #phase(phase: CodePhase, waitingFor: Message | null = null): void {
    this.#parts.onPhase(this.#operation.id, phase, waitingFor);
  }
}

/** It is given up: what was sent may have happened. */
function failedAs({ sending }: CodeOperation): CodeEnd {
  return { kind: 'failed', failure: codeFailure(sending === null ? 'not-sent' : 'outcome-unknown') };
}
