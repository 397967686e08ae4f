// Carries out one operation on access codes: list, decide, send, follow; while the outcome is unknown, list again and decide.
import { absenceStep, LISTS_APART_MS } from '../../domain/codes/absence.ts';
import { type CodeOperation, type CodePhase, isRemoval } from '../../domain/codes/operation.ts';
import { type CodeEnd, type CodeStep, nextCodeStep } from '../../domain/codes/operation-policy.ts';
import { GIVES_UP_AFTER_MS, pauseMs } from '../../domain/codes/retry-policy.ts';
import type { Message } from '../../domain/language/message.ts';
import { asLatchkeyError, type LatchkeyError, WaitError, wordsOf } from '../../support/errors.ts';
import { codeFailure, failureAfter } from '../../words/code-failures.ts';
import { type CommandEnd, CommandRun, type CommandRunHooks, type CommandRunParts } from './command-run.ts';
import type { FileAge } from './file-age.ts';
import type { PinLengths } from './pin-lengths.ts';

export interface OperationRunParts extends CommandRunParts {
  readonly lengths: Pick<PinLengths, 'of' | 'refused'>;
  readonly age: Pick<FileAge, 'mayTakeUp'>;
}

export class OperationRun {
  readonly #parts: OperationRunParts;
  readonly #hooks: CommandRunHooks;
  readonly #isTakenUp: boolean;
  readonly run: CommandRun;
  /** The beginning, in monotonic milliseconds. */
  #startedAt = 0;
  #pauses = 0;
  /** When the first list without the codes to be removed was asked for, in monotonic milliseconds; null: the latest has them. */
  #absentSince: number | null = null;

  /** `isTakenUp`: an earlier process began the operation. */
  constructor(
    parts: OperationRunParts,
    operation: CodeOperation,
    isTakenUp: boolean,
    hooks: CommandRunHooks,
  ) {
    this.#parts = parts;
    this.#hooks = hooks;
    this.#isTakenUp = isTakenUp;
    this.run = new CommandRun(parts, operation, hooks);
  }

  /** Resolves with null when it was aborted: the operation stays stored. */
  async toItsEnd(): Promise<CodeEnd | null> {
    this.#startedAt = this.#parts.clock.monotonic();
    let end: CodeEnd | null = null;
    while (end === null && !this.run.isAborted) {
      end = await this.#advance().catch(async (error: unknown) => this.#troubled(asLatchkeyError(error)));
    }
    return this.run.isAborted ? null : end;
  }

  async #advance(): Promise<CodeEnd | null> {
    const { sending } = this.run.operation;
    if (sending?.commandId) {
      return this.#after(await this.run.follow(sending, sending.commandId));
    }
    const { lists, lengths, serviceClock, age } = this.#parts;
    const { operation } = this.run;
    const { codes, askedAt } = await lists.read(operation.lockId);
    if (this.run.isAborted) {
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
        return this.#mayBeOutOfDate(step) && !(await age.mayTakeUp(operation.lockId))
          ? givenUp(operation)
          : this.#after(await this.run.send(step));
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

  /** Pauses when a later try may succeed; ends the operation otherwise. */
  async #troubled(error: LatchkeyError): Promise<CodeEnd | null> {
    if (error.code === 'not-owner') {
      // Another process has the account, and the stored operation with it.
      this.run.follower.abort();
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
    if (this.#parts.clock.monotonic() - this.#startedAt + restMs >= GIVES_UP_AFTER_MS) {
      return givenUp(this.run.operation);
    }
    this.#hooks.onPhase(phase, waitingFor);
    await this.run.follower.rest(restMs);
    return null;
  }
}

/** What was sent may have happened. */
function givenUp({ sending }: CodeOperation): CodeEnd {
  return { kind: 'failed', failure: codeFailure(sending === null ? 'not-sent' : 'outcome-unknown') };
}
