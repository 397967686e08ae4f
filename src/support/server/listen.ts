// Opens a server on its address, with a clear error when that is taken, and closes it.
import type { Server } from 'node:http';
import { message } from '../../domain/language/message.ts';
import { messageOf, RetryError, systemCodeOf } from '../errors.ts';

export interface ListenPlace {
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
}

export interface OpenServer {
  readonly port: number;
  /** Takes no more connections, and cuts those that are open. Resolves when all have ended. */
  close(): Promise<void>;
}

/** Rejects with retry (`unreachable`) when the address is taken or not there. */
export async function openGuarded(
  server: Server,
  guard: { cutAll(): void },
  { host, port }: ListenPlace,
): Promise<OpenServer> {
  const listening = Promise.withResolvers<void>();
  const fail = (error: unknown): void => listening.reject(notOpened({ host, port }, error));
  server.once('error', fail);
  server.listen(port, host, listening.resolve);
  await listening.promise;
  server.off('error', fail);
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    close: async () => {
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      guard.cutAll();
      await closed.promise;
    },
  };
}

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
