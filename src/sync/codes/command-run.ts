// Carries one command on access codes to its end: written down, sent once, followed, and held against the list of codes.
import type { AccessCode, AccessCodeId } from '../../domain/codes/access-code.ts';
import {
  type CodeOperation,
  type CodePhase,
  type CodeSending,
  codeIdIn,
  isRemoval,
} from '../../domain/codes/operation.ts';
import { achieved, type CodeEnd, type CodeStep, listDisagrees } from '../../domain/codes/operation-policy.ts';
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
} from '../../support/errors.ts';
import { codeFailure, failureAfter } from '../../words/code-failures.ts';
import type { CommonParts } from '../locks/common-parts.ts';
import { CommandFollower, type Turns } from './command-follower.ts';
import type { CodeLists } from './lists.ts';
import type { PinLengths } from './pin-lengths.ts';
import type { StrayCodes } from './stray-codes.ts';

export interface CommandRunParts extends Pick<CommonParts, 'clock' | 'serviceClock' | 'log'> {
  readonly codes: {
    readonly gateway: AccessCodeGateway;
    /** The IANA time zone of a lock, in which its schedules are written. */
    readonly zoneOf: (id: LockId) => string;
  };
  readonly lists: Pick<CodeLists, 'read' | 'outdate'>;
  readonly strays: Pick<StrayCodes, 'found'>;
  readonly lengths: Pick<PinLengths, 'refused'>;
  readonly nextTurn: Turns;
}

export interface CommandRunHooks {
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

export class CommandRun {
  readonly follower: CommandFollower;
  readonly #parts: CommandRunParts;
  readonly #hooks: CommandRunHooks;
  #operation: CodeOperation;
  #sentAt: number;

  constructor(parts: CommandRunParts, operation: CodeOperation, hooks: CommandRunHooks) {
    this.#parts = parts;
    this.#hooks = hooks;
    this.#operation = operation;
    this.#sentAt = parts.clock.monotonic();
    this.follower = new CommandFollower(parts.codes.gateway, parts.clock, parts.nextTurn);
  }

  /** With what was sent, and is not known to have failed. */
  get operation(): CodeOperation {
    return this.#operation;
  }

  get isAborted(): boolean {
    return this.follower.aborted;
  }

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
    const { clock, lists } = this.#parts;
    const { lockId } = this.#operation;
    const isOver = after(clock.monotonic(), GIVES_UP_AFTER_MS);
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
      if (end === null || isOver(clock.monotonic())) {
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

function after(from: number, ms: number): (now: number) => boolean {
  return (now) => now >= from + ms;
}
