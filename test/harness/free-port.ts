// Finds TCP ports that are free right now, and that the system gives to no outgoing connection.
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that Linux and macOS take for connections: a server that is down for a moment gets its port back. */
const LOWEST = 20_000;
const HIGHEST = 32_000;

/** Homebridge warns of a HAP port and a Matter port that are closer. */
const APART = 10;

/**
 * A free port of 127.0.0.1. Another server may take it before you do; on a test machine none does.
 * `apartFrom`: a port that is not close to it.
 */
export async function freePort({ apartFrom = 0 } = {}): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST, HIGHEST);
    if (Math.abs(port - apartFrom) >= APART && (await isFree(port))) {
      return port;
    }
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
