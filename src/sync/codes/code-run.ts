// Carries a change of access codes to its end: list, decide, write down, send one command, follow it, list again.
import { absenceStep, LISTS_APART_MS } from '../../domain/codes/absence.ts';
import type { AccessCode, AccessCodeId } from '../../domain/codes/access-code.ts';
import {
  type CodeOperation,
  type CodePhase,
  type CodeSending,
  codeIdIn,
  isRemoval,
} from '../../domain/codes/operation.ts';
import {
  achieved,
  type CodeEnd,
  type CodeStep,
  listDisagrees,
  nextCodeStep,
} from '../../domain/codes/operation-policy.ts';
import type { AccessCodeGateway, CodeCommandReading } from '../../domain/codes/ports.ts';
import { afterRefusal, straysAfter } from '../../domain/codes/refused-operation.ts';
import { GIVES_UP_AFTER_MS, pauseMs } from '../../domain/codes/retry-policy.ts';
import type { CommandId } from '../../domain/commands/command.ts';
import { isRefusalReason, type RefusalReason, refusalHandling } from '../../domain/commands/refusal.ts';
import { type Message, message } from '../../domain/language/message.ts';
import type { LockId } from '../../domain/locks/lock.ts';
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
import type { CodeLists } from './lists.ts';
import type { PinLengths } from './pin-lengths.ts';
import type { StrayCodes } from './stray-codes.ts';

export interface CodeRunParts extends Pick<CommonParts, 'clock' | 'serviceClock' | 'log'> {
  readonly codes: {
    readonly gateway: AccessCodeGateway;
    /** The IANA time zone of a lock, in which its schedules are written. */
    readonly zoneOf: (id: LockId) => string;
  };
  readonly lists: Pick<CodeLists, 'read' | 'outdate'>;
  readonly strays: Pick<StrayCodes, 'found'>;
  readonly lengths: Pick<PinLengths, 'of' | 'refused'>;
  readonly age: Pick<FileAge, 'mayTakeUp'>;
  readonly nextTurn: Turns;
}

export interface CodeRunHooks {
  /** Writes down what is about to be sent, or was not. Resolves once it is on the disk. */
  readonly save: (operation: CodeOperation) => Promise<void>;
  readonly onPhase: (phase: CodePhase, waitingFor: Message | null) => void;
}

export type CommandEnd =
  | CodeEnd
  /** It may have happened, and the list decides from now on. Also what is left of a run that was aborted. */
  | { readonly kind: 'unknown' }
  /** Nothing was done at the lock. */
  | { readonly kind: 'unsent'; readonly error: LatchkeyError };

const UNKNOWN = { kind: 'unknown' } as const;

/** The number of lists that are read after an answer (our choice): the first may be late, or out of reach. */
const MOST_LOOKS = 3;

type Listed = readonly AccessCode[] | null;

export class CodeRun {
  readonly follower: CommandFollower;
  readonly #parts: CodeRunParts;
  readonly #hooks: CodeRunHooks;
  #operation: CodeOperation;
  /** The beginning, in monotonic milliseconds. */
  #startedAt: number;
  #sentAt: number;
  #pauses = 0;
  /** When the first list without the codes to be removed was asked for, in monotonic milliseconds; null: the latest has them. */
  #absentSince: number | null = null;

  constructor(parts: CodeRunParts, operation: CodeOperation, hooks: CodeRunHooks) {
    this.#parts = parts;
    this.#hooks = hooks;
    this.#operation = operation;
    this.#startedAt = parts.clock.monotonic();
    this.#sentAt = this.#startedAt;
    this.follower = new CommandFollower(parts.codes.gateway, parts.clock, parts.nextTurn);
  }

  /** With what was sent, and is not known to have failed. */
  get operation(): CodeOperation {
    return this.#operation;
  }

  get isAborted(): boolean {
    return this.follower.aborted;
  }

