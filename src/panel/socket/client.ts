// The client side of the local socket, for a command line or a page's process that calls the account's owner.
import { connect, type Socket } from 'node:net';
import type { CancelTimer, Clock } from '../../support/clock.ts';
import { Emitter } from '../../support/emitter.ts';
import {
  FinalError,
  type LatchkeyError,
  messageOf,
  RetryError,
  UncertainError,
} from '../../support/errors.ts';
import type { Log } from '../../support/log.ts';
import { NotBegunError } from './not-begun.ts';
import {
  callLine,
  HEARD,
  LineSplitter,
  LONGEST_ANSWER_BYTES,
  type NextOwner,
  readOwnerMessage,
} from './protocol.ts';

/** An owner that lives takes a connection at once, even while its disk is slow (our choice). */
const CONNECT_DEADLINE_MS = 2_000;

/** Longer than the 32 s that one answer of the service may take (our choice); a caller may set another time. */
const CALL_DEADLINE_MS = 60_000;

interface PendingCall {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: LatchkeyError) => void;
  readonly cancelDeadline: CancelTimer;
}

export class LocalSocketClient {
  /** Resolves when the connection is closed by either side: an owner that said nothing may be one that is restarted. */
  readonly closed: Promise<NextOwner>;
  readonly #socket: Socket;
  readonly #clock: Clock;
  readonly #splitter = new LineSplitter(LONGEST_ANSWER_BYTES);
  readonly #pending = new Map<number, PendingCall>();
  readonly #events: Emitter<unknown>;
  /** Received lines that are not processed yet, in order. */
  readonly #lines: string[] = [];
  /** Set once the owner has said that it is ending. */
  #next: NextOwner | null = null;
  /** A turn of the event loop is left to the code that awaits an answer. */
  #isTurnLeft = false;
  #lastId = 0;
  /** Why the conversation ended, as far as that is known. */
  #trouble: unknown;
  /** The connection is closed: called once all earlier lines are processed. */
  #ended: ((next: NextOwner) => void) | null = null;

  private constructor(socket: Socket, clock: Clock, log: Log) {
    this.#socket = socket;
    this.#clock = clock;
    this.#events = new Emitter(log);
    this.closed = new Promise((resolve) => {
      socket.on('close', () => {
        this.#ended = resolve;
        this.#takeLines();
      });
    });
    socket.on('error', (error) => {
      this.#trouble = error;
    });
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
  }

  /**
   * Rejects with `unreachable` or `timed-out` without an answer, `not-permitted` when the socket is another user's, and
   * `aborted` when the signal comes first.
   */
  static async connect({
    path,
    clock,
    log,
    deadlineMs = CONNECT_DEADLINE_MS,
    signal,
  }: {
    /** The address that the owner announced. */
    readonly path: string;
    readonly clock: Clock;
    readonly log: Log;
    /** How long to wait for the owner to take the connection, in milliseconds. */
    readonly deadlineMs?: number;
    /** Ends the wait for the owner. */
    readonly signal?: AbortSignal;
  }): Promise<LocalSocketClient> {
    const socket = connect(path);
    await connected(socket, clock, deadlineMs, signal);
    return new LocalSocketClient(socket, clock, log);
  }

  /**
   * Asks the owner to do something and resolves with its answer. Rejects with the owner's own error, with `NotBegunError`
   * when the call was certainly not made, or `uncertain` when no answer came (in time).
   */
  async call(operation: string, input?: unknown, deadlineMs = CALL_DEADLINE_MS): Promise<unknown> {
    this.#lastId += 1;
    const id = this.#lastId;
    const line = callLine({ id, operation, input });
    if (this.#next !== null || !this.#socket.writable) {
      throw new NotBegunError({ cause: this.#trouble });
    }
    return new Promise<unknown>((resolve, reject) => {
      const cancelDeadline = this.#clock.after(deadlineMs, () => {
        this.#pending.delete(id);
        reject(new UncertainError(`The owner of the account did not answer within ${deadlineMs} ms.`));
      });
      this.#pending.set(id, { resolve, reject, cancelDeadline });
      this.#socket.write(line);
    });
  }

