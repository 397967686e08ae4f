// The owner's side of the local socket: answers calls of this user's other processes, and sends them events.
import { chmodSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { type Clock, delay } from '../../support/clock.ts';
import { FinalError, LatchkeyError, messageOf, RetryError, WaitError } from '../../support/errors.ts';
import { currentUser, giveToFolderOwner } from '../../support/files/file-owner.ts';
import { type Log, oneLine } from '../../support/log.ts';
import { reportableError } from '../views/error.ts';
import { NotBegunError } from './not-begun.ts';
import { isPipe, prepareSocketFolder, removeTemporaryFolder } from './path.ts';
import {
  type CallMessage,
  closingLine,
  errorLine,
  eventLine,
  HEARD,
  LineSplitter,
  LONGEST_CALL_BYTES,
  type NextOwner,
  readCall,
  resultLine,
} from './protocol.ts';

/** The operations by name. Each checks its input itself; its errors travel to the caller. */
export type Operations = Readonly<Record<string, (input: unknown) => Promise<unknown>>>;

/** Callers at a time: one Homebridge UI and a few terminals (our choice). */
const MOST_CALLERS = 32;

/** Concurrent calls of one caller (our choice). */
const MOST_CALLS = 32;

/** Unread bytes at which a caller is disconnected: a few of the longest answers. */
const MOST_UNREAD_BYTES = 32 * 1024 * 1024;

/** How long a caller may take to confirm that it has heard of the end, in milliseconds: one that is stopped never does. */
const HEARD_MS = 3_000;

/** How long a caller with too many calls should wait, in milliseconds. */
const CROWDED_WAIT_MS = 1_000;

export class LocalSocketServer {
  readonly #server: Server;
  readonly #path: string;
  readonly #operations: Operations;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #callers = new Set<Caller>();

  private constructor(path: string, operations: Operations, clock: Clock, log: Log) {
    this.#path = path;
    this.#operations = operations;
    this.#clock = clock;
    this.#log = log;
    this.#server = createServer((socket) => this.#welcome(socket));
    this.#server.maxConnections = MOST_CALLERS;
  }

  /**
   * Listens at a path of `newSocketPath`, for this user alone. The caller must own the account. Rejects with `bad-
   * configuration` when others could reach the folder, `storage-failed` when the socket cannot be made.
   */
  static async listen(
    path: string,
    operations: Operations,
    clock: Clock,
    log: Log,
  ): Promise<LocalSocketServer> {
    const local = new LocalSocketServer(path, operations, clock, log);
    try {
      prepareSocketFolder(path);
      await local.#listen();
    } catch (error) {
      throw error instanceof LatchkeyError
        ? error
        : new RetryError('storage-failed', `No socket could be made: ${messageOf(error)}`, { cause: error });
    }
    return local;
  }

  /** Sends an event to every caller. A failed send is logged; nothing is thrown. */
  publish(event: unknown): void {
    if (this.#callers.size === 0) {
      return;
    }
    try {
      const line = eventLine(event);
      for (const caller of this.#callers) {
        caller.write(line);
      }
    } catch (error) {
      this.#log.error(`An event could not be sent: ${oneLine(messageOf(error))}`);
    }
  }

  /** Begins no new call, gives those under way and their callers `graceMs` to end, and removes the socket. */
  async close(graceMs: number, next: NextOwner): Promise<void> {
    const gone = new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
    const timeout = new AbortController();
    const clock = this.#clock;
    const heard = delay(clock, Math.min(graceMs, HEARD_MS), timeout.signal).catch(() => {});
    const drained = Promise.all([gone, ...[...this.#callers].map((caller) => caller.finish(next, heard))]);
    await Promise.race([drained, delay(clock, graceMs, timeout.signal).catch(() => {})]);
    timeout.abort();
    for (const caller of this.#callers) {
      caller.cutOff();
    }
    await gone;
    removeTemporaryFolder(this.#path);
  }

  async #listen(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(this.#path, () => {
        this.#server.off('error', reject);
        resolve();
      });
    });
    this.#server.on('error', (error) => {
      this.#log.debug(`The local socket: ${oneLine(error.message)}`);
    });
    if (!isPipe(this.#path)) {
      chmodSync(this.#path, 0o600);
      giveToFolderOwner(this.#path, currentUser());
    }
  }

  #welcome(socket: Socket): void {
    const caller = new Caller(socket, this.#operations, this.#log);
    this.#callers.add(caller);
    socket.on('close', () => this.#callers.delete(caller));
  }
}

/** One process that is connected. */
class Caller {
  readonly #socket: Socket;
  readonly #operations: Operations;
  readonly #log: Log;
  readonly #splitter = new LineSplitter(LONGEST_CALL_BYTES);
  readonly #calls = new Set<Promise<void>>();
  readonly #heard = Promise.withResolvers<void>();
  #finishing = false;

  constructor(socket: Socket, operations: Operations, log: Log) {
    this.#socket = socket;
    this.#operations = operations;
    this.#log = log;
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    socket.on('error', (error) => {
      log.debug(`A caller on the local socket was lost: ${oneLine(error.message)}`);
    });
    socket.on('close', () => this.#heard.resolve());
  }

  write(line: string): void {
    if (!this.#socket.writable) {
      return;
    }
    this.#socket.write(line);
    if (this.#socket.writableLength > MOST_UNREAD_BYTES) {
      this.#log.debug('A caller on the local socket does not read and was cut off.');
      this.#socket.destroy();
    }
  }

  /** Begins no new call. Disconnects once the caller has heard of it, at the latest by `heard`, and none is under way. */
  async finish(next: NextOwner, heard: Promise<void>): Promise<void> {
    this.#finishing = true;
    this.write(closingLine(next));
    await Promise.race([this.#heard.promise, heard]);
    await Promise.all(this.#calls);
    this.dismiss();
  }

  /** Disconnects after the pending output is sent. */
  dismiss(): void {
    this.#socket.destroySoon();
  }

  /** Disconnects at once and discards unread output. */
  cutOff(): void {
    this.#socket.destroy();
  }

  #receive(chunk: Buffer): void {
    try {
      for (const line of this.#splitter.split(chunk)) {
        this.#take(readCall(line));
      }
    } catch (error) {
      // A caller that does not speak the protocol cannot be answered line by line.
      this.#socket.removeAllListeners('data');
      this.write(errorLine(null, reportableError(error)));
      this.dismiss();
    }
  }

  #take(message: CallMessage): void {
    if (this.#finishing && message.operation === HEARD) {
      this.#heard.resolve();
      return;
    }
    const call = this.#answer(message).finally(() => this.#calls.delete(call));
    this.#calls.add(call);
  }

  /** Never rejects. */
  async #answer({ id, operation, input }: CallMessage): Promise<void> {
    try {
      this.write(resultLine(id, await this.#perform(operation, input)));
    } catch (error) {
      if (!(error instanceof LatchkeyError)) {
        this.#log.error(`The operation ${oneLine(operation)} failed: ${oneLine(messageOf(error))}`);
      }
      this.write(errorLine(id, reportableError(error)));
    }
  }

  async #perform(operation: string, input: unknown): Promise<unknown> {
    if (this.#finishing) {
      throw new NotBegunError();
    }
    if (this.#calls.size >= MOST_CALLS) {
      throw new WaitError('rate-limited', 'Too many calls are under way.', CROWDED_WAIT_MS);
    }
    const perform = Object.hasOwn(this.#operations, operation) ? this.#operations[operation] : undefined;
    if (perform === undefined) {
      throw new FinalError('not-found', `The owner of the account knows no operation ${oneLine(operation)}.`);
    }
    return perform(input);
  }
}