  /**
   * Carries out the whole operation, by as many commands as it takes. `isTakenUp`: an earlier process began it. Resolves with
   * null when it was aborted: the operation stays stored.
   */
  async toItsEnd(isTakenUp: boolean): Promise<CodeEnd | null> {
    this.#startedAt = this.#parts.clock.monotonic();
    let end: CodeEnd | null = null;
    while (end === null && !this.isAborted) {
      end = await this.#advance(isTakenUp).catch(async (error: unknown) =>
        this.#troubled(asLatchkeyError(error)),
      );
    }
    return this.isAborted ? null : end;
  }

  async #advance(isTakenUp: boolean): Promise<CodeEnd | null> {
    const { sending } = this.#operation;
    if (sending?.commandId) {
      return this.#after(await this.follow(sending, sending.commandId));
    }
    const { lists, lengths, serviceClock, age } = this.#parts;
    const operation = this.#operation;
    const { codes, askedAt } = await lists.read(operation.lockId);
    if (this.isAborted) {
      return null;
    }
    const variableLength = lengths.of(operation.lockId, codes).pinLength === null;
    const step = nextCodeStep(operation, { codes, variableLength, now: serviceClock.now() });
    if (step.kind === 'done' && isRemoval(operation)) {
      return this.#proven(step, askedAt);
    }
    this.#absentSince = null;
    switch (step.kind) {
      case 'look-again':
        return this.#pause('checking');
      case 'send':
        // What an earlier process wanted may have been removed since: a file that is older than its lock puts no code there.
        return isTakenUp && !isRemoval(operation) && !(await age.mayTakeUp(operation.lockId))
          ? givenUp(operation)
          : this.#after(await this.send(step));
      case 'done':
      case 'failed':
        return step;
    }
  }

  async #after(end: CommandEnd): Promise<CodeEnd | null> {
    if (end.kind === 'unsent') {
      return this.#troubled(end.error);
    }
    this.#pauses = 0;
    if (end.kind === 'unknown') {
      this.#hooks.onPhase('checking', null);
      return null;
    }
    return end;
  }

  /** All codes were removed together, so there is no id to ask for. */
  async #proven(end: CodeEnd, listedAt: number): Promise<CodeEnd | null> {
    this.#absentSince ??= listedAt;
    return absenceStep({ said: null, since: this.#absentSince }, listedAt, false) === 'proven'
      ? end
      : this.#pause('checking', null, LISTS_APART_MS);
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
    const restMs = waitMs ?? pauseMs(this.#pauses, 'not-ready');
    if (this.#triedForMs() + restMs >= GIVES_UP_AFTER_MS) {
      return givenUp(this.#operation);
    }
    this.#hooks.onPhase(phase, waitingFor);
    await this.follower.rest(restMs);
    return null;
  }

  /** Sends one command, and follows it. Never rejects. */
  async send({ command, listed }: Extract<CodeStep, { readonly kind: 'send' }>): Promise<CommandEnd> {
    const { codes, clock, serviceClock } = this.#parts;
    const { lockId } = this.#operation;
    const before = { ...this.#operation, sending: null };
    let sending: CodeSending = { at: serviceClock.now(), commandId: null, codeId: null, listed };
    this.#hooks.onPhase('sent', null);
    const written = this.#save({ ...before, sendings: before.sendings + 1, sending });
    // The call that sends the command rejects with this error, unless it had to give up before.
    written.catch(() => {});
    try {
      const answer = await codes.gateway.send(lockId, command, codes.zoneOf(lockId), {
        written,
        withinMs: GIVES_UP_AFTER_MS,
        stillWanted: () => !this.isAborted,
        left: () => {
          // Tokens and connections take time, and the absence of a code is proven from when the command was really sent.
          sending = { ...sending, at: serviceClock.now() };
          this.#note({ ...this.#operation, sending });
        },
      });
      this.#sentAt = clock.monotonic();
      return await this.#answered(answer, sending);
    } catch (thrown) {
      const error = asLatchkeyError(thrown);
      if (error.disposition === 'uncertain') {
        return UNKNOWN;
      }
      if (error instanceof FinalError && error.reason !== null && isRefusalReason(error.reason)) {
        return this.#refused(error.reason);
      }
      this.#note(before);
      return { kind: 'unsent', error };
    }
  }

  /** The command was sent, perhaps by an earlier process. */
  async follow(sending: CodeSending, commandId: CommandId): Promise<CommandEnd> {
    const { lists } = this.#parts;
    const { lockId } = this.#operation;
    for (;;) {
      this.#hooks.onPhase('sent', null);
      const end = await this.follower
        .follow(lockId, commandId, this.#sentAt)
        .catch((thrown: unknown) => asLatchkeyError(thrown));
      if (end instanceof Error) {
        return { kind: 'failed', failure: failureAfter(end.code) };
      }
      if (end !== null && end.reading.state !== 'pending') {
        return this.#answered(end, sending);
      }
      if (this.isAborted) {
        return UNKNOWN;
      }
      if (end === null || this.#triedForMs() >= GIVES_UP_AFTER_MS) {
        // The end of the command will never be known: from now on the list decides.
        this.#note({ ...this.#operation, sending: { ...sending, commandId: null } });
        return UNKNOWN;
      }
      // From now on the list may tell more than the service, but for an absence: the lock may not have done it yet.
      const listed = isRemoval(this.#operation) ? null : await lists.read(lockId).catch(() => null);
      const done = listed === null ? null : achieved(this.#operation, listed.codes);
      if (done !== null) {
        return done;
      }
    }
  }

  async #answered({ reading, codeId }: CodeCommandReading, sending: CodeSending): Promise<CommandEnd> {
    switch (reading.state) {
      case 'pending': {
        const followed = { ...sending, commandId: reading.commandId, codeId };
        this.#note({ ...this.#operation, sending: followed });
        return this.follow(followed, reading.commandId);
      }
      case 'successful':
        this.#operation = { ...this.#operation, sending };
        return this.#succeeded(codeId ?? sending.codeId ?? codeIdIn(this.#operation.request));
      case 'failed':
        return this.#refused(reading.reason);
    }
  }

  /** Done, unless the list goes on showing otherwise; one that cannot be read contradicts nothing. */
  async #succeeded(codeId: AccessCodeId | null): Promise<CommandEnd> {
    const agrees = (listed: Listed): boolean =>
      listed === null || !listDisagrees(this.#operation, listed, codeId);
    const codes = await this.#look(agrees);
    if (this.isAborted) {
      return UNKNOWN;
    }
    return agrees(codes)
      ? { kind: 'done', codeId, isConfirmed: true }
      : { kind: 'failed', failure: codeFailure('list-disagrees'), codeId };
  }

  /** Another client may have done the same, and after some failures the lock has the code all the same. */
  async #refused(reason: RefusalReason): Promise<CommandEnd> {
    const { lengths, strays } = this.#parts;
    if (refusalHandling(reason) === 'busy') {
      const { sendings } = this.#operation;
      this.#note({ ...this.#operation, sendings: sendings - 1, sending: null });
      const error = new WaitError('lock-busy', message('The lock is busy with another command.'), null);
      return { kind: 'unsent', error };
    }
    const operation = this.#operation;
    lengths.refused(operation.lockId, operation.request, reason);
    const codes = await this.#look((listed) => listed !== null);
    if (this.isAborted) {
      return UNKNOWN;
    }
    const end = afterRefusal(operation, reason, codes === null ? null : achieved(operation, codes));
    for (const { codeId, only } of straysAfter(operation, reason, end)) {
      strays.found(operation, codeId, only);
    }
    return end ?? { kind: 'failed', failure: codeFailure(reason) };
  }

  /** The first list that was `enough`, or the last one; null when it could not be read, or this was aborted. */
  async #look(isEnough: (listed: Listed) => boolean): Promise<Listed> {
    const { lists, log } = this.#parts;
    const { lockId } = this.#operation;
    for (let number = 1; !this.isAborted; number += 1) {
      let listed: Listed = null;
      try {
        listed = (await lists.read(lockId)).codes;
      } catch (error) {
        log.debug(`The access codes could not be read after a command: ${messageOf(error)}`);
        lists.outdate(lockId);
      }
      if (isEnough(listed) || number === MOST_LOOKS) {
        return listed;
      }
      this.#hooks.onPhase('checking', null);
      await this.follower.rest(pauseMs(number, 'not-ready'));
    }
    return null;
  }

  #triedForMs(): number {
    return this.#parts.clock.monotonic() - this.#startedAt;
  }

  /** Resolves once the change is on the disk; rejects when it cannot be written. */
  async #save(operation: CodeOperation): Promise<void> {
    this.#operation = operation;
    return this.#hooks.save(operation);
  }

  /** Notes a change for the next process. This process knows the change, so a failing disk ends nothing. */
  #note(operation: CodeOperation): void {
    this.#save(operation).catch((error: unknown) => {
      this.#parts.log.debug(`An operation on access codes could not be stored: ${messageOf(error)}`);
    });
  }
}

/** What was sent may have happened. */
function givenUp({ sending }: CodeOperation): CodeEnd {
  return { kind: 'failed', failure: codeFailure(sending === null ? 'not-sent' : 'outcome-unknown') };
}
