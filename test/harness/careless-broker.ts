// A broker of MQTT that ignores how a client subscribes, before a real one: it sends the client's own messages back, gives it
// what is retained at each subscription, and marks nothing as retained.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

const PUBLISH = 3;
const SUBSCRIBE = 8;
const RETAIN = 0b1;
/** Of the options of a subscription: not our own, retain as published, and when retained messages are sent. */
const QOS_ALONE = 0b11;

export interface CarelessBroker {
  readonly url: URL;
  close(): void;
}

export async function openCarelessBroker(brokerPort: number): Promise<CarelessBroker> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const broker = connect({ port: brokerPort, host: '127.0.0.1', noDelay: true });
    client.setNoDelay(true);
    for (const socket of [client, broker]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        client.destroy();
        broker.destroy();
      });
    }
    passOn(client, broker, (packet, type) => {
      if (type === SUBSCRIBE) {
        forgetOptions(packet);
      }
    });
    passOn(broker, client, (packet, type) => {
      if (type === PUBLISH) {
        packet[0] = (packet[0] ?? 0) & ~RETAIN;
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: new URL(`mqtt://127.0.0.1:${String(port)}`),
    close: () => {
      for (const socket of sockets) {
        socket.destroy();
      }
      server.close();
    },
  };
}

function passOn(from: Socket, to: Socket, change: (packet: Buffer, type: number) => void): void {
  let waiting = Buffer.alloc(0);
  from.on('data', (bytes: Buffer) => {
    waiting = Buffer.concat([waiting, bytes]);
    for (let size = sizeOf(waiting); size <= waiting.length; size = sizeOf(waiting)) {
      const packet = Buffer.from(waiting.subarray(0, size));
      waiting = waiting.subarray(size);
      change(packet, (packet[0] ?? 0) >> 4);
      to.write(packet);
    }
  });
}

/** Of the first packet, in bytes; infinite while its length is not there. */
function sizeOf(bytes: Buffer): number {
  const { value, end } = variable(bytes, 1);
  return end === null ? Number.POSITIVE_INFINITY : end + value;
}

/** A variable byte integer (MQTT 5, section 1.5.5), and where it ends. */
function variable(bytes: Buffer, from: number): { readonly value: number; readonly end: number | null } {
  let value = 0;
  for (let at = from; at < bytes.length && at < from + 4; at += 1) {
    const byte = bytes[at] ?? 0;
    value += (byte & 0x7f) * 128 ** (at - from);
    if (byte < 128) {
      return { value, end: at + 1 };
    }
  }
  return { value, end: null };
}

function forgetOptions(packet: Buffer): void {
  const head = variable(packet, 1).end ?? 0;
  const properties = variable(packet, head + 2);
  let at = (properties.end ?? 0) + properties.value;
  while (at < packet.length) {
    at += 2 + packet.readUInt16BE(at);
    packet[at] = (packet[at] ?? 0) & QOS_ALONE;
    at += 1;
  }
}
