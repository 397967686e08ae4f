// Sends one command on a lock’s access codes, follows it to its end, by reading it back or by an event, and looks at the list for what it did.
import type { AccessCode, AccessCodeId } from '../../domain/codes/access-code.ts';
import {
  achieved,
  afterRefusal,
  type CommandEnd,
  listDisagrees,
  type SentCommand,
} from '../../domain/codes/command-result.ts';
import { type CodePhase, codeIdIn, isRemoval } from '../../domain/codes/operation.ts';
import type { AccessCodeGateway, CodeCommandReading } from '../../domain/codes/ports.ts';
import { GIVES_UP_AFTER_MS, pauseMs } from '../../domain/codes/retry-policy.ts';
import type { CommandId, CommandReading } from '../../domain/commands/command.ts';
import { isRefusalReason, type RefusalReason, refusalHandling } from '../../domain/commands/refusal.ts';
import { ABANDONED_AFTER_MS } from '../../domain/commands/state.ts';
import { message } from '../../domain/language/message.ts';
import type { LockId } from '../../domain/locks/lock.ts';
import { nextOutcomeReadMs } from '../../domain/polling/poll-policy.ts';
import type { Clock } from '../../support/clock.ts';
import {
  asLatchkeyError,
  FinalError,
  LatchkeyError,
  messageOf,
  WaitError,
  wordsOf,
} from '../../support/errors.ts';
import { codeFailure, failureAfter } from '../../words/code-failures.ts';
import type { CommonParts } from '../locks/common-parts.ts';
import type { CodeLists } from './lists.ts';
import type { LockNotes } from './lock-notes.ts';

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

export interface CommandRunParts extends Pick<CommonParts, 'clock' | 'log'> {
  readonly codes: {
    readonly gateway: AccessCodeGateway;
    /** The IANA time zone of a lock, in which its schedules are written. */
    readonly zoneOf: (id: LockId) => string;
  };
  readonly lists: Pick<CodeLists, 'read' | 'outdate'>;
  readonly notes: Pick<LockNotes, 'strayFound' | 'refused'>;
  readonly nextTurn: Turns;
}

const UNKNOWN = { kind: 'unknown' } as const;

/** The number of lists that are read after an answer (our choice): the first may be late, or out of reach. */
const MOST_LISTS = 3;

type Listed = readonly AccessCode[] | null;

export class CommandRun {
  readonly #parts: CommandRunParts;
  readonly #lockId: LockId;
  readonly #onPhase: (phase: CodePhase) => void;
  /** The beginning, in monotonic milliseconds. */
  readonly #startedAt: number;
  #command: SentCommand;
  #commandId: CommandId | null = null;
  #sentAt: number;
  #hasLeft = false;
  #isAborted = false;
  #wake: () => void = () => {};
  /** Ends that the service reported: events may overtake the answer that names the command. */
  readonly #reported = new Map<CommandId, CommandReading>();

  constructor(
    parts: CommandRunParts,
    lockId: LockId,
    command: Omit<SentCommand, 'codeId'>,
    onPhase: (phase: CodePhase) => void,
  ) {
    this.#parts = parts;
    this.#lockId = lockId;
    this.#command = { ...command, codeId: null };
    this.#onPhase = onPhase;
    this.#startedAt = parts.clock.monotonic();
    this.#sentAt = this.#startedAt;
  }

  /** Nothing is sent any more. Returns the end; null where the command has left, and may take effect. */
  abort(): CommandEnd | null {
    this.#isAborted = true;
    this.#wake();
    return this.#hasLeft ? null : { kind: 'unsent', failure: null, waitMs: null };
  }

  /** The service reported the end of a command; false when it is not this one. */
  ended(reading: CommandReading): boolean {
    this.#reported.set(reading.commandId, reading);
    const isOwn = reading.commandId === this.#commandId;
    if (isOwn) {
      this.#wake();
    }
    return isOwn;
  }

  /** Never rejects; null where this process does not learn the end. The row that it belongs to is on the disk already. */
  async toItsEnd(): Promise<CommandEnd | null> {
    const end = await this.#send();
    return this.#isAborted ? this.abort() : end;
  }