  /** Calls `listener` with every event of the owner, until the returned function is called. */
  subscribe(listener: (event: unknown) => void): () => void {
    return this.#events.subscribe(listener);
  }

  /** Ends the conversation; calls without an answer reject with `uncertain`. */
  async close(): Promise<void> {
    this.#socket.destroy();
    await this.closed;
  }

  #receive(chunk: Buffer): void {
    try {
      for (const line of this.#splitter.split(chunk)) {
        this.#lines.push(line);
      }
    } catch (error) {
      this.#hangUp(error);
    }
    this.#takeLines();
  }

  /**
   * A listener runs at once, but code that awaits an answer some promises later: without a turn in between, events sent
   * after the answer would overtake it, and the older state would seem to be the newer.
   */
  #takeLines(): void {
    while (!this.#isTurnLeft) {
      const line = this.#lines.shift();
      if (line === undefined) {
        this.#end();
        return;
      }
      try {
        this.#isTurnLeft = this.#take(line) === 'answer';
      } catch (error) {
        this.#lines.length = 0;
        this.#hangUp(error);
      }
      if (this.#isTurnLeft) {
        setImmediate(() => {
          this.#isTurnLeft = false;
          this.#takeLines();
        });
      }
    }
  }

  #hangUp(trouble: unknown): void {
    this.#trouble = trouble;
    this.#socket.destroy();
  }

  #take(line: string): 'answer' | 'event' {
    const message = readOwnerMessage(line);
    if (message.kind === 'closing') {
      this.#next = message.next;
      this.#lastId += 1;
      this.#socket.write(callLine({ id: this.#lastId, operation: HEARD, input: undefined }));
      return 'event';
    }
    if (message.kind === 'event') {
      this.#events.emit(message.event);
      return 'event';
    }
    if (message.id === null) {
      throw message.kind === 'error'
        ? message.error
        : new FinalError('wire-mismatch', 'An answer to nothing.');
    }
    const call = this.#pending.get(message.id);
    // An answer after its deadline is discarded.
    if (call !== undefined) {
      this.#pending.delete(message.id);
      call.cancelDeadline();
      if (message.kind === 'error') {
        call.reject(message.error);
      } else {
        call.resolve(message.result);
      }
    }
    return 'answer';
  }

  /** The connection is closed, and all bytes that came over it are read. */
  #end(): void {
    if (this.#ended === null) {
      return;
    }
    for (const { reject, cancelDeadline } of this.#pending.values()) {
      cancelDeadline();
      const message = 'The connection to the owner of the account ended before it answered.';
      reject(new UncertainError(message, { cause: this.#trouble }));
    }
    this.#pending.clear();
    this.#ended(this.#next ?? 'expected');
  }
}

async function connected(
  socket: Socket,
  clock: Clock,
  deadlineMs: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const giveUp = (error: LatchkeyError): void => {
    socket.destroy();
    reject(error);
  };
  const stop = (): void =>
    giveUp(new RetryError('aborted', 'Stopped before the owner of the account was reached.'));
  const cancelDeadline = clock.after(deadlineMs, () => {
    giveUp(new RetryError('timed-out', `Nobody took the connection within ${deadlineMs} ms.`));
  });
  const fail = (error: Error): void => reject(connectError(error));
  socket.once('error', fail);
  socket.once('connect', resolve);
  signal?.addEventListener('abort', stop, { once: true });
  if (signal?.aborted === true) {
    stop();
  }
  try {
    await promise;
    socket.off('error', fail);
  } finally {
    cancelDeadline();
    signal?.removeEventListener('abort', stop);
  }
}

function connectError(error: Error): LatchkeyError {
  const code = 'code' in error ? error.code : undefined;
  return code === 'EACCES' || code === 'EPERM'
    ? new FinalError('not-permitted', 'The owner of the account runs as another user.', { cause: error })
    : new RetryError('unreachable', `No owner of the account answers: ${messageOf(error)}`, { cause: error });
}
