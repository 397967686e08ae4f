// Sends one command on a lock’s access codes, follows it to its end, by reading it back or by an event, and looks at the list for what it did.
import type { AccessCode, AccessCodeId } from '../../domain/codes/access-code.ts';
import {
  achieved,
  afterRefusal,
  type CommandEnd,
  listDisagrees,
  type SentCommand,
  straysAfter,
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
  type LatchkeyError,
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

export class CommandFollower {
  readonly #gateway: Pick<AccessCodeGateway, 'codeOutcome'>;
  readonly #clock: Clock;
  readonly #nextTurn: Turns;
  #aborted = false;
  #commandId: CommandId | null = null;
  #wake: () => void = () => {};
  /** Ends that the service reported: events may overtake the answer that names the command. */
  readonly #reported = new Map<CommandId, CommandReading>();

  constructor(gateway: Pick<AccessCodeGateway, 'codeOutcome'>, clock: Clock, nextTurn: Turns) {
    this.#gateway = gateway;
    this.#clock = clock;
    this.#nextTurn = nextTurn;
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
    this.#reported.set(reading.commandId, reading);
    const isOwn = reading.commandId === this.#commandId;
    if (isOwn) {
      this.#wake();
    }
    return isOwn;
  }

  /** Resolves after that time, or as soon as the wait has become needless. */
  async rest(waitMs: number): Promise<void> {
    if (!this.#aborted) {
      await new Promise<void>((resolve) => {
        const cancel = this.#clock.after(waitMs, resolve);
        this.#wake = () => {
          cancel();
          resolve();
        };
      });
    }
  }

  /** Waits for a turn after the readings of other locks. */
  async #turn(commandId: CommandId): Promise<void> {
    const waitMs = this.#reported.has(commandId) ? 0 : this.#nextTurn();
    if (waitMs > 0) {
      await this.rest(waitMs);
    }
  }

  /** Resolves with the end of a command, "pending" after the longest, or null: never known. Rejects with relink alone. */
  async follow(lockId: LockId, commandId: CommandId, sentAt: number): Promise<CodeCommandReading | null> {
    const begunAt = this.#clock.monotonic();
    const leftMs = (): number => begunAt + ABANDONED_AFTER_MS - this.#clock.monotonic();
    this.#commandId = commandId;
    let waitMs = nextOutcomeReadMs(begunAt - sentAt, 0);
    while (leftMs() > 0) {
      if (!this.#reported.has(commandId)) {
        await this.rest(Math.min(waitMs, leftMs()));
        await this.#turn(commandId);
      }
      const reading = this.#reported.get(commandId);
      if (reading !== undefined || this.#aborted) {
        return reading === undefined ? null : { reading, codeId: null };
      }
      const askedAt = this.#clock.monotonic();
      let askedToWaitMs: number | null = null;
      try {
        const answer = await this.#gateway.codeOutcome(lockId, commandId);
        if (answer.reading.state !== 'pending') {
          return answer;
        }
      } catch (thrown) {
        const error = asLatchkeyError(thrown);
        if (error.disposition === 'relink') {
          throw error;
        }
        if (error.disposition === 'final') {
          return null;
        }
        askedToWaitMs = error instanceof WaitError ? error.waitMs : null;
      }
      waitMs = askedToWaitMs ?? nextOutcomeReadMs(askedAt - sentAt, this.#clock.monotonic() - askedAt);
    }
    return { reading: { state: 'pending', commandId }, codeId: null };
  }
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
const MOST_LOOKS = 3;

type Listed = readonly AccessCode[] | null;

export class CommandRun {
  readonly lockId: LockId;
  readonly follower: CommandFollower;
  readonly #parts: CommandRunParts;
  readonly #onPhase: (phase: CodePhase) => void;
  /** The beginning, in monotonic milliseconds. */
  readonly #startedAt: number;
  #command: SentCommand;
  #sentAt: number;
  #hasLeft = false;

  constructor(
    parts: CommandRunParts,
    lockId: LockId,
    command: Omit<SentCommand, 'codeId'>,
    onPhase: (phase: CodePhase) => void,
  ) {
    this.#parts = parts;
    this.lockId = lockId;
    this.#command = { ...command, codeId: null };
    this.#onPhase = onPhase;
    this.#startedAt = parts.clock.monotonic();
    this.#sentAt = this.#startedAt;
    this.follower = new CommandFollower(parts.codes.gateway, parts.clock, parts.nextTurn);
  }

  get isAborted(): boolean {
    return this.follower.aborted;
  }

  /** Whether the lock may get the command: once this was aborted before it left, nothing is sent any more. */
  get hasLeft(): boolean {
    return this.#hasLeft;
  }

  /** Never rejects; null where this process does not learn the end. The row that it belongs to is on the disk already. */
  async toItsEnd(): Promise<CommandEnd | null> {
    const { codes, clock } = this.#parts;
    const { request } = this.#command;
    const { lockId } = this;
    this.#onPhase('sent');
    try {
      const answer = await codes.gateway.send(lockId, request, codes.zoneOf(lockId), {
        written: Promise.resolve(),
        withinMs: GIVES_UP_AFTER_MS,
        stillWanted: () => !this.isAborted,
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

  async #follow(commandId: CommandId): Promise<CommandEnd> {
    const { lists, clock } = this.#parts;
    for (;;) {
      this.#onPhase('sent');
      const end = await this.follower
        .follow(this.lockId, commandId, this.#sentAt)
        .catch((thrown: unknown) => asLatchkeyError(thrown));
      if (end instanceof Error) {
        return { kind: 'failed', failure: failureAfter(end.code) };
      }
      if (end !== null && end.reading.state !== 'pending') {
        return this.#answered(end);
      }
      if (this.isAborted || end === null || clock.monotonic() - this.#startedAt >= GIVES_UP_AFTER_MS) {
        return UNKNOWN;
      }
      // From now on the list may tell more than the service, but for an absence: the lock may not have done it yet.
      const listed = isRemoval(this.#command.request)
        ? null
        : await lists.read(this.lockId).catch(() => null);
      const done = listed === null ? null : achieved(this.#command, listed.codes);
      if (done !== null) {
        return done;
      }
    }
  }

  /** Done, unless the list goes on showing otherwise; one that cannot be read contradicts nothing. */
  async #succeeded(codeId: AccessCodeId | null): Promise<CommandEnd> {
    const agrees = (listed: Listed): boolean =>
      listed === null || !listDisagrees(this.#command, listed, codeId);
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
    const { notes } = this.#parts;
    const { lockId } = this;
    const command = this.#command;
    if (refusalHandling(reason) === 'busy') {
      const words = message('The lock is busy with another command.');
      return { kind: 'unsent', failure: { ...codeFailure('not-sent'), words }, waitMs: null };
    }
    notes.refused(lockId, command.request, reason);
    const codes = await this.#look((listed) => listed !== null);
    if (this.isAborted) {
      return UNKNOWN;
    }
    const end = afterRefusal(command, reason, codes === null ? null : achieved(command, codes));
    for (const { codeId, only } of straysAfter(command, reason, end)) {
      notes.strayFound(lockId, command.request, codeId, only);
    }
    return end ?? { kind: 'failed', failure: codeFailure(reason) };
  }

  /** The first list that was `enough`, or the last one; null when it could not be read, or this was aborted. */
  async #look(isEnough: (listed: Listed) => boolean): Promise<Listed> {
    const { lists, log } = this.#parts;
    for (let number = 1; !this.isAborted; number += 1) {
      let listed: Listed = null;
      try {
        listed = (await lists.read(this.lockId)).codes;
      } catch (error) {
        log.debug(`The access codes could not be read after a command: ${messageOf(error)}`);
        lists.outdate(this.lockId);
      }
      if (isEnough(listed) || number === MOST_LOOKS) {
        return listed;
      }
      this.#onPhase('checking');
      await this.follower.rest(pauseMs(number, 'not-ready'));
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
