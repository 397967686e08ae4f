// Finds TCP ports that nobody uses right now.
import { once } from 'node:events';
import { createServer } from 'node:net';

/** A free port of 127.0.0.1. Somebody else may take it before you do; on a test machine nobody does. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (typeof address !== 'object' || address === null) {
    throw new Error('The system gave no port');
  }
  return address.port;
}
