// Finds TCP ports that are free right now, and that the system gives to no outgoing connection.
import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that Linux and macOS take for connections: a server that is down for a moment gets its port back. */
const LOWEST = 20_000;
const HIGHEST = 32_000;

/** Homebridge warns of a HAP port and a Matter port that are closer. */
const APART = 10;

/** Where a port is noted as given away: a UDP port that nothing here uses and the system gives to nobody. */
const NOTED_BELOW = 12_000;

/**
 * A free port of 127.0.0.1, which no other process of the tests is given while this one lives: it may be long until something
 * listens there. `apartFrom`: a port that is not close to it.
 */
export async function freePort({ apartFrom = 0 } = {}): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST, HIGHEST);
    if (Math.abs(port - apartFrom) >= APART && (await isOurs(port)) && (await isFree(port))) {
      return port;
    }
  }
}

/** False when it was given away before. The note lasts as long as this process. */
async function isOurs(port: number): Promise<boolean> {
  const note = createSocket('udp4');
  note.bind({ port: port - NOTED_BELOW, address: '127.0.0.1', exclusive: true });
  try {
    await once(note, 'listening');
  } catch {
    return false;
  }
  note.unref();
  return true;
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