  async #send(): Promise<CommandEnd | null> {
    const { codes, clock } = this.#parts;
    const { request } = this.#command;
    const lockId = this.#lockId;
    this.#onPhase('sent');
    try {
      const answer = await codes.gateway.send(lockId, request, codes.zoneOf(lockId), {
        written: Promise.resolve(),
        withinMs: GIVES_UP_AFTER_MS,
        stillWanted: () => !this.#isAborted,
        left: () => {
          this.#hasLeft = true;
        },
      });
      this.#sentAt = clock.monotonic();
      return await this.#answered(answer);
    } catch (thrown) {
      const error = asLatchkeyError(thrown);
      if (error.disposition === 'uncertain') {
        return UNKNOWN;
      }
      return error instanceof FinalError && error.reason !== null && isRefusalReason(error.reason)
        ? this.#refused(error.reason)
        : unsentEnd(error);
    }
  }

  async #answered({ reading, codeId }: CodeCommandReading): Promise<CommandEnd> {
    switch (reading.state) {
      case 'pending':
        this.#command = { ...this.#command, codeId };
        return this.#follow(reading.commandId);
      case 'successful':
        return this.#succeeded(codeId ?? this.#command.codeId ?? codeIdIn(this.#command.request));
      case 'failed':
        return this.#refused(reading.reason);
    }
  }

  /** Reads the command back until its end, or until a list shows it. */
  async #follow(commandId: CommandId): Promise<CommandEnd> {
    const { clock, codes } = this.#parts;
    this.#commandId = commandId;
    let waitMs = nextOutcomeReadMs(clock.monotonic() - this.#sentAt, 0);
    let listAt = clock.monotonic() + ABANDONED_AFTER_MS;
    for (;;) {
      await this.#turn(commandId, Math.min(waitMs, listAt - clock.monotonic()));
      const reading = this.#reported.get(commandId);
      if (reading !== undefined || this.#isAborted) {
        return reading === undefined ? UNKNOWN : this.#answered({ reading, codeId: null });
      }
      const askedAt = clock.monotonic();
      const answer = await codes.gateway.codeOutcome(this.#lockId, commandId).catch(asLatchkeyError);
      if (answer instanceof LatchkeyError) {
        if (answer.disposition === 'relink') {
          return { kind: 'failed', failure: failureAfter(answer.code) };
        }
        if (answer.disposition === 'final') {
          return UNKNOWN;
        }
      } else if (answer.reading.state !== 'pending') {
        return this.#answered(answer);
      }
      const askedToWaitMs = answer instanceof WaitError ? answer.waitMs : null;
      waitMs = askedToWaitMs ?? nextOutcomeReadMs(askedAt - this.#sentAt, clock.monotonic() - askedAt);
      if (clock.monotonic() >= listAt) {
        const end = await this.#listedInstead();
        if (end !== null) {
          return end;
        }
        listAt = clock.monotonic() + ABANDONED_AFTER_MS;
        waitMs = nextOutcomeReadMs(clock.monotonic() - this.#sentAt, 0);
      }
    }
  }

  /** Waits for a turn after the readings of other locks, unless the end is reported. */
  async #turn(commandId: CommandId, waitMs: number): Promise<void> {
    if (!this.#reported.has(commandId)) {
      await this.#rest(waitMs);
      await this.#rest(this.#reported.has(commandId) ? 0 : this.#parts.nextTurn());
    }
  }

  /** Resolves after that time, or as soon as the wait has become needless. */
  async #rest(waitMs: number): Promise<void> {
    if (!this.#isAborted && waitMs > 0) {
      await new Promise<void>((resolve) => {
        const cancel = this.#parts.clock.after(waitMs, resolve);
        this.#wake = () => {
          cancel();
          resolve();
        };
      });
    }
  }

  /** The service knows no end for long: the list may tell more, but for an absence, since the lock may not have done it yet. Null: it goes on. */
  async #listedInstead(): Promise<CommandEnd | null> {
    const { clock, lists } = this.#parts;
    if (this.#isAborted || clock.monotonic() - this.#startedAt >= GIVES_UP_AFTER_MS) {
      return UNKNOWN;
    }
    const isUntold = isRemoval(this.#command.request);
    const listed = isUntold ? null : await lists.read(this.#lockId).catch(() => null);
    return listed === null ? null : achieved(this.#command, listed.codes);
  }

  /** Done, unless the list goes on showing otherwise; one that cannot be read contradicts nothing. */
  async #succeeded(codeId: AccessCodeId | null): Promise<CommandEnd> {
    const agrees = (listed: Listed): boolean =>
      listed === null || !listDisagrees(this.#command, listed, codeId);
    const codes = await this.#listed(agrees);
    if (this.#isAborted) {
      return UNKNOWN;
    }
    return agrees(codes)
      ? { kind: 'done', codeId, isConfirmed: true }
      : { kind: 'failed', failure: codeFailure('list-disagrees'), codeId };
  }

  /** Another client may have done the same, and after some failures the lock has the code all the same. */
  async #refused(reason: RefusalReason): Promise<CommandEnd> {
    const { notes } = this.#parts;
    const lockId = this.#lockId;
    const command = this.#command;
    if (refusalHandling(reason) === 'busy') {
      const words = message('The lock is busy with another command.');
      return { kind: 'unsent', failure: { ...codeFailure('not-sent'), words }, waitMs: null };
    }
    notes.refused(lockId, command.request, reason);
    const codes = await this.#listed((listed) => listed !== null);
    if (this.#isAborted) {
      return UNKNOWN;
    }
    const shown = codes === null ? null : achieved(command, codes);
    const { end, strays } = afterRefusal(command, reason, shown);
    for (const { codeId, only } of strays) {
      notes.strayFound(lockId, command.request, codeId, only);
    }
    return end ?? { kind: 'failed', failure: codeFailure(reason) };
  }

  /** The first list that was `enough`, or the last one; null when it could not be read, or this was aborted. */
  async #listed(isEnough: (listed: Listed) => boolean): Promise<Listed> {
    const { lists, log } = this.#parts;
    for (let number = 1; !this.#isAborted; number += 1) {
      let listed: Listed = null;
      try {
        listed = (await lists.read(this.#lockId)).codes;
      } catch (error) {
        log.debug(`The access codes could not be read after a command: ${messageOf(error)}`);
        lists.outdate(this.#lockId);
      }
      if (isEnough(listed) || number === MOST_LISTS) {
        return listed;
      }
      this.#onPhase('checking');
      await this.#rest(pauseMs(number, 'not-ready'));
    }
    return null;
  }
}

/** The end of a command that could not be sent; null: another process has the account, and learns it from the lists. */
export function unsentEnd(error: LatchkeyError): CommandEnd | null {
  if (error.code === 'not-owner') {
    return null;
  }
  if (error.disposition === 'relink' || error.disposition === 'final') {
    return { kind: 'failed', failure: failureAfter(error.code) };
  }
  const failure = error.code === 'aborted' ? null : { ...codeFailure('not-sent'), words: wordsOf(error) };
  return { kind: 'unsent', failure, waitMs: error instanceof WaitError ? error.waitMs : null };
}
