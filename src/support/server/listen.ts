// Opens a server on its address, with a clear error when that is taken, and closes it.
import type { Server } from 'node:http';
import { messageOf, RetryError } from '../errors.ts';

export interface ListenPlace {
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
}

/** Resolves with the port. Rejects with retry (`unreachable`) when the address is taken or not there. */
export async function listen(server: Server, { host, port }: ListenPlace): Promise<number> {
  const listening = Promise.withResolvers<void>();
  const fail = (error: Error & { code?: string }): void => {
    const why = error.code === 'EADDRINUSE' ? 'another program uses it' : messageOf(error);
    const message = `Port ${String(port)} of ${host} could not be opened: ${why}.`;
    listening.reject(new RetryError('unreachable', message, { cause: error }));
  };
  server.once('error', fail);
  server.listen(port, host, listening.resolve);
  await listening.promise;
  server.off('error', fail);
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}

/** Takes no more connections, and cuts those that are open. Resolves when all have ended. */
export async function closeServer(server: Server, guard: { cutAll(): void }): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  guard.cutAll();
  await promise;
}
