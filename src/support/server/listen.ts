// Opens a server on its address, with a clear error when that is taken, and closes it.
import type { Server } from 'node:http';
import { message } from '../../domain/language/message.ts';
import { messageOf, RetryError, systemCodeOf } from '../errors.ts';

export interface ListenPlace {
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
}

/** Resolves with the port. Rejects with retry (`unreachable`) when the address is taken or not there. */
export async function listen(server: Server, { host, port }: ListenPlace): Promise<number> {
  const listening = Promise.withResolvers<void>();
  const fail = (error: unknown): void => listening.reject(notOpened({ host, port }, error));
  server.once('error', fail);
  server.listen(port, host, listening.resolve);
  await listening.promise;
  server.off('error', fail);
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}

/** The error of a server that could not take its address. */
export function notOpened({ host, port }: ListenPlace, error: unknown): RetryError {
  const place = { host, port: String(port) };
  const words = isTaken(error)
    ? message('Port {port} of {host} could not be opened: another program uses it.', place)
    : message('Port {port} of {host} could not be opened: {why}.', { ...place, why: messageOf(error) });
  return new RetryError('unreachable', words, { cause: error });
}

export function isTaken(error: unknown): boolean {
  return systemCodeOf(error) === 'EADDRINUSE';
}

export interface OpenServer {
  readonly port: number;
  /** Takes no more connections, and cuts those that are open. Resolves when all have ended. */
  close(): Promise<void>;
}

/** Listens, as `listen` does, until it is closed. */
export async function openGuarded(
  server: Server,
  guard: { cutAll(): void },
  place: ListenPlace,
): Promise<OpenServer> {
  const port = await listen(server, place);
  const close = async (): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    server.close(() => resolve());
    guard.cutAll();
    await promise;
  };
  return { port, close };
}
