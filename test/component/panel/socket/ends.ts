// Both ends of a local socket, as the product makes them and as bytes.
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { LocalSocketClient } from '../../../../src/panel/socket/client.ts';
import { newSocketPath } from '../../../../src/panel/socket/path.ts';
import { LocalSocketServer, type Operations } from '../../../../src/panel/socket/server.ts';
import type { Clock } from '../../../../src/support/clock.ts';
import { type Log, silentLog } from '../../../../src/support/log.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

export interface Owner {
  readonly server: LocalSocketServer;
  readonly path: string;
  readonly clock: ManualClock;
  /** The errors that the owner logged. */
  readonly errors: readonly string[];
}

/** An owner of the account that offers these operations. */
export async function owner(
  operations: Operations = {},
  path = newSocketPath(temporaryFolder()),
): Promise<Owner> {
  const clock = new ManualClock();
  const errors: string[] = [];
  const log: Log = { ...silentLog, error: (line) => errors.push(line) };
  const server = await LocalSocketServer.listen(path, operations, clock, log);
  onTestFinished(async () => {
    const closed = server.close(1_000, 'expected');
    await clock.advance(1_000);
    await closed;
  });
  return { server, path, clock, errors };
}

/** A process that asks. */
export async function caller(path: string, clock: Clock = new ManualClock()): Promise<LocalSocketClient> {
  const client = await LocalSocketClient.connect({ path, clock, log: silentLog });
  onTestFinished(() => client.close());
  return client;
}

/** A caller that speaks bytes; `received` resolves with all it got once the owner hung up. */
export async function rawCaller(path: string): Promise<{ socket: Socket; received: Promise<string> }> {
  const socket = connect(path);
  onTestFinished(() => {
    socket.destroy();
  });
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  const received = new Promise<string>((resolve) => {
    socket.on('error', () => {});
    socket.on('close', () => {
      resolve(Buffer.concat(chunks).toString('utf8'));
    });
  });
  await once(socket, 'connect');
  return { socket, received };
}

/** A server that answers as the test wants. */
export async function rawOwner(speak: (socket: Socket) => void): Promise<string> {
  const path = newSocketPath(temporaryFolder());
  const server: Server = createServer(speak);
  server.listen(path);
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
  });
  return path;
}

/** The error with which a promise was rejected. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => {
      throw new Error('It was not rejected');
    },
    (error: unknown) => error,
  );
}

/** An operation that never ends. */
export const never = async (): Promise<unknown> => new Promise(() => {});

/** An operation that ends on request of the test. */
export function held(): {
  readonly operation: () => Promise<unknown>;
  readonly started: Promise<void>;
  readonly end: (result: unknown) => void;
} {
  const started = Promise.withResolvers<void>();
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const operation = async (): Promise<unknown> => {
    started.resolve();
    return promise;
  };
  return { operation, started: started.promise, end: resolve };
}

/** An operation that returns its input. */
export const echo = async (input: unknown): Promise<unknown> => input;
